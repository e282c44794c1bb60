// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The matrix of an operator on global vectors, row by row: for direct solvers, algebraic multigrid and coarse levels.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/detail/sparsity.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// A sparse matrix in the host's memory: entries of row r are values[i] in columns[i], ascending, for i from first[r] to
// first[r + 1] - 1. A matrix to solvers, as a global_operator is one, where it has as many columns as rows.
template <class Scalar = double>
class csr_matrix {
public:
  using scalar_type = Scalar;
  using backend_type = host;

  // The rows are as many as `first` has entries, less one; so are the columns, unless `width` says how many there are.
  // **Errors** argument_error for lengths that do not fit and columns out of range or not ascending.
  csr_matrix(std::vector<index_t> first, std::vector<index_t> columns, std::vector<Scalar> values,
             host const& threads = {}, index_t width = -1)
      : first_(std::move(first)),
        columns_(std::move(columns)),
        values_(std::move(values)),
        threads_(threads),
        width_(width >= 0 || first_.empty() ? width : size())
  {
    constexpr auto here = "csr_matrix";
    if (first_.empty() || first_[0] != 0) fail(here, "`first` must begin with 0, and have an entry more than rows");
    auto const entries = static_cast<index_t>(columns_.size());
    check_equal(here, "number of values", entries, static_cast<index_t>(values_.size()));
    check_equal(here, "last entry of `first`", entries, first_.back());
    for (index_t row = 0; row < size(); ++row) {
      auto const k = static_cast<std::size_t>(row);
      if (first_[k + 1] < first_[k] || first_[k + 1] > entries)
        failf(here, "`first` falls or is beyond the entries at row %lld (%lld, then %lld of %lld)",
              static_cast<long long>(row), static_cast<long long>(first_[k]), static_cast<long long>(first_[k + 1]),
              static_cast<long long>(entries));
      for (index_t i = first_[k]; i < first_[k + 1]; ++i) {
        index_t const column = columns_[static_cast<std::size_t>(i)];
        bool const ascends = i == first_[k] || columns_[static_cast<std::size_t>(i) - 1] < column;
        if (column < 0 || column >= width_ || !ascends)
          failf(here, "a column of row %lld is out of range or does not ascend (got %lld, 0 to %lld expected)",
                static_cast<long long>(row), static_cast<long long>(column), static_cast<long long>(width_ - 1));
      }
    }
  }

  index_t size() const { return static_cast<index_t>(first_.size()) - 1; }
  index_t width() const { return width_; }  // columns
  host const& backend() const { return threads_; }
  std::vector<index_t> const& first() const { return first_; }
  std::vector<index_t> const& columns() const { return columns_; }
  std::vector<Scalar> const& values() const { return values_; }

  // y = A x. **Shapes** global vectors of width() and of size() entries.
  void apply(vector_argument<Scalar const> from, vector_argument<Scalar> to) const
  {
    auto const x = from.entries;
    auto const y = to.entries;
    detail::check_vectors("csr_matrix::apply", "x", x, width(), "y", y, size());
    constexpr index_t least_entries = 8192;  // a thread's: see passes.hpp
    host const some = threads_.for_work(static_cast<index_t>(values_.size()), least_entries);
    some.partition(size(), [&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) {
        Scalar sum = 0;
        for_each_of(row, [&](index_t column, Scalar entry) { sum += entry * x(column); });
        y(row) = sum;
      }
    });
  }
  // d = the diagonal, 0 where a row has none.
  void diagonal(vector_argument<Scalar> of_matrix) const
  {
    auto const d = of_matrix.entries;
    detail::check_extent("csr_matrix::diagonal", "d", 0, "entries", size(), d.extent(0));
    check_data("csr_matrix::diagonal", "d", d.data(), size());
    for (index_t row = 0; row < size(); ++row) {
      d(row) = 0;
      for_each_of(row, [&](index_t column, Scalar entry) {
        if (column == row) d(row) = entry;
      });
    }
  }

  // Calls f(column, value) for the entries of a row.
  template <class Function>
  void for_each_of(index_t row, Function const& f) const
  {
    auto const last = static_cast<std::size_t>(first_[static_cast<std::size_t>(row) + 1]);
    for (auto i = static_cast<std::size_t>(first_[static_cast<std::size_t>(row)]); i < last; ++i)
      f(columns_[i], values_[i]);
  }

private:
  std::vector<index_t> first_, columns_;
  std::vector<Scalar> values_;
  host threads_;
  index_t width_;
};

// A coarser level of an algebraic multigrid, in the host's memory: its matrix, and the interpolation from it to the
// level in front of it, which has a row for each of that level's.
struct amg_level {
  csr_matrix<double> matrix;
  csr_matrix<double> interpolation;
};

// The matrix that A.apply(R, x, y) multiplies by, zeros of its elements' matrices among the entries. Rows and columns
// of constrained entries have a number on the diagonal, or are empty, as the restriction says; rows of nodes without
// elements are empty. The same bits for any number of threads.
//
// **Work** C (order + 1)^3 applications to E-vectors; low orders are what it is for.
// **Errors** argument_error for a restriction of other elements than the operator's; (compile time) a form that is not
// linear.
template <class Operator, class Restriction>
csr_matrix<typename Operator::scalar_type> assemble(Operator const& a, Restriction const& r)
{
  using scalar = typename Operator::scalar_type;
  constexpr bool fits = detail::is_restriction_for<Restriction, scalar, typename Operator::backend_type>;
  static_assert(fits, "sumfac::assemble: the operator comes first, then a restriction of its scalar type and backend");
  if constexpr (fits && detail::must_be_linear<Operator>()) {
    detail::check_restriction("assemble", a, r);
    if (r.table().has_rows()) return detail::constrained_matrix(assemble(a, r.unconstrained()), r);
    host const threads = detail::host_of(a.backend());
    detail::sparsity const pattern(threads, r);
    std::vector<scalar> values(pattern.columns.size(), 0);
    detail::add_columns(threads, a, r, pattern, values.data());
    return {pattern.first, pattern.columns, std::move(values), threads};
  } else {
    fail("assemble", "the restriction is none of the operator's");
  }
}

// The same of a sum, as a sum_by_kind, whose constrained rows are those of its first part.
template <class... Parts>
auto assemble(sum<Parts...> const& a)
{
  using scalar = typename sum<Parts...>::scalar_type;
  static_assert((detail::is_whole<typename Parts::halo_type> && ...),
                "sumfac::assemble: the sum is of a mesh in parts, of which no process has all rows");
  std::vector<csr_matrix<scalar>> parts;
  std::vector<scalar> scales;
  a.for_each([&](auto const& p) {
    parts.push_back(assemble(p.element_operator(), p.restriction()));
    scales.push_back(static_cast<scalar>(p.scale()));
  });
  auto const& r = a.restriction();
  std::vector<index_t> first(1, 0), columns;
  std::vector<scalar> values;
  std::vector<std::pair<index_t, scalar>> row;
  for (index_t i = 0; i < a.size(); ++i) {
    bool const is_constrained = r.table().constrained(r.node_of(i), r.component_of(i));
    row.clear();
    for (std::size_t k = 0; k < (is_constrained ? 1 : parts.size()); ++k)
      parts[k].for_each_of(i, [&](index_t column, scalar entry) {
        row.emplace_back(column, is_constrained ? entry : scales[k] * entry);
      });
    std::stable_sort(row.begin(), row.end(),
                     [](auto const& one, auto const& other) { return one.first < other.first; });
    for (auto const& [column, entry] : row) {
      bool const is_new = static_cast<index_t>(columns.size()) == first.back() || columns.back() != column;
      if (is_new) columns.push_back(column), values.push_back(0);
      values.back() += entry;
    }
    first.push_back(static_cast<index_t>(columns.size()));
  }
  return csr_matrix<scalar>(std::move(first), std::move(columns), std::move(values), detail::host_of(a.backend()));
}

}  // namespace sumfac
