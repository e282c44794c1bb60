// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Cells of a DMPlex of simplices as a mesh of their own, with its vertices and the names of its labels, the same on
// all processes.
#pragma once

#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/plex_coordinates.hpp>
#include <sumfac/mesh/cell_mesh.hpp>

#include <petscdmplex.h>
#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// The lists of all processes, one behind the other.
template <class T>
std::vector<T> lists_of_all(MPI_Comm comm, std::vector<T> const& mine)
{
  int const bytes = static_cast<int>(mine.size() * sizeof(T));
  std::vector<int> counts(static_cast<std::size_t>(processes_in(comm))), starts(counts);
  MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  std::vector<T> all(static_cast<std::size_t>(starts.back() + counts.back()) / sizeof(T));
  MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), starts.data(), MPI_BYTE, comm);
  return all;
}

// Of sides by the points they lie at, those of each label, and those that have a value other than 0 in any label, each
// once; the same names on all processes, those of a name that some process has sides of.
inline std::vector<named_sides> sides_of_labels(DM dm, std::multimap<PetscInt, element_side> const& sides)
{
  constexpr auto here = "petsc::read_cells";
  std::map<std::string, std::vector<element_side>> of_name;
  std::map<PetscInt, std::vector<element_side>> of_value;
  MPI_Comm comm = MPI_COMM_NULL;
  check_petsc(here, PetscObjectGetComm(reinterpret_cast<PetscObject>(dm), &comm));
  agree_on_petsc(comm, here, [&] {
    PetscInt labels = 0;
    check_petsc(here, DMGetNumLabels(dm, &labels));
    for (PetscInt l = 0; l < labels; ++l) {
      char const* name = nullptr;
      DMLabel label = nullptr;
      check_petsc(here, DMGetLabelName(dm, l, &name));
      check_petsc(here, DMGetLabel(dm, name, &label));
      if (bool const is_of_all_points = std::string(name) == "depth" || std::string(name) == "celltype";
          is_of_all_points)
        continue;
      IS values = nullptr;
      PetscInt number = 0;
      PetscInt const* value = nullptr;
      check_petsc(here, DMLabelGetNonEmptyStratumValuesIS(label, &values));
      check_petsc(here, ISGetLocalSize(values, &number));
      check_petsc(here, ISGetIndices(values, &value));
      for (PetscInt v = 0; v < number; ++v) {
        IS stratum = nullptr;
        PetscInt count = 0;
        PetscInt const* point = nullptr;
        check_petsc(here, DMLabelGetStratumIS(label, value[v], &stratum));
        check_petsc(here, ISGetLocalSize(stratum, &count));
        check_petsc(here, ISGetIndices(stratum, &point));
        for (PetscInt i = 0; i < count; ++i)
          for (auto [at, end] = sides.equal_range(point[i]); at != end; ++at) {
            of_name[name].push_back(at->second);
            if (value[v] != 0 && std::in_range<int>(value[v])) of_value[value[v]].push_back(at->second);
          }
        check_petsc(here, ISRestoreIndices(stratum, &point));
        check_petsc(here, ISDestroy(&stratum));
      }
      check_petsc(here, ISRestoreIndices(values, &value));
      check_petsc(here, ISDestroy(&values));
    }
  });

  std::vector<char> names;
  std::vector<PetscInt> values;
  for (auto const& [name, list] : of_name) names.insert(names.end(), name.c_str(), name.c_str() + name.size() + 1);
  for (auto const& [value, list] : of_value) values.push_back(value);
  names = lists_of_all(comm, names);
  for (char const* name = names.data(); name != names.data() + names.size(); name += std::string(name).size() + 1)
    of_name[name];
  for (PetscInt const value : lists_of_all(comm, values)) of_value[value];

  std::vector<named_sides> result;
  auto const add = [&](std::string const& name, int tag, std::vector<element_side>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    result.push_back({name, tag, std::move(list)});
  };
  for (auto& [name, list] : of_name) add(name, 0, list);
  for (auto& [value, list] : of_value) add({}, static_cast<int>(value), list);
  return result;
}

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
