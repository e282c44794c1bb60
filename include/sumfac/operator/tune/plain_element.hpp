// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on one element by plain sums, from the mesh and the form alone: what tuned kernels are compared with.
#pragma once

#include <sumfac/basis/detail/tables.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/geometry/mapping.hpp>
#include <sumfac/operator/kernel/point_form.hpp>

#include <cmath>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET::detail {

// v = A u on one element, (C, n, n, n) each, and for each entry of v the sum of the sizes of its terms.
template <class Operator>
class plain_element {
  using form_type = typename Operator::form_type;
  static constexpr int n = Operator::nodes_1d, components = Operator::components, nodes = n * n * n;
  static constexpr int size = components * nodes;

public:
  template <class Geometry>
  plain_element(form_type const& form, Geometry const& geometry, index_t element, std::vector<double> const& u)
      : v(size), terms(size)
  {
    static_cast<void>(geometry.template visit<double>(
        element, element + 1, [&](index_t, int z, int y, int x, mapping<double> const& here) {
          tabulate(z, y, x);
          auto const factors = form.setup(here);
          point_values<double, components> at_point{};
          for (int c = 0; c < components; ++c)
            for (int a = 0; a < 4; ++a) entry(at_point, c, a) = sum(u, c, a);
          auto tested = form.apply(factors, at_point);
          for (int c = 0; c < components; ++c)
            for (int a = 0; a < 4; ++a)
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

  static double& entry(point_values<double, components>& p, int c, int a)
  {
    return a == 0 ? value_of(p, c) : gradient_of(p, c, a - 1);
  }

  // All basis functions, and their derivatives along x, y and z, at a point.
  void tabulate(int z, int y, int x)
  {
    using nodes_type = typename Operator::nodes_type;
    using points_type = typename Operator::points_type;
    static constexpr auto values = interpolation<double, nodes_type, points_type>();
    static constexpr auto slopes = differentiation<double, nodes_type, points_type>();
    for (int k = 0, node = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i, ++node) {
          basis_[0][node] = values(z, k) * values(y, j) * values(x, i);
          basis_[1][node] = values(z, k) * values(y, j) * slopes(x, i);
          basis_[2][node] = values(z, k) * slopes(y, j) * values(x, i);
          basis_[3][node] = slopes(z, k) * values(y, j) * values(x, i);
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

  double basis_[4][nodes];
};

}  // namespace sumfac::detail
