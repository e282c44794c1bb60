// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel for a device's team on quadrilaterals and lines: a line of nodes or points a thread.
#pragma once

#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/element/tuning.hpp>
#include <sumfac/tensor/kept_table.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// What a team shares of quadrilaterals: u at the points along y of each column of nodes, and its y derivatives; then
// what is tested against both. Lines share nothing.
template <class Problem, tuning Tuning, class Exchanged, class Geometry, class Team>
struct row_scratch {
  static constexpr bool has_y = Problem::directions >= 2;

  struct none {};
  template <bool Needed>
  using plane = std::conditional_t<
      Needed,
      typename Team::template shared<typename Team::scalar, Tuning.elements, Problem::most_components,
                                     Problem::points_1d, Problem::most_nodes_1d + Tuning.padding>,
      none>;

  SUMFAC_NO_UNIQUE_ADDRESS plane<has_y> values;
  SUMFAC_NO_UNIQUE_ADDRESS plane<has_y && Problem::differentiates> slopes;
  SUMFAC_NO_UNIQUE_ADDRESS Exchanged exchanged;
  SUMFAC_NO_UNIQUE_ADDRESS Geometry geometry;

  template <class Name>
  void names(Name const& name)
  {
    if constexpr (has_y) name("values", values);
    if constexpr (has_y && Problem::differentiates) name("slopes", slopes);
  }
};

// y = A x on the elements of one group.
//
// A column of nodes is contracted along y on its way to scratch; a row of it becomes a row of points in registers,
// where the form is applied, and goes back; columns of what is tested are contracted on their way to memory. Two
// barriers. Test functions may be of a space of their own, of m nodes a direction.
// **Shapes** (e, c, y, x): element of the team, component, nodes (j, i), points (r, q) or a mix.
template <class Problem, tuning Tuning, class Exchange>
struct row_kernel {
  using form_type = typename Problem::form;
  using scalar = typename Problem::number;
  static constexpr int directions = Problem::directions;
  using test = typename Problem::test_side;
  static constexpr int n = Problem::nodes_1d, m = test::nodes_1d, g = Problem::points_1d, gy = Problem::points_y;
  static constexpr int components = Problem::components, test_components = test::components;
  static constexpr int elements = Tuning.elements;
  static constexpr bool has_y = directions >= 2;
  static constexpr bool prefetches_factors = Tuning.ahead == prefetch::cache && has_prefetch_distance<Exchange>;
  static constexpr int threads = elements * gy, resident_teams = Tuning.resident_teams;
  static constexpr bool collocated = Problem::collocated;
  static constexpr bool has_slopes = Problem::has_slopes, has_fluxes = Problem::has_fluxes;
  static_assert(directions < 3, "sumfac::row_kernel: hexahedra have cubes or slices");

  form_type form;
  Exchange exchange;  // where u, v and the factors are
  // The tables of a side.
  template <class Side>
  struct tables_of {
    kept_table<interpolate<scalar, typename Side::nodes, typename Problem::points>> to_points = {};
    kept_table<differentiate<scalar, typename Side::nodes, typename Problem::points>> to_slopes = {};
  };
  tables_of<typename Problem::trial_side> of_trial = {};
  std::conditional_t<Problem::has_one_side, no_table, tables_of<test>> of_test = {};

  template <class Team>
  using scratch = row_scratch<Problem, Tuning, typename Exchange::vectors_type::template scratch<Team>,
                              typename Exchange::template geometry_scratch<Team>, Team>;

  // Lines of points that the form is applied along: of x.
  static constexpr int form_direction = 0;

  // Place of point (0, r, q) among an element's factors: threads side by side read numbers side by side.
  SUMFAC_FUNCTION static constexpr int point(int, int r, int q) { return q * gy + r; }

  template <class Team>
    requires line_vectors<typename Exchange::vectors_type, scratch<Team>> &&
             factor_reader<typename Exchange::factors_type, scalar>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    exchange.template prepare_lines<form_direction>(team, s.geometry, group);
    if constexpr (has_y) read_columns(team, s, group);
    if constexpr (prefetches_factors) exchange.prefetch_factors(team, group);
    if constexpr (has_y) team.sync();
    apply_rows(team, s, group);
    if constexpr (has_y) {
      team.sync();
      write_columns(team, s, group);
    }
  }

private:
  using T = scalar;

  SUMFAC_INLINE auto const& back() const { return either<Problem::has_one_side>(of_trial, of_test); }

  // Along y: u (C, n, n) -> values, slopes (C, g, n).
  template <class Team>
  SUMFAC_INLINE void read_columns(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.phase("columns to points");
    team.each(box<elements, n>{}, [&](int e, int i) {
      SUMFAC_UNROLL
      for (int c = 0; c < components; ++c) {
        auto const u = exchange.memory(s, group).template read<axis::y>(e, c, 0, i);
        auto const put = [&](int r, T x) SUMFAC_LAMBDA { s.values(e, c, r, i) = x; };
        if constexpr (collocated) {
          SUMFAC_UNROLL
          for (int r = 0; r < g; ++r) put(r, u[r]);
        } else {
          contract(of_trial.to_points.forward(), u, put);
        }
        if constexpr (has_slopes)
          contract(of_trial.to_slopes.forward(), u, [&](int r, T x) SUMFAC_LAMBDA { s.slopes(e, c, r, i) = x; });
      }
    });
  }

  // A row of points in registers: u and its derivatives, which become what is tested and fluxes.
  struct row {
    pencil<T, g> value[Problem::most_components], along_x[Problem::most_components], along_y[Problem::most_components];
  };

  // Along x and back, the form between.
  template <class Team>
  SUMFAC_INLINE void apply_rows(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.phase("apply the form to rows");
    team.each(box<elements, gy>{}, [&](int e, int r) {
      row own;
      SUMFAC_UNROLL
      for (int c = 0; c < components; ++c) {
        auto const u = row_of_nodes(s, group, e, c, r);
        own.value[c] = at_points(u);
        if constexpr (has_slopes) {
          own.along_x[c] = contract(of_trial.to_slopes.forward(), u);
          if constexpr (has_y)
            own.along_y[c] = at_points(fetch<T, n>([&](int i) SUMFAC_LAMBDA { return s.slopes(e, c, r, i); }));
        }
      }
      auto const at_point = exchange.template line_of<T, 0>(s.geometry, group, e, 0, r);
      apply_on_line<T, directions, g>(
          form, at_point, [&](int c, int q) SUMFAC_LAMBDA { return own.value[c][q]; },
          [&](int c, int q, T x) SUMFAC_LAMBDA { own.value[c][q] = x; },
          [&](int c, int q) SUMFAC_LAMBDA -> T& { return own.along_x[c][q]; },
          [&](int c, int q) SUMFAC_LAMBDA -> T& { return own.along_y[c][q]; });
      SUMFAC_UNROLL
      for (int c = 0; c < test_components; ++c) {
        if constexpr (has_y) {
          to_nodes(own.value[c], own.along_x[c], [&](int i, T x) SUMFAC_LAMBDA { s.values(e, c, r, i) = x; });
          if constexpr (has_fluxes)
            at_nodes(own.along_y[c], [&](int i, T x) SUMFAC_LAMBDA { s.slopes(e, c, r, i) = x; });
        } else {
          to_nodes(own.value[c], own.along_x[c], exchange.memory(s, group).template write<axis::x>(e, c, 0, 0));
        }
      }
    });
  }

  template <class Scratch>
  SUMFAC_INLINE pencil<T, n> row_of_nodes(Scratch& s, index_t group, int e, int c, int r) const
  {
    if constexpr (has_y)
      return fetch<T, n>([&](int i) SUMFAC_LAMBDA { return s.values(e, c, r, i); });
    else
      return exchange.memory(s, group).template read<axis::x>(e, c, 0, 0);
  }

  SUMFAC_INLINE pencil<T, g> at_points(pencil<T, n> const& u) const
  {
    if constexpr (collocated)
      return u;
    else
      return contract(of_trial.to_points.forward(), u);
  }
  template <class Put>
  SUMFAC_INLINE void at_nodes(pencil<T, g> const& v, Put const& put) const
  {
    if constexpr (collocated) {
      SUMFAC_UNROLL
      for (int i = 0; i < n; ++i) put(i, v[i]);
    } else {
      contract(back().to_points.backward(), v, put);
    }
  }

  // What a line of points is to its nodes: values and fluxes.
  template <class Put>
  SUMFAC_INLINE void to_nodes(pencil<T, g> const& v, pencil<T, g> const& flux, Put const& put) const
  {
    if constexpr (!has_fluxes)
      at_nodes(v, put);
    else if constexpr (collocated)
      contract(back().to_slopes.backward(), flux, [&](int i, T x) SUMFAC_LAMBDA { put(i, v[i] + x); });
    else
      contract_sum(back().to_points.backward(), v, back().to_slopes.backward(), flux, put);
  }

  // Along y: values, slopes (C, g, n) -> v (C, n, n).
  template <class Team>
  SUMFAC_INLINE void write_columns(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.phase("columns to nodes");
    team.each(box<elements, m>{}, [&](int e, int i) {
      SUMFAC_UNROLL
      for (int c = 0; c < test_components; ++c) {
        auto const v = fetch<T, g>([&](int r) SUMFAC_LAMBDA { return s.values(e, c, r, i); });
        pencil<T, g> flux;
        if constexpr (has_fluxes) flux = fetch<T, g>([&](int r) SUMFAC_LAMBDA { return s.slopes(e, c, r, i); });
        to_nodes(v, flux, exchange.memory(s, group).template write<axis::y>(e, c, 0, i));
      }
    });
  }
};

}  // namespace sumfac::detail
