// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel for a group of elements: interpolate, differentiate, apply the form, and their transposes.
#pragma once

#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/kernel/point_form.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// What a team shares for one group: cubes of points, planes, and what the exchange of u and v and of geometry needs.
template <class Problem, class Exchanged, class Geometry, class Team>
struct element_scratch {
  static constexpr int n = Problem::nodes_1d, g = Problem::points_1d, components = Problem::most_components;
  static constexpr int nz = greater(Problem::nodes_z, Problem::test_side::nodes_z), rows = Problem::most_nodes_1d;
  static constexpr int gy = Problem::points_y, gz = Problem::points_z;
  static constexpr bool has_y = Problem::directions >= 2, has_z = Problem::directions >= 3;
  static constexpr bool collocated = Problem::collocated, differentiates = Problem::differentiates;

  struct none {};
  template <bool Needed, int... Extents>
  using array = std::conditional_t<Needed, typename Team::template shared<typename Team::scalar, Extents...>, none>;

  // Rows of an even number of points are padded by one: planes a power of two apart share few cache sets and banks.
  static constexpr int row = g + (g % 2 == 0 ? 1 : 0);
  static constexpr int of_values = differentiates ? gz : nz;

  SUMFAC_NO_UNIQUE_ADDRESS array<!collocated || Problem::has_fluxes, 1, components, of_values, gy, row> values;
  SUMFAC_NO_UNIQUE_ADDRESS array<differentiates && has_z, 1, components, g, g, row> slope_z;
  SUMFAC_NO_UNIQUE_ADDRESS array<differentiates && has_y, 1, components, 1, g, row>
      slope_y;                                                                        // y derivatives of a plane
  SUMFAC_NO_UNIQUE_ADDRESS array<differentiates, 1, components, 1, gy, row> slope_x;  // its x derivatives and fluxes
  SUMFAC_NO_UNIQUE_ADDRESS array<!collocated && has_y, 1, 1, 1, rows, row> plane;
  SUMFAC_NO_UNIQUE_ADDRESS Exchanged exchanged;
  SUMFAC_NO_UNIQUE_ADDRESS Geometry geometry;
};

// y = A x on the elements of one group, for any form, node set and rule, on any team.
//
// The element is worked plane by plane: x and y contractions stay within a plane of constant z, and only the z
// contractions sweep the whole cube. A pencil (one line of nodes) is fetched to registers, contracted and stored back.
// What a form does not need is left out at compile time: D, D^T where trial, test have no gradient; I in BP3.5.
//
// A quadrilateral is one such plane, a line one row of it. An index (c, s, r, q) is component, z, y, x.
// **Source** arXiv 1711.00903 for the phases; the plane order and the even-odd pencils are ours.
template <class Problem, class Exchange>
struct element_kernel {
  using form_type = typename Problem::form;
  using scalar = typename Problem::number;
  using test = typename Problem::test_side;
  static constexpr int n = Problem::nodes_1d, g = Problem::points_1d, directions = Problem::directions;
  static constexpr int components = Problem::components, test_components = Problem::test_side::components;
  static constexpr bool has_y = directions >= 2, has_z = directions >= 3;
  static constexpr int ny = Problem::nodes_y, nz = Problem::nodes_z, gy = Problem::points_y, gz = Problem::points_z;
  static constexpr int threads = g * g;
  static constexpr bool collocated = Problem::collocated, differentiates = Problem::differentiates;
  static constexpr bool has_slopes = Problem::has_slopes, has_fluxes = Problem::has_fluxes;
  // Whether the lines along y have the y derivatives and the transpose of the y fluxes with them: in quadrilaterals,
  // whose one plane has places for both.
  static constexpr bool joins_y = has_y && !has_z && differentiates && !collocated;

  form_type form;
  Exchange exchange;  // where u, v and the factors are

  // Rows of points that fit into registers with their derivatives and fluxes.
  static constexpr bool short_rows = collocated && g <= 3;

  // Pencils and planes of one group, at each of which what the next ones need is prefetched.
  static constexpr int pencils_of_plane = 1 + components * (has_slopes + has_fluxes) * (short_rows || joins_y ? 1 : 2);
  static constexpr int normals = !has_z ? 0 : collocated ? has_slopes + has_fluxes : 2;
  static constexpr int pencils = (collocated ? 0 : 2 * components * nz * (has_y ? n + g : 1)) +
                                 (differentiates ? (normals * components + pencils_of_plane) * gy * gz : gy * gz);
  static constexpr int planes = (collocated ? 0 : 2 * components * nz) + (differentiates ? gz : 0);

  // Lines of points that the form is applied along: of x, or of z.
  static constexpr int form_direction = differentiates || collocated || !has_z ? 0 : 2;

  template <class Team>
  using scratch = element_scratch<Problem, typename Exchange::vectors_type::template scratch<Team>,
                                  typename Exchange::template geometry_scratch<Team>, Team>;

  // Place of point (z, r, q) among an element's factors: the order in which the kernel reads them.
  SUMFAC_FUNCTION static constexpr int point(int z, int r, int q)
  {
    return form_direction == 0 ? (z * gy + r) * g + q : (r * g + q) * g + z;
  }

  template <class Team>
    requires group_vectors<typename Exchange::vectors_type, Team> &&
             factor_reader<typename Exchange::factors_type, typename Team::scalar>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    auto prefetch = exchange.template prefetcher_of<element_kernel>(group);
    exchange.template prepare_lines<form_direction>(team, s.geometry, group);
    auto const in = exchange.fetch(team, s.exchanged, group);    // (C, n, n, n)
    auto const out = exchange.result(team, s.exchanged, group);  // (C, n, n, n)
    auto const values = values_of(s);                            // (C, g, g, g)
    if constexpr (!collocated) {
      to_planes(team, s, in, prefetch);
      if constexpr (differentiates) {
        if constexpr (has_z) interpolate_z(team, s, prefetch);
        apply_planes(team, s, group, values, values, prefetch);
        if constexpr (has_z) project_z(team, s, group, values, prefetch);
      } else if constexpr (has_z) {
        apply_z(team, s, group, prefetch);
      } else {
        apply_points(team, s, group, values, values, prefetch);
      }
      from_planes(team, s, group, out, prefetch);
    } else if constexpr (differentiates) {
      if constexpr (has_slopes && has_z) differentiate_z(team, s, in, prefetch);
      if constexpr (has_fluxes) {
        apply_planes(team, s, group, in, values, prefetch);
        if constexpr (has_z)
          project_z(team, s, group, out, prefetch);
        else
          hand_over(team, s, group, out);
      } else {
        apply_planes(team, s, group, in, out, prefetch);
      }
    } else {
      apply_points(team, s, group, in, out, prefetch);
    }
    exchange.finish(team, s.exchanged, group);
  }

private:
  // Values at the points, called as u and v of a group are.
  template <class Scratch>
  SUMFAC_INLINE static auto values_of(Scratch& s)
  {
    return [&s](auto c, int z, int r, int q) SUMFAC_LAMBDA -> decltype(auto) { return s.values(0, c, z, r, q); };
  }

  // u of a group as sweeps read it.
  template <class In>
  SUMFAC_INLINE static auto numbers_of(In const& in)
  {
    return [&in](int, int c, int k, int j, int i) SUMFAC_LAMBDA { return in(c, k, j, i); };
  }

  using points = typename Problem::points;
  using to_points = interpolate<scalar, typename Problem::nodes, points>;
  using to_nodes = transposed<interpolate<scalar, typename test::nodes, points>>;
  using to_slopes = differentiate<scalar, typename Problem::nodes, points>;
  using from_fluxes = transposed<differentiate<scalar, typename test::nodes, points>>;
  using derivative = differentiate<scalar, points>;
  using divergence = transposed<derivative>;

  // Nodes to points along x and y, a plane at a time: in (C, n, n, n) -> values (C, n, g, g), slope_y (C, g, g).
  template <class Team, class In, class Prefetch>
  SUMFAC_INLINE void to_planes(Team const& team, scratch<Team>& s, In const& in, Prefetch& prefetch) const
  {
    using T = typename Team::scalar;
    team.phase("interpolate in planes");
    for (int c = 0; c < components; ++c)
      for (int k = 0; k < nz; ++k) {
        exchange.prefetch_entries(s.exchanged, planes);
        auto const nodes = [&](int, int, int, int j, int i) SUMFAC_LAMBDA { return in(c, k, j, i); };
        plane_of const values{s.values, c, k};
        if constexpr (!has_y) {
          sweep<axis::x>(team, box<1, 1, 1, 1>{}, to_points{}, nodes, values, prefetch);
        } else {
          sweep<axis::x>(team, box<1, 1, 1, ny>{}, to_points{}, nodes, s.plane, prefetch);
          team.sync();
          if constexpr (joins_y && has_slopes)
            team.each(box<g>{}, [&](int q) {
              prefetch.step();
              contract_both(to_points{}, to_slopes{}, read_line<axis::y, T, n>(s.plane, 0, 0, 0, q),
                            write_line<axis::y, T>(values, 0, 0, 0, q), write_line<axis::y, T>(s.slope_y, 0, c, 0, q));
            });
          else
            sweep<axis::y>(team, box<1, 1, 1, g>{}, to_points{}, s.plane, values, prefetch);
        }
        team.sync();
      }
  }

  // Points to nodes along y and x, a plane at a time: values (C, n, g, g), slope_y -> out (C, n, n, n), of test
  // functions.
  template <class Team, class Out, class Prefetch>
  SUMFAC_INLINE void from_planes(Team const& team, scratch<Team>& s, index_t group, Out& out, Prefetch& prefetch) const
  {
    using T = typename Team::scalar;
    team.phase("project in planes");
    for (int c = 0; c < test_components; ++c)
      for (int k = 0; k < test::nodes_z; ++k) {
        exchange.prefetch_entries(s.exchanged, planes);
        plane_of const values{s.values, c, k};
        auto const rows_from = [&](auto& plane) SUMFAC_LAMBDA {
          team.each(box<test::nodes_y>{}, [&](int j) {
            prefetch.step();
            contract(to_nodes{}, read_line<axis::x, T, g>(plane, 0, 0, 0, j),
                     [&](int i, T x) SUMFAC_LAMBDA { out(c, k, j, i) = x; });
            exchange.finish_row(team, s.exchanged, group, c, k, j);
          });
        };
        if constexpr (!has_y) {
          rows_from(values);
        } else {
          if constexpr (joins_y && has_fluxes)
            team.each(box<g>{}, [&](int q) {
              prefetch.step();
              contract_sum(to_nodes{}, read_line<axis::y, T, g>(values, 0, 0, 0, q), from_fluxes{},
                           read_line<axis::y, T, g>(s.slope_y, 0, c, 0, q),
                           write_line<axis::y, T>(s.plane, 0, 0, 0, q));
            });
          else
            sweep<axis::y>(team, box<1, 1, 1, g>{}, to_nodes{}, values, s.plane, prefetch);
          team.sync();
          rows_from(s.plane);
        }
        team.sync();
      }
  }

  // Nodes to points along z, and the z derivative there: values (C, n, g, g) -> values, slope_z (C, g, g, g).
  template <class Team, class Prefetch>
  SUMFAC_INLINE void interpolate_z(Team const& team, scratch<Team>& s, Prefetch& prefetch) const
  {
    using T = typename Team::scalar;
    team.phase("interpolate and differentiate along z");
    if constexpr (has_slopes)
      team.each(box<components, g, g>{}, [&](int c, int r, int q) {
        prefetch.step();
        contract_both(to_points{}, to_slopes{}, read_line<axis::z, T, n>(s.values, 0, c, r, q),
                      write_line<axis::z, T>(s.values, 0, c, r, q), write_line<axis::z, T>(s.slope_z, 0, c, r, q));
      });
    else
      sweep<axis::z>(team, box<1, components, g, g>{}, to_points{}, s.values, s.values, prefetch);
    team.sync();
  }

  // The z derivative where nodes are points: in (C, g, g, g) -> slope_z (C, g, g, g).
  template <class Team, class In, class Prefetch>
  SUMFAC_INLINE void differentiate_z(Team const& team, scratch<Team>& s, In const& in, Prefetch& prefetch) const
  {
    team.phase("differentiate along z");
    sweep<axis::z>(team, box<1, components, g, g>{}, derivative{}, numbers_of(in), s.slope_z, prefetch);
    team.sync();
  }

  // The form at the points of each plane: in, slope_z (C, g, g, g) -> v, and z fluxes in the derivatives' place.
  //
  // Derivatives, form and fluxes are loops of their own: a row that did all of it would be longer than what a core
  // looks ahead, so it would wait for one row's results before it began the next. Short rows are not, and stay in
  // registers.
  template <class Team, class In, class Values, class Prefetch>
  SUMFAC_INLINE void apply_planes(Team const& team, scratch<Team>& s, index_t group, In const& in, Values& v,
                                  Prefetch& prefetch) const
  {
    using T = typename Team::scalar;
    team.phase("apply the form in planes");
    for (int z = 0; z < gz; ++z) {
      exchange.prefetch_entries(s.exchanged, planes);
      if constexpr (has_slopes) plane_slopes(team, s, in, z, prefetch);
      auto const line_at = lines_of_plane<T>(s, group, z);
      team.each(box<gy>{}, [&](int r) {
        prefetch.step();
        if constexpr (short_rows)
          apply_short_row<T>(s, in, v, line_at(r), z, r);
        else
          apply_row<T>(s, in, v, line_at(r), z, r);
        if constexpr (collocated && !has_fluxes)
          for (int c = 0; c < components; ++c) exchange.finish_row(team, s.exchanged, group, c, z, r);
      });
      team.sync();
      if constexpr (has_fluxes) add_plane_fluxes(team, s, z, prefetch);
    }
  }

  // The derivatives within plane z: in (C, g, g, g) -> slope_y, slope_x (C, g, g).
  template <class Team, class In, class Prefetch>
  SUMFAC_INLINE void plane_slopes(Team const& team, scratch<Team>& s, In const& in, int z, Prefetch& prefetch) const
  {
    auto const plane = [&](int, int c, int, int r, int q) SUMFAC_LAMBDA { return in(c, z, r, q); };
    if constexpr (has_y && !joins_y)
      sweep<axis::y, components>(team, box<1, 1, g>{}, derivative{}, plane, s.slope_y, prefetch);
    if constexpr (!short_rows)
      sweep<axis::x, components>(team, box<1, 1, gy>{}, derivative{}, plane, s.slope_x, prefetch);
    team.sync();
  }

  // Called with r: the x line of points there in plane z.
  template <class T, class Scratch>
  SUMFAC_INLINE auto lines_of_plane(Scratch& s, index_t group, int z) const
  {
    if constexpr (Exchange::template makes_planes<0>)
      return exchange.template plane<T, 0>(group, 0, z);
    else
      return [this, &s, group, z](int r) { return exchange.template line_of<T, 0>(s.geometry, group, 0, z, r); };
  }

  // The form on one row of points: its derivatives become fluxes.
  template <class T, class Scratch, class In, class Values, class Line>
  SUMFAC_INLINE void apply_row(Scratch& s, In const& in, Values& v, Line const& at_point, int z, int r) const
  {
    apply_on_row<T>(
        s, at_point, z, r, [&](int c, int q) SUMFAC_LAMBDA { return in(c, z, r, q); },
        [&](int c, int q) SUMFAC_LAMBDA -> decltype(auto) { return s.slope_x(0, c, 0, r, q); },
        [&](int c, int q, T x) SUMFAC_LAMBDA {
          if constexpr (Problem::tests_values || !has_fluxes) v(c, z, r, q) = x;
        });
  }

  // The same with the x derivatives and the transpose of the x fluxes, all in registers.
  template <class T, class Scratch, class In, class Values, class Line>
  SUMFAC_INLINE void apply_short_row(Scratch& s, In const& in, Values& v, Line const& at_point, int z, int r) const
  {
    pencil<T, g> u[components], along[components];
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      u[c] = fetch<T, g>([&](int q) SUMFAC_LAMBDA { return in(c, z, r, q); });
      if constexpr (has_slopes) along[c] = contract(derivative{}, u[c]);
    }
    apply_on_row<T>(
        s, at_point, z, r, [&](int c, int q) SUMFAC_LAMBDA { return u[c][q]; },
        [&](int c, int q) SUMFAC_LAMBDA -> T& { return along[c][q]; },
        [&](int c, int q, T x) SUMFAC_LAMBDA { u[c][q] = x; });
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      if constexpr (has_fluxes) contract_add(divergence{}, along[c], u[c]);
      SUMFAC_UNROLL
      for (int q = 0; q < g; ++q) v(c, z, r, q) = u[c][q];
    }
  }

  // The form on one row of points, called with component and place: u, the x derivatives that become fluxes, and where
  // the values go.
  template <class T, class Scratch, class Line, class Value, class Along, class Put>
  SUMFAC_INLINE void apply_on_row(Scratch& s, Line const& at_point, int z, int r, Value const& u, Along const& along,
                                  Put const& put) const
  {
    apply_on_line<T, directions, g>(
        form, at_point, u, put, along,
        [&](auto c, int q) SUMFAC_LAMBDA -> decltype(auto) { return s.slope_y(0, c, 0, r, q); },
        [&](auto c, int q) SUMFAC_LAMBDA -> decltype(auto) { return s.slope_z(0, c, z, r, q); }, order_of_points{});
  }

  // The transpose of the fluxes within plane z: slope_x, slope_y (C, g, g) -> values (C, g, g, g).
  template <class Team, class Prefetch>
  SUMFAC_INLINE void add_plane_fluxes(Team const& team, scratch<Team>& s, int z, Prefetch& prefetch) const
  {
    plane_of values{s.values, 0, z};
    if constexpr (!short_rows) {
      if constexpr (Problem::tests_values)
        sweep<axis::x, test_components>(team, box<1, 1, gy>{}, divergence{}, s.slope_x, added_to(values), prefetch);
      else
        sweep<axis::x, test_components>(team, box<1, 1, gy>{}, divergence{}, s.slope_x, values, prefetch);
      team.sync();
    }
    if constexpr (has_y && !joins_y) {
      sweep<axis::y, test_components>(team, box<1, 1, g>{}, divergence{}, s.slope_y, added_to(values), prefetch);
      team.sync();
    }
  }

  // What is complete at nodes that are points, where no z direction is left: values (C, g, g) -> out.
  template <class Team, class Out>
  SUMFAC_INLINE void hand_over(Team const& team, scratch<Team>& s, index_t group, Out& out) const
  {
    for (int c = 0; c < test_components; ++c)
      team.each(box<gy>{}, [&](int r) {
        SUMFAC_UNROLL
        for (int q = 0; q < g; ++q) out(c, 0, r, q) = s.values(0, c, 0, r, q);
        exchange.finish_row(team, s.exchanged, group, c, 0, r);
      });
    team.sync();
  }

  // The z fluxes' transpose, and points to nodes along z: values, slope_z (C, g, g, g) -> out (C, n, g, g).
  template <class Team, class Out, class Prefetch>
  SUMFAC_INLINE void project_z(Team const& team, scratch<Team>& s, index_t group, Out& out, Prefetch& prefetch) const
  {
    using T = typename Team::scalar;
    team.phase("project along z");
    for (int c = 0; c < test_components; ++c)
      team.each(box<g, g>{}, [&](int r, int q) {
        prefetch.step();
        auto const flux = [&](int z) SUMFAC_LAMBDA { return s.slope_z(0, c, z, r, q); };
        if constexpr (collocated) {
          auto const put = [&](int z, T x) SUMFAC_LAMBDA { out(c, z, r, q) = s.values(0, c, z, r, q) + x; };
          contract(divergence{}, fetch<T, g>(flux), put);
          for (int z = 0; q + 1 == g && z < g; ++z) exchange.finish_row(team, s.exchanged, group, c, z, r);
        } else {
          auto const v = fetch<T, g>([&](int z) SUMFAC_LAMBDA { return s.values(0, c, z, r, q); });
          auto const put = [&](int k, T x) SUMFAC_LAMBDA { out(c, k, r, q) = x; };
          if constexpr (has_fluxes)
            contract_sum(to_nodes{}, v, from_fluxes{}, fetch<T, g>(flux), put);
          else
            contract(to_nodes{}, v, put);
        }
      });
    team.sync();
  }

  // A form without gradients: along each z line to the points, the form, and back: values (C, n, g, g) in place.
  template <class Team, class Prefetch>
  SUMFAC_INLINE void apply_z(Team const& team, scratch<Team>& s, index_t group, Prefetch& prefetch) const
  {
    using T = typename Team::scalar;
    team.phase("apply the form along z");
    team.each(box<g, g>{}, [&](int r, int q) {
      prefetch.step();
      auto const at_point = exchange.template line_of<T, 2>(s.geometry, group, 0, r, q);
      pencil<T, g> line[components];
      lines_of_test<Problem, T> tested;
      auto& result = tested.beside(line);
      SUMFAC_UNROLL
      for (int c = 0; c < components; ++c)
        line[c] = contract(to_points{}, fetch<T, n>([&](int k) SUMFAC_LAMBDA { return s.values(0, c, k, r, q); }));
      apply_on_line<T, 3, g>(
          form, at_point, [&](int c, int z) SUMFAC_LAMBDA { return line[c][z]; },
          [&](int c, int z, T x) SUMFAC_LAMBDA { result[c][z] = x; }, no_slopes{}, no_slopes{}, no_slopes{},
          order_of_points{});
      SUMFAC_UNROLL
      for (int c = 0; c < test_components; ++c)
        contract(to_nodes{}, result[c], [&](int k, T x) SUMFAC_LAMBDA { s.values(0, c, k, r, q) = x; });
    });
    team.sync();
  }

  // A form without gradients where nodes are points, or where no z direction is left: a diagonal.
  template <class Team, class In, class Out, class Prefetch>
  SUMFAC_INLINE void apply_points(Team const& team, scratch<Team>& s, index_t group, In const& in, Out& out,
                                  Prefetch& prefetch) const
  {
    using T = typename Team::scalar;
    team.phase("apply the form at the points");
    team.each(box<gz, gy>{}, [&](int z, int r) {
      if constexpr (!has_z) prefetch.step();
      auto const at_point = exchange.template line_of<T, 0>(s.geometry, group, 0, z, r);
      apply_on_line<T, directions, g>(
          form, at_point, [&](int c, int q) SUMFAC_LAMBDA { return in(c, z, r, q); },
          [&](int c, int q, T x) SUMFAC_LAMBDA { out(c, z, r, q) = x; });
      if constexpr (collocated)
        for (int c = 0; c < components; ++c) exchange.finish_row(team, s.exchanged, group, c, z, r);
    });
    team.sync();
  }

  // The order in which a line's points are worked: two at one distance from the middle share terms of recomputed
  // geometry.
  struct order_of_points {
    SUMFAC_INLINE constexpr int operator()(int step) const
    {
      return Exchange::reads_factors ? step : step % 2 == 0 ? step / 2 : g - 1 - step / 2;
    }
  };
};

}  // namespace sumfac::detail
