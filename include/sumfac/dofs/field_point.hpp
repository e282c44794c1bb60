// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Points of a mesh's elements at run time, with what a function is there: what integrals are made of.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/detail/element_functions.hpp>
#include <sumfac/mesh/cell_mesh.hpp>

#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// A point that a function is integrated at.
template <int Coordinates>
struct field_point {
  vector<double, Coordinates> position;
  double measure;           // the volume, area or length that it stands for
  double const* values;     // (components), where there is a function
  double const* gradients;  // (components, Coordinates)
  index_t number;           // among the points of all elements of its shape, those of one after another's

  double value(int component = 0) const { return values[component]; }
  vector<double, Coordinates> gradient(int component = 0) const
  {
    vector<double, Coordinates> g{};
    for (int d = 0; d < Coordinates; ++d) g[d] = gradients[component * Coordinates + d];
    return g;
  }
};

namespace detail {

// The function that is 0.
struct zeros {
  double operator[](int) const { return 0; }
};

// The square of what gradients at a point are off one that is exact: a vector, or of several components a matrix (c,
// d).
template <int Coordinates, class Gradient>
double square_off(field_point<Coordinates> const& p, int components, Gradient const& exact)
{
  double square = 0;
  for (int c = 0; c < components; ++c)
    for (int d = 0; d < Coordinates; ++d) {
      double off = p.gradient(c)[d];
      if constexpr (std::is_invocable_v<Gradient const&, int, int>)
        off -= static_cast<double>(exact(c, d));
      else
        off -= static_cast<double>(exact[d]);
      square += off * off;
    }
  return square;
}

template <int Coordinates>
using points_visitor = callback<index_t, own_vector<field_point<Coordinates>> const&>;
using values_reader = callback<index_t, double*>;

// Calls f(e, points) of each element of a mesh on the host's threads: the points of a rule, with the values and
// gradients of a function where there is one, whose values at the element's `nodes` nodes gather(e, values) writes.
// Tables are of the mesh's functions and of the space's at the points.
template <int Directions, int Coordinates, cell_shape Shape,
          class Table = typename element_functions<Directions, Shape>::table>
void visit_points(mesh<Directions, Coordinates, Shape> const& of, Table const& mesh_to_points,
                  Table const& nodes_to_points, own_vector<double> const& weights, index_t nodes, int components,
                  bool any, points_visitor<Coordinates> f, values_reader gather)
{
  using point = field_point<Coordinates>;
  using position = vector<double, Coordinates>;
  using contraction = typename element_functions<Directions, Shape>::contraction;
  int const numbers = components;
  std::size_t const points = weights.size();
  index_t const stride = of.size() / (of.elements() > 0 ? of.elements() : 1);
  host{}.partition(of.elements(), [&](index_t first, index_t last) {
    contraction geometry(mesh_to_points, Coordinates), field(nodes_to_points, numbers);
    own_vector<double> local(static_cast<std::size_t>(nodes * numbers));
    own_vector<double> x[1 + Directions], values[1 + Directions],
        gradients(points * static_cast<std::size_t>(numbers * Coordinates));
    own_vector<point> at_points(points);
    auto const evaluate = [&](contraction& by, double const* from, int of_node, auto& to) {
      for (int s = 0; s <= Directions; ++s) {
        double const* const result = by.at_points(from, s - 1);
        to[s].resize(points * static_cast<std::size_t>(of_node));
        for (std::size_t i = 0; i < to[s].size(); ++i) to[s][i] = result[i];
      }
    };
    for (index_t e = first; e < last; ++e) {
      evaluate(geometry, of.data() + e * stride, Coordinates, x);
      if (any) {
        gather(e, local.data());
        evaluate(field, local.data(), numbers, values);
      }
      for (std::size_t q = 0; q < points; ++q) {
        matrix<double, Directions, Coordinates> rows{};  // of x along each direction
        point& here = at_points[q];
        for (int c = 0; c < Coordinates; ++c) {
          here.position[c] = x[0][q * Coordinates + static_cast<std::size_t>(c)];
          for (int d = 0; d < Directions; ++d) rows(d, c) = x[d + 1][q * Coordinates + static_cast<std::size_t>(c)];
        }
        auto const metric = gram(rows);
        matrix<double, Directions> full{};
        for (int r = 0; r < Directions; ++r)
          for (int c = 0; c < Directions; ++c) full(r, c) = metric(r, c);
        double det = 0;
        if constexpr (Directions == Coordinates)
          det = determinant(rows);
        else
          det = __builtin_sqrt(determinant(full));
        if (!(det > 0 && det - det == 0))
          throw_text<geometry_error>(
              "sumfac::function_space: element %lld cannot be integrated on (determinant of the Jacobian %.6g, greater "
              "than 0 and finite expected): untangle it, or list its nodes with x fastest, then y, then z",
              static_cast<long long>(e), det);
        here.measure = weights[q] * det;
        here.number = e * static_cast<index_t>(points) + static_cast<index_t>(q);
        if (!any) continue;
        auto const inverse_metric = inverse(full);
        for (int c = 0; c < numbers; ++c) {
          vector<double, Directions> slopes{};
          for (int d = 0; d < Directions; ++d)
            slopes[d] = values[d + 1][q * static_cast<std::size_t>(numbers) + static_cast<std::size_t>(c)];
          position across{};
          if constexpr (Directions == Coordinates)
            across = adjugate(rows) * slopes * (1 / det);
          else
            across = transpose(rows) * (inverse_metric * slopes);
          for (int d = 0; d < Coordinates; ++d)
            gradients[(q * static_cast<std::size_t>(numbers) + static_cast<std::size_t>(c)) * Coordinates +
                      static_cast<std::size_t>(d)] = across[d];
        }
        here.values = values[0].data() + q * static_cast<std::size_t>(numbers);
        here.gradients = gradients.data() + q * static_cast<std::size_t>(numbers * Coordinates);
      }
      f(e, at_points);
    }
  });
}

}  // namespace detail

}  // namespace sumfac
