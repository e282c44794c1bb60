// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an operator's geometry is set up from: a mesh, the rule's points on it, and the threads that do it.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/mesh/cell_geometry.hpp>
#include <sumfac/mesh/element_geometry.hpp>
#include <sumfac/mesh/maps/element_shapes.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// The map of elements of the kind of Cell, whatever the degree of that.
template <space Cell, class Points, class Nodes>
struct geometry_on {
  using type = element_geometry<Points, Nodes, Cell.coordinates>;
};
template <space Cell, class Points, class Nodes>
  requires(!is_tensor(Cell))
struct geometry_on<Cell, Points, Nodes> {
  using type = cell_geometry<Cell, Points, Nodes>;
};

template <class Points, class Nodes, class NodeSet, space Cell = space(1, int{Nodes::rank()} - 2)>
struct mesh_input {
  host threads;
  Nodes const& nodes;
  NodeSet const& node_set;
  double tolerance;                          // how far elements may be from the maps that stand for them
  coefficient_reads const* reads = nullptr;  // whom a form's mappings ask where coefficients are
  using geometry_type = typename geometry_on<Cell, Points, Nodes>::type;
  using mapping_type = typename geometry_type::template mapping_type<geometry_number>;
  geometry_type geometry{nodes, node_set};

  index_t elements() const { return geometry.elements(); }
  auto shapes() const
  {
    if constexpr (is_tensor(Cell))
      return element_shapes<Nodes>(nodes, node_set, tolerance);
    else
      return cell_shapes<Cell, Nodes>(nodes, node_set, tolerance);
  }

  // Calls f(e, z, y, x, mapping) as element_geometry::visit_all does. **Errors** its geometry_error.
  template <class Function>
  void visit_points(Function const& f) const
  {
    if (reads == nullptr) return geometry.template visit_all<geometry_number>(threads, f);
    geometry.template visit_all<geometry_number>(threads, [&](index_t e, int z, int y, int x, mapping_type const& at) {
      f(e, z, y, x, places::read_by(reads, at));
    });
  }
};

}  // namespace sumfac::detail
