// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What setting up costs, in applications of the operator: node_order, restriction, levels and multigrid, and the parts
// of these. The least of several times, taken in turns with applications: by one thread of the time that the processor
// gave this program, so that other work on the machine counts little.
//
// usage: set_up [THREADS [DOFS]]; node_order takes OMP_NUM_THREADS
#include "../report/timing.hpp"
#include "../subjects/global_mesh.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace sumfac;

// Least times of functions, in turns.
class turns {
public:
  explicit turns(int threads) : threads_(threads) {}
  template <class Function>
  void add(std::string const& name, Function f)
  {
    lines_.push_back({name, f, 1e300});
  }
  void run(int rounds)
  {
    for (int round = 0; round < rounds; ++round)
      for (auto& line : lines_) {
        double const begin = seconds();
        line.work();
        line.least = std::min(line.least, seconds() - begin);
      }
  }
  // In units of the first line's.
  void print() const
  {
    for (auto const& line : lines_)
      std::printf("  %-34s %9.3f ms %8.1f\n", line.name.c_str(), 1e3 * line.least, line.least / lines_[0].least);
  }

private:
  double seconds() const { return threads_ > 1 ? bench::now() : bench::processor_seconds(); }

  struct line {
    std::string name;
    std::function<void()> work;
    double least;
  };
  int threads_;
  std::vector<line> lines_;
};

// A result that is only made.
template <class T>
void made(T const& result)
{
  asm volatile("" : : "r"(&result) : "memory");
}

template <class Numbers, int... Orders>
void measure(int threads, double dofs)
{
  constexpr int order = detail::first_of<Orders...>;
  host const backend{threads};
  bench::global_mesh const mesh(static_cast<int>(std::lround(std::log2(dofs / (order * order * order)))));
  auto numbers = mesh.number_nodes(order);
  auto const before = numbers;
  numbers.renumber(node_order(before.table(), before.nodes, before.marks()));
  bp5<order> const a(backend, mesh.vertices());
  restriction<> const r(backend, numbers.table(), numbers.nodes, numbers.marks());
  index_t const size = r.size();
  std::vector<double> x(static_cast<std::size_t>(size), 1), y(x.size());
  std::printf("BP5, N = %d, %lld unknowns, %d threads\n", order, static_cast<long long>(size), backend.threads());

  auto const all = p_levels<Numbers, Orders...>(a, mesh.vertices(), r);
  turns t(threads);
  t.add("application", [&] {
    a.apply(r, view<double const, dextents<1>>(x.data(), size), view<double, dextents<1>>(y.data(), size));
  });
  t.add("node_order", [&] { made(node_order(before.table(), before.nodes, before.marks())); });
  t.add("restriction", [&] { made(restriction<>(backend, numbers.table(), numbers.nodes, numbers.marks())); });
  t.add("element_operator", [&] { made(bp5<order>(backend, mesh.vertices())); });
  t.add("diagonal", [&] { a.diagonal(r, view<double, dextents<1>>(y.data(), size)); });
  t.add("p_levels", [&] { made(p_levels<Numbers, Orders...>(a, mesh.vertices(), r)); });
  t.add("levels and multigrid", [&] { made(multigrid{p_levels<Numbers, Orders...>(a, mesh.vertices(), r)}); });
  auto const& fine = all.template at<0>();
  auto const& next = all.template at<1>();
  using scalar = typename std::remove_cvref_t<decltype(fine)>::scalar_type;
  constexpr int lower = std::remove_cvref_t<decltype(next)>::order;
  t.add("  lower nodes", [&] {
    made(detail::coarse_nodes(backend, r.table(), {r.directions(), r.nodes_1d(), lower + 1}));
  });
  t.add("  restriction in its numbers", [&] { made(detail::restriction_in<Numbers>(r)); });
  t.add("  transfer", [&] { made(transfer<order, lower, scalar>(fine.restriction(), next.restriction())); });
  t.add("  fine jacobi", [&] { made(fine.make_jacobi()); });
  auto const p = fine.make_jacobi();
  t.add("  fine eigenvalue", [&] {
    auto const n = static_cast<std::size_t>(size);
    std::vector<scalar> vectors(3 * n);
    detail::lanczos_space<scalar> const space{vectors.data(), vectors.data() + n, vectors.data() + 2 * n};
    detail::lanczos_memory<scalar, host> memory(backend, size, {});
    made(detail::largest_eigenvalue<scalar>("", fine.matrix(), p, chebyshev{}.steps, space, memory));
  });
  t.add("  fine matrix", [&] {
    static std::vector<scalar> v(static_cast<std::size_t>(size)), w(v.size());
    fine.matrix().apply(view<scalar const, dextents<1>>(v.data(), size), view<scalar, dextents<1>>(w.data(), size));
  });
  t.run(9);
  t.print();
}

// (|grad u| grad u, grad v) - (1, v), the p-Laplacian with p = 3.
auto p_laplacian()
{
  using namespace sumfac::weak;
  return integrate(sqrt(dot(grad(u), grad(u)) + 1e-4) * dot(grad(u), grad(v)) - v);
}

// What a step of Newton's method takes besides its solve, in applications of the tangent.
template <class Numbers, int... Orders>
void measure_steps(int threads, double dofs)
{
  constexpr int order = detail::first_of<Orders...>;
  host const backend{threads};
  bench::global_mesh const mesh(static_cast<int>(std::lround(std::log2(dofs / (order * order * order)))));
  auto numbers = mesh.number_nodes(order);
  numbers.renumber(node_order(numbers.table(), numbers.nodes, numbers.marks()));
  auto const form = p_laplacian();
  element_operator<tangent<decltype(p_laplacian())>, order> J(backend, mesh.vertices(), form);
  restriction<> const R(backend, numbers.table(), numbers.nodes, numbers.marks());
  global_operator const L{J, R};
  std::vector<double> state(static_cast<std::size_t>(L.size())), x(state), y(state);
  for (std::size_t i = 0; i < state.size(); ++i) x[i] = state[i] = std::sin(1e-3 * static_cast<double>(i)) / 9;
  J.linearize(R, state);
  multigrid P{p_levels<Numbers, Orders...>(J, mesh.vertices(), R, field(R, state))};
  std::printf("p-Laplacian's tangent, N = %d, %lld unknowns, %d threads\n", order, static_cast<long long>(L.size()),
              backend.threads());
  turns t(threads);
  t.add("application", [&] { L.apply(x, y); });
  t.add("linearize", [&] { J.linearize(R, state); });
  t.add("diagonal", [&] { L.diagonal(y); });
  t.add("multigrid::update(R, u)", [&] { P.update(R, state); });
  t.add("multigrid::update()", [&] { P.update(); });
  t.add("levels and multigrid",
        [&] { made(multigrid{p_levels<Numbers, Orders...>(J, mesh.vertices(), R, field(R, state))}); });
  t.run(9);
  t.print();
}

}  // namespace

int main(int argc, char** argv)
{
  int const threads = argc > 1 ? std::atoi(argv[1]) : 1;
  double const dofs = argc > 2 ? std::atof(argv[2]) : 270e3;
  measure<float, 2, 1>(threads, dofs);
  measure<float, 4, 2, 1>(threads, dofs);
  measure<float, 7, 4, 2, 1>(threads, dofs);
  measure_steps<float, 4, 2, 1>(threads, dofs);
}
