// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The ladders by problem: their rungs by number, and what they are given on the host: tables and factors.
#pragma once

#include "../subjects/problems.hpp"
#include "../subjects/subject.hpp"
#include "bp1.hpp"
#include "bp3.hpp"
#include "bp35.hpp"
#include "bp35_blocks.hpp"

#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/mesh/element_geometry.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace sumfac::ladder {

namespace detail {

template <int Order, int Rung>
auto bp1_rung()
{
  if constexpr (Rung == 1)
    return std::type_identity<bp1_direct<Order>>{};
  else if constexpr (Rung <= 6)
    return std::type_identity<bp1_slices<Order, Rung>>{};
  else
    return std::type_identity<bp1_cube<Order, Rung>>{};
}

template <int Order, int Rung>
auto bp35_rung()
{
  if constexpr (Rung <= 3)
    return std::type_identity<bp35_passes<Order, Rung>>{};
  else if constexpr (Rung == 4)
    return std::type_identity<bp35_fused<Order>>{};
  else if constexpr (Rung <= 9)
    return std::type_identity<bp35_slices<Order, Rung>>{};
  else
    return std::type_identity<bp35_columns<Order>>{};
}

template <int Order, int Rung>
auto bp3_rung()
{
  if constexpr (Rung <= 4)
    return std::type_identity<bp3_slices<Order, Rung>>{};
  else if constexpr (Rung <= 8)
    return std::type_identity<bp3_cube<Order, Rung>>{};
  else
    return std::type_identity<bp3_pairs<Order>>{};
}

}  // namespace detail

struct bp1_ladder : bench::problems::bp1_0 {
  static constexpr int rungs = 8, max_order = 15;
  template <int Order, int Rung>
  using kernel = typename decltype(detail::bp1_rung<Order, Rung>())::type;
};

struct bp35_ladder : bench::problems::bp3_5 {
  static constexpr int rungs = 10, max_order = 15;
  template <int Order, int Rung>
  using kernel = typename decltype(detail::bp35_rung<Order, Rung>())::type;
};

// A thread for every node.
struct bp35_blocks_ladder : bench::problems::bp3_5 {
  static constexpr char const* name = "BP3.5-blocks";
  static constexpr int rungs = 6, max_order = 9;
  template <int Order, int Rung>
  using kernel = bp35_blocks<Order, Rung>;
};

struct bp3_ladder : bench::problems::bp3_0 {
  static constexpr int rungs = 9, max_order = 15;
  template <int Order, int Rung>
  using kernel = typename decltype(detail::bp3_rung<Order, Rung>())::type;
};

using all_ladders = bench::list<bp1_ladder, bp3_ladder, bp35_ladder, bp35_blocks_ladder>;

template <class Ladder>
constexpr bench::oracle oracle_of(int order)
{
  return {bench::integral_of<Ladder>(), order, Ladder::collocated};
}

// What an element costs, as the paper counts it: flops, and bytes of u, v and factors.
template <class Ladder, int Order>
constexpr bench::cost work_of_element()
{
  constexpr index_t n = Order + 1, g = Ladder::template points<Order>::size;
  constexpr index_t factors = factors_of<typename Ladder::form>;
  constexpr bool interpolates = g > n, differentiates = factors > 1;
  constexpr index_t at_points = !differentiates ? 1 : interpolates ? 12 * g + 19 : 12 * g + 15;
  constexpr index_t between = interpolates ? 4 * (g * n * n * n + g * g * n * n + g * g * g * n) : 0;
  return {between + at_points * g * g * g, 8 * (n * n * n + factors * g * g * g), 8 * n * n * n};
}

// The tables of a ladder's degree, one after the other: I (g, n), D (g, g).
template <class Ladder, int Order>
std::vector<double> tables()
{
  using points = typename Ladder::template points<Order>;
  constexpr int n = Order + 1, g = points::size;
  std::vector<double> all;
  auto const add = [&]<class Nodes>(Nodes, bool derivatives) {
    constexpr int count = Nodes::size;
    long double weights[count], values[count], slopes[count];
    lagrange_weights(&Nodes::nodes[0], count, weights);
    for (int q = 0; q < g; ++q) {
      long double const x = points::nodes[static_cast<std::size_t>(q)];
      lagrange_derivatives(&Nodes::nodes[0], weights, count, x, values, slopes);
      for (int i = 0; i < count; ++i) all.push_back(static_cast<double>(derivatives ? slopes[i] : values[i]));
    }
  };
  add(gauss_lobatto<n>{}, false);
  add(points{}, true);
  return all;
}

// Where D begins among the tables.
template <class Ladder, int Order>
inline constexpr int derivative_place = (Order + 1) * Ladder::template points<Order>::size;

// Factors (E, F, g, g, g) of elements with vertices (E, 2, 2, 2, 3), in the order in which the rungs read them.
template <class Ladder, int Order, class Backend>
std::vector<double> make_factors(Backend const& threads, double const* vertices, index_t elements)
{
  using points = typename Ladder::template points<Order>;
  using form = typename Ladder::form;
  using shape = extents<dynamic_extent, 2, 2, 2, 3>;
  constexpr index_t g = points::size, count = factors_of<form>;
  std::vector<double> factors(static_cast<std::size_t>(elements * count * g * g * g));
  element_geometry<points, view<double const, shape>> const geometry(
      view<double const, shape>(vertices, shape(elements)));
  geometry.template visit_all<double>(threads, [&](index_t e, int z, int r, int q, mapping<double> const& x) {
    auto const at = form{}.setup(x);
    double numbers[count];
    static_assert(sizeof numbers == sizeof at);
    std::memcpy(numbers, &at, sizeof at);
    for (index_t f = 0; f < count; ++f)
      factors[static_cast<std::size_t>((((e * count + f) * g + z) * g + r) * g + q)] = numbers[f];
  });
  return factors;
}

}  // namespace sumfac::ladder
