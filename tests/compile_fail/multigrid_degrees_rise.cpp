// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels of degrees that do not fall.
// expect: sumfac::p_levels: the degrees must fall, as in p_levels<7, 4, 2, 1>
// errors: 1
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/p_levels.hpp>

using mesh_nodes = sumfac::view<double const, sumfac::dextents<5>>;

void make(sumfac::bp5<3> const& A, mesh_nodes nodes, sumfac::restriction<> const& R)
{
#if defined(SUMFAC_FITS)
  static_cast<void>(sumfac::p_levels<3, 2, 1>(A, nodes, R));
#else
  static_cast<void>(sumfac::p_levels<3, 1, 2>(A, nodes, R));
#endif
}
