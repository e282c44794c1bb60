// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of the contractions against sums done by hand, and against arrays whose entries spell their own indices.
#include "intrepid/reference.hpp"

#include <catch2/catch.hpp>

using reference::array;

TEST_CASE("reference: FieldField, by hand")
{
  SECTION("Scalar: two cells, L = 2, R = 3, P = 2")
  {
    array const left = {1, 2, 3, 4,  // cell 0: (1 2), (3 4)
                        5, 6, 7, 8};
    array const right = {1, 0, 0, 1,  2, -1,  // cell 0: (1 0), (0 1), (2 -1)
                         1, 1, 1, -1, 0, 10};
    array const out = {1,  2,  0,  3,  4,  2,  //
                       11, -1, 60, 15, -1, 80};
    CHECK(reference::contract_field_field({.c = 2, .l = 2, .r = 3, .p = 2}, left, right) == out);
  }
  SECTION("Vector: L = 1, R = 2, P = 2, D = 2")
  {
    array const left = {1, 2, 3, 4};                  // point 0: (1 2), point 1: (3 4)
    array const right = {1, 1, 1, 1, 10, 0, 0, 100};  // field 1: (10 0), (0 100)
    CHECK(reference::contract_field_field({.r = 2, .p = 2, .d1 = 2}, left, right) == array{10, 410});
  }
  SECTION("Tensor: L = 2, R = 1, P = 1, D1 = 2, D2 = 3")
  {
    array const left = {1, 2, 3, 4, 5, 6, 0, 0, 1, 0, 0, 0};
    array const right = {1, -1, 2, 0, 10, 100};
    CHECK(reference::contract_field_field({.l = 2, .d1 = 2, .d2 = 3}, left, right) == array{1 - 2 + 6 + 50 + 600, 2});
  }
}

TEST_CASE("reference: DataField, by hand")
{
  SECTION("Scalar: two cells, F = 2, P = 3")
  {
    array const data = {1, 10, 100, 2, 3, 5};
    array const fields = {1, 2, 3, 0, 1,  0,  //
                          1, 1, 1, 1, -1, 2};
    CHECK(reference::contract_data_field({.c = 2, .r = 2, .p = 3, .data_p = 3}, data, fields) == array{321, 10, 10, 9});
  }
  SECTION("Scalar, constant data: the sum still runs over the points of the fields")
  {
    array const fields = {1, 2, 3, 0, 1,  0,  //
                          1, 1, 1, 1, -1, 2};
    CHECK(reference::contract_data_field({.c = 2, .r = 2, .p = 3, .data_p = 1}, {10, 7}, fields) ==
          array{60, 10, 21, 14});
  }
  SECTION("Vector: F = 2, P = 2, D = 2; and constant data")
  {
    array const fields = {1, 2, 3, 4, 0, 1, 1, 0};
    CHECK(reference::contract_data_field({.r = 2, .p = 2, .d1 = 2, .data_p = 2}, {1, 10, 100, 1000}, fields) ==
          array{4321, 110});
    CHECK(reference::contract_data_field({.r = 2, .p = 2, .d1 = 2, .data_p = 1}, {1, 10}, fields) == array{64, 11});
  }
  SECTION("Tensor: F = 1, P = 2, D1 = 1, D2 = 2, and D1 = 2, D2 = 1; and constant data")
  {
    array const fields = {1, 2, 3, 4};
    CHECK(reference::contract_data_field({.p = 2, .d2 = 2, .data_p = 2}, {1, 10, 100, 1000}, fields) == array{4321});
    CHECK(reference::contract_data_field({.p = 2, .d2 = 2, .data_p = 1}, {1, 10}, fields) == array{64});
    CHECK(reference::contract_data_field({.p = 2, .d1 = 2, .data_p = 1}, {1, 10}, fields) == array{64});
  }
}

TEST_CASE("reference: DataData, by hand")
{
  CHECK(reference::contract_data_data({.c = 2, .p = 3}, {1, 2, 3, 4, 5, 6}, {1, 1, 1, 1, 0, -1}) == array{6, -2});
  CHECK(reference::contract_data_data({.c = 2, .p = 1, .d1 = 2}, {1, 2, 3, 4}, {10, 1, 0, 2}) == array{12, 8});
  CHECK(reference::contract_data_data({.c = 1, .p = 2, .d1 = 2, .d2 = 2}, {1, 2, 3, 4, 5, 6, 7, 8},
                                      {1, 0, 0, 0, 0, 0, 0, 1}) == array{9});
  CHECK(reference::contract_data_data({.c = 0, .p = 3}, {}, {}).empty());
  CHECK(reference::contract_data_data({.c = 2, .p = 0}, {}, {}) == array{0, 0});
}

namespace {

// Entries that spell their indices in decimal digits, in the order in which a reader of the table counts.
array spelled(int cells, int fields, int points, int d1, int d2)
{
  array result;
  for (int c = 0; c < cells; ++c)
    for (int f = 0; f < fields; ++f)
      for (int p = 0; p < points; ++p)
        for (int i = 0; i < d1; ++i)
          for (int j = 0; j < d2; ++j) result.push_back(10000 * c + 1000 * f + 100 * p + 10 * i + j);
  return result;
}

// One entry 1, all others 0.
array unit(array like, int where)
{
  for (auto& x : like) x = 0;
  like.at(static_cast<std::size_t>(where)) = 1;
  return like;
}

}  // namespace

// A unit array on one side must bring out, in each entry of the output, the entry of the other side that carries the
// same contracted indices: this pins every index of every loop.
TEST_CASE("reference: a unit array picks the entry with the same indices, and no other")
{
  constexpr int cells = 2, lefts = 3, rights = 4, points = 5, d1 = 3, d2 = 2;
  reference::contraction_extents const n{
      .c = cells, .l = lefts, .r = rights, .p = points, .d1 = d1, .d2 = d2, .data_p = points};
  array const left = spelled(cells, lefts, points, d1, d2), right = spelled(cells, rights, points, d1, d2);
  array const data = spelled(cells, 1, points, d1, d2);

  int left_place = 0;
  for (int c = 0; c < cells; ++c)
    for (int l = 0; l < lefts; ++l)
      for (int p = 0; p < points; ++p)
        for (int i = 0; i < d1; ++i)
          for (int j = 0; j < d2; ++j) {
            array const out = reference::contract_field_field(n, unit(left, left_place++), right);
            array const fields_out =
                reference::contract_data_field(n, unit(data, ((c * points + p) * d1 + i) * d2 + j), right);
            array const data_out =
                reference::contract_data_data(n, unit(data, ((c * points + p) * d1 + i) * d2 + j), data);
            std::size_t place = 0, fields_place = 0;
            for (int cell = 0; cell < cells; ++cell) {
              auto const value = [&](int field) {
                return cell == c ? 10000 * c + 1000 * field + 100 * p + 10 * i + j : 0;
              };
              for (int row = 0; row < lefts; ++row)
                for (int r = 0; r < rights; ++r) REQUIRE(out.at(place++) == (row == l ? value(r) : 0));
              for (int f = 0; f < rights; ++f) REQUIRE(fields_out.at(fields_place++) == value(f));
              REQUIRE(data_out.at(static_cast<std::size_t>(cell)) == value(0));
            }
          }
}

TEST_CASE("reference: constant data are data that repeat at every point")
{
  reference::contraction_extents n{.c = 2, .r = 3, .p = 4, .d1 = 2, .d2 = 3, .data_p = 1};
  array const constant = spelled(2, 1, 1, 2, 3), fields = spelled(2, 3, 4, 2, 3);
  array repeated;
  for (std::size_t c = 0; c < 2; ++c)
    for (int p = 0; p < 4; ++p)
      for (std::size_t k = 0; k < 6; ++k) repeated.push_back(constant.at(c * 6 + k));
  array const out = reference::contract_data_field(n, constant, fields);
  n.data_p = 4;
  CHECK(out == reference::contract_data_field(n, repeated, fields));
}

TEST_CASE("reference: the tolerance grows with the root of the length, and with an output narrower than the sum")
{
  constexpr reference::real u = 0x1p-53, v = 0x1p-24;
  CHECK(reference::contraction_tolerance<double, double>(0, 1, 1) == u);
  CHECK(reference::contraction_tolerance<double, double>(15, 2, 1) == 8 * u);
  CHECK(reference::contraction_tolerance<float, float>(8, 1, 1) == 3 * v);
  CHECK(reference::contraction_tolerance<double, float>(8, 1, 1) == 3 * u + v * (1 + 3 * u));
  CHECK(reference::moduli({-1, 0, 2}) == array{1, 0, 2});
}
