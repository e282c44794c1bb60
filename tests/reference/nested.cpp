// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of functions on refined meshes: by hand, of polynomials, and Galerkin's identity.
#include <support/larger.hpp>
#include <support/spaces.hpp>
#include <support/unknowns.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace {

using reference::place;
using reference::real;
using vector = std::vector<real>;

void near(vector const& got, vector const& expected, real tolerance = 1e-16L)
{
  REQUIRE(got.size() == expected.size());
  real greatest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) greatest = support::larger(greatest, std::abs(got[i] - expected[i]));
  CHECK(greatest <= tolerance);
}

template <class Function>
vector at_nodes(reference::unknowns const& space, Function const& f)
{
  vector u;
  for (std::size_t i = 0; i < space.size(); ++i) u.push_back(f(space.position(i)));
  return u;
}

// grad u . grad v + u v, in global numbers.
reference::table<real> matrix(reference::unknowns const& space)
{
  return reference::matrix_of(space, [](auto const&, reference::flat_field const& u) { return u; });
}

}  // namespace

TEST_CASE("nested: a line of two elements and its four halves, by hand")
{
  auto const line = reference::box_grid({2}, reference::equispaced(2));
  auto const halves = reference::cut(line, {true, true});
  reference::unknowns const coarse(line, reference::gauss_lobatto(2)), fine(halves, reference::gauss_lobatto(2));
  REQUIRE(coarse.size() == 3);
  REQUIRE(fine.size() == 5);
  auto const p = reference::prolongation(coarse, fine, reference::elements_are::cut);
  near(p.entries, {1, 0, 0, 0.5L, 0.5L, 0, 0, 1, 0, 0, 0.5L, 0.5L, 0, 0, 1});
  // Numbers of the caller's.
  reference::unknowns const named(halves, reference::gauss_lobatto(2), {4, 3, 3, 2, 2, 1, 1, 0});
  near(reference::prolongation(coarse, named, reference::elements_are::cut).entries,
       {0, 0, 1, 0, 0.5L, 0.5L, 0, 1, 0, 0.5L, 0.5L, 0, 1, 0, 0});
  CHECK_THROWS(reference::prolongation(coarse, fine, reference::elements_are::the_same));
}

TEST_CASE("nested: functions of the coarser mesh keep their values, and degrees are raised")
{
  for (int directions = 1; directions <= 3; ++directions)
    for (int degree = 1; degree <= (directions == 3 ? 2 : 4); ++degree) {
      std::vector<int> const counts(std::size_t(directions), 2);
      auto const mesh = reference::box_grid(counts, reference::gauss_lobatto(3), [](std::array<double, 3> const& x) {
        return std::array<double, 3>{x[0] + 0.2 * x[1], x[1] - 0.1 * x[2], 1.3 * x[2]};
      });
      auto finer = reference::cut(mesh, std::vector<bool>(std::size_t(mesh.elements()), true));
      // In another order, and turned.
      auto const ways = reference::turns(directions);
      auto shuffled = finer;
      shuffled.nodes.clear();
      for (int e = finer.elements() - 1; e >= 0; --e) {
        auto const one = reference::turned(finer, e, ways[std::size_t(e) % ways.size()]);
        auto const nodes = one.nodes_of(e);
        for (real const x : nodes) shuffled.nodes.push_back(static_cast<double>(x));
      }
      auto const f = [degree](place const& x) {
        real product = 1;
        for (int k = 0; k < degree; ++k) product *= 1 + x[0] / 3 - x[1] / 4 + x[2] / 5;
        return product;
      };
      reference::unknowns const coarse(mesh, reference::gauss_lobatto(degree + 1));
      reference::unknowns const fine(shuffled, reference::gauss_lobatto(degree + 1));
      auto const p = reference::prolongation(coarse, fine, reference::elements_are::cut);
      near(reference::product(p, at_nodes(coarse, f)), at_nodes(fine, f), 1e-14L);
      near(reference::product(p, vector(coarse.size(), 1)), vector(fine.size(), 1));
      reference::unknowns const raised(mesh, reference::gauss_lobatto(degree + 3));
      near(reference::product(reference::prolongation(coarse, raised, reference::elements_are::the_same),
                              at_nodes(coarse, f)),
           at_nodes(raised, f), 1e-14L);

      if (directions == 3 || degree > 2) continue;
      // The energy of a coarse function is that of the fine one: P' A P is the coarse matrix.
      auto const of_fine = matrix(fine), of_coarse = matrix(coarse);
      auto const x = support::random<real>(coarse.size(), 4);
      auto const through = reference::product(of_fine, reference::product(p, x));
      vector back(coarse.size(), 0);
      for (int i = 0; i < p.rows; ++i)
        for (int j = 0; j < p.cols; ++j) back[std::size_t(j)] += p(i, j) * through[std::size_t(i)];
      near(back, reference::product(of_coarse, x), 1e-15L);
    }
}
