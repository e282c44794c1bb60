// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The form of heat conduction with a table of conductivities by element, for heat.cpp and poisson/conduction.cpp.
#pragma once

#include <sumfac/sumfac.hpp>

// [form]
// (k grad u, grad v) with a number k for each element.
struct layered_conduction {
  static constexpr auto trial = sumfac::gradient, test = sumfac::gradient;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    T const k = x.at(conductivity);                 // this element's; in a pack, each lane's
    return {k * sumfac::pulled_back_metric(x)};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.gradient = f.metric * u.gradient};
  }

  sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent>> conductivity;  // (E)
};
// [form]
