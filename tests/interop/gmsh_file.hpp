// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A file of Gmsh's, format 2.2, of a brick of cells turned at random, of order 1 or 2.
#pragma once

#include "plex_meshes.hpp"

#include <fstream>

namespace plex {

// Gmsh's places in an element of order 2: https://gmsh.info/doc/texinfo/gmsh.html, "Node ordering". The first 8 of 27
// and the first 4 of 9 are those of order 1.
constexpr int gmsh_hexahedron[27][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2},
                                        {0, 2, 2}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 1, 0}, {2, 0, 1}, {1, 2, 0},
                                        {2, 2, 1}, {0, 2, 1}, {1, 0, 2}, {0, 1, 2}, {2, 1, 2}, {1, 2, 2}, {1, 1, 0},
                                        {1, 0, 1}, {0, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {1, 1, 1}};
constexpr int gmsh_square[9][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {1, 0, 0},
                                   {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 1, 0}};

// Sides at x = 0 are in the physical group 7, cells in the group 3. Of squares the file has edges.
inline void write_gmsh(std::string const& name, brick const& b, int order)
{
  int const half = 3 - order;  // steps of half a cell
  auto const number = [&](place const& p) {
    auto const i = [&](std::size_t d) { return std::llround(2 * p[d] / half); };
    long const nx = b.x * order + 1, ny = b.y * order + 1;
    return i(0) + nx * (i(1) + ny * i(2)) + 1;
  };
  std::ofstream out(name);
  out.precision(17);
  out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n"
      << (b.x * order + 1) * (b.y * order + 1) * (b.z * order + 1) << "\n";
  for (int k = 0; k <= b.z * order; ++k)
    for (int j = 0; j <= b.y * order; ++j)
      for (int i = 0; i <= b.x * order; ++i) {
        place const at{double(i) / order, double(j) / order, double(k) / order}, p = b.put(at);
        out << number(at) << " " << p[0] << " " << p[1] << " " << p[2] << "\n";
      }
  out << "$EndNodes\n$Elements\n" << b.cells() + b.y * (b.z > 0 ? b.z : 1) << "\n";
  int id = 0;
  bool const solid = b.z > 0;
  int const side_type = solid ? (order == 1 ? 3 : 10) : (order == 1 ? 1 : 8);
  for (int s = 0; s < b.y * (solid ? b.z : 1); ++s) {
    place const at{0, double(s % b.y), double(s / b.y)};
    out << ++id << " " << side_type << " 2 7 7";
    int const line[3] = {0, 2, 1};
    for (int a = 0; a < (solid ? (order == 1 ? 4 : 9) : order + 1); ++a) {
      double const u = (solid ? gmsh_square[a][0] : line[a]) / 2.0, v = solid ? gmsh_square[a][1] / 2.0 : 0;
      out << " " << number({0, at[1] + u, at[2] + v});
    }
    out << "\n";
  }
  int const cell_type = solid ? (order == 1 ? 5 : 12) : (order == 1 ? 3 : 10);
  for (int e = 0; e < b.cells(); ++e) {
    place const at = b.corner(e);
    out << ++id << " " << cell_type << " 2 3 3";
    for (int a = 0; a < (solid ? (order == 1 ? 8 : 27) : (order == 1 ? 4 : 9)); ++a) {
      auto const& own = solid ? gmsh_hexahedron[a] : gmsh_square[a];
      place const p = turn_of(b, e)({own[0] / 2.0, own[1] / 2.0, own[2] / 2.0});
      out << " " << number({at[0] + p[0], at[1] + p[1], at[2] + p[2]});
    }
    out << "\n";
  }
  out << "$EndElements\n";
}

// Read by all processes; written, and removed again, by the first.
inline mesh from_gmsh(brick const& b, int order)
{
  int rank = 0, processes = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &processes);
  std::string const name = "petsc_discretization_" + std::to_string(processes) + ".msh";
  if (rank == 0) write_gmsh(name, b, order);
  MPI_Barrier(PETSC_COMM_WORLD);
  DM dm = nullptr;
  ok(DMPlexCreateGmshFromFile(PETSC_COMM_WORLD, name.c_str(), PETSC_TRUE, &dm));
  MPI_Barrier(PETSC_COMM_WORLD);
  if (rank == 0) std::remove(name.c_str());
  return mesh(dm);
}

}  // namespace plex
