// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Some vectors made orthonormal, in the host's memory: the bases of null spaces.
#pragma once

#include <sumfac/dofs/halo.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>

#include <cmath>
#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// Sums over the entries of vectors, of all processes where each has a part.
struct sums_of_entries {
  std::size_t size;
  reduction of_all = {};

  double total(double sum) const
  {
    if (of_all.add_up != nullptr) of_all.add_up(of_all.context, &sum, 1);
    return sum;
  }
  template <class Number>
  double of_magnitudes(Number const* x) const
  {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += __builtin_fabs(static_cast<double>(x[i]));
    return total(sum);
  }
  // With what each addition rounds away: lengths of many equal entries would be off by as many roundings.
  template <class Number>
  double product(Number const* x, Number const* y) const
  {
    double sum = 0, lost = 0;
    for (std::size_t i = 0; i < size; ++i) {
      double const term = static_cast<double>(x[i]) * static_cast<double>(y[i]), next = sum + term, added = next - sum;
      lost += (sum - (next - added)) + (term - added);
      sum = next;
    }
    return total(sum + lost);
  }
  template <class Number>
  void scale(double factor, Number* x) const
  {
    for (std::size_t i = 0; i < size; ++i) x[i] = static_cast<Number>(static_cast<double>(x[i]) * factor);
  }
  // x = x - part * y
  template <class Number>
  void subtract(double part, Number const* y, Number* x) const
  {
    for (std::size_t i = 0; i < size; ++i)
      x[i] = static_cast<Number>(static_cast<double>(x[i]) - part * static_cast<double>(y[i]));
  }

  // Vector k of those that lie one behind the other, by Gram and Schmidt, twice; says how much of it was its own.
  template <class Number>
  double make_orthonormal(Number* vectors, int k) const
  {
    auto const vector = [&](int j) { return vectors + static_cast<std::size_t>(j) * size; };
    scale(1 / of_magnitudes(vector(k)), vector(k));
    double const before = std::sqrt(product(vector(k), vector(k)));
    for (int j = 0; j < 2 * k; ++j) subtract(product(vector(j % k), vector(k)), vector(j % k), vector(k));
    double const after = std::sqrt(product(vector(k), vector(k)));
    scale(1 / after, vector(k));
    return after / before;
  }
};

// The basis of a null space in double, vectors one behind the other: made orthonormal in these numbers.
inline own_vector<double> basis_of(any_null_space const& space, reduction const& of_all = {})
{
  own_vector<double> basis;
  for (int k = 0; k < space.count(); ++k) basis.append(space.vector(k));
  for (int k = 0; k < space.count(); ++k)
    sums_of_entries{static_cast<std::size_t>(space.size()), of_all}.make_orthonormal(basis.data(), k);
  return basis;
}

}  // namespace sumfac::detail
