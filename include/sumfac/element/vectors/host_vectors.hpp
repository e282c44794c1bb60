// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a host team reads u and writes v, E-vectors: a group of elements becomes packs, a lane for each element.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/vectors/element_vector.hpp>
#include <sumfac/dofs/vectors/lane_transfer.hpp>
#include <sumfac/element/vectors/footprint.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/pack.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// Packs in an E-vector's own order: (c, k, j, i), i fastest; or, with row_step 0, one row for all j.
template <class Pack, class Side>
struct pack_cube {
  static constexpr int n = Side::nodes_1d, plane = n * Side::nodes_y;

  Pack* packs;
  int row_step = n;
  SUMFAC_INLINE Pack& operator()(int c, int k, int j, int i) const
  {
    return packs[(c * Side::nodes_z + k) * plane + j * row_step + i];
  }
};

// u and v of the elements of one group on the host.
//
// A vector interleaved by the pack's width and aligned to it is used where it lies. Any other is transposed into
// scratch on the way in and out. In memory, v is written past the caches. Lanes behind the last element compute with a
// copy of it, not with what lies there.
template <class Problem>
struct host_vectors {
  using number = typename Problem::number;
  static constexpr int width = native_width<number>, entries = Problem::trial_side::entries_of_element;
  using test = typename Problem::test_side;
  static constexpr int components = Problem::components, test_entries = test::entries_of_element;
  static constexpr node_box box{Problem::nodes_1d, Problem::directions};
  static constexpr node_box test_box{test::nodes_1d, Problem::directions};
  using packed = pack<number, width>;

  element_vector<number const> u;
  element_vector<number> v;
  footprint size = footprint::in_caches;

  template <class Team>
  struct scratch {
    typename Team::template shared<packed, greater(entries, test_entries)> nodal;  // u or v of the group
    typename Team::template shared<packed, test_entries> rows;  // v in row order, on its way to memory
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    if (in_place(u, components, box) && (group + 1) * width <= u.elements)
      return pack_cube<packed const, typename Problem::trial_side>{packs(u.data) + group * entries};
    lane_transfer<number const, width>(u, group * width, components, box).gather(s.nodal.entries);
    return pack_cube<packed const, typename Problem::trial_side>{s.nodal.entries};
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t group) const
  {
    if (!writes_in_place()) return pack_cube<packed, test>{s.nodal.entries};
    // What is streamed leaves row by row: the rows of all j take turns in the same few lines of cache.
    return streaming() ? pack_cube<packed, test>{s.nodal.entries, 0}
                       : pack_cube<packed, test>{packs(v.data) + group * test_entries};
  }

  // Row (c, k, j) of the result is complete: where v is streamed it goes to memory now, beside the work on the next.
  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>& s, index_t group, int c, int k, int j) const
  {
    if (!streaming() || !writes_in_place()) return;
    constexpr int n = test::nodes_1d, ny = test::nodes_y, nz = test::nodes_z;
    number* const to = v.data + (group * test_entries + ((c * nz + k) * ny + j) * n) * width;
    SUMFAC_UNROLL
    for (int i = 0; i < n; ++i) stream(s.nodal.entries[(c * nz + k) * ny * n + i], to + i * width);
  }

  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>& s, index_t group) const
  {
    if (!writes_in_place())
      lane_transfer<number, width>(v, group * width, test::components, test_box)
          .scatter(s.nodal.entries, s.rows.entries, streaming());
  }

  static constexpr bool gathers = false;

  // The u of the next group.
  static constexpr int prefetch_lines = static_cast<int>(entries * sizeof(packed) / 64);
  SUMFAC_INLINE char const* prefetch_from(index_t group) const
  {
    if (size == footprint::in_caches) return nullptr;
    return reinterpret_cast<char const*>(u.data + (group + 1) * width * entries);
  }

private:
  bool writes_in_place() const { return in_place(v, test::components, test_box); }
  bool streaming() const { return size == footprint::in_memory; }
  static packed const* packs(number const* p) { return reinterpret_cast<packed const*>(p); }
  static packed* packs(number* p) { return reinterpret_cast<packed*>(p); }

  template <class T>
  static bool in_place(element_vector<T> const& x, int components_of_x, node_box const& nodes)
  {
    return x.width == width && x.in_rows(components_of_x, nodes, width) &&
           reinterpret_cast<std::uintptr_t>(x.data) % alignof(packed) == 0;
  }
};

}  // namespace sumfac::detail
