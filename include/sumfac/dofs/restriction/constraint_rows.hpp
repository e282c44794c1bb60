// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The rows of constraints among the unknowns of a restriction: chains resolved, contradictions and cycles refused.
#pragma once

#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/dof_map.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Rows whose terms have no rows. An unknown's key is node * components + component.
class constraint_rows {
public:
  // Of a row, in order of keys: first those that are free, then those that are marked, which read as 0 in elements.
  struct resolved {
    index_t key = 0;
    own_vector<row_term> terms = {};
    std::size_t free = 0;
    double b = 0;
  };

  constraint_rows() = default;
  constraint_rows(constraints const& given, index_t nodes, int components) : nodes_(nodes), components_(components)
  {
    if (given.size() == 0) return;
    expand(given);
    drop_copies();
    row_of_.assign(static_cast<std::size_t>(nodes * components), none);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      row_of_[static_cast<std::size_t>(rows_[r].key)] = static_cast<std::uint32_t>(r);
    resolve();
  }

  bool empty() const { return rows_.empty(); }
  own_vector<resolved> const& all() const { return rows_; }
  // Whether a free unknown is a term.
  bool has_free_terms() const { return has_free_terms_; }
  // Of a key, null where there is none.
  resolved const* find(index_t key) const
  {
    if (empty() || row_of_[static_cast<std::size_t>(key)] == none) return nullptr;
    return &rows_[row_of_[static_cast<std::size_t>(key)]];
  }
  // Terms that are marked come last; a row with others is refused where its own unknown is marked.
  template <class Marked>
  void sort_by(Marked const& marked)
  {
    for (resolved& row : rows_) {
      auto const* const behind = std::stable_partition(row.terms.begin(), row.terms.end(),
                                                       [&](row_term const& t) { return !marked(key_of(t)); });
      row.free = static_cast<std::size_t>(behind - row.terms.begin());
      has_free_terms_ |= row.free > 0;
      if (row.free > 0 && marked(row.key))
        failf(here_,
              "node %lld, component %d, is marked and has a row with terms that are not (%lld of %lld, such as node "
              "%lld): mark these, too, or leave out the mark or the row",
              node_of(row.key), component_of(row.key), static_cast<long long>(row.free),
              static_cast<long long>(row.terms.size()), static_cast<long long>(row.terms[0].index));
    }
  }

private:
  static constexpr char const* here_ = "constraints";
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  // More than the rows of hanging nodes of any degree have.
  static constexpr std::size_t most_terms = 4096;

  long long node_of(index_t key) const { return static_cast<long long>(key / components_); }
  int component_of(index_t key) const { return static_cast<int>(key % components_); }
  index_t key_of(row_term const& t) const { return t.index * components_ + t.component; }
  // A row for each component.
  void expand(constraints const& given)
  {
    auto const check_unknown = [this](index_t of, char const* what, index_t node, int c) {
      if (node >= nodes_ || c >= components_)
        failf(here_,
              "%s of node %lld is out of range (got node %lld, component %d; there are %lld nodes of %d components)",
              what, static_cast<long long>(of), static_cast<long long>(node), c, static_cast<long long>(nodes_),
              components_);
    };
    for (index_t i = 0; i < given.size(); ++i) {
      auto const& of = given.row(i);
      check_unknown(of.node, "the row", of.node, of.component);
      int const first = of.component < 0 ? 0 : of.component, last = of.component < 0 ? components_ : of.component + 1;
      for (int c = first; c < last; ++c) {
        resolved made{of.node * components_ + c, {}, 0, of.b};
        for (auto const* t = given.begin(i); t != given.end(i); ++t) {
          check_unknown(of.node, "a term of the row", t->node, t->component);
          made.terms.push_back({t->node, t->component < 0 ? c : t->component, t->weight});
        }
        simplify(made.terms);
        rows_.push_back(std::move(made));
      }
    }
  }
  void drop_copies()
  {
    std::stable_sort(rows_.begin(), rows_.end(), [](resolved const& a, resolved const& b) { return a.key < b.key; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      resolved const &row = rows_[kept], &next = rows_[i];
      if (next.key != row.key) {
        if (++kept != i) rows_[kept] = std::move(rows_[i]);
        continue;
      }
      bool same = next.b == row.b && next.terms.size() == row.terms.size();
      for (std::size_t t = 0; same && t < row.terms.size(); ++t)
        same = key_of(next.terms[t]) == key_of(row.terms[t]) && next.terms[t].weight == row.terms[t].weight;
      if (!same)
        failf(
            here_,
            "node %lld, component %d, has two rows that differ (%lld terms and %g, %lld terms and %g): an unknown has "
            "one equation; where another one holds too, solve it for another unknown",
            node_of(row.key), component_of(row.key), static_cast<long long>(row.terms.size()), row.b,
            static_cast<long long>(next.terms.size()), next.b);
    }
    rows_.resize(kept + 1);
  }
  // Sorted, without zeros, each unknown once.
  void simplify(own_vector<row_term>& terms) const
  {
    std::stable_sort(terms.begin(), terms.end(),
                     [this](row_term const& a, row_term const& b) { return key_of(a) < key_of(b); });
    own_vector<row_term> kept;
    for (row_term const& t : terms)
      if (!kept.empty() && key_of(kept.back()) == key_of(t))
        kept.back().weight += t.weight;
      else
        kept.push_back(t);
    terms.clear();
    for (row_term const& t : kept)
      if (t.weight != 0) terms.push_back(t);
  }
  // Each row when those of its terms are resolved.
  void resolve()
  {
    std::size_t const count = rows_.size();
    own_vector<index_t> waits(count, 0);  // for so many rows; -1 of those that are resolved
    own_vector<own_vector<std::uint32_t>> waiting(count);
    for (std::size_t r = 0; r < count; ++r)
      for (row_term const& t : rows_[r].terms)
        if (auto const of = row_of_[static_cast<std::size_t>(key_of(t))]; of != none)
          ++waits[r], waiting[of].push_back(static_cast<std::uint32_t>(r));
    own_vector<std::uint32_t> ready;
    for (std::size_t r = 0; r < count; ++r)
      if (waits[r] == 0) ready.push_back(static_cast<std::uint32_t>(r));
    for (std::size_t done = 0; done < ready.size(); ++done) {
      std::uint32_t const r = ready[done];
      resolve(rows_[r]);
      waits[r] = -1;
      for (std::uint32_t const next : waiting[r])
        if (--waits[next] == 0) ready.push_back(next);
    }
    if (ready.size() < count) refuse_cycle(waits);
  }
  void resolve(resolved& row) const
  {
    own_vector<row_term> terms;
    for (row_term const& t : row.terms)
      if (resolved const* const of = find(key_of(t)); of == nullptr) {
        terms.push_back(t);
      } else {
        for (row_term const& inner : of->terms)
          terms.push_back({inner.index, inner.component, t.weight * inner.weight});
        row.b += t.weight * of->b;
      }
    simplify(terms);
    if (terms.size() > most_terms)
      failf(here_,
            "the row of node %lld, component %d, has too many terms (%lld, at most %lld expected): each element at the "
            "node would read them all; a mean value is no row: leave the unknown free, and give solvers the constant "
            "functions as a null_space",
            node_of(row.key), component_of(row.key), static_cast<long long>(terms.size()),
            static_cast<long long>(most_terms));
    row.terms = std::move(terms);
    row.free = row.terms.size();
  }
  [[noreturn, gnu::cold]] void refuse_cycle(own_vector<index_t> const& waits) const
  {
    auto const next_of = [&](std::size_t r) {
      for (row_term const& t : rows_[r].terms)
        if (auto const of = row_of_[static_cast<std::size_t>(key_of(t))]; of != none && waits[of] > 0)
          return static_cast<std::size_t>(of);
      return r;
    };
    std::size_t at = 0;
    while (waits[at] <= 0) ++at;
    // After as many steps as there are rows this is one of the cycle.
    for (std::size_t step = 0; step < rows_.size(); ++step) at = next_of(at);
    index_t length = 1;
    for (std::size_t r = next_of(at); r != at; r = next_of(r)) ++length;
    failf(here_,
          "the row of node %lld, component %d, leads back to itself (over %lld rows, the next one of node %lld, "
          "component %d): solve the equations for unknowns that are in none of the others",
          node_of(rows_[at].key), component_of(rows_[at].key), static_cast<long long>(length),
          node_of(rows_[next_of(at)].key), component_of(rows_[next_of(at)].key));
  }

  index_t nodes_ = 0;
  int components_ = 1;
  bool has_free_terms_ = false;
  own_vector<resolved> rows_;         // by key
  own_vector<std::uint32_t> row_of_;  // (nodes, C), or empty
};

}  // namespace sumfac::detail
