// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a host team reads and adds to global vectors, and how the blocks of a restriction are worked.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/restriction/host_restriction.hpp>
#include <sumfac/element/vectors/footprint.hpp>
#include <sumfac/element/vectors/host_vectors.hpp>
#include <sumfac/math/pack.hpp>

#include <new>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// u and v of the elements of one group, gathered from x and added to y.
template <class Problem>
struct host_global_vectors {
  using number = typename Problem::number;
  static constexpr int width = native_width<number>, n = Problem::nodes_1d;
  using packed = pack<number, width>;

  lane_sweep<number, width> lanes;
  footprint size = footprint::in_caches;

  template <class Team>
  struct scratch {
    typename Team::template shared<packed, Problem::entries_of_element> nodal;  // u, then v of the group
    entry_prefetch<number>* prefetch = nullptr;
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    lanes.template gather<n, Problem::components, Problem::directions>(group, s.nodal.entries);
    return pack_cube<packed const, typename Problem::trial_side>{s.nodal.entries};
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t) const
  {
    return pack_cube<packed, typename Problem::test_side>{s.nodal.entries};
  }

  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>&, index_t, int, int, int) const
  {
  }

  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>& s, index_t group) const
  {
    lanes.template add<n, Problem::components, Problem::directions>(group, s.nodal.entries);
  }

  // Calls kernel(group) for the groups first[0] .. last[-1].
  template <class Scratch, class Kernel>
  static void for_each_group(lane_tables<width> const&, Scratch&, index_t const* first, index_t const* last,
                             Kernel const& kernel)
  {
    for (; first != last; ++first) kernel(*first);
  }

  // Entries of global vectors are streams of their own, which `prefetch` of the scratch goes through.
  static constexpr bool gathers = true;

  // How many groups of the kernel's so many groups of the restriction are.
  static constexpr index_t kernel_groups(index_t groups) { return groups; }

  // The tables' entries of the next group.
  static constexpr int prefetch_lines =
      lane_tables<width>::parts(n) * Problem::nodes_y * Problem::nodes_z * width * 4 / 64;
  SUMFAC_INLINE char const* prefetch_from(index_t group) const
  {
    if (size == footprint::in_caches) return nullptr;
    return reinterpret_cast<char const*>(lanes.entries_of(group)) + prefetch_lines * 64;
  }
};

// The same where v is of another space, with a restriction of its own: its groups are worked.
template <class Problem>
struct host_pair_vectors {
  using number = typename Problem::number;
  using trial = typename Problem::trial_side;
  using test = typename Problem::test_side;
  static constexpr int width = native_width<number>;
  using packed = pack<number, width>;

  lane_sweep<number, width> to, from;

  template <class Team>
  struct scratch {
    typename Team::template shared<packed, trial::entries_of_element> of_trial;
    typename Team::template shared<packed, test::entries_of_element> of_test;
    entry_prefetch<number>* prefetch = nullptr;
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    from.template gather<trial::nodes_1d, trial::components, Problem::directions>(group, s.of_trial.entries);
    return pack_cube<packed const, trial>{s.of_trial.entries};
  }
  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t) const
  {
    return pack_cube<packed, test>{s.of_test.entries};
  }
  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>&, index_t, int, int, int) const
  {
  }
  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>& s, index_t group) const
  {
    to.template add<test::nodes_1d, test::components, Problem::directions>(group, s.of_test.entries);
  }

  // Calls kernel(group) for the groups first[0] .. last[-1].
  template <class Scratch, class Kernel>
  static void for_each_group(lane_tables<width> const&, Scratch&, index_t const* first, index_t const* last,
                             Kernel const& kernel)
  {
    for (; first != last; ++first) kernel(*first);
  }

  static constexpr footprint size = footprint::in_caches;  // nothing is prefetched
  static constexpr bool gathers = true;
  static constexpr int prefetch_lines = 0;
  SUMFAC_INLINE char const* prefetch_from(index_t) const { return nullptr; }
};

// The kernel that `make` builds upon such vectors, on all groups that the restriction of y has.
template <class Vectors, class Scalar, class Make>
void sweep_pair(host const&, restriction_storage<Scalar, host> const& of_y,
                restriction_storage<Scalar, host> const& of_x, Scalar const* x, Scalar* y, sweep_mode mode,
                row_action rows, Make const& make)
{
  of_x.read(x, [&](auto const& from) {
    auto const kernel = make(Vectors{{of_y.lanes(nullptr, y)}, {from}});
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
  auto const kernel = make(Vectors{r.lanes(x, y)});
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
