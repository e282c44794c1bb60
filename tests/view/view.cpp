// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Views: what they cost, how they are made and converted, and what they say of a wrong index.
#undef SUMFAC_BOUNDS_CHECK
#define SUMFAC_BOUNDS_CHECK 1
#include <sumfac/view/view.hpp>

#include <sumfac/view/detail/places.hpp>

#include <catch2/catch.hpp>

#include <set>
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
using sumfac::view;

namespace {

constexpr index_t dyn = dynamic_extent;

// A pointer, and what is known at run time only.
static_assert(sizeof(view<double, extents<8, 8, 8>>) == sizeof(double*));
static_assert(sizeof(view<double, extents<8, 8>, layout_left>) == sizeof(double*));
static_assert(sizeof(view<double, extents<8, 8>, layout_interleaved<4>>) == sizeof(double*));
static_assert(sizeof(view<double, extents<dyn, 8, 8>>) == sizeof(double*) + sizeof(index_t));
static_assert(sizeof(view<double, dextents<3>, layout_stride>) == sizeof(double*) + 6 * sizeof(index_t));

template <class V>
constexpr bool is_light = std::is_trivially_copyable_v<V> && std::is_trivially_destructible_v<V> &&
                          std::is_trivially_copy_assignable_v<V> && std::is_nothrow_move_constructible_v<V>;
static_assert(is_light<view<double, extents<8, 8>>> && is_light<view<double, dextents<4>>>);
static_assert(is_light<view<float const, dextents<4>, layout_stride>>);
static_assert(is_light<view<float, dextents<4>, layout_interleaved<8>>>);

// Const is added and never taken away; entries of another type are never taken for these.
using fixed = view<double, extents<4, 3>>;
static_assert(std::is_convertible_v<fixed, view<double const, extents<4, 3>>>);
static_assert(std::is_convertible_v<fixed, view<double const, dextents<2>>>);
static_assert(std::is_convertible_v<fixed, view<double const, dextents<2>, layout_stride>>);
static_assert(!std::is_constructible_v<fixed, view<double const, extents<4, 3>>>);
static_assert(!std::is_constructible_v<view<float const, dextents<2>>, fixed>);
static_assert(!std::is_convertible_v<view<double, dextents<2>>, fixed>);
static_assert(std::is_constructible_v<fixed, view<double, dextents<2>>>);
static_assert(!std::is_constructible_v<fixed, view<double, dextents<3>>>);
static_assert(!std::is_constructible_v<view<double, dextents<2>, layout_stride>,
                                       view<double, dextents<2>, layout_interleaved<4>>>);

// As many indices as dimensions, and no floating-point number among them.
static_assert(std::is_invocable_r_v<double&, fixed const&, int, unsigned>);
static_assert(!std::is_invocable_v<fixed const&, int>);
static_assert(!std::is_invocable_v<fixed const&, int, int, int>);
static_assert(!std::is_invocable_v<fixed const&, int, double>);

static_assert(std::is_constructible_v<fixed, double*>);
static_assert(!std::is_constructible_v<view<double, dextents<2>>, double*>);
static_assert(!std::is_convertible_v<double*, fixed>);
static_assert(sumfac::is_view<fixed> && !sumfac::is_view<int>);

constexpr int sum_at_compile_time()
{
  int data[6] = {};
  view const v(data, extents<2, 3>());
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 3; ++i) v(j, i) = 10 * j + i;
  view<int const, dextents<2>> const read = v;
  return read(1, 2) + read(1, 0) + data[2];
}
static_assert(sum_at_compile_time() == 12 + 10 + 2);

}  // namespace

TEST_CASE("a view is made from a pointer and its shape in each of their forms", "[view]")
{
  std::vector<double> data(60);
  double* const p = data.data();

  view<double, extents<dyn, 3, dyn>> const some(p, 4, 5), all(p, 4, 3, 5), of_shape(p, extents<dyn, 3, dyn>(4, 5));
  for (auto const& v : {some, all, of_shape}) {
    CHECK(v.data() == p);
    CHECK(v.size() == 60);
    CHECK(v.extent(0) == 4);
    CHECK(v.extent(1) == 3);
    CHECK(v.extent(2) == 5);
    CHECK(&v(3, 2, 4) == p + 59);
  }
  CHECK(some.rank() == 3);
  CHECK(some.rank_dynamic() == 2);
  CHECK(some.static_extent(1) == 3);
  CHECK(some.stride(0) == 15);
  CHECK(some.mapping() == all.mapping());
  CHECK(some.extents() == dextents<3>(4, 3, 5));

  view const deduced(p, 4, 3, 5);
  static_assert(std::is_same_v<decltype(deduced), view<double, dextents<3>> const>);
  view const of_extents(p, extents<4, 3, 5>());
  static_assert(std::is_same_v<decltype(of_extents), view<double, extents<4, 3, 5>> const>);
  view const of_mapping(p, layout_left::mapping<dextents<2>>(dextents<2>(4, 3)));
  static_assert(std::is_same_v<decltype(of_mapping), view<double, dextents<2>, layout_left> const>);
  CHECK(&of_mapping(1, 2) == p + 9);

  view<double, extents<>> const scalar(p);
  scalar() = 3;
  CHECK(data[0] == 3);
  CHECK(scalar.size() == 1);

  view<double, dextents<2>> const none;
  CHECK(none.data() == nullptr);
  CHECK(none.empty());
}

TEST_CASE("one integer makes a view of rank 1", "[view]")
{
  double entries[3] = {1, 2, 3};
  view const v(&entries[0], 3);
  static_assert(decltype(v)::rank() == 1);
  CHECK(v.extent(0) == 3);
  CHECK(v(2) == 3);
}

TEST_CASE("a converted view sees the same entries", "[view]")
{
  std::vector<float> data(24);
  view<float, extents<2, 3, 4>> const v(data.data());
  v(1, 2, 3) = 7;

  view<float const, dextents<3>> const dynamic = v;
  view<float const, dextents<3>, layout_stride> const strided = dynamic;
  view<float, extents<2, 3, 4>> const back(view<float, dextents<3>>{v});
  CHECK(dynamic(1, 2, 3) == 7);
  CHECK(strided(1, 2, 3) == 7);
  CHECK(strided.stride(0) == 12);
  CHECK(back.data() == v.data());
  CHECK_THROWS_AS((view<float, extents<2, 3, 5>>(view<float, dextents<3>>{v})), std::out_of_range);

  struct base {
    int number;
  };
  struct derived : base {
    int more;
  };
  static_assert(!std::is_constructible_v<view<base, dextents<1>>, view<derived, dextents<1>>>);
}

TEST_CASE("a wrong index is refused with view, dimension, index and extent", "[view]")
{
  std::vector<double> data(24);
  view<double, extents<dyn, 3, 4>> const v(data.data(), 2);
  int volatile three = 3, below = -1;
  CHECK_THROWS_AS(v(0, three, 0), std::out_of_range);
  CHECK_THROWS_WITH(v(0, three, 0),
                    "sumfac::view: index is outside dimension 1 of a view (2, 3, 4) (index 3, extent 3): "
                    "pass 0 <= index < extent");
  CHECK_THROWS_WITH(v(2, 0, 0),
                    "sumfac::view: index is outside dimension 0 of a view (2, 3, 4) (index 2, extent 2): "
                    "pass 0 <= index < extent");
  CHECK_THROWS_WITH(v(0, 0, below),
                    "sumfac::view: index is outside dimension 2 of a view (2, 3, 4) (index -1, extent 4): "
                    "pass 0 <= index < extent");
  // An unsigned index that wrapped around is large, not negative.
  CHECK_THROWS_WITH(v(0u - 1u, 0, 0), Catch::Contains("index 4294967295, extent 2"));
  CHECK_NOTHROW(v(1, 2, 3));

  view<double, extents<5, 4>, layout_interleaved<4>> const lanes(data.data());
  CHECK_THROWS_AS(lanes(5, 0), std::out_of_range);  // within the last block, but no element
  CHECK_THROWS_AS((view<double, dextents<1>>(nullptr, 0)(0)), std::out_of_range);

  // A shape of many dimensions is cut, not overrun.
  index_t sizes[20];
  for (index_t& size : sizes) size = 1'000'000'000'000;
  view<double, dextents<20>> const many(data.data(), dextents<20>(sizes));
  CHECK_THROWS_WITH(many(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1),
                    Catch::Contains("1000000000000, ...) (index -1, extent 1000000000000)"));
}

TEST_CASE("a view whose entries share places is refused, and no other", "[view]")
{
  for (index_t const n : {1, 2, 3, 4})
    for (index_t const m : {1, 2, 3, 4})
      for (index_t a = -7; a <= 7; ++a)
        for (index_t b = -7; b <= 7; ++b) {
          std::set<index_t> places;
          for (index_t i = 0; i < n * m; ++i) places.insert(i / m * a + i % m * b);
          index_t const extents[] = {n, m}, strides[] = {a, b};
          auto const check = [&] { sumfac::detail::check_places("test", "v", 2, extents, strides); };
          CAPTURE(n, m, a, b);
          if (static_cast<index_t>(places.size()) == n * m)
            CHECK_NOTHROW(check());
          else
            CHECK_THROWS_AS(check(), sumfac::argument_error);
        }
}
