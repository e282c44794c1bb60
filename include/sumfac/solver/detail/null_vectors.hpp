// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which vectors a matrix takes to 0: constants of its components, found; a user's, examined; and both made orthonormal.
#pragma once

#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/noise.hpp>
#include <sumfac/solver/detail/orthonormal.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sumfac::SUMFAC_TARGET::detail {

// Set-up, on the host. A row is one of its own where it has nothing beside the diagonal, as that of a constrained entry
// or, with 0 there, of a node without elements. Two vectors of random numbers tell, three in float. Sums are those of
// all processes, so that all find the same.
template <class Scalar, class Matrix>
class null_vectors {
public:
  using numbers = own_vector<Scalar>;

  explicit null_vectors(Matrix const& a)
      : a_(a), sums_{static_cast<std::size_t>(a.size()), reduction_of(a)}, own_row_(sums_.size, 1)
  {
    constexpr int trials = sizeof(Scalar) == sizeof(double) ? 2 : 3;
    constexpr Scalar few = 8 * std::numeric_limits<Scalar>::epsilon();
    numbers x[trials], y[trials];
    for (int k = 0; k < trials; ++k) {
      x[k] = numbers(own_row_.size());
      for (std::size_t i = 0; i < x[k].size(); ++i) x[k][i] = noise<Scalar>(static_cast<index_t>(i), k);
      y[k] = applied(x[k]);
      for (std::size_t i = 0; i < x[k].size(); ++i) {
        auto const one = static_cast<double>(y[0][i] * x[k][i]), two = static_cast<double>(y[k][i] * x[0][i]);
        if (!(__builtin_fabs(one - two) <= static_cast<double>(few) * __builtin_fabs(one))) own_row_[i] = 0;
      }
    }
    for (std::size_t i = 0; i < own_row_.size(); ++i)
      if (own_row_[i] != 0) x[0][i] = y[0][i] = 0;
    double const size = norm(x[0]);
    of_noise_ = size > 0 ? norm(y[0]) / size : 0;
  }

  // Constants of each component of which A takes them to 0, one behind the other; their number.
  int constants(numbers& vectors) const
  {
    int count = 0;
    double least = 0;
    entry_order const order = entries_of_matrix(a_);
    for (int c = 0; c < order.components; ++c) {
      numbers v(own_row_.size());
      for (std::size_t i = 0; i < v.size(); ++i)
        v[i] = own_row_[i] == 0 && order.component(static_cast<index_t>(i)) == c ? 1 : 0;
      double const size = norm(v);
      if (size == 0) continue;
      double const found = norm(applied(v)) / size;
      if (found <= allowed()) {
        for (std::size_t i = 0; i < v.size(); ++i) vectors.push_back(v[i]);
        ++count;
      } else if (least == 0 || found < least) {
        least = found;
      }
    }
    if (count == 0)
      failf(here,
            "A does not take constants to 0 (|A 1| over |1| is %.3g, at most %.3g expected, %.3g for random numbers): "
            "something is constrained, or A has a term without derivatives: solve without a null space, or pass its "
            "vectors",
            least, allowed(), of_noise_);
    make_orthonormal(vectors, count);
    return count;
  }

  // So many vectors, one behind the other, made orthonormal.
  void examine(numbers& vectors, int count) const
  {
    for (int k = 0; k < count; ++k) {
      numbers v(own_row_.size());
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = vectors[at(k) + i];
      double const size = norm(v);
      if (!(size > 0) || size - size != 0) failf(here, "vector %d is 0 or not finite (its length is %g)", k, size);
      double const found = norm(applied(v)) / size;
      if (!(found <= allowed()))
        failf(here,
              "A does not take vector %d to 0 (|A v| over |v| is %.3g, at most %.3g expected, %.3g for "
              "random numbers): leave it out",
              k, found, allowed(), of_noise_);
    }
    make_orthonormal(vectors, count);
  }

private:
  static constexpr char const* here = "null_space";

  std::size_t at(int k) const { return static_cast<std::size_t>(k) * own_row_.size(); }

  // What |A v| may be for |v| = 1.
  double allowed() const { return 1000 * rounding_of<Matrix, Scalar>() * of_noise_; }

  numbers applied(numbers const& x) const
  {
    auto const from = upload<Scalar>(a_.backend(), x);
    auto const to = make_memory<Scalar>(a_.backend(), a_.size());
    a_.apply(view<Scalar const, dextents<1>>(from.data(), a_.size()),
             view<Scalar, dextents<1>>(const_cast<Scalar*>(to.data()), a_.size()));
    return download<Scalar>(a_.backend(), to.data(), a_.size());
  }

  // In the 2-norm, which one row among many does not vanish in; of entries of any size.
  double norm(numbers const& x) const
  {
    double const sum = sums_.of_magnitudes(x.data());
    if (!(sum > 0) || sum - sum != 0) return sum;
    double squares = 0;
    for (Scalar const entry : x) squares += static_cast<double>(entry) / sum * (static_cast<double>(entry) / sum);
    return sum * std::sqrt(sums_.total(squares));
  }

  void make_orthonormal(numbers& vectors, int count) const
  {
    constexpr double least = sizeof(Scalar) == sizeof(double) ? 1e-8 : 1e-4;
    for (int k = 0; k < count; ++k)
      if (double const own = sums_.make_orthonormal(vectors.data(), k); !(own > least))
        failf(here, "vector %d is made of those before it (%.3g of its length is its own): leave it out", k, own);
  }

  Matrix const& a_;
  sums_of_entries sums_;
  own_vector<std::uint8_t> own_row_;  // not 0 where a row is one of its own
  double of_noise_ = 0;               // |A y| over |y| of random numbers y, in the other rows
};

}  // namespace sumfac::detail
