// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms on faces that know the elements behind them.
#pragma once

#include <sumfac/form/form.hpp>
#include <sumfac/mesh/face_mapping.hpp>

namespace face_terms {

// -(n . grad u, v) - (u, n . grad v) + penalty / h (u, v), with a part that is not symmetric where `other` is not 0.
struct nitsche {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;

  template <class T, int Dim>
  struct factors {
    sumfac::vector<T, Dim> across;
    T penalty, other;
  };
  template <class T, int Dim>
  factors<T, Dim> setup(sumfac::face_mapping<T, Dim> const& x) const
  {
    return {x.normal_derivative() * x.measure(), penalty / x.height() * x.measure(), T(other)};
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, Dim> apply(factors<T, Dim> const& f,
                                                        sumfac::point_values<T, 1, Dim> const& u) const
  {
    return {.value = f.penalty * u.value - (f.other + sumfac::scalar_of<T>(1)) * dot(f.across, u.gradient),
            .gradient = f.across * -u.value};
  }

  double penalty = 10, other = 0;
};
// The traction sigma n of an elastic body, sigma = 2 e(u) + lambda div u 1; integrated, or not.
template <bool Integrated>
struct traction {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  static constexpr int components = 2;
  static constexpr double lambda = 1.5;

  template <class T>
  struct factors {
    sumfac::matrix<T, 2> inverse;
    sumfac::vector<T, 2> normal;
  };
  template <class T>
  factors<T> setup(sumfac::face_mapping<T, 2> const& x) const
  {
    return {x.inverse(), Integrated ? x.scaled_normal() * x.weight() : x.normal()};
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 2, 2> apply(factors<T> const& f, sumfac::point_values<T, 2, 2> const& u) const
  {
    auto const g = u.gradient * f.inverse;  // (component, coordinate)
    T const pressure = T(sumfac::scalar_of<T>(lambda)) * (g(0, 0) + g(1, 1)), shear = g(0, 1) + g(1, 0);
    auto const two = T(sumfac::scalar_of<T>(2));
    sumfac::point_values<T, 2, 2> t;
    t.value[0] = (two * g(0, 0) + pressure) * f.normal[0] + shear * f.normal[1];
    t.value[1] = shear * f.normal[0] + (two * g(1, 1) + pressure) * f.normal[1];
    return t;
  }
};
// u where it is, times the square of the first coordinate: a form of values alone.
struct weighted_values {
  static constexpr auto trial = sumfac::value, test = sumfac::value;

  template <class T>
  struct factors {
    T weight;
  };
  template <class T, int Dim>
  factors<T> setup(sumfac::face_mapping<T, Dim> const& x) const
  {
    return {x.measure() * x.position()[0] * x.position()[0]};
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, Dim> apply(factors<T> const& f,
                                                        sumfac::point_values<T, 1, Dim> const& u) const
  {
    return {.value = f.weight * u.value};
  }
};

}  // namespace face_terms
