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

TEST_CASE("device: an element in a warp")
{
  static constexpr sumfac::tuning warps{.way = sumfac::variant::warps, .resident_teams = 12};
  using operator_type = sumfac::element_operator<sumfac::stiffness, 6, sumfac::gauss<8>, device_backend,
                                                 sumfac::trilinear, sumfac::tuned<warps>>;
  auto const where = reference::equispaced(2);
  checks::agrees_with_oracle<operator_type>(checks::mesh_for(sumfac::trilinear{}, 5, where), where,
                                            reference::on_gauss(6), reference::stiffness(0.3), {.lambda = 0.3});
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

TEST_CASE("device: the diagonal in vectors that run backwards")
{
  using sumfac::index_t;
  using shape = sumfac::dextents<4>;
  constexpr index_t elements = 5, size = elements * 27;
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mesh::sampled(mesh::mapped(mesh::box({3, 2, 2}, where), mesh::smooth{}), elements);
  device_backend const backend;
  sumfac::bp5<2, device_backend> const a(backend, checks::nodes_view(mesh));
  sumfac::buffer<double, device_backend> forwards(backend, size), backwards(backend, size + 2);
  a.diagonal(sumfac::view<double, shape>(forwards.data(), elements, 3, 3, 3));
  sumfac::layout_stride::mapping<shape> const turned(shape(elements, 3, 3, 3), {-27, 9, -3, 1});
  a.diagonal(sumfac::view(backwards.data() + 1 + (elements - 1) * 27 + 6, turned));
  std::vector<double> d(size), e(size + 2);
  backend.copy(forwards.data(), d.data(), size);
  backend.copy(backwards.data(), e.data(), size + 2);
  backend.synchronize();
  CHECK((e.front() == 0 && e.back() == 0));
  for (index_t i = 0; i < size; ++i) {
    index_t const place = (elements - 1 - i / 27) * 27 + i % 27 / 9 * 9 + (2 - i % 9 / 3) * 3 + i % 3;
    CHECK(d[std::size_t(i)] > 0);
    CHECK(e[std::size_t(place + 1)] == d[std::size_t(i)]);
  }
}
