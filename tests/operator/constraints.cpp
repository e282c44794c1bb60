// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Equations between unknowns in operators on the host, in matrices, and in solvers.
#include "constraints.hpp"

#include <support/larger.hpp>

#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/merged_cg.hpp>

namespace {

using checks::agrees_with_rows, checks::global_view;
using sumfac::interleaving, sumfac::scatter;

template <int Order, class Form, class Scalar = double>
using collocated = sumfac::element_operator<Form, Order, sumfac::gauss_lobatto<Order + 1>, sumfac::host, Scalar>;

}  // namespace

TEST_CASE("constraints: operators are C^T A C, with chains, marks and rows between components")
{
  std::uint64_t seed = 0;
  for (auto const policy : {scatter::deterministic, scatter::atomic}) {
    sumfac::index_t const blocks = 3;
    agrees_with_rows<collocated<1, sumfac::laplace>>({5, 3, 2}, reference::collocated(1), reference::laplace(), ++seed,
                                                     {.policy = policy, .rows = 0.25, .blocks = blocks});
    agrees_with_rows<collocated<2, sumfac::laplace>>({3, 1, 1}, reference::collocated(2), reference::laplace(), ++seed,
                                                     {.policy = policy, .rows = 0});
    for (auto const way : {interleaving::fastest, interleaving::slowest})
      agrees_with_rows<collocated<1, sumfac::vector_laplace<3>>>(
          {9, 1, 1}, reference::collocated(1, 3), reference::laplace(), ++seed,
          {.components_lie = way, .policy = policy, .blocks = way == interleaving::fastest ? blocks : 1});
  }
  agrees_with_rows<collocated<1, sumfac::laplace, float>>({9, 3, 2}, reference::collocated(1), reference::laplace(),
                                                          ++seed, {.blocks = 2});
}

TEST_CASE("constraints: a load is gathered, values are lifted, and cg finds what the dense system has")
{
  using laplacian = sumfac::bp3<2>;
  mesh::counts const counts{4, 3, 2};
  auto const numbers = mesh::numbered(counts, 2, 3);
  checks::global_case<laplacian> const s(counts, numbers, reference::on_gauss(2), reference::stiffness(0.1));
  // Each node of some elements is half of two others and a value.
  sumfac::constraints rows;
  for (sumfac::index_t i = 0; i + 2 < numbers.nodes; i += 7) rows.add(i, {{i + 1, 0.5}, {i + 2, 0.5}}, 0.25);
  auto const a = s.make(sumfac::host{2});
  auto const list = numbers.table_of<std::int32_t>();
  auto const table = checks::table_view(list, numbers.elements, 3);
  sumfac::restriction const all{sumfac::host{2}, table, numbers.nodes};
  auto const size = s.x.size();
  std::vector<double> f(size), b(size), lifted(size), of_lifted(size);
  // A function that obeys the equations, and its load.
  auto wanted = s.x;
  for (sumfac::index_t const blocks : {1, 3}) {
    sumfac::restriction const r{sumfac::host{2}, table, numbers.nodes, rows, {.blocks = blocks}};
    r.distribute(global_view(wanted));
    a.apply(r, all, global_view(std::as_const(wanted)), global_view(b));
    std::fill(lifted.begin(), lifted.end(), 0);
    r.distribute(global_view(lifted));
    a.apply(r, all, global_view(std::as_const(lifted)), global_view(of_lifted));
    for (std::size_t i = 0; i < size; ++i) b[i] -= of_lifted[i];
    sumfac::global_operator const L{a, r};
    std::vector<double> d(size);
    L.diagonal(global_view(d));
    sumfac::jacobi const P{sumfac::host{2}, global_view(std::as_const(d))};
    auto const matrix = sumfac::assemble(a, r);
    auto const solved = [&](auto const& solve) {
      std::vector<double> x(size, 0);
      CHECK(solve(global_view(std::as_const(b)), global_view(x)));
      r.distribute(x);
      double off = 0;
      for (std::size_t i = 0; i < size; ++i) off = support::larger(off, std::abs(x[i] - wanted[i]));
      CHECK(off < 1e-10);
    };
    solved([&](auto right, auto x) { return bool(sumfac::cg(L, right, x, P, {.tolerance = 1e-13})); });
    solved([&](auto right, auto x) { return bool(sumfac::merged_cg(L, right, x, P, {.tolerance = 1e-13})); });
    solved([&](auto right, auto x) { return bool(sumfac::cg(matrix, right, x, {.tolerance = 1e-13})); });
    // The matrix multiplies as the operator does, entry by entry of its diagonal, too.
    std::vector<double> y(size), z(size), e(size);
    L.apply(global_view(s.x), global_view(y));
    matrix.apply(global_view(s.x), global_view(z));
    matrix.diagonal(global_view(e));
    for (std::size_t i = 0; i < size; ++i) CHECK((std::abs(y[i] - z[i]) < 1e-12 && std::abs(d[i] - e[i]) < 1e-12));
  }
}

namespace {

using on_edges = collocated<1, sumfac::laplace>;
using three_on_edges = collocated<1, sumfac::vector_laplace<3>>;
constexpr double pi = 3.14159265358979323846;

// Eight vertices an element, as numbered; where each lies before a map moves it, by its number.
struct vertices {
  vertices(mesh::counts counts, mesh::periods around = {})
      : straight(mesh::box(counts)), numbers(mesh::numbered(counts, 1, 5, around)), at(std::size_t(numbers.nodes))
  {
    list = numbers.table_of<std::int32_t>();
    for (std::size_t i = list.size(); i-- > 0;) {  // of two places the first
      auto const* const x = straight.data() + 3 * i;
      at[std::size_t(list[i])] = {x[0], x[1], x[2]};
    }
  }
  auto table() const { return checks::table_view(list, numbers.elements, 2); }
  // The one at a place.
  sumfac::index_t find(mesh::position const& x) const
  {
    auto const apart = [&](mesh::position const& y) {
      return std::max({std::abs(x[0] - y[0]), std::abs(x[1] - y[1]), std::abs(x[2] - y[2])});
    };
    return std::find_if(at.begin(), at.end(), [&](auto const& y) { return apart(y) < 1e-12; }) - at.begin();
  }

  mesh::nodes straight;
  mesh::numbering numbers;
  std::vector<mesh::position> at;
  std::vector<std::int32_t> list;
};

// About the third axis.
mesh::position turned(double angle, mesh::position const& x)
{
  double const c = std::cos(angle), s = std::sin(angle);
  return {c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]};
}
// Of a vector of three components at each node, in its place.
mesh::position of_node(std::vector<double> const& u, sumfac::index_t node)
{
  auto const i = std::size_t(3 * node);
  return {u[i], u[i + 1], u[i + 2]};
}
void set_node(std::vector<double>& u, sumfac::index_t node, mesh::position const& value)
{
  std::copy(value.begin(), value.end(), u.begin() + static_cast<std::ptrdiff_t>(3 * node));
}
double difference(mesh::position const& a, mesh::position const& b)
{
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

}  // namespace

TEST_CASE("constraints: periodic in three directions, eigenvalues are those of differences on a torus")
{
  // With the nodes as points the matrix is that of second differences along each direction, times the nodes' volumes.
  mesh::counts const counts{4, 3, 5};
  vertices const v(counts);
  on_edges const a{sumfac::host{2}, checks::nodes_view(v.straight)};
  sumfac::constraints rows;
  for (std::size_t i = 0; i < v.at.size(); ++i) {
    auto start = v.at[i];
    for (double& x : start)
      if (x == 1) x = 0;
    if (start != v.at[i]) rows.add(sumfac::index_t(i), {{v.find(start), 1}});
  }
  sumfac::restriction const r{sumfac::host{2}, v.table(), v.numbers.nodes, rows};
  REQUIRE(r.nodes() - r.constrained() == counts.elements());
  for (auto const& waves : {std::array{1, 0, 0}, {0, 1, 0}, {1, 1, 2}, {2, 1, 1}}) {
    double eigenvalue = 0;
    int direction = 0;
    for (int const n : {counts.x, counts.y, counts.z})
      eigenvalue += 2 * n * n * (1 - std::cos(2 * pi * waves[std::size_t(direction++)] / n));
    std::vector<double> u, y(v.at.size());
    for (auto const& x : v.at) u.push_back(std::cos(2 * pi * (waves[0] * x[0] + waves[1] * x[1] + waves[2] * x[2])));
    for (sumfac::index_t i = 0; i < rows.size(); ++i) u[std::size_t(rows.row(i).node)] = 99;
    a.apply(r, global_view(std::as_const(u)), global_view(y));
    for (std::size_t i = 0; i < y.size(); ++i)
      CHECK(std::abs(y[i] - (u[i] == 99 ? 99 : eigenvalue / counts.elements() * u[i])) < 1e-12);
  }
}

TEST_CASE("constraints: a quarter of a ring, periodic with a turn, is as the whole one")
{
  vertices const whole({12, 2, 1}, {.x = true}), quarter({3, 2, 1});
  auto const bent = [](double part) {
    return [part](mesh::position const& x) { return turned(2 * pi * part * x[0], {2 - x[1], 0, x[2]}); };
  };
  three_on_edges const of_whole{sumfac::host{2}, checks::nodes_view(mesh::mapped(whole.straight, bent(1)))};
  three_on_edges const of_quarter{sumfac::host{2}, checks::nodes_view(mesh::mapped(quarter.straight, bent(0.25)))};
  sumfac::constraints rows;
  auto u = support::random<double>(3 * quarter.at.size(), 6);
  for (std::size_t i = 0; i < quarter.at.size(); ++i) {
    auto const& at = quarter.at[i];
    if (at[0] != 1) continue;
    auto const end = sumfac::index_t(i), start = quarter.find({0, at[1], at[2]});
    rows.add_component(end, 0, {{start, -1, 1}}), rows.add_component(end, 1, {{start, 1, 0}});
    rows.add_component(end, 2, {{start, 1, 2}});
  }
  sumfac::restriction_options const options{.components = 3};
  sumfac::restriction const r{sumfac::host{2}, quarter.table(), quarter.numbers.nodes, rows, options};
  sumfac::restriction const all{sumfac::host{2}, whole.table(), whole.numbers.nodes, options};
  std::vector<double> w(3 * whole.at.size()), y(u.size()), z(w.size());
  for (std::size_t i = 0; i < whole.at.size(); ++i) {
    double const quarters = std::floor(4 * whole.at[i][0] + 1e-9), left = 4 * whole.at[i][0] - quarters;
    auto const node = quarter.find({left, whole.at[i][1], whole.at[i][2]});
    set_node(w, sumfac::index_t(i), turned(quarters * pi / 2, of_node(u, node)));
  }
  of_quarter.apply(r, global_view(std::as_const(u)), global_view(y));
  of_whole.apply(all, global_view(std::as_const(w)), global_view(z));
  for (std::size_t i = 0; i < quarter.at.size(); ++i) {
    auto const& at = quarter.at[i];
    if (at[0] == 1) continue;
    auto const there = whole.find({at[0] / 4, at[1], at[2]});
    CHECK(difference(of_node(y, sumfac::index_t(i)), of_node(z, there)) < 1e-13);
  }
}

TEST_CASE("constraints: slip along a side of a turned box is as where components are fixed")
{
  vertices const v({3, 2, 2});
  double const angle = 0.7;
  auto const moved = mesh::mapped(v.straight, [&](auto const& x) { return turned(angle, x); });
  three_on_edges const straight{sumfac::host{2}, checks::nodes_view(v.straight)};
  three_on_edges const slanted{sumfac::host{2}, checks::nodes_view(moved)};
  std::vector<std::uint8_t> held(3 * v.at.size()), slips;
  sumfac::constraints rows;
  for (std::size_t i = 0; i < v.at.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) held[3 * i + c] = v.at[i][1] == 1;
  slips = held;
  for (std::size_t i = 0; i < v.at.size(); ++i)
    if (v.at[i][0] == 0 && v.at[i][1] != 1)
      slips[3 * i] = 1, rows.add_normal(sumfac::index_t(i), turned(angle, {-2, 0, 0}));
  sumfac::restriction_options const options{.components = 3};
  sumfac::restriction const all{sumfac::host{2}, v.table(), v.numbers.nodes, options};
  auto const marks = [&](auto const& of) {
    return sumfac::view<std::uint8_t const, sumfac::dextents<2>>(of.data(), v.numbers.nodes, 3);
  };
  sumfac::restriction const fixed{sumfac::host{2}, v.table(), v.numbers.nodes, marks(slips), options};
  sumfac::restriction const with_rows{sumfac::host{2}, v.table(), v.numbers.nodes, marks(held), rows, options};
  auto const load = support::random<double>(held.size(), 8);
  auto load_turned = load;
  for (std::size_t i = 0; i < v.at.size(); ++i)
    set_node(load_turned, sumfac::index_t(i), turned(angle, of_node(load, sumfac::index_t(i))));
  auto const solved = [&](auto const& a, auto const& r, std::vector<double> const& w) {
    std::vector<double> b(w.size()), u(w.size(), 0);
    a.apply(r, all, global_view(w), global_view(b));
    CHECK(sumfac::cg(sumfac::global_operator{a, r}, b, u, {.tolerance = 1e-13}));
    r.distribute(u);
    return u;
  };
  auto const u = solved(straight, fixed, load), w = solved(slanted, with_rows, load_turned);
  for (std::size_t i = 0; i < v.at.size(); ++i)
    CHECK(difference(turned(angle, of_node(u, sumfac::index_t(i))), of_node(w, sumfac::index_t(i))) < 1e-11);
}
