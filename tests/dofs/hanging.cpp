// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes that hang: the equations of their nodes against the oracle's, boundaries, solutions and their orders.
#include <sumfac/backend/checked.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>

#include <support/larger.hpp>
#include <support/unknowns.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace {

using reference::grid, reference::real;
using sumfac::function_space, sumfac::vector;

// Some of the elements, always the first one, never the last.
std::vector<bool> some(int count, unsigned seed)
{
  support::generator next(seed);
  std::vector<bool> marks;
  for (int e = 0; e < count; ++e) marks.push_back(e == 0 || (next() > 0.2 && e + 1 < count));
  return marks;
}
grid bent(std::vector<int> const& counts, int m)
{
  return reference::box_grid(counts, reference::gauss_lobatto(m), [](std::array<double, 3> const& at) {
    return std::array<double, 3>{at[0] + 0.1 * std::sin(at[1] + 0.4 * at[2]), at[1] + 0.1 * std::sin(at[0]),
                                 at[2] + 0.1 * std::sin(at[0] + at[1])};
  });
}
grid all_turned(grid mesh)
{
  auto const ways = reference::turns(mesh.directions);
  for (int e = 0; e < mesh.elements(); ++e)
    mesh = reference::turned(mesh, e, ways[static_cast<std::size_t>(7 * e + 3) % ways.size()]);
  return mesh;
}

template <int D>
auto mesh_of(grid const& g)
{
  int const m = g.where.size();
  if constexpr (D == 2)
    return sumfac::mesh<2>(sumfac::view(g.nodes.data(), g.elements(), m, m, 2));
  else
    return sumfac::mesh<3>(sumfac::view(g.nodes.data(), g.elements(), m, m, m, 3));
}

// What elements read is exact(place, component), whatever stands at hanging nodes, and they add by the transpose.
template <class Scalar, int D, class Exact>
void check_elements(function_space<D> const& V, std::vector<double> const& from, Exact const& exact)
{
  auto const R = V.template unconstrained<Scalar>(sumfac::host{2});
  real const close = 1e3L * std::numeric_limits<Scalar>::epsilon();
  CHECK(R.table().masks().size() > 0);
  int const n = V.degree() + 1, components = V.components();
  auto const elements = R.elements();
  std::size_t const nodes = std::size_t(R.table().nodes_of_element());
  std::vector<Scalar> u(from.begin(), from.end()), y(u.size());
  std::vector<Scalar> in(std::size_t(elements) * nodes * std::size_t(components), 0);
  auto const view_of = [&](std::vector<Scalar>& x, auto const& f) {
    if constexpr (D == 2)
      components == 1 ? f(sumfac::view(x.data(), elements, n, n))
                      : f(sumfac::view(x.data(), elements, components, n, n));
    else
      components == 1 ? f(sumfac::view(x.data(), elements, n, n, n))
                      : f(sumfac::view(x.data(), elements, components, n, n, n));
  };
  for (std::int64_t i = 0; i < V.hanging().size(); ++i)
    for (int c = 0; c < components; ++c) u[std::size_t(R.entry_of(V.hanging().row(i).node, c))] = Scalar(1e30);
  sumfac::view const x(u.data(), std::int64_t(u.size()));
  view_of(in, [&](auto const& to) { R.gather(x, to); });
  real off = 0, of_elements = 0, of_unknowns = 0;
  auto v = support::random<Scalar>(in.size(), 5);
  for (std::size_t e = 0, at = 0; at < in.size(); ++e)
    for (int c = 0; c < components; ++c)
      for (std::size_t p = 0; p < nodes; ++p, ++at) {
        off = support::larger(off, std::abs(real(in[at]) - exact(e * nodes + p, c)));
        of_elements += real(in[at]) * real(v[at]);
      }
  CHECK(off < close);
  view_of(v, [&](auto const& all) { R.scatter(all, sumfac::view(y.data(), std::int64_t(y.size()))); });
  for (std::size_t i = 0; i < y.size(); ++i) of_unknowns += real(u[i]) * real(y[i]);
  CHECK(std::abs(of_unknowns - of_elements) < close * real(in.size()));
}

// Random functions become continuous ones as the oracle's.
template <int D>
void check_rows(grid const& g, int degree, int components = 1)
{
  auto const mesh = mesh_of<D>(g);
  sumfac::function_space_options const options{.components = components};
  function_space const V{mesh, degree, options};
  // The oracle has one unknown at a place; here a node of a large side may lie where one of a small side does.
  auto const* const table = V.table().data();
  reference::unknowns const space(g, reference::gauss_lobatto(degree + 1));
  auto const rows = reference::hanging_equations(space);
  INFO("degree " << degree << " in " << D << " directions, " << rows.size() << " rows");
  CHECK(V.hanging().size() >= std::int64_t(rows.size()));
  CHECK(V.nodes() - V.hanging().size() == std::int64_t(space.size() - rows.size()));
  CHECK(!rows.empty());
  reference::expansion const exact(space.size(), rows);
  std::vector<double> u(std::size_t(V.size()));
  double off = 0;
  auto const random = support::random<real>(space.size() * std::size_t(components), 3);
  auto const each = [&](auto const& f) {
    for (std::size_t i = 0; i < space.table().size(); ++i)
      for (int c = 0; c < components; ++c) {
        auto const entry = std::size_t(table[i]) * std::size_t(components) + std::size_t(c);
        f(u[entry], std::size_t(space.table()[i]), c);
      }
  };
  auto const of = [&](int c) {
    auto const first = random.begin() + std::ptrdiff_t(space.size()) * c;
    return std::vector<real>(first, first + std::ptrdiff_t(space.size()));
  };
  each([&](double& to, std::size_t i, int c) { to = double(of(c)[i]); });
  V.distribute(u);
  std::vector<std::vector<real>> wanted;
  for (int c = 0; c < components; ++c) wanted.push_back(exact.distributed(of(c), false));
  each([&](double got, std::size_t i, int c) {
    off = support::larger(off, std::abs(double(got - wanted[std::size_t(c)][i])));
  });
  CHECK(off < 1e-13);
  auto const of_place = [&](std::size_t at, int c) { return wanted[std::size_t(c)][std::size_t(space.table()[at])]; };
  check_elements<double>(V, u, of_place);
  if (degree == 3) check_elements<float>(V, u, of_place);
  // Sides that hang are none of the boundary: it has as much area as the whole box.
  double area = 0;
  auto const surface = mesh.sides(mesh.boundary());
  area = function_space<D - 1, D>(surface, 1).integral([](auto const&) { return 1.0; });
  CHECK(std::abs(area - (D == 2 ? 12 : 16)) < 1e-10);
}

}  // namespace

TEST_CASE("hanging nodes: equations of all degrees, in two and three directions, of elements turned in any way")
{
  for (int degree = 1; degree <= 8; ++degree) {
    auto const flat = reference::box_grid({3, 3}, reference::gauss_lobatto(2));
    check_rows<2>(all_turned(reference::cut(flat, some(9, unsigned(degree)))), degree, degree == 2 ? 2 : 1);
    auto const box = reference::box_grid({2, 2, 1}, reference::gauss_lobatto(2));
    check_rows<3>(all_turned(reference::cut(box, some(4, unsigned(degree)))), degree, degree == 2 ? 3 : 1);
  }
}

TEST_CASE("hanging nodes: around an edge, where equations are in chains")
{
  auto box = reference::cut(reference::box_grid({2, 2, 1}, reference::gauss_lobatto(2)), {false, true, true, true});
  std::vector<bool> marks(std::size_t(box.elements()), false);
  marks[17] = true;
  box = all_turned(reference::cut(box, marks));
  for (int const degree : {1, 2, 3}) check_rows<3>(box, degree);
}

namespace {

// C' A C x with 1 in the rows of what is no unknown, A being the Laplacian of each component.
std::vector<real> product(reference::unknowns const& space, reference::expansion const& exact,
                          std::vector<real> const& x)
{
  reference::function_space const functions{space.nodes(), 1};
  auto const u = exact.distributed(x, false);
  std::vector<real> v(u.size(), 0);
  for (int e = 0; e < space.mesh().elements(); ++e) {
    reference::flat_element const element(space.mesh().directions, space.mesh().directions, space.mesh().where,
                                          space.mesh().nodes_of(e), reference::gauss(space.nodes().size() + 1));
    std::vector<real> of_element;
    for (int p = 0; p < space.of_element(); ++p) of_element.push_back(u[std::size_t(space.number(e, p))]);
    of_element = element.apply(
        functions, functions,
        [](auto const&, reference::flat_field const& f) {
          return reference::flat_field{{0}, f.gradient};
        },
        of_element);
    for (int p = 0; p < space.of_element(); ++p) v[std::size_t(space.number(e, p))] += of_element[std::size_t(p)];
  }
  v = exact.collected(v);
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!exact.is_free(i)) v[i] = x[i];
  return v;
}

// What teams of threads make of a random vector, fixed at one end of the mesh.
template <class Operator>
void check_teams(grid const& g, sumfac::restriction_options const& options = {})
{
  constexpr int degree = Operator::nodes_1d - 1, D = Operator::directions, components = Operator::components;
  auto const mesh = mesh_of<D>(g);
  auto const end = mesh.boundary([](auto const& x) { return x[0] < 1e-12; });
  function_space const V{mesh, degree, end, {.components = components}};
  sumfac::checked const backend;
  Operator const A{backend, mesh};
  auto const R = V.restriction(backend, options);
  CHECK(R.storage().by_masks().has_masks());

  reference::unknowns const space(g, reference::gauss_lobatto(degree + 1));
  auto rows = reference::hanging_equations(space);
  std::vector<std::int64_t> node_of(space.size(), -1);  // an unknown of V at each place
  for (std::size_t i = 0; i < space.table().size(); ++i) {
    auto const node = V.table().data()[i];
    auto& known = node_of[std::size_t(space.table()[i])];
    if (known < 0 || !R.table().constrained(node, 0)) known = node;
  }
  std::vector<bool> has_one(space.size(), false);
  for (auto const& row : rows) has_one[row.unknown] = true;
  for (std::size_t i = 0; i < space.size(); ++i)
    if (!has_one[i] && R.table().marked(node_of[i], 0)) rows.push_back({i, {}});
  reference::expansion const exact(space.size(), rows);

  auto x = support::random<double>(std::size_t(V.size()), 3), y = support::random<double>(x.size(), 4), z = y;
  auto const sums = y;
  sumfac::view const from(std::as_const(x).data(), V.size());
  A.apply(R, from, sumfac::view(y.data(), V.size()));
  A.apply_add(R, from, sumfac::view(z.data(), V.size()));
  real off = 0, largest = 0;
  for (int c = 0; c < components; ++c) {
    std::vector<real> of_component;
    for (auto const node : node_of) of_component.push_back(x[std::size_t(R.entry_of(node, c))]);
    auto const expected = product(space, exact, of_component);
    for (std::size_t i = 0; i < space.size(); ++i) {
      auto const entry = std::size_t(R.entry_of(node_of[i], c));
      real const added = exact.is_free(i) ? expected[i] : 0;
      largest = support::larger(largest, std::abs(expected[i]));
      off = std::max({off, std::abs(real(y[entry]) - expected[i]), std::abs(real(z[entry]) - sums[entry] - added)});
    }
  }
  INFO("degree " << degree << " in " << D << " directions");
  CHECK(off < 1e-13L * largest);
}

template <class Form, auto Space>
using on_teams = sumfac::element_operator<Form, Space, sumfac::checked>;

}  // namespace

TEST_CASE("hanging nodes: teams of threads interpolate what hangs before their kernel, and back behind it")
{
  using sumfac::scatter, sumfac::quadrilateral;
  auto const squares = [](unsigned seed) {
    return all_turned(reference::cut(reference::box_grid({3, 3}, reference::gauss_lobatto(2)), some(9, seed)));
  };
  auto const cubes = [](unsigned seed) {
    return all_turned(reference::cut(reference::box_grid({2, 2, 1}, reference::gauss_lobatto(2)), some(4, seed)));
  };
  for (auto const policy : {scatter::deterministic, scatter::atomic}) {
    for (auto const way : {sumfac::interleaving::fastest, sumfac::interleaving::slowest})
      check_teams<on_teams<sumfac::vector_laplace<2>, quadrilateral(2)>>(
          squares(1), {.components = 2, .components_lie = way, .policy = policy});
    check_teams<on_teams<sumfac::laplace, 3>>(cubes(2), {.policy = policy});
  }
  check_teams<on_teams<sumfac::laplace, 4>>(cubes(3));
  // Around an edge, where some elements are left to the equations.
  auto box = reference::cut(reference::box_grid({2, 2, 1}, reference::gauss_lobatto(2)), {false, true, true, true});
  std::vector<bool> marks(std::size_t(box.elements()), false);
  marks[17] = true;
  check_teams<on_teams<sumfac::laplace, 3>>(all_turned(reference::cut(box, marks)));
}

TEST_CASE("hanging nodes: teams of threads know all sides and edges that may hang, in both halves")
{
  // Of a box of eight elements one is cut, each in its turn, and of its neighbours at sides and edges any.
  using teams = on_teams<sumfac::laplace, 1>;
  sumfac::checked const backend;
  std::set<unsigned> masks;
  for (unsigned which = 0; which < 256; ++which) {
    std::vector<bool> cut(8, false);
    for (unsigned e = 0; e < 7; ++e)
      cut[e ^ (5 * which + which / 8 + which / 64 * 3) % 8] = e == 0 || (which >> (e - 1) & 1) != 0;
    auto const box = reference::cut(reference::box_grid({2, 2, 2}, reference::gauss_lobatto(2)), cut);
    auto const mesh = mesh_of<3>(box);
    function_space const V{mesh, 1};
    auto const before = masks.size();
    for (std::int64_t e = 0; e < mesh.elements(); ++e) masks.insert(V.hanging().masks().mask(e));
    if (masks.size() == before) continue;
    teams const A{backend, mesh};
    auto equations = V.hanging();
    equations.set_masks({});
    sumfac::restriction const R{backend, V.table(), V.nodes(), V.marks(), V.hanging()},
        by_equations{backend, V.table(), V.nodes(), V.marks(), equations};
    auto const x = support::random<double>(std::size_t(V.size()), which);
    std::vector<double> y(x.size()), z(x.size());
    A.apply(R, sumfac::view(x.data(), V.size()), sumfac::view(y.data(), V.size()));
    A.apply(by_equations, sumfac::view(x.data(), V.size()), sumfac::view(z.data(), V.size()));
    double off = 0;
    for (std::size_t i = 0; i < y.size(); ++i) off = support::larger(off, std::abs(y[i] - z[i]));
    CHECK(off < 1e-14);
  }
  // None; and in each of 8 halves 3 edges or some of them, a side and an edge or none, two sides, three.
  CHECK(masks.size() == 1 + 8 * (7 + 3 * 2 + 3 + 1));
}

namespace {

// The solution of -laplace u = f, given on the boundary, by cg.
template <int D, int Degree, class Exact, class Load>
double error_of(sumfac::mesh<D> const& mesh, Exact const& exact, Load const& f)
{
  CHECK(!mesh.hanging().empty());
  function_space const V{mesh, Degree, mesh.boundary()};
  constexpr auto space = D == 2 ? sumfac::quadrilateral(Degree) : sumfac::hexahedron(Degree);
  sumfac::host const backend{2};
  sumfac::element_operator<sumfac::vector_laplace<1>, space> const A{backend, mesh};
  auto const R = V.restriction(backend);
  sumfac::global_operator const L{A, R};
  auto b = V.load(f);
  auto u = V.lift(A, exact, b);
  std::vector<double> diagonal(b.size());
  L.diagonal(diagonal);
  std::vector<double> unit(b.size()), column(b.size());
  for (std::size_t i = 0; i < b.size(); i += b.size() / 37 + 1) {
    unit[i] = 1;
    L.apply(unit, column);
    unit[i] = 0;
    CHECK(std::abs(column[i] - diagonal[i]) <= 1e-12 * diagonal[i]);
  }
  auto const result = sumfac::cg(L, b, u, sumfac::jacobi{backend, diagonal}, {.tolerance = 1e-12});
  INFO("degree " << Degree << " in " << D << " directions: " << result.report());
  CHECK(result);
  return V.l2_error(u, exact);
}

template <int D, int Degree>
void check_solutions(std::vector<int> const& counts)
{
  int cells = 1;
  for (int const n : counts) cells *= n;
  auto coarse = bent(counts, 3);
  auto const turned = all_turned(reference::cut(coarse, some(cells, 4)));
  auto const mesh = mesh_of<D>(turned);
  // Linear functions, which the space has where its degree is not below the mesh's.
  auto const linear = [](auto const& x) { return 1 + 2 * x[0] - 3 * x[1] + (D == 3 ? x[D - 1] : 0); };
  CHECK(error_of<D, Degree>(mesh, linear, [](auto const&) { return 0.0; }) < 1e-10);
  auto const wave = [](auto const& x) { return std::sin(x[0] + 2 * x[1]); };
  auto const load = [&](auto const& x) { return 5 * wave(x); };
  double const first = error_of<D, Degree>(mesh, wave, load);
  double const second = error_of<D, Degree>(sumfac::refined(mesh), wave, load);
  INFO("errors " << first << ", " << second);
  CHECK(std::log2(first / second) > Degree + 1 - 0.4);
}

}  // namespace

TEST_CASE("hanging nodes: solutions on bent meshes have linear functions, and the order of the degree")
{
  check_solutions<2, 2>({3, 3});
  check_solutions<2, 4>({2, 2});
  check_solutions<3, 2>({2, 1, 2});
}

namespace {

// A unit box whose vertices at the right end are those at the left one: sides there hang as others do.
template <int D>
void check_periodic(sumfac::mesh<D> const& box, std::size_t hanging, std::size_t boundary)
{
  std::map<std::array<double, D>, int> number_at;
  std::vector<int> table;
  for (sumfac::index_t i = 0; i < box.size(); i += D) {
    std::array<double, D> at{};
    for (int d = 0; d < D; ++d) at[std::size_t(d)] = box.data()[i + d];
    if (at[0] == 1) at[0] = 0;
    table.push_back(number_at.emplace(at, int(number_at.size())).first->second);
  }
  auto const mesh = [&] {
    if constexpr (D == 2)
      return sumfac::mesh<2>(box.nodes(), sumfac::view(table.data(), box.elements(), 2, 2));
    else
      return sumfac::mesh<3>(box.nodes(), sumfac::view(table.data(), box.elements(), 2, 2, 2));
  }();
  CHECK(mesh.hanging().size() == hanging);
  CHECK(mesh.boundary().size() == boundary);
  for (auto const& side : mesh.boundary()) CHECK(side.side / 2 > 0);
  for (int const degree : {2, 3}) {
    function_space const V{mesh, degree};
    auto const u = V.values([](auto const& at) { return at[1] * at[1] + (D == 3 ? at[D - 1] * at[1] : 0); });
    auto w = u;
    for (sumfac::index_t i = 0; i < V.hanging().size(); ++i) w[std::size_t(V.hanging().row(i).node)] = 99;
    V.distribute(w);
    double off = 0;
    for (std::size_t i = 0; i < u.size(); ++i) off = support::larger(off, std::abs(w[i] - u[i]));
    CHECK(off < 1e-14);
  }
}

}  // namespace

TEST_CASE("hanging nodes: on periodic sides, small elements at one end and large ones at the other")
{
  check_periodic(sumfac::refine(sumfac::box_mesh({4, 2}), {0}), 3, 9);
  check_periodic(sumfac::refine(sumfac::box_mesh({4, 2}), {3, 4}), 6, 10);
  check_periodic(sumfac::refine(sumfac::box_mesh({4, 2, 2}), {0}), 4, 38);
}

TEST_CASE("hanging nodes: elements are cut towards a corner again and again, and their neighbours with them")
{
  auto const graded = []<int D>(sumfac::mesh<D> mesh, int times) {
    std::size_t hanging = 0;
    for (int i = 0; i < times; ++i) {
      std::vector<sumfac::index_t> at_corner;  // of which the parts at the corner are the first
      at_corner.push_back(0);
      mesh = sumfac::refine(mesh, at_corner);
      hanging = mesh.hanging().size();
    }
    CHECK(hanging > 0);
    return mesh;
  };
  auto const of = [](auto x) {
    x[0] += 0.1 * std::sin(x[1]);
    return x;
  };
  auto const linear = [](auto const& x) { return 1 + 2 * x[0] - 3 * x[1]; };
  auto const nothing = [](auto const&) { return 0.0; };
  auto const flat = graded(sumfac::box_mesh({2, 3}, of, 2), 6);
  CHECK(flat.elements() == 6 + 3 * 6);
  // A part beside a whole element takes that with it.
  auto const once = sumfac::refine(flat, {22});
  CHECK(once.elements() == 24 + 3);
  CHECK(sumfac::refine(once, {25}).elements() == 27 + 3 + 3);
  CHECK(flat.boundary("x1").size() == 3);
  CHECK(error_of<2, 2>(flat, linear, nothing) < 1e-10);
  auto const box = graded(sumfac::box_mesh({2, 1, 1}, of, 2), 3);
  CHECK(box.boundary("x0").size() + box.boundary("x1").size() + box.boundary("y0").size() + box.boundary("y1").size() +
            box.boundary("z0").size() + box.boundary("z1").size() ==
        box.boundary().size());
  CHECK(error_of<3, 2>(box, linear, nothing) < 1e-10);
  // All of it is as fine as the whole one cut.
  auto const finer = sumfac::refined(flat);
  CHECK(finer.elements() == 4 * flat.elements());
  CHECK(finer.hanging().size() == 2 * flat.hanging().size());
  CHECK_THROWS_WITH(sumfac::refine(flat, {99}), Catch::Contains("refine") && Catch::Contains("got 99, 0 to 23"));
}

TEST_CASE("hanging nodes: a function of the mesh before is one of the finer mesh, from which a solve starts")
{
  auto const bend = [](auto x) {
    x[0] += 0.1 * x[1] * x[1];
    return x;
  };
  auto const coarse = sumfac::refine(sumfac::box_mesh({2, 2}, bend, 2), {0});
  auto const fine = sumfac::refine(sumfac::refine(coarse, {0, 5}), {2, 9});
  REQUIRE(fine.coarser() != nullptr);
  CHECK(fine.coarser()->coarser()->elements() == coarse.elements());
  sumfac::function_space_options const options{.components = 2, .points = 8};
  function_space const W{coarse, 3, options}, V{fine, 4, options};
  auto u = support::random<double>(std::size_t(W.size()), 3);
  W.distribute(u);
  auto const v = V.values(W, u);
  CHECK(V.norm(v) == Approx(W.norm(u)).epsilon(1e-13));
  auto const moment = [](auto const& p) { return p.value(1) * p.position[0] + p.gradient(0)[1] * p.position[1]; };
  CHECK(V.integral(v, moment) == Approx(W.integral(u, moment)).epsilon(1e-13));
  CHECK_THROWS_WITH(W.values(V, v), Catch::Contains("number of elements of the other space's mesh"));

  // Given values, and a guess: it is what is free, and b is the same.
  function_space const S{fine, 2, fine.boundary()};
  sumfac::host const backend{2};
  sumfac::element_operator<sumfac::vector_laplace<1>, sumfac::quadrilateral(2)> const A{backend, fine};
  auto const g = [](auto const& x) { return 1 + x[0]; };
  auto b = S.load(g), other_b = b;
  auto const guess = support::random<double>(b.size(), 5);
  auto const zero = S.lift(A, g, b), start = S.lift(A, g, other_b, guess);
  CHECK(b == other_b);
  auto const R = S.restriction(backend);
  for (std::size_t i = 0; i < b.size(); ++i)
    CHECK(start[i] == (R.table().constrained(std::int64_t(i), 0) ? zero[i] : guess[i]));
}
