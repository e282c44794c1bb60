// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The form of linear elasticity, for an isotropic material.
#pragma once

#include <sumfac/sumfac.hpp>

// [form]
// (sigma(u), grad v) with sigma = lambda div u I + mu (grad u + (grad u)^T)
struct elasticity {
  static constexpr auto trial = sumfac::gradient, test = sumfac::gradient;
  static constexpr int components = 3;

  template <class T>
  struct factors {
    sumfac::matrix<T, 3> inverse;
    T measure;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.inverse(), x.measure()};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 3> apply(factors<T> const& f, sumfac::point_values<T, 3> const& u) const
  {
    using number = sumfac::scalar_of<T>;
    auto const g = u.gradient * f.inverse;  // g(c, x): component c along the mesh's x
    auto stress = number(mu) * (g + transpose(g));
    T const pressure = number(lambda) * (g(0, 0) + g(1, 1) + g(2, 2));
    for (int c = 0; c < 3; ++c) stress(c, c) += pressure;
    return {.gradient = f.measure * (stress * transpose(f.inverse))};
  }

  double lambda = 1, mu = 1;
};
// [form]
