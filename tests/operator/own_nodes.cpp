// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Spaces by values at a node set of the user's own: beside the oracle, and beside spaces of the same nodes.
#include "spaces.hpp"

#include <sumfac/dofs/restriction.hpp>

namespace {

// Chebyshev's points of the second kind: the ends are nodes, and each node has its mirror image.
struct chebyshev_points {
  static constexpr int size = 4;
  static constexpr std::array<long double, size> nodes = {-1, -0.5L, 0.5L, 1};
};
struct uneven {
  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes = {-0.875L, 0.25L, 1};
};
// Those of gauss_lobatto<3>, by another name.
struct same_as_usual {
  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes = {-1, 0, 1};
};

using sumfac::curve, sumfac::hexahedron, sumfac::line, sumfac::quadrilateral, sumfac::surface;

template <class Form, auto Space, class Points, class Backend = sumfac::host>
using on = sumfac::element_operator<Form, Space, Points, Backend>;

constexpr int some = 11;

}  // namespace

TEST_CASE("own nodes: operators beside the oracle")
{
  checks::flat_mesh const mesh(some, 2, 2, 2, 0.1);
  checks::agrees<on<sumfac::stiffness, quadrilateral<chebyshev_points>(), sumfac::gauss<5>>>(mesh, checks::stiffness(1),
                                                                                             {.lambda = 1});
  checks::agrees<on<sumfac::stiffness, quadrilateral<uneven>(), sumfac::gauss<4>>>(mesh, checks::stiffness(1),
                                                                                   {.lambda = 1});
  checks::agrees<on<sumfac::stiffness, quadrilateral<uneven>(), sumfac::gauss<4>, sumfac::checked>>(
      mesh, checks::stiffness(1), {.lambda = 1});
  checks::agrees<on<sumfac::mass, line<uneven>(), sumfac::gauss<4>>>(checks::flat_mesh(some, 1, 1, 2, 0.1),
                                                                     checks::mass());
  checks::agrees<on<sumfac::mass, curve<uneven>(2), sumfac::gauss<4>>>(checks::flat_mesh(some, 1, 2, 3, 0.05),
                                                                       checks::mass());
  checks::agrees<on<sumfac::mass, surface<chebyshev_points>(), sumfac::gauss<5>>>(
      checks::flat_mesh(some, 2, 3, 3, 0.05), checks::mass());
}

TEST_CASE("own nodes: hexahedra reproduce what polynomials are")
{
  // Of the unit cube [-1, 1]^3: x'M y = the integral of the product, exact for polynomials by their values at nodes.
  double const corners[24] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1};
  sumfac::view const nodes(corners, 1, 2, 2, 2, 3);
  on<sumfac::mass, hexahedron<uneven>(), sumfac::gauss<4>> const M{{}, nodes};
  constexpr int n = uneven::size;
  double u[n * n * n], v[n * n * n];
  for (int at = 0; at < n * n * n; ++at) {
    auto const x = double(uneven::nodes[std::size_t(at % n)]), z = double(uneven::nodes[std::size_t(at / (n * n))]);
    u[at] = x * x + z;
  }
  M.apply(sumfac::view(static_cast<double const*>(u), 1, n, n, n), sumfac::view(v, 1, n, n, n));
  double product = 0;
  for (int at = 0; at < n * n * n; ++at) product += u[at] * v[at];
  CHECK(product == Approx(8.0 / 5 + 8.0 / 3).epsilon(1e-13));  // of x^4 + z^2; the mixed term is odd
}

TEST_CASE("own nodes: those of a usual set are that set's")
{
  checks::flat_mesh const mesh(some, 2, 2, 2, 0.1);
  on<sumfac::laplace, quadrilateral<same_as_usual>(), sumfac::gauss_lobatto<3>> const own{
      {}, checks::nodes_view<2, 2>(mesh)};
  on<sumfac::laplace, quadrilateral(2), sumfac::gauss_lobatto<3>> const usual{{}, checks::nodes_view<2, 2>(mesh)};
  auto const u = support::random<double>(some * 9, 5);
  std::vector<double> v(u.size()), w(u.size());
  own.apply(checks::e_vector<2, 3, 1>(u.data(), some), checks::e_vector<2, 3, 1>(v.data(), some));
  usual.apply(checks::e_vector<2, 3, 1>(u.data(), some), checks::e_vector<2, 3, 1>(w.data(), some));
  CHECK(v == w);
  CHECK(own.work().flops == usual.work().flops);  // both collocated: nothing is interpolated
}

TEST_CASE("own nodes: spaces are values")
{
  STATIC_REQUIRE(quadrilateral<chebyshev_points>() == quadrilateral<chebyshev_points>());
  STATIC_REQUIRE(quadrilateral<chebyshev_points>() != quadrilateral(3));
  STATIC_REQUIRE(quadrilateral<uneven>() != quadrilateral<same_as_usual>());
  STATIC_REQUIRE(quadrilateral<chebyshev_points>().degree == 3);
  STATIC_REQUIRE(curve<uneven>(3).coordinates == 3);
}
