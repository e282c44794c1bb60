// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of a cell of a DMPlex: which of its points each lies inside of, however that point is turned in the cell.
#pragma once

#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>

#include <petscdmplex.h>

#include <array>
#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// A node of an element: along x, y, z from 0 to the degree, of simplices all together; 0 along the directions that
// there are not.
using lattice_place = std::array<int, 3>;

// Where the corners of PETSc's cells lie, those that its lists of faces go through.
inline constexpr lattice_place plex_hexahedron[8] = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0},
                                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
inline constexpr lattice_place plex_quadrilateral[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
inline constexpr lattice_place plex_tetrahedron[4] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
inline constexpr lattice_place plex_triangle[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
inline constexpr int plex_faces[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 3, 5, 4},
                                         {2, 1, 7, 6}, {3, 2, 6, 5}, {0, 4, 7, 1}};
inline constexpr int plex_tetrahedron_faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {2, 1, 3}};

// How many nodes of a degree a cell has.
inline std::size_t nodes_of_plex_cell(cell_shape shape, int directions, int degree)
{
  std::size_t const n = static_cast<std::size_t>(degree) + 1;
  if (shape == cell_shape::simplex) return directions == 3 ? n * (n + 1) * (n + 2) / 6 : n * (n + 1) / 2;
  return n * n * (directions == 3 ? n : 1);
}

// Calls f(point, number, place) for the nodes of cells: the point of the mesh that a node lies inside of, its number
// among the nodes there, which is the same from all cells, and its place in the cell. Nodes on edges come once for each
// face of the cell that has them, and vertices twice for each such edge.
//
// Goes down along cones and their orientations alone: a point may be in a cell more than once, as on a torus of one.
template <class Function>
class plex_cell_nodes {
public:
  plex_cell_nodes(DM dm, cell_shape shape, int directions, int degree, Function const& f)
      : dm_(dm), shape_(shape), directions_(directions), degree_(degree), f_(f)
  {
  }

  void visit(PetscInt cell) const
  {
    bool const is_solid = directions_ == 3;
    if (shape_ == cell_shape::simplex)
      is_solid ? visit_solid(cell, plex_tetrahedron, plex_tetrahedron_faces) : visit_face(cell, 0, plex_triangle);
    else
      is_solid ? visit_solid(cell, plex_hexahedron, plex_faces) : visit_face(cell, 0, plex_quadrilateral);
  }

private:
  // So many nodes from one corner towards a second one, and towards a third.
  lattice_place node(lattice_place const& first, int a, lattice_place const& second, int b = 0,
                     lattice_place const& third = {}) const
  {
    lattice_place at{};
    for (std::size_t d = 0; d < at.size(); ++d)
      at[d] = degree_ * first[d] + a * (second[d] - first[d]) + b * (third[d] - first[d]);
    return at;
  }

  template <std::size_t Corners, std::size_t Faces, std::size_t CornersOfFace>
  void visit_solid(PetscInt cell, lattice_place const (&corners)[Corners],
                   int const (&corners_of)[Faces][CornersOfFace]) const
  {
    for (int k = 1, number = 0; k < degree_; ++k)
      for (int j = 1; j < degree_; ++j)
        for (int i = 1; i < (Corners == 4 ? degree_ - j - k : degree_); ++i) f_(cell, number++, lattice_place{i, j, k});
    PetscInt const *faces = nullptr, *orientations = nullptr;
    cone_of(cell, faces, orientations);
    for (std::size_t face = 0; face < Faces; ++face) {
      lattice_place of_face[CornersOfFace];
      for (std::size_t c = 0; c < CornersOfFace; ++c)
        of_face[c] = corners[static_cast<std::size_t>(corners_of[face][c])];
      visit_face(faces[face], orientations[face], of_face);
    }
  }

  void cone_of(PetscInt point, PetscInt const*& cone, PetscInt const*& orientations) const
  {
    check_petsc("petsc::discretization", DMPlexGetCone(dm_, point, &cone));
    check_petsc("petsc::discretization", DMPlexGetConeOrientation(dm_, point, &orientations));
  }

  // The corner of a face that a cell comes to as its c-th: forwards from corner o, or, where o is negative, backwards
  // from corner -2 - o. What DMPolytopeTypeGetVertexArrangment says, whose spelling changes with PETSc's version.
  template <int Corners>
  static int turned_corner(PetscInt o, int c)
  {
    auto const turn = static_cast<int>(o);
    return turn >= 0 ? (turn + c) % Corners : (2 * Corners - 2 - turn - c) % Corners;
  }

  // A triangle or a quadrilateral whose corners lie there in the order in which the cell, by the orientation, goes
  // through them.
  template <std::size_t Corners>
  void visit_face(PetscInt face, PetscInt orientation, lattice_place const (&corners)[Corners]) const
  {
    constexpr int count = Corners;
    lattice_place own[Corners];  // in the order of the face itself
    for (int c = 0; c < count; ++c) own[turned_corner<count>(orientation, c)] = corners[c];
    for (int b = 1, number = 0; b < degree_; ++b)
      for (int a = 1; a < (count == 3 ? degree_ - b : degree_); ++a)
        f_(face, number++, node(own[0], a, own[1], b, own[count - 1]));
    PetscInt const *edges = nullptr, *orientations = nullptr;
    cone_of(face, edges, orientations);
    for (int c = 0; c < count; ++c) {
      lattice_place const &first = own[c], &second = own[(c + 1) % count];
      orientations[c] < 0 ? visit_edge(edges[c], second, first) : visit_edge(edges[c], first, second);
    }
  }

  void visit_edge(PetscInt edge, lattice_place const& first, lattice_place const& second) const
  {
    for (int a = 1; a < degree_; ++a) f_(edge, a - 1, node(first, a, second));
    PetscInt const *vertices = nullptr, *orientations = nullptr;
    cone_of(edge, vertices, orientations);
    f_(vertices[0], 0, node(first, 0, first));
    f_(vertices[1], 0, node(second, 0, second));
  }

  DM dm_;
  cell_shape shape_;
  int directions_, degree_;
  Function const& f_;
};

}  // namespace sumfac::detail
