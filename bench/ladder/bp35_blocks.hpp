// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The second ladder of BP3.5: six kernels with a thread for every node, so N <= 9.
#pragma once

#include "common.hpp"

#include <type_traits>

namespace sumfac::ladder {

// Two barriers each: the table is there; the fluxes are.
//   1  direct: v is added to direction by direction, each flux reads its factors for itself
//   2  inputs are const and restrict, loops unrolled      5  u in a cube of scratch
//   3  factors read once, to registers                    6  fluxes in three more, no global temporaries
//   4  v collected in a register
template <int Order, int Rung>
struct bp35_blocks {
  static_assert(1 <= Rung && Rung <= 6);
  static_assert((Order + 1) * (Order + 1) * (Order + 1) <= 1024, "a thread block has at most 1024 threads");
  static constexpr int n = Order + 1, threads = n * n * n, cube = n * n * n, work = Rung <= 5 ? 3 * cube : 0;
  static constexpr loops how = Rung >= 2 ? loops::unrolled : loops::as_written;

  element_memory<n, n, 7, Rung >= 2 ? reading::constant : reading::plain> memory;

  template <class Team>
  struct scratch {
    struct none {};
    using nodes = typename Team::template shared<double, n, n, n>;

    shared_table<Team, n, n, 0> D;
    SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<Rung >= 5, nodes, none> u;
    using flux_nodes = typename Team::template shared<double, 3, n, n, n>;
    SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<Rung >= 6, flux_nodes, none> flux;

    template <class Name>
    void names(Name const& name)
    {
      name("D", D.entries), name("u", u), name("flux", flux);
    }
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t e) const
  {
    typename Team::template per_thread<double, n, n, n> v;
    team.phase("load the table and u");
    s.D.load(team, memory.given.derivative);
    if constexpr (Rung >= 5)
      team.each(box<n, n, n>{}, [&](int k, int j, int i) { s.u(k, j, i) = memory.u(e, k, j, i); });
    team.sync();
    team.phase("differentiate and apply the form");
    team.each(box<n, n, n>{}, [&](int k, int j, int i) { apply(s, e, k, j, i, v(k, j, i)); });
    team.sync();
    team.phase("transpose");
    team.each(box<n, n, n>{}, [&](int k, int j, int i) {
      add(e, k, j, i, v(k, j, i), sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(m, i) * flux(s, e, 0, k, j, m); }));
      add(e, k, j, i, v(k, j, i), sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(m, j) * flux(s, e, 1, k, m, i); }));
      add(e, k, j, i, v(k, j, i), sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(m, k) * flux(s, e, 2, m, j, i); }));
      if constexpr (Rung >= 4) memory.v(e, k, j, i) = v(k, j, i);
    });
  }

private:
  SUMFAC_INLINE double& global_flux(index_t e, int direction, int k, int j, int i) const
  {
    return memory.given.work[e * work + direction * cube + (k * n + j) * n + i];
  }

  template <class Scratch>
  SUMFAC_INLINE double flux(Scratch& s, index_t e, int direction, int k, int j, int i) const
  {
    if constexpr (Rung >= 6)
      return s.flux(direction, k, j, i);
    else
      return global_flux(e, direction, k, j, i);
  }

  template <class Scratch>
  SUMFAC_INLINE double u(Scratch& s, index_t e, int k, int j, int i) const
  {
    if constexpr (Rung >= 5)
      return s.u(k, j, i);
    else
      return memory.u(e, k, j, i);
  }

  // Adds to v, in a register or in memory.
  SUMFAC_INLINE void add(index_t e, int k, int j, int i, double& v, double x) const
  {
    if constexpr (Rung >= 4)
      v += x;
    else
      memory.v(e, k, j, i) += x;
  }

  template <class Scratch>
  SUMFAC_INLINE void apply(Scratch& s, index_t e, int k, int j, int i, double& v) const
  {
    double const slope[3] = {
        sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(i, m) * u(s, e, k, j, m); }),
        sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(j, m) * u(s, e, k, m, i); }),
        sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(k, m) * u(s, e, m, j, i); }),
    };
    if constexpr (Rung >= 4) v = 0;
    if constexpr (Rung <= 3) memory.v(e, k, j, i) = 0;
    stiffness::factors<double> once;
    if constexpr (Rung >= 3) once = memory.metric(e, k, j, i);
    for (int d = 0; d < 3; ++d) {
      double x = 0;
      for (int c = 0; c < 3; ++c) {
        int const f = symmetric<double, 3>::index(d, c);
        x += (Rung >= 3 ? once.metric.entries[f] : memory.factor(e, f, k, j, i)) * slope[c];
      }
      if constexpr (Rung >= 6)
        s.flux(d, k, j, i) = x;
      else
        global_flux(e, d, k, j, i) = x;
    }
    double const measure = Rung >= 3 ? once.measure : memory.factor(e, 6, k, j, i);
    add(e, k, j, i, v, memory.given.lambda * measure * u(s, e, k, j, i));
  }
};

}  // namespace sumfac::ladder
