// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a diagonal costs on checked where geometry is recomputed; an element in a warp there.
#include "policies.hpp"

#include <sumfac/backend/checked.hpp>

using sumfac::affine, sumfac::isoparametric, sumfac::trilinear;

static constexpr sumfac::tuning early_cubes{.elements = 2, .ahead = sumfac::prefetch::registers};

// Of shared memory, which `checked` counts; the same kernels run on devices.
TEMPLATE_TEST_CASE("geometry policies on checked: a diagonal costs at most 6 applications", "", affine, trilinear,
                   isoparametric<3>)
{
  using operator_type =
      sumfac::element_operator<sumfac::stiffness, 4, sumfac::checked, TestType, sumfac::tuned<early_cubes>>;
  auto const mesh = checks::mesh_for(TestType{}, 3, reference::gauss_lobatto(3));
  operator_type const a({}, checks::nodes_view(mesh), {.lambda = 0.3}, sumfac::gauss_lobatto_nodes{});
  std::vector<double> u(3 * 125, 1), v(u.size());
  auto const to = checks::vector_view<1>(v.data(), 3, 5);
  auto const counted = [&](auto const& run) {
    a.backend().clear();
    run();
    auto const c = a.backend().counts();
    CHECK(c.groups == 2);
    return static_cast<double>(c.reads.transactions + c.writes.transactions);
  };
  double const once = counted([&] { a.apply(checks::vector_view<1>(u.data(), 3, 5), to); });
  double const of_diagonal = counted([&] { a.diagonal(to); });
  INFO(of_diagonal << " transactions, " << once << " of an application");
  CHECK(of_diagonal <= 6 * once);
}

// Fewer nodes than the matrices of a device have room for, and numbers in single precision, too.
TEMPLATE_TEST_CASE("geometry policies on checked: an element in a warp", "", double, float)
{
  static constexpr sumfac::tuning warps{.way = sumfac::variant::warps, .resident_teams = 12};
  constexpr int order = std::is_same_v<TestType, double> ? 6 : 3;
  using operator_type = sumfac::element_operator<sumfac::stiffness, order, sumfac::gauss<8>, sumfac::checked, TestType,
                                                 trilinear, sumfac::tuned<warps>>;
  auto const where = reference::equispaced(2);
  checks::agrees_with_oracle<operator_type>(checks::mesh_for(trilinear{}, 3, where), where,
                                            reference::space{reference::gauss_lobatto(order + 1), reference::gauss(8)},
                                            reference::stiffness(0.3), {.lambda = 0.3});
}

// Chosen where it was measured to be faster, and nowhere else.
TEST_CASE("geometry policies: an element in a warp is what trilinear and affine ones of 8 points have on sm_90")
{
  using namespace sumfac::detail;
  using sumfac::affine, sumfac::architecture, sumfac::checked, sumfac::mass, sumfac::stiffness, sumfac::stored,
      sumfac::variant, sumfac::element_operator;
  constexpr sumfac::tuning warps{.way = variant::warps, .resident_teams = 12};
  STATIC_REQUIRE(element_operator<stiffness, 6, checked, trilinear>::tuned == warps);
  STATIC_REQUIRE(element_operator<stiffness, 6, checked, affine>::tuned == warps);
  STATIC_REQUIRE(element_operator<stiffness, 6, checked>::tuned.way == variant::cubes);
  STATIC_REQUIRE(element_operator<stiffness, 6, checked, sumfac::split>::tuned.way == variant::cubes);
  STATIC_REQUIRE(element_operator<stiffness, 6, checked, float, trilinear>::tuned.way == variant::cubes);
  STATIC_REQUIRE(element_operator<stiffness, 5, checked, trilinear>::tuned.way == variant::cubes);
  STATIC_REQUIRE(element_operator<mass, 6, checked, trilinear>::tuned.way == variant::cubes);
  STATIC_REQUIRE(element_operator<sumfac::vector_laplace<3>, 6, checked, trilinear>::tuned.way == variant::cubes);
  STATIC_REQUIRE(element_operator<stiffness, 6, trilinear>::tuned.way == variant::planes);
  for (auto const other : {architecture::sm_80, architecture::gfx90a})
    for (auto const geometry : {row_geometry::trilinear, row_geometry::affine, row_geometry::others})
      CHECK(row_of<stiffness>(other, geometry, 7, 8, 8) == -1);
  constexpr sumfac::tuning pairs{.elements = 2, .resident_teams = 32, .ahead = sumfac::prefetch::registers};
  STATIC_REQUIRE(element_operator<mass, 2, checked, float>::tuned == pairs);
  STATIC_REQUIRE(element_operator<mass, 2, checked>::tuned != pairs);
}
