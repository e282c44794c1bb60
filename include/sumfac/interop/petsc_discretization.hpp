// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What operators of any degree need of a DMPlex, PETSc's meshes, of hexahedra, quadrilaterals, tetrahedra or triangles;
// and a mesh of one of the latter two. Needs PETSc (3.18).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/interop/detail/elements_behind.hpp>
#include <sumfac/interop/detail/plex_cell_mesh.hpp>
#include <sumfac/interop/detail/plex_checks.hpp>
#include <sumfac/interop/detail/plex_coordinates.hpp>
#include <sumfac/interop/detail/plex_numbering.hpp>
#include <sumfac/interop/petsc.hpp>
#include <sumfac/mesh/refined.hpp>

#include <petscdmplex.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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

// Sides of a discretization's elements, or parts that these were cut into, as elements of their own, with the same
// nodes: what its on(sides) and cut(times) make. Refers to the discretization.
template <class Discretization, class Mesh>
class discretization_sides {
public:
  discretization_sides(Discretization const& of, Mesh const& mesh, std::vector<std::int32_t> table, int degree)
      : of_(&of), mesh_(mesh), table_(std::move(table)), degree_(degree)
  {
  }

  Mesh const& mesh() const { return mesh_; }  // what operators take
  auto const& mesh_nodes() const { return mesh_.nodes(); }
  index_t elements() const { return mesh_.elements(); }
  int degree() const { return degree_; }
  // (F, n, n), (F, n), or (F, P) of triangles; (F, n, n, n) of parts of hexahedra.
  auto table() const
  {
    index_t const n = degree_ + 1;
    if constexpr (Mesh::directions == 1)
      return view<std::int32_t const, dextents<2>>(table_.data(), elements(), n);
    else if constexpr (Mesh::directions == 3)
      return view<std::int32_t const, dextents<4>>(table_.data(), elements(), n, n, n);
    else if constexpr (Mesh::shape == cell_shape::lines)
      return view<std::int32_t const, dextents<3>>(table_.data(), elements(), n, n);
    else
      return view<std::int32_t const, dextents<2>>(table_.data(), elements(), n * (n + 1) / 2);
  }
  // Of the discretization's nodes, which are constrained as there. Called by all processes.
  template <class Backend>
  sumfac::restriction<PetscScalar, Backend> restriction(Backend const& backend, std::vector<labelled> const& where = {},
                                                        restriction_options options = {}) const
  {
    options.components = of_->components();
    auto const marks = of_->marks(where);
    view<unsigned char const, dextents<2>> const all(marks.data(), of_->nodes(), of_->components());
    return {backend, table(), of_->nodes(), all, options};
  }

private:
  Discretization const* of_;
  Mesh mesh_;
  std::vector<std::int32_t> table_;
  int degree_;
};

// A DMPlex with elements of one degree: which nodes each has, their numbers here and in the whole mesh, the mesh's
// nodes, and what solvers take: restriction and halo. The elements are those cells that no other process owns; those
// that have ghosts come last. Nodes are the Gauss-Lobatto points, in sumfac's order.
//
// Made by all processes of the DM at once; keeps the DM. Meshes may be of Gmsh's files, boxes, refined, distributed
// with or without overlap, periodic with three or more cells around, curved of any order up to 15. A process may have
// no cells. Quadrilaterals are discretization<2>, those in space discretization<2, 3>; tetrahedra and triangles
// discretization<3, 3, cell_shape::simplex>, <2, 2, cell_shape::simplex> and <2, 3, cell_shape::simplex>.
// **Work** for set-up; keeps 4 bytes for each element's node, 16 to 20 for each node, and the mesh nodes.
// **Errors** argument_error, on all processes, before anything is made: a DM that is no DMPlex, has other cells, no
// faces, no coordinates or a field of them of an order or a space that is not taken; degree and components out of
// range. backend_error for what PETSc says.
template <int Directions = 3, int Coordinates = Directions, cell_shape Shape = cell_shape::lines>
class discretization {
  static_assert((Directions == 2 || Directions == 3) && Coordinates >= Directions && Coordinates <= 3,
                "sumfac::petsc::discretization: cells are hexahedra, discretization<3>, quadrilaterals, "
                "discretization<2>, or quadrilaterals in space, discretization<2, 3>");
  static_assert(
      Shape == cell_shape::lines || Shape == cell_shape::simplex,
      "sumfac::petsc::discretization: cells are hexahedra or quadrilaterals, cell_shape::lines, or tetrahedra "
      "or triangles, discretization<3, 3, cell_shape::simplex>");
  static constexpr bool is_simplex = Shape == cell_shape::simplex;

public:
  explicit discretization(DM dm, int degree, int components = 1)
      : dm_(dm, degree, components),
        degree_(degree),
        components_(components),
        points_(dm),
        numbers_(std::move(detail::plex_numbers(points_, Shape, Directions, degree).result())),
        halo_(points_.comm(), agreed_size(), ghosts_of(numbers_))
  {
    detail::plex_coordinates const field(dm, Directions, Coordinates, Shape);
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

  // (E, n, n, n), (E, n, n), or (E, P) of simplices: what a restriction takes.
  auto table() const { return elements_view<std::int32_t>(numbers_.table, degree_ + 1, shape_of_nodes{}); }
  // (E, m, m, m, C), or (E, m, m, C): what operators take, a mesh_view at gauss_lobatto_nodes of the coordinates' order
  // m - 1; of simplices (E, M, C), at equispaced_nodes.
  auto mesh_nodes() const
  {
    return mesh_view(elements_view<double>(mesh_nodes_, mesh_order_ + 1, shape_of_mesh{}), mesh_node_set{});
  }
  // This process's elements as a mesh of its own, whose function spaces have numbers of their own. Of simplices it has
  // the names that read_cells gives, and all processes call it.
  sumfac::mesh<Directions, Coordinates, Shape> mesh() const;
  // Sides of mesh()'s elements, of those here, for terms on the boundary: on(sides).mesh() and .restriction(backend).
  // A process may have none.
  auto on(std::vector<element_side> const& sides) const
  {
    auto const own = unnamed_mesh();
    using mesh_type = std::remove_const_t<decltype(own)>;
    auto of_sides = own.sides(sides);
    auto const places = mesh_type::places_along_sides(degree_);
    std::size_t const each = detail::nodes_of_plex_cell(Shape, Directions, degree_);
    std::vector<std::int32_t> of_nodes;
    for (element_side const& at : sides)
      for (int const p : places[static_cast<std::size_t>(at.side)])
        of_nodes.push_back(numbers_.table[static_cast<std::size_t>(at.element) * each + static_cast<std::size_t>(p)]);
    return discretization_sides<discretization, decltype(of_sides)>(*this, of_sides, std::move(of_nodes), degree_);
  }
  // The same nodes as those of functions of degree() / 2^times on mesh()'s elements, each cut `times` times: cut(2) of
  // degree 8 has degree 2 on sixteen quadrilaterals for each, and its mesh() the coarser ones, for levels over these.
  // places() are not where these functions have their nodes.
  //
  // **Errors** argument_error, on all processes: a degree that 2^times does not divide.
  auto cut(int times) const
    requires(!is_simplex)
  {
    detail::first_problem text;
    int const parts = times >= 0 && times < 8 ? 1 << times : 0, n = degree_ + 1;
    if (parts == 0 || degree_ % parts != 0)
      text.say("degree %d is not that of elements cut %d times (a multiple of 2^times expected)", degree_, times);
    detail::agree_on(points_.comm(), "petsc::discretization::cut", text);
    int const degree = degree_ / parts;
    std::vector<std::int32_t> table;
    table.reserve(numbers_.table.size() * 2);
    std::size_t const each = detail::nodes_of_plex_cell(Shape, Directions, degree_);
    for (std::size_t e = 0; e < numbers_.cells.size(); ++e)
      for (int part = 0; part < 1 << Directions * times; ++part) {
        int first[3] = {};  // its lower corner, x first: the last cut's places are part's last bits
        for (int bit = 0; bit < Directions * times; ++bit)
          first[bit % Directions] += (part >> bit & 1) * (degree << bit / Directions);
        detail::for_each_place<Directions>(degree + 1, [&](int k, int j, int i) {
          int const place = ((first[2] + k) * n + first[1] + j) * n + first[0] + i;
          table.push_back(numbers_.table[e * each + static_cast<std::size_t>(place)]);
        });
      }
    auto fine = refined(unnamed_mesh(), times);
    return discretization_sides<discretization, decltype(fine)>(*this, fine, std::move(table), degree);
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
    using functions = detail::element_functions<Directions, Shape>;
    auto const from = functions::through(mesh_order_ + 1, mesh_node_set{}),
               to = functions::through(degree_ + 1, gauss_lobatto_nodes{});
    constexpr std::size_t coordinates = Coordinates;
    std::vector<double> result(static_cast<std::size_t>(nodes()) * coordinates, 0);
    std::size_t const entries = detail::nodes_of_plex_cell(Shape, Directions, mesh_order_) * coordinates,
                      each = detail::nodes_of_plex_cell(Shape, Directions, degree_);
    detail::values_elsewhere<Directions, Shape>(
        from, to, Coordinates, elements(), nullptr,
        [&](index_t e) { return mesh_nodes_.data() + static_cast<std::size_t>(e) * entries; },
        [&](index_t e, index_t p, double const* x) {
          auto const node = numbers_.table[static_cast<std::size_t>(e) * each + static_cast<std::size_t>(p)];
          std::copy(x, x + coordinates, result.begin() + node * std::ptrdiff_t{Coordinates});
        });
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
  using shape_of_nodes = std::integral_constant<int, is_simplex ? 2 : Directions + 1>;
  using shape_of_mesh = std::integral_constant<int, is_simplex ? 3 : Directions + 2>;
  using mesh_node_set = std::conditional_t<is_simplex, equispaced_nodes, gauss_lobatto_nodes>;

  // The DM, which lives as long as this.
  class kept_dm {
  public:
    kept_dm(DM dm, int degree, int components) : dm_(dm)
    {
      detail::plex_checks(here, dm, degree, components, Directions, Coordinates, Shape);
      detail::check_petsc(here, PetscObjectReference(reinterpret_cast<PetscObject>(dm)));
    }
    kept_dm(kept_dm const&) = delete;
    kept_dm& operator=(kept_dm const&) = delete;
    ~kept_dm() { DMDestroy(&dm_); }
    operator DM() const { return dm_; }

  private:
    DM dm_;
  };

  sumfac::mesh<Directions, Coordinates, Shape> unnamed_mesh() const
  {
    if constexpr (is_simplex) {
      detail::cell_lattice<Directions, Shape> const nodes_of_element(degree_);
      std::size_t const each = detail::nodes_of_plex_cell(Shape, Directions, degree_);
      std::vector<std::int32_t> vertices;
      for (std::size_t e = 0; e < numbers_.cells.size(); ++e)
        for (int v = 0; v <= Directions; ++v) {
          int const place = nodes_of_element.place_between({v, -1, -1, -1});
          vertices.push_back(numbers_.table[e * each + static_cast<std::size_t>(place)]);
        }
      return {mesh_nodes(), view(std::as_const(vertices).data(), elements(), index_t{Directions + 1}), nodes()};
    } else {
      return sumfac::mesh<Directions, Coordinates, Shape>::copy_of(mesh_nodes(), table());
    }
  }
  template <class T>
  static auto list(std::vector<T> const& entries)
  {
    return view<T const, dextents<1>>(entries.data(), static_cast<index_t>(entries.size()));
  }
  template <class T, int Rank>
  auto elements_view(std::vector<T> const& entries, int n, std::integral_constant<int, Rank>) const
  {
    using result = view<T const, dextents<Rank>>;
    if constexpr (is_simplex) {
      auto const each = static_cast<index_t>(detail::nodes_of_plex_cell(Shape, Directions, n - 1));
      if constexpr (Rank == 2)
        return result(entries.data(), elements(), each);
      else
        return result(entries.data(), elements(), each, Coordinates);
    } else if constexpr (Rank == 3)
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
      for (int side = 0; side < (is_simplex ? Directions + 1 : 2 * Directions); ++side)
        ++cells_at[points_.at(sides[side])];
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

template <int Directions, int Coordinates, cell_shape Shape>
sumfac::mesh<Directions, Coordinates, Shape> discretization<Directions, Coordinates, Shape>::mesh() const
{
  if constexpr (is_simplex)
    return detail::plex_cell_mesh<Directions, Coordinates>(here, dm_, points_.comm(), numbers_.cells);
  else
    return unnamed_mesh();
}

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
  detail::plex_checks(here, dm, 1, 1, Directions, Coordinates, cell_shape::simplex);
  detail::plex_points const points(dm);
  return detail::plex_cell_mesh<Directions, Coordinates>(here, dm, points.comm(), points.cells());
}

}  // namespace sumfac::petsc
