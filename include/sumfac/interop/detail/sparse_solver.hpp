// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What solvers of other libraries behind a sparse matrix have in common: it in their numbers, its null space, refusals.
#pragma once

#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/detail/noise.hpp>
#include <sumfac/solver/detail/orthonormal.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// A matrix in int and double, as csr_matrix has it; rows that have no entries are rows of the identity.
struct matrix_of_int {
  template <class Scalar>
  matrix_of_int(char const* where, csr_matrix<Scalar> const& a)
  {
    check_equal(where, "number of the matrix' columns", a.size(), a.width());
    auto const entries = static_cast<index_t>(a.values().size());
    constexpr auto most = std::numeric_limits<int>::max SUMFAC_NO_MACRO();
    if (a.size() >= most || entries >= most)
      failf(where, "the matrix is too large (%lld rows, %lld entries, less than %d expected)",
            static_cast<long long>(a.size()), static_cast<long long>(entries), most);
    first.push_back(0);
    for (index_t row = 0; row < a.size(); ++row) {
      a.for_each_of(row, [&](index_t column, Scalar value) { add(column, static_cast<double>(value)); });
      if (first.back() == static_cast<int>(columns.size())) add(row, 1);
      first.push_back(static_cast<int>(columns.size()));
    }
  }

  int rows() const { return static_cast<int>(first.size()) - 1; }
  // Calls f(row, column, value) for all entries, values to be changed.
  template <class Function>
  void for_each(Function const& f)
  {
    for (int row = 0; row < rows(); ++row)
      for (int i = first[static_cast<std::size_t>(row)]; i < first[static_cast<std::size_t>(row) + 1]; ++i)
        f(row, columns[static_cast<std::size_t>(i)], values[static_cast<std::size_t>(i)]);
  }

  std::vector<int> first, columns;
  std::vector<double> values;

private:
  void add(index_t column, double value)
  {
    columns.push_back(static_cast<int>(column));
    values.push_back(value);
  }
};

// The base of such solvers: z = P r in double, r and z taken without the matrix's null space, where it has one.
class sparse_solver {
public:
  index_t size() const { return size_; }

protected:
  sparse_solver(char const* name, index_t size, any_null_space const& space)
      : size_(size), count_(space.count()), sums_{static_cast<std::size_t>(size)}
  {
    if (!space) return;
    check_equal(name, "length of options.null_space", size, space.size());
    basis_ = basis_of(space);
  }

  bool has_null_space() const { return count_ > 0; }

  // solve(x) writes P x to x.
  template <class From, class To, class Solve>
  void apply_with(char const* here, From const& r, To const& z, Solve const& solve) const
  {
    check_extent(here, "r", 0, "entries", size_, r.extent(0));
    check_extent(here, "z", 0, "entries", size_, z.extent(0));
    std::vector<double> x(sums_.size);
    for (index_t i = 0; i < size_; ++i) x[static_cast<std::size_t>(i)] = static_cast<double>(r(i));
    project(x);
    solve(x);
    project(x);
    for (index_t i = 0; i < size_; ++i) z(i) = static_cast<typename To::value_type>(x[static_cast<std::size_t>(i)]);
  }

  static void check_at_least_1(char const* name, char const* what, int got)
  {
    if (got < 1) failf(name, "the %s is below 1 (got %d, at least 1 expected)", what, got);
  }

  // Refuses a matrix that is singular to rounding and has no null space, by what P makes of a vector that looks random.
  // Both are taken over the roots of the diagonal, so that rows may be of any size.
  template <class Solve>
  void refuse_singular(char const* name, matrix_of_int& a, Solve const& solve) const
  {
    if (has_null_space()) return;
    constexpr double most = 1e12;  // the inverse of the least eigenvalue
    std::vector<double> roots(sums_.size, 1.0), x(sums_.size);
    a.for_each([&](int row, int column, double entry) {
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
      failf(name,
            "the matrix is singular (its inverse makes numbers %.3g times as large over its diagonal, at most "
            "%.3g expected): where nothing is constrained, say so by options.null_space, a sumfac::null_space of "
            "the matrix",
            grown, most);
  }

  // As many rows as there are vectors in the null space: without these, and their columns, the matrix is regular.
  std::vector<std::size_t> rows_to_leave() const
  {
    std::vector<std::size_t> rows;
    auto left = basis_;
    auto const vector = [&](int k) { return left.data() + static_cast<std::size_t>(k) * sums_.size; };
    for (int k = 0; k < count_; ++k) {
      std::size_t row = 0;
      for (std::size_t i = 0; i < sums_.size; ++i)
        if ((std::abs)(vector(k)[i]) > (std::abs)(vector(k)[row])) row = i;
      rows.push_back(row);
      for (int j = k + 1; j < count_; ++j) sums_.subtract(vector(j)[row] / vector(k)[row], vector(k), vector(j));
    }
    return rows;
  }

private:
  void project(std::vector<double>& x) const
  {
    for (int k = 0; k < count_; ++k) {
      double const* const v = basis_.data() + static_cast<std::size_t>(k) * sums_.size;
      sums_.subtract(sums_.product(v, static_cast<double const*>(x.data())), v, x.data());
    }
  }

  index_t size_;
  int count_;  // of vectors in the null space
  sums_of_entries sums_;
  own_vector<double> basis_;
};

}  // namespace sumfac::detail
