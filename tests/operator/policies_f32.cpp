// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Recomputed geometry in single precision, and on thin, slanted elements, where cancellation would show.
#include "policies.hpp"

using sumfac::affine, sumfac::host, sumfac::isoparametric, sumfac::trilinear;

TEMPLATE_TEST_CASE("geometry policies: single precision", "", affine, trilinear)
{
  checks::mass_agrees<TestType, 5, host, float>();
  checks::stiffness_agrees<TestType, 7, host, float>();
  checks::collocated_agrees<TestType, 3, host, float>();
  checks::collocated_agrees<TestType, 15, host, float>();
}

TEST_CASE("isoparametric: single precision")
{
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = checks::mesh_for(isoparametric<3>{}, sumfac::native_width<float> + 1, where);
  checks::agrees_with_oracle<sumfac::bp35<8, host, float, isoparametric<3>>>(
      mesh, where, reference::collocated(8), reference::stiffness(0.3), {.lambda = 0.3});
}

TEMPLATE_TEST_CASE("trilinear: thin, slanted elements", "", double, float)
{
  auto const where = reference::equispaced(2);
  auto const kershaw = mesh::sampled(mesh::mapped(mesh::box({12, 4, 4}), mesh::kershaw{0.3, 0.3, 0}), 17);
  auto const flat = mesh::mapped(mesh::sampled(mesh::jittered({3, 3, 3}, 0.2), 7),
                                 mesh::affine{{1, 1e-3, 30}, 2, -0.01, 0.5, {1, -2, 3}});
  for (auto const& mesh : {kershaw, flat}) {
    checks::agrees_with_oracle<sumfac::bp35<3, host, TestType, trilinear>>(mesh, where, reference::collocated(3),
                                                                           reference::stiffness(0.3), {.lambda = 0.3});
    checks::agrees_with_oracle<sumfac::bp3<4, host, TestType, trilinear>>(mesh, where, reference::on_gauss(4),
                                                                          reference::stiffness(0.3), {.lambda = 0.3});
  }
}

TEMPLATE_TEST_CASE("affine: thin, slanted elements", "", double, float)
{
  auto const where = reference::equispaced(2);
  auto const flat = mesh::mapped(mesh::box({3, 2, 1}), mesh::affine{{1, 1e-3, 30}, 2, -0.01, 0.5, {1, -2, 3}});
  checks::agrees_with_oracle<sumfac::bp35<3, host, TestType, affine>>(flat, where, reference::collocated(3),
                                                                      reference::stiffness(0.3), {.lambda = 0.3});
}
