// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the elements of a mesh allow, found from their nodes.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/host.hpp>
#include <sumfac/mesh/maps/element_shapes.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/mesh/policy.hpp>

#include <cstddef>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// Numbers of elements.
struct geometry_classes {
  index_t affine = 0, trilinear = 0, general = 0;

  constexpr index_t& operator[](geometry_class c)
  {
    return c == geometry_class::affine ? affine : c == geometry_class::trilinear ? trilinear : general;
  }
};

namespace detail {
template <class Nodes>
geometry_class class_of(element_shapes<Nodes> const& shapes, element_shape const& s)
{
  return shapes.is_affine(s)      ? geometry_class::affine
         : shapes.is_trilinear(s) ? geometry_class::trilinear
                                  : geometry_class::general;
}
}  // namespace detail

// The class of each element of a mesh, within a tolerance: see element_shapes. On all threads of the host.
//
// **Shapes** nodes (E, m, m, m, 3); or of quadrilaterals (E, m, m, C), of lines (E, m, C), in C <= 3 coordinates.
// **Errors** argument_error for extents, null and a tolerance that is none.
template <class Nodes, mesh_node_set Set = unsaid_nodes>
std::vector<geometry_class> classify(Nodes const& nodes, Set const& set = {}, double tolerance = geometry_tolerance)
{
  static_assert(is_view<Nodes>,
                "sumfac::classify: mesh nodes must be a sumfac::view of shape (E, m, m, m, 3), "
                "(E, m, m, C) or (E, m, C)");
  if constexpr (is_view<Nodes>)
    static_assert(Nodes::rank() >= 3 && Nodes::rank() <= 5,
                  "sumfac::classify: mesh nodes are of rank 5 on hexahedra, (E, m, m, m, 3), 4 on quadrilaterals, "
                  "(E, m, m, C), and 3 on lines, (E, m, C)");
  constexpr int directions = static_cast<int>(Nodes::rank()) - 2;
  auto const coordinates = static_cast<int>(nodes.extent(directions + 1));
  detail::check_mesh_nodes("classify", nodes, coordinates >= directions && coordinates <= 3 ? coordinates : directions);
  detail::element_shapes const shapes(detail::plain_nodes(nodes), detail::said_nodes("classify", nodes, set),
                                      tolerance);
  std::vector<geometry_class> classes(static_cast<std::size_t>(shapes.elements()));
  host{}.partition(shapes.elements(), [&](index_t first, index_t last) {
    for (index_t e = first; e < last; ++e)
      classes[static_cast<std::size_t>(e)] = detail::class_of(shapes, shapes.shape(e));
  });
  return classes;
}

}  // namespace sumfac
