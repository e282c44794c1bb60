// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a host team reads and adds to global vectors, and how the blocks of a restriction are worked.
#pragma once

#include <sumfac/dofs/restriction/host_restriction.hpp>
#include <sumfac/element/vectors/footprint.hpp>
#include <sumfac/element/vectors/group_rows.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// u and v of the elements of one group, gathered from x and added to y; between two spaces each has a restriction of
// its own, and the groups of that of y are worked.
//
// A restriction's groups have as many elements as a register has numbers of the vectors. Where the kernel computes in
// others, its group is several parts, of which some may be missing, or one of the shares of a larger one, which come
// one after the other.
template <class Problem>
struct host_global_vectors {
  using group_type = group_rows<Problem, native_width<typename Problem::vector_number>>;
  using number = typename Problem::vector_number;
  using trial = typename Problem::trial_side;
  using test = typename Problem::test_side;
  using packed = typename group_type::packed;
  static constexpr int row_width = group_type::row_width, parts = group_type::parts, shares = group_type::shares;

  lane_sweep<number, row_width> to, from;  // y, and x
  footprint size = footprint::in_caches;

  template <class Team>
  struct scratch : group_type::template scratch<Team> {
    bool present[parts];             // parts that are worked on
    bool first = true, last = true;  // of the shares of a group
    entry_prefetch<number>* prefetch = nullptr;
  };
  template <class Scratch, class Function>
  static void each_array(Scratch& s, typename Problem::sizes_type const& sizes, Function const& f)
  {
    group_type::each_array(s, sizes, f);
  }

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    SUMFAC_UNROLL
    for (int part = 0; part < parts; ++part) {
      auto* const rows = group_type::rows(s) + part * group_type::entries_of(s);
      if (parts > 1 && !s.present[part])
        fill(rows, rows + group_type::entries_of(s), typename group_type::row_pack(0));
      else if (shares == 1 || s.first)
        from.template gather<trial::nodes_1d, trial::components, Problem::axes>(row_group(group) + part, rows);
    }
    return pack_cube<packed const, trial>{group_type::load(s, group_type::rows(s), static_cast<int>(group % shares)),
                                          known_or(trial::nodes_1d, s.sizes.functions)};
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t) const
  {
    return pack_cube<packed, test>{s.nodal.entries, known_or(test::nodes_1d, s.sizes.functions)};
  }

  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>&, index_t, int, int, int) const
  {
  }

  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>& s, index_t group) const
  {
    auto* const rows = group_type::store(s, static_cast<int>(group % shares));
    if (shares > 1 && !s.last) return;
    SUMFAC_UNROLL
    for (int part = 0; part < parts; ++part)
      if (parts == 1 || s.present[part])
        to.template add<test::nodes_1d, test::components, Problem::axes>(row_group(group) + part,
                                                                         rows + part * group_type::entries_of(s));
  }

  // Calls kernel(group) for the kernel's groups that the restriction's groups *first .. last[-1] are parts of, or whose
  // shares they consist of, as far as they have elements to be worked on.
  template <class Scratch, class Kernel>
  static void for_each_group(lane_tables<row_width> const& tables, Scratch& s, index_t const* first,
                             index_t const* last, Kernel const& kernel)
  {
    while (first != last) {
      if constexpr (shares > 1) {
        index_t begin = (*first + 1) * shares, end = 0;
        tables.for_each_lane(*first++, [&](int, index_t e) {
          begin = lesser(begin, e / group_type::width);
          end = e / group_type::width + 1;
        });
        for (index_t group = begin; group < end; ++group) {
          s.first = group == begin, s.last = group + 1 == end;
          kernel(group);
        }
      } else if constexpr (parts > 1) {
        index_t const group = *first / parts;
        fill(s.present, s.present + parts, false);
        for (; first != last && *first / parts == group; ++first) s.present[*first % parts] = true;
        kernel(group);
      } else {
        kernel(*first++);
      }
    }
  }

  // Entries of global vectors are streams of their own, which `prefetch` of the scratch goes through.
  static constexpr bool gathers = true;

  // How many groups of the kernel's so many groups of the restriction are, about.
  static constexpr index_t kernel_groups(index_t groups) { return (groups + parts - 1) / parts * shares; }

  // The tables' entries of the next group; where numbers are converted, factors alone are prefetched.
  static constexpr int prefetch_lines =
      group_type::mixed || Problem::at_run_time
          ? 0
          : lane_tables<row_width>::parts(trial::nodes_1d) * trial::nodes_y * trial::nodes_z * row_width * 4 / 64;
  SUMFAC_INLINE char const* prefetch_from(index_t group) const
  {
    if (size == footprint::in_caches) return nullptr;
    return reinterpret_cast<char const*>(from.entries_of(row_group(group))) + prefetch_lines * 64;
  }

private:
  // The first of the restriction's groups that one of the kernel's is of.
  static constexpr index_t row_group(index_t group) { return group / shares * parts; }
};

// The kernel that `make` builds upon such vectors, on all groups that the restriction of y has.
template <class Vectors, class Scalar, class Make>
void sweep_pair(host const&, restriction_storage<Scalar, host> const& of_y,
                restriction_storage<Scalar, host> const& of_x, Scalar const* x, Scalar* y, sweep_mode mode,
                row_action rows, Make const& make)
{
  of_x.read(x, [&](auto const& from) {
    auto const kernel = make(Vectors{of_y.lanes(nullptr, y), from});
    of_y.sweep(nullptr, y, mode, rows, [&](index_t const* first, index_t const* last, auto const&) {
      run_groups(kernel, [&](auto& scratch, auto const& run) {
        Vectors::for_each_group(of_y.tables(), scratch.exchanged, first, last, run);
      });
    });
  });
}

// The kernel that `make` builds upon the vectors, on all groups of a restriction.
template <class Vectors, class Scalar, class Make, class... Hooks>
void sweep_kernel(host const&, restriction_storage<Scalar, host> const& r, Scalar const* x, Scalar* y, sweep_mode mode,
                  row_action rows, Make const& make, Hooks const&... hooks)
{
  auto const kernel = make(Vectors{r.lanes(x, y), r.lanes(x, y)});
  auto const work = [&](index_t const* first, index_t const* last, entry_prefetch<Scalar> prefetch) {
    prefetch.spread(Vectors::kernel_groups(last - first));
    run_groups(kernel, [&](auto& scratch, auto const& run) {
      scratch.exchanged.prefetch = &prefetch;
      Vectors::for_each_group(r.tables(), scratch.exchanged, first, last, run);
    });
  };
  r.sweep(x, y, mode, rows, work, hooks...);
}

}  // namespace sumfac::detail
