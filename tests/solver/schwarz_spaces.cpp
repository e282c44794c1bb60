// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Additive Schwarz on quadrilaterals, lines and surfaces against dense matrices; symmetry; turned elements.
// part host: BACKEND=host
// part checked: BACKEND=checked
#include "flat_case.hpp"
#include "multigrid_case.hpp"

#include <sumfac/operator/element_operator.hpp>
#include <sumfac/solver/schwarz.hpp>

#include <operator/spaces.hpp>
#include <support/larger.hpp>
#include <support/schwarz.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using backend = sumfac::BACKEND;
using checks::flat_problem, checks::global_view, checks::patchwork, checks::place, reference::real;
using sumfac::line, sumfac::quadrilateral, sumfac::surface, sumfac::schwarz, sumfac::schwarz_weights;

template <class Form, auto Space, class Points>
using on = sumfac::element_operator<Form, Space, Points, backend>;

constexpr auto all_around = [](place const& x, int) {
  return x[0] < 1e-9 || x[0] > 1 - 1e-9 || x[1] < 1e-9 || x[1] > 3 - 1e-9;
};
constexpr auto left = [](place const& x, int) { return x[0] < 1e-9; };
constexpr auto nowhere = [](place const&, int) { return false; };

// The matrix of all elements, by the oracle.
template <class Operator>
reference::table<real> assembled(patchwork const& mesh, reference::flat_integrand const& integrand)
{
  reference::function_space const space{checks::rule_of<typename Operator::nodes_type>()};
  auto const points = checks::rule_of<typename Operator::points_type>();
  int const size = int(mesh.size()), n = mesh.numbers.element_size();
  auto const of_element = mesh.shape.size() / std::size_t(mesh.numbers.elements);
  reference::table<real> a(size, size);
  for (int e = 0; e < mesh.numbers.elements; ++e) {
    auto const first = mesh.shape.begin() + std::ptrdiff_t(of_element) * e;
    reference::flat_element const element(Operator::directions, Operator::coordinates,
                                          reference::gauss_lobatto(mesh.mesh_nodes_1d),
                                          {first, first + std::ptrdiff_t(of_element)}, points);
    for (int j = 0; j < n; ++j) {
      std::vector<real> unit(std::size_t(n), 0);
      unit[std::size_t(j)] = 1;
      auto const column = element.apply(space, space, integrand, unit);
      for (int i = 0; i < n; ++i)
        a(int(mesh.numbers.element(e)[i]), int(mesh.numbers.element(e)[j])) += column[std::size_t(i)];
    }
  }
  return a;
}

// How far P is from the oracle's on a grid of boxes, over the greatest entry; with symmetric weights.
template <int Overlap, class Operator>
double error(flat_problem<Operator> const& p, mesh::counts cells, reference::flat_integrand const& integrand)
{
  std::vector<bool> const fixed(p.marks.begin(), p.marks.end());
  reference::schwarz const oracle(assembled<Operator>(p.mesh, integrand), cells, p.mesh.numbers, fixed, Overlap);
  auto const count = oracle.multiplicity();
  auto const weighted = [&](auto x) {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!fixed[i]) x[i] /= std::sqrt(real(count[i]));
    return x;
  };
  auto const expected = weighted(oracle.apply(weighted(std::vector<real>(p.b.begin(), p.b.end()))));
  sumfac::global_operator const l{p.a, p.r};
  std::vector<double> z(p.b.size(), std::numeric_limits<double>::quiet_NaN());
  sumfac::schwarz_preconditioner{l, schwarz<Overlap>{}}.apply(global_view(p.b), global_view(z));
  double off = 0, greatest = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    greatest = support::larger(greatest, double(std::abs(expected[i])));
    double const e = std::abs(double(z[i] - expected[i]));
    off = e == e ? std::max(off, e) : std::numeric_limits<double>::infinity();
  }
  return off / greatest;
}

constexpr double small = 1e-11;

template <auto Space, class Points, class Fixed>
void solves_parts(std::array<int, 2> cells, Fixed const& fixed, double lambda)
{
  INFO(Space.directions << " directions, degree " << Space.degree << ", " << cells[0] << " x " << cells[1]);
  using made = on<sumfac::stiffness, Space, Points>;
  patchwork const mesh(Space.directions, Space.directions, 1, cells, Space.degree, 2,
                       [](int, double s, double t) { return checks::stretched(s, Space.directions == 2 ? t : 1e-3); });
  flat_problem<made> const p(mesh, fixed, {.lambda = lambda});
  mesh::counts const counts{cells[0], Space.directions == 2 ? cells[1] : 1, 1};
  CHECK(error<0>(p, counts, checks::stiffness(lambda)) <= small);
  if constexpr (Space.degree > 1) CHECK(error<1>(p, counts, checks::stiffness(lambda)) <= small);
}

}  // namespace

TEST_CASE("schwarz: on quadrilaterals that are boxes it solves with the matrix's own parts")
{
  solves_parts<quadrilateral(3), sumfac::gauss<5>>({3, 2}, all_around, 0);
  solves_parts<quadrilateral(3), sumfac::gauss<5>>({3, 4}, left, 0.3);
  solves_parts<quadrilateral(3), sumfac::gauss<5>>({3, 3}, nowhere, 2);
  solves_parts<quadrilateral(3), sumfac::gauss<5>>({1, 1}, all_around, 0);
}

TEST_CASE("schwarz: on lines it solves with the matrix's own parts")
{
  // Its ends are at x = 0 and 1.
  auto const ends = [](place const& x, int) { return x[0] < 1e-9 || x[0] > 1 - 1e-9; };
  solves_parts<line(4), sumfac::gauss_lobatto<5>>({6, 1}, ends, 0);
  solves_parts<line(4), sumfac::gauss_lobatto<5>>({5, 1}, left, 0.7);
  solves_parts<line(4), sumfac::gauss_lobatto<5>>({5, 1}, nowhere, 0.7);
}

TEST_CASE("schwarz: symmetric on curved quadrilaterals, surfaces and components; one layer more is better")
{
  auto const symmetric = [](auto const& p) {
    sumfac::global_operator const l{p.a, p.r};
    sumfac::schwarz_preconditioner const s0{l, schwarz<0>{}};
    sumfac::schwarz_preconditioner const s1{l};
    CHECK(checks::lack_of_symmetry(s0, p) <= 1e-13);
    CHECK(checks::lack_of_symmetry(s1, p) <= 1e-13);
    std::vector<double> x(p.b.size()), y(x);
    auto const one = sumfac::cg(l, global_view(p.b), global_view(x), s0);
    auto const two = sumfac::cg(l, global_view(p.b), global_view(y), s1);
    INFO(one.report() << "; " << two.report());
    CHECK(one.status == sumfac::solve_status::converged);
    CHECK(two.status == sumfac::solve_status::converged);
    CHECK(4 * two.iterations <= 3 * one.iterations);
  };
  constexpr bool is_host = sumfac::runs_on_host<backend>;
  int const cells = is_host ? 6 : 3;
  using pair = on<sumfac::vector_laplace<2>, quadrilateral(3), sumfac::gauss<5>>;
  auto const one_side = [](place const& x, int c) { return c == 0 ? x[1] < 1e-9 : x[0] < 1e-9; };
  if constexpr (is_host) symmetric(flat_problem<pair>(checks::square({cells, cells}, 3, checks::kershaw), one_side));
  using beltrami = on<sumfac::stiffness, surface(3), sumfac::gauss<5>>;
  symmetric(flat_problem<beltrami>(checks::sphere(cells / 3 + 1, 3), nowhere, {.lambda = 1}));
}

TEST_CASE("schwarz: the same however quadrilaterals are turned")
{
  using made = on<sumfac::laplace, quadrilateral(3), sumfac::gauss<5>>;
  patchwork const mesh = checks::square({4, 3}, 3, checks::sheared);
  // Right-handed as before: by quarter turns.
  auto const turned = [](auto const& values, int elements, int n, int entries) {
    auto result = values;
    for (int e = 0; e < elements; ++e)
      for (int p = 0; p < n * n; ++p) {
        int i = p % n, j = p / n;
        for (int quarter = 0; quarter < e % 4; ++quarter) {
          int const before = i;
          i = j, j = n - 1 - before;
        }
        auto const to = std::size_t((e * n * n + p) * entries), from = std::size_t((e * n * n + j * n + i) * entries);
        for (std::size_t c = 0; c < std::size_t(entries); ++c) result[to + c] = values[from + c];
      }
    return result;
  };
  patchwork other = mesh;
  other.shape = turned(mesh.shape, mesh.numbers.elements, mesh.mesh_nodes_1d, 2);
  other.numbers.table = turned(mesh.numbers.table, mesh.numbers.elements, 4, 1);
  CHECK(other.numbers.table != mesh.numbers.table);
  auto const rim = [](place const& x, int) { return x[1] < 1e-9; };
  flat_problem<made> const p(mesh, rim), q(other, rim);
  sumfac::global_operator const l{p.a, p.r};
  sumfac::global_operator const m{q.a, q.r};
  auto const compared = [&](auto const& one, auto const& two) {
    std::vector<double> x(p.b.size()), y(x);
    one.apply(global_view(p.b), global_view(x));
    two.apply(global_view(q.b), global_view(y));
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == Approx(x[i]).epsilon(1e-9).margin(1e-11));
  };
  compared(sumfac::schwarz_preconditioner{l, schwarz<0>{}}, sumfac::schwarz_preconditioner{m, schwarz<0>{}});
  compared(sumfac::schwarz_preconditioner{l}, sumfac::schwarz_preconditioner{m});
}
