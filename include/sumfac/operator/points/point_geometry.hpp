// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The inverse Jacobians of a mesh at points of its elements.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/geometry/locate/mesh_map.hpp>
#include <sumfac/math/detail/atomic.hpp>
#include <sumfac/math/small.hpp>
#include <sumfac/operator/points/point_list.hpp>

#include <cstddef>
#include <cstdio>

namespace sumfac::inline SUMFAC_TARGET::detail {

// The inverse of a Jacobian, or the matrix that takes reference derivatives to gradients along a surface or a curve:
// row d is the gradient of reference coordinate d.
template <int Coordinates, int Directions>
matrix<double, Directions, Coordinates> inverse_of(matrix<double, Coordinates, Directions> const& jacobian)
{
  if constexpr (Coordinates == Directions)
    return inverse(jacobian);
  else
    return inverse(transpose(jacobian) * jacobian) * transpose(jacobian);
}

// How much larger an element is there than the reference element; the square of that on surfaces and curves.
template <int Coordinates, int Directions>
double extension_of(matrix<double, Coordinates, Directions> const& jacobian)
{
  if constexpr (Coordinates == Directions)
    return determinant(jacobian);
  else
    return determinant(transpose(jacobian) * jacobian);
}

// (D, C, stride): what inverse_of() has at the sorted points.
//
// **Errors** argument_error: a mesh of other extents. geometry_error for the first point at which the determinant of
// the Jacobian is not positive and finite.
template <int Coordinates, class Scalar, int Directions, class Nodes, class Set>
own_vector<Scalar> inverse_jacobians(host const& threads, point_list<Scalar, Directions> const& list, index_t elements,
                                     Nodes const& nodes, Set const& set)
{
  constexpr auto here = "evaluator";
  static_assert(Nodes::rank() == Directions + 2,
                "sumfac::evaluator: the mesh nodes are of another rank than the space: (E, m, m, m, 3) for hexahedra");
  mesh_access<Nodes> const mesh{nodes};
  check_mesh_nodes(here, nodes, Coordinates);
  check_equal(here, "extent 0 (elements) of the mesh nodes", elements, mesh.elements());
  own_vector<Scalar> inverses(static_cast<std::size_t>(Directions * Coordinates * list.stride));
  first_of_all refused(list.given);
  auto const segments = static_cast<index_t>(list.segments.size());
  threads.balance(segments, [&](index_t begin, index_t end) {
    element_map<Directions, Coordinates> map(mesh.nodes_1d(), set);
    for (index_t s = begin; s < end; ++s) {
      point_segment const& segment = list.segments[static_cast<std::size_t>(s)];
      map.load(mesh, segment.element);
      for (index_t i = segment.first; i < segment.first + segment.count; ++i) {
        vector<double, Directions> xi;
        for (int d = 0; d < Directions; ++d)
          xi[d] = static_cast<double>(list.places[static_cast<std::size_t>(d * list.stride + i)]);
        auto const jacobian = map(xi).jacobian;
        double const det = extension_of(jacobian);
        if (!(det > 0) || det - det != 0) refused.keep(static_cast<index_t>(list.order[static_cast<std::size_t>(i)]));
        auto const inverted = inverse_of(jacobian);
        for (int d = 0; d < Directions; ++d)
          for (int r = 0; r < Coordinates; ++r)
            inverses[static_cast<std::size_t>((d * Coordinates + r) * list.stride + i)] =
                static_cast<Scalar>(inverted(d, r));
      }
    }
  });
  if (refused.index() < list.given) {
    char text[200];
    std::snprintf(text, sizeof text, "sumfac::evaluator: the mesh has no gradients at point %lld of %lld (the "
                  "determinant of the Jacobian is not greater than 0 and finite): untangle the element",
                  static_cast<long long>(refused.index()), static_cast<long long>(list.given));
    throw geometry_error(text);
  }
  return inverses;
}

}  // namespace sumfac::detail
