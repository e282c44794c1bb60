// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Continuous functions on a mesh of triangles, tetrahedra or prisms: the numbers of their nodes, what is fixed, values.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/error.hpp>
#include <sumfac/mesh/cell_mesh.hpp>
#include <sumfac/view/vector_argument.hpp>
#include <sumfac/view/view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// Polynomials of a degree on each element of a mesh, continuous across them, as function_space is on hexahedra.
//
// A node is one for all elements that have it: those whose lattices say the same weights of the same vertices.
// **Shapes** global vectors (nodes C); table (E, P); marks (nodes).
// **Work** sorts the nodes of all elements.
// **Errors** argument_error: a degree that is not in 1 .. 15; sides that do not exist.
class cell_space {
public:
  cell_space(cell_mesh const& of, int degree, std::vector<element_side> const& fixed = {}, int components = 1)
      : mesh_(of),
        components_(components),
        space_(degree, of.directions(), of.coordinates(), node_placement::gauss_lobatto, nullptr,
               function_family::nodal, of.shape())
  {
    if (degree < 1 || degree > 15) failf("cell_space", "the degree does not fit (got %d, 1 to 15 expected)", degree);
    list_weights();
    number_nodes();
    marks_ = std::vector<unsigned char>(static_cast<std::size_t>(nodes_), 0);
    for (element_side const& side : fixed) mark(side);
  }

  cell_mesh const& mesh() const { return mesh_; }
  int degree() const { return space_.degree; }
  index_t nodes() const { return nodes_; }
  index_t size() const { return nodes_ * components_; }
  int nodes_of_element() const { return static_cast<int>(weights_.size()); }
  bool is_fixed(index_t node) const { return marks_[static_cast<std::size_t>(node)] != 0; }

  auto table() const { return view(table_.data(), mesh_.elements(), index_t{nodes_of_element()}); }
  auto marks() const { return view(marks_.data(), nodes_); }
  template <class Scalar = double, class Backend>
  sumfac::restriction<Scalar, Backend> restriction(Backend const& backend, restriction_options options = {}) const
  {
    options.components = components_;
    return {backend, table(), nodes_, marks(), options};
  }
  // The same with no entry fixed.
  template <class Scalar = double, class Backend>
  sumfac::restriction<Scalar, Backend> unconstrained(Backend const& backend, restriction_options options = {}) const
  {
    options.components = components_;
    return {backend, table(), nodes_, options};
  }

  // Where nodes lie, (nodes, C).
  std::vector<double> positions() const
  {
    auto const basis = detail::basis_of(space_);
    detail::cell_basis const map(mesh_.shape(), mesh_.directions(), mesh_.nodes_1d() - 1, equispaced_nodes{});
    auto const m = static_cast<std::size_t>(map.size()), d = static_cast<std::size_t>(mesh_.directions());
    auto const c = static_cast<std::size_t>(mesh_.coordinates());
    std::vector<double> places(static_cast<std::size_t>(nodes_) * c);
    std::vector<long double> values(m), gradients(m * d);
    for (int p = 0; p < basis.size(); ++p) {
      long double xi[3] = {};
      for (std::size_t a = 0; a < d; ++a) xi[a] = basis.node(p, static_cast<int>(a));
      map.evaluate(xi, values.data(), gradients.data());
      for (index_t e = 0; e < mesh_.elements(); ++e)
        for (std::size_t a = 0; a < c; ++a) {
          long double sum = 0;
          for (std::size_t i = 0; i < m; ++i)
            sum += values[i] *
                   static_cast<long double>(mesh_.nodes()(e, static_cast<index_t>(i), static_cast<index_t>(a)));
          places[static_cast<std::size_t>(table()(e, p)) * c + a] = static_cast<double>(sum);
        }
    }
    return places;
  }
  // f at all nodes, of one component: the interpolating function. f is called with C coordinates, x[0] and so on.
  template <class Function>
  std::vector<double> values(Function const& f) const
  {
    auto const places = positions();
    std::vector<double> u;
    for (std::size_t i = 0; i < places.size(); i += static_cast<std::size_t>(mesh_.coordinates()))
      u.push_back(f(&places[i]));
    return u;
  }
  void zero_fixed(vector_argument<double> r) const
  {
    check_equal("cell_space::zero_fixed", "number of entries", size(), r.entries.extent(0));
    for (index_t i = 0; i < nodes_; ++i)
      for (int c = 0; c < components_ && is_fixed(i); ++c) r.entries(i * components_ + c) = 0;
  }

private:
  static constexpr std::size_t most = 6;  // vertices of an element
  struct weights {
    int of[most];
  };
  // The vertices that a node lies between, in ascending order, and their weights, with the node's place in the table.
  struct key {
    index_t vertex[most];
    int weight[most];
    std::size_t place;

    bool operator<(key const& other) const
    {
      for (std::size_t v = 0; v < most; ++v) {
        if (vertex[v] != other.vertex[v]) return vertex[v] < other.vertex[v];
        if (weight[v] != other.weight[v]) return weight[v] < other.weight[v];
      }
      return false;
    }
  };

  void list_weights()
  {
    int const n = space_.degree;
    bool const is_prism = mesh_.shape() == cell_shape::prism;
    for (int k = 0; k <= (is_prism ? n : 0); ++k)
      detail::for_each_lattice_index(is_prism ? 2 : mesh_.directions(), n, [&](int const* a) {
        weights w{};
        for (int v = 0; v < (is_prism ? 3 : mesh_.vertices_of_element()); ++v) {
          w.of[v] = is_prism ? a[v] * (n - k) : a[v];
          if (is_prism) w.of[v + 3] = a[v] * k;
        }
        weights_.push_back(w);
      });
  }

  void number_nodes()
  {
    std::vector<key> keys;
    for (index_t e = 0; e < mesh_.elements(); ++e)
      for (weights const& w : weights_) {
        std::pair<index_t, int> pairs[most];
        for (std::size_t v = 0; v < most; ++v)
          pairs[v] = w.of[v] == 0 ? std::pair<index_t, int>{-1, 0}
                                  : std::pair<index_t, int>{mesh_.vertex(e, static_cast<int>(v)), w.of[v]};
        std::sort(pairs, pairs + most);
        key k{};
        for (std::size_t v = 0; v < most; ++v) k.vertex[v] = pairs[v].first, k.weight[v] = pairs[v].second;
        k.place = keys.size();
        keys.push_back(k);
      }
    std::sort(keys.begin(), keys.end());
    // Each group of places is one node; they are numbered as elements meet them.
    std::vector<std::size_t> group(keys.size());
    std::size_t groups = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i > 0 && keys[i - 1] < keys[i]) ++groups;
      group[keys[i].place] = groups;
    }
    std::vector<std::int64_t> number(keys.empty() ? 0 : groups + 1, -1);
    for (std::size_t const g : group) {
      if (number[g] < 0) number[g] = nodes_++;
      table_.push_back(number[g]);
    }
  }

  void mark(element_side const& side)
  {
    auto const sides = detail::sides_of_cell(mesh_.shape(), mesh_.directions());
    if (side.element < 0 || side.element >= mesh_.elements() || side.side < 0 || side.side >= sides.sides)
      failf("cell_space", "a side does not exist (element %lld, side %d; there are %lld elements of %d sides)",
            static_cast<long long>(side.element), side.side, static_cast<long long>(mesh_.elements()), sides.sides);
    for (int p = 0; p < nodes_of_element(); ++p) {
      bool inside = true;
      for (int v = 0; v < sides.vertices; ++v) {
        bool of_side = false;
        for (int const s : sides.of_side[side.side]) of_side = of_side || s == v;
        inside = inside && (of_side || weights_[static_cast<std::size_t>(p)].of[v] == 0);
      }
      if (inside) marks_[static_cast<std::size_t>(table()(side.element, p))] = 1;
    }
  }

  cell_mesh mesh_;
  int components_;
  space space_;
  index_t nodes_ = 0;
  std::vector<weights> weights_;
  std::vector<std::int64_t> table_;
  std::vector<unsigned char> marks_;
};

}  // namespace sumfac
