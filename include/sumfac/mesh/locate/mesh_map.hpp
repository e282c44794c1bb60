// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The map of one element of a mesh in one, two or three directions, at any place of the reference element; and the
// place that it takes to a given point, by Newton's method.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/detail/point_basis.hpp>
#include <sumfac/math/detail/power_of_two.hpp>
#include <sumfac/mesh/locate/reference_element.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <cstddef>
#include <limits>

namespace sumfac::SUMFAC_TARGET::detail {

// What coordinates in numbers of some type may be wrong by, as a part of the largest.
template <class Number>
inline constexpr double coordinate_rounding = 8 * static_cast<double>(std::numeric_limits<Number>::epsilon());

// Mesh nodes by element, place (x fastest) and coordinate, whatever the number of directions; there may be more
// coordinates than directions, on surfaces and curves.
template <class Nodes>
struct mesh_access {
  static constexpr int directions = static_cast<int>(Nodes::rank()) - 2;
  static_assert(directions >= 1 && directions <= 3,
                "sumfac::mesh: mesh nodes are a view of rank 5, (E, m, m, m, 3), 4, (E, m, m, 2), or 3, (E, m, 1)");

  static constexpr double rounding = coordinate_rounding<typename Nodes::value_type>;

  Nodes nodes;

  index_t elements() const { return nodes.extent(0); }
  int nodes_1d() const { return static_cast<int>(nodes.extent(1)); }
  int nodes_of_element() const { return power(nodes_1d(), directions); }

  // Calls f(p, at) for each node of an element, where at(c) is a coordinate of it.
  template <class Function>
  void for_each_node(index_t e, Function const& f) const
  {
    int const m = nodes_1d(), depth = directions == 3 ? m : 1, height = directions >= 2 ? m : 1;
    for (int p = 0, k = 0; k < depth; ++k)
      for (int j = 0; j < height; ++j)
        for (int i = 0; i < m; ++i, ++p)
          f(p, [&](int c) {
            if constexpr (directions == 3)
              return static_cast<double>(nodes(e, k, j, i, c));
            else if constexpr (directions == 2)
              return static_cast<double>(nodes(e, j, i, c));
            else
              return static_cast<double>(nodes(e, i, c));
          });
  }
};

// Where a place lies, relative to the element's first node and over a scale, and the derivatives there over that scale:
// jacobian(c, d) is that of coordinate c along direction d.
template <int Directions, int Coordinates>
struct map_image {
  vector<double, Coordinates> position;
  matrix<double, Coordinates, Directions> jacobian;
};

// How much larger an element is there than the reference element, or on surfaces and curves the square of that; and the
// inverse of the Jacobian, or the matrix that takes reference derivatives to gradients along a surface or a curve: row
// d is the gradient of reference coordinate d.
template <int Coordinates, int Directions>
struct inverted_jacobian {
  double extension;
  matrix<double, Directions, Coordinates> inverse;

  explicit inverted_jacobian(matrix<double, Coordinates, Directions> const& jacobian)
  {
    if constexpr (Coordinates == Directions) {
      extension = determinant(jacobian);
      inverse = sumfac::inverse(jacobian);
    } else if constexpr (Directions == 2) {  // by the normal: products of tangents would lose thin elements
      vector<double, 3> const t[2] = {{jacobian(0, 0), jacobian(1, 0), jacobian(2, 0)},
                                      {jacobian(0, 1), jacobian(1, 1), jacobian(2, 1)}};
      auto const n = cross(t[0], t[1]);
      extension = dot(n, n);
      auto const along = cross(t[1], n), beside = cross(n, t[0]);
      for (int c = 0; c < 3; ++c) inverse(0, c) = along[c] / extension, inverse(1, c) = beside[c] / extension;
    } else {
      extension = determinant(transpose(jacobian) * jacobian);
      inverse = transpose(jacobian) * (1 / extension);
    }
  }

  double largest() const
  {
    double most = 0;
    for (double const x : inverse.entries) most = (x < 0 ? -x : x) > most ? (x < 0 ? -x : x) : most;
    return most;
  }
};

// One element's nodes at a time.
//
// Coordinates are relative to the element's first node, so that a mesh far from the origin loses nothing, and over a
// power of two of the element's size where that is so far from 1 that products of them might be no numbers.
template <int Coordinates>
class loaded_nodes {
public:
  using point = vector<double, Coordinates>;

  explicit loaded_nodes(int size) : size_(size), relative_(static_cast<std::size_t>(Coordinates * size)) {}

  template <class Mesh>
  void load(Mesh const& mesh, index_t e)
  {
    point extent{};
    mesh.for_each_node(e, [&](int p, auto const& at) {
      for (int c = 0; c < Coordinates; ++c) {
        if (p == 0) origin_[c] = at(c);
        double const x = at(c) - origin_[c], size = x < 0 ? -x : x;
        extent[c] = size > extent[c] ? size : extent[c];
        relative_[static_cast<std::size_t>(c * size_ + p)] = x;
      }
    });
    double largest = 0;
    for (int c = 0; c < Coordinates; ++c) {
      largest = extent[c] > largest ? extent[c] : largest;
      largest_[c] = (origin_[c] < 0 ? -origin_[c] : origin_[c]) + extent[c];
    }
    scale_ = largest > 0x1p-200 && largest < 0x1p200 ? 1 : power_of_two_below(largest);
    if (scale_ != 1)
      for (double& x : relative_) x *= 1 / scale_;
  }

  point const& origin() const { return origin_; }
  double scale() const { return scale_; }
  // Of each coordinate a bound of the moduli that the element's nodes have.
  point const& largest() const { return largest_; }
  // What a point of the mesh is to this map, and the point of an image of it.
  point relative(point const& x) const { return (x - origin_) * (1 / scale_); }
  point place_of(point const& relative) const { return origin_ + relative * scale_; }

protected:
  int size() const { return size_; }
  double const* relative_nodes(int c) const { return relative_.data() + c * size_; }

  // The node that is nearest to a relative() point.
  int nearest_to(point const& x) const
  {
    int nearest = 0;
    double least = -1;
    for (int p = 0; p < size_; ++p) {
      double square = 0;
      for (int c = 0; c < Coordinates; ++c) {
        double const apart = relative_[static_cast<std::size_t>(c * size_ + p)] - x[c];
        square += apart * apart;
      }
      if (least < 0 || square < least) least = square, nearest = p;
    }
    return nearest;
  }

private:
  int size_;
  point origin_{}, largest_{};
  double scale_ = 1;
  own_vector<double> relative_;  // (C, nodes)
};

// The map of a line, a quadrilateral or a hexahedron, by the node set of a mesh's elements: an object for each thread.
template <int Directions, int Coordinates = Directions>
class element_map : public loaded_nodes<Coordinates> {
public:
  using element = reference_element<Directions, cell_shape::lines>;
  using place = vector<double, Directions>;
  using point = vector<double, Coordinates>;

  template <class Set>
  element_map(int nodes_1d, Set const& set) : loaded_nodes<Coordinates>(power(nodes_1d, Directions)), m_(nodes_1d)
  {
    long double places[max_mesh_nodes_1d] = {}, barycentric[max_mesh_nodes_1d] = {};
    set(m_, places);
    lagrange_weights(places, m_, barycentric);
    for (int i = 0; i < m_; ++i) {
      constants_.nodes[i] = static_cast<double>(places[i]);
      constants_.weights[i] = static_cast<double>(barycentric[i]);
    }
  }

  map_image<Directions, Coordinates> operator()(place const& xi) const
  {
    basis_at<double, Directions, max_mesh_nodes_1d> basis;
    basis.set_slopes(constants_, m_, xi);
    map_image<Directions, Coordinates> x;
    for (int c = 0; c < Coordinates; ++c) {
      node_row<double> const nodes{this->relative_nodes(c)};
      auto const at = gradient_at<Directions - 1>(basis, m_, nodes);
      x.position[c] = at[0];
      for (int d = 0; d < Directions; ++d) x.jacobian(c, d) = at[d + 1];
    }
    return x;
  }

  // The node that is nearest to a relative() point, as a place of the reference element.
  place nearest_node(point const& x) const
  {
    int nearest = this->nearest_to(x);
    place xi;
    for (int d = 0; d < Directions; ++d, nearest /= m_) xi[d] = constants_.nodes[nearest % m_];
    return xi;
  }

private:
  int m_;
  basis_numbers<double, max_mesh_nodes_1d> constants_;
};

// NaN or infinite where a number is that is not finite.
template <int Directions>
double greatest_modulus(vector<double, Directions> const& x)
{
  double greatest = 0;
  for (int d = 0; d < Directions; ++d) {
    double const modulus = x[d] < 0 ? -x[d] : x[d];
    if (modulus - modulus != 0) return modulus;
    if (modulus > greatest) greatest = modulus;
  }
  return greatest;
}

template <int Directions>
vector<double, Directions> moduli(vector<double, Directions> x)
{
  for (int d = 0; d < Directions; ++d) x[d] = x[d] < 0 ? -x[d] : x[d];
  return x;
}

// How far beyond its element a point may be that counts as in it, in reference coordinates.
inline constexpr double most_beyond = 0.01;

// How much each reference coordinate may be wrong by where coordinates may be by `rounding`.
template <int Directions>
vector<double, Directions> slack_of(matrix<double, Directions> const& inverse,
                                    vector<double, Directions> const& rounding)
{
  vector<double, Directions> slack{};
  for (int d = 0; d < Directions; ++d)
    for (int c = 0; c < Directions; ++c) slack[d] += (inverse(d, c) < 0 ? -inverse(d, c) : inverse(d, c)) * rounding[c];
  return slack;
}

// Whether x[d] is at most tolerance + slack[d] for all d, and no more than most_beyond.
template <int Size>
bool is_within(vector<double, Size> const& x, double tolerance, vector<double, Size> const& slack)
{
  for (int d = 0; d < Size; ++d) {
    double const more = tolerance + slack[d];
    if (!(x[d] <= (more < most_beyond ? more : most_beyond))) return false;
  }
  return true;
}

// Newton's method for map(xi) = x, where x and `rounding`, of its coordinates, are as the map has points, from xi on; a
// step that brings the image no nearer is halved, at most six times, and taken then. Whether it ended within
// `tolerance` of the element, or beyond it by what rounding does.
//
// A place that is far in one direction stays near in the others: an element that is bent by more than it is thick sends
// the first steps far across itself. A step of less than 1e-9, or than what rounding does, is the last: the next would
// be as small as the square of it.
template <class Map>
bool invert(Map const& map, typename Map::point const& x, typename Map::point const& rounding, double tolerance,
            typename Map::place& xi)
{
  using point = typename Map::point;
  using element = typename Map::element;
  constexpr int most_steps = 40;
  auto at = map(xi);
  point missing = x - at.position;
  for (int i = 0; i < most_steps; ++i) {
    auto const inverted = inverse(at.jacobian);
    point const step = inverted * missing;
    double const length = greatest_modulus(step);
    if (!(length < 1e15)) return false;  // a singular Jacobian
    if (length < 1e-9 || (length <= most_beyond && is_within(moduli(step), 1e-9, slack_of(inverted, rounding)))) {
      xi += step;
      point const slack = slack_of(inverted, rounding);
      return element::most_beyond(xi) <= tolerance ||
             is_within(element::beyond(xi), tolerance, element::slack_of_bounds(slack));
    }
    double const before = dot(missing, missing);
    double share = 1;
    point tried;
    for (int half = 0; half <= 6; ++half, share *= 0.5) {
      tried = element::not_far(xi + step * share);
      at = map(tried);
      missing = x - at.position;
      if (dot(missing, missing) < before) break;
    }
    if (greatest_modulus(tried - xi) == 0) return false;  // it would go further away
    xi = tried;
  }
  return false;
}

}  // namespace sumfac::detail
