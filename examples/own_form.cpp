// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form of the user's own: diffusion with a coefficient that varies in space, plus a reaction.

#include <sumfac/sumfac.hpp>

#include <cstdio>
#include <vector>

// [form]
struct diffusion_reaction {
  static constexpr auto trial = sumfac::value | sumfac::gradient;
  static constexpr auto test = sumfac::value | sumfac::gradient;

  template <class T>
  struct factors {                      // what a point of the mesh stores: seven numbers
    sumfac::symmetric<T, 3> diffusion;
    T reaction;
  };

  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    T const kappa = 1.0 + 0.5 * x.position()[0];
    return {kappa * sumfac::pulled_back_metric(x), k * x.weight() * x.det()};
  }

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.reaction * u.value, .gradient = f.diffusion * u.gradient};
  }

  double k = 1;
};
// [form]

int main()
{
  std::vector<double> vertices;
  for (int vertex = 0; vertex < 8; ++vertex)
    for (int d = 0; d < 3; ++d) vertices.push_back(vertex >> d & 1);
  sumfac::view nodes(vertices.data(), 1, 2, 2, 2, 3);
  sumfac::host backend;

  // [operator]
  sumfac::element_operator<diffusion_reaction, 5, sumfac::gauss<7>> R{backend, nodes, {.k = 2}};
  // [operator]

  // u = x at the nodes: u' R u is the integral of (1 + x / 2) |grad x|^2 + 2 x^2 = 5/4 + 2/3 over the unit cube.
  constexpr int n = decltype(R)::nodes_1d;
  std::vector<double> u_data, v_data(n * n * n);
  for (int kj = 0; kj < n * n; ++kj)
    for (long double x : sumfac::gauss_lobatto<n>::nodes) u_data.push_back(static_cast<double>((1 + x) / 2));
  R.apply(sumfac::view(u_data.data(), 1, n, n, n), sumfac::view(v_data.data(), 1, n, n, n));
  double energy = 0;
  for (std::size_t p = 0; p < u_data.size(); ++p) energy += u_data[p] * v_data[p];
  std::printf("u' R u = %.12g (23/12 = %.12g)\n", energy, 23.0 / 12);
  return energy > 1.9166 && energy < 1.9167 ? 0 : 1;
}
