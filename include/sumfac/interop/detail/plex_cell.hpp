// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of a cell of a DMPlex: which of its points each lies inside of, however that point is turned in the cell.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>

#include <petscdmplex.h>

#include <array>

namespace sumfac::SUMFAC_TARGET::detail {

// A node of an element: along x, y, z from 0 to the degree; 0 along the directions that there are not.
using lattice_place = std::array<int, 3>;

// Where PETSc's corners of a hexahedron and of a quadrilateral lie: those that its lists of faces go through.
inline constexpr lattice_place plex_hexahedron[8] = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0},
                                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
inline constexpr lattice_place plex_quadrilateral[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
// Of a triangle and of a tetrahedron, of whose corners it goes through the second one last: our vertices.
inline constexpr int plex_triangle[3] = {0, 1, 2}, plex_tetrahedron[4] = {0, 2, 1, 3};
inline constexpr int plex_faces[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 3, 5, 4},
                                         {2, 1, 7, 6}, {3, 2, 6, 5}, {0, 4, 7, 1}};

// Calls f(point, number, place) for the nodes of cells: the point of the mesh that a node lies inside of, its number
// among the nodes there, which is the same from all cells, and its place in the cell. Nodes on edges come once for each
// face of the cell that has them, and vertices twice for each such edge.
//
// Goes down along cones and their orientations alone: a point may be in a cell more than once, as on a torus of one.
template <class Function>
class plex_cell_nodes {
public:
  plex_cell_nodes(DM dm, int degree, Function const& f) : dm_(dm), degree_(degree), f_(f) {}

  void visit_hexahedron(PetscInt cell) const
  {
    for (int k = 1, number = 0; k < degree_; ++k)
      for (int j = 1; j < degree_; ++j)
        for (int i = 1; i < degree_; ++i) f_(cell, number++, lattice_place{i, j, k});
    PetscInt const *faces = nullptr, *orientations = nullptr;
    cone_of(cell, faces, orientations);
    for (int face = 0; face < 6; ++face) {
      lattice_place corners[4];
      for (int c = 0; c < 4; ++c) corners[c] = scaled(plex_hexahedron[plex_faces[face][c]]);
      visit_face(faces[face], orientations[face], corners);
    }
  }

  void visit_quadrilateral(PetscInt cell) const
  {
    lattice_place corners[4];
    for (int c = 0; c < 4; ++c) corners[c] = scaled(plex_quadrilateral[c]);
    visit_face(cell, 0, corners);
  }

private:
  lattice_place scaled(lattice_place const& corner) const
  {
    return {corner[0] * degree_, corner[1] * degree_, corner[2] * degree_};
  }
  // From one corner to another, in steps of one node.
  lattice_place step(lattice_place const& from, lattice_place const& to) const
  {
    return {(to[0] - from[0]) / degree_, (to[1] - from[1]) / degree_, (to[2] - from[2]) / degree_};
  }
  static lattice_place moved(lattice_place const& from, int a, lattice_place const& s, int b = 0,
                             lattice_place const& t = {})
  {
    return {from[0] + a * s[0] + b * t[0], from[1] + a * s[1] + b * t[1], from[2] + a * s[2] + b * t[2]};
  }

  void cone_of(PetscInt point, PetscInt const*& cone, PetscInt const*& orientations) const
  {
    check_petsc("petsc::discretization", DMPlexGetCone(dm_, point, &cone));
    check_petsc("petsc::discretization", DMPlexGetConeOrientation(dm_, point, &orientations));
  }

  // The corner of a face that a cell comes to as its c-th: forwards from corner o, or, where o is negative, backwards
  // from corner -2 - o. What DMPolytopeTypeGetVertexArrangment says, whose spelling changes with PETSc's version.
  static int turned_corner(PetscInt o, int c)
  {
    auto const turn = static_cast<int>(o);
    return turn >= 0 ? (turn + c) % 4 : (6 - turn - c) % 4;
  }

  // A quadrilateral whose corners lie there in the order in which the cell, by the orientation, goes through them.
  void visit_face(PetscInt face, PetscInt orientation, lattice_place const (&corners)[4]) const
  {
    lattice_place own[4];  // in the order of the face itself
    for (int c = 0; c < 4; ++c) own[turned_corner(orientation, c)] = corners[c];
    lattice_place const along = step(own[0], own[1]), across = step(own[0], own[3]);
    for (int b = 1, number = 0; b < degree_; ++b)
      for (int a = 1; a < degree_; ++a) f_(face, number++, moved(own[0], a, along, b, across));
    PetscInt const *edges = nullptr, *orientations = nullptr;
    cone_of(face, edges, orientations);
    for (int c = 0; c < 4; ++c) {
      lattice_place const &first = own[c], &second = own[(c + 1) % 4];
      orientations[c] < 0 ? visit_edge(edges[c], second, first) : visit_edge(edges[c], first, second);
    }
  }

  void visit_edge(PetscInt edge, lattice_place const& first, lattice_place const& second) const
  {
    lattice_place const along = step(first, second);
    for (int a = 1; a < degree_; ++a) f_(edge, a - 1, moved(first, a, along));
    PetscInt const *vertices = nullptr, *orientations = nullptr;
    cone_of(edge, vertices, orientations);
    f_(vertices[0], 0, first);
    f_(vertices[1], 0, second);
  }

  DM dm_;
  int degree_;
  Function const& f_;
};

}  // namespace sumfac::detail
