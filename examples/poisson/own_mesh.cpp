// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem on a mesh of one's own, of hexahedra from Gmsh: own_mesh MESH.msh [SOLUTION.vtu]
// [program]
#include "../l2_error.hpp"   // for_each_point
#include "../write_vtu.hpp"
#include "number_nodes.hpp"
#include "read_mesh.hpp"

#include <sumfac/sumfac.hpp>

#include <gmsh.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

constexpr int N = 4;                                           // the degree

// The problem: - div grad u = source, and u on the boundary.
double source(auto const&) { return 1; }
double given(auto const&) { return 0; }                        // of x[0], x[1], x[2]

auto on(auto& x) { return sumfac::view(x.data(), static_cast<sumfac::index_t>(x.size())); }

void solve(hexahedral_mesh const& mesh, std::string const& vtu)
{
  constexpr int n = N + 1;                                     // nodes of an element along an edge
  node_numbers const numbers = number_nodes(mesh, N);
  auto const count = static_cast<std::size_t>(numbers.nodes);
  sumfac::view const table(numbers.table.data(), mesh.elements, n, n, n);
  std::vector<double> places(3 * count), f(count), u(count), b(count), lifted(count);
  for_each_point<sumfac::gauss_lobatto<n>>(mesh.nodes(), [&](auto e, int k, int j, int i, auto const& x) {
    auto const node = static_cast<std::size_t>(table(e, k, j, i));
    for (int d = 0; d < 3; ++d) places[3 * node + static_cast<std::size_t>(d)] = x.position()[d];
    f[node] = source(x.position());
    u[node] = numbers.on_boundary[node] != 0 ? given(x.position()) : 0;
  });

  sumfac::host const backend;
  sumfac::bp5<N> const A{backend, mesh.nodes()};               // (grad u, grad v)
  sumfac::bp1<N> const M{backend, mesh.nodes()};               // (u, v)
  sumfac::restriction const all{backend, table, numbers.nodes};
  sumfac::restriction const inside{backend, table, numbers.nodes, on(numbers.on_boundary)};
  M.apply(all, on(f), on(b));                                  // (f, v)
  A.apply(all, on(u), on(lifted));                             // what the boundary's values contribute
  for (std::size_t i = 0; i < count; ++i) b[i] = numbers.on_boundary[i] != 0 ? u[i] : b[i] - lifted[i];
  sumfac::global_operator const L{A, inside};
  std::vector<double> diagonal(count);
  L.diagonal(on(diagonal));
  auto const result = sumfac::cg(L, on(b), on(u), sumfac::jacobi{backend, on(diagonal)});

  std::printf("%lld elements of degree %d, %lld nodes: %s\nthe greatest u: %.4f\n",
              static_cast<long long>(mesh.elements), N, static_cast<long long>(numbers.nodes),
              result.report().c_str(), *std::max_element(u.begin(), u.end()));
  if (!vtu.empty()) write_vtu(vtu, {N, numbers.table, places, u});
}

int main(int argc, char** argv)
{
  int status = argc > 1 ? 0 : 1;
  gmsh::initialize();
  gmsh::option::setNumber("General.Terminal", 0);
  try {
    if (argc > 1) solve(read_mesh(argv[1]), argc > 2 ? argv[2] : "");
  } catch (std::exception const& error) {
    std::fprintf(stderr, "own_mesh: %s\n", error.what());
    status = 1;
  }
  gmsh::finalize();
  return status;
}
// [program]
