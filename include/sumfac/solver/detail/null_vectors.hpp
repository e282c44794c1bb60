// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which vectors a matrix takes to 0: constants of its components, found; a user's, examined; and both made orthonormal.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/geometry/restriction/options.hpp>
#include <sumfac/solver/detail/cg_arguments.hpp>
#include <sumfac/solver/detail/cg_steps.hpp>
#include <sumfac/solver/reduction.hpp>
#include <sumfac/view/view.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Set-up, on the host. A row is one of its own where it has nothing beside the diagonal, as that of a constrained entry
// or, with 0 there, of a node without elements. Two vectors of random numbers tell, three in float. Sums are those of
// all processes, so that all find the same.
template <class Scalar, class Matrix>
class null_vectors {
public:
  using numbers = own_vector<Scalar>;

  explicit null_vectors(Matrix const& a) : a_(a), of_all_(reduction_of(a)), own_row_(entries(a.size()), 1)
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
    for (int c = 0; c < components(); ++c) {
      numbers v(own_row_.size());
      for (std::size_t i = 0; i < v.size(); ++i)
        v[i] = own_row_[i] == 0 && component_of(static_cast<index_t>(i)) == c ? 1 : 0;
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

  static std::size_t entries(index_t size) { return static_cast<std::size_t>(size); }
  std::size_t at(int k) const { return static_cast<std::size_t>(k) * own_row_.size(); }

  // What |A v| may be for |v| = 1.
  double allowed() const { return 1000 * rounding_of<Matrix, Scalar>() * of_noise_; }

  int components() const
  {
    if constexpr (requires { a_.restriction().components(); })
      return a_.restriction().components();
    else
      return 1;
  }
  // Of vectors of the matrix, which may have less nodes than its restriction.
  int component_of(index_t entry) const
  {
    if constexpr (requires { a_.restriction().options().components_lie; }) {
      bool const fastest = a_.restriction().options().components_lie == interleaving::fastest;
      return static_cast<int>(fastest ? entry % components() : entry / (a_.size() / components()));
    } else {
      return 0;
    }
  }

  numbers applied(numbers const& x) const
  {
    auto const from = upload<Scalar>(a_.backend(), x);
    auto const to = make_memory<Scalar>(a_.backend(), a_.size());
    a_.apply(view<Scalar const, dextents<1>>(from.data(), a_.size()),
             view<Scalar, dextents<1>>(const_cast<Scalar*>(to.data()), a_.size()));
    return download<Scalar>(a_.backend(), to.data(), a_.size());
  }

  double total(double sum) const
  {
    if (of_all_.add_up != nullptr) of_all_.add_up(of_all_.context, &sum, 1);
    return sum;
  }
  // In the 2-norm, which one row among many does not vanish in; of entries of any size.
  double norm(numbers const& x) const
  {
    double sum = 0, squares = 0;
    for (Scalar const entry : x) sum += __builtin_fabs(static_cast<double>(entry));
    sum = total(sum);
    if (!(sum > 0) || sum - sum != 0) return sum;
    for (Scalar const entry : x) squares += static_cast<double>(entry) / sum * (static_cast<double>(entry) / sum);
    return sum * std::sqrt(total(squares));
  }
  // With what each addition rounds away: lengths of many equal entries would be off by as many roundings.
  double product(Scalar const* x, Scalar const* y) const
  {
    double sum = 0, lost = 0;
    for (std::size_t i = 0; i < own_row_.size(); ++i) {
      double const term = static_cast<double>(x[i]) * static_cast<double>(y[i]), next = sum + term, added = next - sum;
      lost += (sum - (next - added)) + (term - added);
      sum = next;
    }
    return total(sum + lost);
  }

  // By Gram and Schmidt, twice.
  void make_orthonormal(numbers& vectors, int count) const
  {
    constexpr double least = sizeof(Scalar) == sizeof(double) ? 1e-8 : 1e-4;
    for (int k = 0; k < count; ++k) {
      Scalar* const v = vectors.data() + at(k);
      double sum = 0;
      for (std::size_t i = 0; i < own_row_.size(); ++i) sum += __builtin_fabs(static_cast<double>(v[i]));
      scale(v, 1 / total(sum));
      double const before = std::sqrt(product(v, v));
      for (int j = 0; j < 2 * k; ++j) {
        Scalar const* const other = vectors.data() + at(j % k);
        double const part = product(other, v);
        for (std::size_t i = 0; i < own_row_.size(); ++i)
          v[i] = static_cast<Scalar>(static_cast<double>(v[i]) - part * static_cast<double>(other[i]));
      }
      double const after = std::sqrt(product(v, v));
      if (!(after > least * before))
        failf(here, "vector %d is made of those before it (%.3g of its length %.3g is its own): leave it out", k, after,
              before);
      scale(v, 1 / after);
    }
  }
  void scale(Scalar* v, double factor) const
  {
    for (std::size_t i = 0; i < own_row_.size(); ++i) v[i] = static_cast<Scalar>(static_cast<double>(v[i]) * factor);
  }

  Matrix const& a_;
  reduction of_all_;
  own_vector<std::uint8_t> own_row_;  // not 0 where a row is one of its own
  double of_noise_ = 0;               // |A y| over |y| of random numbers y, in the other rows
};

}  // namespace sumfac::detail
