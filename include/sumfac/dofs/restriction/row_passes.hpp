// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Constraint rows around kernels that know none, on devices and `checked`: what they make of a vector.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/dofs/dof_map.hpp>
#include <sumfac/dofs/restriction/constraint_rows.hpp>
#include <sumfac/dofs/restriction/device_kernels.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/dofs/restriction/storage.hpp>

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

// A map in which unknowns that are sums of others are free.
template <dof_map Map>
class sums_as_free {
public:
  static constexpr dof_extras extras{.signs = Map::extras.signs};

  explicit sums_as_free(Map const& map) : map_(&map) {}

  index_t elements() const { return map_->elements(); }
  index_t nodes() const { return map_->nodes(); }
  int components() const { return map_->components(); }
  node_box box() const { return map_->box(); }
  auto operator()(index_t e, index_t p) const { return (*map_)(e, p); }
  auto element(index_t e) const { return map_->element(e); }
  bool minus(index_t e, index_t p) const
    requires(Map::extras.signs)
  {
    return map_->minus(e, p);
  }
  bool has_marks() const { return map_->has_marks(); }
  bool partly_constrained() const { return map_->partly_constrained(); }
  bool constrained(index_t i, int c) const { return map_->constrained(i, c) && !has_terms(*map_, i, c); }

private:
  Map const* map_;
};

// A map by masks: elements have the indices that they read, and of rows those are left that one of them reads. The
// others are constrained, by nothing else.
template <dof_map Map>
class masked_reads {
public:
  static constexpr dof_extras extras{.signs = Map::extras.signs, .rows = Map::extras.rows};

  masked_reads(Map const& map, own_vector<index_t> const& active)
      : map_(&map), is_read_(static_cast<std::size_t>(map.nodes()), false)
  {
    index_t const size = map.box().all();
    for (index_t const e : active)
      for (index_t p = 0; p < size; ++p) {
        auto const i = static_cast<index_t>(element(e)[p]);
        is_read_[static_cast<std::size_t>(i)] = true;
        has_rows_ = has_rows_ || has_terms(map, i);
      }
  }

  index_t elements() const { return map_->elements(); }
  index_t nodes() const { return map_->nodes(); }
  int components() const { return map_->components(); }
  node_box box() const { return map_->box(); }
  auto operator()(index_t e, index_t p) const { return element(e)[p]; }
  auto element(index_t e) const { return read_indices(*map_, e); }
  bool minus(index_t e, index_t p) const
    requires(Map::extras.signs)
  {
    return map_->minus(e, p);
  }
  bool has_marks() const { return map_->has_marks(); }
  bool partly_constrained() const { return map_->partly_constrained(); }
  bool constrained(index_t i, int c) const { return map_->constrained(i, c); }
  bool has_rows() const { return has_rows_; }
  auto row(index_t i, int c) const
  {
    auto terms = map_->row(i, c);
    return is_read_[static_cast<std::size_t>(i)] ? terms : decltype(terms){};
  }

private:
  Map const* map_;
  own_vector<bool> is_read_;
  bool has_rows_ = false;
};

// Kernels read unknowns of rows, and add to them, as if these were free: they read a copy of x which has at each the
// sum of its terms; and what they leave there in y is added to the terms afterwards, term by term in the order of rows.
//
// **Work** a copy of x, and three launches, by mode `add` four, over rows and their terms alone. Nothing without rows.
template <class Scalar, class Backend>
class row_passes {
public:
  row_passes() = default;
  template <dof_map Map>
  row_passes(Backend const& backend, Map const& map, entry_order const& order) : size_(order.size())
  {
    if constexpr (Map::extras.rows)
      if (map.has_rows()) set_up(backend, map, order);
  }

  bool empty() const { return rows_.size() == 0; }

  // What kernels read in place of x, until the next call.
  Scalar const* read(Backend const& backend, Scalar const* x) const
  {
    if (empty() || x == nullptr) return x;
    loop(backend, size_, copy_body<Scalar>{x, copy_.data()});
    rows_.set(backend, x, copy_.data());
    return copy_.data();
  }
  // Before elements add to y, and behind.
  void begin(Backend const& backend, Scalar* y, sweep_mode mode) const
  {
    if (mode == sweep_mode::add) loop(backend, rows_.size(), keep_row<Scalar>{rows_.entries(), before_.data(), y});
  }
  void finish(Backend const& backend, Scalar const* x, Scalar* y, sweep_mode mode, row_action action,
              constrained_rows const& rows) const
  {
    if (empty()) return;
    terms_.add(backend, y, y);
    loop(backend, rows_.size(),
         finish_row<Scalar>{rows_.entries(), mode == sweep_mode::add ? before_.data() : nullptr,
                            action == row_action::copy ? x : nullptr, static_cast<Scalar>(rows.value), y});
  }

private:
  template <class Map>
  void set_up(Backend const& backend, Map const& map, entry_order const& order)
  {
    row_lists<Scalar> of_rows;
    for (index_t i = 0; i < map.nodes(); ++i)
      for (int c = 0; c < map.components(); ++c) {
        if (!has_terms(map, i, c)) continue;
        for (row_term const& t : map.row(i, c)) of_rows.add_term(order.entry(t.index, t.component), t.weight);
        of_rows.add_row(order.entry(i, c));
      }
    rows_ = {backend, of_rows};
    terms_ = {backend, of_rows.transposed(order.size())};
    copy_ = make_memory<Scalar>(backend, order.size());
    before_ = make_memory<Scalar>(backend, rows_.size());
  }

  index_t size_ = 0;
  row_values<Scalar, Backend> rows_, terms_;
  mutable memory_of<Scalar, Backend> copy_, before_;  // work memory
};

}  // namespace sumfac::detail
