// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel for a device's team: all points of its elements as cubes in scratch, lines of them in registers.
#pragma once

#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/kernel/plane_phases.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/element/kernel/points_in_flight.hpp>
#include <sumfac/element/tuning.hpp>
#include <sumfac/tensor/kept_table.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// What a reader has at a point, where that goes to registers: the factors, with what is kept of a form's inputs.
template <bool Early, class Factors, class T, class Reader>
struct read_early {
  using type = Factors;
};
template <class Factors, class T, class Reader>
struct read_early<true, Factors, T, Reader> {
  using type = decltype(std::declval<Reader const&>().template line<T, 0>(0, 0, 0, 0)(0));
};

// Whether a line of factors says where its numbers are, so that they can be copied to scratch.
template <class Factors, class T>
concept factors_in_places = requires(Factors const& f) { f.template line<T, 0>(index_t{}, 0, 0, 0).number_at(0, 0); };

// What a team shares: cubes of points, places for the factors of `Ring` points of each line, and what the geometry
// needs.
template <class Problem, tuning Tuning, class Exchanged, class Geometry, class Team, int Ring = 0>
struct cube_scratch {
  struct none {};
  struct no_ring {};
  static constexpr int g = Problem::points_1d;
  static constexpr bool differentiates = Problem::differentiates;
  static constexpr bool form_on_rows = differentiates || !Problem::collocated;
  static constexpr int n = Problem::most_nodes_1d, row = (differentiates ? g : n) + Tuning.padding;
  template <bool Needed>
  using cube = std::conditional_t<
      Needed,
      typename Team::template shared<typename Team::scalar, Tuning.elements, Problem::most_components, g, g, row>,
      none>;

  SUMFAC_NO_UNIQUE_ADDRESS cube<form_on_rows> values;
  SUMFAC_NO_UNIQUE_ADDRESS cube<differentiates> slope_y;  // y derivatives and fluxes
  SUMFAC_NO_UNIQUE_ADDRESS cube<differentiates> slope_z;  // z derivatives and fluxes
  template <int Points>
  struct ring_of {
    using type = typename Team::template shared<typename Problem::factor_number, Points, Problem::factors_of_point,
                                                Tuning.elements * g * g>;
  };
  template <int Points>
    requires(Points == 0)
  struct ring_of<Points> {
    using type = no_ring;
  };
  SUMFAC_NO_UNIQUE_ADDRESS typename ring_of<Ring>::type ring;
  SUMFAC_NO_UNIQUE_ADDRESS Exchanged exchanged;
  SUMFAC_NO_UNIQUE_ADDRESS Geometry geometry;

  template <class Name>
  void names(Name const& name)
  {
    name("values", values), name("slope_y", slope_y), name("slope_z", slope_z), name("ring", ring);
  }
};

// y = A x on the elements of one group. A thread takes a line of points to registers, contracts it and stores it back.
//
// u and v are read and written in lines along z where that suffices (their neighbours are neighbours in memory), and
// along y where the z line at the points is wanted in registers, for the z derivative. Test functions may be of a space
// of their own, of m nodes a direction.
// **Shapes** (e, c, z, y, x): element of the team, component, and nodes (k, j, i), points (z, r, q) or a mix.
// **Source** arXiv 1711.00903, kernels 7 and 8 of BP1.0, for the cube in place; the order of directions is ours.
template <class Problem, tuning Tuning, class Exchange>
struct cube_kernel {
  using form_type = typename Problem::form;
  using scalar = typename Problem::number;
  using test = typename Problem::test_side;
  static constexpr int directions = 3;
  static constexpr int n = Problem::nodes_1d, m = test::nodes_1d, g = Problem::points_1d;
  static constexpr int components = Problem::components, test_components = test::components;
  static constexpr int most_components = Problem::most_components, elements = Tuning.elements;
  // Right sides of several<>, and how many of them have threads of their own, where factors are read: these come from
  // the first cache to all but one.
  using one_of_form = functions_apart<form_type>;
  static constexpr int functions = Problem::has_one_side ? one_of_form::count : 1;
  static constexpr int side_by_side = [] {
    if (functions == 1 || !Problem::differentiates || !Exchange::reads_factors || Exchange::prepares ||
        Tuning.ahead == prefetch::scratch)
      return 1;
    return functions_side_by_side(functions, elements * g * g);
  }();
  static constexpr int threads = elements * g * g * side_by_side;
  static constexpr int resident_teams = Problem::has_one_side ? Tuning.resident_teams : 1;  // tunings are of one space
  static constexpr bool collocated = Problem::collocated;
  static constexpr bool has_slopes = Problem::has_slopes, has_fluxes = Problem::has_fluxes;
  static constexpr bool differentiates = Problem::differentiates;
  static constexpr bool prefetches_factors = Tuning.ahead == prefetch::cache && has_prefetch_distance<Exchange>;
  // Whether a thread has the points of an x line, or of a z line, when it applies the form.
  static constexpr bool form_on_rows = differentiates || !collocated;

  template <bool Needed, class Table>
  using table_if = std::conditional_t<Needed, Table, no_table>;

  form_type form;
  Exchange exchange;  // where u, v and the factors are
  using point_table = kept_table<interpolate<scalar, typename Problem::nodes, typename Problem::points>>;
  using slope_table = kept_table<differentiate<scalar, typename Problem::points>>;
  using test_table = kept_table<interpolate<scalar, typename test::nodes, typename Problem::points>>;
  using row_table = std::conditional_t<differentiates, slope_table, point_table>;
  using back_table = std::conditional_t<differentiates, slope_table, test_table>;
  table_if<!collocated, point_table> to_points = {};
  table_if<differentiates, slope_table> derivative = {};
  // (Empty tables have places of their own: without them nvcc 13 does not finish.)
  // Copies: nvcc holds entries of one table in registers from a phase to the next that uses it, and spills others.
  table_if<(Tuning.tables >= 3), row_table> along_rows = {};
  table_if<(Tuning.tables >= 3), back_table> back_along_rows = {};
  table_if<(Tuning.tables >= 4), row_table> along_y = {};
  table_if<!Problem::has_one_side, test_table> of_test = {};

  // Lines of points that the form is applied along: of x, or of z.
  static constexpr int form_direction = form_on_rows ? 0 : 2;

  // Points of a line whose factors are in scratch at once.
  static constexpr int ring_points = [] {
    if constexpr (Tuning.ahead == prefetch::scratch && differentiates && Exchange::reads_factors && !Exchange::prepares)
      if constexpr (factors_in_places<typename Exchange::factors_type, scalar>)
        return Tuning.points_ahead < g ? Tuning.points_ahead : g;
    return 0;
  }();

  template <class Team>
  using scratch = cube_scratch<Problem, Tuning, typename Exchange::vectors_type::template scratch<Team>,
                               typename Exchange::template geometry_scratch<Team>, Team, ring_points>;

  // Place of point (z, r, q) among an element's factors: threads side by side read numbers side by side.
  SUMFAC_FUNCTION static constexpr int point(int z, int r, int q)
  {
    return form_on_rows ? (q * g + z) * g + r : (z * g + r) * g + q;
  }

  template <class Team>
    requires line_vectors<typename Exchange::vectors_type, scratch<Team>> &&
             factor_reader<typename Exchange::factors_type, scalar>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    exchange.template prepare_lines<form_direction>(team, s.geometry, group);
    if constexpr (!differentiates) {
      if constexpr (collocated)
        apply_columns(team, s, group);
      else
        apply_values(team, s, group);
    } else {
      if constexpr (collocated)
        differentiate_columns(team, s, group);
      else
        interpolate_cube(team, s, group);
      if constexpr (has_slopes) differentiate_y(team, s);
      apply_rows(team, s, group);
      if constexpr (has_fluxes) add_y_fluxes(team, s);
      if constexpr (collocated)
        add_z_fluxes(team, s, group);
      else
        project_cube(team, s, group);
    }
  }

private:
  using T = scalar;

  // Factors are prefetched when u has been read: it is needed first.
  template <class Team>
  SUMFAC_INLINE void prefetch_factors(Team const& team, [[maybe_unused]] scratch<Team>& s, index_t group) const
  {
    if constexpr (prefetches_factors) exchange.prefetch_factors(team, group);
    if constexpr (ring_points > 0)
      team.each(box<elements, g, g>{}, [&](int e, int z, int r) { points_of_row(team, s, group, e, z, r).start(); });
  }

  // The points of a row, which come when they are asked for, or by way of registers or scratch.
  template <class Team>
  SUMFAC_INLINE auto points_of_row([[maybe_unused]] Team const& team, scratch<Team>& s, index_t group, int e, int z,
                                   int r) const
  {
    auto const line = exchange.template line_of<T, 0>(s.geometry, group, e, z, r);
    using line_type = std::remove_cvref_t<decltype(line)>;
    if constexpr (ring_points > 0)
      return points_in_scratch<Team, decltype(s.ring), line_type, ring_points, g>(team, s.ring, line,
                                                                                  (e * g + z) * g + r);
    else
      return points_in_flight<line_type, points_ahead, g>(line);
  }

  // The tables of the phases.
  SUMFAC_INLINE auto const& of_points() const { return either<differentiates>(derivative, to_points); }
  SUMFAC_INLINE auto const& of_test_nodes() const { return either<Problem::has_one_side>(to_points, of_test); }
  SUMFAC_INLINE auto const& of_rows() const { return either<(Tuning.tables >= 3)>(along_rows, of_points()); }
  SUMFAC_INLINE auto const& back_of_rows() const
  {
    return either<(Tuning.tables >= 3)>(back_along_rows, either<differentiates>(derivative, of_test_nodes()));
  }
  SUMFAC_INLINE auto const& of_y() const { return either<(Tuning.tables >= 4)>(along_y, of_points()); }
  SUMFAC_INLINE auto const& back_of_y() const
  {
    return either < differentiates || Problem::has_one_side > (of_y(), of_test);
  }

  // Whether the factors of a line go to registers before they are needed.
  static constexpr bool reads_early =
      Tuning.ahead == prefetch::registers && Exchange::reads_factors && !Exchange::prepares;

  // Points whose factors are on their way to registers while another one is worked on.
  static constexpr int points_ahead =
      Exchange::reads_factors && !Exchange::prepares && Tuning.points_ahead < g ? Tuning.points_ahead : 0;

  using point_type = typename read_early<reads_early, typename Problem::template factors_at_point<T>, T,
                                         typename Exchange::factors_type>::type;
  using factor_line = pencil<point_type, g>;

  // A diagonal: the points are the nodes and nothing is differentiated.
  template <class Team>
  SUMFAC_INLINE void apply_columns(Team const& team, scratch<Team>& s, index_t group) const
  {
    auto const memory = exchange.memory(s, group);
    team.phase("apply the form at the nodes");
    team.each(box<elements, g, g>{}, [&](int e, int r, int q) {
      pencil<T, g> line[components];
      SUMFAC_UNROLL
      for (int c = 0; c < components; ++c) line[c] = memory.template read<axis::z>(e, c, r, q);
      apply_values(line, line, exchange.template line_of<T, 2>(s.geometry, group, e, r, q));
      SUMFAC_UNROLL
      for (int c = 0; c < components; ++c) {
        auto const v = memory.template write<axis::z>(e, c, r, q);
        SUMFAC_UNROLL
        for (int z = 0; z < g; ++z) v(z, line[c][z]);
      }
    });
    prefetch_factors(team, s, group);
  }

  // No derivatives: z, y, x to the points, the form in registers, and x, y, z back.
  template <class Team>
  SUMFAC_INLINE void apply_values(Team const& team, scratch<Team>& s, index_t group) const
  {
    typename Team::template per_thread<factor_line, elements, g, g> early;
    if constexpr (reads_early)
      team.each(box<elements, g, g>{}, [&](int e, int z, int r) {
        early(e, z, r) = fetch<point_type, g>(exchange.template line_of<T, 0>(s.geometry, group, e, z, r));
      });

    auto const memory = exchange.memory(s, group);
    team.phase("interpolate along z");
    sweep<axis::z, components>(team, box<elements, n, n>{}, to_points.forward(), memory, s.values);
    prefetch_factors(team, s, group);
    team.sync();
    team.phase("interpolate along y");
    sweep<axis::y, components>(team, box<elements, g, n>{}, of_y().forward(), s.values, s.values);
    team.sync();
    team.phase("apply the form along x");
    team.each(box<elements, g, g>{}, [&](int e, int z, int r) {
      pencil<T, g> line[components];
      SUMFAC_UNROLL
      for (int c = 0; c < components; ++c)
        line[c] = contract(of_rows().forward(), read_line<axis::x, T, n>(s.values, e, c, z, r));
      lines_of_test<Problem, T> tested;
      auto& result = tested.beside(line);
      if constexpr (reads_early)
        apply_values(line, result, [&](int q) SUMFAC_LAMBDA { return early(e, z, r)[q]; });
      else
        apply_values(line, result, exchange.template line_of<T, 0>(s.geometry, group, e, z, r));
      SUMFAC_UNROLL
      for (int c = 0; c < test_components; ++c)
        contract(back_of_rows().backward(), result[c], write_line<axis::x, T>(s.values, e, c, z, r));
    });
    team.sync();
    team.phase("project along y");
    sweep<axis::y, test_components>(team, box<elements, g, m>{}, back_of_y().backward(), s.values, s.values);
    team.sync();
    team.phase("project along z");
    sweep<axis::z, test_components>(team, box<elements, m, m>{}, of_test_nodes().backward(), s.values, memory);
  }

  // The form on a line of values; at_point(q) is its point q.
  template <class Line>
  SUMFAC_INLINE void apply_values(pencil<T, g> const (&line)[components], pencil<T, g> (&result)[test_components],
                                  Line const& at_point) const
  {
    apply_on_line<T, 3, g>(
        form, at_point, [&](int c, int q) SUMFAC_LAMBDA { return line[c][q]; },
        [&](int c, int q, T x) SUMFAC_LAMBDA { result[c][q] = x; });
  }

  // u at the points and its z derivative there, where the points are the nodes.
  template <class Team>
  SUMFAC_INLINE void differentiate_columns(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.phase(has_slopes ? "differentiate along z" : "columns to scratch");
    team.each(box<elements, components, g, g>{}, [&](int e, int c, int r, int q) {
      store_slope_z(s, e, c, r, q, exchange.memory(s, group).template read<axis::z>(e, c, r, q));
    });
    prefetch_factors(team, s, group);
    team.sync();
  }

  // The same where they are not: y, x, then z, whose line stays in registers.
  template <class Team>
  SUMFAC_INLINE void interpolate_cube(Team const& team, scratch<Team>& s, index_t group) const
  {
    interpolate_planes<elements, components>(team, to_points.forward(), exchange.memory(s, group), s.values,
                                             [&] { prefetch_factors(team, s, group); });
    team.phase(has_slopes ? "interpolate and differentiate along z" : "interpolate along z");
    team.each(box<elements, components, g, g>{}, [&](int e, int c, int r, int q) {
      store_slope_z(s, e, c, r, q, contract(to_points.forward(), read_line<axis::z, T, n>(s.values, e, c, r, q)));
    });
    team.sync();
  }

  template <class Scratch>
  SUMFAC_INLINE void store_slope_z(Scratch& s, int e, int c, int r, int q, pencil<T, g> const& line) const
  {
    SUMFAC_UNROLL
    for (int z = 0; z < g; ++z) s.values(e, c, z, r, q) = line[z];
    if constexpr (has_slopes) contract(derivative.forward(), line, write_line<axis::z, T>(s.slope_z, e, c, r, q));
  }

  template <class Team>
  SUMFAC_INLINE void differentiate_y(Team const& team, scratch<Team>& s) const
  {
    team.phase("differentiate along y");
    sweep<axis::y>(team, box<elements, components, g, g>{}, of_y().forward(), s.values, s.slope_y);
    team.sync();
  }

  // Row by row: the x derivative, the form, and the x fluxes' transpose; y and z fluxes take their derivatives' place.
  template <class Team>
  SUMFAC_INLINE void apply_rows(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.phase("apply the form in rows");
    if constexpr (side_by_side == 1)
      team.each(box<elements, g, g>{}, [&](int e, int z, int r) { apply_row(team, s, group, form, e, 0, z, r); });
    else
      team.each(box<elements, side_by_side, g, g>{}, [&](int e, int own, int z, int r) {
        typename one_of_form::form const& of_one = form;
        for (int function = own; function < functions; function += side_by_side)
          apply_row(team, s, group, of_one, e, function, z, r);
      });
    team.sync();
  }

  // A row of a form's components, which is one function's, or all.
  template <class Team, class Form>
  SUMFAC_INLINE void apply_row(Team const& team, scratch<Team>& s, index_t group, Form const& of, int e, int function,
                               int z, int r) const
  {
    constexpr int of_trial = components_of<Form>, of_tested = test_components_of<Form>;
    int const u = function * of_trial, w = function * of_tested;  // where its components begin
    auto at_point = points_of_row(team, s, group, e, z, r);
    pencil<T, g> slope[of_trial > of_tested ? of_trial : of_tested], v[of_tested];
    if constexpr (has_slopes) {
      SUMFAC_UNROLL
      for (int c = 0; c < of_trial; ++c)
        slope[c] = contract(of_rows().forward(), read_line<axis::x, T, g>(s.values, e, u + c, z, r));
    }
    apply_on_line<T, 3, g>(
        of, at_point, [&](int c, int q) SUMFAC_LAMBDA -> T { return s.values(e, u + c, z, r, q); },
        [&](int c, int q, T x) SUMFAC_LAMBDA { v[c][q] = x; },
        [&](int c, int q) SUMFAC_LAMBDA -> T& { return slope[c][q]; },
        [&](int c, int q) SUMFAC_LAMBDA -> decltype(auto) { return s.slope_y(e, u + c, z, r, q); },
        [&](int c, int q) SUMFAC_LAMBDA -> decltype(auto) { return s.slope_z(e, u + c, z, r, q); });
    SUMFAC_UNROLL
    for (int c = 0; c < of_tested; ++c) {
      if constexpr (has_fluxes) {
        contract(back_of_rows().backward(), slope[c], [&](int q, T x) SUMFAC_LAMBDA {
          s.values(e, w + c, z, r, q) = Problem::tests_values ? v[c][q] + x : x;
        });
      } else {
        SUMFAC_UNROLL
        for (int q = 0; q < g; ++q) s.values(e, w + c, z, r, q) = v[c][q];
      }
    }
  }

  template <class Team>
  SUMFAC_INLINE void add_y_fluxes(Team const& team, scratch<Team>& s) const
  {
    team.phase("transpose the y fluxes");
    sweep<axis::y>(team, box<elements, test_components, g, g>{}, of_y().backward(), s.slope_y, added_to(s.values));
    team.sync();
  }

  template <class Team>
  SUMFAC_INLINE void add_z_fluxes(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.phase(has_fluxes ? "transpose the z fluxes" : "columns to memory");
    team.each(box<elements, components, g, g>{}, [&](int e, int c, int r, int q) {
      auto const v = exchange.memory(s, group).template write<axis::z>(e, c, r, q);
      if constexpr (has_fluxes) {
        auto const flux = read_line<axis::z, T, g>(s.slope_z, e, c, r, q);
        contract(derivative.backward(), flux, [&](int z, T x) SUMFAC_LAMBDA { v(z, s.values(e, c, z, r, q) + x); });
      } else {
        SUMFAC_UNROLL
        for (int z = 0; z < g; ++z) v(z, s.values(e, c, z, r, q));
      }
    });
  }

  template <class Team>
  SUMFAC_INLINE void project_cube(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.phase(has_fluxes ? "transpose the z fluxes and project along z" : "project along z");
    team.each(box<elements, test_components, g, g>{}, [&](int e, int c, int r, int q) {
      auto v = read_line<axis::z, T, g>(s.values, e, c, r, q);
      if constexpr (has_fluxes) contract_add(derivative.backward(), read_line<axis::z, T, g>(s.slope_z, e, c, r, q), v);
      contract(of_test_nodes().backward(), v, write_line<axis::z, T>(s.values, e, c, r, q));
    });
    team.sync();
    project_planes<elements, test_components>(team, of_test_nodes().backward(), s.values, exchange.memory(s, group));
  }
};

}  // namespace sumfac::detail
