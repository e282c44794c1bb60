// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on one element by plain sums, from the mesh and the form alone: what tuned kernels are compared with.
#pragma once

#include <sumfac/basis/detail/tables.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/mesh/mapping.hpp>

#include <cmath>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// v = A u on one element, (C, n, n, n) each, or (C, n, n), (C, n), and for each entry of v the sum of the sizes of its
// terms.
template <class Operator>
class plain_element {
  using form_type = typename Operator::form_type;
  static constexpr int directions = Operator::directions, coordinates = Operator::coordinates;
  static constexpr node_box box{Operator::nodes_1d, directions};
  static constexpr int components = Operator::components, nodes = box.all(), size = components * nodes;
  static constexpr int kinds = 1 + directions;  // the value, and a derivative along each direction
  using values_at_point = point_values<double, components, directions>;

public:
  template <class Geometry>
  plain_element(form_type const& form, Geometry const& geometry, index_t element, std::vector<double> const& u)
      : v(size), terms(size)
  {
    static_cast<void>(geometry.template visit<double>(
        element, element + 1, [&](index_t, int z, int y, int x, mapping<double, directions, coordinates> const& here) {
          tabulate(z, y, x);
          auto const factors = form.setup(here);
          values_at_point at_point{};
          for (int c = 0; c < components; ++c)
            for (int a = 0; a < kinds; ++a) entry(at_point, c, a) = sum(u, c, a);
          auto tested = form.apply(factors, at_point);
          for (int c = 0; c < components; ++c)
            for (int a = 0; a < kinds; ++a)
              if (has(form_type::test, a == 0 ? value : gradient)) add(c, a, entry(tested, c, a));
        }));
  }

  // The largest difference of an entry, in units of the largest sum of terms.
  template <class T>
  double difference(T const* got) const
  {
    double most = 0, scale = 0;
    for (int i = 0; i < size; ++i) {
      double const off = __builtin_fabs(static_cast<double>(got[i]) - v[at(i)]);
      if (!(off <= most)) most = off == off ? off : HUGE_VAL;
      scale = terms[at(i)] > scale ? terms[at(i)] : scale;
    }
    return most == 0 ? 0 : most / scale;
  }

  std::vector<double> v, terms;

private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static double& entry(values_at_point& p, int c, int a) { return a == 0 ? value_of(p, c) : gradient_of(p, c, a - 1); }

  // All basis functions, and their derivatives along x, y and z, as far as there are these, at a point.
  void tabulate([[maybe_unused]] int z, [[maybe_unused]] int y, int x)
  {
    using nodes_type = typename Operator::nodes_type;
    using points_type = typename Operator::points_type;
    static constexpr auto values = interpolation<double, nodes_type, points_type>();
    static constexpr auto slopes = differentiation<double, nodes_type, points_type>();
    int const point[3] = {x, y, z};
    for (int node = 0; node < nodes; ++node) {
      int const place[3] = {node % box.x, node / box.x % box.y, node / box.x / box.y};
      for (int a = 0; a < kinds; ++a) {
        double product = 1;
        for (int d = 0; d < directions; ++d)
          product *= a == 1 + d ? slopes(point[d], place[d]) : values(point[d], place[d]);
        basis_[a][node] = product;
      }
    }
  }

  double sum(std::vector<double> const& u, int c, int a) const
  {
    double result = 0;
    for (int node = 0; node < nodes; ++node) result += basis_[a][node] * u[at(c * nodes + node)];
    return result;
  }

  void add(int c, int a, double f)
  {
    for (int node = 0; node < nodes; ++node) {
      v[at(c * nodes + node)] += basis_[a][node] * f;
      terms[at(c * nodes + node)] += __builtin_fabs(basis_[a][node] * f);
    }
  }

  double basis_[kinds][nodes];
};

}  // namespace sumfac::detail
