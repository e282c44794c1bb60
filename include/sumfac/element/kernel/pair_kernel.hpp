// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel for a device's team where trial and test functions are of two spaces.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/element/tuning.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/tensor/contract_lines.hpp>
#include <sumfac/tensor/kept_table.hpp>
#include <sumfac/tensor/pencil.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// What a team shares: u at the points and its derivatives along y and z there, then what is tested against them.
template <class Problem, tuning Tuning, class Geometry, class Team>
struct pair_scratch {
  struct none {};
  static constexpr int directions = Problem::directions;
  static constexpr int components = greater(Problem::components, Problem::test_side::components);
  template <bool Needed>
  using cube = std::conditional_t<
      Needed,
      typename Team::template shared<typename Team::scalar, Tuning.elements, components, Problem::points_z,
                                     Problem::points_y, Problem::points_1d + Tuning.padding>,
      none>;

  SUMFAC_NO_UNIQUE_ADDRESS cube<true> values;
  SUMFAC_NO_UNIQUE_ADDRESS cube<Problem::differentiates && directions >= 2> lateral;
  SUMFAC_NO_UNIQUE_ADDRESS cube<Problem::differentiates && directions == 3> normal;
  SUMFAC_NO_UNIQUE_ADDRESS Geometry geometry;

  template <class Name>
  void names(Name const& name)
  {
    name("values", values);
    if constexpr (Problem::differentiates && directions >= 2) name("lateral", lateral);
    if constexpr (Problem::differentiates && directions == 3) name("normal", normal);
  }
};

// y = A x on the elements of one group, from n nodes per direction to m: a line of nodes or points a thread.
//
// Lines go to the points along z, y and x, in place, the first of these from memory; the form is applied along rows of
// x, where its derivatives are registers; and the other nodes are come to along x, y and z. Elements of fewer
// directions have fewer of these phases. It is one way for all degrees, which has not been tuned.
// **Shapes** (e, c, z, y, x): element of the team, component, nodes, points or a mix; z and y are 1 on lines.
template <class Problem, tuning Tuning, class Exchange>
struct pair_kernel {
  using form_type = typename Problem::form;
  using scalar = typename Problem::number;
  using test = typename Problem::test_side;
  static constexpr int directions = Problem::directions, n = Problem::nodes_1d, m = test::nodes_1d;
  static constexpr int g = Problem::points_1d, gy = Problem::points_y, gz = Problem::points_z;
  static constexpr int components = Problem::components, test_components = test::components;
  static constexpr int most_components = greater(components, test_components);
  static constexpr int elements = Tuning.elements, threads = elements * gy * gz, resident_teams = 1;
  static constexpr bool has_y = directions >= 2, has_z = directions == 3;
  static constexpr bool has_slopes = Problem::has_slopes, has_fluxes = Problem::has_fluxes;
  static constexpr bool differentiates = Problem::differentiates, collocated = false, prefetches_factors = false;

  form_type form;
  Exchange exchange;  // where u, v and the factors are
  kept_table<interpolate<scalar, typename Problem::nodes, typename Problem::points>> to_points = {};
  kept_table<interpolate<scalar, typename test::nodes, typename Problem::points>> of_test = {};
  kept_table<differentiate<scalar, typename Problem::points>> derivative = {};

  template <class Team>
  using scratch = pair_scratch<Problem, Tuning, typename Exchange::template geometry_scratch<Team>, Team>;

  // Place of point (z, r, q) among an element's factors: threads side by side read numbers side by side.
  SUMFAC_FUNCTION static constexpr int point(int z, int r, int q) { return (q * gz + z) * gy + r; }

  template <class Team>
    requires line_vectors<typename Exchange::vectors_type> && factor_reader<typename Exchange::factors_type, scalar>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    exchange.template prepare_lines<0>(team, s.geometry, group);
    read_lines(team, s, group);
    if constexpr (has_slopes) differentiate_values(team, s);
    apply_rows(team, s, group);
    if constexpr (has_fluxes) add_fluxes(team, s);
    write_lines(team, s, group);
  }

private:
  using T = scalar;

  // Nodes to points.
  template <class Team>
  SUMFAC_INLINE void read_lines(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.phase("lines of nodes to points");
    if constexpr (has_z)
      team.each(box<elements, components, n, n>{}, [&](int e, int c, int j, int i) {
        contract(to_points.forward(), exchange.along_z(group, e, c, j, i),
                 [&](int z, T x) SUMFAC_LAMBDA { s.values(e, c, z, j, i) = x; });
      });
    else if constexpr (has_y)
      team.each(box<elements, components, n>{}, [&](int e, int c, int i) {
        contract(to_points.forward(), exchange.along_y(group, e, c, 0, i),
                 [&](int r, T x) SUMFAC_LAMBDA { s.values(e, c, 0, r, i) = x; });
      });
    else
      team.each(box<elements, components>{}, [&](int e, int c) {
        contract(to_points.forward(), exchange.along_x(group, e, c, 0, 0),
                 [&](int q, T x) SUMFAC_LAMBDA { s.values(e, c, 0, 0, q) = x; });
      });
    team.sync();
    if constexpr (has_z) {
      auto const along_y = lines_along<axis::y>(s.values);
      contract_lines(team, box<elements, components, g, n>{}, to_points.forward(), along_y, along_y);
      team.sync();
    }
    if constexpr (has_y) {
      auto const along_x = lines_along<axis::x>(s.values);
      contract_lines(team, box<elements, components, gz, gy>{}, to_points.forward(), along_x, along_x);
      team.sync();
    }
  }

  // Derivatives along y and z, from values at the points.
  template <class Team>
  SUMFAC_INLINE void differentiate_values(Team const& team, scratch<Team>& s) const
  {
    team.phase("differentiate");
    if constexpr (has_y)
      contract_lines(team, box<elements, components, gz, g>{}, derivative.forward(), lines_along<axis::y>(s.values),
                     lines_along<axis::y>(s.lateral));
    if constexpr (has_z)
      contract_lines(team, box<elements, components, g, g>{}, derivative.forward(), lines_along<axis::z>(s.values),
                     lines_along<axis::z>(s.normal));
    if constexpr (has_y) team.sync();
  }

  // Row by row: the x derivatives, the form, and the x fluxes' transpose; y and z fluxes take the derivatives' place.
  template <class Team>
  SUMFAC_INLINE void apply_rows(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.phase("apply the form in rows");
    team.each(box<elements, gz, gy>{}, [&](int e, int z, int r) {
      auto const at_point = exchange.template line_of<T, 0>(s.geometry, group, e, z, r);
      pencil<T, g> slope[most_components], v[test_components];
      if constexpr (has_slopes) {
        SUMFAC_UNROLL
        for (int c = 0; c < components; ++c)
          slope[c] =
              contract(derivative.forward(), fetch<T, g>([&](int q) SUMFAC_LAMBDA { return s.values(e, c, z, r, q); }));
      }
      SUMFAC_UNROLL
      for (int q = 0; q < g; ++q) {
        auto const value = [&](int c) SUMFAC_LAMBDA -> T { return s.values(e, c, z, r, q); };
        auto const put = [&](int c, T x) SUMFAC_LAMBDA { v[c][q] = x; };
        auto const along_x = [&](int c) SUMFAC_LAMBDA -> T& { return slope[c][q]; };
        if constexpr (!differentiates)
          apply_at_point<T, directions>(form, at_point(q), value, put);
        else if constexpr (has_z)
          apply_at_point<T, directions>(
              form, at_point(q), value, put, along_x,
              [&](int c) SUMFAC_LAMBDA -> decltype(auto) { return s.lateral(e, c, z, r, q); },
              [&](int c) SUMFAC_LAMBDA -> decltype(auto) { return s.normal(e, c, z, r, q); });
        else if constexpr (has_y)
          apply_at_point<T, directions>(form, at_point(q), value, put, along_x,
                                        [&](int c)
                                            SUMFAC_LAMBDA -> decltype(auto) { return s.lateral(e, c, z, r, q); });
        else
          apply_at_point<T, directions>(form, at_point(q), value, put, along_x);
      }
      SUMFAC_UNROLL
      for (int c = 0; c < test_components; ++c) {
        if constexpr (has_fluxes) contract_add(derivative.backward(), slope[c], v[c]);
        SUMFAC_UNROLL
        for (int q = 0; q < g; ++q) s.values(e, c, z, r, q) = v[c][q];
      }
    });
    team.sync();
  }

  // The y and z fluxes' transposes, to the values.
  template <class Team>
  SUMFAC_INLINE void add_fluxes(Team const& team, scratch<Team>& s) const
  {
    team.phase("transpose the fluxes");
    if constexpr (has_y) {
      contract_lines(team, box<elements, test_components, gz, g>{}, derivative.backward(),
                     lines_along<axis::y>(s.lateral), add_to(lines_along<axis::y>(s.values)));
      team.sync();
    }
    if constexpr (has_z) {
      contract_lines(team, box<elements, test_components, g, g>{}, derivative.backward(),
                     lines_along<axis::z>(s.normal), add_to(lines_along<axis::z>(s.values)));
      team.sync();
    }
  }

  // Points to the nodes of the test functions.
  template <class Team>
  SUMFAC_INLINE void write_lines(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.phase("lines of points to nodes");
    if constexpr (has_y) {
      auto const along_x = lines_along<axis::x>(s.values);
      contract_lines(team, box<elements, test_components, gz, gy>{}, of_test.backward(), along_x, along_x);
      team.sync();
    }
    if constexpr (has_z) {
      auto const along_y = lines_along<axis::y>(s.values);
      contract_lines(team, box<elements, test_components, g, m>{}, of_test.backward(), along_y, along_y);
      team.sync();
      team.each(box<elements, test_components, m, m>{}, [&](int e, int c, int j, int i) {
        contract(of_test.backward(), fetch<T, g>([&](int z) SUMFAC_LAMBDA { return s.values(e, c, z, j, i); }),
                 exchange.to_z(group, e, c, j, i));
      });
    } else if constexpr (has_y) {
      team.each(box<elements, test_components, m>{}, [&](int e, int c, int i) {
        contract(of_test.backward(), fetch<T, g>([&](int r) SUMFAC_LAMBDA { return s.values(e, c, 0, r, i); }),
                 exchange.to_y(group, e, c, 0, i));
      });
    } else {
      team.each(box<elements, test_components>{}, [&](int e, int c) {
        contract(of_test.backward(), fetch<T, g>([&](int q) SUMFAC_LAMBDA { return s.values(e, c, 0, 0, q); }),
                 exchange.to_x(group, e, c, 0, 0));
      });
    }
  }
};

}  // namespace sumfac::detail
