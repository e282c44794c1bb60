// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrices of elements: which entries they have, what elements add to them, and C^T A C of lists of entries.
#pragma once

#include <sumfac/operator/detail/call_checks.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Rows with their columns, ascending, of a restriction's active elements, and the elements that meet in each node.
struct sparsity {
  template <class Restriction>
  sparsity(host const& threads, Restriction const& r)
      : first(static_cast<std::size_t>(r.size()) + 1, 0), meets(static_cast<std::size_t>(r.nodes()) + 1, 0)
  {
    list_elements(r);
    // Twice the same: columns are counted, then written.
    for (bool const writes : {false, true}) {
      threads.partition(r.size(), [&](index_t begin, index_t end) {
        own_vector<index_t> row;
        for (index_t i = begin; i < end; ++i) {
          list_columns(r, i, row);
          auto const k = static_cast<std::size_t>(i);
          if (!writes) first[k + 1] = static_cast<index_t>(row.size());
          for (std::size_t c = 0; writes && c < row.size(); ++c)
            columns[static_cast<std::size_t>(first[k]) + c] = row[c];
        }
      });
      if (writes) break;
      for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
      columns.resize(static_cast<std::size_t>(first.back()));
    }
  }

  // A place in elements: p is that of a node among an element's.
  struct place {
    index_t element, p;
  };

  std::vector<index_t> first, columns;
  own_vector<index_t> meets;  // of node n, elements[meets[n]] to elements[meets[n + 1] - 1] are its places
  own_vector<place> elements;

private:
  template <class Restriction>
  void list_elements(Restriction const& r)
  {
    auto const& table = r.table();
    for (index_t const e : r.active())
      for (index_t p = 0; p < table.nodes_of_element(); ++p) ++meets[std::size_t{table(e, p)} + 1];
    for (std::size_t n = 1; n < meets.size(); ++n) meets[n] += meets[n - 1];
    elements.resize(static_cast<std::size_t>(meets.back()));
    own_vector<index_t> next = meets;
    for (index_t const e : r.active())
      for (index_t p = 0; p < table.nodes_of_element(); ++p)
        elements[static_cast<std::size_t>(next[table(e, p)]++)] = {e, p};
  }

  template <class Restriction>
  void list_columns(Restriction const& r, index_t row, own_vector<index_t>& columns_of_row) const
  {
    columns_of_row.clear();
    auto const& table = r.table();
    index_t const node = r.node_of(row);
    if (table.constrained(node, r.component_of(row))) {
      if (!(r.options().rows == constrained_rows::zero)) columns_of_row.push_back(row);
      return;
    }
    auto const n = static_cast<std::size_t>(node);
    for (index_t m = meets[n]; m < meets[n + 1]; ++m) {
      index_t const e = elements[static_cast<std::size_t>(m)].element;
      for (index_t p = 0; p < table.nodes_of_element(); ++p)
        for (int c = 0; c < r.components(); ++c)
          if (!table.constrained(table(e, p), c)) columns_of_row.push_back(r.entry_of(table(e, p), c));
    }
    make_ascending(columns_of_row);
  }

  // Sorts by a heap, and leaves one of those that are the same.
  static void make_ascending(own_vector<index_t>& list)
  {
    std::size_t const count = list.size();
    for (std::size_t i = count / 2; i-- > 0;) sink(list, i, count);
    for (std::size_t end = count; end-- > 1;) {
      std::swap(list[0], list[end]);
      sink(list, 0, end);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (kept == 0 || list[kept - 1] != list[i]) list[kept++] = list[i];
    list.resize(kept);
  }
  static void sink(own_vector<index_t>& heap, std::size_t i, std::size_t end)
  {
    for (std::size_t child = 2 * i + 1; child < end; i = child, child = 2 * i + 1) {
      if (child + 1 < end && heap[child] < heap[child + 1]) ++child;
      if (heap[i] >= heap[child]) return;
      std::swap(heap[i], heap[child]);
    }
  }
};

// Adds all elements' matrices, a column of each at a time: what A makes of an E-vector with one entry an element.
// Threads share the rows, each of which is added up in the order of its elements.
template <class Operator, class Restriction, class Scalar>
void add_columns(host const& threads, Operator const& a, Restriction const& r, sparsity const& pattern, Scalar* values)
{
  auto const& table = r.table();
  int const nodes_1d = nodes_1d_of(a);
  index_t const nodes = node_box(nodes_1d, axes_of_operator<Operator>).all(), entries = Operator::components * nodes;
  auto const place = [&](index_t row, index_t column) -> Scalar* {
    auto const k = static_cast<std::size_t>(row);
    index_t begin = pattern.first[k], end = pattern.first[k + 1];
    while (begin < end) {
      index_t const middle = begin + (end - begin) / 2, there = pattern.columns[static_cast<std::size_t>(middle)];
      if (there == column) return values + middle;
      (there < column ? begin : end) = there < column ? middle + 1 : middle;
    }
    return nullptr;
  };
  own_vector<Scalar> u_data(static_cast<std::size_t>(a.elements() * entries), 0);
  auto v_data = make_memory<Scalar>(a.backend(), a.elements() * entries);
  auto const e_vector = [&](auto* data) {
    return e_vector_view<Operator::components, Operator::nodes_1d, axes_of_operator<Operator>>(data, a.elements(),
                                                                                               nodes_1d);
  };
  for (index_t column = 0; column < entries; ++column) {
    for (index_t e = 0; e < a.elements(); ++e) {
      u_data[static_cast<std::size_t>(e * entries + column)] = 1;
      if (column > 0) u_data[static_cast<std::size_t>(e * entries + column - 1)] = 0;
    }
    auto const u = upload<Scalar>(a.backend(), u_data);
    a.apply(e_vector(static_cast<Scalar const*>(u.data())), e_vector(v_data.data()));
    auto const v = download<Scalar>(a.backend(), v_data.data(), a.elements() * entries);
    threads.partition(r.size(), [&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) {
        auto const node = static_cast<std::size_t>(r.node_of(row));
        int const c = r.component_of(row);
        for (index_t m = pattern.meets[node]; m < pattern.meets[node + 1]; ++m) {
          auto const [e, p] = pattern.elements[static_cast<std::size_t>(m)];
          index_t const of = r.entry_of(table(e, column % nodes), static_cast<int>(column / nodes));
          bool const constrained = table.constrained(r.node_of(row), c);
          if (Scalar* const entry = constrained ? nullptr : place(row, of))
            *entry += v[static_cast<std::size_t>(e * entries + c * nodes + p)];
        }
      }
    });
  }
  if (!(r.options().rows == constrained_rows::zero))
    for (index_t row = 0; row < r.size(); ++row)
      if (table.constrained(r.node_of(row), r.component_of(row)))
        *place(row, row) = static_cast<Scalar>(r.options().rows.value);
}

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
