// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Discontinuous Galerkin by sum{K, F} beside deal.II's MatrixFree, on one mesh, one numbering, by one thread in turns:
// first that both are the same to rounding, then the rates.
//
// usage: faces [ROUNDS]
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

}  // namespace

int main(int argc, char** argv)
{
  int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  std::printf(
      "Millions of degrees of freedom a second, medians; the ratio is the median of the rounds.\n\n"
      "| operator | mesh | N | DOFs | difference | sumfac | deal.II | ratio | rounds |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (double const dofs : {3e4, 1.9e6}) all<sumfac::stored, 2, 4, 7>(dofs, rounds);
  for (double const dofs : {3e4, 1.9e6}) all<sumfac::affine, 2, 4, 7>(dofs, rounds);
}
