// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the rows of constraints make of a vector at their unknowns, in the memory of a backend.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/loop.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/constraint_rows.hpp>
#include <sumfac/dofs/restriction/device_kernels.hpp>
#include <sumfac/dofs/restriction/options.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// Entries of a vector and their terms, in lists.
template <class Scalar>
struct row_lists {
  own_vector<index_t> entries = {}, begin = {0}, terms = {};
  own_vector<Scalar> weights = {}, values = {};

  void add_term(index_t entry, double weight)
  {
    terms.push_back(entry);
    weights.push_back(static_cast<Scalar>(weight));
  }
  // Behind its terms.
  void add_row(index_t entry, double value = 0)
  {
    entries.push_back(entry);
    values.push_back(static_cast<Scalar>(value));
    begin.push_back(static_cast<index_t>(terms.size()));
  }
  // The same by the entries of terms, of which there are `size`, of each in the order of rows.
  row_lists transposed(index_t size) const
  {
    struct term {
      index_t entry, row;
      Scalar weight;
    };
    own_vector<index_t> count(static_cast<std::size_t>(size + 1), 0);
    for (index_t const entry : terms) ++count[static_cast<std::size_t>(entry + 1)];
    for (std::size_t i = 1; i < count.size(); ++i) count[i] += count[i - 1];
    own_vector<term> sorted(terms.size());
    for (std::size_t r = 0; r < entries.size(); ++r)
      for (auto t = static_cast<std::size_t>(begin[r]); t < static_cast<std::size_t>(begin[r + 1]); ++t)
        sorted[static_cast<std::size_t>(count[static_cast<std::size_t>(terms[t])]++)] = {terms[t], entries[r],
                                                                                         weights[t]};
    row_lists made;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      made.terms.push_back(sorted[i].row);
      made.weights.push_back(sorted[i].weight);
      if (i + 1 == sorted.size() || sorted[i + 1].entry != sorted[i].entry) made.add_row(sorted[i].entry);
    }
    return made;
  }
};

template <class Scalar, class Backend>
class row_values {
public:
  row_values() = default;
  row_values(Backend const& backend, row_lists<Scalar> const& lists)
      : entries_(upload(backend, lists.entries)),
        begin_(upload(backend, lists.begin)),
        terms_(upload(backend, lists.terms)),
        weights_(upload(backend, lists.weights)),
        values_(upload(backend, lists.values))
  {
  }
  row_values(Backend const& backend, constraint_rows const& rows, entry_order const& order)
  {
    if (rows.empty()) return;
    row_lists<Scalar> lists;
    for (auto const& row : rows.all()) {
      for (row_term const& t : row.terms) lists.add_term(order.entry(t.index, t.component), t.weight);
      lists.add_row(order.entry(row.key / order.components, static_cast<int>(row.key % order.components)), row.b);
    }
    *this = row_values(backend, lists);
  }

  index_t size() const { return entries_.size(); }
  index_t const* entries() const { return entries_.data(); }
  // x at the rows' unknowns; no term is one. Or from and to another vector, or added to that.
  void set(Backend const& backend, Scalar* x) const { run(backend, x, x, false); }
  void set(Backend const& backend, Scalar const* from, Scalar* to) const { run(backend, from, to, false); }
  void add(Backend const& backend, Scalar const* from, Scalar* to) const { run(backend, from, to, true); }

private:
  void run(Backend const& backend, Scalar const* from, Scalar* to, bool adds) const
  {
    loop(backend, size(),
         set_row<Scalar>{entries_.data(), begin_.data(), terms_.data(), weights_.data(), values_.data(), from, to,
                         adds});
  }

  memory_of<index_t, Backend> entries_, begin_, terms_;
  memory_of<Scalar, Backend> weights_, values_;
};

}  // namespace sumfac::detail
