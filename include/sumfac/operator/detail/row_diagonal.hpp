// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The diagonal of C^T A C, where restrictions have constraints whose rows have terms.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/dofs/parts/part_cut.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/view/view.hpp>

#include <algorithm>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Which unknowns the places of an element are sums of: its rows of C.
class element_rows {
public:
  struct entry {
    index_t unknown;  // of the global vector
    index_t place;    // component * nodes + node
    double weight;
  };

  template <class Restriction>
  void set(Restriction const& r, index_t e)
  {
    auto const& table = r.table();
    index_t const nodes = table.nodes_of_element();
    by_place_.clear(), first_.assign(1, 0);
    for (index_t place = 0; place < nodes * table.components(); ++place) {
      index_t const node = table(e, place % nodes);
      auto const c = static_cast<int>(place / nodes);
      if (!table.constrained(node, c)) by_place_.push_back({r.entry_of(node, c), place, 1});
      for (row_term const& t : table.row(node, c))
        by_place_.push_back({r.entry_of(t.index, t.component), place, t.weight});
      first_.push_back(static_cast<index_t>(by_place_.size()));
    }
    by_unknown_ = by_place_;
    std::stable_sort(by_unknown_.begin(), by_unknown_.end(),
                     [](entry const& a, entry const& b) { return a.unknown < b.unknown; });
  }

  // Adds to d what column `place` of the element's matrix has for the diagonal of C^T A C.
  template <class Scalar>
  void add(index_t place, Scalar const* column, Scalar* d) const
  {
    auto const p = static_cast<std::size_t>(place);
    for (index_t i = first_[p]; i < first_[p + 1]; ++i) {
      entry const& of = by_place_[static_cast<std::size_t>(i)];
      auto const* at = std::lower_bound(by_unknown_.begin(), by_unknown_.end(), of.unknown,
                                        [](entry const& a, index_t unknown) { return a.unknown < unknown; });
      double sum = 0;
      for (; at != by_unknown_.end() && at->unknown == of.unknown; ++at)
        sum += at->weight * static_cast<double>(column[at->place]);
      d[of.unknown] += static_cast<Scalar>(of.weight * sum);
    }
  }

private:
  own_vector<entry> by_place_, by_unknown_;
  own_vector<index_t> first_;
};

// d = the diagonal, 0 to others at constrained entries as the restriction says: that of elements without sums by
// diagonal(restriction, d), and column by column of their matrices that of the others, by apply(restriction, x, y).
//
// **Work** an application to the elements with sums for each of their entries.
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
  auto const count = static_cast<index_t>(with.size());
  if (count == 0) return;
  auto const alone = r.apart(with);
  auto sums = download<Scalar>(r.backend(), d.data(), r.size());
  own_vector<Scalar> x(static_cast<std::size_t>(count * places), 0);
  auto y = make_memory<Scalar>(r.backend(), count * places);
  own_vector<Scalar> column(static_cast<std::size_t>(places));
  element_rows rows;
  for (index_t place = 0; place < places; ++place) {
    auto const entry = [&](index_t k, index_t at) {
      return static_cast<std::size_t>(alone.entry_of(k * nodes + at % nodes, static_cast<int>(at / nodes)));
    };
    for (index_t k = 0; k < count; ++k) x[entry(k, place)] = 1;
    auto const u = upload<Scalar>(r.backend(), x);
    for (index_t k = 0; k < count; ++k) x[entry(k, place)] = 0;
    apply(alone, view<Scalar const, dextents<1>>(u.data(), alone.size()),
          view<Scalar, dextents<1>>(y.data(), alone.size()));
    auto const columns = download<Scalar>(r.backend(), y.data(), alone.size());
    for (index_t k = 0; k < count; ++k) {
      for (index_t at = 0; at < places; ++at) column[static_cast<std::size_t>(at)] = columns[entry(k, at)];
      rows.set(r, with[static_cast<std::size_t>(k)]);
      rows.add(place, column.data(), sums.data());
    }
  }
  auto const whole = upload<Scalar>(r.backend(), sums);
  copy_entries(r.backend(), r.size(), whole.data(), d.data());
}

}  // namespace sumfac::detail
