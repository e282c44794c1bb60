// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms as they are written without sumfac::weak, beside which compile_time sets the same as weak forms.
#pragma once

#include <sumfac/form/form.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/tangent.hpp>

#include <cmath>

namespace by_hand {

using sumfac::gradient;
using sumfac::mapping;
using sumfac::matrix;
using sumfac::point_values;
using sumfac::scalar_of;
using sumfac::symmetric;
using sumfac::value;
using sumfac::vector;

using sumfac::mass;

// ((1 + x y) grad u, grad v) + c (u, v)
struct diffusion_reaction {
  static constexpr auto trial = value | gradient, test = value | gradient;

  template <class T>
  struct factors {
    symmetric<T, 3> metric;
    T measure;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(mapping<T> const& x) const
  {
    T const k = scalar_of<T>(1) + x.position()[0] * x.position()[1];
    return {k * x.metric(), scalar_of<T>(c) * x.measure()};
  }
  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& u) const
  {
    return {.value = f.measure * u.value, .gradient = f.metric * u.gradient};
  }

  double c = 2;
};

// (lambda div u I + 2 mu sym(grad u), grad v)
struct elasticity {
  static constexpr auto trial = gradient, test = gradient;
  static constexpr int components = 3;

  template <class T>
  struct factors {
    matrix<T, 3> inverse;
    T measure;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(mapping<T> const& x) const
  {
    return {x.inverse(), x.measure()};
  }
  template <class T>
  SUMFAC_FUNCTION point_values<T, 3> apply(factors<T> const& f, point_values<T, 3> const& u) const
  {
    using number = scalar_of<T>;
    auto const g = u.gradient * f.inverse;
    auto stress = number(mu) * (g + transpose(g));
    T const pressure = number(lambda) * (g(0, 0) + g(1, 1) + g(2, 2));
    for (int i = 0; i < 3; ++i) stress(i, i) += pressure;
    return {.gradient = f.measure * (stress * transpose(f.inverse))};
  }

  double lambda = 3, mu = 2;
};

// (b . grad u, v)
struct convection {
  static constexpr auto trial = gradient, test = value;
  static constexpr bool symmetric = false;

  template <class T>
  struct factors {
    vector<T, 3> along;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(mapping<T> const& x) const
  {
    using number = scalar_of<T>;
    vector<T, 3> const b{T(number(b_x)), T(number(b_y)), T(number(b_z))};
    return {x.measure() * (x.inverse() * b)};
  }
  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& u) const
  {
    return {.value = dot(f.along, u.gradient)};
  }

  double b_x = 1, b_y = 0.5, b_z = -2;
};

// mu / 2 (|F|^2 - 3) - mu ln J + lambda / 2 (ln J)^2, F = I + grad u, J = det F
struct neo_hookean_energy {
  static constexpr auto trial = gradient;
  static constexpr int components = 3;

  template <class T>
  struct factors {
    matrix<T, 3> inverse;
    T measure;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(mapping<T> const& x) const
  {
    return {x.inverse(), x.measure()};
  }
  template <class T, class U>
  SUMFAC_FUNCTION U energy(factors<T> const& f, point_values<U, 3> const& u) const
  {
    using std::log;
    using number = scalar_of<T>;
    auto F = u.gradient * f.inverse;
    for (int i = 0; i < 3; ++i) F(i, i) = F(i, i) + number(1);
    U squares = F(0, 0) * F(0, 0);
    for (int i = 1; i < 9; ++i) squares = squares + F.entries[i] * F.entries[i];
    U const volume = log(determinant(F));
    return f.measure * (number(mu / 2) * (squares - number(3)) + (number(lambda / 2) * volume - number(mu)) * volume);
  }

  double mu = 2, lambda = 3;
};
using neo_hooke = sumfac::residual<neo_hookean_energy>;

// ((1 + |grad u|^2) grad u, grad v)
struct p_laplace {
  static constexpr auto trial = gradient, test = gradient;
  static constexpr bool linear = false;

  template <class T>
  struct factors {
    symmetric<T, 3> metric;
    T over_measure;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(mapping<T> const& x) const
  {
    return {x.metric(), T(scalar_of<T>(1)) / x.measure()};
  }
  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& u) const
  {
    auto const flux = f.metric * u.gradient;
    return {.gradient = (scalar_of<T>(1) + f.over_measure * dot(u.gradient, flux)) * flux};
  }
};

}  // namespace by_hand
