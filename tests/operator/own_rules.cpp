// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which rules of a user's own are symmetric, and weights that are 0; instances/ has such rules in every geometry.
#include "policies.hpp"

#include <basis/radau.hpp>

#include <array>
#include <string>

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

}  // namespace

TEMPLATE_TEST_CASE("operator: rules with a weight that is 0", "", sumfac::stored, sumfac::trilinear)
{
  using mass = sumfac::element_operator<sumfac::mass, 1, zero_weight, sumfac::host, double, TestType>;
  auto const where = reference::equispaced(2);
  auto const mesh = checks::mesh_for(sumfac::trilinear{}, sumfac::native_width<double> + 3, where);
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
