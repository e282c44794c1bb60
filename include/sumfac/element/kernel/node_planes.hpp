// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Between nodes and points within planes of constant z: the first and the last phase of an element's kernel.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/tensor/pencil.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Entries of global vectors are prefetched in `Parts` parts a group, once for each plane of these phases.
template <class Problem>
struct node_planes {
  static constexpr int n = Problem::nodes_1d, g = Problem::points_1d, components = Problem::components;
  static constexpr int ny = Problem::nodes_y, nz = Problem::nodes_z;
  static constexpr bool has_y = Problem::directions >= 2;
  using scalar = typename Problem::number;
  using points = typename Problem::points;
  using test = typename Problem::test_side;
  using to_points = interpolate<scalar, typename Problem::nodes, points>;
  using to_nodes = transposed<interpolate<scalar, typename test::nodes, points>>;
  using to_slopes = differentiate<scalar, typename Problem::nodes, points>;
  using from_fluxes = transposed<differentiate<scalar, typename test::nodes, points>>;

  // Whether the lines along y have the y derivatives and the transpose of the y fluxes with them: in quadrilaterals,
  // whose one plane has places for both.
  static constexpr bool joins_y = has_y && Problem::directions == 2 && Problem::differentiates && !Problem::collocated;

  // Nodes to points along x and y, a plane at a time: in (C, n, n, n) -> values (C, n, g, g), lateral (C, g, g).
  template <int Parts, class Team, class Scratch, class Exchange, class In, class Prefetch>
  SUMFAC_INLINE static void to_planes(Team const& team, Scratch& s, Exchange const& exchange, In const& in,
                                      Prefetch& prefetch)
  {
    using T = typename Team::scalar;
    team.phase("interpolate in planes");
    for (int c = 0; c < components; ++c)
      for (int k = 0; k < nz; ++k) {
        exchange.prefetch_entries(s.exchanged, Parts);
        team.each(box<ny>{}, [&](int j) {
          prefetch.step();
          auto const u = fetch<T, n>([&](int i) SUMFAC_LAMBDA { return in(c, k, j, i); });
          contract(to_points{}, u, [&](int q, T x) SUMFAC_LAMBDA {
            if constexpr (has_y)
              s.plane(j, q) = x;
            else
              s.values(c, k, j, q) = x;
          });
        });
        team.sync();
        if constexpr (has_y) {
          team.each(box<g>{}, [&](int q) {
            prefetch.step();
            auto const u = fetch<T, n>([&](int j) SUMFAC_LAMBDA { return s.plane(j, q); });
            auto const put = [&](int r, T x) SUMFAC_LAMBDA { s.values(c, k, r, q) = x; };
            if constexpr (joins_y && Problem::has_slopes)
              contract_both(to_points{}, to_slopes{}, u, put,
                            [&](int r, T x) SUMFAC_LAMBDA { s.lateral(c, r, q) = x; });
            else
              contract(to_points{}, u, put);
          });
          team.sync();
        }
      }
  }

  // Points to nodes along y and x, a plane at a time: values (C, n, g, g), lateral -> out (C, n, n, n), of test
  // functions.
  template <int Parts, class Team, class Scratch, class Exchange, class Out, class Prefetch>
  SUMFAC_INLINE static void from_planes(Team const& team, Scratch& s, Exchange const& exchange, index_t group, Out& out,
                                        Prefetch& prefetch)
  {
    using T = typename Team::scalar;
    team.phase("project in planes");
    for (int c = 0; c < test::components; ++c)
      for (int k = 0; k < test::nodes_z; ++k) {
        exchange.prefetch_entries(s.exchanged, Parts);
        if constexpr (has_y) {
          team.each(box<g>{}, [&](int q) {
            prefetch.step();
            auto const v = fetch<T, g>([&](int r) SUMFAC_LAMBDA { return s.values(c, k, r, q); });
            auto const put = [&](int j, T x) SUMFAC_LAMBDA { s.plane(j, q) = x; };
            if constexpr (joins_y && Problem::has_fluxes)
              contract_sum(to_nodes{}, v, from_fluxes{},
                           fetch<T, g>([&](int r) SUMFAC_LAMBDA { return s.lateral(c, r, q); }), put);
            else
              contract(to_nodes{}, v, put);
          });
          team.sync();
        }
        team.each(box<test::nodes_y>{}, [&](int j) {
          prefetch.step();
          auto const v = fetch<T, g>([&](int q) SUMFAC_LAMBDA {
            if constexpr (has_y)
              return s.plane(j, q);
            else
              return s.values(c, k, j, q);
          });
          contract(to_nodes{}, v, [&](int i, T x) SUMFAC_LAMBDA { out(c, k, j, i) = x; });
          exchange.finish_row(team, s.exchanged, group, c, k, j);
        });
        team.sync();
      }
  }
};

}  // namespace sumfac::detail
