// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Rules of a user's own, whose points or weights are not the same read backwards, under every geometry policy.
#include "policies.hpp"

#include <basis/radau.hpp>
#include <sumfac/backend/checked.hpp>

#include <array>
#include <string>

namespace checks {

inline mesh::nodes mesh_for(sumfac::stored, int count, reference::rule const& where)
{
  return mesh_for(sumfac::isoparametric<2>{}, count, where);
}
inline mesh::nodes mesh_for(sumfac::split, int count, reference::rule const& where)
{
  return mesh_for(sumfac::isoparametric<2>{}, count, where);
}

}  // namespace checks

namespace {

// Points that are symmetric, with weights that are not; at the nodes of degree 2.
struct uneven_weights {
  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes = {-1, 0, 1};
  static constexpr std::array<long double, size> weights = {0.3L, 1.2L, 0.5L};
};

struct uneven {
  static constexpr int size = 4;
  static constexpr std::array<long double, size> nodes = {-0.9L, -0.2L, 0.5L, 0.95L};
  static constexpr std::array<long double, size> weights = {0.5L, 0.7L, 0.5L, 0.3L};
};

// Open Newton-Cotes, exact up to degree 3.
struct negative_weight {
  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes = {-0.5L, 0, 0.5L};
  static constexpr std::array<long double, size> weights = {4 / 3.0L, -2 / 3.0L, 4 / 3.0L};
};

struct zero_weight {
  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes = {-0.5L, 0, 0.5L};
  static constexpr std::array<long double, size> weights = {1, 0, 1};
};

static_assert(sumfac::is_symmetric_rule<sumfac::gauss<5>> && sumfac::is_symmetric_rule<sumfac::gauss_lobatto<4>>);
static_assert(sumfac::is_symmetric<uneven_weights> && !sumfac::is_symmetric_rule<uneven_weights>);
static_assert(!sumfac::is_symmetric_rule<uneven> && !sumfac::is_symmetric_rule<radau>);

template <int N, class Rule>
reference::space space_of()
{
  return {reference::gauss_lobatto(N + 1),
          {{Rule::nodes.begin(), Rule::nodes.end()}, {Rule::weights.begin(), Rule::weights.end()}}};
}

template <class Policy, int N, class Rule, class Backend = sumfac::host>
void rule_agrees()
{
  using mass = sumfac::element_operator<sumfac::mass, N, Rule, Backend, double, Policy>;
  using stiffness = sumfac::element_operator<sumfac::stiffness, N, Rule, Backend, double, Policy>;
  auto const where = reference::equispaced(2);
  auto const mesh = checks::mesh_for(Policy{}, sumfac::native_width<double> + 3, where);
  checks::agrees_with_oracle<mass>(mesh, where, space_of<N, Rule>(), reference::mass());
  checks::agrees_with_oracle<stiffness>(mesh, where, space_of<N, Rule>(), reference::stiffness(0.3), {.lambda = 0.3});
}

}  // namespace

TEMPLATE_TEST_CASE("operator: rules of a user's own without symmetry", "", sumfac::stored, sumfac::affine,
                   sumfac::trilinear, sumfac::isoparametric<2>, sumfac::split)
{
  rule_agrees<TestType, 2, uneven_weights>();
  rule_agrees<TestType, 2, uneven>();
  rule_agrees<TestType, 2, radau>();
  rule_agrees<TestType, 1, radau>();
}

TEMPLATE_TEST_CASE("operator: rules with a weight that is negative or 0", "", sumfac::stored, sumfac::trilinear)
{
  rule_agrees<TestType, 1, negative_weight>();
  using mass = sumfac::element_operator<sumfac::mass, 1, zero_weight, sumfac::host, double, TestType>;
  auto const where = reference::equispaced(2);
  auto const mesh = checks::mesh_for(TestType{}, sumfac::native_width<double> + 3, where);
  checks::agrees_with_oracle<mass>(mesh, where, space_of<1, zero_weight>(), reference::mass());
}

TEMPLATE_TEST_CASE("operator: gradients along lines need weights that are not 0, and say so", "", sumfac::trilinear,
                   sumfac::split)
{
  using stiffness = sumfac::element_operator<sumfac::stiffness, 1, zero_weight, sumfac::host, double, TestType>;
  double const cube[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
  auto const mesh = sumfac::view(cube, 1, 2, 2, 2, 3);
  std::string said;
  try {
    stiffness(sumfac::host{}, mesh);
  } catch (sumfac::geometry_error const& error) {
    said = error.what();
  }
  CHECK(said.find("weight is 0 at point") != std::string::npos);
  CHECK(said.find("sumfac::stored") != std::string::npos);
  CHECK(said.find("scale the mesh") == std::string::npos);
  using kept = sumfac::element_operator<sumfac::stiffness, 1, zero_weight, sumfac::host, double>;
  CHECK_NOTHROW(kept(sumfac::host{}, mesh));
}

TEMPLATE_TEST_CASE("operator: rules without symmetry, by teams", "", sumfac::stored, sumfac::trilinear)
{
  rule_agrees<TestType, 2, uneven_weights, sumfac::checked>();
  rule_agrees<TestType, 2, uneven, sumfac::checked>();
}
