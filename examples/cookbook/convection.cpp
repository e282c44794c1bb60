// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Advection and diffusion by multigrid: a wind that goes round in a square, up to 100 times as strong across an element
// as the diffusion is.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({8, 8});
  sumfac::function_space const V{mesh, 4, mesh.boundary()};
  double const h = 1. / 8, nu = h / 200;  // an element's Peclet number, |w| h / (2 nu), is up to 100
  auto const wind = [](auto const& x) {
    auto w = x;
    w[0] = 2 * x[1] - 1, w[1] = 1 - 2 * x[0];
    return w;
  };
  using namespace sumfac::weak;
  auto const w = coefficient(wind);
  auto const form = [&](double tau) {  // tau: more diffusion along the wind
    return integrate(nu * dot(grad(u), grad(v)) + dot(w, grad(u)) * v + tau * dot(w, grad(u)) * dot(w, grad(v)));
  };
  sumfac::host const backend;
  using matrix = sumfac::element_operator<decltype(form(0)), sumfac::quadrilateral(4)>;
  matrix const A{backend, mesh, form(0)}, B{backend, mesh, form(0.15 * h)};
  auto const R = V.restriction(backend);
  auto const b = V.load([=](auto const& at) {  // of the solution x (1 - x) y (1 - y)
    double const f = at[0] * (1 - at[0]), g = at[1] * (1 - at[1]), df = 1 - 2 * at[0], dg = 1 - 2 * at[1];
    return 2 * nu * (f + g) + wind(at)[0] * df * g + wind(at)[1] * f * dg;
  });
  std::vector<double> solution(V.size());
  sumfac::multigrid const P{sumfac::p_levels<4, 2, 1>(A, B, mesh, R),  // lower degrees are B's
                            {.smoother = sumfac::gmres_smoother{10}}, sumfac::coarse_gmres{}};
  std::printf("%s\n", sumfac::gmres(sumfac::global_operator{A, R}, b, solution, P).report().c_str());
  return compare("the middle", *std::max_element(solution.begin(), solution.end()), 1. / 16, 1e-7);
}
