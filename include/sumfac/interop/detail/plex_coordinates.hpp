// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where the nodes of a DMPlex's cells are: which of its points each lies inside of, however that point is turned in the
// cell; and mesh nodes, from its field of coordinates, of the order that this has.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <petscdmplex.h>
#include <petscfe.h>
#include <array>
#include <cstddef>
#include <vector>

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

// What the coordinates of a mesh are: values at vertices, or a field of finite elements.
class plex_coordinates {
public:
  plex_coordinates(DM dm, int directions, int coordinates, cell_shape shape = cell_shape::lines)
      : dm_(dm), directions_(directions), coordinates_(coordinates), shape_(shape)
  {
    DM of_coordinates = nullptr;
    check_petsc(here, DMGetCoordinateDM(dm, &of_coordinates));
    PetscInt fields = 0;
    check_petsc(here, DMGetNumFields(of_coordinates, &fields));
    if (fields == 0) return;
    PetscObject field = nullptr;
    PetscClassId kind = 0;
    check_petsc(here, DMGetField(of_coordinates, 0, nullptr, &field));
    check_petsc(here, PetscObjectGetClassId(field, &kind));
    if (kind == PETSCFE_CLASSID) read_order(reinterpret_cast<PetscFE>(field));
  }

  int order() const { return order_; }
  // What is wrong with them, or nothing.
  char const* problem() const { return problem_; }

  // (E, m, m, m, C), at Gauss-Lobatto points; of simplices (E, M, C), at equal distances.
  std::vector<double> of(std::vector<PetscInt> const& cells) const
  {
    if (order_ > 1) return at_points(cells);
    std::vector<double> nodes(cells.size() * corners() * static_cast<std::size_t>(coordinates_));
    double* to = nodes.data();
    for (PetscInt const cell : cells) {
      each_cell(cell, [&](PetscScalar const* x, PetscInt) {
        for (std::size_t corner = 0; corner < corners(); ++corner) {
          int const node = node_of_corner(corner);
          for (int c = 0; c < coordinates_; ++c) to[node * coordinates_ + c] = *x++;
        }
      });
      to += corners() * static_cast<std::size_t>(coordinates_);
    }
    return nodes;
  }

  // How many coordinates a cell has, and how many its order needs, which differ in a mesh of one cell around a torus.
  int got(PetscInt cell) const
  {
    int count = 0;
    each_cell(cell, [&](PetscScalar const*, PetscInt entries) { count = static_cast<int>(entries); });
    return count;
  }
  int expected() const { return static_cast<int>(nodes()) * coordinates_; }
  int expected_of_vertices() const { return static_cast<int>(corners()) * coordinates_; }
  // Which of our vertices a corner of PETSc's is.
  int node_of_corner(std::size_t corner) const
  {
    if (shape_ == cell_shape::simplex) {
      auto const& p = directions_ == 3 ? plex_tetrahedron[corner] : plex_triangle[corner];
      return p[0] + 2 * p[1] + 3 * p[2];
    }
    auto const& p = directions_ == 3 ? plex_hexahedron[corner] : plex_quadrilateral[corner];
    return (p[2] * 2 + p[1]) * 2 + p[0];
  }

private:
  static constexpr auto here = "petsc::discretization";

  std::size_t corners() const { return nodes_of_plex_cell(shape_, directions_, 1); }
  std::size_t nodes() const { return nodes_of_plex_cell(shape_, directions_, order_); }

  // All products of polynomials of the order are asked for, of simplices all polynomials.
  void read_order(PetscFE fe)
  {
    PetscSpace space = nullptr;
    PetscInt components = 0, functions = 0, degree = 0;
    check_petsc(here, PetscFEGetNumComponents(fe, &components));
    check_petsc(here, PetscFEGetDimension(fe, &functions));
    check_petsc(here, PetscFEGetBasisSpace(fe, &space));
    check_petsc(here, PetscSpaceGetDegree(space, &degree, nullptr));
    fe_ = fe;
    order_ = static_cast<int>(degree);
    if (degree < 1 || degree >= max_mesh_nodes_1d)
      problem_.say("the field of coordinates is of order %d (1 to %d expected)", order_, max_mesh_nodes_1d - 1);
    else if (components != coordinates_ || functions != static_cast<PetscInt>(nodes()) * components)
      problem_.say(
          "the field of coordinates, of order %d, has %d functions of %d components (%d of %d expected: all "
          "%spolynomials of that order)",
          order_, static_cast<int>(functions), static_cast<int>(components), static_cast<int>(nodes()) * coordinates_,
          coordinates_, shape_ == cell_shape::simplex ? "" : "products of ");
  }

  template <class Function>
  void each_cell(PetscInt cell, Function const& f) const
  {
    PetscBool cellwise = PETSC_FALSE;
    PetscInt count = 0;
    PetscScalar const* array = nullptr;
    PetscScalar* x = nullptr;
    check_petsc(here, DMPlexGetCellCoordinates(dm_, cell, &cellwise, &count, &array, &x));
    f(static_cast<PetscScalar const*>(x), count);
    check_petsc(here, DMPlexRestoreCellCoordinates(dm_, cell, &cellwise, &count, &array, &x));
  }

  // A function of the field that is not 0 at a node.
  struct term {
    std::size_t to, from;
    double value;
  };

  // Of nodes, on PETSc's cell from -1 to 1.
  std::vector<PetscReal> places() const
  {
    std::vector<PetscReal> points;
    if (shape_ == cell_shape::simplex) {
      for_each_lattice_index(directions_, order_, [&](int const* a) {
        for (int d = 0; d < directions_; ++d) points.push_back(2 * static_cast<PetscReal>(a[d + 1]) / order_ - 1);
      });
      return points;
    }
    int const m = order_ + 1;
    long double line[max_mesh_nodes_1d] = {};
    gauss_lobatto_nodes{}(m, line);
    for (std::size_t node = 0; node < nodes(); ++node)
      for (std::size_t d = 0, rest = node; static_cast<int>(d) < directions_; ++d, rest /= static_cast<std::size_t>(m))
        points.push_back(static_cast<PetscReal>(line[rest % static_cast<std::size_t>(m)]));
    return points;
  }

  std::vector<term> terms() const
  {
    std::vector<PetscReal> const points = places();
    PetscTabulation values = nullptr;
    check_petsc(here, PetscFECreateTabulation(fe_, 1, static_cast<PetscInt>(nodes()), points.data(), 0, &values));
    std::vector<term> list;
    auto const components = static_cast<std::size_t>(values->Nc), functions = static_cast<std::size_t>(values->Nb);
    for (std::size_t node = 0; node < nodes(); ++node)
      for (std::size_t f = 0; f < functions; ++f)
        for (std::size_t c = 0; c < components; ++c)
          if (double const value = values->T[0][(node * functions + f) * components + c]; value != 0)
            list.push_back({node * components + c, f, value});
    check_petsc(here, PetscTabulationDestroy(&values));
    return list;
  }

  std::vector<double> at_points(std::vector<PetscInt> const& cells) const
  {
    auto const list = terms();
    std::size_t const entries = nodes() * static_cast<std::size_t>(coordinates_);
    std::vector<double> result(cells.size() * entries, 0);
    double* to = result.data();
    for (PetscInt const cell : cells) {
      each_cell(cell, [&](PetscScalar const* x, PetscInt) {
        for (term const& t : list) to[t.to] += t.value * x[t.from];
      });
      to += entries;
    }
    return result;
  }

  DM dm_;
  int directions_, coordinates_;
  cell_shape shape_;
  int order_ = 1;
  PetscFE fe_ = nullptr;
  first_problem problem_;
};

}  // namespace sumfac::detail
