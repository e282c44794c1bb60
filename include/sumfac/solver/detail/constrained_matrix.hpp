// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The matrix C^T A C from that of all unknowns, where restrictions have constraints whose rows have terms.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// The same matrix with C^T and C around it, and a restriction's numbers in constrained rows.
template <class Matrix, class Restriction>
Matrix constrained_matrix(Matrix const& a, Restriction const& r)
{
  using scalar = typename Matrix::scalar_type;
  struct entry {
    index_t row, column;
    scalar value;
  };
  auto const& table = r.table();
  // What an unknown is the sum of.
  auto const terms_of = [&](index_t i, own_vector<std::pair<index_t, double>>& terms) {
    index_t const node = r.node_of(i);
    int const c = r.component_of(i);
    terms.clear();
    if (!table.constrained(node, c)) terms.push_back({i, 1});
    for (row_term const& t : table.row(node, c)) terms.push_back({r.entry_of(t.index, t.component), t.weight});
  };
  own_vector<entry> entries;
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
  std::stable_sort(entries.begin(), entries.end(), [](entry const& one, entry const& other) {
    return one.row != other.row ? one.row < other.row : one.column < other.column;
  });
  std::vector<index_t> first(static_cast<std::size_t>(a.size()) + 1, 0), of_entries;
  std::vector<scalar> values;
  entry const* before = nullptr;
  for (entry const& next : entries) {
    if (before != nullptr && before->row == next.row && before->column == next.column) {
      values.back() += next.value;
    } else {
      of_entries.push_back(next.column), values.push_back(next.value);
      ++first[static_cast<std::size_t>(next.row) + 1];
    }
    before = &next;
  }
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  return {std::move(first), std::move(of_entries), std::move(values), a.backend()};
}

}  // namespace sumfac::detail
