// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a team shares while it works through a group of elements.
#pragma once

#include <sumfac/math/detail/plain.hpp>
#include <sumfac/tensor/pencil.hpp>

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

  SUMFAC_NO_UNIQUE_ADDRESS array<!collocated || Problem::has_fluxes, components, of_values, gy, row> values;
  SUMFAC_NO_UNIQUE_ADDRESS array<differentiates && has_z, components, g, g, row> normal;
  SUMFAC_NO_UNIQUE_ADDRESS array<differentiates && has_y, components, g, row> lateral;  // y derivatives of a plane
  SUMFAC_NO_UNIQUE_ADDRESS array<differentiates, components, gy, row> along;            // its x derivatives and fluxes
  SUMFAC_NO_UNIQUE_ADDRESS array<!collocated && has_y, rows, row> plane;
  SUMFAC_NO_UNIQUE_ADDRESS Exchanged exchanged;
  SUMFAC_NO_UNIQUE_ADDRESS Geometry geometry;
};

}  // namespace sumfac::detail
