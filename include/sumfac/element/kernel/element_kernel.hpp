// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel for a group of elements: interpolate, differentiate, apply the form, and their transposes.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/kernel/element_scratch.hpp>
#include <sumfac/element/kernel/node_planes.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/tensor/pencil.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

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
  static constexpr int n = Problem::nodes_1d, g = Problem::points_1d, directions = Problem::directions;
  static constexpr int components = Problem::components, test_components = Problem::test_side::components;
  static constexpr bool has_y = directions >= 2, has_z = directions >= 3;
  static constexpr int nz = Problem::nodes_z, gy = Problem::points_y, gz = Problem::points_z;
  static constexpr int threads = g * g;
  static constexpr bool collocated = Problem::collocated, differentiates = Problem::differentiates;
  static constexpr bool has_slopes = Problem::has_slopes, has_fluxes = Problem::has_fluxes;
  static constexpr bool joins_y = node_planes<Problem>::joins_y;

  form_type form;
  Exchange exchange;  // where u, v and the factors are

  // Rows of points that fit into registers with their derivatives and fluxes.
  static constexpr bool short_rows = collocated && g <= 3;

  // Pencils and planes of one group, at each of which what the next ones need is prefetched.
  static constexpr int pencils_of_plane = 1 + (has_slopes + has_fluxes) * (short_rows || joins_y ? 1 : 2);
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
    if constexpr (!collocated) {
      node_planes<Problem>::template to_planes<planes>(team, s, exchange, in, prefetch);
      if constexpr (differentiates) {
        if constexpr (has_z) interpolate_z(team, s, prefetch);
        apply_planes(team, s, group, s.values, s.values, prefetch);
        if constexpr (has_z) project_z(team, s, group, s.values, prefetch);
      } else if constexpr (has_z) {
        apply_z(team, s, group, prefetch);
      } else {
        apply_points(team, s, group, s.values, s.values, prefetch);
      }
      node_planes<Problem>::template from_planes<planes>(team, s, exchange, group, out, prefetch);
    } else if constexpr (differentiates) {
      if constexpr (has_slopes && has_z) differentiate_z(team, s, in, prefetch);
      if constexpr (has_fluxes) {
        apply_planes(team, s, group, in, s.values, prefetch);
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
  using to_points = interpolate<scalar, typename Problem::nodes, typename Problem::points>;
  using to_nodes = typename node_planes<Problem>::to_nodes;
  using to_slopes = typename node_planes<Problem>::to_slopes;
  using from_fluxes = typename node_planes<Problem>::from_fluxes;
  using derivative = differentiate<scalar, typename Problem::points>;
  using divergence = transposed<derivative>;

  // Nodes to points along z, and the z derivative there: values (C, n, g, g) -> values, normal (C, g, g, g).
  template <class Team, class Prefetch>
  SUMFAC_INLINE void interpolate_z(Team const& team, scratch<Team>& s, Prefetch& prefetch) const
  {
    using T = typename Team::scalar;
    team.phase("interpolate and differentiate along z");
    for (int c = 0; c < components; ++c)
      team.each(box<g, g>{}, [&](int r, int q) {
        prefetch.step();
        auto const u = fetch<T, n>([&](int k) SUMFAC_LAMBDA { return s.values(c, k, r, q); });
        auto const put = [&](int z, T x) SUMFAC_LAMBDA { s.values(c, z, r, q) = x; };
        if constexpr (has_slopes)
          contract_both(to_points{}, to_slopes{}, u, put, [&](int z, T x) SUMFAC_LAMBDA { s.normal(c, z, r, q) = x; });
        else
          contract(to_points{}, u, put);
      });
    team.sync();
  }

  // The z derivative where nodes are points: in (C, g, g, g) -> normal (C, g, g, g).
  template <class Team, class In, class Prefetch>
  SUMFAC_INLINE void differentiate_z(Team const& team, scratch<Team>& s, In const& in, Prefetch& prefetch) const
  {
    using T = typename Team::scalar;
    team.phase("differentiate along z");
    for (int c = 0; c < components; ++c)
      team.each(box<g, g>{}, [&](int r, int q) {
        prefetch.step();
        auto const u = fetch<T, g>([&](int z) SUMFAC_LAMBDA { return in(c, z, r, q); });
        contract(derivative{}, u, [&](int z, T x) SUMFAC_LAMBDA { s.normal(c, z, r, q) = x; });
      });
    team.sync();
  }

  // The form at the points of each plane: in, normal (C, g, g, g) -> v, and z fluxes in the derivatives' place.
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

  // The derivatives within plane z: in (C, g, g, g) -> lateral, along (C, g, g).
  template <class Team, class In, class Prefetch>
  SUMFAC_INLINE void plane_slopes(Team const& team, scratch<Team>& s, In const& in, int z, Prefetch& prefetch) const
  {
    using T = typename Team::scalar;
    if constexpr (has_y && !joins_y)
      team.each(box<g>{}, [&](int q) {
        prefetch.step();
        for (int c = 0; c < components; ++c) {
          auto const u = fetch<T, g>([&](int r) SUMFAC_LAMBDA { return in(c, z, r, q); });
          contract(derivative{}, u, [&](int r, T x) SUMFAC_LAMBDA { s.lateral(c, r, q) = x; });
        }
      });
    if constexpr (!short_rows)
      team.each(box<gy>{}, [&](int r) {
        prefetch.step();
        for (int c = 0; c < components; ++c) {
          auto const u = fetch<T, g>([&](int q) SUMFAC_LAMBDA { return in(c, z, r, q); });
          contract(derivative{}, u, [&](int q, T x) SUMFAC_LAMBDA { s.along(c, r, q) = x; });
        }
      });
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
        [&](int c, int q) SUMFAC_LAMBDA -> decltype(auto) { return s.along(c, r, q); },
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
    SUMFAC_UNROLL
    for (int step = 0; step < g; ++step) {
      int const q = place_of(step);
      apply_at_point<T, directions>(
          form, at_point(q), [&](int c) SUMFAC_LAMBDA { return u(c, q); },
          [&](int c, T x) SUMFAC_LAMBDA { put(c, q, x); },
          [&](int c) SUMFAC_LAMBDA -> decltype(auto) { return along(c, q); },
          [&](auto c) SUMFAC_LAMBDA -> decltype(auto) { return s.lateral(c, r, q); },
          [&](auto c) SUMFAC_LAMBDA -> decltype(auto) { return s.normal(c, z, r, q); });
    }
  }

  // The transpose of the fluxes within plane z: along, lateral (C, g, g) -> values (C, g, g, g).
  template <class Team, class Prefetch>
  SUMFAC_INLINE void add_plane_fluxes(Team const& team, scratch<Team>& s, int z, Prefetch& prefetch) const
  {
    using T = typename Team::scalar;
    if constexpr (!short_rows) {
      team.each(box<gy>{}, [&](int r) {
        prefetch.step();
        for (int c = 0; c < test_components; ++c) {
          auto const flux = fetch<T, g>([&](int q) SUMFAC_LAMBDA { return s.along(c, r, q); });
          contract(divergence{}, flux, [&](int q, T x) SUMFAC_LAMBDA {
            s.values(c, z, r, q) = Problem::tests_values ? s.values(c, z, r, q) + x : x;
          });
        }
      });
      team.sync();
    }
    if constexpr (has_y && !joins_y) {
      team.each(box<g>{}, [&](int q) {
        prefetch.step();
        for (int c = 0; c < test_components; ++c) {
          auto const flux = fetch<T, g>([&](int r) SUMFAC_LAMBDA { return s.lateral(c, r, q); });
          contract(divergence{}, flux, [&](int r, T x) SUMFAC_LAMBDA { s.values(c, z, r, q) += x; });
        }
      });
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
        for (int q = 0; q < g; ++q) out(c, 0, r, q) = s.values(c, 0, r, q);
        exchange.finish_row(team, s.exchanged, group, c, 0, r);
      });
    team.sync();
  }

  // The z fluxes' transpose, and points to nodes along z: values, normal (C, g, g, g) -> out (C, n, g, g).
  template <class Team, class Out, class Prefetch>
  SUMFAC_INLINE void project_z(Team const& team, scratch<Team>& s, index_t group, Out& out, Prefetch& prefetch) const
  {
    using T = typename Team::scalar;
    team.phase("project along z");
    for (int c = 0; c < test_components; ++c)
      team.each(box<g, g>{}, [&](int r, int q) {
        prefetch.step();
        auto const flux = [&](int z) SUMFAC_LAMBDA { return s.normal(c, z, r, q); };
        if constexpr (collocated) {
          auto const put = [&](int z, T x) SUMFAC_LAMBDA { out(c, z, r, q) = s.values(c, z, r, q) + x; };
          contract(divergence{}, fetch<T, g>(flux), put);
          for (int z = 0; q + 1 == g && z < g; ++z) exchange.finish_row(team, s.exchanged, group, c, z, r);
        } else {
          auto const v = fetch<T, g>([&](int z) SUMFAC_LAMBDA { return s.values(c, z, r, q); });
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
        line[c] = contract(to_points{}, fetch<T, n>([&](int k) SUMFAC_LAMBDA { return s.values(c, k, r, q); }));
      SUMFAC_UNROLL
      for (int step = 0; step < g; ++step) {
        int const z = place_of(step);
        apply_at_point<T>(
            form, at_point(z), [&](int c) SUMFAC_LAMBDA { return line[c][z]; },
            [&](int c, T x) SUMFAC_LAMBDA { result[c][z] = x; });
      }
      SUMFAC_UNROLL
      for (int c = 0; c < test_components; ++c)
        contract(to_nodes{}, result[c], [&](int k, T x) SUMFAC_LAMBDA { s.values(c, k, r, q) = x; });
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
      SUMFAC_UNROLL
      for (int q = 0; q < g; ++q)
        apply_at_point<T, directions>(
            form, at_point(q), [&](int c) SUMFAC_LAMBDA { return in(c, z, r, q); },
            [&](int c, T x) SUMFAC_LAMBDA { out(c, z, r, q) = x; });
      if constexpr (collocated)
        for (int c = 0; c < components; ++c) exchange.finish_row(team, s.exchanged, group, c, z, r);
    });
    team.sync();
  }

  // The order of a line's points: recomputed geometry has terms that two as far from the middle share.
  static constexpr int place_of(int step)
  {
    return Exchange::reads_factors ? step : step % 2 == 0 ? step / 2 : g - 1 - step / 2;
  }
};

}  // namespace sumfac::detail
