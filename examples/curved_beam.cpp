// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A curved beam bends: linear elasticity on curved hexahedra by multigrid, beside the deflection of beam theory.
//
// A quarter of a ring is held at one end and pulled along its radius at the other.
// usage: curved_beam [DISPLACEMENTS.vtu]
#include "elasticity_form.hpp"
#include "l2_error.hpp"
#include "ring.hpp"
#include "write_vtu.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <vector>

namespace {

constexpr int degree = 3, n = degree + 1;
constexpr ring::section section{.inner = 1.6, .outer = 2, .height = 0.4};

// S. P. Timoshenko and J. N. Goodier, Theory of Elasticity, the curved bar bent by a force at its end: for a force 1
// and Young's modulus 1, in plane stress. With Poisson's ratio 0, as below, stresses in space are plane.
double deflection_in_theory()
{
  double const a = section.inner, b = section.outer, sum = a * a + b * b;
  return std::numbers::pi * sum / ((a * a - b * b + sum * std::log(b / a)) * section.height);
}

struct beam {
  beam(int along, int across);

  ring mesh;
  std::vector<unsigned char> held;  // (nodes, 3)
  std::vector<double> force;        // (nodes, 3): of a constant traction along y at the free end; their sum is 1
};

beam::beam(int along, int across) : mesh(degree, along, across, section)
{
  int const last = across * degree;
  // Each node's share of a line across the end, by the Lobatto rule.
  auto const share = [&](sumfac::index_t i) {
    double const weight = double(sumfac::gauss_lobatto<n>::weights[static_cast<std::size_t>(i % degree)]) / 2 / across;
    return i % degree == 0 && i > 0 && i < last ? 2 * weight : weight;
  };
  for (sumfac::index_t node = 0; node < mesh.nodes; ++node) {
    sumfac::index_t const row = along * degree + 1, j = node / row % (last + 1), k = node / row / (last + 1);
    held.insert(held.end(), 3, node % row == 0);
    force.insert(force.end(), {0, node % row == row - 1 ? share(j) * share(k) : 0, 0});
  }
}

void write(char const* vtu, ring const& mesh, std::vector<double> const& u)
{
  std::vector<double> places(u.size());
  for_each_point<sumfac::gauss_lobatto<n>>(mesh.mesh(), [&](auto e, int k, int j, int i, auto const& x) {
    auto const node = mesh.table[static_cast<std::size_t>(((e * n + k) * n + j) * n + i)];
    for (int d = 0; d < 3; ++d) places[static_cast<std::size_t>(3 * node + d)] = x.position()[d];
  });
  write_vtu(vtu, {degree, mesh.table, places, u, 3, 3});
}

// Prints a line; the end's deflection, which is the work that the forces do.
double solve(int along, int across, char const* vtu)
{
  beam const b(along, across);
  sumfac::host const backend;
  sumfac::index_t const size = 3 * b.mesh.nodes;
  sumfac::view const table(b.mesh.table.data(), b.mesh.elements, n, n, n);
  sumfac::view const held(b.held.data(), b.mesh.nodes, 3);
  sumfac::view const force(b.force.data(), size);
  std::vector<double> u_data(b.force.size());
  sumfac::view const u(u_data.data(), size);
  // [solve]
  sumfac::restriction const R{backend, table, b.mesh.nodes, held, {.components = 3}};
  sumfac::element_operator<elasticity, degree> const K{backend, b.mesh.mesh(), {.lambda = 0, .mu = 0.5}};
  sumfac::multigrid const P{sumfac::p_levels<degree, 1>(K, b.mesh.mesh(), R)};
  auto const result = sumfac::cg(sumfac::global_operator{K, R}, force, u, P, {.tolerance = 1e-8});
  // [solve]
  if (!result) std::printf("%s\n", result.report().c_str());
  double const work = sumfac::vector_ops(backend, size).dot(force, u);
  std::printf("%8lld  %8lld  %10lld  %10.4f\n", static_cast<long long>(b.mesh.elements), static_cast<long long>(size),
              static_cast<long long>(result.iterations), work);
  if (vtu != nullptr) write(vtu, b.mesh, u_data);
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
