// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The stiffness forms: (grad u, grad v) of BP3 and BP5, and with a mass term of BP3.0 and BP3.5.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>

namespace sumfac::SUMFAC_TARGET {

// w det J^-1 J^-T, so that grad u . grad v dx is (reference grad u) . G (reference grad v) at a point.
template <class T, int Dim, int Coordinates>
SUMFAC_INLINE symmetric<T, Dim> pulled_back_metric(mapping<T, Dim, Coordinates> const& x)
{
  return x.metric();
}

// (grad u, grad v), component by component: six factors a point, the symmetric G = w det J^-1 J^-T; three on
// quadrilaterals, one on lines. On surfaces and curves gradients are tangential: Laplace-Beltrami.
template <int Components = 1>
struct vector_laplace {
  static constexpr auto trial = gradient, test = gradient;
  static constexpr int components = Components;

  template <class T, int Dim = 3>
  struct factors {
    symmetric<T, Dim> metric;
  };

  static constexpr index_t flops_per_point(bool) { return 15 * Components; }

  template <class T, int Dim, int Coordinates>
  SUMFAC_INLINE factors<T, Dim> setup(mapping<T, Dim, Coordinates> const& x) const
  {
    return {pulled_back_metric(x)};
  }

  template <class T, int Dim>
  SUMFAC_INLINE point_values<T, Components, Dim> apply(factors<T, Dim> const& f,
                                                       point_values<T, Components, Dim> const& u) const
  {
    point_values<T, Components, Dim> v;
    if constexpr (Components == 1)
      v.gradient = f.metric * u.gradient;
    else {
      SUMFAC_UNROLL
      for (int i = 0; i < Dim * Components; ++i) {
        int const c = i / Dim, a = i % Dim;
        T sum = f.metric(a, 0) * u.gradient(c, 0);
        SUMFAC_UNROLL
        for (int b = 1; b < Dim; ++b) sum = sum + f.metric(a, b) * u.gradient(c, b);
        v.gradient(c, a) = sum;
      }
    }
    return v;
  }

  template <class Point, class T, int Dim>
  SUMFAC_INLINE point_values<T, Components, Dim> apply_at(Point const& x,
                                                          point_values<T, Components, Dim> const& u) const
  {
    point_values<T, Components, Dim> v;
    if constexpr (Components == 1) {
      v.gradient = x.metric_times(u.gradient);
    } else {
      SUMFAC_UNROLL
      for (int c = 0; c < Components; ++c) {
        vector<T, Dim> slopes{};
        SUMFAC_UNROLL
        for (int a = 0; a < Dim; ++a) slopes[a] = u.gradient(c, a);
        auto const flux = x.metric_times(slopes);
        SUMFAC_UNROLL
        for (int a = 0; a < Dim; ++a) v.gradient(c, a) = flux[a];
      }
    }
    return v;
  }
};

using laplace = vector_laplace<1>;

// (grad u, grad v) + lambda (u, v), screened Poisson: seven factors a point.
struct stiffness {
  static constexpr auto trial = value | gradient, test = value | gradient;

  template <class T, int Dim = 3>
  struct factors {
    symmetric<T, Dim> metric;
    T measure;
  };

  // As the ladder paper counts them, with and without interpolation.
  static constexpr index_t flops_per_point(bool collocated) { return collocated ? 15 : 19; }

  template <class T, int Dim, int Coordinates>
  SUMFAC_INLINE factors<T, Dim> setup(mapping<T, Dim, Coordinates> const& x) const
  {
    return {pulled_back_metric(x), x.weight() * x.det()};
  }

  template <class T, int Dim>
  SUMFAC_INLINE point_values<T, 1, Dim> apply(factors<T, Dim> const& f, point_values<T, 1, Dim> const& u) const
  {
    return {.value = scalar_of<T>(lambda) * (f.measure * u.value), .gradient = f.metric * u.gradient};
  }

  template <class Point, class T, int Dim>
  SUMFAC_INLINE point_values<T, 1, Dim> apply_at(Point const& x, point_values<T, 1, Dim> const& u) const
  {
    return {.value = scalar_of<T>(lambda) * (x.measure() * u.value), .gradient = x.metric_times(u.gradient)};
  }

  void(check)() const
  {
    if (lambda - lambda != 0) failf("stiffness", "lambda is not a finite number (got %g)", lambda);
  }

  double lambda = 0.1;
};

}  // namespace sumfac
