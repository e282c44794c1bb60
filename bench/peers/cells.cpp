// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The Laplacian on tetrahedra beside deal.II's MatrixFree, dense products by BLAS that are not fused with anything, and
// PETSc's product of the assembled matrix, on one mesh, by one thread in turns: first that all are the same to
// rounding, then the rates.
//
// usage: cells [ROUNDS]
#include <sumfac/sumfac.hpp>

#include "../report/timing.hpp"
#include "../subjects/faces.hpp"
#include "dealii_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

extern "C" void dgemm_(char const*, char const*, int const*, int const*, int const*, double const*, double const*,
                       int const*, double const*, int const*, double const*, double*, int const*);

namespace {

using sumfac::index_t;

// Rules of the fewest points that are exact, as deal.II's have 1, 6 and 14.
struct middle {
  static constexpr int size = 1;
  static constexpr std::array<std::array<long double, 3>, size> points = {{{0.25L, 0.25L, 0.25L}}};
  static constexpr std::array<long double, size> weights = {1.0L / 6};
};
template <int N>
struct least_rule : sumfac::tetrahedron_rule<2 * N - 2> {};
template <>
struct least_rule<1> : middle {};

// Gather, gradients at all points of some elements by one product, metric, the transposed product, scatter.
template <int N>
class by_blas {
  using rule = least_rule<N>;
  static constexpr auto space = sumfac::tetrahedron(N, sumfac::node_placement::equispaced);
  static constexpr int nodes = sumfac::detail::functions_of_cell(space), rows = 3 * rule::size, block = 64;

public:
  by_blas(sumfac::cell_mesh<3> const& mesh, index_t size, sumfac::view<std::int32_t const, sumfac::dextents<2>> table)
      : size_(size), table_(table), gradients_(std::size_t(rows * nodes))
  {
    auto const basis = sumfac::detail::basis_of(space);
    std::vector<long double> values(nodes), slopes(3 * nodes);
    for (int q = 0; q < rule::size; ++q) {
      basis.evaluate(rule::points[std::size_t(q)].data(), values.data(), slopes.data());
      for (int p = 0; p < nodes; ++p)
        for (int d = 0; d < 3; ++d)
          gradients_[std::size_t(p * rows + 3 * q + d)] = double(slopes[std::size_t(3 * p + d)]);
    }
    for (index_t e = 0; e < mesh.elements(); ++e) {
      sumfac::vector<double, 3> side[3];
      for (int d = 0; d < 3; ++d)
        for (int c = 0; c < 3; ++c) side[d][c] = mesh.vertex_at(e, d + 1)[c] - mesh.vertex_at(e, 0)[c];
      sumfac::vector<double, 3> normal[3];
      for (int d = 0; d < 3; ++d) normal[d] = cross(side[(d + 1) % 3], side[(d + 2) % 3]);
      for (auto const& a : normal)
        for (auto const& b : normal) metric_.push_back(dot(a, b) / dot(side[0], normal[0]));
    }
    u_.resize(std::size_t(nodes * block)), g_.resize(std::size_t(rows * block));
  }

  void apply(double const* x, double* y)
  {
    std::fill(y, y + size_, 0.0);
    double const one = 1, zero = 0;
    for (index_t first = 0; first < table_.extent(0); first += block) {
      int const count = int(std::min<index_t>(block, table_.extent(0) - first));
      std::int32_t const* const at = table_.data() + first * nodes;
      for (int i = 0; i < count * nodes; ++i) u_[std::size_t(i)] = x[at[i]];
      dgemm_("N", "N", &rows, &count, &nodes, &one, gradients_.data(), &rows, u_.data(), &nodes, &zero, g_.data(),
             &rows);
      for (int e = 0; e < count; ++e) {
        double const* const m = &metric_[std::size_t(9 * (first + e))];
        for (int q = 0; q < rule::size; ++q) {
          double* const g = &g_[std::size_t(e * rows + 3 * q)];
          double const weight = double(rule::weights[std::size_t(q)]), a = g[0], b = g[1], c = g[2];
          for (int d = 0; d < 3; ++d) g[d] = weight * (m[3 * d] * a + m[3 * d + 1] * b + m[3 * d + 2] * c);
        }
      }
      dgemm_("T", "N", &nodes, &count, &rows, &one, gradients_.data(), &rows, g_.data(), &rows, &zero, u_.data(),
             &nodes);
      for (int i = 0; i < count * nodes; ++i) y[at[i]] += u_[std::size_t(i)];
    }
  }

private:
  index_t size_;
  sumfac::view<std::int32_t const, sumfac::dextents<2>> table_;
  std::vector<double> gradients_, metric_, u_, g_;
};

template <int N>
void compare(int cubes, int rounds)
{
  constexpr auto space = sumfac::tetrahedron(N, sumfac::node_placement::equispaced);
  sumfac::host const backend{1};
  constexpr bool has_peer = N <= 2;  // deal.II 9.4 has no FE_SimplexP of higher degrees
  auto const peer = make_dealii_cells(has_peer ? N : 1, cubes);
  sumfac::cell_mesh<3> const mesh(sumfac::view(peer->vertices.data(), index_t(peer->vertices.size()) / 3, index_t{3}),
                                  sumfac::view(peer->table.data(), index_t(peer->table.size()) / 4, index_t{4}));
  sumfac::function_space const V{mesh, N, {.nodes = sumfac::node_placement::equispaced}};
  auto const R = V.restriction(backend);
  sumfac::element_operator<sumfac::laplace, space, least_rule<N>, sumfac::affine> const A{backend, mesh};

  // deal.II's numbers of our functions, by where they are.
  auto const key_of = [](double const* x) {
    return std::array{std::lround(1e7 * x[0]), std::lround(1e7 * x[1]), std::lround(1e7 * x[2])};
  };
  std::map<std::array<long, 3>, std::size_t> known;
  for (std::size_t i = 0; i < peer->places.size(); ++i) known[key_of(peer->places[i].data())] = i;
  auto const places = V.positions();
  std::vector<std::size_t> other;
  for (index_t i = 0; has_peer && i < V.size(); ++i) other.push_back(known.at(key_of(&places[std::size_t(3 * i)])));

  auto const n = std::size_t(V.size());
  std::vector<double> u(n), v(n), w(n), theirs(n);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (double& x : u) x = uniform(random);
  for (std::size_t i = 0; has_peer && i < n; ++i) theirs[other[i]] = u[i];
  peer->set(theirs.data());
  auto const matrix = sumfac::assemble(A, R);
  auto const petsc = make_petsc_product({matrix.first().begin(), matrix.first().end()},
                                        {matrix.columns().begin(), matrix.columns().end()}, matrix.values(), u);
  by_blas<N> blas(mesh, V.size(), V.table());

  auto const ours = [&] { A.apply(R, u, v); };
  auto const by_dealii = [&] { peer->apply(); };
  auto const dense = [&] { blas.apply(u.data(), w.data()); };
  auto const assembled = [&] { petsc->apply(); };
  ours(), by_dealii(), dense(), assembled();
  double largest = 0, most = 0;
  for (double const x : v) largest = std::max(largest, std::abs(x));
  auto const off = [&](std::vector<double> const& from, auto const& number) {
    for (std::size_t i = 0; i < n; ++i) most = std::max(most, std::abs(v[i] - from[number(i)]) / largest);
  };
  auto const same = [](std::size_t i) { return i; };
  off(w, same);
  if (has_peer) {
    peer->get(theirs.data());
    off(theirs, [&](std::size_t i) { return other[i]; });
  }
  petsc->get(theirs.data());
  off(theirs, same);
  if (!(most < 1e-12)) throw std::runtime_error("cells: the results differ");

  std::vector<double> seconds[4], ratios[3];
  for (int round = 0; round < rounds; ++round) {
    auto const time = [&](int which, auto const& f) {
      seconds[which].push_back(sumfac::bench::faces::least_seconds(sumfac::bench::now, f, 3, 2e-2));
      if (which > 0) ratios[which - 1].push_back(seconds[which].back() / seconds[0].back());
    };
    time(0, ours), time(2, dense), time(3, assembled);
    if (has_peer) time(1, by_dealii);
  }
  std::printf("| %d | %lld | %.0e | %.1f |", N, static_cast<long long>(V.size()), most,
              1e-6 * double(n) / sumfac::bench::median(seconds[0]));
  for (auto const& of : ratios)
    if (of.empty())
      std::printf(" |");
    else
      std::printf(" %.2f (%.2f to %.2f) |", sumfac::bench::median(of), *std::min_element(of.begin(), of.end()),
                  *std::max_element(of.begin(), of.end()));
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv)
{
  int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  std::printf(
      "| degree | unknowns | off by | sumfac, MDOF/s | deal.II's time | BLAS' | PETSc's |\n"
      "|---|---|---|---|---|---|---|\n");
  for (int const size : {1, 2}) {  // in cache, and out of it
    compare<1>(size == 1 ? 18 : 72, rounds);
    compare<2>(size == 1 ? 9 : 36, rounds);
    compare<3>(size == 1 ? 6 : 24, rounds);
  }
}
