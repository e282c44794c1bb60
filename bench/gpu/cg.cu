// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times iterations of conjugate gradients on a device: the operator of BP3.5 on boxes, from sizes whose iterations are
// all starts of kernels to sizes in memory.
#include "../report/command_line.hpp"
#include "../report/timing.hpp"
#include "../streams/passes.hpp"
#include "../subjects/check.hpp"
#include "../subjects/problems.hpp"
#include "device.hpp"

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
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
--seconds  of timing per size (default 0.1)
--check    only the smallest size, and only that the residual is that of x
)";

struct options {
  std::vector<int> orders;
  index_t largest = 0;
  double seconds = 0.1;
  std::string out;
  bool check = false;
};

struct measurement {
  int order;
  index_t elements, dofs;
  double error, iteration = 0, apply = 0;

  json_object json() const
  {
    json_object row;
    row("problem", "BP3.5")("order", order)("elements", elements)("dofs", dofs)("error_of_allowed", error);
    row("seconds_of_iteration", iteration)("seconds_of_operator", apply);
    return row("GDOF/s", double(dofs) / iteration * 1e-9);
  }
};

// The corners of a box's elements, (E, 2, 2, 2, 3), in the unit cube, bent a little.
std::vector<double> corners_of(int log_elements)
{
  index_t side[3] = {1, 1, 1};
  for (int s = 0; s < log_elements; ++s) side[s % 3] *= 2;
  std::vector<double> corners;
  for (index_t e = 0; e < index_t{1} << log_elements; ++e) {
    index_t const at[3] = {e % side[0], e / side[0] % side[1], e / (side[0] * side[1])};
    for (int corner = 0; corner < 8; ++corner) {
      double x[3];
      for (int d = 0; d < 3; ++d) x[d] = double(at[d] + (corner >> d & 1)) / double(side[d]);
      corners.insert(corners.end(), {x[0] + 0.1 * x[1] * x[2], x[1] - 0.1 * x[0] * x[2], x[2] + 0.05 * x[0]});
    }
  }
  return corners;
}

// Seconds of one of `count` iterations from x = 0; `result` is how the solve ended.
template <class Matrix, class Workspace>
double iterate(Matrix const& a, buffer<double, device> const& b, buffer<double, device>& x, index_t count,
               Workspace& workspace, cg_result& result)
{
  vector_ops<double, device> const ops(a.backend(), a.size());
  auto const xv = view(x.data(), a.size());
  ops.fill(0, xv);
  a.backend().synchronize();
  double const begin = now();
  result = cg(a, view(b.data(), a.size()), xv, {.iterations = count, .tolerance = 0, .check_every = count},
              no_monitor{}, workspace);
  a.backend().synchronize();
  return (now() - begin) / double(count);
}

// How far the residual of the iteration is from b - A x, over what is allowed.
template <class Matrix>
double error_of(Matrix const& a, buffer<double, device> const& b, buffer<double, device> const& x,
                cg_result const& result)
{
  buffer<double, device> r(a.backend(), a.size());
  vector_ops<double, device> const ops(a.backend(), a.size());
  auto const rv = view(r.data(), a.size());
  a.apply(view(x.data(), a.size()), rv);
  ops.xpay(view(b.data(), a.size()), -1, rv);
  double const difference = std::abs(ops.norm(rv) - result.residual);
  return difference <= HUGE_VAL ? difference / (solve_tolerance * result.initial_residual) : HUGE_VAL;
}

template <int Order>
measurement measure(device const& backend, int log_elements, options const& o)
{
  box_of_elements const box(log_elements, Order);
  auto const corners = corners_of(log_elements);
  bp35<Order, device> const a(backend, view<double const, dextents<5>>(corners.data(), box.elements, 2, 2, 2, 3));
  restriction<double, device> const r(backend, box.table(), box.nodes);
  global_operator const matrix{a, r};
  auto const b = on_device(backend, random_numbers<double>(box.nodes));
  buffer<double, device> x(backend, box.nodes);
  cg_workspace<double, device> workspace(backend, box.nodes);
  cg_result result;
  iterate(matrix, b, x, 10, workspace, result);
  measurement m{Order, box.elements, box.nodes, error_of(matrix, b, x, result)};
  if (!result || result.iterations != 10) throw std::runtime_error(result.report());
  require_right(m.error, "the residual");
  if (o.check) return m;
  double const once = iterate(matrix, b, x, 10, workspace, result);
  auto const count = static_cast<index_t>(std::fmin(std::fmax(o.seconds / 5 / once, 10), 200));
  std::vector<double> iterations, applications;
  for (double const end = now() + o.seconds; now() < end || iterations.size() < 3;) {
    iterations.push_back(iterate(matrix, b, x, count, workspace, result));
    auto const xv = view(x.data(), box.nodes);
    auto const bv = view(b.data(), box.nodes);
    applications.push_back(seconds_of(backend, static_cast<int>(count), [&] { matrix.apply(bv, xv); }));
  }
  m.iteration = median(iterations);
  m.apply = median(applications);
  return m;
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
  device const backend;
  index_t const largest = o.largest > 0 ? o.largest : 8 * backend.cache_bytes() / 56;
  for (int log_elements = 3; log_elements == 3 || (!o.check && nodes << log_elements <= largest); log_elements += 3)
    try {
      auto const m = measure<Order>(backend, log_elements, o);
      results.push_back(m);
      std::printf("BP3.5/N:%d/E:%lld  %lld dofs  iteration %.2f us, operator %.2f us, %.3f GDOF/s  error %.2f\n", Order,
                  static_cast<long long>(m.elements), static_cast<long long>(m.dofs), m.iteration * 1e6, m.apply * 1e6,
                  o.check ? 0 : double(m.dofs) / m.iteration * 1e-9, m.error);
      std::fflush(stdout);
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

bool set(options& o, std::string const& name, std::string const& value)
{
  using namespace command_line;
  if (name == "--orders")
    o.orders = degrees(name, value);
  else if (name == "--largest")
    o.largest = is_number(value) ? std::stoll(value) : (refuse(name, value, "a number of nodes"), 0);
  else if (name == "--seconds")
    o.seconds = positive(name, value);
  else if (name == "--out")
    o.out = value;
  else
    return false;
  return true;
}

int run(options const& o)
{
  std::printf("%s\n", describe(device()).c_str());
  std::vector<measurement> results;
  int const failures = climb_all(o, results, order_list<SUMFAC_CG_ORDERS>{});
  std::printf("%zu sizes, %d degrees failed\n", results.size(), failures);
  return failures == 0 && !results.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
  return command_line::main_of<options>("cg", usage, argc, argv, set, run, {{"--check", &options::check}});
}
