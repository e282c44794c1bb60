// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Slices: which layout and static extents they keep, that they see the entries meant, and what they refuse.
#undef SUMFAC_BOUNDS_CHECK
#define SUMFAC_BOUNDS_CHECK 1
#include <sumfac/view/slice.hpp>

#include <catch2/catch.hpp>

#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

using sumfac::all;
using sumfac::dextents;
using sumfac::dynamic_extent;
using sumfac::extents;
using sumfac::index_t;
using sumfac::layout_interleaved;
using sumfac::layout_left;
using sumfac::layout_right;
using sumfac::layout_stride;
using sumfac::range;
using sumfac::slice;
using sumfac::view;

namespace {

constexpr index_t dyn = dynamic_extent;

using right = view<double, extents<dyn, 3, 4>>;
using left = view<double, extents<dyn, 3, 4>, layout_left>;
using strided = view<double, extents<dyn, 3, 4>, layout_stride>;
using lanes = view<double, extents<dyn, 3, 4>, layout_interleaved<4>>;

using a = sumfac::all_indices;
using r = range;

template <class Expected, class View, class... Specs>
constexpr bool gives = std::is_same_v<Expected, decltype(slice(std::declval<View>(), std::declval<Specs>()...))>;

// Row-major stays so where the last dimensions are kept, all but the first of them whole.
static_assert(gives<view<double, extents<dyn, 3, 4>>, right, a, a, a>);
static_assert(gives<view<double, extents<3, 4>>, right, int, a, a>);
static_assert(gives<view<double, extents<4>>, right, int, int, a>);
static_assert(gives<view<double, extents<dyn>>, right, int, int, r>);
static_assert(gives<view<double, extents<>>, right, int, int, int>);
static_assert(gives<view<double, extents<dyn, 3, 4>>, right, r, a, a>);
static_assert(gives<view<double, extents<dyn, 4>>, right, int, r, a>);
static_assert(gives<view<double, extents<dyn, dyn, 4>, layout_stride>, right, a, r, a>);
static_assert(gives<view<double, extents<dyn, 4>, layout_stride>, right, a, int, a>);
static_assert(gives<view<double, extents<3>, layout_stride>, right, int, a, int>);
static_assert(gives<view<double, extents<3, dyn>, layout_stride>, right, int, a, r>);

// Column-major the other way round.
static_assert(gives<view<double, extents<dyn, 3, 4>, layout_left>, left, a, a, a>);
static_assert(gives<view<double, extents<dyn, 3>, layout_left>, left, a, a, int>);
static_assert(gives<view<double, extents<dyn, dyn>, layout_left>, left, a, r, int>);
static_assert(gives<view<double, extents<3, 4>, layout_stride>, left, int, a, a>);
static_assert(gives<view<double, extents<dyn, 3, 4>, layout_stride>, left, r, a, a>);

static_assert(gives<view<double, extents<3, 4>, layout_stride>, strided, int, a, a>);
static_assert(gives<view<double, extents<dyn, 3, 4>, layout_stride>, strided, a, a, a>);

// Interleaved stays so with all its elements or blocks of them; one element of it has strides.
static_assert(gives<view<double, extents<dyn, 3, 4>, layout_interleaved<4>>, lanes, a, a, a>);
static_assert(gives<view<double, extents<dyn, 3, 4>, layout_interleaved<4>>, lanes, r, a, a>);
static_assert(gives<view<double, extents<3, 4>, layout_stride>, lanes, int, a, a>);
static_assert(gives<view<double, extents<dyn>, layout_stride>, lanes, int, int, r>);
static_assert(gives<view<double, extents<>>, lanes, int, int, int>);

// One element's nodes are a pointer and no more.
static_assert(sizeof(decltype(slice(std::declval<right>(), 0, all, all))) == sizeof(double*));

constexpr int at_compile_time()
{
  int data[24] = {};
  for (int n = 0; n < 24; ++n) data[n] = n;
  view const v(data, extents<2, 3, 4>());
  return slice(v, 1, all, 2)(1) + slice(v, range{1, 2}, 2, range{1, 3})(0, 1);
}
static_assert(at_compile_time() == 18 + 22);

// Every kind of slice against the view it is cut from; Layout is strided.
template <class View>
void check_slices(View const& v)
{
  auto const elements = v.extent(0);
  auto const plane = slice(v, 2, all, all);
  auto const middle = slice(v, all, 1, all);
  auto const face = slice(v, all, all, 3);
  auto const line = slice(v, 1, range{1, 3}, 2);
  auto const box = slice(v, range{1, 4}, range{0, 2}, range{2, 4});
  REQUIRE(middle.extent(0) == elements);
  REQUIRE(line.extent(0) == 2);
  REQUIRE(box.size() == 12);
  for (index_t e = 0; e < elements; ++e)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 4; ++i) {
        CHECK(&plane(j, i) == &v(2, j, i));
        CHECK(&middle(e, i) == &v(e, 1, i));
        CHECK(&face(e, j) == &v(e, j, 3));
        CHECK(&slice(v, e, j, i)() == &v(e, j, i));
        if (j < 2) CHECK(&line(j) == &v(1, j + 1, 2));
        if (e < 3 && j < 2 && i < 2) CHECK(&box(e, j, i) == &v(e + 1, j, i + 2));
      }
  CHECK(&slice(slice(v, 2, all, all), 1, all)(3) == &v(2, 1, 3));
}

}  // namespace

TEST_CASE("a slice sees the entries of its view", "[view]")
{
  extents<dyn, 3, 4> const shape(6);
  std::vector<double> data(1000);
  check_slices(right(data.data(), shape));
  check_slices(left(data.data(), shape));
  check_slices(strided(data.data(), {shape, {100, 7, 25}}));
  check_slices(view<double, dextents<3>>(data.data(), shape));
}

TEST_CASE("an interleaved view gives its elements, and blocks of them", "[view]")
{
  std::vector<double> data(200);
  lanes const v(data.data(), 11);
  auto const blocks = slice(v, range{4, 11}, all, all);
  CHECK(blocks.extent(0) == 7);
  for (int e = 0; e < 11; ++e) {
    auto const one = slice(v, e, all, all);
    auto const row = slice(v, e, 1, all);
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 4; ++i) {
        CHECK(&one(j, i) == &v(e, j, i));
        CHECK(&row(i) == &v(e, 1, i));
        if (e < 7) CHECK(&blocks(e, j, i) == &v(e + 4, j, i));
      }
  }
  CHECK_THROWS_WITH(slice(v, range{3, 8}, all, all),
                    "sumfac::slice: the range begins within a block of interleaved elements in dimension 0 of a view "
                    "(11, 3, 4) (first 3, width 4): begin at a multiple of the width");
}

TEST_CASE("offsets of slices are exact past 2^31", "[view]")
{
  // Addresses only: nothing is read.
  double const* const origin = nullptr;
  index_t const stride = 3'000'000'000;
  view<double const, dextents<2>, layout_stride> const v(origin, {dextents<2>(4, 10), {stride, 1}});
  CHECK(v.mapping()(3, 9) == 3 * stride + 9);
  auto const rows = slice(v, range{0, 3}, all);
  CHECK(rows.mapping().required_span_size() == 2 * stride + 10);
}

TEST_CASE("a slice may be empty, also at the end and of nothing", "[view]")
{
  std::vector<double> data(24);
  right const v(data.data(), 2);
  auto const end = slice(v, range{2, 2}, all, all);
  CHECK(end.empty());
  CHECK(end.data() == data.data());
  right const nothing(nullptr, 0);
  CHECK(slice(nothing, all, 1, all).data() == nullptr);
  CHECK(slice(nothing, range{0, 0}, 2, 3).size() == 0);
}

TEST_CASE("a slice outside its view is refused", "[view]")
{
  std::vector<double> data(24);
  right const v(data.data(), 2);
  CHECK_THROWS_WITH(slice(v, 2, all, all),
                    "sumfac::slice: index is outside dimension 0 of a view (2, 3, 4) (index 2, extent 2): "
                    "pass 0 <= index < extent");
  CHECK_THROWS_WITH(slice(v, 0, range{1, 4}, all),
                    "sumfac::slice: the range does not end within dimension 1 of a view (2, 3, 4) (last 4, extent 3): "
                    "pass 0 <= first <= last <= extent");
  CHECK_THROWS_WITH(slice(v, 0, range{2, 1}, all),
                    "sumfac::slice: the range does not begin within dimension 1 of a view (2, 3, 4) (first 2, last 1): "
                    "pass 0 <= first <= last <= extent");
  CHECK_THROWS_AS(slice(v, 0, range{-1, 2}, all), std::out_of_range);
  CHECK_THROWS_AS(slice(v, 0, 0, -1), std::out_of_range);
  CHECK_NOTHROW(slice(v, 1, range{3, 3}, range{0, 4}));
}
