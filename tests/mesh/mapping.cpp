// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tests of mesh/mapping.hpp: what one quadrature point says of the geometry, by hand values.
#include <sumfac/mesh/mapping.hpp>

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

TEST_CASE("a mapping of any size answers wherever the answer is a number", "[geometry][mapping]")
{
  auto const of = [](float h) { return mapping<float>({2 * h, 3 * h, 0, 0, 3 * h, 0, 0, 0, 4 * h}, 0.5f, {}); };
  auto const one = of(1);
  vector<float, 3> const g{1, -2, 3};
  for (float const h : {0x1p-120f, 0x1p-40f, 0x1p40f, 0x1p120f}) {
    auto const x = of(h);
    CHECK(same(x.jacobian(), one.jacobian() * h));
    CHECK(same(x.inverse(), one.inverse() * (1 / h)));
    CHECK(same(x.metric(), one.metric() * h));
    CHECK(same(x.metric_times(g), one.metric_times(g) * h));
    CHECK(same(x.scaled_jacobian() * x.scale(), x.jacobian()));
  }
  for (float const h : {0x1p-40f, 0x1p40f}) {
    CHECK(of(h).det() == one.det() * h * h * h);
    CHECK(of(h).measure() == one.measure() * h * h * h);
    CHECK(same(of(h).adjugate(), one.adjugate() * h * h));
  }
  CHECK(same(one.metric() * g, one.metric_times(g)));

  auto const flat = [](float h) { return mapping<float, 2>({2 * h, 1 * h, 0, 4 * h}, 0.25f, {}); };
  CHECK(same(flat(0x1p-100f).metric(), flat(1).metric()));
  CHECK(same(flat(0x1p-100f).inverse(), flat(1).inverse() * 0x1p100f));
  CHECK(flat(0x1p-50f).det() == flat(1).det() * 0x1p-100f);
  CHECK(mapping<float, 1>({0x1p-100f}, 1, {}).metric()(0, 0) == 0x1p100f);
}

TEST_CASE("a curve's and a surface's mapping of any size answers as that of size 1", "[geometry][mapping]")
{
  for (float const h : {0x1p-60f, 1.0f, 0x1p60f}) {
    mapping<float, 1, 2> const curve({3 * h, 4 * h}, 0.5f, {});
    CHECK(curve.measure() == 2.5f * h);
    CHECK(curve.metric()(0, 0) == 0.1f / h);
    CHECK(curve.metric_times({5})[0] == 5 * (0.1f / h));
    CHECK(same(curve.scaled_normal(), {4 * h, -3 * h}));
    CHECK(same(curve.inverse() * curve.jacobian(), {1}));
    mapping<float, 2, 3> const surface({2 * h, 0, 0, 4 * h, 0, 0}, 0.25f, {});
    CHECK(surface.measure() == 2 * h * h);
    CHECK(same(surface.metric(), {0.5f, 0, 0.125f}));
    CHECK(same(surface.metric_times({2, 8}), {1, 1}));
    CHECK(same(surface.scaled_normal(), {0, 0, 8 * h * h}));
    CHECK(same(surface.inverse() * surface.jacobian(), {1, 0, 0, 1}));
  }
}

TEST_CASE("the scale of a pack's mapping is that of each lane", "[geometry][mapping]")
{
  using lanes = sumfac::pack<float, 4>;
  float const sizes[] = {0x1p-100f, 3, 0, 0x1p100f};
  matrix<lanes, 3> jacobian{};
  for (int lane = 0; lane < 4; ++lane)
    for (int d = 0; d < 3; ++d) jacobian(d, d).set(lane, sizes[lane]);
  mapping<lanes> const x(jacobian, lanes(0.5f), {});
  float const scales[] = {0x1p-100f, 2, 1, 0x1p100f};
  for (int lane = 0; lane < 4; ++lane) {
    CHECK(x.scale()[lane] == scales[lane]);
    CHECK(x.jacobian()(1, 1)[lane] == sizes[lane]);
    if (sizes[lane] > 0) CHECK(x.metric()(2, 2)[lane] == sizes[lane] / 2);
  }
  using one_lane = sumfac::pack<double, 1>;
  matrix<one_lane, 3> small{};
  for (int d = 0; d < 3; ++d) small(d, d).set(0, 0x1p-600);
  CHECK(mapping<one_lane>(small, one_lane(0.5), {}).metric()(0, 0)[0] == 0x1p-601);
}
