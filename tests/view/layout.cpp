// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Layouts: every offset against the formula, one index to one entry, and offsets past 2^31 without the memory.
#undef SUMFAC_BOUNDS_CHECK
#define SUMFAC_BOUNDS_CHECK 1
#include <sumfac/view/layout.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <stdexcept>
#include <type_traits>
#include <vector>

using sumfac::dextents;
using sumfac::dynamic_extent;
using sumfac::extents;
using sumfac::index_t;
using sumfac::layout_interleaved;
using sumfac::layout_left;
using sumfac::layout_right;
using sumfac::layout_stride;

namespace {

constexpr index_t dyn = dynamic_extent;

template <class Layout, class Extents>
using mapping = typename Layout::template mapping<Extents>;

// Data only for what is known at run time.
static_assert(std::is_empty_v<mapping<layout_right, extents<8, 8>>>);
static_assert(std::is_empty_v<mapping<layout_left, extents<8, 8>>>);
static_assert(std::is_empty_v<mapping<layout_interleaved<8>, extents<8, 8>>>);
static_assert(sizeof(mapping<layout_stride, extents<8, 8>>) == 2 * sizeof(index_t));
static_assert(sizeof(mapping<layout_interleaved<8>, extents<dyn, 8, 8>>) == sizeof(index_t));

template <class M>
constexpr bool is_light = std::is_trivially_copyable_v<M> && std::is_trivially_destructible_v<M> &&
                          std::is_nothrow_copy_constructible_v<M> && std::is_nothrow_move_assignable_v<M>;
static_assert(is_light<mapping<layout_right, dextents<4>>> && is_light<mapping<layout_left, dextents<4>>>);
static_assert(is_light<mapping<layout_stride, dextents<4>>> && is_light<mapping<layout_interleaved<4>, dextents<4>>>);

// Constants, since the extents are.
constexpr mapping<layout_right, extents<2, 3, 4>> row;
static_assert(row(1, 2, 3) == 23 && row(1, 0, 0) == 12 && row(0, 1, 0) == 4 && row.required_span_size() == 24);
static_assert(row.stride(0) == 12 && row.stride(1) == 4 && row.stride(2) == 1);
constexpr mapping<layout_left, extents<2, 3, 4>> column;
static_assert(column(1, 2, 3) == 23 && column(1, 0, 0) == 1 && column(0, 0, 1) == 6);
static_assert(column.stride(0) == 1 && column.stride(1) == 2 && column.stride(2) == 6);
constexpr mapping<layout_interleaved<4>, extents<6, 3, 2>> lanes;
static_assert(lanes(1, 0, 0) == 1 && lanes(0, 0, 1) == 4 && lanes(0, 1, 0) == 8 && lanes(4, 0, 0) == 24);
static_assert(lanes(5, 2, 1) == 24 + 2 * 8 + 4 + 1 && lanes.required_span_size() == 48 && lanes.blocks() == 2);
static_assert(lanes.stride(1) == 8 && lanes.stride(2) == 4);
constexpr mapping<layout_stride, extents<2, 3>> spread({}, {10, 2});
static_assert(spread(1, 2) == 14 && spread.required_span_size() == 15 && !spread.is_exhaustive());
static_assert(mapping<layout_right, extents<>>()() == 0 && mapping<layout_left, extents<>>()() == 0 &&
              mapping<layout_stride, extents<>>()() == 0);
static_assert(mapping<layout_right, extents<>>().required_span_size() == 1);

// What may be asked of a layout before there is an object, in the words of std::mdspan.
static_assert(mapping<layout_right, dextents<2>>::is_always_exhaustive());
static_assert(mapping<layout_left, dextents<2>>::is_always_strided());
static_assert(!mapping<layout_stride, dextents<2>>::is_always_exhaustive());
static_assert(mapping<layout_stride, dextents<2>>::is_always_strided());
static_assert(mapping<layout_interleaved<4>, extents<8, 3>>::is_always_exhaustive());
static_assert(!mapping<layout_interleaved<4>, extents<6, 3>>::is_always_exhaustive());
static_assert(!mapping<layout_interleaved<4>, dextents<2>>::is_always_exhaustive());
static_assert(!mapping<layout_interleaved<4>, extents<8, 3>>::is_always_strided());
static_assert(mapping<layout_interleaved<4>, extents<4, 3>>::is_always_strided());
static_assert(mapping<layout_interleaved<1>, dextents<2>>::is_always_strided());
static_assert(mapping<layout_interleaved<4>, dextents<2>>::is_always_unique());

// Conversions: without a word where nothing can go wrong.
static_assert(std::is_convertible_v<mapping<layout_right, extents<2, 3>>, mapping<layout_right, dextents<2>>>);
static_assert(!std::is_convertible_v<mapping<layout_right, dextents<2>>, mapping<layout_right, extents<2, 3>>>);
static_assert(std::is_convertible_v<mapping<layout_left, extents<2, 3>>, mapping<layout_stride, dextents<2>>>);
static_assert(!std::is_convertible_v<mapping<layout_stride, dextents<2>>, mapping<layout_right, dextents<2>>>);
static_assert(std::is_constructible_v<mapping<layout_right, dextents<2>>, mapping<layout_stride, dextents<2>>>);
static_assert(!std::is_constructible_v<mapping<layout_right, dextents<2>>, mapping<layout_right, dextents<3>>>);
static_assert(
    !std::is_constructible_v<mapping<layout_stride, dextents<2>>, mapping<layout_interleaved<4>, dextents<2>>>);
static_assert(
    !std::is_constructible_v<mapping<layout_interleaved<8>, dextents<2>>, mapping<layout_interleaved<4>, dextents<2>>>);

static_assert(mapping<layout_right, dextents<2>>(dextents<2>(2, 3)) == mapping<layout_right, extents<2, 3>>());
static_assert(mapping<layout_stride, dextents<3>>(row) == mapping<layout_stride, extents<2, 3, 4>>({}, {12, 4, 1}));
static_assert(mapping<layout_stride, dextents<3>>(row) != mapping<layout_stride, dextents<3>>(column));
static_assert(mapping<layout_stride, extents<2, 3>>() == mapping<layout_stride, extents<2, 3>>({}, std::array{3, 1}));

// Visits every index of a mapping of rank 3: no offset twice, none outside the span.
template <class M>
void check_one_to_one(M const& map)
{
  std::vector<int> visits(static_cast<std::size_t>(map.required_span_size()));
  auto const& shape = map.extents();
  for (index_t e = 0; e < shape.extent(0); ++e)
    for (int j = 0; j < shape.extent(1); ++j)
      for (int i = 0; i < shape.extent(2); ++i) ++visits.at(static_cast<std::size_t>(map(e, j, i)));
  index_t used = 0;
  for (int const count : visits) {
    CHECK(count <= 1);
    used += count;
  }
  CHECK(used == shape.extent(0) * shape.extent(1) * shape.extent(2));
  CHECK(map.is_exhaustive() == (used == map.required_span_size()));
}

template <int W>
void check_formula(index_t elements)
{
  mapping<layout_interleaved<W>, extents<dyn, 3, dyn>> const map(extents<dyn, 3, dyn>(elements, 5));
  mapping<layout_right, dextents<2>> const right(dextents<2>(3, 5));
  for (index_t e = 0; e < elements; ++e)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 5; ++i) CHECK(map(e, j, i) == (e / W) * (W * 15) + right(j, i) * W + e % W);
  CHECK(map.required_span_size() == (elements + W - 1) / W * W * 15);
  CHECK(map.stride(1) == W * 5);
  CHECK(map.stride(2) == W);
  if (map.is_strided() && elements > 1) CHECK(map.stride(0) == map(1, 0, 0));
  CHECK(map.is_strided() == (W == 1 || elements <= W));
  check_one_to_one(map);
}

}  // namespace

TEST_CASE("every layout gives each index an entry of its own", "[view]")
{
  dextents<3> const shape(4, 3, 5);
  check_one_to_one(mapping<layout_right, dextents<3>>(shape));
  check_one_to_one(mapping<layout_left, dextents<3>>(shape));
  check_one_to_one(mapping<layout_stride, dextents<3>>(shape, {1, 40, 8}));
  check_one_to_one(mapping<layout_stride, dextents<3>>(shape, std::vector<int>{15, 5, 1}));
  check_one_to_one(mapping<layout_right, extents<4, 3, 5>>());
  check_one_to_one(mapping<layout_left, extents<4, dyn, 5>>(extents<4, dyn, 5>(3)));
}

TEST_CASE("layout_interleaved follows its formula, whole blocks or not", "[view]")
{
  for (index_t const elements : {0, 1, 3, 4, 5, 8, 9, 17}) {
    CAPTURE(elements);
    check_formula<1>(elements);
    check_formula<3>(elements);
    check_formula<4>(elements);
    check_formula<8>(elements);
  }
}

TEST_CASE("strides agree with offsets", "[view]")
{
  dextents<3> const shape(4, 3, 5);
  auto const check = [](auto const& map) {
    CHECK(map.stride(0) == map(1, 0, 0));
    CHECK(map.stride(1) == map(0, 1, 0));
    CHECK(map.stride(2) == map(0, 0, 1));
  };
  check(mapping<layout_right, dextents<3>>(shape));
  check(mapping<layout_left, dextents<3>>(shape));
  check(mapping<layout_stride, dextents<3>>(shape, {1, 40, 8}));
  check(mapping<layout_interleaved<8>, dextents<3>>(shape));
}

TEST_CASE("offsets past 2^31 are exact, whatever type the indices have", "[view]")
{
  using shape = extents<dyn, 10, 10, 10>;
  index_t const elements = 5'000'000'000;
  index_t const e = 4'999'999'997;

  mapping<layout_right, shape> const right{shape(elements)};
  CHECK(right(e, 9, 8, 7) == 4'999'999'997'987);
  CHECK(right(3'000'000'000u, 0, 0, 1) == 3'000'000'000'001);
  CHECK(right(2'000'000'000, 9, 9, 9) == 2'000'000'000'999);
  CHECK(right.required_span_size() == 5'000'000'000'000);

  mapping<layout_left, shape> const left{shape(elements)};
  CHECK(left(e, 9, 8, 7) == e + 9 * elements + 80 * elements + 700 * elements);

  mapping<layout_interleaved<8>, shape> const interleaved{shape(elements + 1)};
  CHECK(interleaved(e, 9, 8, 7) == (e / 8) * 8000 + 987 * 8 + e % 8);
  CHECK(interleaved.required_span_size() == 5'000'000'008'000);

  mapping<layout_stride, dextents<2>> const strided(dextents<2>(3, 100'000), {4'000'000'000, 40'000});
  CHECK(strided(2, 99'999) == 11'999'960'000);
  CHECK(strided.required_span_size() == 11'999'960'001);

  // Int indices whose product only 64 bits hold.
  mapping<layout_right, dextents<2>> const square(dextents<2>(100'000, 100'000));
  CHECK(square(99'999, 99'999) == 9'999'999'999);
}

TEST_CASE("an empty shape takes no room in any layout", "[view]")
{
  CHECK(mapping<layout_right, dextents<2>>(dextents<2>(0, 3)).required_span_size() == 0);
  CHECK(mapping<layout_left, dextents<2>>(dextents<2>(3, 0)).required_span_size() == 0);
  CHECK(mapping<layout_interleaved<4>, dextents<2>>(dextents<2>(3, 0)).required_span_size() == 0);
  CHECK(mapping<layout_stride, dextents<2>>(dextents<2>(0, 3), {3, 1}).required_span_size() == 0);
  CHECK(mapping<layout_stride, dextents<2>>(dextents<2>(0, 3), {3, 1}).is_exhaustive());
}

TEST_CASE("row- and column-major mappings refuse strides that are not theirs", "[view]")
{
  dextents<2> const shape(3, 4);
  mapping<layout_stride, dextents<2>> const padded(shape, {8, 1}), dense(shape, {4, 1});
  CHECK(mapping<layout_right, dextents<2>>(dense)(2, 3) == 11);
  CHECK_THROWS_WITH((mapping<layout_right, dextents<2>>(padded)),
                    "sumfac::layout_right: the stride does not fit in dimension 0 (given 8, wanted 4): keep it a "
                    "layout_stride, or copy");
  CHECK_THROWS_AS((mapping<layout_left, dextents<2>>(dense)), std::out_of_range);

  // A stride is never used where the extent is 1.
  dextents<2> const line(1, 4);
  CHECK(mapping<layout_right, dextents<2>>(mapping<layout_stride, dextents<2>>(line, {99, 1}))(0, 3) == 3);
  CHECK(mapping<layout_left, dextents<1>>(mapping<layout_right, dextents<1>>(dextents<1>(4)))(3) == 3);
}
