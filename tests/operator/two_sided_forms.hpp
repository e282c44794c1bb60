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
  SUMFAC_FUNCTION both_sides<point_values<T, 1, Dim>> apply(factors<T, Dim> const& f, point_values<T, 1, Dim> const& in,
                                                            point_values<T, 1, Dim> const& out) const
  {
    T const jump = in.value - out.value;
    T const flux = f.penalty * jump - dot(f.in, in.gradient) - dot(f.out, out.gradient);
    return {{.value = flux, .gradient = f.in * -jump}, {.value = -flux, .gradient = f.out * -jump}};
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 1, Dim> exterior(factors<T, Dim> const&, point_values<T, 1, Dim> const& in) const
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
  SUMFAC_FUNCTION point_values<T, 1, Dim> apply(factors<T, Dim> const& f, point_values<T, 1, Dim> const& u) const
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
  SUMFAC_FUNCTION both_sides<point_values<T, 1, Dim>> apply(factors<T> const& f, point_values<T, 1, Dim> const& in,
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
  SUMFAC_FUNCTION both_sides<point_values<T, 1, Dim>> apply(factors<T> const& f, point_values<T, 1, Dim> const& in,
                                                            point_values<T, 1, Dim> const& out) const
  {
    auto const half = sumfac::scalar_of<T>(0.5);
    T const u = sumfac::select(f.out * (in.value + out.value) > sumfac::scalar_of<T>(0), in.value, out.value);
    T const flux = f.out * half * u * u;
    return {{.value = flux}, {.value = -flux}};
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 1, Dim> exterior(factors<T> const&, point_values<T, 1, Dim> const& in) const
  {
    auto out = in;
    out.value = in.value + in.value;
    return out;
  }
};

// Sound: pressure and velocity (p, v), with an impedance for each element; walls all around reflect it. What flows
// through a face is that of a wave from either side: p* n of v, and v* . n of p.
template <int Dim>
struct sound {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  static constexpr int components = 1 + Dim;

  template <class T>
  struct factors {
    sumfac::vector<T, Dim> normal;
    T measure, in, out;  // impedances
  };
  template <class T>
  factors<T> setup(both_sides<face_mapping<T, Dim>> const& x) const
  {
    auto const e = x.in.element(), behind = x.out.element();
    return {x.in.normal(), x.in.measure(), T(impedance[e]), T(impedance[behind < 0 ? e : behind])};
  }
  template <class T>
  using values = point_values<T, components, Dim>;
  template <class T>
  SUMFAC_FUNCTION both_sides<values<T>> apply(factors<T> const& f, values<T> const& in, values<T> const& out) const
  {
    T across_in = f.normal[0] * in.value[1], across_out = f.normal[0] * out.value[1];
    for (int c = 1; c < Dim; ++c) {
      across_in = across_in + f.normal[c] * in.value[1 + c];
      across_out = across_out + f.normal[c] * out.value[1 + c];
    }
    T const share = f.measure / (f.in + f.out);
    T const p = share * (f.out * in.value[0] + f.in * out.value[0] + f.in * f.out * (across_in - across_out));
    both_sides<values<T>> v;
    v.in.value[0] = share * (f.in * across_in + f.out * across_out + in.value[0] - out.value[0]);
    v.out.value[0] = -v.in.value[0];
    for (int c = 0; c < Dim; ++c) {
      v.in.value[1 + c] = p * f.normal[c];
      v.out.value[1 + c] = -v.in.value[1 + c];
    }
    return v;
  }
  template <class T>
  SUMFAC_FUNCTION values<T> exterior(factors<T> const& f, values<T> const& in) const
  {
    auto out = in;
    T across = f.normal[0] * in.value[1];
    for (int c = 1; c < Dim; ++c) across = across + f.normal[c] * in.value[1 + c];
    for (int c = 0; c < Dim; ++c) out.value[1 + c] = in.value[1 + c] - across * sumfac::scalar_of<T>(2) * f.normal[c];
    return out;
  }

  double const* impedance = nullptr;
};

}  // namespace two_sided
