// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A Runge-Kutta method of low storage.
#pragma once

#include <cstddef>
#include <vector>

// [runge-kutta]
// Steps of u' = rate(u) by the five stages of order 4 of Carpenter and Kennedy (NASA TM 109112), with a vector beside.
template <class Rate>
void advance(std::vector<double>& u, double dt, int steps, Rate const& rate)
{
  constexpr double a[] = {0, -567301805773.0 / 1357537059087, -2404267990393.0 / 2016746695238,
                          -3550918686646.0 / 2091501179385, -1275806237668.0 / 842570457699};
  constexpr double b[] = {1432997174477.0 / 9575080441755, 5161836677717.0 / 13612068292357,
                          1720146321549.0 / 2090206949498, 3134564353537.0 / 4481467310338,
                          2277821191437.0 / 14882151754819};
  std::vector<double> change(u.size(), 0), r(u.size());
  for (int step = 0; step < steps; ++step)
    for (int stage = 0; stage < 5; ++stage) {
      rate(u, r);
      for (std::size_t i = 0; i < u.size(); ++i) {
        change[i] = a[stage] * change[i] + dt * r[i];
        u[i] += b[stage] * change[i];
      }
    }
}
// [runge-kutta]
