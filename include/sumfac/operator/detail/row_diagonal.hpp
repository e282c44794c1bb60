// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The diagonal of C^T A C, where restrictions have constraints whose rows have terms.
#pragma once

#include <sumfac/dofs/parts/part_cut.hpp>

#include <algorithm>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Of an element with sums, the unknowns that several of its places may read: the terms of its rows, columns of its C.
class element_columns {
public:
  // A place (component * nodes + node) that reads an unknown.
  struct entry {
    index_t place;
    double weight;
  };

  template <class Restriction>
  element_columns(Restriction const& r, index_t e) : element_(e)
  {
    auto const& table = r.table();
    index_t const nodes = table.nodes_of_element();
    for (index_t place = 0; place < nodes * table.components(); ++place) {
      auto const c = static_cast<int>(place / nodes);
      if (!has_terms(table, table(e, place % nodes), c)) continue;
      sums_.push_back(place);
      for (row_term const& t : table.row(table(e, place % nodes), c))
        unknowns_.push_back(r.entry_of(t.index, t.component));
    }
    std::sort(unknowns_.begin(), unknowns_.end());
    auto* const last = std::unique(unknowns_.begin(), unknowns_.end());
    unknowns_.resize(static_cast<std::size_t>(last - unknowns_.begin()));
  }

  std::size_t size() const { return unknowns_.size(); }
  index_t unknown(std::size_t i) const { return unknowns_[i]; }
  bool has(index_t unknown) const { return std::binary_search(unknowns_.begin(), unknowns_.end(), unknown); }
  // Calls f(entry) for all places that read an unknown.
  template <class Restriction, class Function>
  void for_each_of(Restriction const& r, index_t unknown, Function const& f) const
  {
    auto const& table = r.table();
    index_t const nodes = table.nodes_of_element(), node = r.node_of(unknown);
    int const component = r.component_of(unknown);
    for (index_t p = 0; p < nodes; ++p)
      if (static_cast<index_t>(table(element_, p)) == node) f(entry{component * nodes + p, 1});
    for (index_t const place : sums_) {
      double weight = 0;
      for (row_term const& t : table.row(table(element_, place % nodes), static_cast<int>(place / nodes)))
        if (t.index == node && t.component == component) weight += t.weight;
      if (weight != 0) f(entry{place, weight});
    }
  }

private:
  index_t element_;
  own_vector<index_t> sums_;      // places with rows that have terms
  own_vector<index_t> unknowns_;  // ascending
};

// Throws where an element has a node more than once.
template <class Restriction>
void refuse_repeated_nodes(char const* where, Restriction const& r)
{
  if (auto const twice = r.repeated_node(); twice.element >= 0)
    failf(where,
          "element %lld has node %lld more than once, so that the matrix has more on its diagonal than its elements "
          "have: solve without a preconditioner, or with sumfac::jacobi of what they have: diagonal(v) for an "
          "E-vector v, and restriction::scatter(v, d)",
          static_cast<long long>(twice.element), static_cast<long long>(twice.node));
}

// d = the diagonal, 0 to others at constrained entries as the restriction says: that of elements without sums by
// diagonal(restriction, d), and so that of unknowns that one place alone of an element with sums reads. An unknown that
// several read has c^T A c there, c being its column of C: by apply(restriction, x, y), one of each element at a time.
//
// **Work** an application to the elements with sums for each unknown that their rows have: (N + 1)^(D - 1) where a side
// hangs.
template <class Scalar, class Backend, class Diagonal, class Apply>
void row_diagonal(restriction<Scalar, Backend> const& r, view<Scalar, dextents<1>> const& d, Diagonal const& diagonal,
                  Apply const& apply)
{
  auto const& table = r.table();
  index_t const nodes = table.nodes_of_element(), places = nodes * table.components();
  own_vector<index_t> with, without;
  for (index_t const e : r.active()) {
    bool sums = false;
    for (index_t p = 0; p < nodes; ++p) sums = sums || has_terms(table, table(e, p));
    (sums ? with : without).push_back(e);
  }
  diagonal(r.with_elements(std::move(without)), d);
  if (with.empty()) return;
  auto const alone = r.apart(with);
  auto const entry = [&](std::size_t k, index_t place) {
    return static_cast<std::size_t>(
        alone.entry_of(static_cast<index_t>(k) * nodes + place % nodes, static_cast<int>(place / nodes)));
  };
  auto sums = download<Scalar>(r.backend(), d.data(), r.size());
  auto y = make_memory<Scalar>(r.backend(), alone.size());
  view<Scalar, dextents<1>> const products(y.data(), alone.size());
  diagonal(alone, products);
  auto const own = download<Scalar>(r.backend(), y.data(), alone.size());
  own_vector<element_columns> columns;
  std::size_t most = 0;
  for (std::size_t k = 0; k < with.size(); ++k) {
    columns.push_back(element_columns(r, with[k]));
    most = greater(most, columns.back().size());
    for (index_t place = 0; place < places; ++place) {
      index_t const node = table(with[k], place % nodes);
      auto const c = static_cast<int>(place / nodes);
      if (index_t const unknown = r.entry_of(node, c); !table.constrained(node, c) && !columns.back().has(unknown))
        sums[static_cast<std::size_t>(unknown)] += own[entry(k, place)];
    }
  }
  own_vector<Scalar> x(static_cast<std::size_t>(alone.size()), 0);
  for (std::size_t i = 0; i < most; ++i) {
    auto const each = [&](auto const& f) {
      for (std::size_t k = 0; k < with.size(); ++k)
        if (i < columns[k].size())
          columns[k].for_each_of(r, columns[k].unknown(i), [&](element_columns::entry const& of) {
            f(entry(k, of.place), of.weight, sums[static_cast<std::size_t>(columns[k].unknown(i))]);
          });
    };
    each([&](std::size_t at, double weight, Scalar&) { x[at] = static_cast<Scalar>(weight); });
    auto const add = [&](Scalar const* image) {
      each([&](std::size_t at, double weight, Scalar& sum) {
        sum += static_cast<Scalar>(weight) * image[at];
        x[at] = 0;
      });
    };
    if constexpr (runs_on_host<Backend>) {
      apply(alone, view<Scalar const, dextents<1>>(x.data(), alone.size()), products);
      add(y.data());
    } else {
      auto const u = upload<Scalar>(r.backend(), x);
      apply(alone, view<Scalar const, dextents<1>>(u.data(), alone.size()), products);
      add(download<Scalar>(r.backend(), y.data(), alone.size()).data());
    }
  }
  auto const whole = upload<Scalar>(r.backend(), sums);
  copy_entries(r.backend(), r.size(), whole.data(), d.data());
}

}  // namespace sumfac::detail
