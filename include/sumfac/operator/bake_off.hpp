// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The bake-off problems by name, each an alias of one operator, with its options: a backend, numbers, a geometry policy
// and a tuning, in any order.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/form/mass.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/operator/element_operator.hpp>

namespace sumfac::SUMFAC_TARGET {

// BP1.0 of the ladder paper, BK1 of CEED: mass, Order + 2 Gauss points.
template <int Order, class... Options>
using bp1 = element_operator<mass, Order, gauss<Order + 2>, Options...>;

// BK2: the mass of three components, Order + 2 Gauss points.
template <int Order, class... Options>
using bp2 = element_operator<vector_mass<3>, Order, gauss<Order + 2>, Options...>;

// BP3.0 of the ladder paper: stiffness plus lambda times mass, Order + 2 Gauss points. CEED's BK3 has no mass term:
// that is element_operator<laplace, Order>.
template <int Order, class... Options>
using bp3 = element_operator<stiffness, Order, gauss<Order + 2>, Options...>;

// BK4: the stiffness of three components, Order + 2 Gauss points.
template <int Order, class... Options>
using bp4 = element_operator<vector_laplace<3>, Order, gauss<Order + 2>, Options...>;

// BP3.5 of the ladder paper: stiffness plus lambda times mass, the points being the nodes.
template <int Order, class... Options>
using bp35 = element_operator<stiffness, Order, gauss_lobatto<Order + 1>, Options...>;

// BK5: stiffness alone, the points being the nodes.
template <int Order, class... Options>
using bp5 = element_operator<laplace, Order, gauss_lobatto<Order + 1>, Options...>;

// BK6: the stiffness of three components, the points being the nodes.
template <int Order, class... Options>
using bp6 = element_operator<vector_laplace<3>, Order, gauss_lobatto<Order + 1>, Options...>;

}  // namespace sumfac
