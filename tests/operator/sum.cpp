// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums of operators: against the sum of the parts' dense matrices, in solvers, and what is refused.
#include <sumfac/backend/checked.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/face_operator.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/kinds_level.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/minres.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/sum_level.hpp>

#include <catch2/catch.hpp>
#include <support/apart.hpp>
#include <support/larger.hpp>
#include <support/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace {

using sumfac::index_t, sumfac::part;
using support::apart, support::message_of, support::product;

constexpr std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

// (grad u, grad v) + (b . grad u, v) with b = (1, 2), which is not symmetric and says so.
struct transport {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value | sumfac::gradient;
  static constexpr bool symmetric = false;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 2> metric;
    sumfac::vector<T, 2> along;
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, 2> const& x) const
  {
    auto const a = x.adjugate();
    auto const two = sumfac::scalar_of<T>(2);
    return {x.metric(), {x.weight() * (a(0, 0) + two * a(0, 1)), x.weight() * (a(1, 0) + two * a(1, 1))}};
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, 2> apply(factors<T> const& f, sumfac::point_values<T, 1, 2> const& u) const
  {
    return {.value = dot(f.along, u.gradient), .gradient = f.metric * u.gradient};
  }
};

// -(n . grad u, v) - (u, n . grad v) + penalty / h (u, v)
struct nitsche {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;

  template <class T>
  struct factors {
    sumfac::vector<T, 2> across;
    T penalty;
  };
  template <class T>
  factors<T> setup(sumfac::face_mapping<T, 2> const& x) const
  {
    return {x.normal_derivative() * x.measure(), sumfac::scalar_of<T>(50) / x.height() * x.measure()};
  }
  template <class T>
  sumfac::point_values<T, 1, 2> apply(factors<T> const& f, sumfac::point_values<T, 1, 2> const& u) const
  {
    return {.value = f.penalty * u.value - dot(f.across, u.gradient), .gradient = f.across * -u.value};
  }
};

// A bent square, a side of it with a mass, another with Nitsche's terms; two rows of nodes that are constrained, or
// not.
template <class Backend>
struct pieces {
  static constexpr int degree = 3;
  static constexpr auto square = sumfac::quadrilateral(degree);

  explicit pieces(Backend const& b = {}) : backend(b) {}

  Backend backend;
  sumfac::mesh<2> mesh = sumfac::box_mesh(
      {3, 2},
      [](auto const& x) {
        return sumfac::vector<double, 2>{x[0] + 0.1 * x[1] * x[1], x[1] + 0.1 * x[0]};
      },
      1);
  sumfac::function_space<2> V{mesh, degree, mesh.boundary("x0")};
  std::vector<sumfac::element_side> sides = mesh.boundary();
};

using dense = support::columns;

// R^T A R without constraints, column by column.
template <class Operator, class Restriction>
dense columns(Operator const& a, Restriction const& r)
{
  dense matrix;
  std::vector<double> x(at(r.size())), y(at(r.size()));
  for (auto& entry : x) {
    entry = 1;
    a.apply(r, sumfac::view(x.data(), r.size()), sumfac::view(y.data(), r.size()));
    matrix.push_back(y);
    entry = 0;
  }
  return matrix;
}

void add(double scale, dense const& from, dense& to)
{
  for (std::size_t j = 0; j < from.size(); ++j)
    for (std::size_t i = 0; i < from.size(); ++i) to[j][i] += scale * from[j][i];
}

template <class Space>
void constrain(Space const& V, double value, dense& a)
{
  for (std::size_t j = 0; j < a.size(); ++j)
    for (std::size_t i = 0; i < a.size(); ++i)
      if (V.is_fixed(index_t(i)) || V.is_fixed(index_t(j))) a[j][i] = i == j ? value : 0;
}

constexpr double rounding = 200 * std::numeric_limits<double>::epsilon();

template <class Sum>
void agrees(Sum const& L, dense const& exact)
{
  auto const x = support::random<double>(exact.size(), 3);
  auto const expected = product(exact, x);
  std::vector<double> y(x.size(), std::nan("")), d = y, of_exact(x.size());
  L.apply(x, y);
  CHECK(apart(y, expected) < rounding);
  L.apply_add(x, y);
  double most = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    bool const fixed = L.restriction().table().constrained(index_t(i), 0);
    most = support::larger(most, std::abs(y[i] - (fixed ? 1 : 2) * expected[i]));
  }
  CHECK(most < 1e-12);
  L.diagonal(d);
  for (std::size_t i = 0; i < d.size(); ++i) of_exact[i] = exact[i][i];
  CHECK(apart(d, of_exact) < rounding);
}

}  // namespace

TEST_CASE("A sum is the sum of its parts' matrices, scaled, with constraints once")
{
  pieces<sumfac::host> p;
  auto const R = p.V.restriction(p.backend), free = p.V.unconstrained(p.backend);
  auto const S = p.V.on(p.sides);
  auto const on_sides = S.restriction(p.backend), free_sides = S.unconstrained(p.backend);
  sumfac::element_operator<sumfac::laplace, p.square> const K{p.backend, p.mesh};
  sumfac::element_operator<sumfac::mass, p.square> const M{p.backend, p.mesh};
  sumfac::element_operator<sumfac::mass, sumfac::curve(p.degree, 2)> const B{p.backend, S.mesh()};

  auto const numbers = sumfac::owner_table(p.V.table(), p.sides);
  auto const places = sumfac::owner_nodes(p.mesh, p.sides);
  auto const count = static_cast<index_t>(p.sides.size());
  constexpr int n = p.degree + 1;
  sumfac::view const table(numbers.data(), count, n, n);
  sumfac::restriction const behind{p.backend, table, p.V.nodes(), p.V.marks()},
      free_behind{p.backend, table, p.V.nodes()};
  sumfac::face_operator<nitsche, p.square> const F{p.backend, sumfac::view(places.data(), count, 2, 2, 2)};

  auto const k = columns(K, free), m = columns(M, free), b = columns(B, free_sides), f = columns(F, free_behind);

  SECTION("as they are")
  {
    sumfac::sum const L{part{K, R}, part{B, on_sides}, part{F, behind}};
    dense exact = k;
    add(1, b, exact), add(1, f, exact), constrain(p.V, 1, exact);
    agrees(L, exact);
    CHECK(L.symmetric);
  }
  SECTION("scaled, by numbers that change")
  {
    sumfac::sum L{0.5 * part{B, on_sides}, part{K, R}, 3.0 * part{M, R}, -2 * part{F, behind}};
    dense exact = k;
    add(0.5, b, exact), add(3, m, exact), add(-2, f, exact), constrain(p.V, 1, exact);
    agrees(L, exact);
    L.set_scale<2>(7);
    add(4, m, exact), constrain(p.V, 1, exact);
    agrees(L, exact);
    CHECK(L.at<2>().scale() == 7);
    CHECK(message_of([&] { L.set_scale<2>(std::nan("")); }).find("not a finite number (got nan)") != std::string::npos);
  }
}

TEST_CASE("A device's kernels multiply, too")
{
  pieces<sumfac::checked> p;
  pieces<sumfac::host> on_host;
  auto const R = p.V.restriction(p.backend);
  auto const free = p.V.unconstrained(on_host.backend);
  sumfac::element_operator<sumfac::laplace, p.square, sumfac::checked> const K{p.backend, p.mesh};
  sumfac::element_operator<sumfac::mass, p.square, sumfac::checked> const M{p.backend, p.mesh};
  sumfac::element_operator<sumfac::laplace, p.square> const k{on_host.backend, p.mesh};
  sumfac::element_operator<sumfac::mass, p.square> const m{on_host.backend, p.mesh};
  dense exact = columns(k, free);
  add(0.25, columns(m, free), exact), constrain(p.V, 1, exact);
  agrees(sumfac::sum{part{K, R}, 0.25 * part{M, R}}, exact);
}

TEST_CASE("Solvers take a sum as any matrix")
{
  pieces<sumfac::host> p;
  auto const R = p.V.restriction(p.backend), free = p.V.unconstrained(p.backend);
  auto const S = p.V.on(p.sides);
  auto const on_sides = S.restriction(p.backend), free_sides = S.unconstrained(p.backend);
  sumfac::element_operator<sumfac::laplace, p.square> const K{p.backend, p.mesh};
  sumfac::element_operator<transport, p.square> const C{p.backend, p.mesh};
  sumfac::element_operator<sumfac::mass, sumfac::curve(p.degree, 2)> const B{p.backend, S.mesh()};
  dense exact = columns(K, free), of_transport = columns(C, free);
  auto const b = columns(B, free_sides);
  for (dense* a : {&exact, &of_transport}) add(1, b, *a), constrain(p.V, 1, *a);
  auto const right = support::random<double>(exact.size(), 5);
  std::vector<double> x(right.size()), d(right.size());
  auto const solved = [&](sumfac::solve_result const& result, dense const& a) {
    INFO(result.report());
    CHECK(result);
    CHECK(apart(product(a, x), right) < 1e-9);
    std::fill(x.begin(), x.end(), 0);
  };

  sumfac::sum const L{part{K, R}, part{B, on_sides}};
  L.diagonal(d);
  sumfac::jacobi const J{p.backend, sumfac::view(d.data(), L.size())};
  sumfac::cg_options const options{.iterations = 200, .tolerance = 1e-11};
  solved(sumfac::cg(L, right, x, J, options), exact);
  solved(sumfac::merged_cg(L, right, x, J, options), exact);
  solved(
      sumfac::cg(L, right, x,
                 sumfac::chebyshev_smoother{L, sumfac::jacobi{p.backend, sumfac::view(d.data(), L.size())}}, options),
      exact);
  solved(sumfac::minres(L, right, x, J, {.iterations = 200, .tolerance = 1e-12}), exact);

  sumfac::sum const T{part{C, R}, part{B, on_sides}};
  CHECK(!T.symmetric);
  solved(sumfac::gmres(T, right, x, J, {.iterations = 200, .tolerance = 1e-11}), of_transport);
}

// What a degree has of (grad u, grad v) + kappa (u, v) on some sides, u = 0 on others.
template <int Degree>
struct robin_terms {
  sumfac::host backend;
  sumfac::function_space<2> V;
  sumfac::function_space<1, 2> S;
  sumfac::restriction<> R, on_sides;
  sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(Degree)> K;
  sumfac::element_operator<sumfac::mass, sumfac::curve(Degree, 2)> B;

  robin_terms(sumfac::mesh<2> const& mesh, std::vector<sumfac::element_side> const& fixed,
              std::vector<sumfac::element_side> const& robin)
      : V(mesh, Degree, fixed),
        S(V.on(robin)),
        R(V.restriction(backend)),
        on_sides(S.restriction(backend)),
        K(backend, mesh),
        B(backend, S.mesh())
  {
  }
  auto sum(double kappa) const { return sumfac::sum{part{K, R}, kappa * part{B, on_sides}}; }
};

TEST_CASE("Multigrid of levels of sums takes Robin's condition with any coefficient")
{
  sumfac::mesh const square = sumfac::box_mesh({8, 8});
  auto const all = square.boundary();
  robin_terms<4> const t4(square, {}, all);
  robin_terms<2> const t2(square, {}, all);
  robin_terms<1> const t1(square, {}, all);
  auto const right = support::random<double>(at(t4.V.size()), 9);
  std::vector<double> x(right.size()), y(right.size());
  for (double const kappa : {1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6}) {
    auto const L4 = t4.sum(kappa);
    auto const L2 = t2.sum(kappa);
    auto const L1 = t1.sum(kappa);
    sumfac::multigrid const P{sumfac::levels{sumfac::level{L4}, sumfac::level{L2}, sumfac::level{L1}}};
    std::fill(x.begin(), x.end(), 0);
    auto const result = sumfac::cg(L4, right, x, P, {.tolerance = 1e-8});
    INFO("kappa " << kappa << ": " << result.report());
    CHECK(result);
    CHECK(result.iterations <= 15);
    L4.apply(x, y);
    CHECK(apart(y, right) < 1e-6);
  }
}

TEST_CASE("Multigrid has levels of sums")
{
  sumfac::mesh const square = sumfac::box_mesh({8, 8});
  auto const fixed = square.boundary("x0"), sides = square.boundary("x1");
  robin_terms<4> const t4(square, fixed, sides);
  robin_terms<2> const t2(square, fixed, sides);
  robin_terms<1> const t1(square, fixed, sides);
  auto const L4 = t4.sum(100);
  auto const L2 = t2.sum(100);
  auto const L1 = t1.sum(100);

  auto const b = support::random<double>(at(t4.V.size()), 9);
  std::vector<double> right(b), x(b.size()), y(b.size());
  t4.V.zero_fixed(right);
  sumfac::multigrid const P{sumfac::levels{sumfac::level{L4}, sumfac::level{L2}, sumfac::level{L1}}};
  auto const result = sumfac::cg(L4, right, x, P, {.tolerance = 1e-10});
  INFO(result.report());
  CHECK(result);
  CHECK(result.iterations <= 10);
  L4.apply(x, y);
  CHECK(apart(y, right) < 1e-8);

  // Levels of the first part alone are those of another matrix.
  sumfac::multigrid const of_volume{
      sumfac::levels{sumfac::level{t4.K, t4.R}, sumfac::level{t2.K, t2.R}, sumfac::level{t1.K, t1.R}}};
  std::fill(x.begin(), x.end(), 0);
  CHECK(sumfac::cg(L4, right, x, of_volume, {.tolerance = 1e-10}).iterations > result.iterations + 3);
}

// What a degree has of the Laplacian with u = 0 on the boundary by Nitsche's method; mesh nodes are straight.
template <int Degree>
struct nitsche_terms {
  sumfac::host backend;
  sumfac::function_space<2> V;
  std::vector<index_t> numbers;
  std::vector<double> places;
  index_t faces;
  sumfac::restriction<> R, S;
  sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(Degree)> K;
  sumfac::face_operator<nitsche, sumfac::quadrilateral(Degree)> F;

  explicit nitsche_terms(sumfac::mesh<2> const& mesh)
      : V(mesh, Degree),
        numbers(sumfac::owner_table(V.table(), mesh.boundary())),
        places(sumfac::owner_nodes(mesh, mesh.boundary())),
        faces(static_cast<index_t>(mesh.boundary().size())),
        R(V.restriction(backend)),
        S(backend, sumfac::view(numbers.data(), faces, Degree + 1, Degree + 1), V.nodes()),
        K(backend, mesh),
        F(backend, behind())
  {
  }
  auto behind() const { return sumfac::view(places.data(), faces, 2, 2, 2); }
  auto sum() const { return sumfac::sum{part{K, R}, part{F, S}}; }
};

TEST_CASE("Multigrid makes the levels of Nitsche's terms")
{
  sumfac::mesh const square = sumfac::box_mesh(
      {8, 8},
      [](auto const& x) {
        return sumfac::vector<double, 2>{x[0] + 0.1 * x[1] * x[1], x[1] + 0.1 * x[0]};
      },
      1);
  nitsche_terms<3> const t3(square);
  nitsche_terms<1> const t1(square);
  auto const L3 = t3.sum();
  auto const L1 = t1.sum();
  auto const b = support::random<double>(at(t3.V.size()), 9);
  std::vector<double> x(b.size()), y(b.size());
  auto const steps = [&](auto const& P) {
    std::fill(x.begin(), x.end(), 0);
    auto const result = sumfac::cg(L3, b, x, P, {.tolerance = 1e-10});
    INFO(result.report());
    CHECK(result);
    L3.apply(x, y);
    CHECK(apart(y, b) < 1e-8);
    return result.iterations;
  };
  index_t const one_by_one = steps(sumfac::multigrid{sumfac::levels{sumfac::level{L3}, sumfac::level{L1}}});
  CHECK(one_by_one <= 14);
  CHECK(steps(sumfac::multigrid{sumfac::p_levels<3, 1>(L3, square, t3.behind())}) <= one_by_one);
  CHECK(message_of([&] { sumfac::p_levels<3, 1>(L3, square, sumfac::view(t3.places.data(), 31, 2, 2, 2)); }) ==
        "sumfac::p_levels: the mesh nodes of a face_operator's part are those of the elements behind its faces, an "
        "element for each (got 31, 32 expected): pass owner_nodes(mesh, sides), as the operator has been made of");
}

TEST_CASE("What a sum of other vectors is told")
{
  pieces<sumfac::host> p;
  auto const R = p.V.restriction(p.backend), free = p.V.unconstrained(p.backend);
  sumfac::element_operator<sumfac::laplace, p.square> const K{p.backend, p.mesh};
  auto const of = [&](auto const& first, auto const& second) {
    return message_of([&] { sumfac::sum{part{K, first}, part{K, second}}; });
  };
  CHECK(of(R, R) == "");
  CHECK(of(R, free) ==
        "sumfac::sum: component 0 of node 0 is constrained in part 0 and not in part 1 (7 entries are in part 0, 0 in "
        "part 1): make all restrictions with the same marks and constraints");
  sumfac::constraints rows, others;
  rows.add(3, {{4, 0.5}, {5, 0.5}}), others.add(3, {{4, 1}});
  auto const with = [&](sumfac::constraints const& c) {
    return sumfac::restriction{p.backend, p.V.table(), p.V.nodes(), c};
  };
  CHECK(of(with(rows), with(rows)) == "");
  CHECK(of(with(rows), with(others)) ==
        "sumfac::sum: component 0 of node 3 has another equation in part 1 than in part 0 (1 terms and 2): make all "
        "restrictions with the same constraints");
  sumfac::restriction const more{p.backend, p.V.table(), p.V.nodes() + 2};
  CHECK(of(free, more) ==
        "sumfac::sum: number of nodes in the restriction of part 1 does not fit (got 72, that of part 0 has 70)");
  sumfac::mesh const other = sumfac::box_mesh({2, 2});
  sumfac::function_space const W{other, p.degree};
  auto const of_others = W.restriction(p.backend);
  CHECK(message_of([&] {
          part{K, of_others};
        }) == "sumfac::part: number of elements of the restriction does not match (expected 6, got 4)");
}
