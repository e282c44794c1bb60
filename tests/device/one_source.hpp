// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators of the host in a source for devices: against the oracle, and beside those of a device, entry by entry.
// `device_backend` is the backend that the including file names. Cases named "host" need no device.
#pragma once

#include "both_agree.hpp"

#include <support/larger.hpp>

#include <sumfac/form/weak.hpp>
#include <sumfac/solver/merged_cg.hpp>

#include <operator/global_case.hpp>
#include <operator/mixed_mesh.hpp>
#include <operator/policies.hpp>
#include <solver/solves.hpp>

namespace one_source {

// x of the merged iteration, beside that of the plain one.
inline void merged_agrees()
{
  auto const s = checks::poisson<sumfac::bp5<2>>();
  sumfac::host const backend;
  auto const a = s.c.make(backend);
  auto const r = s.c.restriction({}, backend);
  sumfac::global_operator const l{a, r};
  auto const size = static_cast<checks::index_t>(s.b.size());
  auto const on = [&]<class T>(T* data) { return sumfac::view<T, sumfac::dextents<1>>(data, size); };
  std::vector<double> x(s.b.size()), y(s.b.size());
  sumfac::cg_options const options{.iterations = 500, .tolerance = 1e-13};
  CHECK(sumfac::cg(l, on(s.b.data()), on(x.data()), sumfac::no_preconditioner{}, options));
  CHECK(sumfac::merged_cg(l, on(s.b.data()), on(y.data()), sumfac::no_preconditioner{}, options));
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = support::larger(largest, std::abs(x[i]));
    difference = support::larger(difference, std::abs(x[i] - y[i]));
  }
  CHECK(largest > 0);
  CHECK(difference <= 1e-11 * largest);
}

template <class Backend>
using mass = sumfac::bp1<3, Backend>;
template <class Backend>
using stiffness = sumfac::bp3<2, Backend>;
template <class Backend>
using at_nodes = sumfac::bp35<4, Backend, double, sumfac::isoparametric<3>>;

// A weak form whose coefficient a device may call: convection, and a diffusion that is not linear.
struct growing {
  template <class T>
  SUMFAC_FUNCTION T operator()(sumfac::vector<T, 3> const& x) const
  {
    return sumfac::scalar_of<T>(1) + x[0] * x[0];
  }
};
inline auto flow()
{
  using namespace sumfac::weak;
  return integrate((1 + u * u) * dot(grad(u), grad(v)) + coefficient(growing{}) * dot(x, grad(u)) * v - 2 * v);
}
template <class Backend>
using flows =
    sumfac::element_operator<decltype(flow()), 2, sumfac::gauss<3>, Backend, double, sumfac::isoparametric<3>>;

}  // namespace one_source

TEST_CASE("host: operators in a source for devices")
{
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mesh::sampled(mesh::mapped(mesh::box({3, 2, 2}, where), mesh::smooth{}), 9);
  checks::agrees_with_oracle<sumfac::bp1<2>>(mesh, where, reference::on_gauss(2), reference::mass());
  checks::agrees_with_oracle<sumfac::bp3<3, sumfac::host, float>>(mesh, where, reference::on_gauss(3),
                                                                  reference::stiffness(0.3), {.lambda = 0.3});
  checks::collocated_agrees<sumfac::trilinear, 2>();
  checks::stiffness_agrees<sumfac::isoparametric<5>, 2>();
  checks::agrees_with_oracle<sumfac::bp35<2, sumfac::host, double, sumfac::split>>(
      mesh::mixed(mesh::random_kinds(11, 3), where), where, reference::collocated(2), reference::stiffness(0.3),
      {.lambda = 0.3});
}

TEST_CASE("host: global vectors and conjugate gradients in a source for devices")
{
  std::vector<mesh::counts> const two{{3, 1, 1}, {2, 2, 1}};
  checks::agrees_globally<sumfac::bp3<2>>(two, reference::on_gauss(2), reference::stiffness(0.3), {.lambda = 0.3});
  checks::follows_the_oracle(checks::poisson<sumfac::bp5<2>>());
  one_source::merged_agrees();
}

TEST_CASE("host and device agree in one source")
{
  one_source::both_agree<one_source::mass>();
  one_source::both_agree<one_source::stiffness>();
  one_source::both_agree<one_source::at_nodes>();
  one_source::both_agree<one_source::flows>(one_source::flow());
}
