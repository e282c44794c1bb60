// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem on a mesh of one's own, of hexahedra from Gmsh: own_mesh MESH.msh [SOLUTION.vtu]
// [program]
#include <sumfac/interop/gmsh.hpp>
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <vector>

constexpr int N = 4;                                           // the degree

// The problem: - div grad u = source, and u on the boundary.
auto const source = [](auto const&) { return 1; };
auto const given = [](auto const&) { return 0; };              // of x[0], x[1], x[2]

void solve(sumfac::mesh<3> const& mesh, char const* vtu)
{
  sumfac::function_space const V{mesh, N, mesh.boundary()};
  sumfac::host const backend;
  sumfac::bp5<N> const A{backend, mesh};                       // (grad u, grad v)
  auto const R = V.restriction(backend);
  sumfac::global_operator const L{A, R};
  auto b = V.load(source);                                     // (f, v)
  auto u = V.lift(A, given, b);
  std::vector<double> diagonal(b.size());
  L.diagonal(diagonal);
  auto const result = sumfac::cg(L, b, u, sumfac::jacobi{backend, diagonal});
  std::printf("%lld elements of degree %d, %lld nodes: %s\nthe greatest u: %.4f\n",
              static_cast<long long>(mesh.elements()), N, static_cast<long long>(V.nodes()),
              result.report().c_str(), *std::max_element(u.begin(), u.end()));
  if (vtu != nullptr) sumfac::write_vtu(vtu, V, {{"u", u}});
}

int main(int argc, char** argv)
{
  try {
    if (argc > 1) solve(sumfac::gmsh::read(argv[1]), argc > 2 ? argv[2] : nullptr);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "own_mesh: %s\n", error.what());
    return 1;
  }
  return argc > 1 ? 0 : 1;
}
// [program]
