// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem on a bent box, as a weak form, by multigrid, from the mesh to the error and a picture.
// [program]
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>

int main()
{
  using namespace sumfac::weak;
  auto const bend = [](auto at) { at[0] += 0.2 * at[1] * at[1]; return at; };
  auto const exact = [](auto const& at) { return std::sin(3 * at[0] + 2 * at[1] + at[2]); };
  sumfac::mesh const box = sumfac::box_mesh({6, 6, 6}, bend);               // hexahedra, curved
  sumfac::function_space const V{box, 4, box.boundary()};                   // degree 4, given on the boundary
  auto const a = integrate(dot(grad(u), grad(v)));
  sumfac::element_operator<decltype(a), 4> const A{sumfac::host{}, box, a};  // on all cores
  auto const R = V.restriction(sumfac::host{});
  auto b = V.load([&](auto const& at) { return 14 * exact(at); });          // (f, v)
  auto solution = V.lift(A, exact, b);                                      // exact on the boundary
  sumfac::multigrid const P{sumfac::p_levels<4, 2, 1>(A, box, R)};
  auto const result = sumfac::cg(sumfac::global_operator{A, R}, b, solution, P);
  sumfac::write_vtu("first_poisson.vtu", V, {{"u", solution}});             // for ParaView
  double const error = V.l2_error(solution, exact);
  std::printf("%d unknowns, %s\nL2 error: %.1e\n", int(V.size()), result.report().c_str(), error);
  return error < 1e-5 ? 0 : 1;
}
