// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Newton's method with multigrid: a square of St. Venant-Kirchhoff's material, pulled by 0.704 to 1.2 times its length.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = refined(sumfac::box_mesh({2, 2}), 2);
  sumfac::function_space<2> const V{
      mesh, 2, {{mesh.boundary("x0"), 0}, {mesh.boundary("y0"), 1}}, {.components = 2}};
  using namespace sumfac::weak;
  constexpr trial_function<2> moved;
  auto const E = sym(grad(moved)) + 0.5 * transpose(grad(moved)) * grad(moved);
  auto const W = energy(inner(E, E) + 0.5 * trace(E) * trace(E));
  using residual = sumfac::residual<std::remove_const_t<decltype(W)>>;
  sumfac::host const backend;
  sumfac::element_operator<residual, sumfac::quadrilateral(2)> const F{backend, mesh, W};
  sumfac::element_operator<sumfac::tangent<residual>, sumfac::quadrilateral(2)> J{backend, mesh, F.form()};
  auto const R = V.restriction(backend);
  auto const pull = V.on(mesh.boundary("x1")).load([](auto const&) { return sumfac::vector<double, 2>{0.704, 0}; });
  std::vector<double> state(V.size()), r(V.size());
  J.linearize(R, state);
  sumfac::multigrid P{sumfac::p_levels<2, 1>(J, mesh, R, sumfac::field(R, state))};
  for (int step = 0; step < 5; ++step) {
    std::vector<double> w(V.size());
    F.apply(R, state, r);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= pull[i];
    J.linearize(R, state);
    P.update(R, state);  // the same state on all levels, in the memory they have
    std::printf("%s\n", sumfac::cg(sumfac::global_operator{J, R}, r, w, P, {.absolute = 1e-13}).report().c_str());
    for (std::size_t i = 0; i < w.size(); ++i) state[i] -= w[i];
  }
  return compare("the end moves by", *std::max_element(state.begin(), state.end()), 0.2);
}
