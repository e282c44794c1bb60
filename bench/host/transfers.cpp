// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Prolongation and restriction between two degrees, out of cache, beside copies of as many bytes as they move at the
// least: vectors, weights and the tables of both restrictions. Least times, in turns.
//
// usage: transfers [THREADS [DOFS]]
#include "../report/least_times.hpp"
#include "../subjects/global_mesh.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace sumfac;

// Bytes of a table: a row's first, second and last node, as node_order lets the inner ones follow.
double table_bytes(int nodes_1d, double elements)
{
  double const n = nodes_1d;
  return 4 * elements * n * n * (n > 2 ? 3 : 2);
}

template <class Scalar, int Fine, int Coarse>
void measure(int threads, double dofs)
{
  host const backend{threads};
  bench::global_mesh const mesh(static_cast<int>(std::lround(std::log2(dofs / (Fine * Fine * Fine)))));
  auto numbers = mesh.number_nodes(Fine);
  numbers.renumber(node_order(numbers.table(), numbers.nodes, numbers.marks()));
  restriction<> const nodes(backend, numbers.table(), numbers.nodes, numbers.marks());
  bp5<Fine> const a(backend, mesh.vertices());
  auto const levels = p_levels<Scalar, Fine, Coarse>(a, mesh.vertices(), nodes);
  auto const& fine = levels.template at<0>().restriction();
  auto const& coarse = levels.template at<1>().restriction();
  transfer<Fine, Coarse, Scalar> const p(fine, coarse);

  std::vector<Scalar> x(static_cast<std::size_t>(fine.size()), 1), y(static_cast<std::size_t>(coarse.size()), 1);
  view<Scalar, dextents<1>> const f(x.data(), fine.size()), c(y.data(), coarse.size());
  double const word = sizeof(Scalar), elements = static_cast<double>(mesh.elements());
  double const tables = table_bytes(Fine + 1, elements) + table_bytes(Coarse + 1, elements);
  double const n_f = static_cast<double>(fine.size()), n_c = static_cast<double>(coarse.size());
  double const bytes = word * (2 * n_f + n_c) + tables;  // the weights are read, the fine vector is read or written

  auto const entries = static_cast<std::size_t>(bytes / (2 * sizeof(double)));
  std::vector<double> from(entries, 1), to(entries, 0);
  auto const size = static_cast<index_t>(entries);
  vector_ops<> const ops(backend, size);
  auto const times = least(
      [&] { ops.copy(view<double const, dextents<1>>(from.data(), size), view<double, dextents<1>>(to.data(), size)); },
      [&] { p.prolong(view<Scalar const, dextents<1>>(y.data(), coarse.size()), f); },
      [&] { p.restrict_residual(view<Scalar const, dextents<1>>(x.data(), fine.size()), c); });
  std::printf(
      "%s %2d -> %d %9.2fM unknowns, %6.1f MB: copy %7.3f ms, prolong %7.3f ms (%.2f), restrict %7.3f ms (%.2f)\n",
      sizeof(Scalar) == 8 ? "f64" : "f32", Fine, Coarse, 1e-6 * n_f, 1e-6 * bytes, 1e3 * times[0], 1e3 * times[1],
      times[0] / times[1], 1e3 * times[2], times[0] / times[2]);
}

}  // namespace

int main(int argc, char** argv)
{
  int const threads = argc > 1 ? std::atoi(argv[1]) : 1;
  double const dofs = argc > 2 ? std::atof(argv[2]) : 4e6;
  measure<double, 2, 1>(threads, dofs);
  measure<double, 4, 2>(threads, dofs);
  measure<double, 7, 4>(threads, dofs);
  measure<float, 2, 1>(threads, dofs);
  measure<float, 4, 2>(threads, dofs);
  measure<float, 7, 4>(threads, dofs);
}
