// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a host team reads and writes E-vectors whose entries are of another type than it computes in.
#pragma once

#include <sumfac/dofs/vectors/element_vector.hpp>
#include <sumfac/dofs/vectors/lane_transfer.hpp>
#include <sumfac/element/vectors/footprint.hpp>
#include <sumfac/element/vectors/host_vectors.hpp>
#include <sumfac/element/vectors/mixed_rows.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// u and v of the elements of one group.
//
// A vector interleaved by the pack's width is converted pack by pack. Any other is transposed in its own type, through
// `rows`.
template <class Problem>
struct mixed_vectors {
  using mixed = mixed_rows<Problem, native_width<typename Problem::number>>;
  using vector_number = typename Problem::vector_number;
  using test = typename Problem::test_side;
  static constexpr int width = mixed::width, entries = mixed::of_trial, test_entries = mixed::of_test;
  static constexpr int components = Problem::components, test_components = test::components;
  static constexpr node_box box{Problem::nodes_1d, Problem::directions};
  static constexpr node_box test_box{test::nodes_1d, Problem::directions};

  element_vector<vector_number const> u;
  element_vector<vector_number> v;
  footprint size = footprint::in_caches;

  template <class Team>
  using scratch = typename mixed::template scratch<Team>;

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    vector_number const* from = u.data + group * entries * width;
    if (!in_place(u, components, box) || (group + 1) * width > u.elements) {
      lane_transfer<vector_number const, width>(u, group * width, components, box).gather(s.rows.entries);
      from = reinterpret_cast<vector_number const*>(s.rows.entries);
    }
    mixed::load(s, from, 0);
    return pack_cube<typename mixed::packed const, typename Problem::trial_side>{s.nodal.entries};
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t) const
  {
    return pack_cube<typename mixed::packed, test>{s.nodal.entries};
  }

  // Row (c, k, j) of the result is complete.
  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>& s, index_t group, int c, int k, int j) const
  {
    if (!in_place(v, test_components, test_box)) return;
    constexpr int n = test_box.x;
    int const first = ((c * test_box.z + k) * test_box.y + j) * n;
    vector_number* const to = v.data + (group * test_entries + first) * width;
    SUMFAC_UNROLL
    for (int i = 0; i < n; ++i) store_as(s.nodal.entries[first + i], to + i * width);
  }

  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>& s, index_t group) const
  {
    if (in_place(v, test_components, test_box)) return;
    mixed::store(s, reinterpret_cast<vector_number*>(s.rows.entries), 0);
    lane_transfer<vector_number, width>(v, group * width, test_components, test_box)
        .scatter(s.rows.entries, nullptr, false);
  }

  static constexpr bool gathers = false;

  // The u of the next group.
  static constexpr int prefetch_lines = static_cast<int>(entries * sizeof(typename mixed::row_pack) / 64);
  SUMFAC_INLINE char const* prefetch_from(index_t group) const
  {
    if (size == footprint::in_caches) return nullptr;
    return reinterpret_cast<char const*>(u.data + (group + 1) * width * entries);
  }

private:
  template <class T>
  static bool in_place(element_vector<T> const& x, int components_of_x, node_box const& nodes)
  {
    // A last group that is not full has its room all the same: the layout rounds up to whole groups.
    return x.width == width && x.in_rows(components_of_x, nodes, width);
  }
};

}  // namespace sumfac::detail
