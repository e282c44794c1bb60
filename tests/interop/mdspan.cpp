// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Views to mdspan and back: by the standard library's where it has one, and always by a stand-in of the same shape.
#include <sumfac/interop/mdspan.hpp>
#include "interop/mdspan_stand_in.hpp"

#include <catch2/catch.hpp>

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
using sumfac::view;

namespace {

using shape = extents<dynamic_extent, 4, 3>;

// There and back: the same type, the same entries; in between, the family's layout and extents.
template <class Family, class Layout, class Theirs>
void check_round_trip(typename Layout::template mapping<shape> const& map)
{
  std::vector<double> data(static_cast<std::size_t>(map.required_span_size()));
  view<double, shape, Layout> const v(data.data(), map);

  auto const there = sumfac::to_mdspan<Family>(v);
  using mdspan = std::remove_const_t<decltype(there)>;
  static_assert(std::is_same_v<typename mdspan::layout_type, Theirs>);
  static_assert(std::is_same_v<typename mdspan::extents_type,
                               typename Family::template extents<index_t, static_cast<std::size_t>(-1), 4, 3>>);
  CHECK(there.data_handle() == data.data());
  CHECK(there.extents().extent(0) == 10);
  for (int e = 0; e < 10; ++e)
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 3; ++i) CHECK(there.data_handle() + there.mapping()(e, j, i) == &v(e, j, i));

  auto const back = sumfac::view_of<Family>(there);
  static_assert(std::is_same_v<decltype(back), decltype(v)>);
  CHECK(back.data() == v.data());
  CHECK(back.mapping() == v.mapping());
  CHECK(sumfac::mapping_of<Family>(there.mapping()) == v.mapping());
  CHECK(sumfac::to_mdspan<Family>(v.mapping()) == there.mapping());
}

template <class Family>
void check_family()
{
  shape const s(10);
  check_round_trip<Family, layout_right, typename Family::layout_right>(s);
  check_round_trip<Family, layout_left, typename Family::layout_left>(s);
  check_round_trip<Family, layout_stride, typename Family::layout_stride>({s, {20, 4, 1}});
  check_round_trip<Family, layout_interleaved<4>, layout_interleaved<4>>(s);

  // Const entries, no dimension at all, and an index type of theirs.
  float one = 1;
  auto const scalar = sumfac::to_mdspan<Family>(view<float const, extents<>>(&one));
  CHECK(sumfac::view_of<Family>(scalar)() == 1);
  static_assert(std::is_same_v<decltype(sumfac::view_of<Family>(scalar)), view<float const, extents<>>>);

  using small = typename Family::template extents<short, 2, static_cast<std::size_t>(-1)>;
  using right = typename Family::layout_right;
  typename right::template mapping<small> const map(small(2, 7));
  typename Family::template mdspan<float, small, right> const narrow(&one, map);
  auto const wide = sumfac::view_of<Family>(narrow);
  static_assert(std::is_same_v<decltype(wide), view<float, extents<2, dynamic_extent>> const>);
  CHECK(wide.extent(1) == 7);
  CHECK(wide.data() == &one);
}

// Constants stay constants.
constexpr bool at_compile_time()
{
  int const data[] = {1, 2, 3, 4, 5, 6};
  view const v(data, extents<2, 3>());
  return sumfac::view_of<stand_in::family>(sumfac::to_mdspan<stand_in::family>(v))(1, 2) == 6;
}
static_assert(at_compile_time());

}  // namespace

TEST_CASE("views go to an mdspan of the standard's shape and come back", "[interop]")
{
  check_family<stand_in::family>();
}

TEST_CASE("an mdspan in a layout without a name here comes by its strides", "[interop]")
{
  using theirs = stand_in::dextents<int, 2>;
  std::vector<double> data(24);
  stand_in::layout_right_padded::mapping<theirs> const map(theirs(3, 5), {8, 1});
  stand_in::mdspan<double, theirs, stand_in::layout_right_padded> const m(data.data(), map);
  auto const v = sumfac::view_of<stand_in::family>(m);
  static_assert(std::is_same_v<decltype(v), view<double, dextents<2>, layout_stride> const>);
  CHECK(&v(2, 4) == data.data() + 20);
}

#if defined(__cpp_lib_mdspan)
TEST_CASE("views go to std::mdspan and come back", "[interop]")
{
  check_family<sumfac::std_mdspan>();

  // Our interleaved layout serves std::mdspan as one of its own.
  std::vector<double> data(64);
  std::mdspan<double, std::dextents<int, 2>, layout_interleaved<8>> const m(data.data(), 13, 4);
  CHECK(&m[9, 2] == data.data() + 8 * 4 + 2 * 8 + 1);
}
#else
TEST_CASE("views go to std::mdspan and come back", "[interop]")
{
  WARN("skipped: this standard library has no std::mdspan");
}
#endif
