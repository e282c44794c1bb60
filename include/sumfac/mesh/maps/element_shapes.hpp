// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How far the elements of a mesh are from affine and trilinear maps, tetrahedra and prisms from affine ones, and what
// these maps are.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/mesh/maps/trilinear_map.hpp>
#include <sumfac/mesh/maps/visited_points.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/mesh/policy.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// The trilinear map of an element's vertices, and how far the element is from it and from its affine part.
struct element_shape {
  trilinear_map<double> map;
  double affine_defect = 0, trilinear_defect = 0;  // the largest distance of a node, as a fraction of the size
  double rounding = 0;                             // of these defects, by that of the coordinates
};

inline void check_tolerance(double tolerance)
{
  if (!(tolerance >= 0))
    failf("element_shapes", "the tolerance is not a number from 0 on (got %g): pass a fraction of an element's size",
          tolerance);
}

// The shapes of a mesh's elements. A quadrilateral or a line is looked at as a hexahedron that is flat along the
// directions which it has not; coordinates that the mesh has not are 0.
//
// The size of an element is the diagonal of the box around its nodes. A defect of up to `tolerance` is accepted, and on
// top of it 8 units in the last place of the largest coordinate, over the size.
// **Shapes** nodes (E, m, m, m, 3), (E, m, m, C) or (E, m, C), 2 <= m <= 16. **Work** 60 flops a node.
template <class Nodes>
class element_shapes {
public:
  template <mesh_node_set Set>
  element_shapes(Nodes const& nodes, Set const& set, double tolerance)
      : nodes_(nodes),
        m_(static_cast<int>(nodes.extent(1))),
        coordinates_(static_cast<int>(nodes.extent(directions + 1))),
        tolerance_(tolerance)
  {
    check_tolerance(tolerance);
    long double places[max_mesh_nodes_1d], barycentric[max_mesh_nodes_1d], values[max_mesh_nodes_1d];
    set(m_, places);
    lagrange_weights(places, m_, barycentric);
    for (int end = 0; end < 2; ++end) {
      lagrange_values(places, barycentric, m_, static_cast<long double>(2 * end - 1), values);
      for (int i = 0; i < m_; ++i) ends_[end][i] = static_cast<double>(values[i]);
    }
    for (int i = 0; i < m_; ++i) places_[i] = static_cast<double>(places[i]);
  }

  index_t elements() const { return nodes_.extent(0); }
  double tolerance() const { return tolerance_; }

  element_shape shape(index_t e) const
  {
    frame const in = frame_of(e);
    element_shape s;
    s.map = vertices_map(e, in);
    vector<double, 3> low{}, high{};
    double largest = 0, from_affine = 0, from_trilinear = 0;
    double not_finite = 0;  // becomes NaN by what is not
    for_each_node([&](int k, int j, int i) {
      double const x = places_[i], y = places_[j], z = places_[k];
      double const products[8] = {1, x, y, x * y, z, x * z, y * z, x * y * z};
      vector<double, 3> const place = node(in, e, k, j, i);
      vector<double, 3> affine{}, straight{};
      for (int b = 0; b < 8; ++b) {
        straight += s.map.term[b] * products[b];
        if ((b & (b - 1)) == 0) affine += s.map.term[b] * products[b];
      }
      not_finite += 0 * dot(place, place);
      for (int c = 0; c < 3; ++c) {
        low[c] = __builtin_fmin(low[c], place[c]), high[c] = __builtin_fmax(high[c], place[c]);
        largest = __builtin_fmax(largest, __builtin_fabs(coordinate(e, k, j, i, c)));
      }
      from_affine = __builtin_fmax(from_affine, __builtin_sqrt(dot(place - affine, place - affine)));
      from_trilinear = __builtin_fmax(from_trilinear, __builtin_sqrt(dot(place - straight, place - straight)));
    });
    double const size = __builtin_sqrt(dot(high - low, high - low));
    s.affine_defect = from_affine / size + not_finite;
    s.trilinear_defect = from_trilinear / size + not_finite;
    using coordinate = std::remove_const_t<typename Nodes::element_type>;
    s.rounding = 8 * double{std::numeric_limits<coordinate>::epsilon()} * (largest / in.scale) / size;
    for (auto& term : s.map.term) term *= in.scale;
    s.map.term[0] += in.origin;
    return s;
  }

  bool is_affine(element_shape const& s) const { return s.affine_defect <= tolerance_ + s.rounding; }
  bool is_trilinear(element_shape const& s) const { return s.trilinear_defect <= tolerance_ + s.rounding; }

private:
  // Where an element lies: nodes are looked at relative to the first, for the sake of meshes far from zero, and over a
  // power of two of the element's size, for the sake of squares.
  struct frame {
    vector<double, 3> origin;
    double scale;
  };

  static constexpr int directions = static_cast<int>(Nodes::rank()) - 2;

  double coordinate(index_t e, int k, int j, int i, int c) const
  {
    return c < coordinates_ ? static_cast<double>(mesh_node(nodes_, e, k, j, i, c)) : 0;
  }
  vector<double, 3> node(index_t e, int k, int j, int i) const
  {
    return {coordinate(e, k, j, i, 0), coordinate(e, k, j, i, 1), coordinate(e, k, j, i, 2)};
  }
  vector<double, 3> node(frame const& in, index_t e, int k, int j, int i) const
  {
    return (node(e, k, j, i) - in.origin) * (1 / in.scale);
  }
  frame frame_of(index_t e) const
  {
    vector<double, 3> const origin = node(e, 0, 0, 0);
    double largest[1] = {};
    for_each_node([&](int k, int j, int i) {
      for (double const x : (node(e, k, j, i) - origin).entries)
        largest[0] = __builtin_fmax(largest[0], __builtin_fabs(x));
    });
    return {origin, scale_of(largest, 1)};
  }
  trilinear_map<double> vertices_map(index_t e, frame const& in) const
  {
    trilinear_map<double> map{};
    for_each_node([&](int k, int j, int i) {
      vector<double, 3> const place = node(in, e, k, j, i);
      for (int b = 0; b < 8; ++b) {
        // Mean of the ends' values for a direction that the term is constant in, half of their difference otherwise.
        auto const part = [&](int direction, int at) {
          bool const varies = (b >> direction & 1) != 0;
          if (direction >= directions) return varies ? 0.0 : 1.0;
          return (ends_[1][at] + (varies ? -1 : 1) * ends_[0][at]) / 2;
        };
        map.term[b] += place * (part(0, i) * part(1, j) * part(2, k));
      }
    });
    return map;
  }

  // f(k, j, i) for all nodes of an element.
  template <class Function>
  void for_each_node(Function const& f) const
  {
    for (int k = 0; k < (directions == 3 ? m_ : 1); ++k)
      for (int j = 0; j < (directions >= 2 ? m_ : 1); ++j)
        for (int i = 0; i < m_; ++i) f(k, j, i);
  }

  Nodes nodes_;
  int m_, coordinates_;
  double tolerance_;
  double places_[max_mesh_nodes_1d] = {};
  double ends_[2][max_mesh_nodes_1d] = {};  // the nodal basis at -1 and at 1
};

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_shape(char const* policy, index_t element, double defect,
                                                                double allowed, std::string const& more)
{
  throw_text<geometry_error>(
      "sumfac::%s: element %lld is not %s (defect %.6g of its size, at most %.6g expected): pass a greater "
      "tolerance, or choose sumfac::split, sumfac::isoparametric or sumfac::stored%s",
      policy, static_cast<long long>(element), policy, defect, allowed, more.c_str());
}

// maps.set(e, elements, map) for all elements, on the threads of a backend.
//
// **Errors** geometry_error, with the first element that Policy (affine or trilinear) does not fit, its defect, the
// number of those that do not fit and the first ten of them.
template <class Policy, class Backend, class Shapes, class Maps>
void set_shapes(Backend const& backend, Shapes const& shapes, Maps& maps)
{
  constexpr bool is_affine = std::is_same_v<Policy, affine>;
  auto const fits = [&](element_shape const& s) { return is_affine ? shapes.is_affine(s) : shapes.is_trilinear(s); };
  index_t const elements = shapes.elements();
  first_of_all refused(elements);
  backend.partition(elements, [&](index_t first, index_t last) {
    for (index_t e = first; e < last; ++e) {
      element_shape const s = shapes.shape(e);
      if (!fits(s)) return refused.keep(e);
      maps.set(e, elements, s.map);
    }
  });
  if (refused.index() == elements) return;
  refused_elements found(elements);
  backend.partition(elements, [&](index_t first, index_t last) {
    for (index_t e = first; e < last; ++e)
      if (!fits(shapes.shape(e))) found.add(e);
  });
  element_shape const s = shapes.shape(refused.index());
  refuse_shape(is_affine ? "affine" : "trilinear", refused.index(), is_affine ? s.affine_defect : s.trilinear_defect,
               shapes.tolerance() + s.rounding, found.list());
}

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

}  // namespace sumfac::detail
