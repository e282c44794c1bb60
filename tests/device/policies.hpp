// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Recomputed geometry, the split, precisions, diagonals and matrices of elements on a device, against the oracle.
// `device_backend` is the backend that the including file names.
#pragma once

#include <operator/mixed_mesh.hpp>
#include <operator/policies.hpp>

TEST_CASE("device: recomputed geometry, with the diagonal and matrices of elements")
{
  checks::problems_agree<sumfac::affine, 2, device_backend>();
  checks::problems_agree<sumfac::trilinear, 2, device_backend>();
  checks::stiffness_agrees<sumfac::isoparametric<5>, 2, device_backend>();
}

TEST_CASE("device: a mesh of mixed elements, each with what it allows")
{
  auto const where = reference::gauss_lobatto(3);
  checks::agrees_with_oracle<sumfac::bp35<2, device_backend, double, sumfac::split>>(
      mesh::mixed(mesh::random_kinds(11, 3), where), where, reference::collocated(2), reference::stiffness(0.3),
      {.lambda = 0.3});
}

TEST_CASE("device: factors in single precision")
{
  using precision = sumfac::precision<double, float, double>;
  auto const where = reference::gauss_lobatto(3);
  checks::agrees_with_oracle<sumfac::bp3<2, device_backend, precision>, float>(
      mesh::sampled(mesh::mapped(mesh::box({3, 2, 2}, where), mesh::smooth{}), 5), where, reference::on_gauss(2),
      reference::stiffness(0.3), {.lambda = 0.3});
}
