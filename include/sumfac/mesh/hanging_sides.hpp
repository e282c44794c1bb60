// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sides of a mesh's boundary that lie on each other and share no nodes: where it hangs, is cracked or was not merged.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/faces/lying_sides.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <cstddef>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// For each side another one that it lies on, or -1.
template <class Nodes, class Set>
own_vector<index_t> sides_on_sides(char const* where, Nodes const& nodes, std::vector<element_side> const& faces,
                                   Set const& set, double tolerance)
{
  constexpr int directions = int{Nodes::rank()} - 2;
  check_mesh_nodes(where, nodes, directions);
  auto const placed = said_nodes(where, nodes, set);
  auto opposite = faces;
  for (element_side& at : opposite) at.side ^= 1;
  auto const here = taken_of_faces<the_side, double, directions>(where, nodes, faces);
  auto const there = taken_of_faces<the_side, double, directions>(where, nodes, opposite);
  index_t const m = nodes.extent(1), count = static_cast<index_t>(faces.size());
  std::size_t const size = faces.empty() ? 0 : here.size() / faces.size();
  own_vector<double> heights(faces.size(), 0);
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (std::size_t c = 0; c < directions; ++c) {
      double apart = 0;  // the middles of the two sides
      for (std::size_t i = c; i < size; i += directions)
        apart += (here[f * size + i] - there[f * size + i]) / static_cast<double>(size / directions);
      heights[f] += apart < 0 ? -apart : apart;
    }
  if constexpr (directions == 3)
    return lying_sides(view(here.data(), count, m, m, 3), placed, heights, tolerance).find();
  else
    return lying_sides(view(here.data(), count, m, 2), placed, heights, tolerance).find();
}

[[gnu::cold, gnu::noinline]] inline void refuse_hanging(std::vector<element_side> const& faces,
                                                        own_vector<index_t> const& on)
{
  std::size_t first = faces.size(), more = 0;
  for (std::size_t f = faces.size(); f-- > 0;)
    if (on[f] >= 0) first = f, ++more;
  if (more == 0) return;
  auto const& at = faces[first];
  auto const& other = faces[static_cast<std::size_t>(on[first])];
  failf("boundary_faces",
        "sides lie on each other and share no nodes (side %d of element %lld on side %d of element %lld; %lld such "
        "sides, 0 expected): make the mesh conform and coinciding nodes one, or leave the mesh nodes out where it is "
        "cracked",
        at.side, static_cast<long long>(at.element), other.side, static_cast<long long>(other.element),
        static_cast<long long>(more));
}

}  // namespace detail

// Those of some sides that lie on others of them, to within `tolerance` of the elements' size: where a mesh hangs, as a
// large element beside small ones, where nodes that coincide are not one, and where bodies touch or a crack is closed.
//
// **Shapes** nodes (E, m, m, m, 3), or (E, m, m, 2); of those at m >= 4 the node set, or a mesh_view.
// **Work** for each side some places of it on the sides whose boxes hold them.
// **Errors** those of mesh nodes; an element or a side that does not exist.
template <class Nodes, class Set = unsaid_nodes>
std::vector<element_side> hanging_sides(Nodes const& nodes, std::vector<element_side> const& faces, Set const& set = {},
                                        double tolerance = 1e-6)
{
  std::vector<element_side> hanging;
  auto const on = detail::sides_on_sides("hanging_sides", nodes, faces, set, tolerance);
  for (std::size_t f = 0; f < faces.size(); ++f)
    if (on[f] >= 0) hanging.push_back(faces[f]);
  return hanging;
}

// The boundary of a mesh, none of whose sides may be hanging_sides() of it: of its table, and its mesh nodes.
//
// **Errors** those of both; sides that lie on each other.
template <class Table, class Nodes, class Set = unsaid_nodes>
  requires is_view<Nodes>
std::vector<element_side> boundary_faces(Table const& table, index_t count, Nodes const& nodes, Set const& set = {},
                                         double tolerance = 1e-6)
{
  auto const faces = boundary_faces(table, count);
  check_equal("boundary_faces", "extent 0 (elements) of the mesh nodes", table.extent(0), nodes.extent(0));
  detail::refuse_hanging(faces, detail::sides_on_sides("boundary_faces", nodes, faces, set, tolerance));
  return faces;
}

}  // namespace sumfac
