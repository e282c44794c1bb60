// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid and transfers in a device's memory. `device_backend` is the backend that the including file names.
#pragma once

#include <support/larger.hpp>

#include <solver/flat_case.hpp>
#include <solver/multigrid_case.hpp>

#include <sumfac/dofs/function_space.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/solver/schwarz.hpp>
#include <sumfac/tools/explain/levels.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

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

using ops_of_double = sumfac::vector_ops<double, device_backend>;  // nvcc 13 mistakes it within a generic lambda

// Levels of a matrix whose rows of the identity are left out, half of them at first, and the others turned around: the
// cycle over them solves, whatever smooths.
class turned_levels {
public:
  explicit turned_levels(sumfac::csr_matrix<> const& a) : of_(a)
  {
    std::vector<index_t> single, others;
    for (index_t i = 0; i < a.size(); ++i)
      (a.first()[std::size_t(i)] + 1 == a.first()[std::size_t(i) + 1] ? single : others).push_back(i);
    for (index_t i = 0; i < index_t(others.size()); ++i) {  // 7 and the number of others have no factor in common
      second_.push_back(index_t(single.size()) / 2 + i);
      first_.push_back(others[std::size_t(i * 7 % index_t(others.size()))]);
    }
    first_.insert(first_.begin(), single.begin(), single.begin() + index_t(single.size() / 2));
    std::reverse(second_.begin(), second_.end());
  }
  std::vector<sumfac::amg_level> levels() const
  {
    std::vector<sumfac::amg_level> all;
    all.push_back(part(of_, first_));
    all.push_back(part(all[0].matrix, second_));
    return all;
  }

private:
  // The rows and columns `kept` of a matrix, in that order.
  static sumfac::amg_level part(sumfac::csr_matrix<> const& a, std::vector<index_t> const& kept)
  {
    std::vector<index_t> place(std::size_t(a.size()), -1), first{0}, columns, up{0}, up_columns;
    for (std::size_t i = 0; i < kept.size(); ++i) place[std::size_t(kept[i])] = index_t(i);
    std::vector<double> values;
    for (index_t const row : kept) {
      std::vector<double> dense(kept.size(), 0);
      a.for_each_of(row, [&](index_t column, double value) {
        if (index_t const k = place[std::size_t(column)]; k >= 0) dense[std::size_t(k)] = value;
      });
      for (std::size_t k = 0; k < dense.size(); ++k)
        if (dense[k] != 0) columns.push_back(index_t(k)), values.push_back(dense[k]);
      first.push_back(index_t(columns.size()));
    }
    for (index_t const k : place) {
      if (k >= 0) up_columns.push_back(k);
      up.push_back(index_t(up_columns.size()));
    }
    std::vector<double> const ones(up_columns.size(), 1);
    return {{first, columns, values}, {up, up_columns, ones, {}, index_t(kept.size())}};
  }

  sumfac::csr_matrix<> of_;
  std::vector<index_t> first_, second_;
};

struct made_once : turned_levels {
  explicit made_once(sumfac::csr_matrix<> const& a) : turned_levels(a)
  {
    static bool made = false;
    if (made) throw std::runtime_error("not again");
    made = true;
  }
};

struct no_levels {
  explicit no_levels(sumfac::csr_matrix<> const&) {}
  static std::vector<sumfac::amg_level> levels() { return {}; }
};

}  // namespace

TEST_CASE("device: an algebraic multigrid on the last level solves there as others do")
{
  checks::box_problem<sumfac::bp5<3, device_backend>> const p({4, 3, 3}, mesh::smooth{});
  auto const all = [&] { return sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r); };
  index_t const unknowns = 5 * 4 * 4, free = 3 * 2 * 2, between = free + (unknowns - free) / 2;
  auto const applied = [&](auto const& last) {
    sumfac::multigrid mg{all(), {}, last};
    std::vector<double> z(p.b.size());
    mg.update();
    on_device(p.backend, p.b, z, [&](auto const& r, auto const& to) { mg.apply(r, to); });
    return std::pair(z, sumfac::explain(mg));
  };
  using chosen = sumfac::coarse_amg<turned_levels>;
  chosen const pays{.unknowns = 1, .pays_from = 1, .inverted = free};
  auto const expected = applied(sumfac::coarse_cg{.tolerance = 1e-13}).first;
  double const size = std::sqrt(checks::inner_product(expected, expected));
  auto const solves = [&](chosen const& last, std::string const& what) {
    auto const [z, text] = applied(last);
    INFO(text);
    CHECK(text.find("; an algebraic multigrid of the assembled matrix, for " + std::to_string(unknowns) +
                    " unknowns and 1 right sides (") != std::string::npos);
    CHECK(text.find("), " + what + "\n") != std::string::npos);
    for (std::size_t i = 0; i < z.size(); ++i) CHECK(std::abs(z[i] - expected[i]) < 1e-11 * size);
  };
  solves(pays, "on the device: 3 levels, the last of " + std::to_string(free) + " rows by its inverse");
  solves({.unknowns = 1, .pays_from = 1, .inverted = between},
         "on the device: 2 levels, the last of " + std::to_string(between) + " rows by its inverse");
  solves({.unknowns = 1, .pays_from = 1},
         "on the device: 1 levels, the last of " + std::to_string(unknowns) + " rows by its inverse");
  // Without an inverse, a polynomial that solves less.
  auto const [z, of_polynomial] = applied(chosen{.unknowns = 1, .pays_from = 1, .inverted = 1});
  CHECK(of_polynomial.find(" rows by Chebyshev's polynomial\n") != std::string::npos);
  double off = 0;
  for (std::size_t i = 0; i < z.size(); ++i) off = support::larger(off, std::abs(z[i] - expected[i]));
  CHECK(off > 1e-6 * size);
  CHECK(off < 0.1 * size);
  // Where it does not pay, or has no levels.
  auto const [usual, of_usual] = applied(sumfac::coarse_chebyshev{});
  CHECK(of_usual.find("; Chebyshev's polynomial for all eigenvalues, of degree ") != std::string::npos);
  auto const [few, of_few] = applied(chosen{.right_sides = 4, .unknowns = 1});
  CHECK(few == usual);
  CHECK(of_few.find("; Chebyshev's polynomial for all eigenvalues, for ") != std::string::npos);
  auto const [none, of_none] = applied(sumfac::coarse_amg<no_levels>{.unknowns = 1, .pays_from = 1, .inverted = 1});
  CHECK(none == usual);
  CHECK(of_none.find("), which finds no coarser level\n") != std::string::npos);
  // Where the second cannot be made, the first is still there.
  sumfac::multigrid kept{all(), {}, sumfac::coarse_amg<made_once>{.unknowns = 1, .pays_from = 1}};
  CHECK_THROWS_AS(kept.update(), std::runtime_error);
  std::vector<double> z_kept(p.b.size());
  on_device(p.backend, p.b, z_kept, [&](auto const& r, auto const& to) { kept.apply(r, to); });
  for (std::size_t i = 0; i < z_kept.size(); ++i) CHECK(std::abs(z_kept[i] - expected[i]) < 1e-11 * size);
}

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
        ops_of_double const ops(p.backend, y.extent(0));
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
