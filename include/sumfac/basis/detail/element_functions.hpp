// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions of any degree on an element of any shape, evaluated at run time for what is set up once: at points, and at
// the nodes of others.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/detail/line_table.hpp>
#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>

#include <cstddef>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// What a function space asks of the shape of its elements:
// `basis` functions by their nodes, `places` points of the element, `table` the basis at places, `contraction` applies
// a table to an element's values, as box_contraction does.
template <int Directions, cell_shape Shape>
struct element_functions;

// Products of functions on lines: nodes and places are those along one direction.
template <int Directions>
struct element_functions<Directions, cell_shape::lines> {
  using basis = own_vector<long double>;
  using places = own_vector<long double>;
  using table = line_table;
  static constexpr int most_degree = 31;

  static index_t size(int degree) { return node_box(degree + 1, Directions).all(); }
  template <class Set>
  static basis through(int nodes_1d, Set const& set)
  {
    basis at(static_cast<std::size_t>(nodes_1d));
    set(nodes_1d, at.data());
    return at;
  }
  static places const& nodes_of(basis const& of) { return of; }
  static index_t count(int points_1d) { return node_box(points_1d, Directions).all(); }  // points of a rule
  // Gauss points, and the weights of all of them in an element.
  static places rule(int points_1d, own_vector<double>& weights)
  {
    places at(static_cast<std::size_t>(points_1d));
    own_vector<long double> along(at.size());
    make_gauss(points_1d, at.data(), along.data());
    for (std::size_t q = 0; q < static_cast<std::size_t>(count(points_1d)); ++q) {
      double weight = 1;
      for (std::size_t d = 0, rest = q; d < Directions; ++d, rest /= at.size())
        weight *= static_cast<double>(along[rest % at.size()]);
      weights.push_back(weight);
    }
    return at;
  }
  struct contraction : box_contraction {
    contraction(table const& of, int components) : box_contraction(of, Directions, components) {}
  };
};

// Values and slopes of all functions at all points.
struct dense_table {
  index_t points, nodes;
  own_vector<double> numbers;  // (1 + D, points, nodes): values, slopes along each direction
};

template <int Directions, cell_shape Shape>
struct element_functions {
  using basis = cell_basis;
  using places = own_vector<long double>;  // (points, D)
  static constexpr int most_degree = 15;

  struct table : dense_table {
    table(places const& at, basis const& of) : dense_table{static_cast<index_t>(at.size() / Directions), of.size(), {}}
    {
      auto const p = static_cast<std::size_t>(nodes), q = static_cast<std::size_t>(points);
      numbers = own_vector<double>((1 + Directions) * q * p);
      own_vector<long double> values(p), gradients(p * Directions);
      for (std::size_t i = 0; i < q; ++i) {
        of.evaluate(at.data() + i * Directions, values.data(), gradients.data());
        for (std::size_t k = 0; k < p; ++k) {
          numbers[i * p + k] = static_cast<double>(values[k]);
          for (std::size_t d = 0; d < Directions; ++d)
            numbers[((1 + d) * q + i) * p + k] = static_cast<double>(gradients[k * Directions + d]);
        }
      }
    }
  };

  static constexpr space of_degree(int degree)
  {
    return {degree, Directions, Directions, node_placement::gauss_lobatto, nullptr, function_family::nodal, Shape};
  }
  static index_t size(int degree) { return functions_of_cell(of_degree(degree)); }
  template <class Set>
  static basis through(int nodes_1d, Set const& set)
  {
    return {Shape, Directions, nodes_1d - 1, set};
  }
  static places nodes_of(basis const& of)
  {
    places at;
    for (int p = 0; p < of.size(); ++p)
      for (int d = 0; d < Directions; ++d) at.push_back(of.node(p, d));
    return at;
  }
  static index_t count(int points_1d) { return node_box(points_1d, Directions).all(); }
  // Gauss points in collapsed coordinates, along z of a prism as they are.
  static places rule(int points_1d, own_vector<double>& weights)
  {
    auto const g = static_cast<std::size_t>(points_1d);
    own_vector<long double> t(g), w(g);
    make_gauss(points_1d, t.data(), w.data());
    for (std::size_t i = 0; i < g; ++i) t[i] = (1 + t[i]) / 2, w[i] /= 2;
    places at;
    for (std::size_t q = 0; q < static_cast<std::size_t>(count(points_1d)); ++q) {
      std::size_t const i = q % g, j = q / g % g, k = q / g / g;
      long double const left = 1 - t[j];
      long double weight = w[i] * w[j] * left;
      if constexpr (Directions == 2) {
        for (long double const x : {t[i] * left, t[j]}) at.push_back(x);
      } else if constexpr (Shape == cell_shape::prism) {
        for (long double const x : {t[i] * left, t[j], 2 * t[k] - 1}) at.push_back(x);
        weight *= 2 * w[k];
      } else {
        long double const above = 1 - t[k];
        for (long double const x : {t[i] * left * above, t[j] * above, t[k]}) at.push_back(x);
        weight *= w[k] * above * above;
      }
      weights.push_back(static_cast<double>(weight));
    }
    return at;
  }

  class contraction {
  public:
    contraction(table const& of, int components)
        : table_(of),
          components_(components),
          work_(static_cast<std::size_t>((of.points > of.nodes ? of.points : of.nodes) * components))
    {
    }
    double const* at_points(double const* nodes, int slope = -1)
    {
      double const* const numbers = table_.numbers.data() + (1 + slope) * table_.points * table_.nodes;
      return product(table_.points, table_.nodes, nodes,
                     [&](index_t q, index_t i) { return numbers[q * table_.nodes + i]; });
    }
    double const* at_nodes(double const* points)
    {
      return product(table_.nodes, table_.points, points,
                     [&](index_t i, index_t q) { return table_.numbers.data()[q * table_.nodes + i]; });
    }

  private:
    template <class Entry>
    double const* product(index_t rows, index_t cols, double const* from, Entry const& entry)
    {
      for (index_t r = 0; r < rows; ++r)
        for (int c = 0; c < components_; ++c) {
          double sum = 0;
          for (index_t k = 0; k < cols; ++k) sum += entry(r, k) * from[k * components_ + c];
          work_[static_cast<std::size_t>(r * components_ + c)] = sum;
        }
      return work_.data();
    }

    dense_table const& table_;
    int components_;
    own_vector<double> work_;
  };
};

// From the values at the nodes of one basis, (n^D, components), to those at the nodes of another one in each of 2^D
// parts.
template <int Directions>
class values_in_parts {
public:
  static constexpr int parts = 1 << Directions;

  values_in_parts(own_vector<long double> const& from, own_vector<long double> const& to, int components)
      : m_(static_cast<int>(to.size())),
        components_(components),
        table_(halves(to), from),
        field_(table_, Directions, components)
  {
  }

  // Calls f(part, place of the part, values), place by place, x fastest; that of the lower half along x first.
  template <class Function>
  void each(double const* values, Function const& f)
  {
    double const* const all = field_.at_points(values);
    node_box const box(m_, Directions), of_all(2 * m_, Directions);
    for (int part = 0; part < parts; ++part) {
      int const x = part & 1, y = part >> 1 & 1, z = part >> 2;
      index_t place = 0;
      for (int k = 0; k < box.z; ++k)
        for (int j = 0; j < box.y; ++j)
          for (int i = 0; i < box.x; ++i) {
            index_t const at = (index_t{z * m_ + k} * of_all.y + y * m_ + j) * of_all.x + x * m_ + i;
            f(part, place++, all + at * components_);
          }
    }
  }

private:
  // Places in an element, along each direction the nodes of one half and then those of the other.
  static own_vector<long double> halves(own_vector<long double> const& places)
  {
    own_vector<long double> all;
    for (int half = -1; half <= 1; half += 2)
      for (long double const place : places) all.push_back((place + half) / 2);
    return all;
  }

  int m_, components_;
  line_table table_;
  box_contraction field_;
};

// Values at the nodes of another basis, element by element: calls put(e, place, values) with what gather(e), values at
// the nodes (nodes, components), is there; where `first` is no null, in the elements first[e] to first[e + 1] - 1: the
// parts of e, or e itself.
template <int Directions, cell_shape Shape, class Basis, class Gather, class Put>
void values_elsewhere(Basis const& from, Basis const& to, int components, index_t elements,
                      std::vector<index_t> const* first, Gather const& gather, Put const& put)
{
  using functions = element_functions<Directions, Shape>;
  typename functions::table const table(functions::nodes_of(to), from);
  typename functions::contraction field(table, components);
  auto const along = static_cast<int>(table.points);
  index_t const count = Shape == cell_shape::lines ? node_box(along, Directions).all() : index_t{along};
  auto const whole = [&](index_t e, double const* values) {
    double const* const numbers = field.at_points(values);
    for (index_t p = 0; p < count; ++p) put(e, p, numbers + p * components);
  };
  if (first == nullptr)
    for (index_t e = 0; e < elements; ++e) whole(e, gather(e));
  if constexpr (Shape == cell_shape::lines)
    if (first != nullptr) {
      values_in_parts<Directions> in_parts(from, to, components);
      for (index_t e = 0; e < elements; ++e) {
        index_t const begin = (*first)[static_cast<std::size_t>(e)], end = (*first)[static_cast<std::size_t>(e) + 1];
        if (end == begin + 1)
          whole(begin, gather(e));
        else
          in_parts.each(gather(e), [&](int part, index_t p, double const* x) { put(begin + part, p, x); });
      }
    }
}

}  // namespace sumfac::detail
