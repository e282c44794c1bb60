// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What examples of Stokes' equations share: the Taylor-Hood pair on quadrilaterals, and its system.
#pragma once

#include <sumfac/sumfac.hpp>

// [form]
// -(q, div u): u has two components, q one.
struct divergence {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  static constexpr int components = 2, test_components = 1;

  template <class T>
  struct factors {
    sumfac::matrix<T, 2> inverse;  // times the measure
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, 2> const& x) const
  {
    return {x.weight() * x.adjugate()};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, 2> apply(factors<T> const& f,
                                                      sumfac::point_values<T, 2, 2> const& u) const
  {
    auto const& g = u.gradient;
    auto const& a = f.inverse;
    return {.value = -(g(0, 0) * a(0, 0) + g(0, 1) * a(1, 0) + g(1, 0) * a(0, 1) + g(1, 1) * a(1, 1))};
  }
};
// [form]

using whole_vector = sumfac::view<double, sumfac::extents<sumfac::dynamic_extent>>;

// The whole system on (velocities, pressures): K u + B^T p, B u.
template <class Viscous, class Divergence, class Restriction>
struct stokes {
  Viscous const& K;
  Divergence const& B;
  Restriction const &of_u, &of_p;

  // [apply]
  template <class From, class To>
  void apply(From const& x, To const& y) const
  {
    sumfac::index_t const velocities = of_u.size(), pressures = of_p.size();
    sumfac::view const u(x.data(), velocities), p(x.data() + velocities, pressures);
    sumfac::view const f(y.data(), velocities), mass_balance(y.data() + velocities, pressures);
    K.apply(of_u, u, f);
    B.apply_transposed_add(of_u, of_p, p, f);
    B.apply(of_p, of_u, u, mass_balance);
  }
  // [apply]
  sumfac::index_t size() const { return of_u.size() + of_p.size(); }
  sumfac::host const& backend() const { return of_u.backend(); }
};

template <int Degree>
inline constexpr sumfac::spaces taylor_hood{.trial = sumfac::quadrilateral(Degree),
                                            .test = sumfac::quadrilateral(Degree - 1)};
