// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Discontinuous Galerkin by sum{K, F} beside deal.II's MatrixFree, on one mesh, one numbering, by one thread in turns:
// first that both are the same to rounding, then the rates. Then both solve -Laplace u = 1 by conjugate gradients with
// their multigrid.
//
// usage: faces [ROUNDS [solves]]; with the word solves alone
#include "../subjects/faces.hpp"
#include "../report/timing.hpp"
#include "dealii_faces.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

using namespace sumfac::bench::faces;

// On the cube the elements' geometry is said to be affine, which deal.II finds out by itself.
template <class Form, class FaceForm, int N, class Geometry>
void compare(char const* name, double dofs, int rounds)
{
  constexpr bool bent = std::is_same_v<Geometry, sumfac::stored>;
  int const cells = static_cast<int>(std::lround(std::cbrt(dofs) / (N + 1)));
  sumfac::host const backend{1};
  sumfac::mesh const mesh = box(cells, bent);
  sumfac::element_operator<Form, N, sumfac::gauss<N + 1>, Geometry> const K{backend, mesh};
  sumfac::interior_operator<FaceForm, N, sumfac::gauss<N + 1>> const F{backend, mesh};
  sumfac::sum const A{K, F};
  auto const peer =
      make_dealii_faces(N, std::is_same_v<Form, sumfac::laplace>, cells, bent ? bend : nullptr, penalty, wind_speed);
  std::vector<double> u(static_cast<std::size_t>(A.size())), v(u.size()), w(u.size());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (double& x : u) x = uniform(random);
  peer->set(u.data());
  peer->apply();
  peer->get(w.data());
  A.apply(u, v);
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    most = std::max(most, std::abs(v[i] - w[i])), largest = std::max(largest, std::abs(v[i]));
  if (!(most < 1e-12 * largest)) throw std::runtime_error("faces: the results differ");
  std::vector<double> ours, theirs, ratios;
  for (int round = 0; round < rounds; ++round) {
    ours.push_back(least_seconds(
        sumfac::bench::now, [&] { A.apply(u, v); }, 3, 2e-2));
    theirs.push_back(least_seconds(
        sumfac::bench::now, [&] { peer->apply(); }, 3, 2e-2));
    ratios.push_back(theirs.back() / ours.back());
  }
  auto const rate = [&](std::vector<double> const& seconds) {
    return 1e-6 * double(A.size()) / sumfac::bench::median(seconds);
  };
  std::printf("| %s | %s | %d | %lld | %.1e | %.1f | %.1f | %.2f | %.2f to %.2f |\n", name, bent ? "bent" : "cube", N,
              static_cast<long long>(A.size()), most / largest, rate(ours), rate(theirs), sumfac::bench::median(ratios),
              *std::min_element(ratios.begin(), ratios.end()), *std::max_element(ratios.begin(), ratios.end()));
  std::fflush(stdout);
}

template <class Geometry, int... N>
void all(double dofs, int rounds)
{
  ((compare<sumfac::laplace, interior_penalty, N, Geometry>("Laplace", dofs, rounds),
    compare<wind, upwind, N, Geometry>("advection", dofs, rounds)),
   ...);
}

// Of unit cubes that are cut into 2^3, and these again. Both take the smoother that is fastest.
template <int N, int... Lower>
void compare_solves(double dofs, int rounds)
{
  int const times = static_cast<int>(std::lround(std::log2(std::cbrt(dofs) / (N + 1)))), cells = 1 << times;
  double const penalty = double(N + 1) * (N + 1) * cells;
  sumfac::host const backend{1};
  sumfac::mesh const mesh = sumfac::refined(box(1, false), times);
  sumfac::element_operator<sumfac::laplace, N, sumfac::gauss<N + 1>, sumfac::affine> const K{backend, mesh};
  sumfac::interior_operator<interior_penalty, N, sumfac::gauss<N + 1>> const F{backend, mesh,
                                                                               interior_penalty{penalty}};
  sumfac::sum const A{K, F};
  // For the levels, all of which are in float, as deal.II's are.
  sumfac::element_operator<sumfac::laplace, N, sumfac::gauss<N + 1>, sumfac::affine, float> const K32{backend, mesh};
  sumfac::interior_operator<interior_penalty, N, sumfac::gauss<N + 1>, float> const F32{backend, mesh, F.form()};
  sumfac::sum const A32{K32, F32};
  sumfac::function_space const V{mesh, N, mesh.boundary()}, D{mesh, N, {.continuous = false}};
  auto const R32 = V.restriction<float>(backend);
  auto const b = D.load([](auto const&) { return 1.0; });
  auto const peer = make_dealii_faces(N, true, cells, nullptr, penalty, wind_speed, true);
  std::vector<double> u(b.size());
  auto const solve = [&](auto const& P) {
    std::fill(u.begin(), u.end(), 0.0);
    double const begin = sumfac::bench::now();
    auto const result = sumfac::cg(A, b, u, P, {.iterations = 1000, .tolerance = 1e-8});
    double const seconds = sumfac::bench::now() - begin;
    if (!result) throw std::runtime_error("faces: conjugate gradients did not converge");
    double integral = 0;
    for (std::size_t i = 0; i < u.size(); ++i) integral += u[i] * b[i];
    return dealii_solution{static_cast<int>(result.iterations), seconds, integral};
  };
  auto const of_degree = [&](int degree) {
    return sumfac::multigrid{sumfac::p_levels<N, Lower...>(A32, K32, mesh, R32),
                             {.smoother = sumfac::chebyshev{degree}}};
  };
  int best[2] = {};
  double least[2] = {1e9, 1e9};
  for (int const degree : {3, 4, 5, 6}) {
    auto const P = of_degree(degree);
    for (int again = 0; again < 2; ++again) {
      double const taken[] = {solve(P).seconds, peer->solve(static_cast<unsigned>(degree)).seconds};
      for (int of = 0; of < 2; ++of)
        if (taken[of] < least[of]) least[of] = taken[of], best[of] = degree;
    }
  }
  auto const P = of_degree(best[0]);
  peer->solve(static_cast<unsigned>(best[1]));
  dealii_solution ours{}, theirs{};
  std::vector<double> seconds[2], ratios;
  for (int round = 0; round < rounds; ++round) {
    seconds[0].push_back((ours = solve(P)).seconds);
    seconds[1].push_back((theirs = peer->solve(static_cast<unsigned>(best[1]))).seconds);
    ratios.push_back(seconds[1].back() / seconds[0].back());
  }
  double const off = std::abs(ours.integral - theirs.integral) / theirs.integral;
  if (!(off < 1e-7)) throw std::runtime_error("faces: the solutions differ");
  std::printf("| %d | %lld | %.1e | %d | %d | %.1f | %d | %d | %.1f | %.2f | %.2f to %.2f |\n", N,
              static_cast<long long>(A.size()), off, best[0], ours.iterations, 1e3 * sumfac::bench::median(seconds[0]),
              best[1], theirs.iterations, 1e3 * sumfac::bench::median(seconds[1]), sumfac::bench::median(ratios),
              *std::min_element(ratios.begin(), ratios.end()), *std::max_element(ratios.begin(), ratios.end()));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv)
{
  int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  if (argc <= 2 || argv[2] != std::string_view("solves")) {
    std::printf(
        "Millions of degrees of freedom a second, medians; the ratio is the median of the rounds.\n\n"
        "| operator | mesh | N | DOFs | difference | sumfac | deal.II | ratio | rounds |\n"
        "|---|---|---|---|---|---|---|---|---|\n");
    for (double const dofs : {3e4, 1.9e6}) all<sumfac::stored, 2, 4, 7>(dofs, rounds);
    for (double const dofs : {3e4, 1.9e6}) all<sumfac::affine, 2, 4, 7>(dofs, rounds);
  }
  std::printf(
      "\nSolves to 1e-8, milliseconds; degrees of the smoothers.\n\n"
      "| N | DOFs | difference | sumfac: degree | its | ms | deal.II: degree | its | ms | ratio | rounds |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (double const dofs : {3e4, 3e5}) {
    compare_solves<2, 1>(dofs, rounds);
    compare_solves<4, 2, 1>(dofs, rounds);
    compare_solves<7, 4, 1>(dofs, rounds);
  }
}
