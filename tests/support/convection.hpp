// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Diffusion in a wind that turns: a form that is not symmetric.
#pragma once

#include <sumfac/form/form.hpp>
#include <sumfac/form/point_values.hpp>
#include <sumfac/mesh/mapping.hpp>

namespace support {

// (grad u, grad v) + (w . grad u, v), w = wind (1, x - 1/2, 0), whose divergence is 0.
struct convection {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value | sumfac::gradient;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
    sumfac::vector<T, 3> along;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    sumfac::vector<T, 3> w{};
    w[0] = T(sumfac::scalar_of<T>(wind));
    w[1] = sumfac::scalar_of<T>(wind) * (x.position()[0] - sumfac::scalar_of<T>(0.5));
    return {x.metric(), x.measure() * (x.inverse() * w)};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = dot(f.along, u.gradient), .gradient = f.metric * u.gradient};
  }

  double wind = 1;
};

}  // namespace support
