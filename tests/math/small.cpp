// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tests of math/small.hpp: hand values, identities, packs lane by lane.
#include <support/larger.hpp>

#include <sumfac/math/small.hpp>

#include <sumfac/math/pack.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

namespace {

using sumfac::matrix;
using sumfac::symmetric;
using sumfac::vector;

template <class A>
bool same(A const& a, A const& b)
{
  for (int i = 0; i < A::size; ++i)
    if (a.entries[i] != b.entries[i]) return false;
  return true;
}

template <class A>
double distance(A const& a, A const& b)
{
  double largest = 0;
  for (int i = 0; i < A::size; ++i) largest = support::larger(largest, std::fabs(double(a.entries[i] - b.entries[i])));
  return largest;
}

template <class A>
A random(std::mt19937& engine)
{
  std::uniform_real_distribution<double> uniform(-1, 1);
  A a{};
  for (auto& entry : a.entries) entry = static_cast<typename A::value_type>(uniform(engine));
  return a;
}

template <class T, int N>
matrix<T, N> identity(T scale = 1)
{
  matrix<T, N> a{};
  for (int i = 0; i < N; ++i) a(i, i) = scale;
  return a;
}

template <class A, class S>
concept scalable = requires(A a, S s) { a* s; };

}  // namespace

TEST_CASE("small objects are aggregates without overhead", "[math][small]")
{
  STATIC_REQUIRE(std::is_aggregate_v<vector<double, 3>>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<matrix<double, 3>>);
  STATIC_REQUIRE(sizeof(vector<float, 3>) == 3 * sizeof(float));
  STATIC_REQUIRE(sizeof(matrix<double, 3, 2>) == 6 * sizeof(double));
  STATIC_REQUIRE(sizeof(symmetric<double, 3>) == 6 * sizeof(double));
  STATIC_REQUIRE(sizeof(symmetric<sumfac::pack<double, 2>, 3>) == 12 * sizeof(double));
}

TEST_CASE("vectors add, scale and multiply", "[math][small]")
{
  constexpr vector<double, 3> a{1, 2, 3}, b{4, -5, 6};
  STATIC_REQUIRE(dot(a, b) == 12);
  STATIC_REQUIRE((a + b)[1] == -3);
  STATIC_REQUIRE((a - b)[2] == -3);
  STATIC_REQUIRE((2.0 * a)[2] == 6);
  STATIC_REQUIRE((a * 2)[0] == 2);
  STATIC_REQUIRE(vector<double, 3>{}[2] == 0);

  vector<double, 3> c = a;
  c += b;
  c -= a;
  c *= 0.5;
  CHECK(same(c, {2, -2.5, 3}));
}

TEST_CASE("a number scales its own precision only", "[math][small]")
{
  STATIC_REQUIRE(scalable<vector<float, 3>, float>);
  STATIC_REQUIRE(scalable<vector<double, 3>, float>);
  STATIC_REQUIRE_FALSE(scalable<vector<float, 3>, double>);
  STATIC_REQUIRE_FALSE(scalable<vector<double, 3>, vector<double, 3>>);
  STATIC_REQUIRE_FALSE(scalable<vector<double, 3>, matrix<double, 3>>);
  STATIC_REQUIRE(scalable<matrix<double, 3>, vector<double, 3>>);
  STATIC_REQUIRE_FALSE(scalable<matrix<double, 3>, vector<double, 2>>);
}

TEST_CASE("matrices multiply by hand values", "[math][small]")
{
  constexpr matrix<double, 2, 3> a{1, 2, 3, 4, 5, 6};
  constexpr matrix<double, 3, 2> b{1, 0, 0, 1, 1, 1};
  CHECK(same(a * b, {4, 5, 10, 11}));
  CHECK(same(a * vector<double, 3>{1, 2, 3}, {14, 32}));
  CHECK(same(transpose(a), {1, 4, 2, 5, 3, 6}));
  CHECK(same(gram(a), {14, 32, 77}));
  STATIC_REQUIRE(a(1, 0) == 4);
}

TEST_CASE("a symmetric matrix reads both triangles from one", "[math][small]")
{
  constexpr symmetric<double, 3> s{1, 2, 3, 4, 5, 6};
  constexpr matrix<double, 3> full{1, 2, 3, 2, 4, 5, 3, 5, 6};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) CHECK(s(r, c) == full(r, c));
  constexpr vector<double, 3> x{1, -1, 2};
  CHECK(same(s * x, {5, 8, 10}));
  STATIC_REQUIRE(symmetric<double, 2>::index(1, 0) == 1);
  STATIC_REQUIRE(symmetric<double, 2>::index(1, 1) == 2);
  STATIC_REQUIRE(symmetric<double, 1>::size == 1);
}

TEST_CASE("determinant, adjugate and inverse by hand", "[math][small]")
{
  STATIC_REQUIRE(determinant(matrix<double, 1>{-3}) == -3);
  STATIC_REQUIRE(determinant(matrix<double, 2>{1, 2, 3, 4}) == -2);
  STATIC_REQUIRE(determinant(matrix<double, 3>{2, 0, 0, 0, 3, 0, 0, 0, 5}) == 30);
  STATIC_REQUIRE(determinant(matrix<double, 3>{0, 1, 0, 1, 0, 0, 0, 0, 1}) == -1);
  STATIC_REQUIRE(determinant(matrix<double, 3>{1, 2, 3, 0, 1, 4, 5, 6, 0}) == 1);
  CHECK(same(adjugate(matrix<double, 1>{7}), {1}));
  CHECK(same(adjugate(matrix<double, 2>{1, 2, 3, 4}), {4, -2, -3, 1}));
  CHECK(same(adjugate(matrix<double, 3>{1, 2, 3, 0, 1, 4, 5, 6, 0}), {-24, 18, 5, 20, -15, -4, -5, 4, 1}));
  CHECK(same(inverse(matrix<double, 1>{4}), {0.25}));
  CHECK(same(inverse(matrix<double, 2>{2, 0, 0, 8}), {0.5, 0, 0, 0.125}));
  CHECK(same(inverse(matrix<double, 3>{1, 2, 3, 0, 1, 4, 5, 6, 0}), {-24, 18, 5, 20, -15, -4, -5, 4, 1}));
}

TEMPLATE_TEST_CASE("the adjugate times the matrix is the determinant", "[math][small]", float, double)
{
  double const tolerance = 16 * double(std::numeric_limits<TestType>::epsilon());
  std::mt19937 engine(1);
  for (int trial = 0; trial < 100; ++trial) {
    auto const a = random<matrix<TestType, 1>>(engine);
    auto const b = random<matrix<TestType, 2>>(engine);
    auto const c = random<matrix<TestType, 3>>(engine);
    CHECK(distance(adjugate(a) * a, identity<TestType, 1>(determinant(a))) < tolerance);
    CHECK(distance(adjugate(b) * b, identity<TestType, 2>(determinant(b))) < tolerance);
    CHECK(distance(adjugate(c) * c, identity<TestType, 3>(determinant(c))) < tolerance);
  }
}

TEST_CASE("gram is the matrix times its transpose", "[math][small]")
{
  std::mt19937 engine(2);
  auto const a = random<matrix<double, 3, 2>>(engine);
  auto const full = a * transpose(a);
  auto const half = gram(a);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) CHECK(half(r, c) == Approx(full(r, c)).margin(1e-15));
}

TEMPLATE_TEST_CASE("packs compute what their lanes would", "[math][small]", float, double)
{
  constexpr int width = 4;
  using lanes = sumfac::pack<TestType, width>;
  std::mt19937 engine(3);
  matrix<TestType, 3> one[width];
  vector<TestType, 3> x[width];
  matrix<lanes, 3> all{};
  vector<lanes, 3> all_x{};
  for (int lane = 0; lane < width; ++lane) {
    one[lane] = random<matrix<TestType, 3>>(engine) + identity<TestType, 3>(4);  // well conditioned
    x[lane] = random<vector<TestType, 3>>(engine);
    for (int i = 0; i < 9; ++i) all.entries[i].set(lane, one[lane].entries[i]);
    for (int i = 0; i < 3; ++i) all_x[i].set(lane, x[lane][i]);
  }
  auto const inverses = inverse(all);
  auto const grams = gram(adjugate(all)) * (lanes(1) / determinant(all));
  auto const scaled = TestType(2) * (all * all_x) - all_x;
  TestType const tolerance = 64 * std::numeric_limits<TestType>::epsilon();
  for (int lane = 0; lane < width; ++lane) {
    auto const inverse_one = inverse(one[lane]);
    auto const gram_one = gram(adjugate(one[lane])) * (1 / determinant(one[lane]));
    auto const scaled_one = TestType(2) * (one[lane] * x[lane]) - x[lane];
    for (int i = 0; i < 9; ++i) CHECK(inverses.entries[i][lane] == Approx(inverse_one.entries[i]).epsilon(tolerance));
    for (int i = 0; i < 6; ++i) CHECK(grams.entries[i][lane] == Approx(gram_one.entries[i]).epsilon(tolerance));
    for (int i = 0; i < 3; ++i) CHECK(scaled[i][lane] == Approx(scaled_one[i]).margin(tolerance));  // the sums cancel
  }
}
