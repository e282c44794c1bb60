// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A curved beam bends: linear elasticity on curved hexahedra by multigrid, beside the deflection of beam theory.
//
// A quarter of a ring is held at one end and pulled along its radius at the other.
// usage: curved_beam [DISPLACEMENTS.vtu]
#include "elasticity_form.hpp"
#include "ring.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>
#include <vector>

namespace {

constexpr int degree = 3;
constexpr ring_section section{.inner = 1.6, .outer = 2, .height = 0.4};

// S. P. Timoshenko and J. N. Goodier, Theory of Elasticity, the curved bar bent by a force at its end: for a force 1
// and Young's modulus 1, in plane stress. With Poisson's ratio 0, as below, stresses in space are plane.
double deflection_in_theory()
{
  double const a = section.inner, b = section.outer, sum = a * a + b * b;
  return std::numbers::pi * sum / ((a * a - b * b + sum * std::log(b / a)) * section.height);
}

// Prints a line; the end's deflection, which is the work that the force does: a constant traction along y at the free
// end, whose integral is 1.
double solve(int along, int across, char const* vtu)
{
  double const area = (section.outer - section.inner) * section.height;
  sumfac::host const backend;
  // [solve]
  sumfac::mesh const mesh = ring(along, across, section);
  sumfac::function_space const V{mesh, degree, mesh.boundary("x0"), {.components = 3}};
  auto const force = V.on(mesh.boundary("x1")).load([&](auto const&) {
    return sumfac::vector<double, 3>{0, 1 / area, 0};
  });
  auto const R = V.restriction(backend);
  sumfac::element_operator<elasticity, degree> const K{backend, mesh, {.lambda = 0, .mu = 0.5}};
  sumfac::multigrid const P{sumfac::p_levels<degree, 1>(K, mesh, R)};
  std::vector<double> u(force.size());
  auto const result = sumfac::cg(sumfac::global_operator{K, R}, force, u, P, {.tolerance = 1e-8});
  // [solve]
  if (!result) std::printf("%s\n", result.report().c_str());
  double const work = std::inner_product(u.begin(), u.end(), force.begin(), 0.0);
  std::printf("%8lld  %8lld  %10lld  %10.4f\n", static_cast<long long>(mesh.elements()),
              static_cast<long long>(V.size()), static_cast<long long>(result.iterations), work);
  if (vtu != nullptr) sumfac::write_vtu(vtu, V, {{"u", u}});
  return result ? work : 0;
}

}  // namespace

int main(int argc, char** argv)
{
  std::printf("elements  unknowns  iterations  deflection\n");
  double const expected = deflection_in_theory();
  solve(8, 1, nullptr);
  double const deflection = solve(16, 2, argc > 1 ? argv[1] : nullptr);
  std::printf("%42.4f  in theory\n", expected);
  return std::abs(deflection / expected - 1) < 1e-3 ? 0 : 1;
}
