// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tests of geometry/mapping.hpp: what one quadrature point says of the geometry, by hand values.
#include <sumfac/geometry/mapping.hpp>

#include <sumfac/math/pack.hpp>

#include <catch2/catch.hpp>

#include <type_traits>

namespace {

using sumfac::mapping;
using sumfac::matrix;
using sumfac::vector;

// A shear of x by y, after a stretch by 2, 3, 4.
constexpr mapping<double> sheared{{2, 3, 0, 0, 3, 0, 0, 0, 4}, 0.5, {7, 8, 9}};

template <class A>
bool same(A const& a, A const& b)
{
  for (int i = 0; i < A::size; ++i)
    if (a.entries[i] != b.entries[i]) return false;
  return true;
}

}  // namespace

TEST_CASE("a mapping answers at compile time", "[geometry][mapping]")
{
  STATIC_REQUIRE(sheared.det() == 24);
  STATIC_REQUIRE(sheared.weight() == 0.5);
  STATIC_REQUIRE(sheared.position()[2] == 9);
  STATIC_REQUIRE(sheared.jacobian()(0, 1) == 3);
  STATIC_REQUIRE(sheared.jacobian()(1, 0) == 0);
  STATIC_REQUIRE(mapping<double>::dimension == 3);
  STATIC_REQUIRE(std::is_trivially_copyable_v<mapping<float>>);
}

TEST_CASE("a sheared element by hand", "[geometry][mapping]")
{
  CHECK(same(sheared.adjugate(), {12, -12, 0, 0, 8, 0, 0, 0, 6}));
  CHECK(same(sheared.inverse() * sheared.jacobian(), {1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST_CASE("a rotated element keeps its volume, and its inverse is its transpose", "[geometry][mapping]")
{
  constexpr mapping<double> rotated{{0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1}, 1, {}};
  CHECK(rotated.det() == Approx(1).epsilon(1e-15));
  auto const difference = rotated.inverse() - transpose(rotated.jacobian());
  for (double const entry : difference.entries) CHECK(entry == Approx(0).margin(1e-15));
}

TEST_CASE("two dimensions and one need no other words", "[geometry][mapping]")
{
  constexpr mapping<double, 2> quadrilateral{{2, 1, 0, 4}, 0.25, {1, 2}};
  STATIC_REQUIRE(quadrilateral.det() == 8);
  CHECK(same(quadrilateral.adjugate(), {4, -1, 0, 2}));
  CHECK(same(quadrilateral.inverse(), {0.5, -0.125, 0, 0.25}));
  constexpr mapping<double, 1> segment{{4}, 1, {0}};
  CHECK(same(segment.inverse(), {0.25}));
}

TEST_CASE("a mapping of a pack is one of each lane", "[geometry][mapping]")
{
  using lanes = sumfac::pack<double, 2>;
  matrix<lanes, 3> jacobian{};
  for (int d = 0; d < 3; ++d) {
    jacobian(d, d).set(0, 2);
    jacobian(d, d).set(1, 4);
  }
  mapping<lanes> const x(jacobian, lanes(0.125), {});
  CHECK(x.det()[0] == 8);
  CHECK(x.det()[1] == 64);
  CHECK(x.inverse()(1, 1)[0] == 0.5);
  CHECK(x.inverse()(1, 1)[1] == 0.25);
  CHECK(x.adjugate()(2, 2)[1] == 16);
  CHECK((x.weight() * x.det())[1] == 8);
}
