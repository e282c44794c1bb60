// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of equations between unknowns: chains by hand, the problem they leave, functions that do not jump.
#include <support/larger.hpp>
#include <support/unknowns.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace {

using reference::equation;
using reference::place;
using reference::real;
using vector = std::vector<real>;

void near(vector const& got, vector const& expected, real tolerance = 1e-17L)
{
  REQUIRE(got.size() == expected.size());
  real greatest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) greatest = support::larger(greatest, std::abs(got[i] - expected[i]));
  CHECK(greatest <= tolerance);
}

reference::table<real> matrix(int size, vector const& entries)
{
  reference::table<real> a(size, size);
  a.entries = entries;
  return a;
}

// Some of the elements, always the first one.
std::vector<bool> some(int count, unsigned seed)
{
  support::generator next(seed);
  std::vector<bool> marks;
  for (int e = 0; e < count; ++e) marks.push_back(e == 0 || next() > 0.4);
  return marks;
}

reference::grid all_turned(reference::grid mesh)
{
  auto const ways = reference::turns(mesh.directions);
  for (int e = 0; e < mesh.elements(); ++e)
    mesh = reference::turned(mesh, e, ways[static_cast<std::size_t>(7 * e + 3) % ways.size()]);
  return mesh;
}

// Where x lies in an element whose map is affine.
place place_in(reference::grid const& mesh, int e, place const& x)
{
  std::size_t const directions = std::size_t(mesh.directions);
  place const middle = reference::position_of(mesh, e, {0, 0, 0});
  std::vector<vector> jacobian(directions, vector(directions, 0));
  for (std::size_t d = 0; d < directions; ++d) {
    place xi{0, 0, 0};
    xi[d] = 1;
    for (std::size_t c = 0; c < directions; ++c) jacobian[c][d] = reference::position_of(mesh, e, xi)[c] - middle[c];
  }
  auto const inverse = reference::invert(jacobian).inverse;
  place xi{};
  for (std::size_t d = 0; d < directions; ++d)
    for (std::size_t c = 0; c < directions; ++c) xi[d] += inverse[d][c] * (x[c] - middle[c]);
  return xi;
}

real value_at(reference::unknowns const& space, vector const& u, int e, place const& xi)
{
  real sum = 0;
  for (auto const& [node, phi] : reference::terms_at(space, e, xi)) sum += phi * u[node];
  return sum;
}

// The greatest jump of u at random places of all elements' sides, on a mesh of affine elements; how many were compared.
std::pair<real, int> greatest_jump(reference::unknowns const& space, vector const& u)
{
  auto const& mesh = space.mesh();
  support::generator next(3);
  real greatest = 0;
  int compared = 0;
  for (int e = 0; e < mesh.elements(); ++e)
    for (std::size_t number = 0; number < std::size_t(2 * mesh.directions); ++number) {
      place xi{};
      for (std::size_t d = 0; d < std::size_t(mesh.directions); ++d) xi[d] = next();
      xi[number / 2] = number % 2 == 0 ? -1 : 1;
      place const x = reference::position_of(mesh, e, xi);
      for (int f = 0; f < mesh.elements(); ++f) {
        place const there = place_in(mesh, f, x);
        if (f == e || std::abs(there[0]) > 1 + 1e-12L || std::abs(there[1]) > 1 + 1e-12L ||
            std::abs(there[2]) > 1 + 1e-12L)
          continue;
        greatest = support::larger(greatest, std::abs(value_at(space, u, e, xi) - value_at(space, u, f, there)));
        ++compared;
      }
    }
  return {greatest, compared};
}

}  // namespace

TEST_CASE("constraints: chains by hand, in any order")
{
  equation const first{0, {{1, 2}}, 1}, second{1, {{2, 3}, {3, -1}}, 0.5L};
  for (auto const& rows : {std::vector{first, second}, std::vector{second, first}}) {
    reference::expansion const c(4, rows);
    near(c.matrix().entries, {0, 0, 6, -2, 0, 0, 3, -1, 0, 0, 1, 0, 0, 0, 0, 1});
    near(c.b(), {2, 0.5L, 0, 0});
    near(c.distributed({9, 9, 1, 2}, true), {4, 1.5L, 1, 2});
    near(c.distributed({9, 9, 1, 2}, false), {2, 1, 1, 2});
    near(c.collected({1, 10, 100, 1000}), {0, 0, 136, 988});
    CHECK(!c.is_free(1));
    CHECK(c.is_free(2));
  }
  CHECK_THROWS(reference::expansion(2, {{0, {{1, 1}}}, {1, {{0, 0.5L}}}}));
  CHECK_THROWS(reference::expansion(2, {{0, {{0, 0.5L}}}}));
  CHECK_THROWS(reference::expansion(2, {{0, {{1, 1}}}, {0, {{1, 1}}}}));
}

TEST_CASE("constraints: what is left of a matrix and a right side, by hand")
{
  reference::expansion const c(2, {{0, {{1, 0.5L}}, 3}});
  auto const a = matrix(2, {2, 1, 1, 3});
  near(c.reduced(a, reference::constrained_row::identity).entries, {1, 0, 0, 4.5L});
  near(c.reduced(a, reference::constrained_row::zero).entries, {0, 0, 0, 4.5L});
  // f - A (3, 0) = (10 - 6, 20 - 3)
  near(c.lifted(a, {10, 20}), {0, 19});
}

TEST_CASE("constraints: of random equations, the energy is that of u and the residual vanishes on what may move")
{
  for (unsigned seed = 1; seed <= 3; ++seed) {
    std::size_t const size = 30;
    auto const rows = reference::random_equations(size, 12, seed);
    reference::expansion const c(size, rows);
    bool chained = false;
    for (auto const& row : rows)
      for (auto const& [other, weight] : row.terms) chained = chained || !c.is_free(other);
    CHECK(chained);
    auto a = matrix(int(size), support::random<real>(size * size, seed + 10));
    for (int i = 0; i < int(size); ++i)
      for (int j = 0; j <= i; ++j) a(i, j) = a(j, i) = i == j ? 40 : a(i, j);
    auto const x = support::random<real>(size, seed + 20), f = support::random<real>(size, seed + 30);
    auto const u = c.distributed(x, false);
    for (auto const& row : rows) {
      real sum = 0;
      for (auto const& [other, weight] : row.terms) sum += weight * u[other];
      CHECK(std::abs(u[row.unknown] - sum) < 1e-16L);
    }
    auto free_x = x;
    for (std::size_t i = 0; i < size; ++i)
      if (!c.is_free(i)) free_x[i] = 0;
    auto const reduced = c.reduced(a, reference::constrained_row::zero);
    CHECK(std::abs(reference::inner(u, reference::product(a, u)) -
                   reference::inner(free_x, reference::product(reduced, free_x))) < 1e-15L);

    auto const solution = reference::solved(c.reduced(a, reference::constrained_row::identity), c.lifted(a, f));
    REQUIRE(solution);
    auto residual = reference::product(a, c.distributed(*solution, true));
    for (std::size_t i = 0; i < size; ++i) residual[i] -= f[i];
    near(c.collected(residual), vector(size, 0), 1e-16L);
  }
}

TEST_CASE("constraints: hanging nodes of two squares, one of them cut, by hand")
{
  auto const mesh = reference::cut(reference::box_grid({2, 1}, reference::equispaced(2)), {true, false});
  REQUIRE(mesh.elements() == 5);
  // The first part is the lower left quarter.
  CHECK(mesh.element(0)[6] == 0.5);
  CHECK(mesh.element(1)[0] == 0.5);
  reference::unknowns const linear(mesh, reference::gauss_lobatto(2));
  CHECK(linear.size() == 11);
  auto rows = reference::hanging_equations(linear);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].unknown == std::size_t(linear.find({1, 0.5L, 0})));
  REQUIRE(rows[0].terms.size() == 2);
  for (auto const& [node, weight] : rows[0].terms) {
    CHECK(weight == 0.5L);
    CHECK(linear.position(node)[0] == 1);
  }
  reference::unknowns const quadratic(mesh, reference::gauss_lobatto(3));
  rows = reference::hanging_equations(quadratic);
  REQUIRE(rows.size() == 2);
  REQUIRE(rows[0].terms.size() == 3);
  CHECK(rows[0].unknown == std::size_t(quadratic.find({1, 0.25L, 0})));
  for (auto const& [node, weight] : rows[0].terms) {
    real const y = quadratic.position(node)[1];
    CHECK(std::abs(weight - (y < 0.25L ? 0.375L : y < 0.75L ? 0.75L : -0.125L)) < 1e-18L);
  }
  // A mesh without any has none.
  CHECK(reference::hanging_equations(
            reference::unknowns(reference::box_grid({2, 2}, reference::equispaced(2)), reference::gauss_lobatto(4)))
            .empty());
}

TEST_CASE("constraints: functions of random refined meshes do not jump, and linear ones are among them")
{
  for (int directions = 2; directions <= 3; ++directions)
    for (int degree = 1; degree <= (directions == 2 ? 5 : 3); ++degree) {
      auto const where = reference::gauss_lobatto(2);
      std::vector<int> const counts = directions == 2 ? std::vector{3, 3} : std::vector{2, 2, 1};
      auto mesh = reference::box_grid(counts, where);
      // Around an edge, one cell that is whole, and opposite of it a part that is cut again: chains of equations.
      bool const in_chains = directions == 3 && degree == 2;
      mesh = reference::cut(mesh,
                            in_chains ? std::vector{false, true, true, true} : some(mesh.elements(), unsigned(degree)));
      if (in_chains) {
        std::vector<bool> marks(std::size_t(mesh.elements()), false);
        marks[17] = true;
        mesh = reference::cut(mesh, marks);
      }
      mesh = all_turned(mesh);
      reference::unknowns const space(mesh, reference::gauss_lobatto(degree + 1));
      auto const rows = reference::hanging_equations(space);
      REQUIRE(!rows.empty());
      reference::expansion const c(space.size(), rows);
      bool chained = false;
      for (auto const& row : rows)
        for (auto const& term : row.terms) chained = chained || !c.is_free(term.first);
      CHECK(chained == in_chains);
      auto const x = support::random<real>(space.size(), 5);
      auto const [jump, compared] = greatest_jump(space, c.distributed(x, false));
      CHECK(jump < 1e-15L);
      CHECK(compared > 20);
      CHECK(greatest_jump(space, x).first > 0.01L);
      vector linear;
      for (std::size_t i = 0; i < space.size(); ++i)
        linear.push_back(1 + space.position(i)[0] - 2 * space.position(i)[1] + 3 * space.position(i)[2]);
      near(c.distributed(linear, false), linear, 1e-15L);

      // The equations are the same where the mesh is bent: its sides' parts lie on them.
      if (degree != 2) continue;
      auto bent = reference::box_grid(counts, reference::gauss_lobatto(3), [](std::array<double, 3> const& at) {
        return std::array<double, 3>{at[0] + 0.1 * std::sin(at[1] + 0.4 * at[2]), at[1] + 0.1 * std::sin(at[0]),
                                     at[2] + 0.1 * std::sin(at[0] + at[1])};
      });
      auto straight = reference::box_grid(counts, reference::gauss_lobatto(3));
      auto const marks = some(bent.elements(), 9);
      reference::unknowns const of_bent(reference::cut(bent, marks), reference::gauss_lobatto(3));
      reference::unknowns const of_straight(reference::cut(straight, marks), reference::gauss_lobatto(3));
      CHECK(of_bent.table() == of_straight.table());
      auto const one = reference::expansion(of_bent.size(), reference::hanging_equations(of_bent)).matrix();
      auto const two = reference::expansion(of_straight.size(), reference::hanging_equations(of_straight)).matrix();
      near(one.entries, two.entries);
    }
}
