// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Newton's method for -div((1 + u^2) grad u) = f, with the tangent that the library makes of the form.
#include <sumfac/sumfac.hpp>

#include <cmath>
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

constexpr int order = 5, cells = 3;                  // cells per direction of the unit cube
constexpr int points = cells * order + 1, count = points * points * points;

}  // namespace

int main()
{
  sumfac::mesh const nodes = sumfac::box_mesh({cells, cells, cells});
  sumfac::function_space const V{nodes, order, nodes.boundary()};
  sumfac::host const backend;
  auto const R = V.restriction(backend);
  std::vector<double> u_data(count), r_data(count), w_data(count);
  sumfac::view u(u_data.data(), count), r(r_data.data(), count), w(w_data.data(), count);
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
    ops.fill(0, w);
    if (!sumfac::gmres(L, r, w, sumfac::jacobi{L}, {.tolerance = 1e-9})) return 1;
    ops.axpy(-1, w, u);                                                // u = u - F'(u)^-1 F(u)
  }
  // [newton]

  // Quadratic: each norm is at most a constant times the square of the one before, until rounding.
  double constant = 0;
  for (int k = 2; k < step; ++k) constant = std::fmax(constant, norms[0] * norms[k] / (norms[k - 1] * norms[k - 1]));
  auto const sine = [](double x) { return std::sin(std::acos(-1.0) * x); };
  double const error = V.l2_error(u, [&](auto const& x) { return sine(x[0]) * sine(x[1]) * sine(x[2]); });
  std::printf("|F(u_k)| |F(u_0)| <= %.2g |F(u_k-1)|^2; error in L2: %.2e\n", constant, error);
  return step < 8 && constant < 10 && error < 1e-4 ? 0 : 1;
}
