// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// From mesh nodes to a mapping at every quadrature point, where the form's factors are set up.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/detail/line_table.hpp>
#include <sumfac/basis/detail/tables.hpp>
#include <sumfac/mesh/mapping.hpp>
#include <sumfac/mesh/maps/element_group.hpp>
#include <sumfac/mesh/maps/visited_points.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// The isoparametric map of a mesh's elements at the points of a tensor-product rule.
//
// The map of an element is the polynomial of degree m - 1 in each direction through its m^3 nodes. It is evaluated
// direction by direction in double, relative to the element's first node: a mesh far from the origin loses nothing.
// Const objects may be used by several threads at once.
// Lines and quadrilaterals, in as many coordinates as they have directions or in more, are the same with fewer indices:
// of a quadrilateral s is 0, of a line r too, and what must be positive is the area or length of surfaces and curves.
// **Shapes** nodes (E, m, m, m, 3), 2 <= m <= 16: element; reference z, y, x; coordinate. Any layout, float or double.
// Of quadrilaterals (E, m, m, Coordinates), of lines (E, m, Coordinates).
// **Work** per element, g points per direction: 12 m^3 g + 18 m^2 g^2 + 24 m g^3 flops.
// **Errors** argument_error for extents that do not fit and for null data.
template <class Points, class Nodes, int Coordinates = int{Nodes::rank()} - 2>
class element_geometry
    : public detail::visited_points<element_geometry<Points, Nodes, Coordinates>,
                                    mapping<detail::geometry_number, int{Nodes::rank()} - 2, Coordinates>> {
  static_assert(quadrature_rule<Points>,
                "sumfac::element_geometry: Points is no quadrature rule: it needs size, nodes and weights");
  static_assert(Nodes::rank() >= 3 && Nodes::rank() <= 5,
                "sumfac::element_geometry: mesh nodes are a view of rank 5, 4 or 3: (E, m, m, m, 3), (E, m, m, 2), "
                "(E, m, 1)");

public:
  static constexpr int points_1d = Points::size, directions = int{Nodes::rank()} - 2, coordinates = Coordinates;
  static_assert(coordinates >= directions && coordinates <= 3,
                "sumfac::element_geometry: a mesh has at least as many coordinates as its elements have directions, "
                "and "
                "at most 3");
  template <class T>
  using mapping_type = mapping<T, directions, coordinates>;
  static constexpr detail::node_box points{points_1d, directions};  // of an element

  template <mesh_node_set Set = unsaid_nodes>
  explicit element_geometry(Nodes const& nodes, Set const& set = {}) : nodes_(nodes), table_(tabulated(nodes, set))
  {
  }

  index_t elements() const { return nodes_.extent(0); }
  int nodes_1d() const { return table_.nodes; }
  static constexpr detail::node_box points_of_element() { return points; }

  // Calls f(e, s, r, q, x) for each point, q along reference x, r along y, s along z, of elements first .. last - 1: x
  // is the mapping<T> of elements e, e + 1, ..., one in each lane of T, which is double or a pack of it. Lanes past the
  // end repeat the last element.
  //
  // Returns the first element whose determinant is not positive and finite at some point, or elements(). Stops there,
  // with f called for all of its points.
  template <class T, class Function>
  index_t visit(index_t first, index_t last, Function&& f) const
  {
    static_assert(std::is_same_v<scalar_of<T>, double>,
                  "sumfac::element_geometry: T is not double or a pack of it: round the factors afterwards");
    detail::element_group<T, directions, coordinates> group(nodes_1d());
    for (index_t e = first; e < last; e += width_of<T>) {
      detail::refused_lanes<T> refused;
      group.load(nodes_, e, last);
      for (int s = 0; s < points.z; ++s) {
        double const weight_s = directions >= 3 ? weights_(s) : 1.0;
        group.contract_z(table_.values_at(s), table_.slopes_at(s));
        for (int r = 0; r < points.y; ++r) {
          double const weight_r = directions >= 2 ? weights_(r) : 1.0;
          group.contract_y(table_.values_at(r), table_.slopes_at(r));
          for (int q = 0; q < points.x; ++q) {
            double const weight = weight_s * weight_r * weights_(q);
            auto const x =
                group.contract_x(table_.values_at(q), table_.slopes_at(q), weight, {e, elements() - 1, {s, r, q}});
            refused.test(x.scaled_det());
            f(e, s, r, q, x);
          }
        }
      }
      if (int const lane = refused.first(); lane < width_of<T>) return e + lane;
    }
    return elements();
  }

private:
  // I and D, (g, m).
  template <class Set>
  static detail::line_table tabulated(Nodes const& nodes, Set const& set)
  {
    constexpr auto here = "element_geometry";
    detail::check_mesh_nodes(here, nodes, coordinates);
    detail::own_vector<long double> places(static_cast<std::size_t>(nodes.extent(1))), at;
    detail::said_nodes(here, nodes, set)(static_cast<int>(nodes.extent(1)), places.data());
    for (long double const x : Points::nodes) at.push_back(x);
    return {at, places};
  }

  static constexpr auto weights_ = detail::quadrature_weights<double, Points>();

  Nodes nodes_;
  detail::line_table table_;
};

}  // namespace sumfac
