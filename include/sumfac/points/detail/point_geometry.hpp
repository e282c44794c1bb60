// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The inverse Jacobians of a mesh at points of its elements.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/math/precision.hpp>
#include <sumfac/mesh/locate/cell_map.hpp>
#include <sumfac/points/detail/point_list.hpp>

#include <cstddef>
#include <limits>

namespace sumfac::SUMFAC_TARGET::detail {

// Throws for a point whose gradients, by the largest entry of its inverse Jacobian, are beyond a type's numbers.
template <class Scalar>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_gradients(index_t point, index_t points, double largest)
{
  throw_text<geometry_error>(
      "sumfac::evaluator: the mesh has gradients beyond the numbers of type %s at point %lld of %lld "
      "(largest entry of the inverse Jacobian %.6g, %.3g to %.3g expected): scale the mesh",
      name_of_number<Scalar>(), static_cast<long long>(point), static_cast<long long>(points), largest,
      static_cast<double>(std::numeric_limits<Scalar>::min SUMFAC_NO_MACRO()),
      static_cast<double>(std::numeric_limits<Scalar>::max SUMFAC_NO_MACRO()));
}

// (D, C, stride): the inverse Jacobians at the sorted points.
//
// **Errors** argument_error: a mesh of other extents. geometry_error for the first point at which the determinant of
// the Jacobian is not positive and finite, or the inverse is beyond the numbers of type Scalar.
template <cell_shape Shape, int Coordinates, class Scalar, int Directions, class Nodes, class Set>
own_vector<Scalar> inverse_jacobians(host const& threads, point_list<Scalar, Directions> const& list, index_t elements,
                                     Nodes const& nodes, Set const& set)
{
  constexpr auto here = "evaluator";
  static_assert(Nodes::rank() == (Shape == cell_shape::lines ? Directions + 2 : 3),
                "sumfac::evaluator: the mesh nodes are of another rank than the space: (E, m, m, m, 3) for hexahedra");
  auto const mesh = access_to<Directions, Shape>(here, nodes, set, Coordinates);
  check_equal(here, "extent 0 (elements) of the mesh nodes", elements, mesh.elements());
  own_vector<Scalar> inverses(static_cast<std::size_t>(Directions * Coordinates * list.stride));
  first_of_all refused(list.given), beyond(list.given);
  // Of the Jacobian over the scale of its element, of sorted point i; the inverse is over the scale again.
  auto const inverted_at = [&](auto const& map, index_t i) {
    vector<double, Directions> xi;
    for (int d = 0; d < Directions; ++d)
      xi[d] = static_cast<double>(list.places[static_cast<std::size_t>(d * list.stride + i)]);
    inverted_jacobian<Coordinates, Directions> at(map(xi).jacobian);
    at.inverse *= 1 / map.scale();
    return at;
  };
  auto const segments = static_cast<index_t>(list.segments.size());
  threads.balance(segments, [&](index_t begin, index_t end) {
    auto map = mesh.template map<Coordinates>();
    for (index_t s = begin; s < end; ++s) {
      point_segment const& segment = list.segments[static_cast<std::size_t>(s)];
      map.load(mesh, segment.element);
      for (index_t i = segment.first; i < segment.first + segment.count; ++i) {
        auto const at = inverted_at(map, i);
        auto const point = static_cast<index_t>(list.order[static_cast<std::size_t>(i)]);
        if (!(at.extension > 0) || at.extension - at.extension != 0) refused.keep(point);
        if (double const most = at.largest(); !(most >= std::numeric_limits<Scalar>::min SUMFAC_NO_MACRO() &&
                                                most <= std::numeric_limits<Scalar>::max SUMFAC_NO_MACRO()))
          beyond.keep(point);
        for (int d = 0; d < Directions; ++d)
          for (int r = 0; r < Coordinates; ++r)
            inverses[static_cast<std::size_t>((d * Coordinates + r) * list.stride + i)] =
                static_cast<Scalar>(at.inverse(d, r));
      }
    }
  });
  if (refused.index() < list.given) {
    throw_text<geometry_error>(
        "sumfac::evaluator: the mesh has no gradients at point %lld of %lld (the "
        "determinant of the Jacobian is not greater than 0 and finite): untangle the element",
        static_cast<long long>(refused.index()), static_cast<long long>(list.given));
  }
  for (point_segment const& segment : list.segments)
    for (index_t i = segment.first; beyond.index() < list.given && i < segment.first + segment.count; ++i)
      if (static_cast<index_t>(list.order[static_cast<std::size_t>(i)]) == beyond.index()) {
        auto map = mesh.template map<Coordinates>();
        map.load(mesh, segment.element);
        refuse_gradients<Scalar>(beyond.index(), list.given, inverted_at(map, i).largest());
      }
  return inverses;
}

}  // namespace sumfac::detail
