// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Spaces that are not nodal: signs, blocks of other extents along each direction, rows; on the host and on `checked`.
#include "edge_elements.hpp"

#include <sumfac/backend/checked.hpp>

using edges::check_edges;
using sumfac::dof_extras, sumfac::scatter;

namespace {

// Places of an element before each block, and the blocks' extents, from their definition.
template <int Degree>
void check_blocks()
{
  using side = typename edges::edge_space<Degree>::side;
  constexpr int p = Degree, n = Degree + 1;
  using x = typename side::template block<0>;
  using y = typename side::template block<1>;
  using z = typename side::template block<2>;
  static_assert(x::box.x == p && x::box.y == n && x::box.z == n && x::first == 0);
  static_assert(y::box.x == n && y::box.y == p && y::box.z == n && y::first == p * n * n);
  static_assert(z::box.x == n && z::box.y == n && z::box.z == p && z::first == 2 * p * n * n);
  static_assert(side::entries_of_element == 3 * p * n * n);
  static_assert(std::is_same_v<typename y::template nodes<1>, sumfac::gauss<p>>);
  static_assert(std::is_same_v<typename y::template nodes<2>, sumfac::gauss_lobatto<n>>);
}

template <int Degree>
void on_host_and_checked()
{
  check_blocks<Degree>();
  constexpr dof_extras signs{.signs = true};
  for (bool const constrains : {false, true})
    for (auto const policy : {scatter::deterministic, scatter::atomic})
      for (auto const counts : {std::array{1, 1, 1}, std::array{3, 2, 2}}) {
        INFO("degree " << Degree << ", " << counts[0] << " elements along x, constrained: " << constrains
                       << (policy == scatter::atomic ? ", atomic" : ", deterministic"));
        check_edges<Degree, signs>(sumfac::host{2}, counts, constrains, {.policy = policy, .blocks = 2}, 1);
        check_edges<Degree, signs>(sumfac::checked{}, counts, constrains, {.policy = policy}, 2);
      }
}

}  // namespace

TEST_CASE("edge elements: gather, sweep and scatter of blocks with other extents along each direction, with signs")
{
  on_host_and_checked<1>();
  on_host_and_checked<2>();
}

TEST_CASE("edge elements: constraint rows with terms, with signs, on a device's tables")
{
  for (auto const policy : {scatter::deterministic, scatter::atomic})
    check_edges<2, dof_extras{.signs = true, .rows = true}>(sumfac::checked{}, {3, 2, 1}, true, {.policy = policy}, 3);
}
