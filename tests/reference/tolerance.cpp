// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The tolerance holds for a naive evaluation in each precision, is not much wider than needed, and sees a wrong digit.
#include <support/larger.hpp>
#include <support/mesh.hpp>
#include <support/tolerance.hpp>

#include <catch2/catch.hpp>

#include <cmath>

namespace {

using reference::real;

reference::space problem_space(int problem, int order)
{
  return problem == 2 ? reference::collocated(order) : reference::on_gauss(order);
}

template <class T>
reference::integrand<T> problem_form(int problem)
{
  return problem == 0 ? reference::mass<T>() : reference::stiffness<T>(T(0.5));
}

// Greatest error of a naive evaluation in Scalar over the allowed one.
template <class Scalar>
double used(int problem, int order, mesh::nodes const& mesh, reference::rule const& points)
{
  double greatest = 0;
  for (int e = 0; e < mesh.elements; ++e) {
    auto const space = problem_space(problem, order);
    reference::element<> const exact(space, points, mesh.element(e), problem_form<real>(problem));
    reference::element<Scalar> const rounded(space, points, mesh.element(e), problem_form<Scalar>(problem));
    auto const u = support::random<real>(static_cast<std::size_t>(exact.size()), 7);
    auto const v = exact.apply(u);
    auto const w = rounded.apply(std::vector<Scalar>(u.begin(), u.end()));
    double error = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
      error = support::larger(error, static_cast<double>(std::abs(v[i] - static_cast<real>(w[i]))));
    greatest = support::larger(greatest, error / reference::allowed<Scalar>(exact, u, order));
  }
  return greatest;
}

}  // namespace

TEMPLATE_TEST_CASE("tolerance: a naive evaluation keeps it, and uses a good part of it", "", float, double)
{
  auto const points = reference::gauss_lobatto(3);
  auto const curved = mesh::sampled(mesh::mapped(mesh::box({6, 2, 2}, points), mesh::kershaw{0.3, 0.3, 1}), 2);
  for (int problem = 0; problem < 3; ++problem)
    for (int order = 1; order <= 15; ++order) {
      double const part = used<TestType>(problem, order, curved, points);
      INFO("problem " << problem << ", degree " << order << ": uses " << part << " of what is allowed");
      CHECK(part < 0.5);
      CHECK(part > 1e-3);
    }
}

TEST_CASE("tolerance: double tolerances see tables or factors rounded to single")
{
  auto const points = reference::gauss_lobatto(3);
  auto const curved = mesh::mapped(mesh::box({2, 1, 1}, points), mesh::smooth{});
  for (int order = 1; order <= 15; ++order) {
    reference::element<> const exact(reference::on_gauss(order), points, curved.element(1), reference::mass());
    reference::element<float> const single(reference::on_gauss(order), points, curved.element(1),
                                           reference::mass<float>());
    auto const u = support::random<real>(static_cast<std::size_t>(exact.size()), 7);
    auto const v = exact.apply(u);
    auto const w = single.apply(std::vector<float>(u.begin(), u.end()));
    double error = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
      error = support::larger(error, static_cast<double>(std::abs(v[i] - static_cast<real>(w[i]))));
    CHECK(error > 1e4 * reference::allowed<double>(exact, u, order));
  }
}

TEST_CASE("tolerance: it grows with the degree and with the unit roundoff only")
{
  for (int order = 1; order < 15; ++order) {
    CHECK(reference::tolerance<double>(order) < reference::tolerance<double>(order + 1));
    CHECK(reference::tolerance<float>(order) == 0x1p29 * reference::tolerance<double>(order));
  }
  CHECK(reference::tolerance<double>(15) < 1.5e-15);
}
