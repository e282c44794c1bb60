// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form whose components are coupled.
#pragma once

#include <sumfac/form/form.hpp>

namespace support {

// Linear elasticity on hexahedra: components coupled, 2 mu eps(u) + lambda div u, mu growing along x.
struct elasticity {
  static constexpr auto trial = sumfac::gradient, test = sumfac::gradient;
  static constexpr int components = 3;
  template <class T>
  struct factors {
    T inverse[9], scale, mu;
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    factors<T> f;
    for (int i = 0; i < 9; ++i) f.inverse[i] = x.inverse()(i / 3, i % 3);
    f.scale = x.weight() * x.det();
    f.mu = x.position()[0] + T(1.0);
    return f;
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 3> apply(factors<T> const& f, sumfac::point_values<T, 3> const& u) const
  {
    sumfac::matrix<T, 3> g{}, s{};  // physical gradient, stress
    for (int c = 0; c < 3; ++c)
      for (int d = 0; d < 3; ++d)
        for (int r = 0; r < 3; ++r) g(c, d) = g(c, d) + f.inverse[3 * r + d] * u.gradient(c, r);
    T const divergence = g(0, 0) + g(1, 1) + g(2, 2);
    for (int c = 0; c < 3; ++c)
      for (int d = 0; d < 3; ++d) {
        s(c, d) = f.scale * f.mu * (g(c, d) + g(d, c));
        if (c == d) s(c, d) = s(c, d) + f.scale * divergence * sumfac::scalar_of<T>(lambda);
      }
    sumfac::point_values<T, 3> v{};
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r)
        for (int d = 0; d < 3; ++d) v.gradient(c, r) = v.gradient(c, r) + f.inverse[3 * r + d] * s(c, d);
    return v;
  }
  double lambda = 0.75;
};

}  // namespace support
