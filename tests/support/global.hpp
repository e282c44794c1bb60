// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle on global vectors: element after element gathered, worked and added up, or as a dense matrix.
#pragma once

#include "dense.hpp"
#include "numbering.hpp"
#include "tolerance.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace reference {

// Where component c of a global node stands in a vector.
enum class interleaving {
  node_by_node,           // node * C + c
  component_by_component  // c * nodes + node
};

inline std::size_t entry(interleaving way, std::int64_t nodes, int components, std::int64_t node, int c)
{
  return static_cast<std::size_t>(way == interleaving::node_by_node ? node * components + c : c * nodes + node);
}

// What becomes of a constrained entry: y = x there, or y = 0. The other rows do not see it: its column is zero.
enum class constrained_row { identity, zero };

// A = sum over elements of R_e' A_e R_e, and with constraints P A P + (I - P) or P A P, P dropping the constrained.
class global_operator {
public:
  using vector = std::vector<real>;

  global_operator(space const& where, rule const& mesh_nodes, mesh::nodes const& mesh, mesh::numbering numbers,
                  integrand<> const& form, interleaving way = interleaving::node_by_node)
      : numbers_(std::move(numbers)), components_(where.components), way_(way)
  {
    for (int e = 0; e < mesh.elements; ++e) elements_.emplace_back(where, mesh_nodes, mesh.element(e), form);
    constrained_.resize(size());
  }

  // All components of these nodes.
  void constrain(std::vector<std::int64_t> const& nodes, constrained_row row)
  {
    std::vector<bool> entries(size());
    for (auto const node : nodes)
      for (int c = 0; c < components_; ++c) entries[entry(way_, numbers_.nodes, components_, node, c)] = true;
    constrain(entries, row);
  }

  // These entries of a vector.
  void constrain(std::vector<bool> const& entries, constrained_row row)
  {
    constrained_ = entries;
    row_ = row;
  }

  std::size_t size() const { return static_cast<std::size_t>(numbers_.nodes) * static_cast<std::size_t>(components_); }
  int components() const { return components_; }
  mesh::numbering const& numbers() const { return numbers_; }
  std::vector<bool> const& constrained() const { return constrained_; }
  std::vector<element<>> const& elements() const { return elements_; }

  // The values of an element's nodes, (C, n, n, n); zero where constrained.
  vector gather(vector const& x, int e) const
  {
    vector u;
    for_each_place(e, [&](std::size_t at) { u.push_back(constrained_[at] ? 0 : x[at]); });
    return u;
  }

  vector apply(vector const& x) const
  {
    vector y(size());
    for (int e = 0; e < numbers_.elements; ++e) add(y, elements_[static_cast<std::size_t>(e)].apply(gather(x, e)), e);
    return with_constrained_rows(std::move(y), x);
  }

  vector diagonal() const
  {
    vector d(size());
    for (int e = 0; e < numbers_.elements; ++e) add(d, elements_[static_cast<std::size_t>(e)].diagonal(), e);
    return with_constrained_rows(std::move(d), vector(size(), 1));
  }

  // The matrix itself, from the elements' matrices; for small systems.
  table<real> matrix() const
  {
    table<real> a(static_cast<int>(size()), static_cast<int>(size()));
    for (int e = 0; e < numbers_.elements; ++e) {
      std::vector<std::size_t> places;
      for_each_place(e, [&](std::size_t at) { places.push_back(at); });
      auto const part = elements_[static_cast<std::size_t>(e)].matrix();
      for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = 0; j < places.size(); ++j)
          a(static_cast<int>(places[i]), static_cast<int>(places[j])) += part[i * places.size() + j];
    }
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < size(); ++j)
        if (constrained_[i] || constrained_[j])
          a(static_cast<int>(i), static_cast<int>(j)) = i == j && row_ == constrained_row::identity ? 1 : 0;
    return a;
  }

  // What rounding may do to each entry of A x: what the elements that meet there are allowed, and an addition for each.
  template <class Scalar>
  std::vector<double> allowed(vector const& x) const
  {
    return added([&](element<> const& a, int e) { return reference::allowed<Scalar>(a, gather(x, e), degree()); });
  }

  template <class Scalar>
  std::vector<double> allowed_diagonal() const
  {
    return added([&](element<> const& a, int) { return reference::allowed_diagonal<Scalar>(a, degree()); });
  }

private:
  int degree() const { return numbers_.nodes_1d - 1; }

  template <class Function>
  void for_each_place(int e, Function const& f) const
  {
    for (int c = 0; c < components_; ++c)
      for (int i = 0; i < numbers_.element_size(); ++i)
        f(entry(way_, numbers_.nodes, components_, numbers_.element(e)[i], c));
  }

  void add(vector& y, vector const& v, int e) const
  {
    auto next = v.begin();
    for_each_place(e, [&](std::size_t at) { y[at] += *next++; });
  }

  vector with_constrained_rows(vector y, vector const& x) const
  {
    for (std::size_t i = 0; i < y.size(); ++i)
      if (constrained_[i]) y[i] = row_ == constrained_row::identity ? x[i] : 0;
    return y;
  }

  // A sum of m element results rounds each of its terms at most m times more: sqrt(k + m) in place of sqrt(k).
  template <class Bound>
  std::vector<double> added(Bound const& of_element) const
  {
    auto const multiplicity = numbers_.multiplicity();
    std::vector<double> sum(size());
    for (int e = 0; e < numbers_.elements; ++e) {
      double const bound = of_element(elements_[static_cast<std::size_t>(e)], e);
      for_each_place(e, [&](std::size_t at) { sum[at] += bound; });
    }
    for (std::size_t at = 0; at < sum.size(); ++at) {
      auto const node = way_ == interleaving::node_by_node ? at / static_cast<std::size_t>(components_)
                                                           : at % static_cast<std::size_t>(numbers_.nodes);
      double const k = roundings(degree());
      sum[at] *= constrained_[at] ? 0 : std::sqrt((k + multiplicity[node]) / k);
    }
    return sum;
  }

  std::vector<element<>> elements_;
  mesh::numbering numbers_;
  int components_;
  interleaving way_;
  std::vector<bool> constrained_;
  constrained_row row_ = constrained_row::identity;
};

}  // namespace reference
