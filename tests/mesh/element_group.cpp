// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tests of mesh/maps/element_group.hpp: lanes, and the three levels by hand values.
#include <sumfac/mesh/maps/element_group.hpp>

#include <sumfac/view/view.hpp>

#include <catch2/catch.hpp>

#include <vector>

namespace {

// Elements e of trilinear vertices (x, y, z) = (1, 2, 4) + (i, (e + 1) j, k): z in rows of one element after the other.
std::vector<double> boxes(int elements)
{
  std::vector<double> data;
  for (int e = 0; e < elements; ++e)
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i) data.insert(data.end(), {1.0 + i, 2.0 + (e + 1) * j, 4.0 + k});
  return data;
}

// The basis (1 - t, t) on [0, 1], at t.
struct linear {
  double l[2], dl[2] = {-1, 1};
  explicit linear(double t) : l{1 - t, t} {}
};

}  // namespace

TEST_CASE("lanes of numbers and of packs are set and read alike", "[geometry][element_group]")
{
  double number = 0;
  sumfac::detail::set_lane(number, 0, 2.5);
  CHECK(sumfac::detail::lane_of(number, 0) == 2.5);
  sumfac::pack<float, 4> lanes{};
  sumfac::detail::set_lane(lanes, 2, 1.5f);
  CHECK(sumfac::detail::lane_of(lanes, 2) == 1.5f);
  CHECK(sumfac::detail::lane_of(lanes, 3) == 0);
}

TEST_CASE("a group is contracted to the mapping of each lane", "[geometry][element_group]")
{
  using lanes = sumfac::pack<double, 4>;
  auto const data = boxes(6);
  sumfac::view<double const, sumfac::dextents<5>> const nodes(data.data(), 6, 2, 2, 2, 3);
  sumfac::detail::element_group<lanes> group(2);
  group.load(nodes, 3, 6);
  linear const z(0.25), y(0.5), x(0.75);
  group.contract_z(z.l, z.dl);
  group.contract_y(y.l, y.dl);
  auto const at = group.contract_x(x.l, x.dl, 0.125);
  for (int lane = 0; lane < 4; ++lane) {
    int const height = lane < 3 ? 4 + lane : 6;  // of element 3 + lane along y; lane 3 repeats element 5
    CHECK(at.position()[0][lane] == 1.75);
    CHECK(at.position()[1][lane] == 2 + 0.5 * height);
    CHECK(at.position()[2][lane] == 4.25);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) CHECK(at.jacobian()(r, c)[lane] == (r != c ? 0 : r == 1 ? height : 1));
    CHECK(at.weight()[lane] == 0.125);
  }
}

TEST_CASE("a group may be loaded again", "[geometry][element_group]")
{
  auto const data = boxes(2);
  sumfac::view<double const, sumfac::dextents<5>> const nodes(data.data(), 2, 2, 2, 2, 3);
  sumfac::detail::element_group<double> group(2);
  linear const middle(0.5);
  for (int e = 1; e >= 0; --e) {
    group.load(nodes, e, e + 1);
    group.contract_z(middle.l, middle.dl);
    group.contract_y(middle.l, middle.dl);
    CHECK(group.contract_x(middle.l, middle.dl, 1).det() == e + 1);
  }
}
