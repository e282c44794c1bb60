// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle's solvers on systems of two and three unknowns, by hand, and against each other on a mesh.
#include <support/global.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <initializer_list>

namespace {

using reference::real;
using vector = std::vector<real>;

reference::table<real> matrix(int size, std::initializer_list<real> entries)
{
  reference::table<real> a(size, size);
  a.entries = entries;
  return a;
}

auto times(reference::table<real> const& a)
{
  return [&a](vector const& x) { return reference::product(a, x); };
}

void near(vector const& got, vector const& expected, real tolerance = 1e-18L)
{
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(std::abs(got[i] - expected[i]) <= tolerance);
}

}  // namespace

TEST_CASE("dense reference: products and inner products, by hand")
{
  auto const a = matrix(2, {1, 2, 3, 4});
  near(reference::product(a, {5, 7}), {19, 43});
  CHECK(reference::inner<real>({1, 2, 3}, {4, -5, 6}) == 12);
}

TEST_CASE("dense reference: Cholesky's factorization solves, by hand, and refuses what is not positive definite")
{
  // L = (2, 0, 0; 6, 1, 0; -8, 5, 3)
  auto const a = matrix(3, {4, 12, -16, 12, 37, -43, -16, -43, 98});
  auto const x = reference::solved(a, {4 + 24 - 48, 12 + 74 - 129, -16 - 86 + 294});
  REQUIRE(x);
  near(*x, {1, 2, 3}, 1e-16L);
  CHECK(!reference::solved(matrix(2, {1, 2, 2, 1}), {1, 1}));
  CHECK(!reference::solved(matrix(2, {1, 1, 1, 1}), {1, 1}));
  CHECK(!reference::solved(matrix(1, {0}), {1}));
}

TEST_CASE("dense reference: the inverse, by hand, with a pivot that is 0, and of no regular matrix")
{
  auto const a = reference::inverse(matrix(3, {0, 2, 0, 1, 0, 0, 3, 0, 4}));
  REQUIRE(a);
  near(a->entries, {0, 1, 0, 0.5L, 0, 0, 0, -0.75L, 0.25L});
  CHECK(!reference::inverse(matrix(2, {1, 2, 2, 4})));
}

TEST_CASE("dense reference: conjugate gradients, by hand")
{
  auto const a = matrix(2, {4, 1, 1, 3});
  auto const plain = reference::conjugate_gradients<real>(times(a), {1, 2}, {}, 1);
  near(plain.x, {0.25L, 0.5L});
  near(plain.residuals, {std::sqrt(5.0L), std::sqrt(0.3125L)});

  // z = (1/4, 2/3), alpha = 19/23, r = (-26/69, 13/92)
  auto const jacobi = reference::conjugate_gradients<real>(times(a), {1, 2}, {4, 3}, 1);
  near(jacobi.x, {19 / 92.0L, 38 / 69.0L});
  near(jacobi.residuals, {std::sqrt(5.0L), std::hypot(26 / 69.0L, 13 / 92.0L)});

  for (auto const& diagonal : {vector{}, vector{4, 3}}) {
    auto const done = reference::conjugate_gradients<real>(times(a), {1, 2}, diagonal, 100, 1e-15L);
    CHECK(done.iterations() == 2);
    CHECK(!done.indefinite);
    near(done.x, {1 / 11.0L, 7 / 11.0L});
  }
}

TEST_CASE("dense reference: conjugate gradients stop at the tolerance, at no right side, at an indefinite matrix")
{
  auto const a = matrix(3, {1, 0, 0, 0, 2, 0, 0, 0, 3});
  auto const whole = reference::conjugate_gradients<real>(times(a), {1, 1, 1}, {}, 3);
  CHECK(whole.iterations() == 3);
  CHECK(whole.residuals[3] < 1e-18L);
  real const between = (whole.residuals[1] + whole.residuals[2]) / 2 / whole.residuals[0];
  CHECK(reference::conjugate_gradients<real>(times(a), {1, 1, 1}, {}, 3, between).iterations() == 2);
  CHECK(reference::conjugate_gradients<real>(times(a), {0, 0, 0}, {}, 3).iterations() == 0);
  auto const exact = reference::conjugate_gradients<real>(times(a), {1, 1, 1}, {1, 2, 3}, 5);
  CHECK(exact.iterations() == 1);
  near(exact.x, {1, 1 / 2.0L, 1 / 3.0L});

  auto const saddle = matrix(2, {1, 0, 0, -1});
  CHECK(reference::conjugate_gradients<real>(times(saddle), {1, 2}, {}, 5).indefinite);
  auto const later = reference::conjugate_gradients<real>(times(saddle), {2, 1}, {}, 5);
  CHECK(later.indefinite);
  CHECK(later.iterations() == 1);
}

TEST_CASE("dense reference: on a mesh conjugate gradients and Cholesky find the same solution")
{
  auto const where = reference::gauss_lobatto(3);
  auto const curved = mesh::mapped(mesh::box({2, 2, 2}, where), mesh::smooth{});
  auto const numbers = mesh::numbered({2, 2, 2}, 2, 5);
  reference::global_operator a(reference::on_gauss(2), where, curved, numbers, reference::laplace());
  a.constrain(numbers.boundary, reference::constrained_row::identity);
  auto b = support::random<real>(a.size(), 2);
  auto const direct = reference::solved(a.matrix(), b);
  REQUIRE(direct);
  near(a.apply(*direct), b, 1e-17L);
  for (auto const& diagonal : {vector{}, a.diagonal()}) {
    auto const found =
        reference::conjugate_gradients<real>([&](vector const& x) { return a.apply(x); }, b, diagonal, 200, 1e-17L);
    CHECK(found.iterations() < 60);
    near(found.x, *direct, 1e-15L);
  }
}
