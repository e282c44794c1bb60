// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators between two spaces in a device's memory. `device_backend` is the including file's backend.
#pragma once

#include <operator/one_space.hpp>

TEST_CASE("device: operators between two spaces, and their transposes, are those of the oracle")
{
  using namespace two_spaces;
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mesh::mapped(mesh::jittered({2, 1, 2}, 0.15, where), mesh::smooth{});
  sumfac::element_operator<divergence<3>, spaces{.trial = 2, .test = 1}, sumfac::gauss<3>, device_backend> const B{
      device_backend{}, sumfac::view(mesh.data(), mesh.elements, 3, 3, 3, 3)};
  agrees(B, {where, 3}, {reference::gauss_lobatto(2)}, [&](index_t e) {
    double const* const first = mesh.element(static_cast<int>(e));
    return reference::flat_element(3, 3, where, {first, first + mesh.element_size()}, reference::gauss(3));
  });
}

TEST_CASE("device: operators between two spaces on global vectors")
{
  using namespace two_spaces;
  pair_case<device_backend> c;
  check_pair(c, true), check_subsets(c);
  c.options.components_lie = sumfac::interleaving::slowest;
  check_pair(c, true, {.policy = sumfac::scatter::atomic});
  check_pair(pair_case<device_backend, sumfac::high_low>(), true);
}

TEST_CASE("device: the transpose of an operator of one space on global vectors")
{
  two_spaces::check_one_space_on_cubes<device_backend>({});
  two_spaces::check_one_space_on_cubes<device_backend>(
      {.policy = sumfac::scatter::atomic, .rows = sumfac::constrained_rows::zero});
}
