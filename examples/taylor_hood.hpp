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

template <int Degree>
inline constexpr sumfac::spaces taylor_hood{.trial = sumfac::quadrilateral(Degree),
                                            .test = sumfac::quadrilateral(Degree - 1)};
