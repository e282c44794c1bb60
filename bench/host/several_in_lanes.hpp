// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The Laplacian of degree 4 at its nodes for eight right sides, which are the SIMD lanes: one element at a time, whose
// factors are the same number in all lanes. A loop by hand that shows what such a kernel would take.
#pragma once

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

class in_lanes {
  static constexpr int n = 5, points = n * n * n, count = 8;
  using lanes = sumfac::pack<double, count>;
  using rule = sumfac::gauss_lobatto<n>;

public:
  // mesh: hexahedra by their vertices.
  in_lanes(sumfac::mesh<3> const& mesh, sumfac::function_space<3> const& V)
      : size_(static_cast<std::size_t>(V.nodes()) * count)
  {
    auto const* const numbers = V.table().data();
    for (sumfac::index_t i = 0; i < mesh.elements() * points; ++i) table_.push_back(static_cast<int>(numbers[i]));
    for (sumfac::index_t e = 0; e < mesh.elements(); ++e)
      for (int q = 0; q < points; ++q) add_metric(mesh.data() + e * 24, q % n, q / n % n, q / n / n);
  }

  // y = A x: entry s of node i is at i * 8 + s.
  void apply(double const* x, double* y) const
  {
    static lanes u[points], g[3][points], v[points];
    std::fill(y, y + size_, 0.0);
    double const* f = metric_.data();
    for (int const* node = table_.data(); node != table_.data() + table_.size(); node += points) {
      for (int p = 0; p < points; ++p) u[p] = lanes::load(x + std::size_t(node[p]) * count);
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i) {
          line<false, false>(u + k * n * n + i * n, g[0] + k * n * n + i * n, 1);
          line<false, false>(u + k * n * n + i, g[1] + k * n * n + i, n);
        }
      for (int p = 0; p < n * n; ++p) line<false, false>(u + p, g[2] + p, n * n);
      for (int p = 0; p < points; ++p, f += 6) {
        lanes const a = g[0][p], b = g[1][p], c = g[2][p];
        g[0][p] = f[0] * a + f[1] * b + f[2] * c;
        g[1][p] = f[1] * a + f[3] * b + f[4] * c;
        g[2][p] = f[2] * a + f[4] * b + f[5] * c;
      }
      for (int p = 0; p < n * n; ++p) line<true, false>(g[0] + p * n, v + p * n, 1);
      for (int p = 0; p < n * n; ++p) line<true, true>(g[1] + p / n * n * n + p % n, v + p / n * n * n + p % n, n);
      for (int p = 0; p < n * n; ++p) line<true, true>(g[2] + p, v + p, n * n);
      for (int p = 0; p < points; ++p) {
        double* const to = y + std::size_t(node[p]) * count;
        (lanes::load(to) + v[p]).store(to);
      }
    }
  }

private:
  // The derivative at node i of the polynomial that is 1 at node j, and of its even and odd parts.
  static constexpr double slope(int i, int j)
  {
    long double all = 0;
    for (int k = 0; k < n; ++k) {
      if (k == j) continue;
      long double one = 1 / (rule::nodes[j] - rule::nodes[k]);
      for (int m = 0; m < n; ++m)
        if (m != j && m != k) one *= (rule::nodes[i] - rule::nodes[m]) / (rule::nodes[j] - rule::nodes[m]);
      all += one;
    }
    return static_cast<double>(all);
  }
  template <bool Transposed>
  static constexpr double entry(int i, int j)
  {
    return Transposed ? slope(j, i) : slope(i, j);
  }
  template <bool Transposed, int I, int J, int Sign>
  static constexpr double part = (entry<Transposed>(I, J) + Sign * entry<Transposed>(I, n - 1 - J)) / 2;

  template <bool Transposed, bool Adds>
  [[gnu::always_inline]] static void line(lanes const* from, lanes* to, int s)
  {
    constexpr auto T = Transposed;
    constexpr double middle_0 = entry<T>(0, 2), middle_1 = entry<T>(1, 2);
    lanes const e0 = from[0] + from[4 * s], o0 = from[0] - from[4 * s], e1 = from[s] + from[3 * s],
                o1 = from[s] - from[3 * s], m = from[2 * s];
    lanes const odd_0 = part<T, 0, 0, -1> * o0 + part<T, 0, 1, -1> * o1,
                odd_1 = part<T, 1, 0, -1> * o0 + part<T, 1, 1, -1> * o1,
                even_0 = part<T, 0, 0, 1> * e0 + part<T, 0, 1, 1> * e1 + middle_0 * m,
                even_1 = part<T, 1, 0, 1> * e0 + part<T, 1, 1, 1> * e1 + middle_1 * m;
    lanes const result[n] = {even_0 + odd_0, even_1 + odd_1, part<T, 2, 0, -1> * o0 + part<T, 2, 1, -1> * o1,
                             odd_1 - even_1, odd_0 - even_0};
    for (int i = 0; i < n; ++i) to[i * s] = Adds ? to[i * s] + result[i] : result[i];
  }

  // w adj(J) adj(J)^T / det J at a point, of eight vertices (2, 2, 2, 3).
  void add_metric(double const* vertices, int x, int y, int z)
  {
    double const at[3] = {double(rule::nodes[x]), double(rule::nodes[y]), double(rule::nodes[z])};
    double J[3][3] = {};
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d) {
        double share = (v >> d & 1) != 0 ? 0.5 : -0.5;
        for (int other = 0; other < 3; ++other)
          if (other != d) share *= (1 + ((v >> other & 1) != 0 ? at[other] : -at[other])) / 2;
        for (int c = 0; c < 3; ++c) J[c][d] += share * vertices[v * 3 + c];
      }
    double adjugate[3][3], det = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        int const i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        adjugate[j][i] = J[i1][j1] * J[i2][j2] - J[i1][j2] * J[i2][j1];
      }
    for (int i = 0; i < 3; ++i) det += J[0][i] * adjugate[i][0];
    double const scale = double(rule::weights[x] * rule::weights[y] * rule::weights[z]) / det;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        double sum = 0;
        for (int c = 0; c < 3; ++c) sum += adjugate[i][c] * adjugate[j][c];
        metric_.push_back(scale * sum);
      }
  }

  std::size_t size_;
  std::vector<int> table_;
  std::vector<double> metric_;
};
