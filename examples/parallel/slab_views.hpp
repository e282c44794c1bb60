// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A slab's mesh and vectors as operators, restrictions and solvers take them.
#pragma once

#include "slabs.hpp"

#include <sumfac/sumfac.hpp>

#include <cstdint>
#include <vector>

// Entries that this process owns, as solvers take them.
template <class T>
auto vector_of(std::vector<T>& x)
{
  return sumfac::view<T, sumfac::dextents<1>>(x.data(), sumfac::index_t(x.size()));
}
template <class T>
auto vector_of(std::vector<T> const& x)
{
  return sumfac::view<T const, sumfac::dextents<1>>(x.data(), sumfac::index_t(x.size()));
}

inline auto nodes_of(slabs const& mesh)
{
  return sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent, 2, 2, 2, 3>>(mesh.vertices.data(),
                                                                                          mesh.elements());
}
template <int Order>
auto table_of(slabs const& mesh)
{
  using shape = sumfac::extents<sumfac::dynamic_extent, Order + 1, Order + 1, Order + 1>;
  return sumfac::view<std::int32_t const, shape>(mesh.table.data(), mesh.elements());
}

// The ghosts' numbers: nodes are numbered plane by plane, and so process by process, as PETSc's rows are.
inline std::vector<std::int64_t> ghost_numbers(slabs const& mesh)
{
  return {mesh.number.begin() + mesh.owned, mesh.number.end()};
}
