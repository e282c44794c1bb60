// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Points of a mesh's elements at run time, with what a function is there: what integrals are made of.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/detail/line_table.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/math/small.hpp>
#include <sumfac/mesh/mesh.hpp>

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

  double value(int component = 0) const { return values[component]; }
  vector<double, Coordinates> gradient(int component = 0) const
  {
    vector<double, Coordinates> g{};
    for (int d = 0; d < Coordinates; ++d) g[d] = gradients[component * Coordinates + d];
    return g;
  }
};

namespace detail {

// Any function object that lives as long: what it is given to is compiled once for all.
template <class... Arguments>
class callback {
public:
  template <class Function>
    requires(!std::is_same_v<Function, callback>)
  callback(Function const& f)
      : f_(&f), call_([](void const* object, Arguments... a) { (*static_cast<Function const*>(object))(a...); })
  {
  }
  void operator()(Arguments... a) const { call_(f_, a...); }

private:
  void const* f_;
  void (*call_)(void const*, Arguments...);
};

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

// Calls f(e, points) of each element of a mesh on the host's threads: Gauss points, with the values and gradients of a
// function where there is one, whose values at the element's nodes gather(e, values) writes.
template <int Directions, int Coordinates>
void visit_points(mesh<Directions, Coordinates> const& of, line_table const& mesh_to_points,
                  line_table const& nodes_to_points, int components, bool any, points_visitor<Coordinates> f,
                  values_reader gather)
{
  using point = field_point<Coordinates>;
  using position = vector<double, Coordinates>;
  int const g = mesh_to_points.points, numbers = components;
  own_vector<long double> at(static_cast<std::size_t>(g)), weights(at.size());
  make_gauss(g, at.data(), weights.data());
  auto const points = static_cast<std::size_t>(node_box(g, Directions).all());
  index_t const stride = node_box(of.nodes_1d(), Directions).all() * Coordinates;
  auto const nodes = static_cast<std::size_t>(node_box(nodes_to_points.nodes, Directions).all());
  host{}.partition(of.elements(), [&](index_t first, index_t last) {
    box_contraction geometry(mesh_to_points, Directions, Coordinates), field(nodes_to_points, Directions, numbers);
    own_vector<double> local(nodes * static_cast<std::size_t>(numbers));
    own_vector<double> x[1 + Directions], values[1 + Directions],
        gradients(points * static_cast<std::size_t>(numbers * Coordinates));
    own_vector<point> at_points(points);
    auto const evaluate = [&](box_contraction& contraction, double const* from, int of_node, auto& to) {
      for (int s = 0; s <= Directions; ++s) {
        double const* const result = contraction.at_points(from, s - 1);
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
        double weight = 1;
        for (std::size_t d = 0, rest = q; d < Directions; ++d, rest /= static_cast<std::size_t>(g))
          weight *= static_cast<double>(weights[rest % static_cast<std::size_t>(g)]);
        here.measure = weight * det;
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
