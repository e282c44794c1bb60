// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Iterations to 1e-8 by multigrid, of the tables on the pages of cells, faces and measured solvers: problems are those
// of the tests, on more elements and of more degrees.
//
// usage: iterations [cells] [faces] [hanging] [convection]; all without a word
#include "convection.hpp"

#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <sumfac/sumfac.hpp>

#include <operator/cells.hpp>
#include <operator/two_sided_forms.hpp>
#include <support/random.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using sumfac::index_t;

// cg's iterations; a mark where they did not suffice.
template <class Matrix, class Preconditioner>
void print_solve(char const* what, Matrix const& a, std::vector<double> const& b, Preconditioner const& p)
{
  std::vector<double> x(b.size());
  auto const result = sumfac::cg(a, b, x, p, {.iterations = 20000, .tolerance = 1e-8});
  std::printf("  %s %d%s", what, static_cast<int>(result.iterations), result ? "" : " (not converged)");
}
template <class Matrix>
void print_jacobi(Matrix const& a, std::vector<double> const& b)
{
  std::vector<double> d(b.size());
  a.diagonal(d);
  print_solve("Jacobi", a, b, sumfac::jacobi{a.backend(), d});
}

// The Laplacian on n^3 cubes of six tetrahedra each.
template <int N, int... Lower>
void on_tetrahedra(int cubes)
{
  auto const mesh = checks::box_of_cells(sumfac::tetrahedron(N), cubes).mesh<sumfac::cell_mesh<3>>();
  sumfac::host const backend;
  sumfac::function_space const V(mesh, N, mesh.boundary());
  auto const R = V.restriction(backend);
  sumfac::element_operator<sumfac::laplace, sumfac::tetrahedron(N)> const A{backend, mesh};
  sumfac::global_operator const L{A, R};
  auto const b = V.load([](auto const& x) { return 1 + x[0]; });
  std::printf("tetrahedra, N = %d, levels %d", N, N);
  for (int const order : {Lower...}) std::printf(" %d", order);
  std::printf(", %d^3 cubes, %d unknowns:", cubes, static_cast<int>(V.size()));
  print_solve("levels", L, b,
              sumfac::multigrid{sumfac::p_levels<float, N, Lower...>(A, mesh, R), {.smoother = sumfac::chebyshev{3}}});
  print_jacobi(L, b);
  std::printf("\n");
}

// Discontinuous functions on a bent box that is cut into 2^3 elements and more, interior penalties (N + 1)^2 / h.
template <int N, int... Lower>
void jumping(index_t most_entries)
{
  auto const bend = [](sumfac::vector<double, 3> x) {
    double const pi = std::acos(-1.0), by = 0.06 * std::sin(2 * pi * x[0]) * std::sin(2 * pi * x[1]);
    x[0] += by, x[1] -= by, x[2] += by;
    return x;
  };
  constexpr auto space = sumfac::hexahedron(N);
  constexpr double n = N + 1;
  auto const coarse = sumfac::box_mesh({2, 2, 2}, bend, 2);
  for (int times = 0; times < 3; ++times) {
    auto const box = sumfac::refined(coarse, times);
    sumfac::host const backend;
    sumfac::element_operator<sumfac::laplace, space> const K{backend, box};
    sumfac::interior_operator<two_sided::interior_penalty, space> const F{backend, box, {n * n}};
    sumfac::sum const A{K, F};
    if (A.size() > most_entries) return;
    sumfac::function_space const V{box, N, box.boundary()};
    auto const R = V.restriction(backend);
    auto const b = support::random<double>(static_cast<std::size_t>(A.size()), 3);
    std::printf("discontinuous, N = %d, %d elements:", N, static_cast<int>(box.elements()));
    for (int const degree : {3, 5})
      print_solve(degree == 3 ? "chebyshev{3}" : "chebyshev{5}", A, b,
                  sumfac::multigrid{sumfac::p_levels<float, N, Lower...>(A, K, box, R),
                                    {.smoother = sumfac::chebyshev{degree}}});
    if (times < 2) print_jacobi(A, b);
    std::printf("\n");
  }
}

// The Laplacian, 0 where x = 0.
template <class Operator, int... Orders, int D>
void on_mesh(char const* what, sumfac::mesh<D> const& mesh)
{
  sumfac::function_space const V{mesh, Operator::order, mesh.boundary("x0")};
  sumfac::host const backend;
  auto const R = V.restriction(backend);
  Operator const A{backend, mesh};
  auto const b = V.load([](auto const& x) { return 1 + x[0]; });
  std::printf("%s, N = %d, %d elements, %d sides hang:", what, Operator::order, static_cast<int>(mesh.elements()),
              static_cast<int>(mesh.hanging().size()));
  print_solve("levels", sumfac::global_operator{A, R}, b, sumfac::multigrid{sumfac::p_levels<Orders...>(A, mesh, R)});
  std::printf("\n");
}
template <int D>
sumfac::mesh<D> graded(sumfac::mesh<D> mesh, int times)
{
  for (int i = 0; i < times; ++i) mesh = sumfac::refine(mesh, {0});
  return mesh;
}
// Elements that the circle around 0 crosses are cut.
sumfac::mesh<2> along_circle(sumfac::mesh<2> mesh, int times)
{
  for (int i = 0; i < times; ++i) {
    sumfac::function_space const V{mesh, 2};
    auto const x = V.positions();
    auto const table = V.table();
    index_t const nodes = table.size() / mesh.elements();
    std::vector<index_t> cut;
    for (index_t e = 0; e < mesh.elements(); ++e) {
      bool in = false, out = false;
      for (index_t p = 0; p < nodes; ++p) {
        auto const at = static_cast<std::size_t>(2 * table.data()[e * nodes + p]);
        (x[at] * x[at] + x[at + 1] * x[at + 1] < 0.5 ? in : out) = true;
      }
      if (in && out) cut.push_back(e);
    }
    mesh = sumfac::refine(mesh, cut);
  }
  return mesh;
}
void hanging()
{
  auto const bend = [](auto x) {
    x[0] += 0.1 * x[1] * x[1];
    return x;
  };
  using squares = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(4)>;
  using cubes = sumfac::element_operator<sumfac::laplace, 4>;
  using low_cubes = sumfac::element_operator<sumfac::laplace, 2>;
  auto const flat = sumfac::refined(sumfac::box_mesh({3, 3}, bend));
  auto const box = sumfac::refined(sumfac::box_mesh({2, 2, 2}, bend));
  on_mesh<squares, 4, 2, 1>("squares, all cut", sumfac::refined(flat, 2));
  on_mesh<squares, 4, 2, 1>("squares, towards a corner", graded(flat, 8));
  on_mesh<squares, 4, 2, 1>("squares, along a circle", along_circle(flat, 4));
  on_mesh<cubes, 4, 2, 1>("hexahedra, all cut", box);
  on_mesh<cubes, 4, 2, 1>("hexahedra, towards a corner", graded(box, 3));
  on_mesh<low_cubes, 2, 1>("hexahedra, all cut", box);
  on_mesh<low_cubes, 2, 1>("hexahedra, towards a corner", graded(box, 3));
}

bool asked(int count, char** words, char const* word)
{
  for (int i = 1; i < count; ++i)
    if (std::strcmp(words[i], word) == 0) return true;
  return count < 2;
}

}  // namespace

int main(int count, char** words)
{
  if (asked(count, words, "cells")) {
    for (int const cubes : {4, 8}) on_tetrahedra<2, 1>(cubes);
    for (int const cubes : {4, 8}) on_tetrahedra<3, 1>(cubes);
    for (int const cubes : {4, 8}) on_tetrahedra<3, 2, 1>(cubes);
    for (int const cubes : {2, 4, 6}) on_tetrahedra<4, 2, 1>(cubes);
  }
  if (asked(count, words, "faces")) {
    jumping<2, 1>(150000);
    jumping<3, 2, 1>(150000);
    jumping<4, 2, 1>(150000);
    jumping<5, 3, 1>(150000);
    jumping<6, 3, 1>(150000);
    jumping<7, 4, 1>(150000);
  }
  if (asked(count, words, "hanging")) hanging();
  if (asked(count, words, "convection")) convection::print_table();
}
