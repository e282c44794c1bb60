// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Diffusion in a wind by GMRES and multigrid: iterations to 1e-8 by the elements' Peclet number.
#pragma once

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace convection {

// diffusion (grad u, grad v) + (w . grad u, v) + along (w . grad u, w . grad v); the wind w of length 1 at most blows
// through the unit cube or, `turns`, goes round in it.
struct form_of_wind {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value | sumfac::gradient;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
    sumfac::vector<T, 3> along;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    T const a = x.position()[0] - 0.5, b = x.position()[1] - 0.5;
    sumfac::vector<T, 3> w{};
    w[0] = turns ? 2.0 * b * (1.0 - 4.0 * a * a) : 0.0 * a + 0.9;
    w[1] = turns ? -2.0 * a * (1.0 - 4.0 * b * b) : 0.8 * a;
    sumfac::vector<T, 3> const by = x.inverse() * w;
    factors<T> f{diffusion * x.metric(), x.measure() * by};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) f.metric(i, j) = f.metric(i, j) + streamline * (f.along[i] * by[j]);
    return f;
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = dot(f.along, u.gradient), .gradient = f.metric * u.gradient};
  }

  double diffusion = 1, streamline = 0;
  bool turns = false;
};

inline sumfac::mesh<3> box(int elements, bool bent)
{
  return sumfac::box_mesh(
      {elements, elements, elements},
      [=](sumfac::vector<double, 3> x) {
        double const pi = std::acos(-1.0), by = bent ? 0.06 * std::sin(2 * pi * x[0]) * std::sin(2 * pi * x[1]) : 0;
        x[0] += by, x[1] -= by, x[2] += by;
        return x;
      },
      2);
}

// A row for each number: |w| h / (2 diffusion), h an element's side.
template <int N, int... Lower>
void print_rows(int elements, bool bent, bool turns, std::vector<double> const& numbers)
{
  auto const mesh = box(elements, bent);
  sumfac::host const backend;
  sumfac::function_space const V{mesh, N, mesh.boundary()};
  auto const R = V.restriction(backend);
  auto const b = V.load([](auto const& x) { return 1 + x[0]; });
  double const h = 1. / elements;
  for (double const number : numbers) {
    using matrix = sumfac::element_operator<form_of_wind, N>;
    form_of_wind form{.diffusion = h / (2 * number), .turns = turns};
    matrix const A{backend, mesh, form};
    form.streamline = 0.15 * h;
    matrix const B{backend, mesh, form};
    form.streamline = 0.05 * h;
    matrix const C{backend, mesh, form};
    std::printf("| %d, %d^3%s | %s | %g |", N, elements, bent ? " bent" : "", turns ? "round" : "through", number);
    auto const solve = [&](matrix const& a, auto&& levels, int steps) {
      sumfac::multigrid const P{std::move(levels), {.smoother = sumfac::gmres_smoother{steps}}, sumfac::coarse_gmres{}};
      std::vector<double> x(b.size());
      sumfac::gmres_workspace space{backend, V.size(), 60};
      auto const result =
          sumfac::gmres(sumfac::global_operator{a, R}, b, x, P, {.iterations = 200}, sumfac::no_monitor{}, space);
      std::printf(" %d%s |", static_cast<int>(result.iterations), result ? "" : "!");
      std::fflush(stdout);
    };
    for (int const steps : {3, 10}) {
      solve(A, sumfac::p_levels<N, Lower...>(A, mesh, R), steps);
      solve(A, sumfac::p_levels<N, Lower...>(A, B, mesh, R), steps);
    }
    solve(C, sumfac::p_levels<N, Lower...>(C, B, mesh, R), 10);
    std::vector<double> d(b.size()), x(b.size());
    sumfac::global_operator const L{A, R};
    L.diagonal(d);
    auto const by_jacobi = sumfac::gmres(L, b, x, sumfac::jacobi{backend, d}, {.iterations = 1000});
    std::printf(" %d%s |\n", static_cast<int>(by_jacobi.iterations), by_jacobi ? "" : "+");
  }
}

inline void print_table()
{
  std::printf(
      "| N, elements | wind | Peclet | 3 steps | 3, diffused | 10 steps | 10, diffused | problem diffused, 10 | "
      "`jacobi` |\n|---|---|---|---|---|---|---|---|---|\n");
  for (bool const bent : {false, true})
    for (bool const turns : {false, true}) print_rows<4, 2, 1>(8, bent, turns, {0.1, 1, 10, 100});
  print_rows<2, 1>(12, true, false, {1, 10, 100});
  print_rows<7, 4, 2, 1>(4, true, false, {1, 10, 100});
}

}  // namespace convection
