// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The usual forms with coefficients: weak forms that need not be written.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/form/weak.hpp>

namespace sumfac::SUMFAC_TARGET::weak {

// Coefficients are all that coefficient() takes: numbers, functions of the position, views by element or point; and
// expressions of these and of parameters.

// (k grad u, grad v), component by component; k a number or, of one component, a matrix of the mesh's coordinates.
template <int Components = 1, class Coefficient = int>
constexpr auto diffusion(Coefficient const& k = 1)
{
  return integrate(inner(coefficient(k) * grad(trial_function<Components>{}), grad(test_function<Components>{})));
}

// (c u, v).
template <int Components = 1, class Coefficient = int>
constexpr auto mass(Coefficient const& c = 1)
{
  constexpr trial_function<Components> w{};
  return integrate(coefficient(c) * detail::product_of_values(w, test_function<Components>{}));
}

// (f, v); f a vector where there are several components.
template <int Components = 1, class Coefficient>
constexpr auto load(Coefficient const& f)
{
  return integrate(detail::product_of_values(coefficient(f), test_function<Components>{}));
}

// (b . grad u, v); b a vector of the mesh's coordinates.
template <class Coefficient>
constexpr auto convection(Coefficient const& b)
{
  return integrate(dot(coefficient(b), grad(u)) * v);
}

// (lambda div u I + 2 mu sym(grad u), grad v): Lame's constants of an isotropic material, 3 or 2 components.
template <int Components = 3, class Coefficient, class Other>
constexpr auto elasticity(Coefficient const& lambda, Other const& mu)
{
  constexpr trial_function<Components> w{};
  return integrate(inner(coefficient(lambda) * div(w) * identity + 2 * coefficient(mu) * sym(grad(w)),
                         grad(test_function<Components>{})));
}

}  // namespace sumfac::weak
