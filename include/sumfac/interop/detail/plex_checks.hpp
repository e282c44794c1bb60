// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which meshes of PETSc's are taken; what is wrong with others, said on all processes before anything is made of them.
#pragma once

#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/plex_coordinates.hpp>

#include <petscdmplex.h>

#include <cstring>

namespace sumfac::SUMFAC_TARGET::detail {

// Calls of PETSc's that are collective are made by all, and each problem is agreed on before the next is looked for.
class plex_checks {
public:
  plex_checks(char const* asked_by, DM dm, int degree, int components, int directions, int coordinates,
              cell_shape shape)
      : here(asked_by), dm_(dm), directions_(directions), coordinates_(coordinates), shape_(shape)
  {
    check_petsc_started(here);
    if (dm == nullptr) fail(here, "there is no DM (null)");
    check_petsc(here, PetscObjectGetComm(reinterpret_cast<PetscObject>(dm), &comm_));
    int const most = shape == cell_shape::simplex ? 15 : 31;  // of elements that are to be cut
    if (degree < 1 || degree > most) problem_.say("the degree does not fit (got %d, 1 to %d expected)", degree, most);
    if (components < 1) problem_.say("components are too few (got %d, at least 1 expected)", components);
    agree();
    check_type();
    check_dimensions();
    check_shapes();
    check_coordinates();
  }

private:
  void agree() { agree_on(comm_, here, problem_); }

  void check_type()
  {
    PetscBool plex = PETSC_FALSE;
    DMType type = nullptr;
    check_petsc(here, PetscObjectTypeCompare(reinterpret_cast<PetscObject>(dm_), DMPLEX, &plex));
    check_petsc(here, DMGetType(dm_, &type));
    if (plex == PETSC_FALSE)
      problem_.say("the DM is of type %s (plex expected): DMConvert it", type == nullptr ? "none" : type);
    agree();
  }

  void check_dimensions()
  {
    PetscInt directions = 0, coordinates = 0;
    check_petsc(here, DMGetDimension(dm_, &directions));
    check_petsc(here, DMGetCoordinateDim(dm_, &coordinates));
    if (directions != directions_ || coordinates != coordinates_)
      problem_.say("the mesh has %d directions in %d coordinates (%d in %d expected): take %s<%d, %d>",
                   static_cast<int>(directions), static_cast<int>(coordinates), directions_, coordinates_,
                   std::strrchr(here, ':') + 1, static_cast<int>(directions), static_cast<int>(coordinates));
    agree();
  }

  // Cells of another shape, then a mesh without faces and edges, then hanging nodes.
  void check_shapes()
  {
    PetscInt first = 0, last = 0;
    check_petsc(here, DMPlexGetHeightStratum(dm_, 0, &first, &last));
    bool const are_simplices = shape_ == cell_shape::simplex;
    DMPolytopeType wanted = directions_ == 3 ? DM_POLYTOPE_HEXAHEDRON : DM_POLYTOPE_QUADRILATERAL;
    if (are_simplices) wanted = directions_ == 3 ? DM_POLYTOPE_TETRAHEDRON : DM_POLYTOPE_TRIANGLE;
    for (PetscInt cell = first; cell < last; ++cell) {
      DMPolytopeType type = DM_POLYTOPE_UNKNOWN;
      check_petsc(here, DMPlexGetCellType(dm_, cell, &type));
      if (type != wanted && type != DM_POLYTOPE_FV_GHOST)
        problem_.say(
            "cell %lld is a %s (%s expected): mesh with those alone%s", static_cast<long long>(cell),
            DMPolytopeTypes[type], DMPolytopeTypes[wanted],
            are_simplices ? "" : "; of triangles and tetrahedra take discretization<D, C, cell_shape::simplex>");
    }
    agree();
    DMPlexInterpolatedFlag interpolated = DMPLEX_INTERPOLATED_NONE;
    check_petsc(here, DMPlexIsInterpolated(dm_, &interpolated));
    if (last > first && interpolated != DMPLEX_INTERPOLATED_FULL)
      problem_.say("the mesh has no faces and edges, or not all (%lld cells): call DMPlexInterpolate",
                   static_cast<long long>(last - first));
    PetscSection parents = nullptr;
    PetscInt hanging = 0;
    check_petsc(here, DMPlexGetTree(dm_, &parents, nullptr, nullptr, nullptr, nullptr));
    if (parents != nullptr) check_petsc(here, PetscSectionGetStorageSize(parents, &hanging));
    if (hanging > 0)
      problem_.say("the mesh has points with parents (%lld, 0 expected): hanging nodes are not taken",
                   static_cast<long long>(hanging));
    agree();
  }

  void check_coordinates()
  {
    PetscInt first = 0, last = 0;
    check_petsc(here, DMPlexGetHeightStratum(dm_, 0, &first, &last));
    Vec all = nullptr, cellwise = nullptr;
    check_petsc(here, DMGetCoordinatesLocal(dm_, &all));
    check_petsc(here, DMGetCellCoordinatesLocal(dm_, &cellwise));
    if (all == nullptr) problem_.say("the mesh has no coordinates (%lld cells)", static_cast<long long>(last - first));
    agree();
    plex_coordinates const field(dm_, directions_, coordinates_, shape_);
    // Where there are no cells PETSc does not know which they are.
    if (field.problem()[0] != 0 && last > first) problem_.say("%s", field.problem());
    agree();
    for (PetscInt cell = first; cell < last; ++cell) {
      DMPolytopeType type = DM_POLYTOPE_UNKNOWN;
      check_petsc(here, DMPlexGetCellType(dm_, cell, &type));
      if (type == DM_POLYTOPE_FV_GHOST) continue;
      int const got = field.got(cell), corners = field.expected_of_vertices();
      if (got == field.expected()) continue;
      char const* const why = got == corners ? " of vertices alone: PETSc may have refined a curved mesh, and made it "
                                               "straight: refine it before, in the mesh generator"
                                             : ": where a mesh is periodic it must have three cells or more";
      problem_.say("cell %lld has %d coordinates (%d expected, of order %d)%s", static_cast<long long>(cell), got,
                   field.expected(), field.order(), why);
    }
    agree();
  }

  char const* here;
  DM dm_;
  int directions_, coordinates_;
  cell_shape shape_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  first_problem problem_;
};

}  // namespace sumfac::detail
