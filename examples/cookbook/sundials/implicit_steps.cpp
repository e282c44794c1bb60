// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Implicit steps by SUNDIALS' ARKODE, each stage solved by multigrid: heat in a cube, whose walls are kept at 0.
#include "session.hpp"

using sumfac::sundials::entries_of;

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 4, mesh.boundary()};
  double const dt = 1. / 400, pi = std::acos(-1.);
  sumfac::host const backend;
  sumfac::bp1<4> const M{backend, mesh};
  sumfac::bp3<4> const K{backend, mesh, {.lambda = 0}}, S{backend, mesh, {.lambda = 1 / dt}};  // S: K + M / dt
  auto const R = V.restriction(backend), inside = V.restriction(backend, {.rows = sumfac::constrained_rows::zero});
  sumfac::multigrid const P{sumfac::p_levels<4, 2, 1>(S, mesh, R)};
  auto const hump = [=](auto const& x) { return std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * x[2]); };
  auto u = V.values(hump);
  session const sundials;
  sumfac::sundials::vector const y{sundials, backend, u};  // shares u's entries
  stiff_problem heat;
  heat.mass = [&](N_Vector v, N_Vector to) { M.apply(R, entries_of(v), entries_of(to)); };
  heat.stiffness = [&](N_Vector v, N_Vector to) { K.apply(inside, entries_of(v), entries_of(to)); };
  heat.f = [&](double, N_Vector v, N_Vector to) { heat.stiffness(v, to), N_VScale(-1, to, to); };
  heat.solve = [&](double gamma, N_Vector r, N_Vector z) {
    P.apply(entries_of(r), entries_of(z)), N_VScale(1 / gamma, z, z);
  };
  implicit_steps const steps{sundials, y, heat, 1e-6};
  steps.check(ARKStepSetFixedStep(steps, dt));
  steps.check(ARKStepSetStopTime(steps, 0.05));
  double t = 0;
  steps.check(ARKStepEvolve(steps, 0.05, y, &t, ARK_NORMAL));
  return compare("the middle", *std::max_element(u.begin(), u.end()), std::exp(-3 * pi * pi * 0.05), 1e-4);
}
