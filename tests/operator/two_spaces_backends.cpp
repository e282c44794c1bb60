// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators between two spaces, and transposes, by the kernels of devices on `checked`, and in mixed precision.
#include "one_space.hpp"

#include <sumfac/backend/checked.hpp>

using namespace two_spaces;
using sumfac::checked, sumfac::high_low, sumfac::low_high;

TEST_CASE("two spaces: lines, quadrilaterals and hexahedra on checked")
{
  using reference::gauss_lobatto;
  agrees_in_the_plane<divergence<2>, spaces{.trial = quadrilateral(2), .test = quadrilateral(1)}, sumfac::gauss<4>,
                      double, checked>(gauss_lobatto(3), gauss_lobatto(2));
  agrees_in_the_plane<transport, spaces{.trial = quadrilateral(1), .test = quadrilateral(3)}, sumfac::gauss<4>,
                      float, checked, sumfac::isoparametric<3>>(gauss_lobatto(2), gauss_lobatto(4));
  using on_lines = sumfac::element_operator<transport, spaces{.trial = sumfac::line(2), .test = sumfac::line(3)},
                                            sumfac::gauss<4>, checked>;
  checks::flat_mesh const lines(some, 1, 1, 3, 0.05);
  agrees(on_lines{checked{}, checks::nodes_view<1, 1>(lines)}, {gauss_lobatto(3)}, {gauss_lobatto(4)},
         [&](index_t e) {
           return reference::flat_element(1, 1, gauss_lobatto(3), lines.element(static_cast<int>(e)),
                                          reference::gauss(4));
         });
  auto const where = gauss_lobatto(3);
  auto const mesh = mesh::mapped(mesh::jittered({2, 1, 2}, 0.15, where), mesh::smooth{});
  sumfac::element_operator<divergence<3>, spaces{.trial = 2, .test = 1}, sumfac::gauss<3>, checked> const B{
      checked{}, sumfac::view(mesh.data(), mesh.elements, 3, 3, 3, 3)};
  agrees(B, {gauss_lobatto(3), 3}, {gauss_lobatto(2)}, [&](index_t e) {
    double const* const first = mesh.element(static_cast<int>(e));
    return reference::flat_element(3, 3, where, {first, first + mesh.element_size()}, reference::gauss(3));
  });
}

TEST_CASE("two spaces: one space's transpose on checked")
{
  auto const where = reference::gauss_lobatto(3);
  checks::flat_mesh const mesh(some, 2, 2, 3, 0.05);
  sumfac::element_operator<transport, quadrilateral(2), sumfac::gauss<3>, checked> const A{
      checked{}, checks::nodes_view<2, 2>(mesh)};
  agrees(A, {where}, {where}, [&](index_t e) {
    return reference::flat_element(2, 2, where, mesh.element(static_cast<int>(e)), reference::gauss(3));
  });
}

TEST_CASE("two spaces: E-vectors in mixed precision")
{
  using reference::gauss_lobatto;
  agrees_in_the_plane<divergence<2>, spaces{.trial = quadrilateral(2), .test = quadrilateral(1)}, sumfac::gauss<4>,
                      high_low>(gauss_lobatto(3), gauss_lobatto(2));
  agrees_in_the_plane<transport, spaces{.trial = quadrilateral(1), .test = quadrilateral(3)}, sumfac::gauss<4>,
                      low_high>(gauss_lobatto(2), gauss_lobatto(4));
}

TEST_CASE("two spaces: global vectors on checked and in mixed precision")
{
  pair_case<checked> c;
  check_pair(c, true), check_subsets(c);
  c.options.components_lie = sumfac::interleaving::slowest;
  check_pair(c, true, {.policy = sumfac::scatter::atomic});
  pair_case<sumfac::host, high_low> high;
  check_pair(high, true), check_subsets(high);
  pair_case<sumfac::host, low_high> low;
  check_pair(low, false), check_subsets(low);
  pair_case<checked, high_low> const both;
  check_pair(both, true);
}

TEST_CASE("two spaces: one space's transpose on global vectors, on checked and in mixed precision")
{
  check_one_space_on_cubes<checked>({});
  check_one_space_on_cubes<checked>({.policy = sumfac::scatter::atomic, .rows = sumfac::constrained_rows::zero});
  check_one_space_in_the_plane<checked>({});
  check_one_space_in_the_plane<sumfac::host, high_low>({});
}
