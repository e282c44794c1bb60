// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How far the tetrahedra and prisms of a mesh are from affine maps, and what these maps are.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/math/detail/power_of_two.hpp>
#include <sumfac/mesh/maps/element_shapes.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <cstddef>
#include <limits>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// As element_shapes, of elements that are no products of lines: the affine map is that of an element at the origin
// of the reference coordinates, as the linear terms of a trilinear one.
// **Shapes** nodes (E, M, 3). **Work** 50 flops a node.
template <space Cell, class Nodes>
class cell_shapes {
public:
  template <class Set>
  cell_shapes(Nodes const& nodes, Set const& set, double tolerance)
      : nodes_(nodes), size_(static_cast<int>(nodes.extent(1))), tolerance_(tolerance)
  {
    check_tolerance(tolerance);
    int const m = edge_nodes_of(Cell, size_, max_mesh_nodes_1d);
    cell_basis const basis(Cell.shape, 3, m - 1, said_nodes("cell_shapes", nodes, set, m));
    auto const size = static_cast<std::size_t>(size_);
    own_vector<long double> values(size), gradients(3 * size);
    long double const origin[3] = {};
    basis.evaluate(origin, values.data(), gradients.data());
    for (std::size_t p = 0; p < size; ++p) {
      at_origin_.push_back(static_cast<double>(values[p]));
      for (std::size_t d = 0; d < 3; ++d) {
        at_origin_.push_back(static_cast<double>(gradients[3 * p + d]));
        places_.push_back(static_cast<double>(basis.node(static_cast<int>(p), static_cast<int>(d))));
      }
    }
  }

  index_t elements() const { return nodes_.extent(0); }
  double tolerance() const { return tolerance_; }

  element_shape shape(index_t e) const
  {
    vector<double, 3> const origin = node(e, 0);
    double largest = 0, from_affine = 0, not_finite = 0;  // the last becomes NaN by what is not
    double most[1] = {};
    for (int p = 0; p < size_; ++p)
      for (int c = 0; c < 3; ++c) {
        most[0] = __builtin_fmax(most[0], __builtin_fabs(node(e, p)[c] - origin[c]));
        largest = __builtin_fmax(largest, __builtin_fabs(node(e, p)[c]));
      }
    double const scale = scale_of(most, 1);
    auto const scaled = [&](int p) { return (node(e, p) - origin) * (1 / scale); };
    element_shape s;
    s.map = {};
    for (int p = 0; p < size_; ++p) {
      double const* const of = at_origin_.data() + std::size_t{4} * static_cast<std::size_t>(p);
      s.map.term[0] += scaled(p) * of[0];
      for (int d = 0; d < 3; ++d) s.map.term[1 << d] += scaled(p) * of[1 + d];
    }
    vector<double, 3> low{}, high{};
    for (int p = 0; p < size_; ++p) {
      double const* const at = places_.data() + std::size_t{3} * static_cast<std::size_t>(p);
      vector<double, 3> const place = scaled(p);
      vector<double, 3> off = place - s.map.term[0];
      for (int d = 0; d < 3; ++d) off = off - s.map.term[1 << d] * at[d];
      not_finite += 0 * dot(place, place);
      for (int c = 0; c < 3; ++c)
        low[c] = __builtin_fmin(low[c], place[c]), high[c] = __builtin_fmax(high[c], place[c]);
      from_affine = __builtin_fmax(from_affine, __builtin_sqrt(dot(off, off)));
    }
    double const size = __builtin_sqrt(dot(high - low, high - low));
    s.trilinear_defect = s.affine_defect = from_affine / size + not_finite;
    using coordinate = std::remove_const_t<typename Nodes::element_type>;
    s.rounding = 8 * double{std::numeric_limits<coordinate>::epsilon()} * (largest / scale) / size;
    for (auto& term : s.map.term) term *= scale;
    s.map.term[0] += origin;
    return s;
  }

  bool is_affine(element_shape const& s) const { return s.affine_defect <= tolerance_ + s.rounding; }
  bool is_trilinear(element_shape const& s) const { return is_affine(s); }

private:
  vector<double, 3> node(index_t e, int p) const
  {
    vector<double, 3> x{};
    for (int c = 0; c < 3; ++c) x[c] = static_cast<double>(nodes_(e, p, c));
    return x;
  }

  Nodes nodes_;
  int size_;
  double tolerance_;
  own_vector<double> at_origin_, places_;  // (M, 1 + 3) the functions of the map at the origin, (M, 3) its nodes
};

}  // namespace sumfac::SUMFAC_TARGET::detail
