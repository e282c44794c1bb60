// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms of a user's own, several components, other rules: every combination of what is evaluated and tested.
#include "own_forms.hpp"
#include "problems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/math/pack.hpp>

namespace {

using checks::advection, checks::conservative_advection, checks::elasticity, checks::everything, checks::reaction;
using checks::elasticity_exact, checks::everything_exact;
using reference::real;

// Compares apply, the diagonal and the matrices of a form with the oracle on curved elements.
template <int Order, class Points, class Scalar = double, class Backend = sumfac::host, class Form>
void agrees(Form const& form, reference::integrand<> const& exact, reference::rule const& points)
{
  using operator_type = sumfac::element_operator<Form, Order, Points, Backend, Scalar>;
  constexpr int n = Order + 1, components = operator_type::components;
  constexpr std::size_t size = std::size_t{components} * n * n * n;
  constexpr int elements = sumfac::native_width<Scalar> + 1;
  auto const where = reference::gauss_lobatto(4);
  auto const mesh = mesh::sampled(mesh::mapped(mesh::box({4, 2, 1}, where), mesh::smooth{}), elements);
  operator_type const a(Backend{}, checks::nodes_view(mesh), form);
  auto const u = support::random<Scalar>(elements * size, Order);
  std::vector<Scalar> v(u.size(), std::numeric_limits<Scalar>::quiet_NaN()), d = v;
  a.apply(checks::vector_view<components>(u.data(), elements, n),
          checks::vector_view<components>(v.data(), elements, n));
  a.diagonal(checks::vector_view<components>(d.data(), elements, n));
  for (int e = 0; e < elements; ++e) {
    reference::element<> const oracle({reference::gauss_lobatto(n), points, components}, where, mesh.element(e), exact);
    auto const part = [&](std::vector<Scalar> const& x) {
      auto const first = x.begin() + static_cast<std::ptrdiff_t>(size) * e;
      return std::vector<real>(first, first + static_cast<std::ptrdiff_t>(size));
    };
    INFO("degree " << Order << ", " << Points::size << " points, element " << e);
    CHECK(checks::distance(part(v), oracle.apply(part(u))) <= reference::allowed<Scalar>(oracle, part(u), Order));
    CHECK(checks::distance(part(d), oracle.diagonal()) <= reference::allowed_diagonal<Scalar>(oracle, Order));
    if (Order > 2 || e % 2 == 1)
      continue;
    std::vector<Scalar> const matrix = a.element_matrix(e);
    auto const expected = oracle.matrix();
    REQUIRE(matrix.size() == expected.size());
    for (std::size_t j = 0; j < size; ++j) {
      std::vector<real> unit(size), got(size), column(size);
      unit[j] = 1;
      for (std::size_t i = 0; i < size; ++i) {
        got[i] = static_cast<real>(matrix[i * size + j]);
        column[i] = expected[i * size + j];
      }
      CHECK(checks::distance(got, column) <= reference::allowed<Scalar>(oracle, unit, Order));
    }
  }
}

template <int Order, class Scalar = double, class Backend = sumfac::host, class Form>
void agrees_on_gauss_and_collocated(Form const& form, reference::integrand<> const& exact)
{
  agrees<Order, sumfac::gauss<Order + 2>, Scalar, Backend>(form, exact, reference::gauss(Order + 2));
  agrees<Order, sumfac::gauss_lobatto<Order + 1>, Scalar, Backend>(form, exact, reference::gauss_lobatto(Order + 1));
}

// A rule of a user's own: its name and its points are unknown to the library.
struct own_rule {
  static constexpr int size = 5;
  static constexpr std::array<long double, 5> nodes{-0.9375L, -0.5L, 0, 0.5L, 0.9375L};
  static constexpr std::array<long double, 5> weights{0.25L, 0.5L, 0.5L, 0.5L, 0.25L};
};

template <std::size_t N>
reference::rule as_rule(std::array<long double, N> const& nodes, std::array<long double, N> const& weights)
{
  return {{nodes.begin(), nodes.end()}, {weights.begin(), weights.end()}};
}

}  // namespace

TEST_CASE("operator: a variable coefficient of the user's own")
{
  agrees_on_gauss_and_collocated<2>(reaction{2.5}, checks::reaction_exact(2.5L));
  agrees_on_gauss_and_collocated<5, float>(reaction{2.5}, checks::reaction_exact(2.5L));
  agrees_on_gauss_and_collocated<3, double, sumfac::checked>(reaction{2.5}, checks::reaction_exact(2.5L));
}

TEST_CASE("operator: gradients evaluated, values tested, and the other way round")
{
  agrees_on_gauss_and_collocated<2>(advection{}, checks::advected);
  agrees_on_gauss_and_collocated<2>(conservative_advection{}, checks::conserved);
  agrees_on_gauss_and_collocated<2>(checks::crossed_advection{}, checks::crossed_advected);
  agrees_on_gauss_and_collocated<3>(checks::crossed_conservative_advection{}, checks::crossed_conserved);
  agrees_on_gauss_and_collocated<3, double, sumfac::checked>(advection{}, checks::advected);
  agrees_on_gauss_and_collocated<3, double, sumfac::checked>(conservative_advection{}, checks::conserved);
}

TEST_CASE("operator: a form that evaluates and tests everything, unsymmetrically")
{
  agrees_on_gauss_and_collocated<2>(everything{}, everything_exact);
  agrees_on_gauss_and_collocated<5>(everything{}, everything_exact);
  agrees_on_gauss_and_collocated<4, float>(everything{}, everything_exact);
  agrees_on_gauss_and_collocated<3, float, sumfac::checked>(everything{}, everything_exact);
}

TEST_CASE("operator: components that a form couples")
{
  agrees_on_gauss_and_collocated<1>(elasticity{}, elasticity_exact);
  agrees_on_gauss_and_collocated<4>(elasticity{}, elasticity_exact);
  agrees_on_gauss_and_collocated<2, float>(elasticity{}, elasticity_exact);
  agrees_on_gauss_and_collocated<2, double, sumfac::checked>(elasticity{}, elasticity_exact);
}

TEST_CASE("operator: rules of every size, and of a user's own")
{
  agrees<3, sumfac::gauss<4>>(sumfac::stiffness{.lambda = 0.3}, reference::stiffness(0.3), reference::gauss(4));
  agrees<3, sumfac::gauss<7>>(sumfac::stiffness{.lambda = 0.3}, reference::stiffness(0.3), reference::gauss(7));
  agrees<2, sumfac::gauss_lobatto<6>>(sumfac::stiffness{.lambda = 0.3}, reference::stiffness(0.3),
                                      reference::gauss_lobatto(6));
  auto const points = as_rule(own_rule::nodes, own_rule::weights);
  agrees<3, own_rule>(sumfac::stiffness{.lambda = 0.3}, reference::stiffness(0.3), points);
  agrees<4, own_rule>(sumfac::mass{}, reference::mass(), points);
  agrees<2, own_rule, double, sumfac::checked>(everything{}, everything_exact, points);
}
