// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Euler's equations of a gas in the plane, of density, momentum and energy: within elements and through their sides.
#pragma once

#include "flows.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>

namespace gas {

using sumfac::scalar_of, sumfac::vector;

constexpr double ratio = 1.4;  // of specific heats

template <class T>
SUMFAC_FUNCTION T pressure(vector<T, 4> const& u)
{
  return scalar_of<T>(ratio - 1) * (u[3] - scalar_of<T>(0.5) * (u[1] * u[1] + u[2] * u[2]) / u[0]);
}

// [flux]
// What flows through a side of normal n, which is as long as the side.
template <class T>
SUMFAC_FUNCTION vector<T, 4> flow(vector<T, 4> const& u, vector<T, 2> const& n)
{
  T const p = pressure(u), across = (n[0] * u[1] + n[1] * u[2]) / u[0];
  return {across * u[0], across * u[1] + p * n[0], across * u[2] + p * n[1], across * (u[3] + p)};
}
// How fast waves go through it, times its length.
template <class T>
SUMFAC_FUNCTION T speed(vector<T, 4> const& u, vector<T, 2> const& n)
{
  using std::abs, std::sqrt;
  T const sound = scalar_of<T>(ratio) * pressure(u) / u[0];
  return abs((n[0] * u[1] + n[1] * u[2]) / u[0]) + sqrt(sound * (n[0] * n[0] + n[1] * n[1]));
}
// [flux]

// What flows within elements.
struct air {
  static constexpr int directions = 2, components = 4;
  static constexpr bool linear = false;
  template <class T>
  SUMFAC_FUNCTION static vector<T, 4> flow(vector<T, 4> const& u, vector<T, 2> const& n)
  {
    return gas::flow(u, n);
  }
};
using within = flows::within<air>;

// [between]
// The flux of Lax and Friedrichs: the mean of both sides', and what jumps, times the speed of the fastest wave. What
// comes in through the boundary is a gas that `State` has as a function of the place.
template <class State>
struct between {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  static constexpr int components = 4;
  static constexpr bool linear = false;

  template <class T>
  using values = sumfac::point_values<T, 4, 2>;
  template <class T>
  struct factors {
    vector<T, 2> normal;  // out of `in`
    vector<T, 4> beyond;
  };
  template <class T>
  factors<T> setup(sumfac::both_sides<sumfac::face_mapping<T, 2>> const& x) const
  {
    return {x.in.scaled_normal() * x.in.weight(), state(x.in.position())};
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::both_sides<values<T>> apply(factors<T> const& f, values<T> const& in,
                                                      values<T> const& out) const
  {
    T const of_in = speed(in.value, f.normal), of_out = speed(out.value, f.normal);
    T const fastest = sumfac::select(of_in > of_out, of_in, of_out);
    vector<T, 4> const one = flow(in.value, f.normal), other = flow(out.value, f.normal);
    sumfac::both_sides<values<T>> v;
    for (int c = 0; c < 4; ++c) {
      v.in.value[c] = scalar_of<T>(0.5) * (one[c] + other[c] + fastest * (in.value[c] - out.value[c]));
      v.out.value[c] = -v.in.value[c];
    }
    return v;
  }
  template <class T>
  SUMFAC_FUNCTION values<T> exterior(factors<T> const& f, values<T> const&) const
  {
    values<T> out{};
    out.value = f.beyond;
    return out;
  }

  State state = {};
};
// [between]

// A vortex in a wind that carries it, from where it is at time 0: as wide as its core is, of an exact solution.
struct vortex {
  double time = 0;

  vector<double, 4> operator()(vector<double, 2> const& x) const
  {
    double const wind[2] = {0.5, 0.25}, strength = 0.2, width = 0.2;
    double const dx = (x[0] + 0.1 - wind[0] * time) / width, dy = (x[1] + 0.05 - wind[1] * time) / width;
    double const turn = strength * std::exp((1 - dx * dx - dy * dy) / 2);
    double const density = std::pow(1 - (ratio - 1) / 2 * turn * turn, 1 / (ratio - 1));
    double const v[2] = {wind[0] - turn * dy, wind[1] + turn * dx};
    return {density, density * v[0], density * v[1],
            std::pow(density, ratio) / ratio / (ratio - 1) + density * (v[0] * v[0] + v[1] * v[1]) / 2};
  }
};

}  // namespace gas
