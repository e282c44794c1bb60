// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrices from lists of entries: C^T A C, where restrictions have constraints whose rows have terms.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

template <class Scalar>
struct matrix_entry {
  index_t row, column;
  Scalar value;
};

// A csr_matrix whose entries are the sums of those listed, in their order; the list is sorted.
template <class Matrix, class List>
Matrix csr_of_entries(index_t rows, List& list, host const& threads)
{
  std::stable_sort(list.begin(), list.end(), [](auto const& one, auto const& other) {
    return one.row != other.row ? one.row < other.row : one.column < other.column;
  });
  std::vector<index_t> first(static_cast<std::size_t>(rows) + 1, 0), columns;
  std::vector<typename Matrix::scalar_type> values;
  for (std::size_t i = 0; i < list.size(); ++i) {
    bool const is_new = i == 0 || list[i].row != list[i - 1].row || list[i].column != list[i - 1].column;
    if (is_new) columns.push_back(list[i].column), values.push_back(0);
    if (is_new) ++first[static_cast<std::size_t>(list[i].row) + 1];
    values.back() += list[i].value;
  }
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  return {std::move(first), std::move(columns), std::move(values), threads};
}

// The same matrix with C^T and C around it, and a restriction's numbers in constrained rows.
template <class Matrix, class Restriction>
Matrix constrained_matrix(Matrix const& a, Restriction const& r)
{
  using scalar = typename Matrix::scalar_type;
  auto const& table = r.table();
  // What an unknown is the sum of.
  auto const terms_of = [&](index_t i, own_vector<std::pair<index_t, double>>& terms) {
    index_t const node = r.node_of(i);
    int const c = r.component_of(i);
    terms.clear();
    if (!table.constrained(node, c)) terms.push_back({i, 1});
    for (row_term const& t : table.row(node, c)) terms.push_back({r.entry_of(t.index, t.component), t.weight});
  };
  own_vector<matrix_entry<scalar>> entries;
  own_vector<std::pair<index_t, double>> rows, columns;
  for (index_t i = 0; i < a.size(); ++i) {
    terms_of(i, rows);
    a.for_each_of(i, [&](index_t column, scalar value) {
      terms_of(column, columns);
      for (auto const& [to, of_row] : rows)
        for (auto const& [from, of_column] : columns)
          entries.push_back({to, from, static_cast<scalar>(of_row * static_cast<double>(value) * of_column)});
    });
    bool const fixed = table.constrained(r.node_of(i), r.component_of(i));
    if (fixed && !(r.options().rows == constrained_rows::zero))
      entries.push_back({i, i, static_cast<scalar>(r.options().rows.value)});
  }
  return csr_of_entries<Matrix>(a.size(), entries, a.backend());
}

}  // namespace sumfac::detail
