// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators of tangents and of residuals of energies beside those of forms that say the same by hand.
#include "problems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <form/nonlinear_forms.hpp>
#include <support/larger.hpp>
#include <support/random.hpp>

#include <cmath>
#include <type_traits>
#include <vector>

namespace {

using energy = nonlinear::neo_hookean<double>;
using stress = nonlinear::neo_hookean_stress<double>;
using stiffness_by_hand = nonlinear::neo_hookean_by_hand<double>;
using nonlinear::reaction;

template <class T>
std::vector<T> random_vector(std::size_t size, unsigned seed, T scale)
{
  auto x = support::random<T>(size, seed);
  for (T& entry : x) entry *= scale;
  return x;
}

// How far two vectors are from each other, over the largest of the second.
template <class T, class Other>
double off(std::vector<T> const& got, std::vector<Other> const& expected)
{
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    most = support::larger(most, std::abs(double(got[i]) - double(expected[i])));
    largest = support::larger(largest, std::abs(double(expected[i])));
  }
  REQUIRE(largest > 0);
  return most / largest;
}

mesh::nodes elements() { return mesh::mapped(mesh::box({3, 3, 1}, reference::gauss_lobatto(2)), mesh::smooth{}); }

// The same by duals and by hand: apply, diagonal and element matrix.
template <int Order, class Backend, class Scalar, class Policy>
void elasticity_agrees()
{
  using points = sumfac::gauss<Order + 2>;
  auto const cells = elements();
  int const count = cells.elements, n = Order + 1;
  auto const size = static_cast<std::size_t>(3 * count * n * n * n);
  Backend const backend;
  auto const u = random_vector<Scalar>(size, 1, Scalar(0.02)), w = random_vector<Scalar>(size, 2, Scalar(1));
  auto const view_u = checks::vector_view<3>(u.data(), count, n), view_w = checks::vector_view<3>(w.data(), count, n);
  std::vector<Scalar> v(size), expected(size);
  auto const out = checks::vector_view<3>(v.data(), count, n),
             right = checks::vector_view<3>(expected.data(), count, n);
  double const rounding = std::is_same_v<Scalar, double> ? 1e-12 : 1e-4;
  auto const nodes = checks::nodes_view(cells);

  using residual = sumfac::residual<energy>;
  sumfac::element_operator<residual, Order, points, Backend, Scalar, Policy> const f(backend, nodes);
  sumfac::element_operator<stress, Order, points, Backend, Scalar, Policy> const p(backend, nodes);
  f.apply(view_u, out);
  p.apply(view_u, right);
  CHECK(off(v, expected) < rounding);

  sumfac::element_operator<sumfac::tangent<residual>, Order, points, Backend, Scalar, Policy> j(backend, nodes,
                                                                                                f.form());
  sumfac::element_operator<stiffness_by_hand, Order, points, Backend, Scalar, Policy> k(backend, nodes);
  j.linearize(view_u);
  k.linearize(view_u);
  j.apply(view_w, out);
  k.apply(view_w, right);
  CHECK(off(v, expected) < rounding);
  j.diagonal(out);
  k.diagonal(right);
  CHECK(off(v, expected) < rounding);
  if (Order == 1) CHECK(off(j.element_matrix(count - 1), k.element_matrix(count - 1)) < rounding);
}

// A form with apply_at beside differences of the form itself, on a line of nodes that all elements share.
template <class Backend, class Policy, auto Space = 2>
void differs_along_global_vectors(double allowed)
{
  constexpr int order = 2, n = order + 1;
  using points = sumfac::gauss<order + 2>;
  auto const cells = elements();
  int const count = cells.elements, nodes = count * (n * n * n - n * n) + n * n;
  std::vector<int> numbers;  // (E, n, n, n), one element behind the other: the last face is the next one's first
  for (int e = 0; e < count; ++e)
    for (int i = 0; i < n * n * n; ++i) numbers.push_back(e * (n * n * n - n * n) + i);
  Backend const backend;
  sumfac::restriction<double, Backend> const R(backend, sumfac::view(numbers.data(), count, n, n, n), nodes);
  sumfac::element_operator<reaction, Space, points, Backend, double, Policy> const f(backend, checks::nodes_view(cells),
                                                                                     {.rate = 2});
  sumfac::element_operator<sumfac::tangent<reaction>, Space, points, Backend, double, Policy> j(
      backend, checks::nodes_view(cells), f.form());
  auto const size = static_cast<std::size_t>(nodes);
  auto const u = random_vector<double>(size, 1, 1), w = random_vector<double>(size, 2, 1);
  auto const at = [&](auto& x) { return sumfac::view(x.data(), nodes); };
  std::vector<double> expected(size), moved(size), part(size), v(size);
  double const step = 0x1p-10;
  double const places[] = {1, -1, 2, -2}, weights[] = {8, -8, -1, 1};
  for (int k = 0; k < 4; ++k) {
    for (std::size_t i = 0; i < size; ++i) moved[i] = u[i] + places[k] * step * w[i];
    f.apply(R, at(moved), at(part));
    for (std::size_t i = 0; i < size; ++i) expected[i] += weights[k] * part[i] / (12 * step);
  }
  j.linearize(R, at(u));
  j.apply(R, at(w), at(v));
  CHECK(off(v, expected) < allowed);
}

}  // namespace

TEST_CASE("Residual and tangent of an energy are those by hand")
{
  elasticity_agrees<1, sumfac::host, double, sumfac::stored>();
  elasticity_agrees<2, sumfac::host, float, sumfac::stored>();
  elasticity_agrees<2, sumfac::host, double, sumfac::isoparametric<2>>();
  elasticity_agrees<1, sumfac::checked, double, sumfac::stored>();
}

TEST_CASE("Tangents on global vectors are the derivatives of the operator")
{
  differs_along_global_vectors<sumfac::host, sumfac::stored>(1e-11);
  differs_along_global_vectors<sumfac::host, sumfac::trilinear>(1e-11);
  differs_along_global_vectors<sumfac::checked, sumfac::trilinear>(1e-11);
  // The state is read at the operator's nodes, as u.
  constexpr auto at_gauss = sumfac::hexahedron(2, sumfac::node_placement::gauss);
  differs_along_global_vectors<sumfac::host, sumfac::stored, at_gauss>(1e-11);
}
