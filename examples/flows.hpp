// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Systems u' + div flow(u) = 0: within elements, whatever flows; and between them, of waves in first order: sound, and
// Maxwell's equations.
//
// A system says its directions, components, whether it is linear, and flow(u, n), what flows through a plane of normal
// n, which is as long as the plane is large; one of waves besides, of a normal of length 1, incoming(u, n), what of u
// its waves carry, as much of it as they are fast, and reflected(u, n), which is behind a wall.
#pragma once

#include <sumfac/sumfac.hpp>

namespace flows {

using sumfac::scalar_of, sumfac::vector;

// [within]
// -(flow(u), grad v)
template <class System>
struct within {
  static constexpr auto trial = sumfac::value, test = sumfac::gradient;
  static constexpr int components = System::components, dim = System::directions;
  static constexpr bool linear = System::linear;

  template <class T>
  struct factors {
    sumfac::matrix<T, dim> across;  // row d: the normal to planes of the reference coordinate d, as long as they are
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T, dim> const& x) const
  {
    return {x.inverse() * x.measure()};
  }
  template <class T>
  using values = sumfac::point_values<T, components, dim>;
  template <class T>
  SUMFAC_FUNCTION values<T> apply(factors<T> const& f, values<T> const& u) const
  {
    values<T> v{};
    for (int d = 0; d < dim; ++d) {
      vector<T, dim> normal;
      for (int c = 0; c < dim; ++c) normal[c] = f.across(d, c);
      vector<T, components> const through = System::flow(u.value, normal);
      for (int c = 0; c < components; ++c) v.gradient(c, d) = -through[c];
    }
    return v;
  }
};
// [within]

// [upwind]
// The upwind flux of waves: the mean of both sides', and of what jumps half of what the waves carry. All around are
// walls.
template <class System>
struct between {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  static constexpr int components = System::components, dim = System::directions;

  template <class T>
  struct factors {
    vector<T, dim> normal;  // out of `in`
    T half;
  };
  template <class T>
  factors<T> setup(sumfac::both_sides<sumfac::face_mapping<T, dim>> const& x) const
  {
    return {x.in.normal(), x.in.measure() / 2};
  }
  template <class T>
  using values = sumfac::point_values<T, components, dim>;
  template <class T>
  SUMFAC_FUNCTION sumfac::both_sides<values<T>> apply(factors<T> const& f, values<T> const& in,
                                                      values<T> const& out) const
  {
    sumfac::both_sides<values<T>> v;
    v.in.value = f.half * (System::flow(in.value + out.value, f.normal) +
                           System::incoming(in.value - out.value, f.normal));
    v.out.value = v.in.value * scalar_of<T>(-1);
    return v;
  }
  template <class T>
  SUMFAC_FUNCTION values<T> exterior(factors<T> const& f, values<T> const& in) const
  {
    values<T> out{};
    out.value = System::reflected(in.value, f.normal);
    return out;
  }
};
// [upwind]

// [sound]
// Sound of speed 1: p' + div v = 0, v' + grad p = 0, of components (p, v).
template <int Dim>
struct sound {
  static constexpr int directions = Dim, components = 1 + Dim;
  static constexpr bool linear = true;

  template <class T>
  SUMFAC_FUNCTION static T across(vector<T, 1 + Dim> const& u, vector<T, Dim> const& n)
  {
    T sum = u[1] * n[0];
    for (int d = 1; d < Dim; ++d) sum = sum + u[1 + d] * n[d];
    return sum;
  }
  template <class T>
  SUMFAC_FUNCTION static vector<T, 1 + Dim> along(T const& p, T const& v, vector<T, Dim> const& n)
  {
    vector<T, 1 + Dim> u;
    u[0] = p;
    for (int d = 0; d < Dim; ++d) u[1 + d] = v * n[d];
    return u;
  }
  template <class T>
  SUMFAC_FUNCTION static vector<T, 1 + Dim> flow(vector<T, 1 + Dim> const& u, vector<T, Dim> const& n)
  {
    return along(across(u, n), u[0], n);
  }
  template <class T>
  SUMFAC_FUNCTION static vector<T, 1 + Dim> incoming(vector<T, 1 + Dim> const& u, vector<T, Dim> const& n)
  {
    return along(u[0], across(u, n), n);
  }
  template <class T>
  SUMFAC_FUNCTION static vector<T, 1 + Dim> reflected(vector<T, 1 + Dim> const& u, vector<T, Dim> const& n)
  {
    return u - along(T(scalar_of<T>(0)), across(u, n), n) * scalar_of<T>(2);
  }
};
// [sound]

// [maxwell]
// Maxwell's equations of light of speed 1: E' - curl H = 0, H' + curl E = 0, of components (E, H); walls are metal.
struct maxwell {
  static constexpr int directions = 3, components = 6;
  static constexpr bool linear = true;

  template <class T>
  SUMFAC_FUNCTION static vector<T, 3> part(vector<T, 6> const& u, int first)
  {
    return {u[first], u[first + 1], u[first + 2]};
  }
  template <class T>
  SUMFAC_FUNCTION static vector<T, 6> joined(vector<T, 3> const& e, vector<T, 3> const& h)
  {
    return {e[0], e[1], e[2], h[0], h[1], h[2]};
  }
  template <class T>
  SUMFAC_FUNCTION static vector<T, 6> flow(vector<T, 6> const& u, vector<T, 3> const& n)
  {
    return joined(cross(part(u, 3), n), cross(n, part(u, 0)));
  }
  template <class T>
  SUMFAC_FUNCTION static vector<T, 6> incoming(vector<T, 6> const& u, vector<T, 3> const& n)
  {
    auto const e = part(u, 0), h = part(u, 3);
    return joined(e - dot(n, e) * n, h - dot(n, h) * n);
  }
  template <class T>
  SUMFAC_FUNCTION static vector<T, 6> reflected(vector<T, 6> const& u, vector<T, 3> const& n)
  {
    auto const e = part(u, 0);
    return joined(dot(n, e) * n * scalar_of<T>(2) - e, part(u, 3));
  }
};
// [maxwell]

}  // namespace flows
