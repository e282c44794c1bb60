// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The residual of a form that has no energy.
// expect: sumfac::residual: the form has no energy(factors<T>, point_values<T, components>, inputs...) const
#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/tangent.hpp>

sumfac::point_values<double> f(sumfac::residual<sumfac::laplace> const& form, sumfac::laplace::factors<double> const& g)
{
  return form.apply(g, sumfac::point_values<double>{});
}
