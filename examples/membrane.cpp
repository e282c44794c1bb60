// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A round membrane under a load: quadrilaterals with curved sides, the orders that refinement shows, and iterations
// with multigrid and without.
//
// usage: membrane [SOLUTION.vtu]
#include "orders.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr double pi = 3.14159265358979323846;

// Where block 0, the square, or 1 to 4 has s, t in [0, 1].
sumfac::vector<double, 2> place(int block, double s, double t)
{
  double const half = 0.45, a = 2 * s - 1, b = 2 * t - 1;
  if (block == 0) return {half * a, half * b};
  // To the right of the square: from its side to the arc of 90 degrees; the others are turned.
  double const angle = pi / 4 * b;
  double const x = (1 - s) * half + s * std::cos(angle), y = (1 - s) * half * b + s * std::sin(angle);
  switch (block) {
    case 1: return {x, y};
    case 2: return {-y, x};
    case 3: return {-x, -y};
    default: return {y, -x};
  }
}

// The unit disk: a square in the middle and four blocks around it, of cells^2 quadrilaterals each, whose nodes of every
// degree lie at the Gauss-Lobatto points.
sumfac::mesh<2> disk(int degree, int cells)
{
  std::vector<double> xy;  // (E, n, n, 2)
  for (int block = 0; block < 5; ++block) {
    auto const part =
        sumfac::box_mesh({cells, cells}, [&](auto const& x) { return place(block, x[0], x[1]); }, degree);
    xy.insert(xy.end(), part.data(), part.data() + part.size());
  }
  int const n = degree + 1;
  sumfac::view const nodes(xy.data(), 5 * cells * cells, n, n, 2);
  return sumfac::mesh<2>::copy_of(sumfac::mesh_view(nodes, sumfac::gauss_lobatto_nodes{}));  // joined where they meet
}

// The membrane's shape, and the load - div grad of it.
double shape(sumfac::vector<double, 2> const& x)
{
  return std::cos(pi / 2 * dot(x, x)) * (1 + x[0] * x[1]);
}
double load(sumfac::vector<double, 2> const& x)
{
  double const r = dot(x, x), c = std::cos(pi / 2 * r), s = std::sin(pi / 2 * r);
  // of c: c_x = - pi x s, and so on; xy has no Laplacian, and its gradient is (y, x)
  double const laplacian_of_c = -2 * pi * s - pi * pi * r * c;
  return -(laplacian_of_c * (1 + x[0] * x[1]) - 4 * pi * x[0] * x[1] * s);
}

struct solved {
  double error;
  int unknowns, by_jacobi, by_multigrid;
};

// With Jacobi's preconditioner, and from degree 3 on with multigrid, which has the last word.
template <int Degree>
solved solve(int cells, char const* vtu = nullptr)
{
  sumfac::host const backend;
  // [membrane]
  sumfac::mesh const mesh = disk(Degree, cells);
  sumfac::function_space const V{mesh, Degree, mesh.boundary()};
  auto const R = V.restriction(backend);
  sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(Degree)> const K{backend, mesh};
  // [membrane]
  auto const b = V.load(load);
  std::vector<double> x(b.size()), d(b.size());
  sumfac::global_operator const A{K, R};
  A.diagonal(d);
  sumfac::cg_options const options{.tolerance = 1e-12};
  auto const iterations = [](sumfac::solve_result const& result) {
    if (!result) std::printf("%s\n", result.report().c_str());
    return static_cast<int>(result.iterations);
  };
  solved made{0, static_cast<int>(V.nodes()), 0, 0};
  made.by_jacobi = iterations(sumfac::cg(A, b, x, sumfac::jacobi(backend, d), options));
  if constexpr (Degree > 2) {
    std::fill(x.begin(), x.end(), 0.0);
    // [multigrid]
    sumfac::multigrid const P{sumfac::p_levels<Degree, (Degree + 1) / 2, 1>(K, mesh, R)};
    made.by_multigrid = iterations(sumfac::cg(A, b, x, P, options));
    // [multigrid]
  }

  if (vtu != nullptr) sumfac::write_vtu(vtu, V, {{"u", x}});
  made.error = V.l2_error(x, shape);
  return made;
}

template <int Degree>
bool show()
{
  return show_order(Degree, 0.4, [](int cells) { return solve<Degree>(cells).error; });
}

// Iterations to 1e-12; true where multigrid's stay few.
template <int Degree>
bool show_iterations(int cells)
{
  solved const made = solve<Degree>(cells);
  std::printf("%6d  %10d  %10d  %9d\n", Degree, made.unknowns, made.by_jacobi, made.by_multigrid);
  return made.by_multigrid <= 20;
}

}  // namespace

int main(int argc, char** argv)
{
  std::printf("degree   error, h     error, h/2  order\n");
  bool right = show<1>();
  right = show<2>() && right;
  right = show<3>() && right;
  right = show<4>() && right;
  right = show<5>() && right;
  std::printf("degree  unknowns    iterations  with multigrid\n");
  for (int const cells : {4, 12}) {
    right = show_iterations<3>(cells) && right;
    right = show_iterations<4>(cells) && right;
    right = show_iterations<5>(cells) && right;
  }
  if (argc > 1) solve<5>(4, argv[1]);
  return right ? 0 : 1;
}
