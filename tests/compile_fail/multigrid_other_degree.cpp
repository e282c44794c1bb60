// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels whose first degree is not the operator's.
// expect: sumfac::p_levels: the first degree must be that of the operator
// errors: 1
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/p_levels.hpp>

using mesh_nodes = sumfac::view<double const, sumfac::dextents<5>>;

void make(sumfac::bp5<3> const& A, mesh_nodes nodes, sumfac::restriction<> const& R)
{
#if defined(SUMFAC_FITS)
  static_cast<void>(sumfac::p_levels<float, 3, 1>(A, nodes, R));
#else
  static_cast<void>(sumfac::p_levels<float, 2, 1>(A, nodes, R));
#endif
}
