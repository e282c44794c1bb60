// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How sources at points are added to a global vector: by entry, in an order that the points fix.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/loop.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/error.hpp>
#include <sumfac/points/detail/point_kernels.hpp>
#include <sumfac/points/detail/point_list.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// **Shapes** work (S, C, n^D): what each segment of points has for the nodes of its element. entries: those of global
// vectors that some of it is for and that are not constrained, ascending; first (entries + 1), listed: which of it.
template <class Scalar, class Backend>
class source_lists {
public:
  // Without a list there are no sources.
  template <int Directions>
  source_lists(point_list<Scalar, Directions> const* list, restriction<Scalar, Backend> const& r)
      : backend_(r.backend())
  {
    if (list == nullptr) return;
    prepared_ = true;
    r.refuse_rows("evaluator",
                  "make it for sources with a restriction without, and give sources to the unknowns by "
                  "restriction::gather and scatter");
    own_vector<index_t> next(static_cast<std::size_t>(r.size() + 1), 0);
    for_each(*list, r, [&](index_t entry, index_t) { ++next[static_cast<std::size_t>(entry + 1)]; });
    own_vector<index_t> entries, first{0};
    for (std::size_t i = 1; i < next.size(); ++i) {
      index_t const count = next[i];
      next[i] = first.back();
      if (count == 0) continue;
      entries.push_back(static_cast<index_t>(i) - 1);
      first.push_back(first.back() + count);
    }
    own_vector<index_t> listed(static_cast<std::size_t>(first.back()));
    for_each(*list, r, [&](index_t entry, index_t place) {
      listed[static_cast<std::size_t>(next[static_cast<std::size_t>(entry + 1)]++)] = place;
    });
    entries_ = upload(backend_, entries), first_ = upload(backend_, first), listed_ = upload(backend_, listed);
    index_t const of_element = r.components() * r.table().nodes_of_element();
    work_ = make_memory<Scalar>(backend_, static_cast<index_t>(list->segments.size()) * of_element);
  }

  void refuse_unprepared(char const* where, index_t points) const
  {
    if (!prepared_)
      failf(where,
            "it was made without memory for sources (0 bytes, %lld points): say .sources = true among its "
            "options",
            static_cast<long long>(points));
  }

  Scalar* work(index_t place) const { return work_.data() + place; }

  void add(Scalar* y) const
  {
    add_listed_sources<Scalar> const body{entries_.data(), first_.data(), listed_.data(), work_.data(), y};
    if constexpr (runs_on_host<Backend>)
      backend_.partition(entries_.size(), [&](index_t begin, index_t end) {
        for (index_t i = begin; i < end; ++i) body(i);
      });
    else
      loop(backend_, entries_.size(), body);
  }

private:
  // Calls f(entry, place in work) for all nodes of all segments that are not constrained.
  template <class List, class Function>
  static void for_each(List const& list, restriction<Scalar, Backend> const& r, Function const& f)
  {
    auto const& table = r.table();
    index_t place = 0;
    for (point_segment const& segment : list.segments)
      for (int c = 0; c < table.components(); ++c)
        for (index_t p = 0; p < table.nodes_of_element(); ++p, ++place) {
          auto const node = static_cast<index_t>(table(segment.element, p));
          if (!table.constrained(node, c)) f(r.entry_of(node, c), place);
        }
  }

  Backend backend_;
  bool prepared_ = false;
  memory_of<index_t, Backend> entries_, first_, listed_;
  mutable memory_of<Scalar, Backend> work_;
};

}  // namespace sumfac::detail
