// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh and its nodes' numbers in another order of elements.
#pragma once

#include "problems.hpp"

#include <sumfac/mesh/element_order.hpp>

#include <support/numbering.hpp>

namespace checks {

inline mesh::nodes sorted(mesh::nodes const& mesh, sumfac::element_order const& order)
{
  auto result = mesh;
  int const m = mesh.nodes_1d;
  order.apply(nodes_view(mesh),
              sumfac::view<double, sumfac::dextents<5>>(result.coordinates.data(), mesh.elements, m, m, m, 3));
  return result;
}

inline mesh::numbering sorted(mesh::numbering const& numbers, sumfac::element_order const& order)
{
  auto result = numbers;
  int const n = numbers.nodes_1d;
  using table = sumfac::dextents<4>;
  order.apply(sumfac::view<std::int64_t const, table>(numbers.table.data(), numbers.elements, n, n, n),
              sumfac::view<std::int64_t, table>(result.table.data(), numbers.elements, n, n, n));
  return result;
}

}  // namespace checks
