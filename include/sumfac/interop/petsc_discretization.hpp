// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What operators of any degree need of a DMPlex, PETSc's meshes, of hexahedra or quadrilaterals; and a mesh of one of
// triangles or tetrahedra. Needs PETSc (3.18).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/host.hpp>
#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/error.hpp>
#include <sumfac/interop/detail/elements_behind.hpp>
#include <sumfac/interop/detail/plex_checks.hpp>
#include <sumfac/interop/detail/plex_coordinates.hpp>
#include <sumfac/interop/detail/plex_labels.hpp>
#include <sumfac/interop/detail/plex_numbering.hpp>
#include <sumfac/interop/petsc.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/cell_mesh.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/view/view.hpp>

#include <petscdmplex.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::petsc {

// Where a mesh is constrained: at the points that have a value in a DMLabel, faces with their edges and vertices, cells
// with all of theirs; in these components, or in all where none is listed.
struct labelled {
  std::string label{};
  PetscInt value = 1;
  std::vector<int> components{};
};

// The boundary of the mesh, the sides that belong to one cell alone, in the whole mesh: no label is needed for it.
inline labelled whole_boundary(std::vector<int> components = {}) { return {{}, 0, std::move(components)}; }

// A DMPlex with elements of one degree: which nodes each has, their numbers here and in the whole mesh, the mesh's
// nodes, and what solvers take: restriction and halo. The elements are those cells that no other process owns; those
// that have ghosts come last. Nodes are the Gauss-Lobatto points, in sumfac's order.
//
// Made by all processes of the DM at once; keeps the DM. Meshes may be of Gmsh's files, boxes, refined, distributed
// with or without overlap, periodic with three or more cells around, curved of any order up to 15. A process may have
// no cells. Quadrilaterals are discretization<2>, those in space discretization<2, 3>.
// **Work** for set-up; keeps 4 bytes for each element's node, 16 to 20 for each node, and the mesh nodes.
// **Errors** argument_error, on all processes, before anything is made: a DM that is no DMPlex, has other cells, no
// faces, no coordinates or a field of them of an order or a space that is not taken; degree and components out of
// range. backend_error for what PETSc says.
template <int Directions = 3, int Coordinates = Directions>
class discretization {
  static_assert((Directions == 2 || Directions == 3) && Coordinates >= Directions && Coordinates <= 3,
                "sumfac::petsc::discretization: cells are hexahedra, discretization<3>, quadrilaterals, "
                "discretization<2>, or quadrilaterals in space, discretization<2, 3>");

public:
  explicit discretization(DM dm, int degree, int components = 1)
      : dm_(dm, degree, components),
        degree_(degree),
        components_(components),
        points_(dm),
        numbers_(std::move(detail::plex_numbers(points_, Directions, degree).result())),
        halo_(points_.comm(), agreed_size(), ghosts_of(numbers_))
  {
    detail::plex_coordinates const field(dm, Directions, Coordinates);
    mesh_order_ = field.order();
    mesh_nodes_ = field.of(numbers_.cells);
  }
  discretization(discretization const&) = delete;
  discretization& operator=(discretization const&) = delete;

  int degree() const { return degree_; }
  int components() const { return components_; }
  int mesh_order() const { return mesh_order_; }
  index_t elements() const { return static_cast<index_t>(numbers_.cells.size()); }
  // Nodes: those of this process, those that others own, both, and those of the whole mesh.
  index_t owned() const { return numbers_.owned; }
  index_t ghosts() const { return nodes() - owned(); }
  index_t nodes() const { return numbers_.nodes(); }
  index_t all_nodes() const { return numbers_.all; }

  // (E, n, n, n), or (E, n, n): what a restriction takes.
  auto table() const { return elements_view<std::int32_t>(numbers_.table, degree_ + 1, shape_of_nodes{}); }
  // (E, m, m, m, C), or (E, m, m, C): what operators take, a mesh_view at gauss_lobatto_nodes of the coordinates' order
  // m - 1.
  auto mesh_nodes() const
  {
    return mesh_view(elements_view<double>(mesh_nodes_, mesh_order_ + 1, shape_of_mesh{}), gauss_lobatto_nodes{});
  }
  // This process's elements as a mesh of its own, whose function spaces have numbers of their own.
  sumfac::mesh<Directions, Coordinates> mesh() const
  {
    return sumfac::mesh<Directions, Coordinates>::copy_of(mesh_nodes(), table());
  }
  // Of each node the process that owns it and its number in the whole mesh, as mpi::halo takes them.
  auto owners() const { return list(numbers_.owner); }
  auto numbers() const { return list(numbers_.number); }
  // Of each element its cell, and of each node the point that it lies inside of, in the DMPlex.
  auto cells() const { return list(numbers_.cells); }
  auto points() const { return list(numbers_.point); }

  // Who shares which nodes; refers to this.
  petsc::halo const& halo() const { return halo_; }

  // Where each node lies, (nodes, C); where the mesh is periodic, in one of its elements.
  std::vector<double> places() const
  {
    long double from[detail::max_mesh_nodes_1d] = {}, to[detail::max_mesh_nodes_1d] = {}, weights[16] = {};
    int const m = mesh_order_ + 1, n = degree_ + 1;
    gauss_lobatto_nodes{}(m, from);
    gauss_lobatto_nodes{}(n, to);
    lagrange_weights(from, m, weights);
    long double values[16][16] = {};
    for (int i = 0; i < n; ++i) lagrange_values(from, weights, m, to[i], values[i]);
    auto const power = [](int base, int exponent) {
      std::size_t result = 1;
      for (; exponent > 0; --exponent) result *= static_cast<std::size_t>(base);
      return result;
    };
    constexpr std::size_t coordinates = Coordinates;
    std::vector<double> result(static_cast<std::size_t>(nodes()) * coordinates, 0);
    std::size_t const mesh_entries = power(m, Directions) * coordinates, element_nodes = power(n, Directions);
    for (std::size_t e = 0; e < numbers_.cells.size(); ++e) {
      std::vector<double> x(mesh_nodes_.begin() + static_cast<std::ptrdiff_t>(e * mesh_entries),
                            mesh_nodes_.begin() + static_cast<std::ptrdiff_t>((e + 1) * mesh_entries));
      // (.., m along d, .., C) -> (.., n along d, .., C): x first, whose stride is that of coordinates.
      std::size_t inner = coordinates;
      for (int d = 0; d < Directions; ++d, inner *= static_cast<std::size_t>(n)) {
        std::size_t const outer = x.size() / (inner * static_cast<std::size_t>(m));
        std::vector<double> y(outer * static_cast<std::size_t>(n) * inner);
        for (std::size_t o = 0; o < outer; ++o)
          for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
            for (std::size_t c = 0; c < inner; ++c) {
              long double sum = 0;
              for (std::size_t j = 0; j < static_cast<std::size_t>(m); ++j)
                sum += values[i][j] * static_cast<long double>(x[(o * static_cast<std::size_t>(m) + j) * inner + c]);
              y[(o * static_cast<std::size_t>(n) + i) * inner + c] = static_cast<double>(sum);
            }
        x = std::move(y);
      }
      for (std::size_t a = 0; a < element_nodes; ++a)
        for (std::size_t c = 0; c < coordinates; ++c)
          result[static_cast<std::size_t>(numbers_.table[e * element_nodes + a]) * coordinates + c] =
              x[a * coordinates + c];
    }
    return result;
  }

  // What is constrained, not 0 there: (nodes, components). Called by all processes.
  // **Errors** argument_error, on all: a label that there is not, a value that marks nothing, a component out of range.
  std::vector<unsigned char> marks(std::vector<labelled> const& where) const
  {
    for (labelled const& one : where) check_label(one);
    std::vector<unsigned char> result(static_cast<std::size_t>(nodes() * components_), 0);
    for (labelled const& one : where) {
      std::vector<PetscInt> const marked = marked_points(one);
      for (std::size_t node = 0; node < numbers_.point.size(); ++node) {
        if (marked[points_.at(numbers_.point[node])] == 0) continue;
        auto* const entries = result.data() + node * static_cast<std::size_t>(components_);
        if (one.components.empty())
          for (int c = 0; c < components_; ++c) entries[c] = 1;
        for (int const c : one.components) entries[c] = 1;
      }
    }
    return result;
  }

  // Entries of owned nodes, a vector as solvers have it, and behind them those of ghosts, from their owners: (nodes,
  // components), as the restriction numbers them. Called by all processes.
  template <class Vector>
  std::vector<PetscScalar> with_ghosts(Vector const& x) const
  {
    detail::check_extent("petsc::discretization::with_ghosts", "x", 0, "entries", owned() * components_, x.extent(0));
    auto const size = static_cast<std::size_t>(owned() * components_);
    std::vector<PetscScalar> result(x.data(), x.data() + size);
    result.resize(static_cast<std::size_t>(nodes() * components_));
    node_exchange<PetscScalar, host> exchange(halo_, host{}, components_, interleaving::fastest);
    std::vector<PetscScalar> ghosts(result.size() - size);
    exchange.begin_update(result.data(), ghosts.data());
    exchange.end_update(result.data(), ghosts.data());
    std::copy(ghosts.begin(), ghosts.end(), result.begin() + static_cast<std::ptrdiff_t>(size));
    return result;
  }

  // The restriction of an operator on these nodes. Called by all processes.
  template <class Backend>
  sumfac::restriction<PetscScalar, Backend> restriction(Backend const& backend, std::vector<labelled> const& where = {},
                                                        restriction_options options = {}) const
  {
    options.components = components_;
    auto const constrained = marks(where);
    view<unsigned char const, dextents<2>> const all(constrained.data(), nodes(), components_);
    return {backend, table(), nodes(), all, options};
  }

private:
  static constexpr auto here = "petsc::discretization";
  using shape_of_nodes = std::integral_constant<int, Directions + 1>;
  using shape_of_mesh = std::integral_constant<int, Directions + 2>;

  // The DM, which lives as long as this.
  class kept_dm {
  public:
    kept_dm(DM dm, int degree, int components) : dm_(dm)
    {
      detail::plex_checks(dm, degree, components, Directions, Coordinates);
      detail::check_petsc(here, PetscObjectReference(reinterpret_cast<PetscObject>(dm)));
    }
    kept_dm(kept_dm const&) = delete;
    kept_dm& operator=(kept_dm const&) = delete;
    ~kept_dm() { DMDestroy(&dm_); }
    operator DM() const { return dm_; }

  private:
    DM dm_;
  };

  template <class T>
  static auto list(std::vector<T> const& entries)
  {
    return view<T const, dextents<1>>(entries.data(), static_cast<index_t>(entries.size()));
  }
  template <class T, int Rank>
  auto elements_view(std::vector<T> const& entries, int n, std::integral_constant<int, Rank>) const
  {
    using result = view<T const, dextents<Rank>>;
    if constexpr (Rank == 3)
      return result(entries.data(), elements(), n, n);
    else if constexpr (Rank == 4 && Directions == 2)
      return result(entries.data(), elements(), n, n, Coordinates);
    else if constexpr (Rank == 4)
      return result(entries.data(), elements(), n, n, n);
    else
      return result(entries.data(), elements(), n, n, n, Coordinates);
  }
  static auto ghosts_of(detail::plex_numbering const& numbers)
  {
    return view<std::int64_t const, dextents<1>>(numbers.number.data() + numbers.owned,
                                                 numbers.nodes() - numbers.owned);
  }

  // Of owned nodes; PETSc's vectors of all processes must have numbers that it can count.
  index_t agreed_size() const
  {
    detail::first_problem text;
    constexpr auto most = static_cast<long long>(std::numeric_limits<PetscInt>::max SUMFAC_NO_MACRO());
    if (static_cast<long long>(numbers_.all) > most / components_)
      text.say(
          "the mesh has too many entries (%lld nodes of %d components, at most %lld entries expected by this "
          "build of PETSc)",
          static_cast<long long>(numbers_.all), components_, most);
    detail::agree_on(points_.comm(), here, text);
    return numbers_.owned;
  }

  std::vector<PetscInt> marked_points(labelled const& where) const
  {
    std::vector<PetscInt> marked(points_.size(), 0);
    if (where.label.empty()) {
      for (PetscInt const face : boundary_points()) mark_closure(face, marked);
    } else {
      DMLabel label = nullptr;
      IS stratum = nullptr;
      detail::check_petsc(here, DMGetLabel(dm_, where.label.c_str(), &label));
      if (label != nullptr) detail::check_petsc(here, DMLabelGetStratumIS(label, where.value, &stratum));
      if (stratum != nullptr) {
        PetscInt count = 0;
        PetscInt const* points = nullptr;
        detail::check_petsc(here, ISGetLocalSize(stratum, &count));
        detail::check_petsc(here, ISGetIndices(stratum, &points));
        for (PetscInt i = 0; i < count; ++i) mark_closure(points[i], marked);
        detail::check_petsc(here, ISRestoreIndices(stratum, &points));
        detail::check_petsc(here, ISDestroy(&stratum));
      }
    }
    points_.combine(marked, MPI_MAX);
    return marked;
  }

  // Sides with one cell on all processes together.
  std::vector<PetscInt> boundary_points() const
  {
    std::vector<PetscInt> cells_at(points_.size(), 0), result;
    for (PetscInt const cell : points_.cells()) {
      PetscInt const* sides = nullptr;
      detail::check_petsc(here, DMPlexGetCone(dm_, cell, &sides));
      for (int side = 0; side < 2 * Directions; ++side) ++cells_at[points_.at(sides[side])];
    }
    points_.combine(cells_at, MPI_SUM);
    for (std::size_t point = 0; point < cells_at.size(); ++point)
      if (cells_at[point] == 1) result.push_back(static_cast<PetscInt>(point));
    return result;
  }
  void check_label(labelled const& where) const
  {
    constexpr auto here_marks = "petsc::discretization::marks";
    detail::first_problem text;
    for (int const c : where.components)
      if (c < 0 || c >= components_)
        text.say("a component is out of range (got %d, 0 to %d expected)", c, components_ - 1);
    detail::agree_on(points_.comm(), here_marks, text);
    if (where.label.empty()) return;
    DMLabel label = nullptr;
    detail::check_petsc(here_marks, DMGetLabel(dm_, where.label.c_str(), &label));
    PetscInt least = PETSC_MAX_INT, greatest = PETSC_MIN_INT, count = 0;
    if (label != nullptr) {
      detail::check_petsc(here_marks, DMLabelGetStratumSize(label, where.value, &count));
      IS values = nullptr;
      PetscInt number = 0;
      detail::check_petsc(here_marks, DMLabelGetNonEmptyStratumValuesIS(label, &values));
      detail::check_petsc(here_marks, ISGetLocalSize(values, &number));
      if (number > 0) detail::check_petsc(here_marks, ISGetMinMax(values, &least, &greatest));
      detail::check_petsc(here_marks, ISDestroy(&values));
    }
    std::int64_t mine[4] = {label != nullptr, count, greatest, -std::int64_t{least}}, all[4] = {};
    MPI_Allreduce(mine, all, 4, MPI_INT64_T, MPI_MAX, points_.comm());
    if (all[0] == 0)
      text.say("the mesh has no label \"%s\"", where.label.c_str());
    else if (all[1] == 0)
      text.say("label \"%s\" marks no point with %lld (its values: %lld to %lld)", where.label.c_str(),
               static_cast<long long>(where.value), static_cast<long long>(-all[3]), static_cast<long long>(all[2]));
    detail::agree_on(points_.comm(), here_marks, text);
  }
  void mark_closure(PetscInt point, std::vector<PetscInt>& marked) const
  {
    PetscInt* closure = nullptr;
    PetscInt count = 0;
    detail::check_petsc(here, DMPlexGetTransitiveClosure(dm_, point, PETSC_TRUE, &count, &closure));
    for (PetscInt i = 0; i < count; ++i) marked[points_.at(closure[2 * i])] = 1;
    detail::check_petsc(here, DMPlexRestoreTransitiveClosure(dm_, point, PETSC_TRUE, &count, &closure));
  }

  kept_dm dm_;
  int degree_, components_, mesh_order_ = 1;
  detail::plex_points points_;
  detail::plex_numbering numbers_;
  petsc::halo halo_;
  std::vector<double> mesh_nodes_;
};

discretization(DM, int, int = 1) -> discretization<3, 3>;

// A process's cells of a DMPlex of simplices as a mesh of their own, with vertices in the DMPlex's order: tetrahedra,
// read_cells<3>(dm), triangles, read_cells<2>(dm), triangles in space, read_cells<2, 3>(dm); curved of the order that
// the coordinates are of, up to 15.
//
// Sides have the names of the DM's labels: boundary("Face Sets") are those of any value, boundary(7) those of value 7
// in any label, each once; those of value 0 have the label's name alone. All processes have the same names, some of no
// sides. Called by all processes of the DM; cells that others own are left out.
// **Errors** argument_error, on all processes: a DM that is no DMPlex, has other cells, no faces, no coordinates or a
// field of them of an order or a space that is not taken; a side of three cells, but of surfaces. backend_error, on all
// processes, for what PETSc says.
template <int Directions, int Coordinates = Directions>
cell_mesh<Directions, Coordinates> read_cells(DM dm)
{
  constexpr auto here = "petsc::read_cells";
  constexpr auto simplex = cell_shape::simplex;
  detail::plex_checks(dm, 1, 1, Directions, Coordinates, simplex);
  detail::plex_coordinates const field(dm, Directions, Coordinates, simplex);
  detail::plex_points const points(dm);
  auto const& cells = points.cells();
  constexpr int corners = Directions + 1;
  std::optional<cell_mesh<Directions, Coordinates>> mesh;
  std::multimap<PetscInt, element_side> sides;  // at each point
  detail::agree_on_petsc(points.comm(), here, [&] {
    PetscInt first = 0, last = 0;
    detail::check_petsc(here, DMPlexGetDepthStratum(dm, 0, &first, &last));
    auto const vertices_of = [&](PetscInt point) {
      std::vector<PetscInt> found;
      PetscInt* closure = nullptr;
      PetscInt count = 0;
      detail::check_petsc(here, DMPlexGetTransitiveClosure(dm, point, PETSC_TRUE, &count, &closure));
      for (PetscInt i = 0; i < count; ++i)
        if (PetscInt const p = closure[2 * i]; p >= first && p < last) found.push_back(p);
      detail::check_petsc(here, DMPlexRestoreTransitiveClosure(dm, point, PETSC_TRUE, &count, &closure));
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
      detail::check_petsc(here, DMPlexGetCone(dm, cells[static_cast<std::size_t>(e)], &cone));
      for (int s = 0; s < corners; ++s) {
        auto const found = vertices_of(cone[s]);
        for (int v = 0; v < corners; ++v) {
          PetscInt const vertex = known[static_cast<std::size_t>(mesh->vertex(e, v))];
          if (std::find(found.begin(), found.end(), vertex) == found.end()) sides.insert({cone[s], {e, v}});
        }
      }
    }
  });
  for (named_sides const& some : detail::sides_of_labels(dm, sides)) *mesh = mesh->named(some);
  return std::move(*mesh);
}

}  // namespace sumfac::petsc
