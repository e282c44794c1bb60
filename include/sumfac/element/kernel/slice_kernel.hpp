// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel for a device's team: columns of points in registers, a few planes of derivatives in scratch.
#pragma once

#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/kernel/plane_phases.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/element/tuning.hpp>
#include <sumfac/tensor/kept_table.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// What a team shares: a few planes of points, and what the geometry needs.
template <class Problem, tuning Tuning, class Exchanged, class Geometry, class Team>
struct slice_scratch {
  static constexpr int n = Problem::nodes_1d, g = Problem::points_1d, planes = Tuning.planes;
  static constexpr int layers = Problem::collocated || 3 * planes > n ? 3 * planes : n;

  // Of a slice: u, then y and x derivatives and fluxes, `planes` each. Before and after: n layers of nodes.
  typename Team::template shared<typename Team::scalar, Tuning.elements, Problem::components, layers, g,
                                 g + Tuning.padding>
      layer;
  SUMFAC_NO_UNIQUE_ADDRESS Exchanged exchanged;
  SUMFAC_NO_UNIQUE_ADDRESS Geometry geometry;

  void names(auto const& name) { name("layer", layer); }
};

// y = A x on the elements of one group, for forms with derivatives.
//
// Each thread owns the column (z = 0 .. g - 1) of points at its (r, q): u, which becomes v, and the z derivative, which
// becomes the z flux. Derivatives along y and x need neighbours: `planes` layers of u go to scratch at a time, and
// pencils of them are contracted by all threads. Scratch is planes of (g, g) alone, which interpolation uses before.
// **Shapes** (e, c, z, y, x): element of the team, component, and nodes (k, j, i), points (z, r, q) or a mix.
// **Source** arXiv 1711.00903, kernel 10 of BP3.5, for the columns; slices of several planes and pencils are ours.
template <class Problem, tuning Tuning, class Exchange>
struct slice_kernel {
  using form_type = typename Problem::form;
  using scalar = typename Problem::number;
  static constexpr int directions = 3;
  static constexpr int n = Problem::nodes_1d, g = Problem::points_1d;
  static constexpr int components = Problem::components, elements = Tuning.elements;
  static constexpr int threads = elements * g * g, resident_teams = Tuning.resident_teams;
  static constexpr bool collocated = Problem::collocated;
  static constexpr bool has_slopes = Problem::has_slopes, has_fluxes = Problem::has_fluxes;
  static constexpr bool prefetches_factors = Tuning.ahead == prefetch::cache && has_prefetch_distance<Exchange>;
  static constexpr int planes = Tuning.planes, slices = (g + planes - 1) / planes;
  static_assert(Problem::differentiates,
                "sumfac::slice_kernel: the form has no derivatives: choose variant::cubes, which needs one cube then");

  form_type form;
  Exchange exchange;  // where u, v and the factors are
  kept_table<interpolate<scalar, typename Problem::nodes, typename Problem::points>> to_points = {};
  kept_table<differentiate<scalar, typename Problem::points>> derivative = {};

  template <class Team>
  using scratch = slice_scratch<Problem, Tuning, typename Exchange::vectors_type::template scratch<Team>,
                                typename Exchange::template geometry_scratch<Team>, Team>;

  // Lines of points that the form is applied along: of z.
  static constexpr int form_direction = 2;

  // Place of point (z, r, q) among an element's factors: threads side by side read numbers side by side.
  SUMFAC_FUNCTION static constexpr int point(int z, int r, int q) { return (z * g + r) * g + q; }

  template <class Team>
    requires line_vectors<typename Exchange::vectors_type, scratch<Team>> &&
             factor_reader<typename Exchange::factors_type, scalar>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    typename Team::template per_thread<columns, elements, g, g> mine;
    exchange.template prepare_lines<form_direction>(team, s.geometry, group);
    if constexpr (!collocated)
      interpolate_planes<elements, components>(team, to_points.forward(), exchange.memory(s, group), s.layer,
                                               [&] { prefetch_factors(team, group); });
    team.phase("columns to points");
    team.each(box<elements, g, g>{}, [&](int e, int r, int q) {
      columns& own = mine(e, r, q);
      SUMFAC_UNROLL
      for (int c = 0; c < components; ++c) {
        own.line[c] = column_at_points(s, group, e, c, r, q);
        if constexpr (has_slopes) own.slope[c] = contract(derivative.forward(), own.line[c]);
      }
    });
    if constexpr (collocated) prefetch_factors(team, group);
    SUMFAC_UNROLL
    for (int slice = 0; slice < slices; ++slice) apply_slice(team, s, mine, group, slice * planes);
    team.phase("columns to nodes");
    team.each(box<elements, g, g>{}, [&](int e, int r, int q) {
      columns& own = mine(e, r, q);
      SUMFAC_UNROLL
      for (int c = 0; c < components; ++c) store_column(s, group, e, c, r, q, own.line[c], own.slope[c]);
    });
    if constexpr (!collocated) {
      team.sync();
      project_planes<elements, components>(team, to_points.backward(), s.layer, exchange.memory(s, group));
    }
  }

private:
  using T = scalar;

  // Factors are prefetched when u has been read: it is needed first.
  template <class Team>
  SUMFAC_INLINE void prefetch_factors(Team const& team, index_t group) const
  {
    if constexpr (prefetches_factors) exchange.prefetch_factors(team, group);
  }

  // What a thread keeps: u or v, and the derivative or the flux along z, at its points.
  struct columns {
    pencil<T, g> line[components], slope[components];
  };

  // u at the points of a column.
  template <class Scratch>
  SUMFAC_INLINE pencil<T, g> column_at_points(Scratch& s, index_t group, int e, int c, int r, int q) const
  {
    if constexpr (collocated)
      return exchange.memory(s, group).template read<axis::z>(e, c, r, q);
    else
      return contract(to_points.forward(), fetch<T, n>([&](int k) SUMFAC_LAMBDA { return s.layer(e, c, k, r, q); }));
  }

  // v plus the z fluxes' transpose, to the nodes of a column.
  template <class Scratch>
  SUMFAC_INLINE void store_column(Scratch& s, index_t group, int e, int c, int r, int q, pencil<T, g>& v,
                                  pencil<T, g> const& flux) const
  {
    if constexpr (collocated) {
      auto const out = exchange.memory(s, group).template write<axis::z>(e, c, r, q);
      if constexpr (has_fluxes) {
        contract(derivative.backward(), flux, [&](int z, T x) SUMFAC_LAMBDA { out(z, v[z] + x); });
      } else {
        SUMFAC_UNROLL
        for (int z = 0; z < g; ++z) out(z, v[z]);
      }
    } else {
      if constexpr (has_fluxes) contract_add(derivative.backward(), flux, v);
      contract(to_points.backward(), v, [&](int k, T x) SUMFAC_LAMBDA { s.layer(e, c, k, r, q) = x; });
    }
  }

  // The form at the points of layers first .. first + planes - 1 (those that exist).
  template <class Team, class Mine>
  SUMFAC_INLINE void apply_slice(Team const& team, scratch<Team>& s, Mine& mine, index_t group, int first) const
  {
    if constexpr (has_slopes) differentiate_slice(team, s, mine, first);
    team.phase("apply the form");
    team.each(box<elements, g, g>{}, [&](int e, int r, int q) {
      auto const at_point = exchange.template line_of<T, 2>(s.geometry, group, e, r, q);
      SUMFAC_UNROLL
      for (int p = 0; p < planes; ++p)
        if (first + p < g) apply_point(s, mine(e, r, q), at_point, e, p, first + p, r, q);
    });
    if constexpr (has_fluxes) add_fluxes(team, s, mine, first);
  }

  // The derivatives along y and x in a slice.
  template <class Team, class Mine>
  SUMFAC_INLINE void differentiate_slice(Team const& team, scratch<Team>& s, Mine& mine, int first) const
  {
    team.phase("slice to scratch");
    team.each(box<elements, g, g>{}, [&](int e, int r, int q) {
      in_slice(mine(e, r, q), first, [&](T& at, int c, int p) SUMFAC_LAMBDA { s.layer(e, c, p, r, q) = at; });
    });
    team.sync();
    team.phase("differentiate in planes");
    contract_slice(team, s, first, derivative.forward(), 0, 0);
    team.sync();
  }

  // Their fluxes' transpose, added to the columns.
  template <class Team, class Mine>
  SUMFAC_INLINE void add_fluxes(Team const& team, scratch<Team>& s, Mine& mine, int first) const
  {
    team.sync();
    team.phase("transpose the fluxes in planes");
    contract_slice(team, s, first, derivative.backward(), along_x, along_y);
    team.sync();
    team.phase("add the slice");
    team.each(box<elements, g, g>{}, [&](int e, int r, int q) {
      in_slice(mine(e, r, q), first, [&](T& at, int c, int p) SUMFAC_LAMBDA {
        at += s.layer(e, c, along_x + p, r, q) + s.layer(e, c, along_y + p, r, q);
      });
    });
  }

  // Calls f(number, c, p) for the numbers of a column in a slice.
  template <class Function>
  SUMFAC_INLINE static void in_slice(columns& own, int first, Function const& f)
  {
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      SUMFAC_UNROLL
      for (int p = 0; p < planes; ++p)
        if (first + p < g) f(own.line[c][first + p], c, p);
    }
  }

  // Layers of a slice's derivatives.
  static constexpr int along_y = planes, along_x = 2 * planes;

  // All lines of a slice at once: layers from_x on along x, to along_x; layers from_y on along y, to along_y.
  template <class Team, class Scratch, class Table>
  SUMFAC_INLINE static void contract_slice(Team const& team, Scratch& s, int first, Table table, int from_x, int from_y)
  {
    team.each(box<elements, components, 2, planes, g>{}, [&](int e, int c, int direction, int p, int at) {
      if (first + p >= g) return;
      if (direction == 0)
        contract(table, read_line<axis::x, T, g>(s.layer, e, c, from_x + p, at),
                 write_line<axis::x, T>(s.layer, e, c, along_x + p, at));
      else
        contract(table, read_line<axis::y, T, g>(s.layer, e, c, from_y + p, at),
                 write_line<axis::y, T>(s.layer, e, c, along_y + p, at));
    });
  }

  template <class Scratch, class Line>
  SUMFAC_INLINE void apply_point(Scratch& s, columns& own, Line const& at_point, int e, int p, int z, int r,
                                 int q) const
  {
    apply_at_point<T>(
        form, at_point(z), [&](int c) SUMFAC_LAMBDA { return own.line[c][z]; },
        [&](int c, T x) SUMFAC_LAMBDA { own.line[c][z] = x; },
        [&](int c) SUMFAC_LAMBDA -> decltype(auto) { return s.layer(e, c, along_x + p, r, q); },
        [&](int c) SUMFAC_LAMBDA -> decltype(auto) { return s.layer(e, c, along_y + p, r, q); },
        [&](int c) SUMFAC_LAMBDA -> T& { return own.slope[c][z]; });
  }
};

}  // namespace sumfac::detail
