// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A hot block cools down into its surroundings: a conductivity that depends on the temperature, in steps of time.
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// [form]
// (u, v) / dt + (k(t) grad u, grad v): t, the temperature of the step before, is another function on the mesh.
struct cooling {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;
  using inputs = sumfac::reads<sumfac::input{.components = 1, .evaluates = sumfac::value}>;

  template <class T>
  struct factors {
    T measure;
    sumfac::symmetric<T, 3> metric;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure(), x.metric()};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u,
                                                sumfac::point_values<T> const& t) const
  {
    T const k = sumfac::scalar_of<T>(1) + t.value * t.value;
    return {.value = sumfac::scalar_of<T>(1 / dt) * (f.measure * u.value), .gradient = k * (f.metric * u.gradient)};
  }

  double dt = 1;
};
// [form]

constexpr int order = 3, cells = 4, steps = 6;
constexpr int points = cells * order + 1, nodes = points * points * points;
constexpr double dt = 2e-3;

double sum(std::vector<double> const& x)
{
  double total = 0;
  for (double const at : x) total += at;
  return total;
}

double greatest(std::vector<double> const& x)
{
  double most = 0;
  for (double const at : x) most = std::abs(at) > most ? std::abs(at) : most;
  return most;
}

}  // namespace

int main()
{
  sumfac::mesh const cube = sumfac::box_mesh({cells, cells, cells});
  sumfac::function_space const V{cube, order};
  sumfac::host const backend;
  auto const R = V.restriction(backend);
  sumfac::element_operator<sumfac::mass, order> const M{backend, cube};
  sumfac::element_operator<cooling, order> A{backend, cube, cooling{.dt = dt}};

  auto const near_corner = [](auto const& x) { return std::fmax(x[0], std::fmax(x[1], x[2])) < 0.5 - 1e-9; };
  auto temperature = V.values([&](auto const& x) { return near_corner(x) ? 3 : 0; });  // a corner is hot
  std::vector<double> before(nodes), heat(nodes), b(nodes), residual(nodes);
  sumfac::view const t(temperature.data(), nodes), t_before(before.data(), nodes), rhs(b.data(), nodes),
      of_heat(heat.data(), nodes), r(residual.data(), nodes);

  M.apply(R, t, of_heat);
  double const at_first = sum(heat);
  std::printf("step  iterations  heat        highest temperature\n");
  bool conserved = true, solved = true;
  double highest = greatest(temperature);
  for (int step = 1; step <= steps; ++step) {
    // [step]
    before = temperature;
    for (int i = 0; i < nodes; ++i) b[std::size_t(i)] = heat[std::size_t(i)] / dt;
    A.linearize(sumfac::field(R, t_before));                           // t at the points, kept
    auto const result = sumfac::cg(sumfac::global_operator(A, R), rhs, t, {.iterations = 500, .tolerance = 1e-12});
    // [step]
    // [call]
    A.apply(R, t, r, sumfac::field(R, t_before));                      // the same, t read in the kernel
    // [call]
    for (int i = 0; i < nodes; ++i) residual[std::size_t(i)] -= b[std::size_t(i)];
    M.apply(R, t, of_heat);
    std::printf("%4d  %10ld  %.8f  %.6f\n", step, long(result.iterations), sum(heat), greatest(temperature));
    conserved = conserved && std::abs(sum(heat) - at_first) < 1e-9 * at_first;
    solved = solved && result.status == sumfac::solve_status::converged && greatest(residual) < 1e-8 * greatest(b) &&
             greatest(temperature) < highest;
    highest = greatest(temperature);
  }
  if (!conserved) std::printf("heat was lost\n");
  if (!solved) std::printf("a step was not solved\n");
  return conserved && solved ? 0 : 1;
}
