// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid and transfers in a device's memory. `device_backend` is the backend that the including file names.
#pragma once

#include <solver/flat_case.hpp>
#include <solver/multigrid_case.hpp>

#include <sumfac/dofs/function_space.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/solver/schwarz.hpp>

namespace {

using checks::index_t;

// Device vectors by their host's copies.
template <class T, class Function>
void on_device(device_backend const& backend, std::vector<T> const& in, std::vector<T>& out, Function const& f)
{
  support::on_backend(backend, in, out, [&](T const* from, T* to) {
    f(sumfac::view<T const, sumfac::dextents<1>>(from, static_cast<index_t>(in.size())),
      sumfac::view<T, sumfac::dextents<1>>(to, static_cast<index_t>(out.size())));
  });
}

}  // namespace

TEST_CASE("device: multigrid needs few iterations, in double and in float")
{
  checks::box_problem<sumfac::bp5<3, device_backend>> const p({3, 3, 3}, mesh::smooth{});
  sumfac::global_operator const l{p.a, p.r};
  auto const solved = [&](auto const& mg) {
    std::vector<double> x(p.b.size());
    sumfac::solve_result result;
    on_device(p.backend, p.b, x,
              [&](auto const& b, auto const& to) { result = sumfac::cg(l, b, to, mg, {.check_every = 1}); });
    INFO(result.report());
    CHECK(result.status == sumfac::solve_status::converged);
    CHECK(result.iterations <= 9);
  };
  solved(sumfac::multigrid{sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r)});
  solved(sumfac::multigrid{sumfac::p_levels<float, 3, 2, 1>(p.a, p.nodes(), p.r), {.smoother = sumfac::chebyshev{3}}});
}

TEST_CASE("device: levels of coarser meshes need no more iterations than many steps on the last degree")
{
  auto const bent = [](auto x) {
    x[0] += 0.1 * x[1] * x[2];
    return x;
  };
  device_backend const backend;
  auto const mesh = sumfac::refined(sumfac::box_mesh({1, 1, 1}, bent), 2);
  sumfac::function_space const space{mesh, 2, mesh.boundary()};
  auto const right = space.load([](auto const& x) { return 1 + x[0]; });
  sumfac::bp5<2, device_backend> const a{backend, mesh};
  auto const r = space.restriction(backend);
  sumfac::global_operator const l{a, r};
  auto const solved = [&](auto&& levels) {
    sumfac::multigrid const mg{std::move(levels)};
    std::vector<double> x(right.size());
    sumfac::solve_result result;
    on_device(backend, right, x,
              [&](auto const& b, auto const& to) { result = sumfac::cg(l, b, to, mg, {.check_every = 1}); });
    INFO(result.report());
    CHECK(result.status == sumfac::solve_status::converged);
    CHECK(result.iterations <= 9);
    return result.iterations;
  };
  auto const on_meshes = solved(sumfac::p_levels<float, 2, 1>(a, mesh, r));
  CHECK(on_meshes <= solved(sumfac::p_levels<float, 2, 1>(a, mesh.nodes(), r)) + 1);
  CHECK(solved(sumfac::p_levels<float, 2, 2, 1>(a, mesh, r)) <= on_meshes + 1);  // degree 2 on the coarser mesh first
}

TEST_CASE("device: additive Schwarz is what it is on the host, by itself and as a smoother")
{
  mesh::counts const counts{3, 2, 3};
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    checks::box_problem<sumfac::bp5<2, device_backend>> const p(counts, mesh::smooth{}, 3, {.policy = policy});
    checks::box_problem<sumfac::bp5<2>> const on_host(counts, mesh::smooth{});
    sumfac::global_operator const l{p.a, p.r};
    sumfac::global_operator const m{on_host.a, on_host.r};
    auto const compared = [&]<int Overlap>(sumfac::schwarz<Overlap> options) {
      sumfac::schwarz_preconditioner const there{l, options};
      sumfac::schwarz_preconditioner const here{m, options};
      std::vector<double> z(p.b.size()), exact(p.b.size());
      on_device(p.backend, p.b, z, [&](auto const& r, auto const& to) { there.apply(r, to); });
      here.apply(checks::global_view(on_host.b), checks::global_view(exact));
      for (std::size_t i = 0; i < z.size(); ++i) CHECK(z[i] == Approx(exact[i]).epsilon(1e-11).margin(1e-11));
    };
    compared(sumfac::schwarz<0>{});
    compared(sumfac::schwarz<1>{});
    sumfac::multigrid const mg{sumfac::p_levels<float, 2, 1>(p.a, p.nodes(), p.r),
                               sumfac::multigrid_options<sumfac::schwarz<>>{}};
    std::vector<double> x(p.b.size());
    on_device(p.backend, p.b, x, [&](auto const& b, auto const& to) {
      auto const result = sumfac::cg(l, b, to, mg, {.check_every = 1});
      INFO(result.report());
      CHECK(result.status == sumfac::solve_status::converged);
      CHECK(result.iterations <= 9);
    });
  }
}

TEST_CASE("device: additive Schwarz of components that are fixed each for itself is what it is on the host")
{
  for (auto const lie : {sumfac::interleaving::fastest, sumfac::interleaving::slowest}) {
    bool const first = lie == sumfac::interleaving::fastest;
    sumfac::restriction_options const options{
        .components_lie = lie, .policy = first ? sumfac::scatter::deterministic : sumfac::scatter::atomic};
    checks::box_problem<sumfac::bp6<3, device_backend>> const p({3, 2, 2}, mesh::smooth{}, 3, options);
    checks::box_problem<sumfac::bp6<3>> const on_host({3, 2, 2}, mesh::smooth{}, 3, {.components_lie = lie});
    checks::restricted_mesh numbered = p.numbered;
    for (std::size_t i = 1; i < numbered.marks.size(); i += 3) numbered.marks[i] = 0;  // one component is free
    auto const r = numbered.restriction<double>(p.backend, options);
    auto const s = numbered.restriction<double>(on_host.backend, {.components_lie = lie});
    sumfac::global_operator const l{p.a, r};
    sumfac::global_operator const m{on_host.a, s};
    auto const b = support::random<double>(p.b.size(), 12);
    auto const compared = [&](auto const& way) {
      sumfac::schwarz_preconditioner const there{l, way};
      sumfac::schwarz_preconditioner const here{m, way};
      std::vector<double> z(b.size()), exact(b.size());
      on_device(p.backend, b, z, [&](auto const& from, auto const& to) { there.apply(from, to); });
      here.apply(checks::global_view(b), checks::global_view(exact));
      for (std::size_t i = 0; i < z.size(); ++i) CHECK(z[i] == Approx(exact[i]).epsilon(1e-11).margin(1e-11));
    };
    compared(sumfac::schwarz<0>{});
    compared(sumfac::schwarz<1>{});
  }
}

TEST_CASE("device: transfers are each other's transpose, also for subsets, components and atomic sums")
{
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    checks::box_problem<sumfac::bp6<3, device_backend>> const p({3, 2, 3}, mesh::smooth{}, 3, {.policy = policy});
    auto const all = sumfac::p_levels<3, 1>(p.a, p.nodes(), p.r);
    auto const part_r = all.finest().restriction().subset(3, 11), part_s = all.coarsest().restriction().subset(3, 11);
    using transfer = sumfac::transfer<3, 1, double, device_backend>;
    transfer const whole(all.finest().restriction(), all.coarsest().restriction()), part(part_r, part_s);
    for (auto const* t : {&whole, &part}) {
      auto const v = support::random<double>(static_cast<std::size_t>(all.coarsest().size()), 1);
      auto const w = support::random<double>(static_cast<std::size_t>(all.finest().size()), 2);
      std::vector<double> pv(w.size()), ptw(v.size()), sum(w.size());
      on_device(p.backend, v, pv, [&](auto const& x, auto const& y) { t->prolong(x, y); });
      on_device(p.backend, w, ptw, [&](auto const& x, auto const& y) { t->restrict_residual(x, y); });
      double const size = std::sqrt(checks::inner_product(pv, pv) * checks::inner_product(w, w));
      CHECK(size > 0);
      CHECK(std::abs(checks::inner_product(pv, w) - checks::inner_product(v, ptw)) <= 1e-13 * size);
      // By one element for each node what is else the mean of all of its elements.
      on_device(p.backend, v, sum, [&](auto const& x, auto const& y) {
        sumfac::vector_ops<double, device_backend> const ops(p.backend, y.extent(0));
        auto work = sumfac::detail::make_memory<double>(p.backend, y.extent(0));
        ops.fill(0.5, y);
        t->add_prolonged(x.data(), work.data(), y.data());
        p.backend.synchronize();
      });
      for (std::size_t i = 0; i < sum.size(); ++i) CHECK(sum[i] - 0.5 == Approx(pv[i]).margin(1e-14));
    }
  }
}

namespace {

template <auto Space, class Backend>
using on_flat =
    checks::flat_problem<sumfac::element_operator<sumfac::stiffness, Space, sumfac::gauss<Space.degree + 2>, Backend>>;

// What Schwarz makes of a right side, and a solve by multigrid, on the device and on the host.
template <auto Space>
void compare(checks::patchwork const& mesh, sumfac::scatter policy)
{
  constexpr auto nowhere = [](checks::place const&, int) { return false; };
  on_flat<Space, device_backend> const p(mesh, nowhere, {.lambda = 1}, {.policy = policy});
  on_flat<Space, sumfac::host> const on_host(mesh, nowhere, {.lambda = 1});
  sumfac::global_operator const l{p.a, p.r};
  sumfac::global_operator const m{on_host.a, on_host.r};
  sumfac::schwarz_preconditioner const there{l};
  sumfac::schwarz_preconditioner const here{m};
  std::vector<double> z(p.b.size()), exact(p.b.size());
  on_device(p.backend, p.b, z, [&](auto const& r, auto const& to) { there.apply(r, to); });
  here.apply(checks::global_view(on_host.b), checks::global_view(exact));
  for (std::size_t i = 0; i < z.size(); ++i) CHECK(z[i] == Approx(exact[i]).epsilon(1e-11).margin(1e-11));
  sumfac::multigrid const mg{sumfac::p_levels<Space.degree, 1>(p.a, p.nodes(), p.r)};
  on_device(p.backend, p.b, z, [&](auto const& b, auto const& to) {
    auto const result = sumfac::cg(l, b, to, mg, {.check_every = 1});
    INFO(result.report());
    CHECK(result.status == sumfac::solve_status::converged);
    CHECK(result.iterations <= 9);
  });
}

}  // namespace

TEST_CASE("device: multigrid and additive Schwarz on quadrilaterals and lines")
{
  auto const square = checks::square({4, 3}, 2, checks::sheared);
  checks::patchwork const row(1, 1, 1, {9, 1}, 2, 2, [](int, double t, double) { return checks::place{t, 0, 0}; });
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    compare<sumfac::quadrilateral(2)>(square, policy);
    compare<sumfac::line(2)>(row, policy);
  }
}
