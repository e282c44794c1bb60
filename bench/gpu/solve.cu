// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times whole solves on a device: BPS5, Poisson's equation with points that are nodes, on bent boxes of two sizes, by
// conjugate gradients with Jacobi's preconditioner and with multigrid, whose levels are in float: in the degree, with
// coarse_cg or coarse_chebyshev on the last one, with hypre's levels there where SUMFAC_SOLVE_HYPRE is defined, and on
// coarser meshes behind degree 1; launched one by one, as a graph, and ahead of the end of the kernels before. Then a
// cycle by its parts.
#include "../report/timing.hpp"
#include "../streams/passes.hpp"
#include "../subjects/cycle_clock.hpp"
#include "../subjects/problems.hpp"
#include "device.hpp"
#include "size_options.hpp"

#include <sumfac/dofs/function_space.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/tools/explain/levels.hpp>

#if defined(SUMFAC_SOLVE_HYPRE)
#include <sumfac/interop/hypre.hpp>
#endif

#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if !defined(SUMFAC_SOLVE_ORDERS)
#define SUMFAC_SOLVE_ORDERS 2, 4, 7
#endif

namespace {

using namespace sumfac;
using namespace sumfac::bench;

char const* const usage = R"(usage: solve [--orders LIST] [--largest N] [--seconds S] [--check] [--out FILE]

--orders   of those that it is compiled for (SUMFAC_SOLVE_ORDERS)
--largest  unknowns (default 2200000), beside an eighth of them
--seconds  of timing per solver (default 0.2)
--check    only the smallest size, and only that the residual is that of x
)";

struct options : size_options {
  options() : size_options{.largest = 2'200'000, .seconds = 0.2} {}
};

struct measurement {
  int order;
  char const* solver;
  bool ahead;
  int launches;  // of a preconditioner; -1 where it waits
  index_t elements, dofs, iterations;
  double residual, seconds, preconditioner, apply;

  json_object json() const
  {
    json_object row;
    row("problem", "BPS5")("solver", solver)("launched_ahead", ahead)("launches", launches)("order", order)(
        "elements", elements)("dofs", dofs);
    row("iterations", iterations)("residual", residual)("seconds", seconds);
    row("seconds_of_preconditioner", preconditioner)("seconds_of_operator", apply);
    return row("MDOF/s", double(dofs) / seconds * 1e-6);
  }
};

void print(measurement const& m)
{
  std::printf(
      "BPS5/N:%d/E:%lld  %lld dofs  %-24s %-5s  %lld iterations  %.3f ms  %.1f MDOF/s  preconditioner %.1f us of %d "
      "launches, operator %.1f us  residual %.1e\n",
      m.order, static_cast<long long>(m.elements), static_cast<long long>(m.dofs), m.solver, m.ahead ? "ahead" : "",
      static_cast<long long>(m.iterations), m.seconds * 1e3, double(m.dofs) / m.seconds * 1e-6, m.preconditioner * 1e6,
      m.launches, m.apply * 1e6, m.residual);
  std::fflush(stdout);
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
measurement time_solves(char const* solver, Matrix const& a, Preconditioner const& p, cg_options const& o,
                        buffer<double, device> const& b, options const& asked)
{
  auto const& backend = a.backend();
  buffer<double, device> x(backend, a.size());
  cg_workspace<double, device> workspace(backend, a.size());
  vector_ops<double, device> const ops(backend, a.size());
  auto const bv = view(b.data(), a.size());
  auto const xv = view(x.data(), a.size());
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
  m.ahead = backend.overlaps();
  if constexpr (requires { p.apply(bv, xv); }) {
    for (int twice = 0; twice < 2; ++twice) p.apply(bv, xv);  // from then on a graph
    m.preconditioner = seconds_of(backend, 5, [&] { p.apply(bv, xv); });
    m.launches = launches_of(backend, [&] { p.apply(bv, xv); });
  }
  m.apply = seconds_of(backend, 5, [&] { a.apply(bv, xv); });
  return m;
}

// A coarse solver of multigrid that tells the clock.
template <class Level, class Coarse>
struct clocked_coarse {
  std::shared_ptr<sumfac::detail::coarse_solve<Level, Coarse>> solve;
  cycle_clock* clock;

  template <class From, class To>
  void operator()(From const& r, To const& z) const
  {
    clock->begin_coarse();
    (*solve)(r.data(), z.data());
    clock->end_coarse(0);
  }
};

struct measured_parts {
  int order;
  char const* solver;
  index_t dofs;
  cycle_seconds of;

  // A row for each part.
  void add_to(std::vector<json_object>& rows) const
  {
    auto const add = [&](int of_order, char const* part, double seconds) {
      json_object row;
      row("problem", "BPS5")("solver", solver)("order", order)("dofs", dofs)("degree", of_order)("part", part);
      rows.push_back(row("seconds", seconds / double(of.cycles)));
    };
    for (auto const& level : of.levels) {
      add(level.order, "smoother", level.smoother);
      add(level.order, "residual and restriction", level.down);
      add(level.order, "prolongation", level.up);
    }
    add(1, "coarse", of.coarse);
    add(order, "all", of.all);
  }
};

// What the parts of a cycle take, of which each is waited for. Coarser meshes count to degree 1, and what goes down to
// them to the level before it.
template <class Matrix, class Levels, class Coarse>
measured_parts time_parts(char const* solver, Matrix const& a, Levels levels, Coarse coarse,
                          std::vector<int> const& orders, buffer<double, device> const& b)
{
  using level_type = std::remove_cvref_t<decltype(levels.coarsest())>;
  cycle_clock clock(orders, [backend = a.backend()] { backend.synchronize(); });
  clocked_coarse<level_type, Coarse> const clocked{
      std::make_shared<sumfac::detail::coarse_solve<level_type, Coarse>>(levels.coarsest(), std::move(coarse)), &clock};
  multigrid const mg{std::move(levels),
                     multigrid_options<clocked_smoother<chebyshev>>{.smoother = {chebyshev{}, &clock}}, clocked};
  buffer<double, device> z(a.backend(), a.size());
  auto const apply = [&] {
    clock.begin_cycle();
    mg.apply(view(b.data(), a.size()), view(z.data(), a.size()));
    clock.end_cycle();
  };
  apply();
  clock.reset();
  for (int i = 0; i < 5; ++i) apply();
  measured_parts const m{orders.front(), solver, a.size(), clock.seconds()};
  double const each = 1e6 / double(m.of.cycles);
  std::printf("  a cycle with %s, part by part %.0f us: coarse %.0f", solver, m.of.all * each, m.of.coarse * each);
  for (auto const& level : m.of.levels)
    std::printf("; degree %d: smoother %.0f, residual and down %.0f, up %.0f", level.order, level.smoother * each,
                level.down * each, level.up * each);
  std::printf(" us\n");
  std::fflush(stdout);
  return m;
}

struct results_of_run {
  std::vector<measurement> solves;
  std::vector<measured_parts> parts;
};

template <int Order, int... Levels>
void measure(order_list<Levels...>, device const& here, int times, options const& o, results_of_run& results)
{
  auto const bent = [](auto x) {
    x[0] += 0.1 * x[1] * x[2];
    x[1] -= 0.1 * x[0] * x[2];
    return x;
  };
  auto const mesh = refined(box_mesh({2, 2, 2}, bent, 1), times);
  function_space const space{mesh, Order, mesh.boundary()};
  auto of_b = random_numbers<double>(space.size());
  space.zero_fixed(of_b);
  auto const b = on_device(here, of_b);
  auto const on = [&](device const& backend, auto const& then) {
    bp5<Order, device> const a{backend, mesh};
    auto const r = space.restriction(backend);
    then(a, r, global_operator{a, r});
  };
  auto const keep = [&](measurement m) {
    m.order = Order;
    m.elements = mesh.elements();
    results.solves.push_back(m);
    print(m);
  };
  cg_options const looks{.check_every = 1};
  auto const with_meshes = [&]<int... Ls>(order_list<Ls...>, auto const& a, auto const& r, auto const& matrix,
                                          char const* name, bool graph) {
    multigrid const mg{p_levels<float, Ls...>(a, mesh, r), {.graph = graph}};
    keep(time_solves(name, matrix, mg, looks, b, o));
  };
  on(here, [&](auto const& a, auto const& r, auto const& matrix) {
    auto const degrees = [&] { return p_levels<float, Levels...>(a, mesh.nodes(), r); };
    {
      multigrid const mg{degrees(), {}, coarse_cg{}};
      keep(time_solves("degrees, coarse_cg", matrix, mg, looks, b, o));
    }
    for (bool const graph : {false, true}) {
      multigrid const mg{degrees(), {.graph = graph}};
      keep(time_solves(graph ? "degrees, graph" : "degrees", matrix, mg, looks, b, o));
    }
#if defined(SUMFAC_SOLVE_HYPRE)
    coarse_amg<boomer_amg> const by_hypre{.unknowns = 1, .pays_from = 1};
    for (bool const graph : {false, true}) {
      multigrid const mg{degrees(), {.graph = graph}, by_hypre};
      keep(time_solves(graph ? "degrees, hypre, graph" : "degrees, hypre", matrix, mg, looks, b, o));
      if (graph) std::printf("%s", explain(mg).c_str());
    }
    if (!o.check)
      results.parts.push_back(time_parts("degrees, hypre", matrix, degrees(), by_hypre, std::vector{Levels...}, b));
#endif
    with_meshes(order_list<Levels...>(), a, r, matrix, "meshes", false);
    with_meshes(order_list<Levels...>(), a, r, matrix, "meshes, graph", true);
    if constexpr (Order > 1) with_meshes(halved<Order, 2>(), a, r, matrix, "meshes by degree 2, graph", true);
    buffer<double, device> d(here, matrix.size());
    matrix.diagonal(view(d.data(), matrix.size()));
    jacobi const diagonal{here, view<double const, dextents<1>>(d.data(), matrix.size())};
    keep(time_solves("jacobi", matrix, diagonal, {.iterations = 5000}, b, o));
    if (o.check) return;
    std::vector<int> const orders{Levels...};
    auto with_mesh_levels = orders;
    with_mesh_levels.push_back(0);  // the last level of all
    results.parts.push_back(time_parts("degrees, coarse_cg", matrix, degrees(), coarse_cg{}, orders, b));
    results.parts.push_back(time_parts("degrees", matrix, degrees(), coarse_chebyshev{}, orders, b));
    results.parts.push_back(
        time_parts("meshes", matrix, p_levels<float, Levels...>(a, mesh, r), coarse_chebyshev{}, with_mesh_levels, b));
  });
  if (here.overlapping().overlaps())
    on(here.overlapping(), [&](auto const& a, auto const& r, auto const& matrix) {
      with_meshes(order_list<Levels...>(), a, r, matrix, "meshes", false);
      with_meshes(order_list<Levels...>(), a, r, matrix, "meshes, graph", true);
    });
}

void write_json(std::string const& path, results_of_run const& results)
{
  std::vector<json_object> rows, parts;
  for (auto const& m : results.solves) rows.push_back(m.json());
  for (auto const& m : results.parts) m.add_to(parts);
  if (!path.empty()) json_file()("context", context(device()))("solves", rows)("cycles", parts).write(path);
}

// One degree, on an eighth of the elements and on all of them.
template <int Order>
int climb(device const& backend, options const& o, results_of_run& results)
{
  if (!command_line::listed(o.orders, Order)) return 0;
  constexpr index_t each = index_t{Order} * Order * Order;
  int most = 1;  // times that 2^3 elements are refined
  while (!o.check && each << 3 * (most + 2) <= o.largest) ++most;
  for (int times = o.check ? 1 : most - 1; times <= most; ++times) try {
      measure<Order>(halved<Order>(), backend, times, o, results);
      write_json(o.out, results);
    } catch (std::exception const& error) {
      std::printf("FAILED BPS5/N:%d/E:%d: %s\n", Order, 8 << 3 * times, error.what());
      return 1;
    }
  return 0;
}

template <int... Orders>
int climb_all(order_list<Orders...>, device const& backend, options const& o, results_of_run& results)
{
  return (climb<Orders>(backend, o, results) + ...);
}

int run(options const& o)
{
  support::own_stream const stream;
  device const backend(stream.handle);
  std::printf("%s\n", describe(backend).c_str());
#if defined(SUMFAC_SOLVE_HYPRE)
  MPI_Init(nullptr, nullptr);
#else
  std::printf("compiled without hypre: its levels are left out\n");
#endif
  results_of_run results;
  int const failures = climb_all(order_list<SUMFAC_SOLVE_ORDERS>{}, backend, o, results);
#if defined(SUMFAC_SOLVE_HYPRE)
  HYPRE_Finalize();
  MPI_Finalize();
#endif
  std::printf("%zu solves timed, %d degrees failed\n", results.solves.size(), failures);
  return failures == 0 && !results.solves.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
  return command_line::main_of<options>("solve", usage, argc, argv, with_sizes<options>({{"--check", &options::check}}),
                                        run);
}
