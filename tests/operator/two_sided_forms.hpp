// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms of two sides as users write them, and the volume's terms beside them.
#pragma once

#include <sumfac/form/both_sides.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/functions.hpp>
#include <sumfac/mesh/face_mapping.hpp>

namespace two_sided {

using sumfac::both_sides, sumfac::face_mapping, sumfac::point_values;

// The symmetric interior penalty of -Laplace: -{n . grad u} [v] - [u] {n . grad v} + {penalty / h} [u] [v], and u = 0
// on the boundary.
struct interior_penalty {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;

  template <class T, int Dim>
  struct factors {
    sumfac::vector<T, Dim> in, out;  // half the derivative along the normal out of `in`
    T penalty;
  };
  template <class T, int Dim>
  factors<T, Dim> setup(both_sides<face_mapping<T, Dim>> const& x) const
  {
    T const half = x.in.measure() / 2, h_in = x.in.height(), h_out = x.out.height();
    return {x.in.normal_derivative() * half, x.out.normal_derivative() * -half, penalty * (half / h_in + half / h_out)};
  }
  template <class T, int Dim>
  both_sides<point_values<T, 1, Dim>> apply(factors<T, Dim> const& f, point_values<T, 1, Dim> const& in,
                                            point_values<T, 1, Dim> const& out) const
  {
    T const jump = in.value - out.value;
    T const flux = f.penalty * jump - dot(f.in, in.gradient) - dot(f.out, out.gradient);
    return {{.value = flux, .gradient = f.in * -jump}, {.value = -flux, .gradient = f.out * -jump}};
  }
  template <class T, int Dim>
  point_values<T, 1, Dim> exterior(factors<T, Dim> const&, point_values<T, 1, Dim> const& in) const
  {
    auto out = continued(in);
    out.value = -out.value;
    return out;
  }

  double penalty = 10;
};

// a . grad u, by parts: -(a u, grad v) within elements, and what flows out of them, from where the wind comes.
struct advection {
  static constexpr auto trial = sumfac::value, test = sumfac::gradient;

  template <class T, int Dim>
  struct factors {
    sumfac::vector<T, Dim> wind;
  };
  template <class T, int Dim>
  factors<T, Dim> setup(sumfac::mapping<T, Dim> const& x) const
  {
    sumfac::vector<T, Dim> a;
    for (int c = 0; c < Dim; ++c) a[c] = T(wind[c]);
    return {x.inverse() * a * x.measure()};
  }
  template <class T, int Dim>
  point_values<T, 1, Dim> apply(factors<T, Dim> const& f, point_values<T, 1, Dim> const& u) const
  {
    return {.gradient = f.wind * -u.value};
  }

  double wind[3] = {0.7, -0.4, 0.5};
};
struct upwind {
  static constexpr auto trial = sumfac::value, test = sumfac::value;

  template <class T>
  struct factors {
    T out;  // of `in`
  };
  template <class T, int Dim>
  factors<T> setup(both_sides<face_mapping<T, Dim>> const& x) const
  {
    auto const n = x.in.scaled_normal() * x.in.weight();
    T out = 0;
    for (int c = 0; c < Dim; ++c) out = out + n[c] * wind[c];
    return {out};
  }
  template <class T, int Dim>
  both_sides<point_values<T, 1, Dim>> apply(factors<T> const& f, point_values<T, 1, Dim> const& in,
                                            point_values<T, 1, Dim> const& out) const
  {
    T const flux = f.out * sumfac::select(f.out > sumfac::scalar_of<T>(0), in.value, out.value);
    return {{.value = flux}, {.value = -flux}};
  }

  double wind[3] = {0.7, -0.4, 0.5};
};

// What flows of u^2 / 2 along the first coordinate, from where it comes; behind the boundary is twice u.
struct burgers {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  static constexpr bool linear = false;

  template <class T>
  struct factors {
    T out;
  };
  template <class T, int Dim>
  factors<T> setup(both_sides<face_mapping<T, Dim>> const& x) const
  {
    return {x.in.scaled_normal()[0] * x.in.weight()};
  }
  template <class T, int Dim>
  both_sides<point_values<T, 1, Dim>> apply(factors<T> const& f, point_values<T, 1, Dim> const& in,
                                            point_values<T, 1, Dim> const& out) const
  {
    auto const half = sumfac::scalar_of<T>(0.5);
    T const u = sumfac::select(f.out * (in.value + out.value) > sumfac::scalar_of<T>(0), in.value, out.value);
    T const flux = f.out * half * u * u;
    return {{.value = flux}, {.value = -flux}};
  }
  template <class T, int Dim>
  point_values<T, 1, Dim> exterior(factors<T> const&, point_values<T, 1, Dim> const& in) const
  {
    auto out = in;
    out.value = in.value + in.value;
    return out;
  }
};

}  // namespace two_sided
