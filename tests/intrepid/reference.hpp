// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of the nine contractions: plain nested loops over row-order arrays, in long double.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

// It shares no code with include/sumfac, not even the views: an array is a std::vector in row order (last index
// fastest), and each loop writes its index out. Where a function has no D1 or D2, or data have no F, their extent is 1,
// which in row order changes no index; so there are three functions for the nine.
namespace reference {

using real = long double;
using array = std::vector<real>;

struct contraction_extents {
  std::size_t c = 1;       // cells
  std::size_t l = 1;       // left fields (FieldField)
  std::size_t r = 1;       // right fields (FieldField), or the fields F (DataField)
  std::size_t p = 1;       // points, of the fields
  std::size_t d1 = 1;      // D of the vectors, D1 of the tensors
  std::size_t d2 = 1;      // D2 of the tensors
  std::size_t data_p = 0;  // points of data (DataField): p, or 1 for constant data

  std::size_t length() const { return p * d1 * d2; }
};

// contractFieldFieldScalar, -Vector, -Tensor: left (C, L, P, D1, D2), right (C, R, P, D1, D2) -> (C, L, R).
inline array contract_field_field(contraction_extents const& n, array const& left, array const& right)
{
  array out(n.c * n.l * n.r);
  for (std::size_t c = 0; c < n.c; ++c)
    for (std::size_t l = 0; l < n.l; ++l)
      for (std::size_t r = 0; r < n.r; ++r) {
        real sum = 0;
        for (std::size_t p = 0; p < n.p; ++p)
          for (std::size_t i = 0; i < n.d1; ++i)
            for (std::size_t j = 0; j < n.d2; ++j)
              sum += left.at((((c * n.l + l) * n.p + p) * n.d1 + i) * n.d2 + j) *
                     right.at((((c * n.r + r) * n.p + p) * n.d1 + i) * n.d2 + j);
        out.at((c * n.l + l) * n.r + r) = sum;
      }
  return out;
}

// contractDataFieldScalar, -Vector, -Tensor: data (C, P or 1, D1, D2), fields (C, F, P, D1, D2) -> (C, F).
inline array contract_data_field(contraction_extents const& n, array const& data, array const& fields)
{
  array out(n.c * n.r);
  for (std::size_t c = 0; c < n.c; ++c)
    for (std::size_t f = 0; f < n.r; ++f) {
      real sum = 0;
      for (std::size_t p = 0; p < n.p; ++p) {
        std::size_t const data_point = n.data_p == 1 ? 0 : p;
        for (std::size_t i = 0; i < n.d1; ++i)
          for (std::size_t j = 0; j < n.d2; ++j)
            sum += data.at(((c * n.data_p + data_point) * n.d1 + i) * n.d2 + j) *
                   fields.at((((c * n.r + f) * n.p + p) * n.d1 + i) * n.d2 + j);
      }
      out.at(c * n.r + f) = sum;
    }
  return out;
}

// contractDataDataScalar, -Vector, -Tensor: left (C, P, D1, D2), right (C, P, D1, D2) -> (C).
inline array contract_data_data(contraction_extents const& n, array const& left, array const& right)
{
  array out(n.c);
  for (std::size_t c = 0; c < n.c; ++c) {
    real sum = 0;
    for (std::size_t p = 0; p < n.p; ++p)
      for (std::size_t i = 0; i < n.d1; ++i)
        for (std::size_t j = 0; j < n.d2; ++j)
          sum += left.at(((c * n.p + p) * n.d1 + i) * n.d2 + j) * right.at(((c * n.p + p) * n.d1 + i) * n.d2 + j);
    out.at(c) = sum;
  }
  return out;
}

// How far a right entry may be from the oracle's. A sum of `length` products (and of what was there before, for
// sumInto), added in any order and fused or not, gives each term at most k = length + 1 roundings of 1 + delta,
// |delta| <= u. Roundings are as good as independent: a term is off by about sqrt(k) u (Higham and Mary, SIAM J. Sci.
// Comput. 41, 2019; the certain bound, k u, would let a lost term of a long float sum pass), and the sum by less than
//   sqrt(k) u * magnitude,   magnitude = sum of |left| |right|, + |what was there before|,
// with u the unit roundoff of the accumulator. An output narrower than that rounds once more. Inputs are exact: the
// oracle reads the numbers that the contraction reads. Long double's own error is 2^-11 of this, and left out.
// Sums of small integers are exact in every order: there the tests ask for equality.
template <class Accumulator, class Output>
real contraction_tolerance(std::size_t length, real magnitude, real result)
{
  constexpr real accumulator_roundoff = std::numeric_limits<Accumulator>::epsilon() / 2;
  constexpr real output_roundoff = std::numeric_limits<Output>::epsilon() / 2;
  real const sum = std::sqrt(static_cast<real>(length + 1)) * accumulator_roundoff * magnitude;
  return output_roundoff > accumulator_roundoff ? sum + output_roundoff * (std::fabs(result) + sum) : sum;
}

// The moduli of an array: contracting these gives `magnitude`.
inline array moduli(array values)
{
  for (real& x : values) x = std::fabs(x);
  return values;
}

}  // namespace reference
