// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The mesh nodes of a DMPlex's cells, from its field of coordinates, of the order that this has.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/plex_cell.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <petscdmplex.h>
#include <petscfe.h>

#include <cstddef>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

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
