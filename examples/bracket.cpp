// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Linear elasticity on a mesh of hexahedra, prisms and tetrahedra: held at one end, pulled at the other.
//
// usage: bracket [MESH.msh [SURFACE.vtu]]
//
// Without a file of Gmsh's, as examples/bracket.geo makes it, the bracket is three cubes, a kind of elements each.
#include "elasticity_form.hpp"

#include <sumfac/interop/gmsh.hpp>
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using position = sumfac::vector<double, 3>;

// [cubes]
// The unit cube of n^3 small ones, moved up by z, each cut into elements by the corners that these have.
template <class Mesh, std::size_t Parts, std::size_t Vertices>
Mesh cut_cube(int n, double z, int const (&corners)[Parts][Vertices])
{
  std::vector<double> points;
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i)
        for (double const at : {double(i) / n, double(j) / n, z + double(k) / n}) points.push_back(at);
  std::vector<int> table;
  for (int e = 0; e < n * n * n; ++e)
    for (auto const& element : corners)
      for (int const c : element)
        table.push_back(((e / n / n + c / 4) * (n + 1) + e / n % n + c / 2 % 2) * (n + 1) + e % n + c % 2);
  auto const elements = static_cast<sumfac::index_t>(table.size() / Vertices);
  return {sumfac::view(points.data(), points.size() / 3, 3), sumfac::view(table.data(), elements, Vertices)};
}

// Hexahedra beside prisms, and tetrahedra above these.
sumfac::mixed_mesh<3> three_cubes(int n)
{
  int const prisms[2][6] = {{0, 1, 3, 4, 5, 7}, {0, 3, 2, 4, 7, 6}};
  int const tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  sumfac::mesh const bar = sumfac::box_mesh({n, n, n}, [](auto const& x) { return position{x[0] - 1, x[1], x[2]}; }, 1);
  sumfac::mixed_mesh<3> const all{bar, cut_cube<sumfac::cell_mesh<3, 3, sumfac::cell_shape::prism>>(n, 0, prisms),
                                  cut_cube<sumfac::cell_mesh<3>>(n, 1, tetrahedra)};
  return all.named("wall", [](auto const& x) { return x[0] < -1 + 1e-9; })
      .named("load", [](auto const& x) { return x[2] > 2 - 1e-9; });
}
// [cubes]

// Steps by levels of degrees 2 and 1, and by Jacobi's preconditioner: whether both find the same.
bool solve(sumfac::mixed_mesh<3> const& mesh, char const* vtu)
{
  sumfac::host const backend;
  // [solve]
  sumfac::function_space const V{mesh, 2, mesh.boundary("wall"), {.components = 3}};
  auto const A = sumfac::sum_by_kind<2>(backend, V, elasticity{.lambda = 0.6, .mu = 0.4});
  std::vector<double> const b = V.on(mesh.boundary("load")).load([](auto const&) { return position{1e-3, 0, 0}; });
  std::vector<double> x(b.size());
  sumfac::multigrid const P{sumfac::p_levels<2, 1>(A, mesh)};
  auto const by_levels = sumfac::cg(A, b, x, P, {.tolerance = 1e-8});
  if (vtu != nullptr) sumfac::write_vtu(vtu, V.on(mesh.boundary()), {{"u", x}});
  // [solve]
  std::vector<double> y(b.size()), diagonal(b.size());
  A.diagonal(diagonal);
  auto const by_jacobi = sumfac::cg(A, b, y, sumfac::jacobi{backend, diagonal}, {.tolerance = 1e-8});
  double work = 0, difference = 0;  // of the load
  for (std::size_t i = 0; i < b.size(); ++i) work += b[i] * x[i], difference += b[i] * (x[i] - y[i]);
  std::printf("%lld unknowns of degree 2: %lld steps by levels, %lld by Jacobi's preconditioner; work %.4e\n",
              static_cast<long long>(V.size()), static_cast<long long>(by_levels.iterations),
              static_cast<long long>(by_jacobi.iterations), work);
  return by_levels && by_jacobi && work > 0 && std::abs(difference) < 1e-6 * work;
}

}  // namespace

int main(int argc, char** argv)
{
  auto const mesh = argc > 1 ? sumfac::gmsh::read_mixed<3>(argv[1]) : three_cubes(2);
  using sumfac::cell_shape;
  std::printf("%lld hexahedra, %lld prisms, %lld tetrahedra\n",
              static_cast<long long>(mesh.of<cell_shape::lines>().elements()),
              static_cast<long long>(mesh.of<cell_shape::prism>().elements()),
              static_cast<long long>(mesh.of<cell_shape::simplex>().elements()));
  return solve(mesh, argc > 2 ? argv[2] : nullptr) ? 0 : 1;
}
