// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form whose coefficient jumps between elements.
#pragma once

#include <sumfac/form/stiffness.hpp>
#include <sumfac/view/view.hpp>

namespace support {

// Diffusion with a coefficient of each element.
struct layered {
  static constexpr auto trial = sumfac::gradient, test = sumfac::gradient;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.at(coefficient) * sumfac::pulled_back_metric(x)};
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.gradient = f.metric * u.gradient};
  }

  sumfac::view<double const, sumfac::dextents<1>> coefficient;
};

}  // namespace support
