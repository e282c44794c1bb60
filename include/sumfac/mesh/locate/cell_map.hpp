// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The map of one triangle, tetrahedron or prism of a mesh, at any place, and what has the nodes of a mesh of any shape.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/mesh/locate/mesh_map.hpp>
#include <sumfac/mesh/locate/reference_element.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// The polynomials of a degree as sums of Bernstein's, of a prism products of a triangle's and a line's: an element's
// nodes become M coefficients, and lie with all of the element between the least and the greatest.
template <int Directions, cell_shape Shape>
class bernstein_functions {
public:
  static constexpr int directions = Directions, in_base = reference_element<Directions, Shape>::in_sum;
  using place = vector<double, Directions>;

  template <class Set>
  bernstein_functions(int degree, Set const& set)
      : degree_(degree), base_(in_base, degree, set), along_z_(1, in_base < Directions ? degree : 0, set)
  {
    for (int k = 0; k < size(); ++k)
      for (int p = 0; p < size(); ++p)
        table_.push_back(base_.coefficient(k % base_.size(), p % base_.size()) *
                         along_z_.coefficient(k / base_.size(), p / base_.size()));
  }

  int degree() const { return degree_; }
  int size() const { return base_.size() * along_z_.size(); }
  place node(int p) const
  {
    place xi;
    for (int d = 0; d < Directions; ++d)
      xi[d] = static_cast<double>(d < in_base ? base_.node(p % base_.size(), d)
                                              : 2 * along_z_.node(p / base_.size(), 0) - 1);
    return xi;
  }

  void coefficients(double const* values, double* to) const
  {
    auto const* entry = table_.data();
    for (int k = 0; k < size(); ++k) {
      long double sum = 0;
      for (int p = 0; p < size(); ++p) sum += *entry++ * static_cast<long double>(values[p]);
      to[k] = static_cast<double>(sum);
    }
  }

  // Calls f(k, terms) with the value and the derivatives, (1 + D), of polynomial k; through memory for what at_least()
  // says.
  template <class Function>
  void each(place const& xi, double* memory, Function const& f) const
  {
    int const t = base_.size(), n = along_z_.size();
    double const z = in_base < Directions ? (1 + xi[Directions - 1]) / 2 : 0.5;
    double* const line = memory + (1 + in_base) * t;
    base_.bernstein(xi.entries, memory);
    along_z_.bernstein(&z, line);
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < t; ++i) {
        vector<double, 1 + Directions> terms;
        for (int d = 0; d <= in_base; ++d) terms[d] = memory[d * t + i] * line[k];
        if (in_base < Directions) terms[Directions] = memory[i] * line[n + k] / 2;
        f(k * t + i, terms);
      }
  }
  int at_least() const { return (1 + in_base) * base_.size() + 2 * along_z_.size(); }

private:
  int degree_;
  simplex_basis base_, along_z_;
  own_vector<long double> table_{};  // (M, M)
};

// As element_map is of products of lines; `functions` must live as long.
template <int Directions, int Coordinates, cell_shape Shape>
class cell_map : public loaded_nodes<Coordinates> {
public:
  using element = reference_element<Directions, Shape>;
  using place = vector<double, Directions>;
  using point = vector<double, Coordinates>;

  explicit cell_map(bernstein_functions<Directions, Shape> const& functions)
      : loaded_nodes<Coordinates>(functions.size()),
        functions_(&functions),
        coefficients_(static_cast<std::size_t>(Coordinates * functions.size())),
        memory_(static_cast<std::size_t>(functions.at_least()))
  {
  }

  template <class Mesh>
  void load(Mesh const& mesh, index_t e)
  {
    loaded_nodes<Coordinates>::load(mesh, e);
    for (int c = 0; c < Coordinates; ++c)
      functions_->coefficients(this->relative_nodes(c), coefficients_.data() + c * this->size());
  }

  map_image<Directions, Coordinates> operator()(place const& xi) const
  {
    map_image<Directions, Coordinates> x{};
    functions_->each(xi, memory_.data(), [&](int k, vector<double, 1 + Directions> const& terms) {
      for (int c = 0; c < Coordinates; ++c) {
        double const at = coefficients_[static_cast<std::size_t>(c * this->size() + k)];
        x.position[c] += at * terms[0];
        for (int d = 0; d < Directions; ++d) x.jacobian(c, d) += at * terms[d + 1];
      }
    });
    return x;
  }

  place nearest_node(point const& x) const { return functions_->node(this->nearest_to(x)); }

private:
  bernstein_functions<Directions, Shape> const* functions_;
  own_vector<double> coefficients_;  // (C, M)
  own_vector<double> mutable memory_;
};

// The nodes of a mesh of products of lines, and their set.
template <class Nodes, class Set>
struct line_access : mesh_access<Nodes> {
  static constexpr cell_shape shape = cell_shape::lines;

  Set set;

  template <int Coordinates = mesh_access<Nodes>::directions>
  element_map<mesh_access<Nodes>::directions, Coordinates> map() const
  {
    return {this->nodes_1d(), set};
  }
};

// The same of other elements: nodes (E, M, C), and the functions through them.
template <int Directions, cell_shape Shape, class Nodes>
struct cell_access {
  static constexpr int directions = Directions;
  static constexpr cell_shape shape = Shape;
  static constexpr double rounding = coordinate_rounding<typename Nodes::value_type>;

  Nodes nodes;
  bernstein_functions<Directions, Shape> functions;

  index_t elements() const { return nodes.extent(0); }
  int nodes_of_element() const { return functions.size(); }

  template <class Function>
  void for_each_node(index_t e, Function const& f) const
  {
    for (int p = 0; p < functions.size(); ++p) f(p, [&](int c) { return static_cast<double>(nodes(e, p, c)); });
  }

  template <int Coordinates = Directions>
  cell_map<Directions, Coordinates, Shape> map() const
  {
    return cell_map<Directions, Coordinates, Shape>(functions);
  }
};

// Of mesh nodes those of products of lines, unless they are a mesh of other elements.
template <class Nodes>
inline constexpr cell_shape shape_of_mesh = cell_shape::lines;
template <class Nodes>
  requires requires { Nodes::shape; }
inline constexpr cell_shape shape_of_mesh<Nodes> = Nodes::shape;

// Directions of the elements that points are sought in.
template <class Nodes>
constexpr int directions_of_mesh()
{
  if constexpr (shape_of_mesh<Nodes> == cell_shape::lines) {
    return static_cast<int>(Nodes::rank()) - 2;
  } else {
    static_assert(
        shape_of_mesh<Nodes> != cell_shape::mixed,
        "sumfac::locator: of a mesh of several kinds of elements each is searched: mesh.of<cell_shape::prism>()");
    static_assert(Nodes::coordinates == Nodes::directions, "sumfac::locator: triangles in space are not searched");
    return Nodes::directions;
  }
}

// Access to mesh nodes of elements of a shape: line_access or cell_access.
//
// **Errors** argument_error: extents that do not fit, null; a set that is not said.
template <int Directions, cell_shape Shape, class Nodes, class Set>
auto access_to(char const* where, Nodes const& nodes, Set const& set, int coordinates)
{
  auto const plain = plain_nodes(nodes);
  using view_type = std::remove_const_t<decltype(plain)>;
  if constexpr (Shape == cell_shape::lines) {
    check_mesh_nodes(where, plain, coordinates);
    auto const said = said_nodes(where, nodes, set);
    return line_access<view_type, std::remove_const_t<decltype(said)>>{{plain}, said};
  } else {
    space const of(1, Directions, coordinates, node_placement::gauss_lobatto, nullptr, function_family::nodal, Shape);
    check_equal(where, "extent 2 (coordinates) of the mesh nodes", coordinates, plain.extent(2));
    int const m = checked_edge_nodes(where, of, plain.extent(1));
    check_data(where, "view of the mesh nodes", plain.data(), plain.size());
    return cell_access<Directions, Shape, view_type>{plain, {m - 1, said_nodes(where, nodes, set, m)}};
  }
}

}  // namespace sumfac::SUMFAC_TARGET::detail
