// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The stiffness forms: (grad u, grad v) of BP3 and BP5, and with a mass term of BP3.0 and BP3.5.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>

namespace sumfac::inline SUMFAC_TARGET {

// w det J^-1 J^-T, so that grad u . grad v dx is (reference grad u) . G (reference grad v) at a point.
template <class T>
SUMFAC_INLINE symmetric<T, 3> pulled_back_metric(mapping<T> const& x)
{
  return x.metric();
}

// (grad u, grad v), component by component: six factors a point, the symmetric G = w det J^-1 J^-T.
template <int Components = 1>
struct vector_laplace {
  static constexpr auto trial = gradient, test = gradient;
  static constexpr int components = Components;

  template <class T>
  struct factors {
    symmetric<T, 3> metric;
  };

  static constexpr index_t flops_per_point(bool) { return 15 * Components; }

  template <class T>
  SUMFAC_INLINE factors<T> setup(mapping<T> const& x) const
  {
    return {pulled_back_metric(x)};
  }

  template <class T>
  SUMFAC_INLINE point_values<T, Components> apply(factors<T> const& f, point_values<T, Components> const& u) const
  {
    point_values<T, Components> v;
    if constexpr (Components == 1)
      v.gradient = f.metric * u.gradient;
    else {
      SUMFAC_UNROLL
      for (int i = 0; i < 3 * Components; ++i) {
        int const c = i / 3, a = i % 3;
        v.gradient(c, a) =
            f.metric(a, 0) * u.gradient(c, 0) + f.metric(a, 1) * u.gradient(c, 1) + f.metric(a, 2) * u.gradient(c, 2);
      }
    }
    return v;
  }

  template <class Point, class T>
  SUMFAC_INLINE point_values<T, Components> apply_at(Point const& x, point_values<T, Components> const& u) const
  {
    point_values<T, Components> v;
    if constexpr (Components == 1) {
      v.gradient = x.metric_times(u.gradient);
    } else {
      SUMFAC_UNROLL
      for (int c = 0; c < Components; ++c) {
        auto const flux = x.metric_times(vector<T, 3>{u.gradient(c, 0), u.gradient(c, 1), u.gradient(c, 2)});
        SUMFAC_UNROLL
        for (int a = 0; a < 3; ++a) v.gradient(c, a) = flux[a];
      }
    }
    return v;
  }
};

using laplace = vector_laplace<1>;

// (grad u, grad v) + lambda (u, v), screened Poisson: seven factors a point.
struct stiffness {
  static constexpr auto trial = value | gradient, test = value | gradient;

  template <class T>
  struct factors {
    symmetric<T, 3> metric;
    T measure;
  };

  // As the ladder paper counts them, with and without interpolation.
  static constexpr index_t flops_per_point(bool collocated) { return collocated ? 15 : 19; }

  template <class T>
  SUMFAC_INLINE factors<T> setup(mapping<T> const& x) const
  {
    return {pulled_back_metric(x), x.weight() * x.det()};
  }

  template <class T>
  SUMFAC_INLINE point_values<T> apply(factors<T> const& f, point_values<T> const& u) const
  {
    return {.value = scalar_of<T>(lambda) * (f.measure * u.value), .gradient = f.metric * u.gradient};
  }

  template <class Point, class T>
  SUMFAC_INLINE point_values<T> apply_at(Point const& x, point_values<T> const& u) const
  {
    return {.value = scalar_of<T>(lambda) * (x.measure() * u.value), .gradient = x.metric_times(u.gradient)};
  }

  void (check)() const
  {
    if (lambda - lambda != 0) failf("stiffness", "lambda is not a finite number (got %g)", lambda);
  }

  double lambda = 0.1;
};

}  // namespace sumfac
