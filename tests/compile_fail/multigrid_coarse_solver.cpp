// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A coarse solver that is not called with views.
// expect: sumfac::multigrid: the coarse solver must be a sumfac::coarse_cg, or be called as coarse(r, z)
// errors: 1
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/multigrid.hpp>

using mesh_nodes = sumfac::view<double const, sumfac::dextents<5>>;

void make(sumfac::bp5<2> const& A, mesh_nodes nodes, sumfac::restriction<> const& R)
{
#if defined(SUMFAC_FITS)
  auto const solver = [](auto const&, auto const&) {};
#else
  auto const solver = [](double const*, double*) {};
#endif
  sumfac::multigrid const P{sumfac::p_levels<2, 1>(A, nodes, R), {}, solver};
}
