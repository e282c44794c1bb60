// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Additive Schwarz by fast diagonalization against dense matrices of subdomains; symmetry; iterations; what is refused.
#include "multigrid_case.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/schwarz.hpp>

#include <support/larger.hpp>
#include <support/layered.hpp>
#include <support/schwarz.hpp>

#include <limits>
#include <string>
#include <thread>

namespace {

using checks::box_problem, checks::global_view, checks::index_t, checks::refused, reference::real;
using sumfac::solve_status, sumfac::schwarz, sumfac::schwarz_weights;

// A grid of boxes of many sizes.
struct stretched {
  mesh::position operator()(mesh::position const& x) const
  {
    return {x[0] * (0.6 + 0.4 * x[0]), 2 * x[1] * x[1] + x[1], std::exp(0.8 * x[2])};
  }
};

enum class boundary { all, one_face, none };

// An operator and the oracle's matrix on a stretched grid.
template <class Operator>
struct grid_case {
  using scalar = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;

  grid_case(mesh::counts n, reference::space const& space, reference::integrand<> const& form, boundary where,
            typename Operator::form_type const& own_form = {}, sumfac::restriction_options const& options = {})
      : counts(n),
        shape(mesh::mapped(mesh::box(n), stretched{})),
        numbered{mesh::numbered(n, Operator::order, 11)},
        a(backend, checks::nodes_view(shape), own_form),
        r(make(where, options)),
        exact(space, reference::equispaced(2), shape, numbered.numbers, form),
        b(support::random<scalar>(numbered.size(), 77))
  {
  }

  // z = P r with the weights, by the oracle.
  std::vector<real> expected(int overlap, schwarz_weights weights) const
  {
    auto const fixed = numbered.constrained_entries(sumfac::interleaving::fastest);
    reference::schwarz const oracle(exact.matrix(), counts, numbered.numbers, fixed, overlap);
    auto const count = oracle.multiplicity();
    auto const weight = [&](std::size_t i, bool here, bool both) {
      if (fixed[i]) return real(1);
      return both ? 1 / std::sqrt(real(count[i])) : here ? 1 / real(count[i]) : real(1);
    };
    bool const both = weights == schwarz_weights::symmetric;
    std::vector<real> x(b.begin(), b.end());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= weight(i, weights == schwarz_weights::before, both);
    auto z = oracle.apply(x);
    for (std::size_t i = 0; i < x.size(); ++i) z[i] *= weight(i, weights == schwarz_weights::after, both);
    return z;
  }

  template <int Overlap, class Numbers = void>
  double error(schwarz_weights weights = schwarz_weights::symmetric) const
  {
    sumfac::global_operator const l{a, r};
    sumfac::schwarz_preconditioner const p{l, schwarz<Overlap, Numbers>{.weights = weights}};
    std::vector<scalar> z(b.size(), std::numeric_limits<scalar>::quiet_NaN());
    p.apply(global_view(b), global_view(z));
    auto const right = expected(Overlap, weights);
    double off = 0, greatest = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      greatest = support::larger(greatest, static_cast<double>(std::abs(right[i])));
      double const error = static_cast<double>(std::abs(static_cast<real>(z[i]) - right[i]));
      off = error == error ? std::max(off, error) : std::numeric_limits<double>::infinity();
    }
    return off / greatest;
  }

  mesh::counts counts;
  backend_type backend;
  mesh::nodes shape;
  checks::restricted_mesh numbered;
  Operator a;
  sumfac::restriction<scalar, backend_type> r;
  reference::global_operator exact;
  std::vector<scalar> b;

private:
  auto make(boundary where, sumfac::restriction_options const& options)
  {
    if (where == boundary::all) numbered.marks = checks::boundary_marks(numbered.numbers, 1);
    if (where == boundary::one_face) {
      numbered.marks.assign(numbered.size(), 0);
      int const n = numbered.numbers.nodes_1d;
      for (int e = 0; e < counts.elements(); e += counts.x)
        for (int p = 0; p < n * n * n; p += n)
          numbered.marks[static_cast<std::size_t>(numbered.numbers.element(e)[p])] = 1;
    }
    return numbered.template restriction<scalar>(backend, options);
  }
};

// Eigenvalues of lines of several lengths, squared, are what rounding is multiplied by.
constexpr double small = 1e-11;

}  // namespace

TEST_CASE("schwarz: on one element within a fixed boundary it is the inverse of the matrix")
{
  grid_case<sumfac::bp5<3>> const c({1, 1, 1}, reference::collocated(3), reference::laplace(), boundary::all);
  sumfac::global_operator const l{c.a, c.r};
  sumfac::schwarz_preconditioner const p{l, schwarz<0>{}};
  std::vector<double> z(c.b.size()), back(c.b.size());
  p.apply(global_view(c.b), global_view(z));
  l.apply(global_view(std::as_const(z)), global_view(back));
  for (std::size_t i = 0; i < z.size(); ++i) CHECK(back[i] == Approx(c.b[i]).margin(1e-11));
  CHECK(c.error<0>() <= small);
  CHECK(c.error<1>() <= small);
}

TEST_CASE("schwarz: on grids of boxes it solves with the matrix's own parts, on the nodes and on Gauss points")
{
  for (auto const where : {boundary::all, boundary::one_face}) {
    grid_case<sumfac::bp5<3>> const p({3, 2, 4}, reference::collocated(3), reference::laplace(), where);
    CHECK(p.error<0>() <= small);
    CHECK(p.error<1>() <= small);
    grid_case<sumfac::bp3<2>> const q({3, 3, 2}, reference::on_gauss(2), reference::stiffness(0.3), where,
                                      {.lambda = 0.3});
    CHECK(q.error<0>() <= small);
    CHECK(q.error<1>() <= small);
  }
}

TEST_CASE("schwarz: without a boundary, with mass; degree 1")
{
  grid_case<sumfac::bp3<2>> const p({2, 3, 2}, reference::on_gauss(2), reference::stiffness(2), boundary::none,
                                    {.lambda = 2});
  CHECK(p.error<0>() <= small);
  CHECK(p.error<1>() <= small);
  grid_case<sumfac::bp5<1>> const q({4, 3, 3}, reference::collocated(1), reference::laplace(), boundary::all);
  CHECK(q.error<0>() <= small);
}

TEST_CASE("schwarz: weights before, behind, on both sides and nowhere; in float")
{
  grid_case<sumfac::bp5<2>> const p({3, 2, 3}, reference::collocated(2), reference::laplace(), boundary::one_face);
  for (auto const weights :
       {schwarz_weights::none, schwarz_weights::before, schwarz_weights::after, schwarz_weights::symmetric}) {
    CHECK(p.error<0>(weights) <= small);
    CHECK(p.error<1>(weights) <= small);
  }
  CHECK(p.error<1, float>() <= 1e-5);
  CHECK(p.error<1, float>() > 1e-9);
}

namespace {

using support::layered;

// Elements that are looked at with other axes: nodes and numbers of a mesh in another order, right-handed as before.
template <class T>
std::vector<T> turned(std::vector<T> const& values, int elements, int n, int entries)
{
  std::vector<T> result;
  for (int e = 0; e < elements; ++e)
    for (int p = 0; p < n * n * n; ++p) {
      int const from[3] = {p % n, p / n % n, p / n / n};
      int at[3];
      for (int d = 0; d < 3; ++d) {
        int const i = from[(d + e) % 3];                                   // axes in turn
        at[d] = (e / 3 % 4 == d + 1) || (e / 3 % 4 == 0) ? i : n - 1 - i;  // none or two of them turned back
      }
      auto const first = values.begin() + (e * n * n * n + (at[2] * n + at[1]) * n + at[0]) * entries;
      result.insert(result.end(), first, first + entries);
    }
  return result;
}

template <class Problem, class Preconditioner>
std::vector<typename Problem::scalar> applied(Problem const& problem, Preconditioner const& p)
{
  std::vector<typename Problem::scalar> z(problem.b.size());
  p.apply(global_view(problem.b), global_view(z));
  return z;
}

template <class Problem, class Preconditioner>
sumfac::solve_result solved(Problem const& p, Preconditioner const& preconditioner,
                            sumfac::cg_options const& options = {})
{
  sumfac::global_operator const l{p.a, p.r};
  std::vector<typename Problem::scalar> x(p.b.size());
  auto const result = sumfac::cg(l, global_view(p.b), global_view(x), preconditioner, options);
  INFO(result.report());
  CHECK(result.status == solve_status::converged);
  return result;
}

}  // namespace

TEST_CASE("schwarz: coefficients that jump from layer to layer are those of the subdomains")
{
  mesh::counts const n{3, 2, 3};
  double const x[] = {1, 20, 3}, y[] = {1, 0.2}, z[] = {5, 1, 1};
  std::vector<double> values;
  for (int e = 0; e < n.elements(); ++e) values.push_back(x[e % n.x] * y[e / n.x % n.y] * z[e / n.x / n.y]);
  auto const cell = [](double at, int cells, int axis) {
    int i = 0;
    auto const end = [&](double t) { return stretched{}({t, t, t})[static_cast<std::size_t>(axis)]; };
    while (at > end((i + 1.0) / cells)) ++i;
    return i;
  };
  reference::integrand<> const form = [&](reference::point<> const& p, reference::field<> const& u) {
    double const k = x[cell(double(p.position[0]), n.x, 0)] * y[cell(double(p.position[1]), n.y, 1)] *
                     z[cell(double(p.position[2]), n.z, 2)];
    reference::field<> out;
    for (std::size_t d = 0; d < 3; ++d) out.gradient[0][d] = k * u.gradient[0][d];
    return out;
  };
  layered const own{sumfac::view<double const, sumfac::dextents<1>>(values.data(), n.elements())};
  grid_case<sumfac::element_operator<layered, 3>> const c(n, reference::on_gauss(3), form, boundary::all, own);
  CHECK(c.error<0>() <= small);
  CHECK(c.error<1>() <= small);
}

TEST_CASE("schwarz: the same however the elements are turned, also with one of three components fixed")
{
  mesh::counts const n{4, 3, 3};
  auto const shape = mesh::mapped(mesh::box(n), mesh::smooth{});
  auto const numbers = mesh::numbered(n, 3, 5);
  auto const both = [&]<int Overlap, int Components>(schwarz<Overlap>, std::integral_constant<int, Components>) {
    auto const of = [&](mesh::nodes const& nodes, mesh::numbering const& table) {
      using made = std::conditional_t<Components == 1, sumfac::bp5<3>, sumfac::bp6<3>>;
      made const a(sumfac::host{}, checks::nodes_view(nodes));
      checks::restricted_mesh m{table, Components, checks::boundary_marks(table, Components)};
      for (std::size_t i = 0; i < m.marks.size() && Components > 1; i += 3) m.marks[i] = 0;
      auto const r = m.restriction<double>(sumfac::host{});
      sumfac::global_operator const l{a, r};
      sumfac::schwarz_preconditioner const p{l, schwarz<Overlap>{}};
      auto const b = support::random<double>(m.size(), 8);
      std::vector<double> z(b.size());
      p.apply(global_view(b), global_view(z));
      return z;
    };
    auto other_nodes = shape;
    auto other_numbers = numbers;
    other_nodes.coordinates = turned(shape.coordinates, n.elements(), 2, 3);
    other_numbers.table = turned(numbers.table, n.elements(), 4, 1);
    CHECK(other_numbers.table != numbers.table);
    auto const one = of(shape, numbers), other = of(other_nodes, other_numbers);
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(other[i] == Approx(one[i]).epsilon(1e-9).margin(1e-11));
  };
  both(schwarz<0>{}, std::integral_constant<int, 1>{});
  both(schwarz<1>{}, std::integral_constant<int, 1>{});
  both(schwarz<1>{}, std::integral_constant<int, 3>{});
}

TEST_CASE("schwarz: symmetric, on curved elements, for components, rows and their order")
{
  auto const symmetric = [](auto const& p) {
    sumfac::global_operator const l{p.a, p.r};
    CHECK(checks::lack_of_symmetry(sumfac::schwarz_preconditioner{l, schwarz<0>{}}, p) <= 1e-13);
    CHECK(checks::lack_of_symmetry(sumfac::schwarz_preconditioner{l}, p) <= 1e-13);
    CHECK(checks::lack_of_symmetry(sumfac::schwarz_preconditioner{l, schwarz<1, float>{}}, p) <= 1e-5);
    sumfac::schwarz_preconditioner const one_sided{l, schwarz<1>{schwarz_weights::before}};
    CHECK(checks::lack_of_symmetry(one_sided, p) >= 1e-4);
  };
  symmetric(box_problem<sumfac::bp5<3>>({3, 3, 4}, mesh::smooth{}));
  symmetric(
      box_problem<sumfac::bp6<3>>({3, 3, 2}, mesh::smooth{}, 3, {.components_lie = sumfac::interleaving::slowest}));
  symmetric(box_problem<sumfac::bp3<2>>({3, 2, 3}, mesh::smooth{}, 3, {.rows = sumfac::constrained_rows::zero}));
}

TEST_CASE("schwarz: z is r over what constrained rows have, so that the mean of the diagonal there is no other solve")
{
  box_problem<sumfac::bp5<3>> p({3, 3, 4}, mesh::smooth{});
  sumfac::global_operator const l{p.a, p.r};
  std::size_t const n = p.b.size();
  auto const fixed = p.numbered.constrained_entries(sumfac::interleaving::fastest);
  std::vector<double> d(n), z(n), y(n);
  l.diagonal(global_view(d));
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < n; ++i) sum += fixed[i] ? 0 : d[i], count += fixed[i] ? 0 : 1;
  double const mean = sumfac::mean_free_diagonal(l);
  CHECK(std::abs(mean - sum / count) <= 1e-13 * mean);
  auto const solved = [&](double rows) {
    p.r.set_rows(rows);
    CHECK(p.r.options().rows.value == rows);
    CHECK(std::abs(sumfac::mean_free_diagonal(l) - mean) <= 1e-15 * mean);
    l.diagonal(global_view(d));
    auto const with_rows = [&](auto const& preconditioner, double allowed) {
      auto const r = support::random<double>(n, 4);
      preconditioner.apply(global_view(r), global_view(z));
      l.apply(global_view(r), global_view(y));
      double off = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (!fixed[i]) continue;
        off = support::larger(off, std::abs(z[i] * rows - r[i]));
        CHECK(y[i] == rows * r[i]);
        CHECK(d[i] == rows);
      }
      CHECK(off <= allowed);
    };
    with_rows(sumfac::schwarz_preconditioner{l, schwarz<0>{}}, 1e-15);
    with_rows(sumfac::schwarz_preconditioner{l}, 1e-15);
    with_rows(sumfac::schwarz_preconditioner{l, schwarz<1, float>{}}, 1e-6);
    sumfac::chebyshev_smoother const s{l, sumfac::schwarz_preconditioner{l}};
    std::vector<double> x(n);
    auto const result = sumfac::cg(l, global_view(p.b), global_view(x), s);
    CHECK(result.status == solve_status::converged);
    return result.iterations;
  };
  auto const with_mean = solved(mean), with_small = solved(1e-9 * mean), with_large = solved(1e9 * mean);
  CHECK(with_small == with_mean);
  CHECK(with_large == with_mean);
  double const none = std::numeric_limits<double>::quiet_NaN(), large = std::numeric_limits<double>::infinity();
  for (double const rows : {-1.0, none, large, 1e-310})
    refused([&] { p.r.set_rows(rows); }, {"sumfac::restriction", "constrained rows cannot have", "0, or from 2.2"});
  refused([&] { static_cast<void>(p.numbered.restriction<float>(sumfac::host{}, {.rows = 1e-40})); },
          {"constrained rows cannot have 1e-40 on the diagonal", "from 1.17549e-38 to 8.50706e+37"});
  CHECK(p.r.options().rows.value == 1e9 * mean);
}

TEST_CASE("schwarz: used by several threads at once it is right or refused")
{
  box_problem<sumfac::bp5<3>> const p({3, 3, 4}, mesh::smooth{});
  sumfac::global_operator const l{p.a, p.r};
  sumfac::schwarz_preconditioner const s{l};
  std::vector<double> expected(p.b.size());
  s.apply(global_view(p.b), global_view(expected));
  int right[3] = {}, refusals[3] = {};
  auto const work = [&](int i) {
    std::vector<double> z(p.b.size());
    for (int k = 0; k < 300; ++k) {
      try {
        s.apply(global_view(p.b), global_view(z));
        right[i] += z == expected ? 1 : 0;
      } catch (sumfac::argument_error const& e) {
        refusals[i] += std::string(e.what()).find("schwarz_preconditioner: another thread is at work") < 20 ? 1 : 0;
      }
    }
  };
  std::thread one([&] { work(0); }), two([&] { work(1); });
  work(2);
  one.join();
  two.join();
  for (int i = 0; i < 3; ++i) CHECK(right[i] + refusals[i] == 300);
  s.apply(global_view(p.b), global_view(expected));
}

TEST_CASE("schwarz: one element without a boundary: positive, where constants have no energy")
{
  auto const shape = mesh::box({1, 1, 1});
  sumfac::bp5<3> const a(sumfac::host{}, checks::nodes_view(shape));
  checks::restricted_mesh const m{mesh::numbered({1, 1, 1}, 3)};
  auto const r = m.restriction<double>(sumfac::host{});
  sumfac::global_operator const l{a, r};
  std::vector<double> const one(64, 1);
  std::vector<double> z(64);
  sumfac::schwarz_preconditioner{l}.apply(global_view(one), global_view(z));
  for (double const x : z) {
    CHECK(x > 0);
    CHECK(x < 1e3);
  }
}

TEST_CASE("schwarz: the same bits for any number of threads; subsets; nodes of no element; on checked")
{
  std::vector<double> first;
  for (int const threads : {1, 2, 3}) {
    box_problem<sumfac::bp5<2>> const p({8, 7, 6}, mesh::smooth{}, 3, {.blocks = 6}, {}, sumfac::host{threads});
    sumfac::global_operator const l{p.a, p.r};
    auto const z = applied(p, sumfac::schwarz_preconditioner{l});
    if (first.empty()) first = z;
    CHECK(z == first);
  }

  // A subset is a mesh of its own; elsewhere nothing is done.
  box_problem<sumfac::bp5<2>> const p({4, 4, 4}, mesh::smooth{});
  auto const part = p.r.subset(0, 20);
  auto const shape = mesh::selected(p.shape, [] {
    std::vector<int> list;
    for (int e = 0; e < 20; ++e) list.push_back(e);
    return list;
  }());
  checks::restricted_mesh whole = p.numbered;
  whole.numbers.elements = 20, whole.numbers.table.resize(20 * 27);
  auto const alone = whole.restriction<double>(sumfac::host{});
  sumfac::bp5<2> const own(sumfac::host{}, checks::nodes_view(shape));
  sumfac::global_operator const l{p.a, part}, m{own, alone};
  auto const one = applied(p, sumfac::schwarz_preconditioner{l}), two = applied(p, sumfac::schwarz_preconditioner{m});
  std::vector<bool> met(p.b.size());
  for (auto const node : whole.numbers.table) met[static_cast<std::size_t>(node)] = true;
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i] == Approx(two[i]).epsilon(1e-11).margin(1e-12));
    if (!met[i]) CHECK(one[i] == p.b[i]);
  }

  box_problem<sumfac::bp5<2, sumfac::checked>> const q({3, 2, 2}, mesh::smooth{});
  box_problem<sumfac::bp5<2>> const on_host({3, 2, 2}, mesh::smooth{});
  sumfac::global_operator const there{q.a, q.r};
  sumfac::global_operator const here{on_host.a, on_host.r};
  auto const compared = [&](auto options) {
    auto const z = applied(q, sumfac::schwarz_preconditioner{there, options});
    auto const exact = applied(on_host, sumfac::schwarz_preconditioner{here, options});
    for (std::size_t i = 0; i < z.size(); ++i) CHECK(z[i] == Approx(exact[i]).epsilon(1e-11).margin(1e-12));
  };
  compared(schwarz<0>{});
  compared(schwarz<1>{});
}

TEST_CASE("schwarz: right sides of any size")
{
  box_problem<sumfac::bp5<2>> const p({3, 3, 3}, mesh::smooth{});
  sumfac::global_operator const l{p.a, p.r};
  sumfac::schwarz_preconditioner const in_float{l, schwarz<1, float>{}};
  auto const one = applied(p, in_float);
  auto r = p.b;
  for (double& x : r) x *= 0x1p-300;
  std::vector<double> z(r.size());
  in_float.apply(global_view(std::as_const(r)), global_view(z));
  for (std::size_t i = 0; i < z.size(); ++i) CHECK(z[i] == 0x1p-300 * one[i]);
}

TEST_CASE("schwarz: iterations by itself, within Chebyshev's polynomial, and as multigrid's smoother")
{
  box_problem<sumfac::bp5<3>> const smooth({5, 5, 5}, mesh::smooth{}), thin({5, 5, 5}, mesh::kershaw{});
  auto const count = [](auto const& p) {
    sumfac::global_operator const l{p.a, p.r};
    std::vector<double> d(p.b.size());
    l.diagonal(global_view(d));
    auto const by_jacobi = solved(p, sumfac::jacobi{p.backend, global_view(std::as_const(d))}).iterations;
    auto const by_elements = solved(p, sumfac::schwarz_preconditioner{l, schwarz<0>{}}).iterations;
    auto const by_overlap = solved(p, sumfac::schwarz_preconditioner{l}).iterations;
    INFO(by_jacobi << " by Jacobi, " << by_elements << " by elements, " << by_overlap << " by overlap");
    CHECK(5 * by_elements <= 3 * by_jacobi);
    CHECK(5 * by_overlap <= 4 * by_elements);
    CHECK(solved(p, sumfac::schwarz_preconditioner{l, schwarz<1, float>{}}).iterations <= by_overlap + 2);
    sumfac::chebyshev_smoother const around{
        l, sumfac::schwarz_preconditioner{l}, {.degree = 3, .kind = sumfac::chebyshev_kind::first}};
    CHECK(4 * solved(p, around).iterations <= 3 * by_overlap);
  };
  count(smooth), count(thin);
  auto const by_multigrid = [](auto const& p, auto const& options) {
    return solved(p, sumfac::multigrid{sumfac::p_levels<float, 3, 1>(p.a, p.nodes(), p.r), options}).iterations;
  };
  using elements = sumfac::multigrid_options<schwarz<0>>;
  using overlap = sumfac::multigrid_options<schwarz<>>;
  auto const of_smooth = by_multigrid(smooth, overlap{}), of_thin = by_multigrid(thin, overlap{});
  auto const jacobi_thin = by_multigrid(thin, sumfac::multigrid_options<>{});
  INFO(of_smooth << " on smooth elements, " << of_thin << " on thin ones, " << jacobi_thin << " by Jacobi's smoother");
  CHECK(by_multigrid(smooth, elements{}) <= 7);
  CHECK(of_smooth <= 6);
  CHECK(5 * of_thin <= 4 * jacobi_thin);
  CHECK(of_thin <= 15);
}

TEST_CASE("schwarz: what is refused")
{
  mesh::counts const n{2, 2, 2};
  auto const shape = mesh::box(n);
  std::vector<double> k(8, 1);
  k[5] = 0;
  sumfac::element_operator<layered, 3> const a(
      sumfac::host{}, checks::nodes_view(shape),
      layered{sumfac::view<double const, sumfac::dextents<1>>(k.data(), n.elements())});
  checks::restricted_mesh const m{mesh::numbered(n, 3)};
  auto const r = m.restriction<double>(sumfac::host{});
  sumfac::global_operator const l{a, r};
  refused([&] { static_cast<void>(sumfac::schwarz_preconditioner{l}); },
          {"schwarz_preconditioner: element 5", "along x", "energy 0", "above 0 expected"});

  box_problem<sumfac::bp5<2>> const p({2, 2, 2}, mesh::smooth{});
  sumfac::global_operator const fine{p.a, p.r};
  sumfac::schwarz_preconditioner const q{fine};
  std::vector<double> z(p.b.size()), too_short(z.size() - 1);
  refused([&] { q.apply(global_view(std::as_const(too_short)), global_view(z)); },
          {"of r does not match", "expected 125, got 124"});
  refused([&] { q.apply(global_view(p.b), global_view(too_short)); }, {"of z does not match", "expected 125, got 124"});
  refused([&] { q.apply(global_view(std::as_const(z)), global_view(z)); }, {"r", "z"});
  auto const levels = sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r);
  refused([&] { schwarz<>{.weights = schwarz_weights::after}.make(levels.finest()); }, {"weights 2", "symmetric"});
}
