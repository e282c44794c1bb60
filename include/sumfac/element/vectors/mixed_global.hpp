// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a host team reads and adds to global vectors whose entries are of another type than it computes in.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/restriction/lane_sweep.hpp>
#include <sumfac/dofs/restriction/lane_tables.hpp>
#include <sumfac/dofs/restriction/prefetch.hpp>
#include <sumfac/element/vectors/footprint.hpp>
#include <sumfac/element/vectors/host_vectors.hpp>
#include <sumfac/element/vectors/mixed_rows.hpp>
#include <sumfac/math/detail/plain.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// u and v of the elements of one group, gathered from x and added to y.
//
// The restriction's groups have as many elements as a register has numbers of the vectors. A group of the kernel is one
// of them, or several parts, of which some may be missing, or one of the shares of a larger one, which come one after
// the other.
template <class Problem>
struct mixed_global_vectors {
  using mixed = mixed_rows<Problem, native_width<typename Problem::vector_number>>;
  using vector_number = typename Problem::vector_number;
  using test = typename Problem::test_side;
  static constexpr int width = mixed::width, row_width = mixed::row_width, entries = mixed::entries;
  static constexpr int parts = mixed::parts, shares = mixed::shares;
  static constexpr int n = Problem::nodes_1d, components = Problem::components;

  lane_sweep<vector_number, row_width> lanes;
  footprint size = footprint::in_caches;

  template <class Team>
  struct scratch : mixed::template scratch<Team> {
    bool present[parts];  // parts that are worked on
    bool first, last;     // of the shares of a group
    entry_prefetch<vector_number>* prefetch = nullptr;
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    return fetch_by(lanes, s, group);
  }
  template <class Scratch>
  SUMFAC_INLINE static auto fetch_by(lane_sweep<vector_number, row_width> const& from, Scratch& s, index_t group)
  {
    for (int part = 0; part < parts; ++part) {
      auto* const rows = s.rows.entries + part * entries;
      if (!s.present[part])
        fill(rows, rows + entries, typename mixed::row_pack(0));
      else if (s.first)
        from.template gather<n, components, Problem::directions>(group / shares * parts + part, rows);
    }
    mixed::load(s, numbers_of(s), static_cast<int>(group % shares));
    return pack_cube<typename mixed::packed const, typename Problem::trial_side>{s.nodal.entries};
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t) const
  {
    return pack_cube<typename mixed::packed, typename Problem::test_side>{s.nodal.entries};
  }

  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>&, index_t, int, int, int) const
  {
  }

  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>& s, index_t group) const
  {
    mixed::store(s, numbers_of(s), static_cast<int>(group % shares));
    if (!s.last) return;
    for (int part = 0; part < parts; ++part)
      if (s.present[part])
        lanes.template add<test::nodes_1d, test::components, Problem::directions>(group / shares * parts + part,
                                                                                  s.rows.entries + part * entries);
  }

  // Calls kernel(group) for the kernel's groups that the restriction's groups *first .. last[-1] are parts of, or whose
  // shares they consist of, as far as they have elements to be worked on.
  template <class Scratch, class Kernel>
  static void for_each_group(lane_tables<row_width> const& tables, Scratch& s, index_t const* first,
                             index_t const* last, Kernel const& kernel)
  {
    fill(s.present, s.present + parts, true);
    s.first = s.last = true;
    if constexpr (shares > 1) {
      for (; first != last; ++first) {
        index_t begin = (*first + 1) * shares, end = 0;
        tables.for_each_lane(*first, [&](int, index_t e) {
          begin = lesser(begin, e / width);
          end = e / width + 1;
        });
        for (index_t group = begin; group < end; ++group) {
          s.first = group == begin, s.last = group + 1 == end;
          kernel(group);
        }
      }
    } else {
      while (first != last) {
        index_t const group = *first / parts;
        fill(s.present, s.present + parts, false);
        for (; first != last && *first / parts == group; ++first) s.present[*first % parts] = true;
        kernel(group);
      }
    }
  }

  // Entries of global vectors are streams of their own, which `prefetch` of the scratch goes through.
  static constexpr bool gathers = true;

  // How many groups of the kernel's so many groups of the restriction are, about.
  static constexpr index_t kernel_groups(index_t groups) { return (groups + parts - 1) / parts * shares; }

  // Of memory that a group knows of, factors alone are prefetched.
  static constexpr int prefetch_lines = 0;
  SUMFAC_INLINE char const* prefetch_from(index_t group) const
  {
    if (size == footprint::in_caches) return nullptr;
    return reinterpret_cast<char const*>(lanes.entries_of(group / shares * parts));
  }

private:
  template <class Scratch>
  SUMFAC_INLINE static vector_number* numbers_of(Scratch& s)
  {
    return reinterpret_cast<vector_number*>(s.rows.entries);
  }
};

// The same where v is of another space, with a restriction of its own: its groups are worked.
template <class Problem>
struct mixed_pair_vectors : mixed_global_vectors<Problem> {
  using global = mixed_global_vectors<Problem>;
  template <class Team>
  using scratch = typename global::template scratch<Team>;

  lane_sweep<typename global::vector_number, global::row_width> from;

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    return global::fetch_by(from, s, group);
  }
  SUMFAC_INLINE char const* prefetch_from(index_t) const { return nullptr; }
};

}  // namespace sumfac::detail
