// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times iterations of conjugate gradients on a device, plain and merged, kernel by kernel and as graphs, and of MINRES
// and GMRES: the operator of BP3.5 on boxes, from sizes whose iterations are all starts of kernels to sizes in memory;
// and the same where kernels are launched ahead of the end of those before (gpu::overlapping).
#include "../report/timing.hpp"
#include "../streams/passes.hpp"
#include "../subjects/check.hpp"
#include "../subjects/problems.hpp"
#include "device.hpp"
#include "size_options.hpp"

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/minres.hpp>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#if !defined(SUMFAC_CG_ORDERS)
#define SUMFAC_CG_ORDERS 3, 7
#endif

namespace {

using namespace sumfac;
using namespace sumfac::bench;

char const* const usage = R"(usage: cg [--orders 3,7] [--largest N] [--seconds S] [--check] [--out FILE]

--orders   of those that it is compiled for (SUMFAC_CG_ORDERS)
--largest  nodes of E-vectors (default: such that factors are 8 times the device's last-level cache)
--seconds  of timing per size and way (default 0.1)
--check    only the smallest size, and only that the residual is that of x
)";

using options = size_options;

enum class solver { cg, merged_cg, minres, gmres };

// How a solve iterates.
struct way {
  char const* name;
  solver by;
  bool graph;
};

constexpr way ways[] = {{"cg", solver::cg, false},
                        {"cg, graph", solver::cg, true},
                        {"merged", solver::merged_cg, false},
                        {"merged, graph", solver::merged_cg, true},
                        {"minres", solver::minres, false},
                        {"gmres(10)", solver::gmres, false}};
constexpr index_t look = 10;  // iterations between two looks at the residual, and until GMRES begins anew

// The memory of all of them.
struct workspaces {
  template <class Matrix>
  explicit workspaces(Matrix const& a)
      : of_cg(a.backend(), a.size(), sumfac::detail::reduction_of(a)),
        of_minres(a.backend(), a.size(), sumfac::detail::reduction_of(a)),
        of_gmres(a.backend(), a.size(), int{look}, sumfac::detail::reduction_of(a))
  {
  }
  cg_workspace<double, device> of_cg;
  minres_workspace<double, device> of_minres;
  gmres_workspace<double, device> of_gmres;
};

struct measurement {
  int order;
  char const* way;
  bool ahead;
  index_t elements, dofs;
  double error, iteration = 0, apply = 0;

  json_object json() const
  {
    json_object row;
    row("problem", "BP3.5")("way", way)("launched_ahead", ahead)("order", order)("elements", elements)("dofs", dofs)(
        "error_of_allowed", error);
    row("seconds_of_iteration", iteration)("seconds_of_operator", apply);
    return row("GDOF/s", double(dofs) / iteration * 1e-9);
  }
};

// Seconds of one of `count` iterations from x = 0; `result` is how the solve ended.
template <class Matrix>
double iterate(Matrix const& a, way const& w, buffer<double, device> const& b, buffer<double, device>& x, index_t count,
               workspaces& workspace, solve_result& result)
{
  cg_options const options{.iterations = count, .tolerance = 0, .check_every = look, .graph = w.graph};
  auto const bv = view(b.data(), a.size());
  vector_ops<double, device> const ops(a.backend(), a.size());
  auto const xv = view(x.data(), a.size());
  ops.fill(0, xv);
  a.backend().synchronize();
  double const begin = now();
  no_preconditioner const p;
  switch (w.by) {
    case solver::cg: result = cg(a, bv, xv, p, options, no_monitor{}, workspace.of_cg); break;
    case solver::merged_cg: result = merged_cg(a, bv, xv, p, options, no_monitor{}, workspace.of_cg); break;
    case solver::minres:
      result = minres(a, bv, xv, p, {.iterations = count, .tolerance = 0, .check_every = look}, no_monitor{},
                      workspace.of_minres);
      break;
    case solver::gmres:
      result = gmres(a, bv, xv, p, {.iterations = count, .tolerance = 0, .check_every = look}, no_monitor{},
                     workspace.of_gmres);
      break;
  }
  a.backend().synchronize();
  return (now() - begin) / double(count);
}

// How far the residual of the iteration is from b - A x, over what is allowed.
template <class Matrix>
double error_of(Matrix const& a, buffer<double, device> const& b, buffer<double, device> const& x,
                solve_result const& result)
{
  buffer<double, device> r(a.backend(), a.size());
  vector_ops<double, device> const ops(a.backend(), a.size());
  auto const rv = view(r.data(), a.size());
  a.apply(view(x.data(), a.size()), rv);
  ops.xpay(view(b.data(), a.size()), -1, rv);
  double const difference = std::abs(ops.norm(rv) - result.residual);
  return difference <= HUGE_VAL ? difference / (solve_tolerance * result.initial_residual) : HUGE_VAL;
}

// In turns with the operator alone.
template <class Matrix>
void time_way(Matrix const& a, way const& w, buffer<double, device> const& b, buffer<double, device>& x, double seconds,
              workspaces& workspace, measurement& m)
{
  solve_result result;
  double const once = iterate(a, w, b, x, look, workspace, result);
  auto const count = look * static_cast<index_t>(std::fmin(std::fmax(seconds / 5 / once / look, 1), 20));
  std::vector<double> iterations, applications;
  for (double const end = now() + seconds; now() < end || iterations.size() < 3;) {
    iterations.push_back(iterate(a, w, b, x, count, workspace, result));
    auto const xv = view(x.data(), a.size());
    auto const bv = view(b.data(), a.size());
    applications.push_back(seconds_of(a.backend(), static_cast<int>(count), [&] { a.apply(bv, xv); }));
  }
  m.iteration = median(iterations);
  m.apply = median(applications);
}

void print(measurement const& m)
{
  std::printf(
      "BP3.5/N:%d/E:%lld  %lld dofs  %-13s %-5s  iteration %.2f us, operator %.2f us, %.3f GDOF/s  error %.2f\n",
      m.order, static_cast<long long>(m.elements), static_cast<long long>(m.dofs), m.way, m.ahead ? "ahead" : "",
      m.iteration * 1e6, m.apply * 1e6, m.iteration > 0 ? double(m.dofs) / m.iteration * 1e-9 : 0, m.error);
  std::fflush(stdout);
}

// All ways of one degree and size, each behind a check.
template <int Order>
void measure(device const& backend, int log_elements, options const& o, std::vector<measurement>& results)
{
  box_of_elements const box(log_elements, Order);
  auto const corners = corners_of(log_elements);
  bp35<Order, device> const a(backend, view<double const, dextents<5>>(corners.data(), box.elements, 2, 2, 2, 3));
  restriction<double, device> const r(backend, box.table(), box.nodes);
  global_operator const matrix{a, r};
  auto const b = on_device(backend, random_numbers<double>(box.nodes));
  buffer<double, device> x(backend, box.nodes);
  workspaces workspace(matrix);
  for (way const& w : ways) {
    solve_result result;
    iterate(matrix, w, b, x, look, workspace, result);
    measurement m{Order, w.name, backend.overlaps(), box.elements, box.nodes, error_of(matrix, b, x, result)};
    if (!result || result.iterations != look) throw std::runtime_error(result.report());
    require_right(m.error, "the residual");
    if (!o.check) time_way(matrix, w, b, x, o.seconds, workspace, m);
    results.push_back(m);
    print(m);
  }
}

void write_json(std::string const& path, std::vector<measurement> const& results)
{
  std::vector<json_object> rows;
  for (auto const& m : results) rows.push_back(m.json());
  if (!path.empty()) json_file()("context", context(device()))("solves", rows).write(path);
}

// One degree, from one element on, eight times as many each time.
template <int Order>
int climb(options const& o, std::vector<measurement>& results)
{
  if (!command_line::listed(o.orders, Order)) return 0;
  constexpr index_t n = Order + 1, nodes = n * n * n;
  support::own_stream const stream;
  device const backend(stream.handle);
  index_t const largest = o.largest > 0 ? o.largest : 8 * backend.cache_bytes() / 56;
  for (int log_elements = 3; log_elements == 3 || (!o.check && nodes << log_elements <= largest); log_elements += 3)
    try {
      measure<Order>(backend, log_elements, o, results);
      if (backend.overlapping().overlaps()) measure<Order>(backend.overlapping(), log_elements, o, results);
      write_json(o.out, results);
    } catch (std::exception const& error) {
      std::printf("FAILED BP3.5/N:%d/E:%d: %s\n", Order, 1 << log_elements, error.what());
      return 1;
    }
  return 0;
}

template <int... Orders>
int climb_all(options const& o, std::vector<measurement>& results, order_list<Orders...>)
{
  return (climb<Orders>(o, results) + ... + 0);
}

int run(options const& o)
{
  std::printf("%s\n", describe(device()).c_str());
  std::vector<measurement> results;
  int const failures = climb_all(o, results, order_list<SUMFAC_CG_ORDERS>{});
  std::printf("%zu solves timed, %d degrees failed\n", results.size(), failures);
  return failures == 0 && !results.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
  return command_line::main_of<options>("cg", usage, argc, argv, with_sizes<options>({{"--check", &options::check}}),
                                        run);
}
