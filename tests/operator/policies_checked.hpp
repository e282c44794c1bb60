// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Recomputed geometry in device kernels, watched by `checked`: several elements
// a team and a last team that is not full, without a finding.
#pragma once

#include "policies.hpp"

#include <sumfac/backend/checked.hpp>

namespace checks {

using sumfac::tuning, sumfac::variant;

// Two teams, the second of which has one element alone; `checked` throws at the
// first finding.
template <class Form, int N, class Points, class Policy, class Scalar = double,
          tuning Tuning = sumfac::recommended_tuning<sumfac::checked, Form, N, Points, Scalar, Policy>>
void agrees_on_checked(reference::space const& space, reference::integrand<> const& form, Form const& own_form = {})
{
  using operator_type = sumfac::element_operator<Form, N, Points, sumfac::checked, Scalar, Policy, Tuning>;
  auto const where = reference::gauss_lobatto(3);
  checks::agrees_with_oracle<operator_type>(checks::mesh_for(Policy{}, Tuning.elements + 1, where), where, space, form,
                                            own_form);
}

inline constexpr tuning cubes{.elements = 3, .padding = 1};
inline constexpr tuning early_cubes{.elements = 2, .ahead = sumfac::prefetch::registers};
inline constexpr tuning slices{.way = variant::slices, .elements = 2, .planes = 2, .ahead = sumfac::prefetch::cache};
inline constexpr tuning planes{.way = variant::planes};

template <int N, class Policy, tuning Tuning, class Scalar = double>
void stiffness_by_way()
{
  agrees_on_checked<sumfac::stiffness, N, sumfac::gauss<N + 2>, Policy, Scalar, Tuning>(
      reference::on_gauss(N), reference::stiffness(0.3), {.lambda = 0.3});
}
template <int N, class Policy, tuning Tuning, class Scalar = double>
void collocated_by_way()
{
  agrees_on_checked<sumfac::stiffness, N, sumfac::gauss_lobatto<N + 1>, Policy, Scalar, Tuning>(
      reference::collocated(N), reference::stiffness(0.3), {.lambda = 0.3});
}
template <int N, class Policy, tuning Tuning, class Scalar = double>
void mass_by_way()
{
  agrees_on_checked<sumfac::mass, N, sumfac::gauss<N + 2>, Policy, Scalar, Tuning>(reference::on_gauss(N),
                                                                                   reference::mass());
}

}  // namespace checks
