// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What sparse matrices become before solvers of other libraries get them.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/cg_steps.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Libraries count in int.
template <class Scalar>
void fits_int(char const* where, csr_matrix<Scalar> const& a)
{
  auto const entries = static_cast<index_t>(a.values().size());
  constexpr auto most = std::numeric_limits<int>::max SUMFAC_NO_MACRO();
  if (a.size() >= most || entries >= most)
    failf(where, "the matrix is too large (%lld rows, %lld entries, less than %d expected)",
          static_cast<long long>(a.size()), static_cast<long long>(entries), most);
}

// Calls f(row, column, double) for all entries, and for the diagonal of rows that have none.
template <class Scalar, class Function>
void for_each_entry(csr_matrix<Scalar> const& a, Function const& f)
{
  for (index_t row = 0; row < a.size(); ++row) {
    auto const first = static_cast<std::size_t>(a.first()[static_cast<std::size_t>(row)]);
    auto const last = static_cast<std::size_t>(a.first()[static_cast<std::size_t>(row) + 1]);
    if (first == last) f(row, row, 1.0);
    for (std::size_t i = first; i < last; ++i) f(row, a.columns()[i], static_cast<double>(a.values()[i]));
  }
}

// Refuses a matrix that is singular to rounding, by what its preconditioner P makes of a vector that looks random:
// solve(x) writes P x to x. Both are taken over the roots of the diagonal, so that rows may be of any size.
template <class Scalar, class Solve>
void refuse_singular(char const* where, csr_matrix<Scalar> const& a, Solve const& solve)
{
  constexpr double most = 1e12;  // the inverse of the least eigenvalue
  std::vector<double> roots(static_cast<std::size_t>(a.size()), 1.0), x(roots.size());
  for_each_entry(a, [&](index_t row, index_t column, double entry) {
    if (row == column && entry > 0) roots[static_cast<std::size_t>(row)] = std::sqrt(entry);
  });
  double before = 0, after = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double const entry = noise<double>(static_cast<index_t>(i), 0);
    before += entry * entry, x[i] = roots[i] * entry;
  }
  solve(x);
  for (std::size_t i = 0; i < x.size(); ++i) after += x[i] * roots[i] * x[i] * roots[i];
  double const grown = std::sqrt(after / before);
  if (before > 0 && !(grown <= most))
    failf(where, "the matrix is singular (its inverse makes numbers %.3g times as large over its diagonal, at most "
                 "%.3g expected): where nothing is constrained, say so by options.null_space, a sumfac::null_space of "
                 "the matrix",
          grown, most);
}

// An orthonormal basis of a matrix's null space, in double; empty where none is given.
class sparse_null_space {
public:
  sparse_null_space(char const* where, any_null_space const& given, index_t size)
  {
    if (!given) return;
    check_equal(where, "length of options.null_space", size, given.size());
    for (int k = 0; k < given.count(); ++k) {
      auto v = given.vector(k);
      for (auto const& other : vectors_) subtract(product(v, other), other, v);
      double const length = std::sqrt(product(v, v));
      for (double& x : v) x /= length;
      vectors_.push_back(std::move(v));
    }
  }

  bool empty() const { return vectors_.empty(); }

  // x without its part in the space; x has operator[] or is a pointer.
  template <class Vector>
  void project(Vector& x) const
  {
    for (auto const& v : vectors_) subtract(product(v, x), v, x);
  }

  // As many rows as there are vectors: without these, and their columns, the matrix is regular.
  std::vector<std::size_t> rows_to_leave() const
  {
    std::vector<std::size_t> rows;
    auto left = vectors_;
    for (std::size_t k = 0; k < left.size(); ++k) {
      std::size_t row = 0;
      for (std::size_t i = 0; i < left[k].size(); ++i)
        if ((std::abs)(left[k][i]) > (std::abs)(left[k][row])) row = i;
      rows.push_back(row);
      for (std::size_t j = k + 1; j < left.size(); ++j) subtract(left[j][row] / left[k][row], left[k], left[j]);
    }
    return rows;
  }

private:
  template <class Vector>
  static double product(own_vector<double> const& v, Vector const& x)
  {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * x[at<Vector>(i)];
    return sum;
  }
  template <class Vector>
  static void subtract(double times, own_vector<double> const& v, Vector& x)
  {
    for (std::size_t i = 0; i < v.size(); ++i) x[at<Vector>(i)] -= times * v[i];
  }
  template <class Vector>
  static auto at(std::size_t i)
  {
    if constexpr (requires { typename Vector::StorageIndex; })
      return static_cast<typename Vector::StorageIndex>(i);  // of Eigen's
    else
      return i;
  }

  std::vector<own_vector<double>> vectors_;
};

}  // namespace sumfac::detail
