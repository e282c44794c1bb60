// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Convection and diffusion on a box, whose matrix is not symmetric, by GMRES; steps in time from guesses.
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr int order = 4, cells = 4;  // cells per direction of the box
constexpr int points = cells * order + 1, count = points * points * points;

// (shift u, v) + (diffusion grad u, grad v) + (wind . grad u, v)
struct convection {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;

  template <class T>
  struct factors {
    T measure;
    sumfac::symmetric<T, 3> metric;
    sumfac::vector<T, 3> wind;
  };

  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    auto const inverse = x.inverse();
    factors<T> f{x.measure(), x.metric(), {}};
    for (int d = 0; d < 3; ++d)
      f.wind[d] = x.measure() * (inverse(d, 0) * sumfac::scalar_of<T>(wind[0]) +
                                 inverse(d, 1) * sumfac::scalar_of<T>(wind[1]) +
                                 inverse(d, 2) * sumfac::scalar_of<T>(wind[2]));
    return f;
  }

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    sumfac::point_values<T> v;
    v.value = sumfac::scalar_of<T>(shift) * (f.measure * u.value) + f.wind[0] * u.gradient[0] +
              f.wind[1] * u.gradient[1] + f.wind[2] * u.gradient[2];
    v.gradient = sumfac::scalar_of<T>(diffusion) * (f.metric * u.gradient);
    return v;
  }

  double shift = 0, diffusion = 1, wind[3] = {0, 0, 0};
};

}  // namespace

int main()
{
  sumfac::mesh const nodes = sumfac::box_mesh({cells, cells, cells});
  sumfac::function_space const V{nodes, order, nodes.boundary()};
  sumfac::host const backend;
  auto const R = V.restriction(backend);
  std::vector<double> b_data(count), u_data(count);
  sumfac::view b(b_data.data(), count), u(u_data.data(), count);
  for (int i = 0; i < count; ++i) b(i) = V.is_fixed(i) ? 0 : 1e-3;

  sumfac::element_operator<convection, order> const A{backend, nodes, {.diffusion = 1, .wind = {20, 10, 5}}};
  // [gmres]
  sumfac::global_operator const L{A, R};
  sumfac::jacobi const P{L};
  sumfac::gmres_workspace space{backend, L.size(), 50};              // directions until it begins anew
  sumfac::solve_result const r = sumfac::gmres(L, b, u, P, {.tolerance = 1e-10}, sumfac::no_monitor{}, space);
  std::printf("%s\n", r.report().c_str());
  // [gmres]

  // A step of the heat equation is the same symmetric matrix each time.
  sumfac::element_operator<convection, order> const S{backend, nodes, {.shift = 100, .diffusion = 1}};
  sumfac::global_operator const H{S, R};
  sumfac::jacobi const Q{H};
  int plain = 0, guessed = 0;
  std::vector<double> v_data(count), w_data(count);
  sumfac::view v(v_data.data(), count), w(w_data.data(), count);
  sumfac::vector_ops const ops{backend, H.size()};
  // [history]
  sumfac::guess_history history{backend, H.size()};
  for (int step = 0; step < 12; ++step) {
    for (int i = 0; i < count; ++i) w(i) = b(i) * std::exp(-0.1 * step) * (1 + u(i) * step);
    history.guess(w, v);                                            // the best of the space of solutions so far
    sumfac::cg_options const options{.tolerance = 0, .absolute = 1e-8 * ops.norm(w)};  // not of what is left to do
    guessed += int(sumfac::cg(H, w, v, Q, options).iterations);
    history.add(H, v);
  }
  // [history]
  for (int step = 0; step < 12; ++step) {
    for (int i = 0; i < count; ++i) w(i) = b(i) * std::exp(-0.1 * step) * (1 + u(i) * step), v(i) = 0;
    plain += int(sumfac::cg(H, w, v, Q).iterations);
  }
  std::printf("12 steps: %d iterations from zero, %d from guesses\n", plain, guessed);
  return r && guessed < plain ? 0 : 1;
}
