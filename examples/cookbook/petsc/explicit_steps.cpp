// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sound between walls by discontinuous Galerkin and a Runge-Kutta method of PETSc's: after a period it is as it was.
// Try explicit_steps -ts_monitor -ts_rk_type 5dp -ts_adapt_type basic.
#include "../../flows.hpp"
#include "../../in_time.hpp"
#include "ts.hpp"

using sound = flows::sound<2>;

int main(int argc, char** argv)
{
  session const petsc(argc, argv, "-ts_type rk -ts_rk_type 4 -ts_adapt_type none -ts_dt 0.014142135623730951 "
                                  "-ts_max_time 1.4142135623730951 -ts_exact_final_time matchstep");
  constexpr auto space = sumfac::quadrilateral(3);
  sumfac::mesh const box = sumfac::box_mesh({4, 4}, [](auto const& x) { return x; }, 3);
  sumfac::host const backend;
  sumfac::element_operator<flows::within<sound>, space, sumfac::gauss<4>> const A{backend, box};
  sumfac::interior_operator<flows::between<sound>, space, sumfac::gauss<4>> const F{backend, box};
  sumfac::sum const terms{A, F};
  sumfac::inverse_mass<space> const inverse{backend, box};
  sumfac::vector_ops const ops{backend, terms.size()};
  time_steps const steps([&](auto const& u, auto const& r) {  // r = -M^-1 (A u + F u)
    terms.apply(u, r);
    auto const of_elements = sumfac::view(r.data(), box.elements(), 3, 4, 4);
    inverse.apply(of_elements, of_elements);
    ops.scale(-1.0, r);
  });
  double const pi = std::acos(-1.);
  auto const first = at_nodes(box, [=](auto const& x) {
    return sumfac::vector<double, 3>{std::cos(pi * x[0]) * std::cos(pi * x[1]), 0, 0};
  });
  auto u = first;
  TSSolve(steps, shared_vec(u));
  return compare("error after a period", difference(u, first), 0, 2e-4);
}
