// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Cells of a DMPlex of simplices as a mesh of their own, with its vertices and the names of its labels.
#pragma once

#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/plex_coordinates.hpp>
#include <sumfac/interop/detail/plex_labels.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/cell_mesh.hpp>
#include <sumfac/mesh/parts/named_parts.hpp>
#include <sumfac/view/view.hpp>

#include <petscdmplex.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Called by all processes, which have the same names.
template <int Directions, int Coordinates>
cell_mesh<Directions, Coordinates> plex_cell_mesh(char const* here, DM dm, MPI_Comm comm,
                                                  std::vector<PetscInt> const& cells)
{
  plex_coordinates const field(dm, Directions, Coordinates, cell_shape::simplex);
  constexpr int corners = Directions + 1;
  std::optional<cell_mesh<Directions, Coordinates>> mesh;
  std::multimap<PetscInt, element_side> sides;  // at each point
  agree_on_petsc(comm, here, [&] {
    PetscInt first = 0, last = 0;
    check_petsc(here, DMPlexGetDepthStratum(dm, 0, &first, &last));
    auto const vertices_of = [&](PetscInt point) {
      std::vector<PetscInt> found;
      PetscInt* closure = nullptr;
      PetscInt count = 0;
      check_petsc(here, DMPlexGetTransitiveClosure(dm, point, PETSC_TRUE, &count, &closure));
      for (PetscInt i = 0; i < count; ++i)
        if (PetscInt const p = closure[2 * i]; p >= first && p < last) found.push_back(p);
      check_petsc(here, DMPlexRestoreTransitiveClosure(dm, point, PETSC_TRUE, &count, &closure));
      return found;
    };
    std::vector<PetscInt> table(cells.size() * corners), known;
    for (std::size_t e = 0; e < cells.size(); ++e) {
      auto const found = vertices_of(cells[e]);
      for (std::size_t corner = 0; corner < found.size(); ++corner)
        table[e * corners + static_cast<std::size_t>(field.node_of_corner(corner))] = found[corner];
    }
    known = table;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    for (PetscInt& v : table)
      v = static_cast<PetscInt>(std::lower_bound(known.begin(), known.end(), v) - known.begin());
    auto const elements = static_cast<index_t>(cells.size());
    auto const each = static_cast<index_t>(field.expected() / Coordinates);
    std::vector<double> const nodes = field.of(cells);
    mesh.emplace(view(nodes.data(), elements, each, index_t{Coordinates}),
                 view(table.data(), elements, index_t{corners}), static_cast<index_t>(known.size()));
    // Each side lies opposite the vertex that it has not.
    for (index_t e = 0; e < elements; ++e) {
      PetscInt const* cone = nullptr;
      check_petsc(here, DMPlexGetCone(dm, cells[static_cast<std::size_t>(e)], &cone));
      for (int s = 0; s < corners; ++s) {
        auto const found = vertices_of(cone[s]);
        for (int v = 0; v < corners; ++v) {
          PetscInt const vertex = known[static_cast<std::size_t>(mesh->vertex(e, v))];
          if (std::find(found.begin(), found.end(), vertex) == found.end()) sides.insert({cone[s], {e, v}});
        }
      }
    }
  });
  for (named_sides const& some : sides_of_labels(dm, sides)) *mesh = mesh->named(some);
  return std::move(*mesh);
}

}  // namespace sumfac::detail
