// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times whole solves on a device: BPS5, Poisson's equation with points that are nodes, on bent boxes of growing size,
// by conjugate gradients with Jacobi's preconditioner and with multigrid in the degree, whose levels are in float.
#include "../report/timing.hpp"
#include "../streams/passes.hpp"
#include "../subjects/check.hpp"
#include "../subjects/problems.hpp"
#include "device.hpp"
#include "size_options.hpp"

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/multigrid.hpp>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#if !defined(SUMFAC_SOLVE_ORDERS)
#define SUMFAC_SOLVE_ORDERS 2, 4, 7
#endif

namespace {

using namespace sumfac;
using namespace sumfac::bench;

char const* const usage = R"(usage: solve [--orders LIST] [--largest N] [--seconds S] [--check] [--out FILE]

--orders   of those that it is compiled for (SUMFAC_SOLVE_ORDERS)
--largest  unknowns (default 8000000)
--seconds  of timing per solver (default 0.3)
--check    only the smallest size, and only that the residual is that of x
)";

struct options : size_options {
  options() : size_options{.largest = 8'000'000, .seconds = 0.3} {}
};

struct measurement {
  int order;
  char const* solver;
  index_t elements, dofs, iterations;
  double residual, seconds, preconditioner, apply;

  json_object json() const
  {
    json_object row;
    row("problem", "BPS5")("solver", solver)("order", order)("elements", elements)("dofs", dofs);
    row("iterations", iterations)("residual", residual)("seconds", seconds);
    row("seconds_of_preconditioner", preconditioner)("seconds_of_operator", apply);
    return row("MDOF/s", double(dofs) / seconds * 1e-6);
  }
};

void print(measurement const& m)
{
  std::printf(
      "BPS5/N:%d/E:%lld  %lld dofs  %-18s  %lld iterations  %.3f ms  %.1f MDOF/s  preconditioner %.1f us, "
      "operator %.1f us  residual %.1e\n",
      m.order, static_cast<long long>(m.elements), static_cast<long long>(m.dofs), m.solver,
      static_cast<long long>(m.iterations), m.seconds * 1e3, double(m.dofs) / m.seconds * 1e-6, m.preconditioner * 1e6,
      m.apply * 1e6, m.residual);
  std::fflush(stdout);
}

// Nodes on the faces of a box of 2^log_elements elements, as box_of_elements numbers them.
std::vector<unsigned char> boundary_marks(int log_elements, int order)
{
  index_t points[3] = {order, order, order};
  for (int s = 0; s < log_elements; ++s) points[s % 3] *= 2;
  for (index_t& p : points) ++p;
  std::vector<unsigned char> marks;
  for (index_t k = 0; k < points[2]; ++k)
    for (index_t j = 0; j < points[1]; ++j)
      for (index_t i = 0; i < points[0]; ++i)
        marks.push_back(i == 0 || j == 0 || k == 0 || i == points[0] - 1 || j == points[1] - 1 || k == points[2] - 1);
  return marks;
}

// The norm of b - A x over that of b.
template <class Matrix>
double residual_of(Matrix const& a, buffer<double, device> const& b, buffer<double, device> const& x)
{
  buffer<double, device> r(a.backend(), a.size());
  vector_ops<double, device> const ops(a.backend(), a.size());
  auto const rv = view(r.data(), a.size());
  auto const bv = view(b.data(), a.size());
  a.apply(view(x.data(), a.size()), rv);
  ops.xpay(bv, -1, rv);
  return ops.norm(rv) / ops.norm(bv);
}

template <class Matrix, class Preconditioner>
measurement time_solves(char const* solver, Matrix const& a, Preconditioner const& p, bool graph, cg_options o,
                        buffer<double, device> const& b, options const& asked)
{
  auto const& backend = a.backend();
  buffer<double, device> x(backend, a.size());
  cg_workspace<double, device> workspace(backend, a.size());
  vector_ops<double, device> const ops(backend, a.size());
  auto const bv = view(b.data(), a.size());
  auto const xv = view(x.data(), a.size());
  o.graph = graph;
  solve_result result;
  auto const solve = [&] {
    ops.fill(0, xv);
    backend.synchronize();
    double const begin = now();
    result = cg(a, bv, xv, p, o, no_monitor{}, workspace);
    backend.synchronize();
    return now() - begin;
  };
  solve();
  if (!result) throw std::runtime_error(std::string(solver) + ": " + result.report());
  measurement m{};
  m.solver = solver;
  m.dofs = a.size();
  m.iterations = result.iterations;
  m.residual = residual_of(a, b, x);
  if (!(m.residual <= 2 * o.tolerance)) throw std::runtime_error(std::string(solver) + ": the residual is not small");
  std::vector<double> times;
  for (double const end = now() + asked.seconds; !asked.check && (now() < end || times.size() < 3);)
    times.push_back(solve());
  m.seconds = asked.check ? solve() : median(times);
  if constexpr (requires { p.apply(bv, xv); }) m.preconditioner = seconds_of(backend, 5, [&] { p.apply(bv, xv); });
  m.apply = seconds_of(backend, 5, [&] { a.apply(bv, xv); });
  return m;
}

template <int Order, int... Levels>
void measure(order_list<Levels...>, device const& backend, int log_elements, options const& o,
             std::vector<measurement>& results)
{
  box_of_elements const box(log_elements, Order);
  auto const corners = corners_of(log_elements);
  auto const marks = boundary_marks(log_elements, Order);
  view<double const, dextents<5>> const nodes(corners.data(), box.elements, 2, 2, 2, 3);
  bp5<Order, device> const a(backend, nodes);
  restriction<double, device> const r(backend, box.table(), box.nodes,
                                      view<unsigned char const, dextents<1>>(marks.data(), box.nodes));
  global_operator const matrix{a, r};
  auto of_b = random_numbers<double>(box.nodes);
  for (std::size_t i = 0; i < of_b.size(); ++i)
    if (marks[i]) of_b[i] = 0;
  auto const b = on_device(backend, of_b);
  auto const keep = [&](measurement m) {
    m.order = Order;
    m.elements = box.elements;
    results.push_back(m);
    print(m);
  };
  multigrid const mg{p_levels<float, Levels...>(a, nodes, r)};
  keep(time_solves("multigrid", matrix, mg, false, {.check_every = 1}, b, o));
  buffer<double, device> d(backend, box.nodes);
  matrix.diagonal(view(d.data(), box.nodes));
  jacobi const diagonal{backend, view<double const, dextents<1>>(d.data(), box.nodes)};
  cg_options const many{.iterations = 5000};
  keep(time_solves("jacobi", matrix, diagonal, false, many, b, o));
}

void write_json(std::string const& path, std::vector<measurement> const& results)
{
  std::vector<json_object> rows;
  for (auto const& m : results) rows.push_back(m.json());
  if (!path.empty()) json_file()("context", context(device()))("solves", rows).write(path);
}

// One degree, eight times as many elements each time.
template <int Order>
int climb(device const& backend, options const& o, std::vector<measurement>& results)
{
  if (!command_line::listed(o.orders, Order)) return 0;
  constexpr index_t each = index_t{Order} * Order * Order;
  for (int log_elements = 6; log_elements == 6 || (!o.check && each << log_elements <= o.largest); log_elements += 3)
    try {
      measure<Order>(halved<Order>(), backend, log_elements, o, results);
      write_json(o.out, results);
    } catch (std::exception const& error) {
      std::printf("FAILED BPS5/N:%d/E:%d: %s\n", Order, 1 << log_elements, error.what());
      return 1;
    }
  return 0;
}

template <int... Orders>
int climb_all(order_list<Orders...>, device const& backend, options const& o, std::vector<measurement>& results)
{
  return (climb<Orders>(backend, o, results) + ...);
}

int run(options const& o)
{
  device const backend;
  std::printf("%s\n", describe(backend).c_str());
  std::vector<measurement> results;
  int const failures = climb_all(order_list<SUMFAC_SOLVE_ORDERS>{}, backend, o, results);
  std::printf("%zu solves timed, %d degrees failed\n", results.size(), failures);
  return failures == 0 && !results.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
  return command_line::main_of<options>("solve", usage, argc, argv, set_size_option, run,
                                        {{"--check", &options::check}});
}
