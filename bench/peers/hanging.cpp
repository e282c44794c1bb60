// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Laplace on adaptively refined meshes beside deal.II's MatrixFree, on one mesh, by one thread in turns: first that
// both are the same to rounding, then the rates of the operator and of solves by conjugate gradients.
//
// usage: hanging [ROUNDS [operator]]
#include "../report/timing.hpp"
#include "../subjects/faces.hpp"
#include "dealii_hanging.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace {

using sumfac::index_t;
using sumfac::bench::faces::bend, sumfac::bench::faces::least_seconds;

// Where unknowns of one program are among the nodes of the other: by their places.
std::vector<std::size_t> places_of(std::vector<double> const& points, std::vector<double> const& nodes,
                                   std::vector<bool> const& is_unknown)
{
  auto const key = [](double const* x) {
    auto const rounded = [](double a) { return std::llround(a * 1e9); };
    return std::tuple{rounded(x[0]), rounded(x[1]), rounded(x[2])};
  };
  // A node may be rounded to the number beside that of its point.
  auto const near = [](auto const& at, int i) {
    auto const& [x, y, z] = at;
    return std::tuple{x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1};
  };
  std::map<decltype(key(nullptr)), std::size_t> known;
  for (std::size_t i = 0; i < is_unknown.size(); ++i)
    if (is_unknown[i]) known[key(&nodes[3 * i])] = i;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < points.size(); i += 3) {
    auto const at = key(&points[i]);
    auto node = known.find(at);
    for (int j = 0; node == known.end() && j < 27; ++j) node = known.find(near(at, j));
    if (node == known.end()) throw std::runtime_error("hanging: an unknown of deal.II's is none of sumfac's");
    found.push_back(node->second);
  }
  if (found.size() != known.size()) throw std::runtime_error("hanging: the numbers of unknowns differ");
  return found;
}

struct in_turns {
  std::vector<double> ours = {}, theirs = {}, ratios = {};

  template <class Ours, class Theirs>
  void round(Ours const& own, Theirs const& other, int samples, double least)
  {
    ours.push_back(least_seconds(sumfac::bench::now, own, samples, least));
    theirs.push_back(least_seconds(sumfac::bench::now, other, samples, least));
    ratios.push_back(theirs.back() / ours.back());
  }
  void print(char const* what, double count) const
  {
    auto const rate = [&](std::vector<double> const& seconds) { return 1e-6 * count / sumfac::bench::median(seconds); };
    auto const [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    std::printf(" %s | %.1f | %.1f | %.2f | %.2f to %.2f |\n", what, rate(ours), rate(theirs),
                sumfac::bench::median(ratios), *least, *most);
    std::fflush(stdout);
  }
};

template <int N>
void compare(int cells, int local, int rounds, bool solves)
{
  auto const peer = make_dealii_hanging(N, cells, local, bend);
  auto const vertices = peer->vertices();
  index_t const elements = static_cast<index_t>(vertices.size() / 24);
  sumfac::host const backend{1};
  sumfac::mesh<3> const mesh(sumfac::view(vertices.data(), elements, 2, 2, 2, 3));
  sumfac::function_space const V{mesh, N, mesh.boundary()};
  sumfac::element_operator<sumfac::laplace, N, sumfac::gauss<N + 1>> const K{backend, mesh};
  auto const R = V.restriction(backend);
  sumfac::global_operator const A{K, R};

  std::vector<bool> is_unknown(static_cast<std::size_t>(V.nodes()));
  for (index_t i = 0; i < V.nodes(); ++i) is_unknown[static_cast<std::size_t>(i)] = !V.is_fixed(i);
  for (index_t i = 0; i < V.hanging().size(); ++i)
    is_unknown[static_cast<std::size_t>(V.hanging().row(i).node)] = false;
  auto const node = places_of(peer->points(), V.positions(), is_unknown);

  std::vector<double> u(static_cast<std::size_t>(A.size())), v(u.size()), d(u.size()), theirs(node.size());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (std::size_t i = 0; i < node.size(); ++i) theirs[i] = u[node[i]] = uniform(random);
  auto const difference = [&](std::vector<double> const& ours, std::vector<double> const& other) {
    double most = 0, largest = 0;
    for (std::size_t i = 0; i < node.size(); ++i) {
      most = std::max(most, std::abs(ours[node[i]] - other[i]));
      largest = std::max(largest, std::abs(ours[node[i]]));
    }
    return most / largest;
  };
  peer->set(theirs);
  peer->apply();
  A.apply(u, v);
  double const off = difference(v, peer->result());
  if (!(off < 1e-12)) throw std::runtime_error("hanging: the results differ");

  // Beside the same elements with every node an unknown: what elements with sides or edges that hang take more.
  sumfac::restriction const apart{backend, V.table(), V.nodes(), V.marks()};
  sumfac::global_operator const B{K, apart};
  in_turns applied, solved, beside;
  for (int round = 0; round < rounds; ++round) {
    applied.round([&] { A.apply(u, v); }, [&] { peer->apply(); }, 3, 2e-2);
    beside.round([&] { B.apply(u, d); }, [&] { A.apply(u, v); }, 3, 2e-2);
  }
  double const share = static_cast<double>(R.table().masks().size()) / static_cast<double>(elements);
  std::printf("| %d | %lld | %lld | %.0f %% | %.2f | %.1e |", N, static_cast<long long>(elements),
              static_cast<long long>(node.size()), 100 * share, 1 + (sumfac::bench::median(beside.ratios) - 1) / share,
              off);
  applied.print("operator", double(node.size()));
  if (!solves) return;

  A.diagonal(d);
  std::vector<double> of_theirs;
  for (std::size_t const i : node) of_theirs.push_back(d[i]);
  peer->set_diagonal(of_theirs);
  sumfac::jacobi const P{backend, d};
  sumfac::cg_workspace<double> workspace(backend, A.size());
  int ours = 0, others = 0;
  auto const solve = [&] {
    std::fill(v.begin(), v.end(), 0);
    ours = sumfac::merged_cg(A, u, v, P, {.tolerance = 1e-8}, sumfac::no_monitor{}, workspace).iterations;
  };
  for (int round = 0; round < rounds; ++round)
    solved.round(
        solve, [&] { others = peer->solve(1e-8); }, 1, 0);
  double const off_solved = difference(v, peer->result());
  if (!(off_solved < 1e-6) || std::abs(ours - others) > 2) {
    std::fprintf(stderr, "%g apart, %d and %d iterations\n", off_solved, ours, others);
    throw std::runtime_error("hanging: the solutions differ");
  }
  std::printf("| %d | | | %d iterations | | %.1e |", N, ours, off_solved);
  solved.print("iteration of a solve", double(node.size()) * ours);
}

}  // namespace

int main(int argc, char** argv)
{
  int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  bool const solves = argc < 3;
  std::printf(
      "Millions of unknowns a second, medians; the ratio is the median of the rounds.\n\n"
      "| N | elements | unknowns | masked | cost | difference | what | sumfac | deal.II | ratio | rounds |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n");
  compare<2>(3, 2, rounds, solves);
  compare<4>(2, 1, rounds, solves);
  compare<7>(2, 1, rounds, solves);
  compare<2>(6, 3, rounds, solves);
  compare<4>(4, 3, rounds, solves);
  compare<7>(4, 2, rounds, solves);
}
