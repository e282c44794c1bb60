// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What examples of Stokes' equations share: the Taylor-Hood pair on quadrilaterals, and its system.
#pragma once

#include <sumfac/sumfac.hpp>

// [form]
// Of velocities and pressures (u, p) and what they are tested by (v, q), as one integrand, and what of it is between u
// and v, and between u and q.
inline constexpr sumfac::weak::trial_function<2> moving{};
inline constexpr sumfac::weak::test_function<2> virtually{};
inline constexpr auto viscous_flow = inner(grad(moving), grad(virtually)) -
                                     sumfac::weak::p * div(virtually) - sumfac::weak::q * div(moving);
inline constexpr auto viscous = block(viscous_flow, moving, virtually);
inline constexpr auto divergence = block(viscous_flow, moving, sumfac::weak::q);
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
