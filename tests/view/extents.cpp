// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Extents: static and dynamic ones, their conversions, their size, and what they refuse.
#undef SUMFAC_BOUNDS_CHECK
#define SUMFAC_BOUNDS_CHECK 1
#include <sumfac/view/extents.hpp>

#include <catch2/catch.hpp>

#include <stdexcept>
#include <type_traits>

using sumfac::dextents;
using sumfac::dynamic_extent;
using sumfac::extents;
using sumfac::index_t;

namespace {

constexpr index_t dyn = dynamic_extent;

// Shape and size are known without an object, and take room only for what is dynamic.
static_assert(extents<>::rank() == 0);
static_assert(extents<2, dyn, 4>::rank() == 3);
static_assert(extents<2, dyn, 4>::rank_dynamic() == 1);
static_assert(extents<2, dyn, 4>::static_extent(0) == 2);
static_assert(extents<2, dyn, 4>::static_extent(1) == dyn);
static_assert(extents<2, dyn, 4>::static_extent(2) == 4);
static_assert(std::is_empty_v<extents<>>);
static_assert(std::is_empty_v<extents<8, 8, 8>>);
static_assert(sizeof(extents<dyn, 8, 8>) == sizeof(index_t));
static_assert(sizeof(dextents<4>) == 4 * sizeof(index_t));
static_assert(std::is_same_v<dextents<3>, extents<dyn, dyn, dyn>>);
static_assert(std::is_same_v<dextents<0>, extents<>>);

static_assert(std::is_trivially_copyable_v<extents<8, 8>>);
static_assert(std::is_trivially_copyable_v<dextents<5>>);
static_assert(std::is_trivially_destructible_v<dextents<5>>);
static_assert(std::is_nothrow_move_constructible_v<dextents<5>>);

// Any index-like values, in either number; nothing else.
static_assert(std::is_constructible_v<extents<2, dyn, dyn>, int, unsigned>);
static_assert(std::is_constructible_v<extents<2, dyn, dyn>, int, char, std::integral_constant<int, 3>>);
static_assert(!std::is_constructible_v<extents<2, dyn, dyn>, int>);
static_assert(!std::is_constructible_v<extents<2, dyn, dyn>, int, double>);
static_assert(!std::is_convertible_v<int, dextents<1>>);

// Dynamic takes static at once; static takes dynamic only when told so; other static extents and ranks not at all.
static_assert(std::is_convertible_v<extents<2, 3>, dextents<2>>);
static_assert(std::is_convertible_v<extents<2, dyn>, dextents<2>>);
static_assert(!std::is_convertible_v<dextents<2>, extents<2, dyn>>);
static_assert(std::is_constructible_v<extents<2, dyn>, dextents<2>>);
static_assert(!std::is_constructible_v<extents<2, 3>, extents<2, 4>>);
static_assert(!std::is_constructible_v<dextents<2>, dextents<3>>);

constexpr extents<2, dyn, 4, dyn> of_dynamic(3, 5);
static_assert(of_dynamic.extent(0) == 2 && of_dynamic.extent(1) == 3 && of_dynamic.extent(2) == 4 &&
              of_dynamic.extent(3) == 5);
constexpr extents<2, dyn, 4, dyn> of_all(2, 3, 4, 5);
static_assert(of_all == of_dynamic);
constexpr index_t numbers[] = {2, 3, 4, 5};
static_assert(extents<2, dyn, 4, dyn>(numbers) == of_all);
static_assert(dextents<4>(of_all) == of_all);
static_assert(extents<2, 3, dyn, dyn>(dextents<4>(of_all)) == of_all);
static_assert(dextents<4>(2, 3, 4, 6) != of_all);
static_assert(dextents<3>(2, 3, 4) != of_all);
static_assert(extents<>() == dextents<0>());
static_assert(extents<dyn>().extent(0) == 0);
static_assert(std::is_same_v<decltype(extents(4, 5u, 6L)), dextents<3>>);

static_assert(sumfac::extents_like<dextents<3>>);
static_assert(!sumfac::extents_like<int>);
static_assert(sumfac::index_like<unsigned char> && !sumfac::index_like<float> && !sumfac::index_like<int*>);

}  // namespace

TEST_CASE("extents keep run-time values, of every integer type and past 2^31", "[view]")
{
  auto const large = index_t(1) << 40;
  extents<dyn, 3, dyn> const shape(large, static_cast<short>(7));
  CHECK(shape.extent(0) == large);
  CHECK(shape.extent(1) == 3);
  CHECK(shape.extent(2) == 7);

  auto copy = shape;
  CHECK(copy == shape);
  copy = extents<dyn, 3, dyn>(large, 8);
  CHECK_FALSE(copy == shape);
  CHECK(copy != shape);
}

TEST_CASE("extents refuse values that cannot be", "[view]")
{
  int volatile seven = 7, below = -1;
  CHECK_THROWS_WITH((extents<2, 8, dyn>(2, seven, 3)),
                    "sumfac::extents: the value does not match the static extent of dimension 1 (given 7, static 8): "
                    "pass the static extent, or make it dynamic");
  CHECK_THROWS_AS((extents<2, 8, dyn>(dextents<3>(2, seven, 3))), std::out_of_range);
  CHECK_THROWS_WITH((extents<8, dyn, 8, dyn>(3, below)),
                    "sumfac::extents: negative extent in dimension 3 (given -1, least 0): pass a size");
}
