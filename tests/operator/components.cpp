// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP2, BP4 and BP6, the problems of three components, and BK3 and BP5, those without a mass term.
#include "problems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/math/pack.hpp>

namespace {

template <class Operator>
void agrees(reference::space const& space, reference::integrand<> const& exact)
{
  using scalar = typename Operator::scalar_type;
  constexpr int n = Operator::nodes_1d, components = Operator::components;
  constexpr int elements = sumfac::native_width<scalar> + 1;
  constexpr std::size_t size = std::size_t{components} * n * n * n;
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mesh::sampled(mesh::mapped(mesh::box({6, 2, 2}, where), mesh::kershaw{0.4, 0.3, 1}), elements);
  Operator const a(typename Operator::backend_type{}, checks::nodes_view(mesh));
  auto const u = support::random<scalar>(elements * size, n);
  std::vector<scalar> v(u.size(), std::numeric_limits<scalar>::quiet_NaN()), d = v;
  a.apply(checks::vector_view<components>(u.data(), elements, n),
          checks::vector_view<components>(v.data(), elements, n));
  a.diagonal(checks::vector_view<components>(d.data(), elements, n));
  for (int e = 0; e < elements; ++e) {
    reference::element<> const oracle(space, where, mesh.element(e), exact);
    auto const part = [&](std::vector<scalar> const& x) {
      auto const first = x.begin() + static_cast<std::ptrdiff_t>(size) * e;
      return std::vector<reference::real>(first, first + static_cast<std::ptrdiff_t>(size));
    };
    INFO("degree " << Operator::order << ", element " << e);
    CHECK(checks::distance(part(v), oracle.apply(part(u))) <=
          reference::allowed<scalar>(oracle, part(u), Operator::order));
    CHECK(checks::distance(part(d), oracle.diagonal()) <= reference::allowed_diagonal<scalar>(oracle, Operator::order));
  }
}

template <int Order, class Backend, class Scalar>
void all()
{
  agrees<sumfac::bp2<Order, Backend, Scalar>>(reference::on_gauss(Order, 3), reference::mass());
  agrees<sumfac::bp4<Order, Backend, Scalar>>(reference::on_gauss(Order, 3), reference::laplace());
  agrees<sumfac::bp6<Order, Backend, Scalar>>(reference::collocated(Order, 3), reference::laplace());
  agrees<sumfac::bp5<Order, Backend, Scalar>>(reference::collocated(Order), reference::laplace());
  using gauss = sumfac::gauss<Order + 2>;
  agrees<sumfac::element_operator<sumfac::laplace, Order, gauss, Backend, Scalar>>(reference::on_gauss(Order),
                                                                                   reference::laplace());
  using two = sumfac::element_operator<sumfac::vector_laplace<2>, Order, gauss, Backend, Scalar>;
  agrees<two>(reference::on_gauss(Order, 2), reference::laplace());
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("operator: several components and no mass term, on the host", "", ((int N), N), 1, 2, 4, 7)
{
  all<N, sumfac::host, double>();
}

TEST_CASE("operator: several components and no mass term, in single precision")
{
  all<3, sumfac::host, float>();
}

TEST_CASE("operator: several components and no mass term, on checked")
{
  all<2, sumfac::checked, double>();
  all<3, sumfac::checked, float>();
}
