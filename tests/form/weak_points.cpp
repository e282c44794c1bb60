// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Weak forms at a point, in long double, beside the mathematics written out entry by entry.
#include "../../bench/subjects/forms_by_hand.hpp"

#include <sumfac/form/library.hpp>
#include <sumfac/form/weak.hpp>

#include <sumfac/tools/describe.hpp>

#include <form/nonlinear_forms.hpp>
#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace {

using real = long double;

// A function at a point of the mesh: of so many components, u[c], and du[c][d] along the mesh's coordinates.
struct written {
  real u[3] = {}, du[3][3] = {};
};

// A point of an element of D directions, with u, v and what is given.
template <int D>
struct place {
  sumfac::matrix<real, D> jacobian{};
  sumfac::vector<real, D> x{};
  real weight = 0.375L;
  written u, v, w;

  place()
  {
    support::generator next(5);
    for (int r = 0; r < D; ++r)
      for (int c = 0; c < D; ++c) jacobian(r, c) = (r == c ? 0.75L : 0) + 0.2L * next();
    for (int d = 0; d < D; ++d) x[d] = 0.5L + 0.25L * next();
    for (written* f : {&u, &v, &w})
      for (int c = 0; c < 3; ++c) {
        f->u[c] = 0.75L * next();
        for (int d = 0; d < D; ++d) f->du[c][d] = 0.5L * next();
      }
  }
  sumfac::mapping<real, D> mapping() const { return {jacobian, weight, x}; }
  real measure() const { return weight * determinant(jacobian); }

  // As kernels have it: the gradient in the reference element.
  template <class T, int C>
  sumfac::point_values<T, C, D> in_reference(written const& f) const
  {
    sumfac::point_values<T, C, D> result{};
    for (int c = 0; c < C; ++c) {
      if constexpr (C == 1)
        result.value = T(sumfac::scalar_of<T>(f.u[c]));
      else
        result.value[c] = T(sumfac::scalar_of<T>(f.u[c]));
      for (int d = 0; d < D; ++d) {
        real sum = 0;
        for (int k = 0; k < D; ++k) sum += f.du[c][k] * jacobian(k, d);
        result.gradient.entries[c * D + d] = T(sumfac::scalar_of<T>(sum));
      }
    }
    return result;
  }
};

template <int C, int D>
real product(sumfac::point_values<real, C, D> const& r, sumfac::point_values<real, C, D> const& v)
{
  real sum = 0;
  if constexpr (C == 1)
    sum = r.value * v.value;
  else
    for (int c = 0; c < C; ++c) sum += r.value[c] * v.value[c];
  for (int i = 0; i < C * D; ++i) sum += r.gradient.entries[i] * v.gradient.entries[i];
  return sum;
}

constexpr real close_to = 256 * std::numeric_limits<real>::epsilon();
bool is_close(real got, real expected) { return std::abs(got - expected) <= close_to * (1 + std::abs(expected)); }

// A form upon u and tested by v, beside its integrand written out, a function of the place; and how many numbers it
// keeps.
template <int D, class Form, class Integrand, class... Inputs>
void check(char const* name, int factors, Form const& form, Integrand const& integrand, Inputs const&... inputs)
{
  INFO(name << ", in " << D << " dimensions");
  place<D> const at;
  auto const f = form.setup(at.mapping());
  auto const u = at.template in_reference<real, sumfac::components_of<Form>>(at.u);
  auto const v = at.template in_reference<real, sumfac::test_components_of<Form>>(at.v);
  real const got = product(form.apply(f, u, inputs...), v), expected = at.measure() * integrand(at);
  CAPTURE(got, expected);
  CHECK(is_close(got, expected));
  CHECK(int{sizeof f / sizeof(real)} == factors);
}

// Products of what is written out.
template <int D>
real dot_of(real const* a, real const* b)
{
  real sum = 0;
  for (int d = 0; d < D; ++d) sum += a[d] * b[d];
  return sum;
}
template <int D>
real trace_of(written const& f)
{
  real sum = 0;
  for (int d = 0; d < D; ++d) sum += f.du[d][d];
  return sum;
}
// The sum of f(r, c) over all entries.
template <int D, class Function>
real sum_of(Function const& f)
{
  real sum = 0;
  for (int r = 0; r < D; ++r)
    for (int c = 0; c < D; ++c) sum += f(r, c);
  return sum;
}

template <int D>
sumfac::matrix<real, D> inverse_of(sumfac::matrix<real, D> const& f)
{
  return inverse(f);
}

constexpr auto growing = [](auto const& x) { return 1 + x[0] * x[0]; };
template <int D>
constexpr auto wind = [](auto const& x) {
  auto b = x;
  for (int d = 0; d < D; ++d) b[d] = x[d] * x[0] + 1;
  return b;
};
template <int D>
real k_at(place<D> const& p)
{
  return 1 + p.x[0] * p.x[0];
}
template <int D>
real wind_at(place<D> const& p, int d)
{
  return p.x[d] * p.x[0] + 1;
}

template <int D>
void check_scalars()
{
  using namespace sumfac::weak;
  using at = place<D> const&;
  constexpr int metric = D * (D + 1) / 2;
  auto const k = coefficient(growing);
  auto const b = coefficient(wind<D>);
  auto const slopes = [](at p) { return dot_of<D>(p.u.du[0], p.v.du[0]); };
  auto const along = [](at p, written const& f) {
    real sum = 0;
    for (int d = 0; d < D; ++d) sum += wind_at(p, d) * f.du[0][d];
    return sum;
  };
  check<D>("u v", 1, mass(), [](at p) { return p.u.u[0] * p.v.u[0]; });
  check<D>("-u v / 2", 1, integrate(-(u * v) / 2), [](at p) { return -p.u.u[0] * p.v.u[0] / 2; });
  check<D>("grad u . grad v", metric, diffusion(), slopes);
  check<D>("k, c", metric + 1, integrate(k * dot(grad(u), grad(v)) + 3 * u * v),
           [&](at p) { return k_at(p) * slopes(p) + 3 * p.u.u[0] * p.v.u[0]; });
  check<D>("several", metric + 1,
           integrate(k * dot(grad(v), grad(u)) + k * u * v - u * v - dot(2 * grad(u), grad(v) / k)),
           [&](at p) { return (k_at(p) - 2 / k_at(p)) * slopes(p) + (k_at(p) - 1) * p.u.u[0] * p.v.u[0]; });
  check<D>("b . grad u v", D, convection(wind<D>), [&](at p) { return along(p, p.u) * p.v.u[0]; });
  check<D>("u b . grad v", D, integrate(k * u * dot(grad(v), b)),
           [&](at p) { return k_at(p) * p.u.u[0] * along(p, p.v); });
  check<D>("all", metric + 1 + D, integrate(dot(k * grad(u) - u * b, grad(v)) + u * v),
           [&](at p) { return k_at(p) * slopes(p) - p.u.u[0] * along(p, p.v) + p.u.u[0] * p.v.u[0]; });
  check<D>("loads", 1 + D, integrate(k * v + dot(b, grad(v)) - 2 * v),
           [&](at p) { return (k_at(p) - 2) * p.v.u[0] + along(p, p.v); });
  check<D>("load", 1, load(growing), [](at p) { return k_at(p) * p.v.u[0]; });
  check<D>("x", D, integrate(dot(x, grad(u)) * v * component<0>(x)),
           [](at p) { return dot_of<D>(p.x.entries, p.u.du[0]) * p.v.u[0] * p.x[0]; });
  check<D>("an entry", D, integrate(component<0>(grad(u)) * v / (1 + component<0>(x))),
           [](at p) { return p.u.du[0][0] * p.v.u[0] / (1 + p.x[0]); });
  check<D>("an entry of v", D, integrate(u * component<D - 1>(grad(v))),
           [](at p) { return p.u.u[0] * p.v.du[0][D - 1]; });

  // Matrices of coefficients.
  sumfac::matrix<double, D> a{};
  sumfac::symmetric<double, D> s{};
  for (int i = 0; i < D * D; ++i) a.entries[i] = 0.5 + i;
  for (int i = 0; i < metric; ++i) s.entries[i] = 0.25 * i;
  auto const through = [](auto const& m) {
    return [m](at p) { return sum_of<D>([&](int r, int c) { return real(m(r, c)) * p.u.du[0][c] * p.v.du[0][r]; }); };
  };
  check<D>("a grad u . grad v", D == 1 ? 1 : D * D, diffusion(a), through(a));
  check<D>("s grad u . grad v", metric, integrate(dot(coefficient(s) * grad(u), grad(v))), through(s));
  check<D>("s by grad v", metric, integrate(dot(grad(u), s * grad(v)) + dot(grad(u), grad(v))),
           [&](at p) { return through(s)(p) + slopes(p); });

  // Not linear in u.
  auto const square = [](at p) { return dot_of<D>(p.u.du[0], p.u.du[0]); };
  check<D>("(1 + u^2) grad u", metric + 1, integrate((1 + u * u) * dot(grad(u), grad(v)) - k * v),
           [&](at p) { return (1 + p.u.u[0] * p.u.u[0]) * slopes(p) - k_at(p) * p.v.u[0]; });
  check<D>("(k + u^2) grad u", metric + 1, integrate((k + u * u) * dot(grad(u), grad(v))),
           [&](at p) { return (k_at(p) + p.u.u[0] * p.u.u[0]) * slopes(p); });
  check<D>("two slopes", metric + 2, integrate((1 + u * u) * dot(grad(u), grad(v)) + k * dot(grad(u), grad(v))),
           [&](at p) { return (1 + p.u.u[0] * p.u.u[0] + k_at(p)) * slopes(p); });
  check<D>("p-Laplace", metric + 1, integrate(pow(dot(grad(u), grad(u)) + 0.125, 0.75) * dot(grad(u), grad(v))),
           [&](at p) { return std::pow(square(p) + 0.125L, 0.75L) * slopes(p); });
  check<D>("reactions", 2, integrate((u * u * u - k * u + 2 * u) * v), [&](at p) {
    real const w = p.u.u[0];
    return (w * w * w - k_at(p) * w + 2 * w) * p.v.u[0];
  });
  check<D>("u b . grad u v", D + 1, integrate(u * dot(b, grad(u)) * v),
           [&](at p) { return p.u.u[0] * along(p, p.u) * p.v.u[0]; });
}

// Of three components, or two.
template <int D>
void check_vectors()
{
  using namespace sumfac::weak;
  using at = place<D> const&;
  constexpr int metric = D * (D + 1) / 2, inverse = D * D;
  trial_function<D> const u;
  test_function<D> const v;
  auto const k = coefficient(growing);
  auto const b = coefficient(wind<D>);
  sumfac::vector<double, D> c{};
  sumfac::matrix<double, D> m{};
  for (int i = 0; i < D; ++i) c[i] = 1.5 - i;
  for (int i = 0; i < D * D; ++i) m.entries[i] = 0.25 * i - 0.5;
  auto const eps = [](written const& f, int r, int s) { return (f.du[r][s] + f.du[s][r]) / 2; };
  auto const strains = [&](at p) { return sum_of<D>([&](int r, int s) { return eps(p.u, r, s) * eps(p.v, r, s); }); };
  auto const divergences = [](at p) { return trace_of<D>(p.u) * trace_of<D>(p.v); };
  auto const by_matrix = [&](auto const& f) {  // the sum of f(r, s) times the gradient of v
    return [f](at p) { return sum_of<D>([&](int r, int s) { return f(p, r, s) * p.v.du[r][s]; }); };
  };

  check<D>("u . v", 1, mass<D>(growing), [](at p) { return k_at(p) * dot_of<D>(p.u.u, p.v.u); });
  check<D>("grad u : grad v", metric, diffusion<D>(), by_matrix([](at p, int r, int s) { return p.u.du[r][s]; }));
  check<D>("elasticity", inverse + 1, integrate(2 * div(u) * div(v) + 3 * inner(sym(grad(u)), sym(grad(v)))),
           [&](at p) { return 2 * divergences(p) + 3 * strains(p); });
  auto const e = sym(grad(u));
  check<D>("by the stress", inverse + 1, integrate(inner(2 * trace(e) * identity + 3 * e, sym(grad(v)))),
           [&](at p) { return 2 * divergences(p) + 3 * strains(p); });
  check<D>("stress of two moduli", inverse + 2, elasticity<D>(growing, 1.5),
           [&](at p) { return k_at(p) * divergences(p) + 3 * strains(p); });
  check<D>("stress of one modulus", inverse + 1,
           integrate(k * (2 * div(u) * div(v) + 3 * inner(sym(grad(u)), sym(grad(v))))),
           [&](at p) { return k_at(p) * (2 * divergences(p) + 3 * strains(p)); });
  check<D>("skew", inverse + 1, integrate(inner(skew(grad(u)), grad(v)) + inner(grad(u), skew(grad(v)))),
           by_matrix([](at p, int r, int s) { return p.u.du[r][s] - p.u.du[s][r]; }));
  check<D>("transpose", inverse + 1, integrate(inner(transpose(grad(u)), grad(v)) + inner(grad(u), transpose(grad(v)))),
           by_matrix([](at p, int r, int s) { return 2 * p.u.du[s][r]; }));
  check<D>("(grad u) b . v", D, integrate(dot(grad(u) * b, v)),
           [](at p) { return sum_of<D>([&](int r, int s) { return p.u.du[r][s] * wind_at(p, s) * p.v.u[r]; }); });
  check<D>("(grad u) u . v", inverse + 1, integrate(dot(grad(u) * u, v)),
           [](at p) { return sum_of<D>([&](int r, int s) { return p.u.du[r][s] * p.u.u[s] * p.v.u[r]; }); });
  check<D>("u . (grad v) b", inverse + 1 + D, integrate(dot(grad(v) * b, u)),
           by_matrix([](at p, int r, int s) { return p.u.u[r] * wind_at(p, s); }));
  check<D>(
      "outer", inverse + 1, integrate(inner(outer(u, c), grad(v)) - dot(m * v, u) + inner(outer(v, u), m)), [&](at p) {
        return sum_of<D>([&](int r, int s) {
          return p.u.u[r] * real(c[s]) * p.v.du[r][s] + (p.v.u[r] * p.u.u[s] - p.u.u[r] * p.v.u[s]) * real(m(r, s));
        });
      });
  check<D>("products", inverse + 1, integrate(inner(m * grad(u), grad(v)) + inner(grad(u), m * grad(v) + grad(v) * m)),
           by_matrix([&](at p, int r, int s) {
             real sum = 0;
             for (int t = 0; t < D; ++t) sum += real(m(r, t) + m(t, r)) * p.u.du[t][s] + p.u.du[r][t] * real(m(s, t));
             return sum;
           }));
  check<D>("entries", 2,
           integrate(component<0>(u) * component<1>(v) + component<0>(x) * component<1>(u) * component<0>(v)),
           [](at p) { return p.u.u[0] * p.v.u[1] + p.x[0] * p.u.u[1] * p.v.u[0]; });
  check<D>("load", D, load<D>(wind<D>), [&](at p) {
    real sum = 0;
    for (int d = 0; d < D; ++d) sum += wind_at(p, d) * p.v.u[d];
    return sum;
  });
  // Stokes' equations with a pressure that acts where the first coordinate is small: four blocks of one integrand.
  trial_function<1, 1> const pressure;
  test_function<1, 1> const tested;
  auto const all = inner(2 * sym(grad(u)) - pressure * identity, grad(v)) + tested * (0.5 * pressure - div(u)) -
                   where(component<0>(x) < 0.5, pressure * tested, div(u) * tested);
  check<D>("block u, v", inverse + 1, block(all, u, v), [&](at p) { return 2 * strains(p); });
  check<D>("block p, v", D * D, block(all, pressure, v), [](at p) { return -p.u.u[0] * trace_of<D>(p.v); });
  check<D>("block u, q", D * D, block(all, u, tested),
           [](at p) { return (p.x[0] < 0.5L ? -1 : -2) * trace_of<D>(p.u) * p.v.u[0]; });
  check<D>("block p, q", 1, block(all, pressure, tested),
           [](at p) { return (p.x[0] < 0.5L ? -0.5L : 0.5L) * p.u.u[0] * p.v.u[0]; });
  check<D>("loads", D + D * D, integrate(dot(b, v) + dot(grad(v) * c, c) * 0 + inner(0 * m, grad(v))), [](at p) {
    real sum = 0;
    for (int d = 0; d < D; ++d) sum += wind_at(p, d) * p.v.u[d];
    return sum;
  });

  // F = I + grad u.
  auto const F = identity + grad(u);
  auto const deformation = [](at p) {
    sumfac::matrix<real, D> f{};
    for (int i = 0; i < D * D; ++i) f.entries[i] = p.u.du[i / D][i % D] + (i % (D + 1) == 0 ? 1 : 0);
    return f;
  };
  check<D>("det F div v", inverse + 1, integrate(det(F) * div(v)),
           [&](at p) { return determinant(deformation(p)) * trace_of<D>(p.v); });
  check<D>("inv(F) : grad v", inverse + 1, integrate(inner(inv(F), grad(v))),
           by_matrix([&](at p, int r, int s) { return inverse_of(deformation(p))(r, s); }));
  check<D>("St. Venant-Kirchhoff", inverse + 1, integrate(inner(F * (0.5 * (transpose(F) * F - identity)), grad(v))),
           by_matrix([&](at p, int r, int s) {
             auto const f = deformation(p);
             real sum = 0;
             for (int t = 0; t < D; ++t) {
               real strain = t == s ? -1 : 0;
               for (int i = 0; i < D; ++i) strain += f(i, t) * f(i, s);
               sum += f(r, t) * strain / 2;
             }
             return sum;
           }));
  if constexpr (D == 3) {
    auto const curl_of = [](written const& f, int i) {
      return f.du[(i + 2) % 3][(i + 1) % 3] - f.du[(i + 1) % 3][(i + 2) % 3];
    };
    check<D>("curl u . curl v", inverse + 1, integrate(dot(curl(u), curl(v))), [&](at p) {
      real sum = 0;
      for (int i = 0; i < 3; ++i) sum += curl_of(p.u, i) * curl_of(p.v, i);
      return sum;
    });
    check<D>("cross", 4, integrate(dot(cross(c, u), v) + dot(cross(v, b), u)), [&](at p) {
      real sum = 0;
      for (int i = 0; i < 3; ++i) {
        int const j = (i + 1) % 3, l = (i + 2) % 3;
        sum += (real(c[j]) * p.u.u[l] - real(c[l]) * p.u.u[j]) * p.v.u[i];
        sum += (p.v.u[j] * wind_at(p, l) - p.v.u[l] * wind_at(p, j)) * p.u.u[i];
      }
      return sum;
    });
  } else {
    check<D>("curl u curl v", inverse + 1, integrate(curl(u) * curl(v)),
             [](at p) { return (p.u.du[1][0] - p.u.du[0][1]) * (p.v.du[1][0] - p.v.du[0][1]); });
  }
}

// Functions of numbers, and others than u.
void check_functions()
{
  using namespace sumfac::weak;
  constexpr int D = 2;
  using at = place<D> const&;
  auto const of_u = [](char const* name, auto const& e, auto const& f) {
    check<D>(name, 1, integrate(e * v), [&](at p) { return f(p.u.u[0]) * p.v.u[0]; });
  };
  of_u("sqrt", sqrt(u + 2), [](real t) { return std::sqrt(t + 2); });
  of_u("exp", exp(u), [](real t) { return std::exp(t); });
  of_u("log", log(2 - u), [](real t) { return std::log(2 - t); });
  of_u("sin", sin(u) / 2, [](real t) { return std::sin(t) / 2; });
  of_u("cos", cos(2 * u), [](real t) { return std::cos(2 * t); });
  of_u("tanh", tanh(u) / u, [](real t) { return std::tanh(t) / t; });
  of_u("abs", abs(u) + abs(-u), [](real t) { return 2 * std::abs(t); });
  of_u("pow", pow(2 + u, 1.5) + pow(2, u), [](real t) { return std::pow(2 + t, 1.5L) + std::pow(2.0L, t); });
  of_u("min, max", min(u, 0.25) + 3 * max(u, 0.25) - min(-u, u),
       [](real t) { return std::min(t, 0.25L) + 3 * std::max(t, 0.25L) + std::abs(t); });
  of_u("where", where(u < 0.1, u, 2 * u) + where(u >= 0, 3, exp(u)) + where(u <= 0, 1, 0) + where(u > 1, 1.0, u),
       [](real t) { return (t < 0.1L ? t : 2 * t) + (t >= 0 ? 3 : std::exp(t)) + (t <= 0 ? 1 : 0) + (t > 1 ? 1 : t); });
  check<D>("where, of v", 1, integrate(where(u < 0, v, u * v)),
           [](at p) { return (p.u.u[0] < 0 ? 1 : p.u.u[0]) * p.v.u[0]; });
  check<D>("of the position", 1, integrate(where(component<0>(x) < 0.5, exp(component<1>(x)), 2) * u * v),
           [](at p) { return (p.x[0] < 0.5L ? std::exp(p.x[1]) : 2) * p.u.u[0] * p.v.u[0]; });
  check<D>("conditions", 2,
           integrate(where(component<0>(x) < 0.9 && !(u > 1 || u < -9), u, 3) * v + where(u > 1 || u < 9, u, 0) * v),
           [](at p) { return ((p.x[0] < 0.9L && p.u.u[0] <= 1 ? p.u.u[0] : 3) + p.u.u[0]) * p.v.u[0]; });
  check<D>("of coordinates", 1, integrate(coefficient([](auto a, auto b) { return a - 2 * b; }) * u * v),
           [](at p) { return (p.x[0] - 2 * p.x[1]) * p.u.u[0] * p.v.u[0]; });

  place<D> const point;
  given_function<0> const w;
  auto const given = point.in_reference<real, 1>(point.w);
  check<D>(
      "of a given function", 2, integrate((1 + w * w) * u * v + coefficient(growing) * w * v),
      [](at p) { return ((1 + p.w.u[0] * p.w.u[0]) * p.u.u[0] + k_at(p) * p.w.u[0]) * p.v.u[0]; }, given);
  check<D>(
      "of its gradient", 4, integrate(dot(grad(w), grad(u)) * v + u * dot(grad(w), grad(v))),
      [](at p) { return dot_of<D>(p.w.du[0], p.u.du[0]) * p.v.u[0] + p.u.u[0] * dot_of<D>(p.w.du[0], p.v.du[0]); },
      given);

  parameter<> const dt{0.5};
  auto step = integrate(u * v / dt + dot(grad(u), grad(v)));
  check<D>("a parameter", 4, step, [](at p) { return p.u.u[0] * p.v.u[0] * 2 + dot_of<D>(p.u.du[0], p.v.du[0]); });
  step.set(dt, 0.25);
  check<D>("another", 4, step, [](at p) { return p.u.u[0] * p.v.u[0] * 4 + dot_of<D>(p.u.du[0], p.v.du[0]); });
  CHECK_THROWS_WITH(step.set(parameter<3>{}, 1), Catch::Contains("set(parameter<3>): the form has no such parameter"));
}

}  // namespace

TEST_CASE("terms of several components are what they say", "[weak]")
{
  check_vectors<2>();
  check_vectors<3>();
}

TEST_CASE("functions of numbers, of given functions and of parameters are what they say", "[weak]")
{
  check_functions();
}

TEST_CASE("terms of one component are what they say, by as many numbers as by hand", "[weak]")
{
  check_scalars<1>();
  check_scalars<2>();
  check_scalars<3>();
}

TEST_CASE("conditions, choices and absolute values are in each lane what they are of its numbers", "[weak]")
{
  using namespace sumfac::weak;
  using pack = sumfac::pack<double, 4>;
  // A form where x = l / 4, of a u that is l - 1.5 times the place's.
  auto const applied = []<class T>(auto const& form, T const& l) {
    place<2> const here;
    sumfac::matrix<T, 2> jacobian{};
    for (int i = 0; i < 4; ++i) jacobian.entries[i] = T(double(here.jacobian.entries[i]));
    auto u = here.in_reference<T, 1>(here.u);
    u.value = u.value * (l - 1.5);
    return form.apply(form.setup(sumfac::mapping<T, 2>{jacobian, T(0.375), {l / 4.0, T(0.25)}}), u);
  };
  auto const check_lanes = [&](auto const& form) {
    pack number;
    for (int lane = 0; lane < 4; ++lane) number.set(lane, lane);
    auto const got = applied(form, number);
    for (int lane = 0; lane < 4; ++lane) {
      auto const expected = applied(form, double(lane));
      CAPTURE(lane);
      CHECK(got.value[lane] == Approx(expected.value).margin(1e-14));
      for (int d = 0; d < 2; ++d) CHECK(got.gradient[d][lane] == Approx(expected.gradient[d]).margin(1e-14));
    }
  };
  auto const left = component<0>(x) < 0.4;
  auto const slopes = dot(grad(u), grad(v));
  check_lanes(integrate(where(left, u, 3 * u * u) * v + slopes));
  check_lanes(integrate(where(left, 1, 10) * slopes + where(u < 0, 2, 3) * v));
  check_lanes(integrate((abs(u) + min(u, 0) * max(abs(component<0>(x) - 0.4), 0.125)) * v + slopes));
  check_lanes(integrate(where((left && u > -0.5) || !(u <= 0.25), u, -2) * v + slopes));
  check_lanes(sumfac::residual(energy(where(left, abs(u), 2) * u * u + dot(grad(u), grad(u)))));
}

TEST_CASE("what a weak form became is said", "[weak]")
{
  using namespace sumfac::weak;
  auto const k = coefficient(growing);
  CHECK(describe(integrate(k * dot(grad(u), grad(v)) - 0.75 * u * v)) ==
        "form, linear in u, 3 directions: 7 numbers of a point\n"
        "  k(x) * grad(u) : grad(v)   kept with the weight and the metric; times grad(u)\n"
        "  -0.75 * u : v   kept with the weight; times u\n"
        "  reads value and gradient of u; 16 operations at a point\n");
  CHECK(describe<2>(integrate((1 + u * u) * dot(grad(u), grad(v)) + given_function<0>{} * v + dot(x, grad(u)) * v)) ==
        "form, not linear in u, 2 directions: 6 numbers of a point\n"
        "  (1 + u * u) * grad(u) : grad(v)   its metric kept with the weight; the rest computed\n"
        "  given_0 : v   computed, times a weight\n"
        "  dot(x, grad(u)) : v   kept with the weight, pulled back; times grad(u)\n"
        "  reads value and gradient of u and of 1 given function; 15 operations at a point\n");
  CHECK(describe(energy(exp(div(trial_function<3>{})))) ==
        "energy, 3 directions: 10 numbers of a point\n"
        "  exp(trace(grad(u)))   computed, times a weight\n"
        "  reads gradient of u\n");
}

TEST_CASE("tangents, and residuals of energies, are those by hand", "[weak]")
{
  using namespace sumfac::weak;
  auto const same = []<class Weak, class ByHand, int C, class... Inputs>(Weak const& weak, ByHand const& by_hand,
                                                                         sumfac::point_values<real, C> const& values,
                                                                         Inputs const&... inputs) {
    place<3> const at;
    auto const got = weak.apply(weak.setup(at.mapping()), values, inputs...);
    auto const expected = by_hand.apply(by_hand.setup(at.mapping()), values, inputs...);
    for (int i = 0; i < 3 * C; ++i) CHECK(is_close(got.gradient.entries[i], expected.gradient.entries[i]));
  };
  place<3> const at;
  auto const flux = integrate((1 + u * u) * dot(grad(u), grad(v)));
  same(sumfac::tangent<std::remove_const_t<decltype(flux)>>{flux}, nonlinear::heat_flux_by_hand{},
       at.in_reference<real, 1>(at.w), at.in_reference<real, 1>(at.u));

  trial_function<3> const moved;
  auto const F = identity + grad(moved);
  auto const J = log(det(F));
  auto const W = energy(0.5 * (inner(F, F) - 3) - J + 1.5 * J * J);
  using residual = sumfac::residual<std::remove_const_t<decltype(W)>>;
  auto const given = at.in_reference<real, 3>(at.u), along = at.in_reference<real, 3>(at.w);
  same(residual{W}, nonlinear::neo_hookean_stress<real>{}, given);
  same(sumfac::tangent<residual>{W}, nonlinear::neo_hookean_by_hand<real>{}, along, given);
  CHECK(sizeof(W.setup(at.mapping())) == 10 * sizeof(real));

  auto const by_parts = integrate(inner(F - transpose(inv(F)) + 3 * J * transpose(inv(F)), grad(test_function<3>{})));
  same(by_parts, nonlinear::neo_hookean_stress<real>{}, given);
  CHECK_FALSE(sumfac::is_linear<decltype(by_parts)>);
  CHECK(sumfac::is_linear<decltype(integrate(inner(grad(moved), grad(test_function<3>{}))))>);
}

TEST_CASE("residuals of energies of values and of slopes in the mesh are what they say", "[weak]")
{
  using namespace sumfac::weak;
  trial_function<2> const w;
  auto const F = identity + grad(w);
  auto const c = coefficient(growing);
  check<2>("of two components", 6, sumfac::residual(energy(0.5 * dot(w, w) * det(F) + c * inner(F, F) * det(F))),
           [](auto const& here) {
             real f[2][2], of_v[2][2], norm = 0;
             for (int r = 0; r < 2; ++r)
               for (int d = 0; d < 2; ++d) {
                 f[r][d] = (r == d ? 1 : 0) + here.u.du[r][d];
                 of_v[r][d] = here.v.du[r][d];
                 norm += f[r][d] * f[r][d];
               }
             real const J = f[0][0] * f[1][1] - f[0][1] * f[1][0], k = 1 + here.x[0] * here.x[0];
             real const of_J =
                 of_v[0][0] * f[1][1] + f[0][0] * of_v[1][1] - of_v[0][1] * f[1][0] - f[0][1] * of_v[1][0];
             real const of_norm = 2 * sum_of<2>([&](int r, int d) { return f[r][d] * of_v[r][d]; });
             real const uu = dot_of<2>(here.u.u, here.u.u), uv = dot_of<2>(here.u.u, here.v.u);
             return uv * J + (uu / 2 + k * norm) * of_J + k * of_norm * J;
           });
  check<3>("of one", 10, sumfac::residual(energy(u * dot(outer(grad(u), grad(u)) * grad(u), grad(u)))),
           [](auto const& here) {
             real const gg = dot_of<3>(here.u.du[0], here.u.du[0]), gv = dot_of<3>(here.u.du[0], here.v.du[0]);
             return gg * gg * here.v.u[0] + 4 * here.u.u[0] * gg * gv;
           });
}

TEST_CASE("forms of which compile times are measured are those by hand, as are their numbers of a point", "[weak]")
{
  using namespace sumfac::weak;
  place<3> const at;
  auto const same = [&]<class Weak, class ByHand>(Weak const& weak, ByHand const& by_hand) {
    constexpr int components = sumfac::components_of<ByHand>;
    auto const of_weak = weak.setup(at.mapping());
    auto const of_hand = by_hand.setup(at.mapping());
    CHECK(sizeof of_weak == sizeof of_hand);
    auto const u_there = at.in_reference<real, components>(at.u), v_there = at.in_reference<real, components>(at.v);
    CHECK(is_close(product(weak.apply(of_weak, u_there), v_there), product(by_hand.apply(of_hand, u_there), v_there)));
  };
  trial_function<3> const w;
  test_function<3> const z;
  auto const F = identity + grad(w);
  auto const k = coefficient([](auto const& here) { return 1 + here[0] * here[1]; });
  same(integrate(u * v), by_hand::mass{});
  same(integrate(k * dot(grad(u), grad(v)) + 2 * u * v), by_hand::diffusion_reaction{});
  same(integrate(inner(3 * div(w) * identity + 4 * sym(grad(w)), grad(z))), by_hand::elasticity{});
  same(integrate(dot(sumfac::vector<double, 3>{1, 0.5, -2}, grad(u)) * v), by_hand::convection{});
  same(sumfac::residual(energy((inner(F, F) - 3) - 2 * log(det(F)) + 1.5 * log(det(F)) * log(det(F)))),
       by_hand::neo_hooke{});
  same(integrate((1 + dot(grad(u), grad(u))) * dot(grad(u), grad(v))), by_hand::p_laplace{});
}
