// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Newton's method for -div((1 + u^2) grad u) = f, with the tangent that the library makes of the form.
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

// [form]
// ((1 + u^2) grad u, grad v) - (f, v) with the f of which u = sin(pi x) sin(pi y) sin(pi z) is the solution
struct heat_flux {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;
  static constexpr bool linear = false;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
    T source;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const;

  // U is T in the residual, and a dual of T in the tangent.
  template <class T, class U>
  SUMFAC_FUNCTION sumfac::point_values<U> apply(factors<T> const& f, sumfac::point_values<U> const& u) const
  {
    using number = sumfac::scalar_of<T>;
    return {.value = U(-f.source), .gradient = (number(1) + u.value * u.value) * (f.metric * u.gradient)};
  }
};
// [form]

// f = 3 pi^2 u (1 + u^2) - 2 u |grad u|^2
template <class T>
SUMFAC_FUNCTION heat_flux::factors<T> heat_flux::setup(sumfac::mapping<T> const& x) const
{
  using number = sumfac::scalar_of<T>;
  number const pi = number(3.14159265358979323846);
  sumfac::vector<T, 3> s, c;
  for (int d = 0; d < 3; ++d) {
    using std::sin, std::cos;
    s[d] = sin(pi * x.position()[d]);
    c[d] = cos(pi * x.position()[d]);
  }
  T const u = s[0] * s[1] * s[2], a = c[0] * s[1] * s[2], b = s[0] * c[1] * s[2], e = s[0] * s[1] * c[2];
  T const source = number(3) * u * (number(1) + u * u) - number(2) * u * (a * a + b * b + e * e);
  return {x.metric(), pi * pi * source * x.measure()};
}

namespace {

constexpr int order = 5, n = order + 1, cells = 3;   // cells per direction of the unit cube
constexpr int points = cells * order + 1, count = points * points * points, elements = cells * cells * cells;

struct mesh {
  std::vector<double> vertices;         // (E, 2, 2, 2, 3)
  std::vector<std::int32_t> numbers;    // (E, n, n, n)
  std::vector<unsigned char> boundary;  // (nodes)
};

mesh unit_cube()
{
  mesh m;
  for (int e = 0; e < elements; ++e) {
    int const x = e % cells, y = e / cells % cells, z = e / (cells * cells);
    for (int vertex = 0; vertex < 8; ++vertex) {
      m.vertices.push_back((x + vertex % 2) / double(cells));
      m.vertices.push_back((y + vertex / 2 % 2) / double(cells));
      m.vertices.push_back((z + vertex / 4) / double(cells));
    }
    for (int k = z * order; k <= (z + 1) * order; ++k)
      for (int j = y * order; j <= (y + 1) * order; ++j)
        for (int i = x * order; i <= (x + 1) * order; ++i) m.numbers.push_back((k * points + j) * points + i);
  }
  auto const outside = [](int i) { return i == 0 || i == points - 1; };
  for (int i = 0; i < count; ++i)
    m.boundary.push_back(outside(i % points) || outside(i / points % points) || outside(i / (points * points)));
  return m;
}

// The largest error at a node.
double error(sumfac::view<double, sumfac::dextents<1>> const& u)
{
  auto const s = [](int i) {
    long double const node = sumfac::gauss_lobatto<n>::nodes[static_cast<std::size_t>(i % order)];
    return std::sin(std::acos(-1.0) * (i / order + double(1 + node) / 2) / cells);
  };
  double largest = 0;
  for (int i = 0; i < count; ++i) {
    double const exact = s(i % points) * s(i / points % points) * s(i / (points * points));
    largest = std::fmax(largest, std::abs(u(i) - exact));
  }
  return largest;
}

}  // namespace

int main()
{
  mesh const m = unit_cube();
  sumfac::host const backend;
  sumfac::view nodes(m.vertices.data(), elements, 2, 2, 2, 3);
  sumfac::restriction const R{backend, sumfac::view(m.numbers.data(), elements, n, n, n), count,
                              sumfac::view(m.boundary.data(), count)};
  std::vector<double> u_data(count), r_data(count), w_data(count), d_data(count);
  sumfac::view u(u_data.data(), count), r(r_data.data(), count), w(w_data.data(), count), d(d_data.data(), count);
  sumfac::vector_ops const ops{backend, count};

  // [operators]
  sumfac::element_operator<heat_flux, order> const F{backend, nodes};
  sumfac::element_operator<sumfac::tangent<heat_flux>, order> J{backend, nodes, F.form()};
  // [operators]

  // [newton]
  double norms[12];
  int step = 0;
  for (;; ++step) {
    F.apply(R, u, r);                                                  // r = F(u)
    norms[step] = ops.norm(r);
    std::printf("%2d  |F(u)| = %.3e\n", step, norms[step]);
    if (norms[step] < 1e-12 * norms[0] || step == 11) break;
    J.linearize(R, u);                                                 // keeps u and grad u at the points
    sumfac::global_operator const L{J, R};
    L.diagonal(d);
    ops.fill(0, w);
    if (!sumfac::gmres(L, r, w, sumfac::jacobi{backend, d}, {.tolerance = 1e-9})) return 1;
    ops.axpy(-1, w, u);                                                // u = u - F'(u)^-1 F(u)
  }
  // [newton]

  // Quadratic: each norm is at most a constant times the square of the one before, until rounding.
  double constant = 0;
  for (int k = 2; k < step; ++k) constant = std::fmax(constant, norms[0] * norms[k] / (norms[k - 1] * norms[k - 1]));
  std::printf("|F(u_k)| |F(u_0)| <= %.2g |F(u_k-1)|^2; largest error at a node: %.2e\n", constant, error(u));
  return step < 8 && constant < 10 && error(u) < 1e-4 ? 0 : 1;
}
