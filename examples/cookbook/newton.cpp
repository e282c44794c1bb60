// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Newton's method for - div grad u + u^3 = 8 with nothing given on the boundary: u is 2.
#include "cube.hpp"

struct reaction {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;
  static constexpr bool linear = false;
  template <class T> struct factors { sumfac::symmetric<T, 3> metric; T measure; };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const { return {x.metric(), x.measure()}; }
  template <class T, class U>  // U is T, or a dual number where the tangent is made
  sumfac::point_values<U> apply(factors<T> const& f, sumfac::point_values<U> const& u) const
  {
    return {.value = f.measure * (u.value * u.value * u.value - sumfac::scalar_of<T>(8)),
            .gradient = f.metric * u.gradient};
  }
};

int main()
{
  cube<2> const mesh(2);
  sumfac::element_operator<reaction, 2> const F{sumfac::host{}, mesh.nodes()};
  sumfac::element_operator<sumfac::tangent<reaction>, 2> J{sumfac::host{}, mesh.nodes()};
  sumfac::restriction const R{sumfac::host{}, mesh.table(), mesh.count};
  std::vector<double> u(mesh.count, 1), r(mesh.count);
  for (int step = 0; step < 7; ++step) {
    std::vector<double> w(mesh.count);
    F.apply(R, on(u), on(r));  // r = F(u)
    J.linearize(R, on(u));     // keeps u at the points
    sumfac::cg(sumfac::global_operator{J, R}, on(r), on(w), {.tolerance = 1e-10});
    for (int i = 0; i < mesh.count; ++i) u[i] -= w[i];
  }
  return compare("u in the middle", mesh.middle(u), 2);
}
