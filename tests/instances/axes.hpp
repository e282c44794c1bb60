// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The names of the table's columns behind the form: spaces, points, backends with a way, numbers, geometry.
#pragma once

#include "forms_of_components.hpp"
#include "forms_with_inputs.hpp"
#include "forms_with_tables.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/element/tuning.hpp>
#include <sumfac/math/precision.hpp>
#include <sumfac/mesh/policy.hpp>

#include <basis/radau.hpp>

#include <array>

namespace instances {

// Spaces by directions and degree.
inline constexpr int hexahedra_1 = 1, hexahedra_2 = 2, hexahedra_3 = 3;
inline constexpr sumfac::spaces hexahedra_2_1{.trial = 2, .test = 1}, hexahedra_1_2{.trial = 1, .test = 2};
inline constexpr auto quadrilaterals_1 = sumfac::quadrilateral(1), quadrilaterals_2 = sumfac::quadrilateral(2);
inline constexpr auto quadrilaterals_on_points_2 = sumfac::quadrilateral(2, sumfac::node_placement::gauss);
inline constexpr sumfac::spaces quadrilaterals_2_1{.trial = sumfac::quadrilateral(2), .test = sumfac::quadrilateral(1)};
inline constexpr auto surfaces_1 = sumfac::surface(1), surfaces_2 = sumfac::surface(2);
inline constexpr auto lines_2 = sumfac::line(2), lines_3 = sumfac::line(3);
inline constexpr auto curves_2 = sumfac::curve(2, 3);

// Rules.
using gauss_2 = sumfac::gauss<2>;
using gauss_3 = sumfac::gauss<3>;
using gauss_4 = sumfac::gauss<4>;
using gauss_5 = sumfac::gauss<5>;
using lobatto_2 = sumfac::gauss_lobatto<2>;
using lobatto_3 = sumfac::gauss_lobatto<3>;
using lobatto_4 = sumfac::gauss_lobatto<4>;
// Of a user's own, without symmetry: at the nodes of degree 2; between them; with a weight that is negative.
struct uneven_3 {
  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes = {-1, 0, 1};
  static constexpr std::array<long double, size> weights = {0.3L, 1.2L, 0.5L};
};
struct uneven_4 {
  static constexpr int size = 4;
  static constexpr std::array<long double, size> nodes = {-0.9L, -0.2L, 0.5L, 0.95L};
  static constexpr std::array<long double, size> weights = {0.5L, 0.7L, 0.5L, 0.3L};
};
struct negative_3 {
  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes = {-0.5L, 0, 0.5L};
  static constexpr std::array<long double, size> weights = {4 / 3.0L, -2 / 3.0L, 4 / 3.0L};
};
using radau_3 = radau;

// Backends, each with a way through an element: the recommended one where none is said.
struct host {
  using backend = sumfac::host;
};
struct checked {
  using backend = sumfac::checked;
};
struct checked_cubes : checked {
  static constexpr sumfac::tuning at(int g)
  {
    return {.elements = 3,
            .padding = 2,
            .reads = g % 2 == 0 ? sumfac::read_order::kept : sumfac::read_order::free,
            .tables = g % 3 == 0 ? 1 : g % 3 + 2};
  }
};
struct checked_early : checked {
  static constexpr sumfac::tuning at(int)
  {
    return {.elements = 2, .resident_teams = 2, .ahead = sumfac::prefetch::registers};
  }
};
struct checked_slices : checked {
  static constexpr sumfac::tuning at(int g)
  {
    return {.way = sumfac::variant::slices, .elements = 2, .planes = (g + 1) / 2, .ahead = sumfac::prefetch::cache};
  }
};
struct checked_planes : checked {
  static constexpr sumfac::tuning at(int) { return {.way = sumfac::variant::planes}; }
};
#if defined(SUMFAC_EMULATED_DEVICE)
struct device {
  using backend = sumfac::hip;
};
#endif

// Numbers of vectors, and of what kernels compute in; or those of the geometry alone.
using f64 = double;
using f32 = float;
using f64_f32 = sumfac::high_low;
using f32_f64 = sumfac::low_high;
using f64_few = sumfac::precision<double, float, double>;

using sumfac::stored, sumfac::affine, sumfac::trilinear, sumfac::split;
using isoparametric = sumfac::isoparametric<3>;

}  // namespace instances
