// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Discontinuous Galerkin's operators that are measured: Laplace with interior penalties, and a constant wind, upwind.
#pragma once

#include "../../tests/operator/two_sided_forms.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>

namespace sumfac::bench::faces {

// One number for all faces, so that peers have the same.
constexpr double penalty = 100;
constexpr double wind_speed[3] = {1, 0.5, -0.3};

// The unit cube, or bent; peers bend vertices alike.
inline void bend(double (&x)[3])
{
  double const y[3] = {x[0] + 0.1 * x[1] * x[2], x[1] + 0.1 * x[0] * x[0], x[2] + 0.05 * x[0] * x[1]};
  for (int d = 0; d < 3; ++d) x[d] = y[d];
}
inline mesh<3> box(int cells, bool bent)
{
  return box_mesh(
      {cells, cells, cells},
      [&](vector<double, 3> const& at) {
        double x[3] = {at[0], at[1], at[2]};
        if (bent) bend(x);
        return vector<double, 3>{x[0], x[1], x[2]};
      },
      1);
}

// The tests' forms, with these numbers; nothing comes in through the boundary.
struct interior_penalty : two_sided::interior_penalty {
  explicit interior_penalty(double number = faces::penalty) : two_sided::interior_penalty{number} {}

  template <class T, int Dim>
  factors<T, Dim> setup(both_sides<face_mapping<T, Dim>> const& x) const
  {
    T const half = x.in.measure() / 2;
    return {x.in.normal_derivative() * half, x.out.normal_derivative() * -half, 2 * half * this->penalty};
  }
};
struct wind : two_sided::advection {
  wind() : advection{{wind_speed[0], wind_speed[1], wind_speed[2]}} {}
};
struct upwind : two_sided::upwind {
  upwind() : two_sided::upwind{{wind_speed[0], wind_speed[1], wind_speed[2]}} {}

  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 1, Dim> exterior(factors<T> const&, point_values<T, 1, Dim> const&) const
  {
    return {};
  }
};

// Seconds of f(), the least of some samples, a sample as long as `least` or one call.
template <class Now, class Function>
double least_seconds(Now const& now, Function const& f, int samples, double least)
{
  f();
  double best = 1e9;
  int calls = 1;
  for (int i = 0; i < samples; ++i) {
    double const begin = now();
    for (int k = 0; k < calls; ++k) f();
    double const spent = (now() - begin) / calls;
    best = spent < best ? spent : best;
    if (i == 0 && spent < least) calls = static_cast<int>(least / spent) + 1;
  }
  return best;
}

}  // namespace sumfac::bench::faces
