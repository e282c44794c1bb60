// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of triangles, tetrahedra and prisms, and the numbers of nodes on them, however elements are turned.
#include "../operator/cells.hpp"

#include <sumfac/dofs/function_space.hpp>
#include <sumfac/dofs/joined_spaces.hpp>
#include <sumfac/dofs/mixed_space.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/weak.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/mixed_mesh.hpp>
#include <sumfac/operator/block_operator.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/operator/sum_by_kind.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/minres.hpp>
#include <sumfac/solver/sum_level.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <set>

namespace {

using checks::box_of_cells;

// One number for each place, one place for each number; fixed is what lies on the boundary.
template <class Mesh>
void numbers_places(sumfac::space const& of, sumfac::index_t expected)
{
  constexpr int cells = 2;
  auto const mesh = box_of_cells(of, cells).mesh<Mesh>();
  sumfac::function_space const v(mesh, of.degree, mesh.boundary());
  CAPTURE(int(of.shape), of.directions, of.degree);
  CHECK(v.nodes() == expected);
  CHECK(v.table().extent(1) == sumfac::detail::functions_of_cell(of));
  auto const places = v.positions();
  auto const d = std::size_t(of.directions);
  std::set<std::vector<long>> seen;
  for (sumfac::index_t i = 0; i < v.nodes(); ++i) {
    std::vector<long> key;
    bool outside = false;
    for (std::size_t c = 0; c < d; ++c) {
      double const x = places[std::size_t(i) * d + c];
      key.push_back(std::lround(1e6 * x));
      outside = outside || x < 1e-9 || x > 1 - 1e-9;
    }
    seen.insert(key);
    CHECK(v.is_fixed(i) == outside);
  }
  CHECK(sumfac::index_t(seen.size()) == v.nodes());
  // Each element's own nodes lie where their numbers say.
  sumfac::space corners = of;
  corners.degree = 1;
  auto const nodes = sumfac::detail::basis_of(of), map = sumfac::detail::basis_of(corners);
  std::vector<long double> values(std::size_t(map.size())), gradients(std::size_t(map.size()) * d);
  for (sumfac::index_t e = 0; e < mesh.elements(); ++e)
    for (int p = 0; p < nodes.size(); ++p) {
      long double xi[3] = {};
      for (int a = 0; a < of.directions; ++a) xi[a] = nodes.node(p, a);
      map.evaluate(xi, values.data(), gradients.data());
      for (std::size_t c = 0; c < d; ++c) {
        long double x = 0;
        for (std::size_t k = 0; k < values.size(); ++k)
          x += values[k] * mesh.nodes()(e, sumfac::index_t(k), sumfac::index_t(c));
        CHECK(places[std::size_t(v.table()(e, p)) * d + c] == Approx(double(x)).margin(1e-12));
      }
    }
}

}  // namespace

using triangles = sumfac::cell_mesh<2>;
using tetrahedra = sumfac::cell_mesh<3>;
using prisms = sumfac::cell_mesh<3, 3, sumfac::cell_shape::prism>;

TEST_CASE("function_space: nodes of simplices and prisms are one where they meet")
{
  numbers_places<triangles>(sumfac::triangle(1), 9);
  numbers_places<triangles>(sumfac::triangle(4), 81);
  numbers_places<tetrahedra>(sumfac::tetrahedron(2), 125);
  numbers_places<tetrahedra>(sumfac::tetrahedron(4), 729);
  numbers_places<prisms>(sumfac::prism(3), 343);
}

namespace {

// On a box of side 1: integrals, norms, values at fixed entries, with two components.
template <class Mesh>
void integrates(sumfac::space const& of)
{
  CAPTURE(int(of.shape), of.directions);
  auto const mesh = box_of_cells(of, 2).mesh<Mesh>();
  auto const left = mesh.boundary([](auto const& x) { return x[0] < 1e-9; });
  sumfac::function_space const v(mesh, of.degree, {sumfac::fixed_sides{left, 1}}, {.components = 2});
  using vector = sumfac::vector<double, Mesh::coordinates>;
  auto const f = [](vector const& x) { return sumfac::vector<double, 2>{x[0] * x[1], 1 + x[1] * x[1]}; };
  auto u = v.values(f);
  CHECK(v.l2_error(u, f) < 1e-14);
  CHECK(v.h1_error(u, f, [](vector const& x) {
    return [x](int c, int d) { return c == 0 ? (d == 0 ? x[1] : d == 1 ? x[0] : 0) : d == 1 ? 2 * x[1] : 0; };
  }) < 1e-13);
  // (x y)^2 + (1 + y^2)^2: 1/9 + 1 + 2/3 + 1/5.
  CHECK(v.norm(u) * v.norm(u) == Approx(1.0 / 9 + 28.0 / 15).epsilon(1e-13));
  CHECK(v.integral([](vector const& x) { return x[0] * x[0] * x[1]; }) == Approx(1.0 / 6).epsilon(1e-13));
  // (f, w) of w = f again, but for what is fixed; on other nodes the same functions.
  auto const b = v.load(f);
  double product = 0;
  for (std::size_t i = 0; i < b.size(); ++i) product += b[i] * u[i];
  sumfac::function_space const all(mesh, of.degree, {.components = 2});
  auto const of_all = all.load(f);
  for (sumfac::index_t i = 0; i < v.nodes(); ++i)
    if (v.is_fixed(i, 1)) product += of_all[std::size_t(2 * i + 1)] * u[std::size_t(2 * i + 1)];
  CHECK(product == Approx(1.0 / 9 + 28.0 / 15).epsilon(1e-12));
  sumfac::function_space const other(mesh, of.degree, {.components = 2, .nodes = sumfac::node_placement::equispaced});
  CHECK(other.l2_error(other.values(v, u), f) < 1e-14);
  // Only the second component, only on the left.
  std::vector<double> w(u.size(), 7);
  v.set_fixed(f, w);
  auto const places = v.positions();
  for (sumfac::index_t i = 0; i < v.nodes(); ++i) {
    auto const at = std::size_t(i);
    bool const on_left = places[at * Mesh::coordinates] < 1e-9;
    CHECK(w[2 * at] == 7);
    CHECK(w[2 * at + 1] == (on_left ? Approx(u[2 * at + 1]) : Approx(7.0)));
  }
  v.zero_fixed(w);
  for (sumfac::index_t i = 0; i < v.nodes(); ++i) CHECK((w[std::size_t(2 * i + 1)] == 0) == v.is_fixed(i, 1));
}

// The same functions on sides: areas, and one number for one node.
template <class Mesh>
void lies_on_sides(sumfac::space const& of)
{
  CAPTURE(of.directions);
  auto const mesh = box_of_cells(of, 2).mesh<Mesh>();
  sumfac::function_space const v(mesh, of.degree);
  auto const right = mesh.boundary([](auto const& x) { return x[0] > 1 - 1e-9; });
  auto const on_right = v.on(right);
  CHECK(on_right.integral([](auto const&) { return 1.0; }) == Approx(1.0).epsilon(1e-14));
  auto const f = [](auto const& x) { return x[0] + x[1] * x[1]; };
  auto const u = v.values(f);
  CHECK(on_right.l2_error(u, f) < 1e-14);
  CHECK(on_right.integral(u) == Approx(4.0 / 3).epsilon(1e-14));
  CHECK(v.on(mesh.boundary()).integral([](auto const&) { return 1.0; }) == Approx(2.0 * of.directions).epsilon(1e-14));
  // Sides turn outwards: the flux of x is the volume, times directions.
  double flux = 0;
  auto const around = mesh.sides(mesh.boundary());
  for (sumfac::index_t s = 0; s < around.elements(); ++s) {
    auto const x = [&](int i, int c) { return around.nodes()(s, i, c); };
    if constexpr (Mesh::directions == 2)
      flux += x(0, 0) * (x(1, 1) - x(0, 1)) - x(0, 1) * (x(1, 0) - x(0, 0));
    else
      for (int c = 0; c < 3; ++c) {
        int const d = (c + 1) % 3, b = (c + 2) % 3;
        flux += x(0, c) * ((x(1, d) - x(0, d)) * (x(2, b) - x(0, b)) - (x(1, b) - x(0, b)) * (x(2, d) - x(0, d))) / 2;
      }
  }
  CHECK(flux == Approx(double(Mesh::directions)).epsilon(1e-13));
}

}  // namespace

TEST_CASE("function_space: integrals, norms and loads on simplices and prisms")
{
  integrates<triangles>(sumfac::triangle(2));
  integrates<tetrahedra>(sumfac::tetrahedron(2));
  integrates<prisms>(sumfac::prism(2));
}

TEST_CASE("function_space: on sides of simplices")
{
  lies_on_sides<triangles>(sumfac::triangle(3));
  lies_on_sides<tetrahedra>(sumfac::tetrahedron(3));
}

TEST_CASE("cell_mesh: what does not fit is refused")
{
  box_of_cells box(sumfac::tetrahedron(1), 1);
  auto const mesh = box.mesh<tetrahedra>();
  CHECK(mesh.boundary().size() == 12);
  CHECK_THROWS_WITH(sumfac::function_space(mesh, 16), Catch::Contains("got 16, 1 to 15 expected"));
  CHECK_THROWS_WITH(sumfac::function_space(mesh, 2, std::vector<sumfac::element_side>{{6, 0}}),
                    Catch::Contains("got 6, 0 to 5 expected"));
  CHECK_THROWS_WITH(sumfac::function_space(mesh, 2, std::vector<sumfac::element_side>{{5, 4}}),
                    Catch::Contains("got 4, 0 to 3 expected"));
  CHECK_THROWS_WITH(mesh.boundary("inlet"), Catch::Contains("no sides have the name or tag 'inlet'"));
  CHECK(mesh.named(sumfac::named_sides{"inlet", 0, {{0, 1}}}).boundary("inlet").size() == 1);
  CHECK(mesh.named("left", [](auto const& x) { return x[0] == 0; }).boundary("left").size() == 2);
  CHECK(mesh.named(sumfac::named_elements{"inner", 3, {0, 2}}).elements(3).size() == 2);
  box.table[5] = 8;
  CHECK_THROWS_WITH(box.mesh<tetrahedra>(), Catch::Contains("element 1, vertex 1: got 8, 0 to 7 expected"));
  box.table = {0, 1, 3, 7, 0, 1, 3, 1};
  CHECK_THROWS_WITH(box.mesh<tetrahedra>(), Catch::Contains("vertices 1 and 3 of element 1 are one (number 1)"));
  box.table = {0, 1, 3, 7, 0, 1, 3, 4, 0, 1, 3, 5};
  CHECK_THROWS_WITH(box.mesh<tetrahedra>(), Catch::Contains("a side is one of 3 elements"));
  CHECK_THROWS_WITH(box.mesh<prisms>(), Catch::Contains("vertices of an element"));
  double const five[5 * 3] = {};
  int const one[4] = {0, 1, 2, 3};
  CHECK_THROWS_WITH(tetrahedra(sumfac::view(five, 1, 5, 3), sumfac::view(one, 1, 4), 4),
                    Catch::Contains("got 5; 4, 10"));
  box.points[0] = NAN;
  box.table = {0, 1, 3, 7};
  CHECK_THROWS_WITH(box.mesh<tetrahedra>(), Catch::Contains("a coordinate of element 0 is not finite"));
}

namespace {

using sumfac::index_t, sumfac::quadrilateral, sumfac::triangle;

// Nodes of one number lie at one place, those of two at two.
template <class... Spaces>
void is_one_numbering(index_t expected, Spaces const&... spaces)
{
  constexpr auto c = std::size_t{std::tuple_element_t<0, std::tuple<Spaces...>>::mesh_type::coordinates};
  std::map<index_t, std::vector<long>> place_of;
  std::set<std::vector<long>> seen;
  auto const look = [&](auto const& of) {
    CHECK(of.nodes() == expected);
    auto const places = of.positions();
    for (index_t e = 0; e < of.mesh().elements(); ++e)
      for (index_t p = 0; p < of.table().size() / of.mesh().elements(); ++p) {
        index_t const node = of.table().data()[e * (of.table().size() / of.mesh().elements()) + p];
        std::vector<long> key;
        for (std::size_t d = 0; d < c; ++d) key.push_back(std::lround(1e6 * places[std::size_t(node) * c + d]));
        seen.insert(key);
        CHECK(place_of.emplace(node, key).first->second == key);
      }
  };
  (look(spaces), ...);
  CHECK(index_t(place_of.size()) == expected);
  CHECK(index_t(seen.size()) == expected);
}

// [0, 1/2] x [0, 1] of squares, and the rest of triangles.
struct mixed_square {
  sumfac::mesh<2> squares;
  triangles others;

  explicit mixed_square(int cells)
      : squares(sumfac::box_mesh({cells, cells},
                                 [](sumfac::vector<double, 2> const& x) {
                                   return sumfac::vector<double, 2>{x[0] / 2, x[1]};
                                 })),
        others(on_the_right(cells))
  {
  }
  static triangles on_the_right(int cells)
  {
    box_of_cells box(triangle(1), cells);
    for (std::size_t i = 0; i < box.points.size(); i += 2) box.points[i] = (1 + box.points[i]) / 2;
    return box.mesh<triangles>();
  }
  // Of a degree, fixed on the square's boundary or nowhere.
  auto spaces(int degree, bool is_fixed) const
  {
    auto const fixed = [&](auto const& mesh) {
      if (!is_fixed) return std::vector<sumfac::element_side>{};
      return mesh.boundary(
          [](auto const& x) { return x[0] < 1e-9 || x[0] > 1 - 1e-9 || x[1] < 1e-9 || x[1] > 1 - 1e-9; });
    };
    return sumfac::joined(sumfac::function_space(squares, degree, fixed(squares)),
                          sumfac::function_space(others, degree, fixed(others)));
  }
};

std::vector<double> added(std::vector<double> one, std::vector<double> const& other)
{
  for (std::size_t i = 0; i < one.size(); ++i) one[i] += other[i];
  return one;
}

// (grad u, grad v) + (u, v) on both kinds: f(K, T, V, W).
template <int N, class Function>
void on_both(mixed_square const& mesh, bool is_fixed, Function const& f)
{
  sumfac::host const backend;
  auto const [V, W] = mesh.spaces(N, is_fixed);
  sumfac::element_operator<sumfac::stiffness, quadrilateral(N)> const K{backend, mesh.squares, {.lambda = 1}};
  sumfac::element_operator<sumfac::stiffness, triangle(N)> const T{backend, mesh.others, {.lambda = 1}};
  f(K, T, V, W);
}

// Polynomials of the degree are the solution to the last bits, and what is fixed in one is so in the other.
template <int N>
void has_polynomials()
{
  on_both<N>(mixed_square(2), true, [](auto const& K, auto const& T, auto const& V, auto const& W) {
    auto const p = [](auto const& x) { return 1 + 2 * x[0] - std::pow(x[1] - x[0], N); };
    auto const right = [&](auto const& x) {
      return p(x) + (N < 2 ? 0 : 2 * N * (N - 1) * std::pow(x[1] - x[0], N - 2));
    };
    auto u = V.values(p);
    auto const of_others = W.values(p), b = added(V.load(right), W.load(right));
    for (std::size_t i = 0; i < u.size(); ++i)
      if (u[i] == 0) u[i] = of_others[i];
    std::vector<double> free(u.size()), fixed(u.size()), of_given(u.size()), lifted = b, given(u.size());
    auto const apply = [&](auto const& R, auto const& S, auto const& from, auto& to) {
      sumfac::sum{sumfac::part{K, R}, sumfac::part{T, S}}.apply(from, to);
    };
    apply(V.unconstrained(K.backend()), W.unconstrained(K.backend()), u, free);
    apply(V.restriction(K.backend()), W.restriction(K.backend()), u, fixed);
    // Given values, one space after the other.
    for (std::size_t i = 0; i < u.size(); ++i) given[i] = V.is_fixed(index_t(i)) ? u[i] : 0;
    apply(V.unconstrained(K.backend()), W.unconstrained(K.backend()), given, of_given);
    V.lift(K, p, lifted), W.lift(T, p, lifted);
    CAPTURE(N);
    for (index_t i = 0; i < V.nodes(); ++i) {
      CHECK(V.is_fixed(i) == W.is_fixed(i));
      auto const at = std::size_t(i);
      if (V.is_fixed(i))
        CHECK(fixed[at] == u[at]);
      else
        CHECK(free[at] == Approx(b[at]).margin(1e-12));
      CHECK(lifted[at] == Approx(V.is_fixed(i) ? u[at] : b[at] - of_given[at]).margin(1e-12));
    }
  });
}

template <int N>
double error_of(int cells)
{
  mixed_square const of(cells);
  sumfac::mesh const mesh{of.others, of.squares};
  sumfac::function_space const V{mesh, N, mesh.boundary([](auto const& x) { return x[0] < 1e-9 || x[0] > 1 - 1e-9; })};
  using namespace sumfac::weak;
  sumfac::host const backend;
  auto const a = sumfac::sum_by_kind<N>(backend, V, integrate(dot(grad(u), grad(v)) + u * v));
  double const pi = std::acos(-1.0);
  auto const exact = [&](auto const& at) { return std::cos(pi * at[0]) * std::cos(pi * at[1]); };
  std::vector<double> b = V.load([&](auto const& at) { return (2 * pi * pi + 1) * exact(at); });
  std::vector<double> found = V.lift(a, exact, b), d(b.size());
  a.diagonal(d);
  CHECK_THROWS_WITH(sumfac::level{a}, Catch::Contains("part 1 of the sum has a node that the first part"));
  REQUIRE(sumfac::cg(a, b, found, sumfac::jacobi{backend, d}, {.iterations = 500, .tolerance = 1e-12}));
  CHECK(V.l2_error(found, exact) ==
        Approx(std::hypot(V.template at<0>().l2_error(found, exact), V.template at<1>().l2_error(found, exact))));
  return V.l2_error(found, exact);
}

}  // namespace

TEST_CASE("joined: one number for a node of several kinds of elements")
{
  for (int const degree : {1, 4}) {
    auto const [V, W] = mixed_square(2).spaces(degree, false);
    is_one_numbering((4 * degree + 1) * (2 * degree + 1), V, W);
  }
  constexpr int degree = 3, m = 2 * degree + 1;
  auto const cubes = sumfac::box_mesh({2, 2, 2}, [](sumfac::vector<double, 3> const& x) {
    return sumfac::vector<double, 3>{x[0] + 1, x[1], x[2]};
  });
  box_of_cells above(sumfac::tetrahedron(1), 2);
  for (std::size_t i = 2; i < above.points.size(); i += 3) above.points[i] += 1;
  auto const of_prisms = box_of_cells(sumfac::prism(1), 2).mesh<prisms>();
  auto const of_tetrahedra = above.mesh<tetrahedra>();
  auto const [A, B, C] =
      sumfac::joined(sumfac::function_space(cubes, degree), sumfac::function_space(of_prisms, degree),
                     sumfac::function_space(of_tetrahedra, degree));
  is_one_numbering(3 * m * m * m - 2 * m * m, A, B, C);
  CHECK_THROWS_WITH(sumfac::joined(sumfac::function_space(cubes, 2), sumfac::function_space(of_prisms, 3)),
                    Catch::Contains("joined: degree of a space"));
  for (std::size_t i = 2; i < above.points.size(); i += 3) above.points[i] += 1;
  auto const apart = above.mesh<tetrahedra>();
  CHECK_THROWS_WITH(sumfac::joined(sumfac::function_space(cubes, 2), sumfac::function_space(apart, 2)),
                    Catch::Contains("0 of 27 vertices, at least 1 expected"));
}

namespace {

// A half of an annulus of radii 1 and 2, above (0) or below (1): (r, t) from 0 to 2 along it, of degree 2.
std::vector<double> half_annulus(int which, std::vector<std::array<int, 2>> const& places)
{
  std::vector<double> nodes;
  for (auto const& [t, r] : places) {
    double const angle = std::acos(-1.0) * (which + 1 - 0.5 * t);
    nodes.push_back((1 + 0.5 * r) * std::cos(angle));
    nodes.push_back((1 + 0.5 * r) * std::sin(angle));
  }
  return nodes;
}
sumfac::mesh<2> one_quadrilateral(int which)
{
  auto const nodes = half_annulus(which, {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}});
  return sumfac::mesh<2>::copy_of(sumfac::view(nodes.data(), 1, 3, 3, 2));
}

// Quadrilaterals of side 1 with these lower left corners and vertices.
sumfac::mesh<2> squares_at(std::vector<std::array<int, 2>> const& corners, std::vector<std::int32_t> const& table,
                           int n = 2)
{
  std::vector<double> nodes;
  for (auto const& [x, y] : corners)
    for (int const v : {0, 1, 2, 3}) nodes.push_back(x + v % 2), nodes.push_back(y + v / 2);
  auto const count = index_t(corners.size());
  return sumfac::mesh<2>::copy_of(sumfac::view(nodes.data(), count, 2, 2, 2),
                                  sumfac::view(table.data(), count, index_t(n), index_t(n)));
}
// Two triangles for each square of a row from x = 0, whose vertices below are 0 to m - 1: around a period of m, or not.
triangles row_of_triangles(int squares, int y, bool is_periodic)
{
  int const m = is_periodic ? squares : squares + 1;
  std::vector<double> nodes;
  std::vector<std::int32_t> table;
  for (int i = 0; i < squares; ++i)
    for (auto const& [x, up] : std::vector<std::array<int, 2>>{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 1}, {1, 0}}) {
      nodes.push_back(i + x), nodes.push_back(y + up);
      table.push_back(up * m + (i + x) % m);
    }
  return {sumfac::view(nodes.data(), 2 * squares, 3, 2), sumfac::view(table.data(), 2 * squares, 3), 2 * m};
}

}  // namespace

TEST_CASE("mixed_mesh and joined: curved sides between the same two vertices are two")
{
  auto const upper = one_quadrilateral(0), lower = one_quadrilateral(1);
  auto const of_triangles =
      half_annulus(1, {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {0, 2}, {2, 2}, {1, 2}, {0, 2}, {2, 1}, {1, 1}, {2, 0}});
  std::int32_t const table[] = {0, 1, 2, 3, 2, 1};
  triangles const others(sumfac::view(of_triangles.data(), 2, 6, 2), sumfac::view(table, 2, 3), 4);
  sumfac::mesh const mesh{upper, others};
  CHECK(mesh.boundary().size() == 4);
  for (int const degree : {2, 3}) {
    sumfac::function_space const V{mesh, degree};
    if (degree == 2) is_one_numbering(12, V.at<0>(), V.at<1>());
    CHECK(V.nodes() == 2 * degree * (degree + 1));
    auto const f = [](auto const& x) { return x[1]; };
    CHECK(V.l2_error(V.values(f), f) < 1e-14);
    auto const [X, Y] = sumfac::joined(sumfac::function_space{upper, degree}, sumfac::function_space{lower, degree});
    CHECK(X.nodes() == 2 * degree * (degree + 1));
  }
}

TEST_CASE("mixed_mesh and joined: periods and cracks")
{
  // A strip over a period of 4, whatever the order of its elements.
  auto const above = row_of_triangles(4, 1, true);
  for (auto const& order : {std::array{0, 1, 2, 3}, std::array{3, 2, 1, 0}}) {
    std::vector<std::array<int, 2>> corners;
    std::vector<std::int32_t> table;
    for (int const i : order) {
      corners.push_back({i, 0});
      for (int const v : {0, 1, 2, 3}) table.push_back(v / 2 * 4 + (i + v % 2) % 4);
    }
    sumfac::mesh const strip{squares_at(corners, table), above};
    CHECK(strip.boundary().size() == 8);
    CHECK(sumfac::function_space{strip, 1}.nodes() == 12);
  }
  // A period of two elements, which have the same vertices, above another one.
  std::vector<std::int32_t> const two = {0, 1, 2, 4, 5, 6, 8, 9, 10, 2, 3, 0, 6, 7, 4, 10, 11, 8};
  auto const [X, Y] = sumfac::joined(sumfac::function_space{squares_at({{0, 0}, {1, 0}}, two, 3), 2},
                                     sumfac::function_space{squares_at({{0, 1}, {1, 1}}, two, 3), 2});
  CHECK(X.nodes() == 20);
  // A crack from the middle of four squares upwards, with triangles below; and downwards, to these.
  std::vector<std::array<int, 2>> const four{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  auto const below = row_of_triangles(2, -1, false);
  sumfac::mesh const cracked{squares_at(four, {0, 1, 3, 4, 1, 2, 4, 5, 3, 4, 6, 7, 4, 5, 9, 8}), below};
  CHECK(cracked.boundary().size() == 12);
  CHECK(sumfac::function_space{cracked, 1}.nodes() == 13);
  sumfac::mesh const to_the_others{squares_at(four, {0, 1, 3, 4, 9, 2, 4, 5, 3, 4, 6, 7, 4, 5, 7, 8}), below};
  CHECK_THROWS_WITH((sumfac::function_space{to_the_others, 1}), Catch::Contains("as at the end of a crack"));
  // A surface: a triangle stands on the side that two quadrilaterals have in common.
  double const floor[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 2, 0, 0, 1, 1, 0, 2, 1, 0};
  double const wall[] = {1, 0, 0, 1, 1, 0, 1, 0, 1};
  int const of_floor[] = {0, 1, 2, 3, 1, 4, 3, 5}, of_wall[] = {0, 1, 2};
  sumfac::mixed_mesh<2, 3>::vertex_numbers numbers;
  for (index_t const v : {0, 1, 2, 3, 4, 5}) numbers[0].push_back(v);
  for (index_t const v : {1, 3, 6}) numbers[1].push_back(v);
  sumfac::mixed_mesh<2, 3> const surface(
      {sumfac::mesh<2, 3>::copy_of(sumfac::view(floor, 2, 2, 2, 3), sumfac::view(of_floor, 2, 2, 2)),
       {sumfac::view(wall, 1, 3, 3), sumfac::view(of_wall, 1, 3), 3}},
      numbers);
  CHECK(sumfac::function_space{surface, 3}.nodes() == 28 + 10 - 4);
}

TEST_CASE("mixed_mesh: quadrilaterals and triangles as one mesh")
{
  has_polynomials<1>();
  has_polynomials<3>();
  double const coarse = error_of<3>(2), fine = error_of<3>(4);
  CAPTURE(coarse, fine);
  CHECK(std::log2(coarse / fine) > 3.7);
}

TEST_CASE("mixed_mesh: hexahedra, prisms and tetrahedra as one mesh, and its boundary")
{
  using sumfac::cell_shape, sumfac::vector;
  // Cubes to the right of prisms, and tetrahedra above these: three cubes of side 1.
  auto const right = [](vector<double, 3> const& x) { return vector<double, 3>{x[0] + 1, x[1], x[2]}; };
  auto const cubes = sumfac::box_mesh({2, 2, 2}, right, 1);
  box_of_cells above(sumfac::tetrahedron(1), 2), below(sumfac::prism(1), 2);
  for (std::size_t i = 2; i < above.points.size(); i += 3) above.points[i] += 1;
  sumfac::mixed_mesh<3> const mesh{above.mesh<tetrahedra>(),
                                   cubes.named("right", [](auto const& x) { return x[0] > 2 - 1e-9; })
                                       .named(sumfac::named_elements{"cubes", 2, {7}}),
                                   below.mesh<prisms>()};
  CHECK(mesh.elements() == 8 + 16 + 48);
  CHECK(mesh.vertices() == 3 * 27 - 2 * 9);
  CHECK(mesh.of<cell_shape::prism>().elements() == 16);
  CHECK(mesh.first_element(2) == 24);
  CHECK(mesh.boundary().size() == 20 + 12 + 8 + 40);
  CHECK(mesh.boundary("right") == mesh.boundary([](auto const& x) { return x[0] > 2 - 1e-9; }));
  CHECK(mesh.elements(2) == std::vector<sumfac::index_t>{7});
  auto const of_tetrahedra = mesh.boundary([](auto const& x) { return x[2] > 2 - 1e-9; });
  CHECK(of_tetrahedra.size() == 8);
  CHECK(of_tetrahedra[0].element >= 24);

  constexpr int degree = 3, m = 2 * degree + 1;
  sumfac::function_space const V{mesh, degree, {{of_tetrahedra, 1}, {mesh.boundary("right"), 1}}, {.components = 2}};
  is_one_numbering(3 * m * m * m - 2 * m * m, V.at<0>(), V.at<1>(), V.at<2>());
  auto const f = [](auto const& x) { return vector<double, 2>{x[0] * x[1], 1 + x[2] * x[2] * x[1]}; };
  auto const g = V.values(f);
  CHECK(V.l2_error(g, f) < 1e-13);
  // (x y)^2: 7/9 on the cubes, 1/9 on each of the others.
  CHECK(V.integral(g, [](auto const& p) { return p.value(0) * p.value(0); }) == Approx(1.0).epsilon(1e-12));
  auto const places = V.positions();
  index_t fixed = 0;
  for (index_t i = 0; i < V.nodes(); ++i) {
    bool const is_there = places[3 * std::size_t(i)] > 2 - 1e-9 || places[3 * std::size_t(i) + 2] > 2 - 1e-9;
    CHECK(V.is_fixed(i, 1) == is_there);
    CHECK(!V.is_fixed(i, 0));
    fixed += is_there ? 1 : 0;
  }
  CHECK(fixed == 2 * m * m);
  std::vector<double> b = V.load(f), of_one(b.size(), 1);
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); i += 2) sum += b[i];
  CHECK(sum == Approx(3.0 / 4 + 1.0 / 2).epsilon(1e-12));  // of x y: 3/4 on the cubes and 1/4 on each of the others
  sumfac::function_space const other(mesh, degree, {.components = 2, .nodes = sumfac::node_placement::equispaced});
  CHECK(other.l2_error(other.values(V, g), f) < 1e-13);

  // Its boundary, of quadrilaterals and triangles with normals outwards, is closed.
  auto const around = V.on(mesh.boundary());
  CHECK(around.mesh().boundary().empty());
  CHECK(around.integral([](auto const&) { return 1.0; }) == Approx(14).epsilon(1e-13));
  CHECK(around.l2_error(g, f) < 1e-13);
  double volume = 0;
  around.mesh().for_each_kind([&](auto const& kind, int) {
    using kind_type = std::remove_cvref_t<decltype(kind)>;
    for (index_t e = 0; e < kind.elements(); ++e) {
      vector<double, 3> x[3];
      for (int v = 0; v < 3; ++v)
        for (int c = 0; c < 3; ++c) x[v][c] = kind.vertex_at(e, v)[c];
      volume += dot(x[0], cross(x[1] - x[0], x[2] - x[0])) / (kind_type::shape == cell_shape::lines ? 3 : 6);
    }
  });
  CHECK(volume == Approx(3).epsilon(1e-13));

  // What does not fit.
  for (std::size_t i = 0; i < above.points.size(); i += 3) above.points[i] += 1;  // upon the cubes' squares
  CHECK_THROWS_WITH((sumfac::mesh{cubes, above.mesh<tetrahedra>()}),
                    Catch::Contains("a triangle lies upon a part of a quadrilateral (side 3 of element "));
  CHECK_THROWS_WITH(sumfac::sum_by_kind<2>(sumfac::host{}, V, sumfac::stiffness{}),
                    Catch::Contains("degree of the space does not match (expected 2, got 3)"));
  CHECK_THROWS_WITH(mesh.sides({{72, 0}}), Catch::Contains("got 72, 0 to 71 expected"));
  CHECK_THROWS_WITH(V.on({{-3, 1}}), Catch::Contains("got -3, 0 to 71 expected"));
  CHECK_THROWS_WITH(sumfac::function_space(mesh, 2, std::vector<sumfac::element_side>{{72, 0}}),
                    Catch::Contains("got 72, 0 to 71 expected"));
  CHECK_THROWS_WITH(sumfac::function_space(mesh, 2, std::vector<sumfac::element_side>{{24, 4}}),
                    Catch::Contains("got 4, 0 to 3 expected"));
}

namespace {

// Velocities and pressures, and what they are tested by.
constexpr sumfac::weak::trial_function<3> flow{};
constexpr sumfac::weak::test_function<3> tested{};
constexpr auto slow_flow =
    inner(grad(flow), grad(tested)) - sumfac::weak::p * div(tested) - sumfac::weak::q * div(flow);

}  // namespace

TEST_CASE("Taylor-Hood on tetrahedra: quadratic flow and a linear pressure are the solution")
{
  using vector = sumfac::vector<double, 3>;
  auto const velocity = [](vector const& x) { return vector{x[1] * x[1], x[2] * x[2], x[0] * x[0]}; };
  auto const pressure = [](vector const& x) { return x[0] - 2 * x[2] + 0.5; };
  auto const force = [](vector const&) { return vector{-2 + 1, -2, -2 - 2}; };

  sumfac::host const backend;
  auto const mesh = box_of_cells(sumfac::tetrahedron(1), 2).mesh<tetrahedra>();
  sumfac::function_space const V{mesh, 2, mesh.boundary(), {.components = 3}}, Q{mesh, 1};
  constexpr auto viscous = block(slow_flow, flow, tested);
  constexpr auto divergence = block(slow_flow, flow, sumfac::weak::q);
  sumfac::element_operator<std::remove_const_t<decltype(viscous)>, sumfac::tetrahedron(2)> const K{backend, mesh,
                                                                                                   viscous};
  constexpr sumfac::spaces pair{.trial = sumfac::tetrahedron(2), .test = sumfac::tetrahedron(1)};
  sumfac::element_operator<std::remove_const_t<decltype(divergence)>, pair> const B{backend, mesh, divergence};
  auto const of_u = V.restriction(backend), of_p = Q.restriction(backend), free = V.unconstrained(backend);
  sumfac::block_operator const A{sumfac::global_operator{K, of_u}, sumfac::coupling{B, of_p, of_u}};

  // Given velocities on the boundary, and what they leave of the right sides.
  std::vector<double> given(std::size_t(V.size())), of_given(given.size()), through(std::size_t(Q.size()));
  V.set_fixed(velocity, given);
  std::vector<double> b = V.load(force), x(std::size_t(V.size() + Q.size())), d(x.size(), 1);
  K.apply(free, given, of_given);
  B.apply(of_p, free, given, through);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] -= of_given[i];
  V.zero_fixed(b);
  for (double const y : through) b.push_back(-y);
  K.diagonal(of_u, A.first(d));
  auto const result = sumfac::minres(A, b, x, sumfac::jacobi(backend, d), {.iterations = 2000, .tolerance = 1e-13});
  CAPTURE(result.report());
  auto const found = A.first(x), p = A.second(x);
  for (std::size_t i = 0; i < given.size(); ++i) given[i] += found.data()[i];
  CHECK(V.l2_error(given, velocity) < 1e-10);
  double const mean = Q.integral(p);  // of the pressure it is 0
  CHECK(Q.l2_error(p, [&](vector const& at) { return pressure(at) + mean; }) < 1e-9);
}
