// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a host team reads u and writes v, E-vectors: a group of elements becomes packs, a lane for each element; also
// where terms within elements and on their sides are one sweep.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/vectors/lane_transfer.hpp>
#include <sumfac/element/vectors/footprint.hpp>
#include <sumfac/element/vectors/group_rows.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// u and v of the elements of one group on the host.
//
// A vector interleaved by the pack's width, and aligned to it, is used where it lies; of other numbers than the kernel
// computes in it is converted pack by pack. Any other is transposed in its own numbers on the way in and out. In
// memory, v is written past the caches. Lanes behind the last element compute with a copy of it, not with what lies
// there.
template <class Problem>
struct host_vectors {
  using group_type = group_rows<Problem, native_width<typename Problem::number>>;
  using number = typename Problem::vector_number;
  using trial = typename Problem::trial_side;
  using test = typename Problem::test_side;
  using packed = typename group_type::packed;
  using row_pack = typename group_type::row_pack;
  static constexpr int width = group_type::width, entries = group_type::of_trial, test_entries = group_type::of_test;

  element_vector<number const> u;
  element_vector<number> v;
  footprint size = footprint::in_caches;

  template <class Team>
  struct scratch : group_type::template scratch<Team> {
    array_of<Team, row_pack, group_type::mixed ? 1 : test_entries> rows;  // v, on its way past the caches
  };
  template <class Scratch, class Function>
  static void each_array(Scratch& s, typename Problem::sizes_type const& sizes, Function const& f)
  {
    group_type::each_array(s, sizes, f);
    if constexpr (!group_type::mixed) f(s.rows, group_type::entries_of(s, test_entries, test::components));
  }

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    row_pack const* from = rows_at(u.data, group, group_type::entries_of(s, entries, trial::components));
    node_box const box = box_of<trial>(s);
    if (!in_place(u, trial::components, box) || (group + 1) * width > u.elements) {
      lane_transfer<number const, width>(u, group * width, trial::components, box).gather(group_type::rows(s));
      from = group_type::rows(s);
    }
    return pack_cube<packed const, trial>{group_type::load(s, from, 0), box.x};
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t group) const
  {
    node_box const box = box_of<test>(s);
    if constexpr (!group_type::mixed)
      if (writes_in_place(box) && !streaming())
        return pack_cube<packed, test>{
            rows_at(v.data, group, group_type::entries_of(s, test_entries, test::components)), box.x};
    // What leaves row by row: the rows of all j take turns in the same few lines of cache.
    return pack_cube<packed, test>{s.nodal.entries, writes_in_place(box) && !Problem::at_run_time ? 0 : box.x};
  }

  // Row (c, k, j) of the result is complete: where v is streamed, or converted, it goes to memory now, beside the work
  // on the next.
  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>& s, index_t group, int c, int k, int j) const
  {
    node_box const box = box_of<test>(s);
    if (!(group_type::mixed || streaming()) || !writes_in_place(box)) return;
    int const n = box.x, of_element = group_type::entries_of(s, test_entries, test::components);
    packed const* const row = s.nodal.entries + (c * box.z + k) * box.y * n;
    number* const to = v.data + (group * of_element + ((c * box.z + k) * box.y + j) * n) * width;
    auto const put = [&](int i) SUMFAC_LAMBDA {
      if constexpr (group_type::mixed)
        store_as(row[i], to + i * width);
      else
        stream(row[i], to + i * width);
    };
    if constexpr (Problem::at_run_time) {
      for (int i = 0; i < n; ++i) put(i);
    } else {
      SUMFAC_UNROLL
      for (int i = 0; i < test::nodes_1d; ++i) put(i);
    }
  }

  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>& s, index_t group) const
  {
    if (node_box const box = box_of<test>(s); !writes_in_place(box))
      lane_transfer<number, width>(v, group * width, test::components, box)
          .scatter(group_type::store(s, 0), s.rows.entries, !group_type::mixed && streaming());
  }

  static constexpr bool gathers = false;

  // The u of the next group.
  static constexpr int prefetch_lines = static_cast<int>(entries * sizeof(row_pack) / 64);
  SUMFAC_INLINE char const* prefetch_from(index_t group) const
  {
    if (size == footprint::in_caches) return nullptr;
    return reinterpret_cast<char const*>(u.data + (group + 1) * width * entries);
  }

protected:
  bool streaming() const { return size == footprint::in_memory; }

private:
  bool writes_in_place(node_box const& box) const { return in_place(v, test::components, box); }
  template <class Side, class Scratch>
  SUMFAC_INLINE static constexpr node_box box_of(Scratch const& s)
  {
    return {known_or(Side::nodes_1d, s.sizes.functions), Problem::axes};
  }
  static row_pack const* rows_at(number const* first, index_t group, int entries_of_element)
  {
    return reinterpret_cast<row_pack const*>(first) + group * entries_of_element;
  }
  static row_pack* rows_at(number* first, index_t group, int entries_of_element)
  {
    return reinterpret_cast<row_pack*>(first) + group * entries_of_element;
  }

  // A last group that is not full has its room all the same: the layout rounds up to whole groups.
  template <class T>
  static bool in_place(element_vector<T> const& x, int components_of_x, node_box const& nodes)
  {
    return x.width == width && x.in_rows(components_of_x, nodes, width) &&
           (group_type::mixed || reinterpret_cast<std::uintptr_t>(x.data) % alignof(packed) == 0);
  }
};

// The vectors of an element kernel, whose result what `Faces`, an interior_kernel, gives is added to before it leaves
// for memory. So u of an element is read once for both, and v is written once.
template <class Problem, class Faces>
struct swept_vectors : host_vectors<Problem> {
  using base = host_vectors<Problem>;
  using base::width, base::test_entries;
  using typename base::packed, typename base::test;

  Faces faces;

  template <class Team>
  struct scratch : base::template scratch<Team> {
    packed const* own;                                         // u, until its element is done
    typename Team::template shared<packed, test_entries> sum;  // v
    typename Faces::template side_scratch<Team> sides;
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const& team, scratch<Team>& s, index_t group) const
  {
    auto const in = base::fetch(team, s, group);
    s.own = in.packs;
    return in;
  }
  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t) const
  {
    return pack_cube<packed, test>{s.sum.entries};
  }
  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>&, index_t, int, int, int) const
  {
  }
  template <class Team>
  SUMFAC_INLINE void finish(Team const& team, scratch<Team>& s, index_t group) const
  {
    packed* const sum = s.sum.entries;
    faces.add_sides(team, s.sides, group, s.own,
                    [sum](int c, int p) SUMFAC_LAMBDA -> packed& { return sum[c * Faces::nodes + p]; });
    lane_transfer<typename base::number, width>(this->v, group * width, test::components,
                                                node_box(test::nodes_1d, Problem::axes))
        .scatter(sum, s.rows.entries, this->streaming());
  }
};

}  // namespace sumfac::detail
