// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// From mesh nodes of triangles, tetrahedra and prisms to a mapping at every quadrature point.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/cells.hpp>
#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/tabulated.hpp>
#include <sumfac/mesh/mapping.hpp>
#include <sumfac/mesh/maps/visited_points.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET {

// The map of a mesh's elements that are no products of lines at the points of a rule: the polynomial of degree m - 1
// through the M nodes of an element of the shape of Cell, which lie as those of a space of that degree, placed by the
// node set of a line. It is evaluated in double, relative to the element's first node.
//
// What an element_geometry has, it has, too; points are a row, (0, 0, q).
// **Shapes** nodes (E, M, C): element; node, x fastest, then y, then z; coordinate.
// **Work** per element 2 (1 + D) C M Q flops.
// **Errors** argument_error for extents that do not fit and for null data.
template <space Cell, class Points, class Nodes>
class cell_geometry
    : public detail::visited_points<cell_geometry<Cell, Points, Nodes>,
                                    mapping<detail::geometry_number, Cell.directions, Cell.coordinates>> {
public:
  static constexpr int points_1d = Points::size, directions = Cell.directions, coordinates = Cell.coordinates;
  template <class T>
  using mapping_type = mapping<T, directions, coordinates>;
  template <class Set = unsaid_nodes>
  explicit cell_geometry(Nodes const& nodes, Set const& set = {}) : nodes_(nodes)
  {
    constexpr auto here = "cell_geometry";
    check_equal(here, "extent 2 (coordinates) of the mesh nodes", coordinates, nodes.extent(2));
    check_data(here, "view of the mesh nodes", nodes.data(), nodes.extent(0) * nodes.extent(1));
    if constexpr (Cell.shape == cell_shape::tables)
      take(set);
    else
      take(set, here);
  }

  index_t elements() const { return nodes_.extent(0); }
  int nodes_1d() const { return m_; }
  detail::node_box points_of_element() const { return {static_cast<int>(weights_.size()), 1}; }

  // Calls f(e, 0, 0, q, x) for each point q, as element_geometry::visit does.
  template <class T, class Function>
  index_t visit(index_t first, index_t last, Function&& f) const
  {
    constexpr int of_point = 1 + directions;
    auto const size = static_cast<int>(nodes_.extent(1));
    detail::own_vector<T> lanes(static_cast<std::size_t>(size * coordinates));
    for (index_t e = first; e < last; e += width_of<T>) {
      detail::refused_lanes<T> refused;
      vector<T, coordinates> origin{};
      T const scale = load(e, last, lanes, origin);
      for (int q = 0; q < points_of_element().x; ++q) {
        double const* const entries = tables_.data() + q * size * of_point;
        vector<T, coordinates> position{};
        matrix<T, coordinates, directions> jacobian{};
        for (int i = 0; i < size; ++i)
          for (int c = 0; c < coordinates; ++c) {
            T const x = lanes[static_cast<std::size_t>(i * coordinates + c)];
            position[c] = fma(entries[i * of_point], x, position[c]);
            for (int d = 0; d < directions; ++d) jacobian(c, d) = fma(entries[i * of_point + 1 + d], x, jacobian(c, d));
          }
        for (int c = 0; c < coordinates; ++c) position[c] = fma(scale, position[c], origin[c]);
        mapping_type<T> const x{jacobian,
                                static_cast<T>(weights_[static_cast<std::size_t>(q)]),
                                position,
                                scale,
                                {e, elements() - 1, {0, 0, q}}};
        refused.test(x.scaled_det());
        f(e, 0, 0, q, x);
      }
      if (int const lane = refused.first(); lane < width_of<T>) return e + lane;
    }
    return elements();
  }

private:
  // Coordinates of the elements from e on, over a power of two, which is returned, and behind their first node, where
  // the map's functions add up to 1.
  template <class T>
  T load(index_t e, index_t last, detail::own_vector<T>& lanes, vector<T, coordinates>& origin) const
  {
    auto const size = static_cast<int>(nodes_.extent(1));
    for (int lane = 0; lane < width_of<T>; ++lane) {
      index_t const element = e + lane < last ? e + lane : last - 1;
      for (int c = 0; c < coordinates; ++c) {
        double const first = adds_up_ ? static_cast<double>(nodes_(element, 0, c)) : 0;
        detail::set_lane(origin[c], lane, first);
        for (int i = 0; i < size; ++i)
          detail::set_lane(lanes[static_cast<std::size_t>(i * coordinates + c)], lane,
                           static_cast<double>(nodes_(element, i, c)) - first);
      }
    }
    T const scale = detail::scale_of(lanes.data(), size * coordinates), inverse = static_cast<T>(1) / scale;
    for (T& x : lanes) x = inverse * x;
    return scale;
  }

  // Functions of the library's own, at nodes that a set places, and at the points of a rule; or as they are given.
  template <class Set>
  void take(Set const& set, char const* here)
  {
    m_ = detail::checked_edge_nodes(here, Cell, nodes_.extent(1));
    detail::cell_basis const basis(Cell.shape, directions, m_ - 1, detail::said_nodes(here, nodes_, set, m_));
    auto const size = static_cast<std::size_t>(basis.size());
    detail::own_vector<long double> values(size), gradients(size * directions);
    for (std::size_t q = 0; q < std::size_t{points_1d}; ++q) {
      basis.evaluate(Points::points[q].data(), values.data(), gradients.data());
      for (std::size_t i = 0; i < size; ++i) {
        tables_.push_back(static_cast<double>(values[i]));
        for (std::size_t d = 0; d < std::size_t{directions}; ++d)
          tables_.push_back(static_cast<double>(gradients[i * directions + d]));
      }
      weights_.push_back(static_cast<double>(Points::weights[q]));
    }
  }
  void take(tabulated_basis const& basis)
  {
    constexpr auto here = "tabulated_basis";
    if (points_1d != dynamic) check_equal(here, "number of points", points_1d, basis.points());
    check_equal(here, "number of directions", directions, basis.directions());
    check_equal(here, "extent 1 (nodes of an element) of the mesh nodes", basis.mesh_functions(), nodes_.extent(1));
    for (int q = 0; q < basis.points(); ++q) {
      for (int i = 0; i < basis.mesh_functions(); ++i)
        for (int d = -1; d < directions; ++d) tables_.push_back(basis.of_mesh(q, i, d));
      for (int d = -1; d < directions; ++d) {
        double sum = d < 0 ? -1 : 0, sizes = 1;
        for (int i = 0; i < basis.mesh_functions(); ++i) {
          double const x = basis.of_mesh(q, i, d);
          sum += x, sizes += x < 0 ? -x : x;
        }
        if (!(sum * sum < 1e-20 * sizes * sizes)) adds_up_ = false;
      }
      weights_.push_back(basis.weight(q));
    }
  }

  Nodes nodes_;
  int m_ = 0;
  bool adds_up_ = true;                          // hierarchic functions do not
  detail::own_vector<double> tables_, weights_;  // (Q, M, 1 + D): values and derivatives of the map's functions; (Q)
};

}  // namespace sumfac
