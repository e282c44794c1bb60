// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nine contractions on the host against the oracle: shapes, layouts in any mix, sumInto, what the output held.
#include "intrepid/reference_contractions.hpp"

#include <support/few.hpp>

namespace {

using namespace contraction;

sumfac::host const backend;

// Extents that somebody's loop might get wrong: 1, primes, powers of two and their neighbours.
std::size_t awkward(support::generator& next)
{
  constexpr std::size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17};
  return sizes[next.bits() % std::size(sizes)];
}

arrangement any_arrangement(support::generator& next)
{
  return static_cast<arrangement>(next.bits() % strided_arrangements);
}

trial random_trial(support::generator& next)
{
  trial t;
  t.n = {.c = awkward(next),
         .l = awkward(next),
         .r = awkward(next),
         .p = awkward(next),
         .d1 = awkward(next) % 5 + 1,
         .d2 = awkward(next) % 5 + 1,
         .data_p = next.bits() % 2};
  t.out = any_arrangement(next), t.left = any_arrangement(next), t.right = any_arrangement(next);
  t.sum_into = next.bits() % 2 == 0;
  t.seed = next.bits();
  return t;
}

}  // namespace

TEST_CASE("intrepid: random shapes and strides, exactly")
{
  support::generator next(11);
  for (int i = 0; i < (support::few ? 10 : 60); ++i)
    for_each_function([&](auto f) { compare(f, types<double>{}, random_trial(next), backend); });
}

TEST_CASE("intrepid: an extent of 1 in every place, alone and with all the others")
{
  for_each_function([&](auto f) {
    for (unsigned ones = 0; ones < 64; ones += support::few ? 3 : 1) {
      auto const size = [&](unsigned bit, std::size_t otherwise) { return (ones >> bit & 1u) != 0 ? 1 : otherwise; };
      trial t;
      t.n = {.c = size(0, 9), .l = size(1, 5), .r = size(2, 6), .p = size(3, 7), .d1 = size(4, 3), .d2 = size(5, 2)};
      for (std::size_t const data_p : {0U, 1U}) {
        t.n.data_p = data_p, t.sum_into = ones % 3 == 0, t.seed = ones;
        t.out = t.left = t.right = static_cast<arrangement>(ones % strided_arrangements);
        compare(f, types<double>{}, t, backend);
      }
    }
  });
}

TEST_CASE("intrepid: all layouts in every pair of places, by their types")
{
  auto const with = [&]<class Out, class Left, class Right>(Out, Left, Right) {
    for_each_function([&](auto f) {
      for (std::size_t const cells : {3U, 9U, 37U}) {
        trial t;
        t.n = {.c = cells, .l = 5, .r = 7, .p = 11, .d1 = 3, .d2 = 2, .data_p = cells % 2};
        t.out = t.left = t.right = arrangement::shuffled;
        t.sum_into = cells == 9, t.seed = cells;
        compare(f, types<double, double, double, Out, Left, Right>{}, t, backend);
      }
    });
  };
  using sumfac::layout_interleaved, sumfac::layout_left, sumfac::layout_right, sumfac::layout_stride;
  layout_right const right;
  layout_left const left;
  layout_stride const stride;
  with(right, left, stride), with(layout_interleaved<4>{}, layout_interleaved<4>{}, layout_interleaved<4>{});
  if constexpr (!support::few) {
    with(right, right, right), with(left, left, left), with(stride, stride, stride);  // every pair of layouts, in
    with(left, stride, right), with(stride, right, left), with(right, stride, left);  // every pair of places
    with(left, right, stride), with(stride, left, right);
    with(layout_interleaved<8>{}, right, layout_interleaved<2>{});
    with(left, layout_interleaved<8>{}, right);
  }
}

// Long enough to be cut into parts, with fields enough for any block of registers, and just not enough.
TEST_CASE("intrepid: contractions longer than what stays in a cache")
{
  std::uint64_t seed = 0;
  for (extents const& n :
       {extents{.c = 2, .l = 64, .r = 21, .p = 300}, extents{.c = 9, .l = 3, .r = 5, .p = 701},
        extents{.c = 5, .l = 7, .r = 1, .p = 11, .d1 = 10, .d2 = 11}, extents{.c = 3, .l = 16, .r = 13, .p = 523},
        extents{.c = 140, .l = 1, .r = 3, .p = 523, .data_p = 1}})
    for (auto const how : {arrangement::row, arrangement::column, arrangement::shuffled}) {
      if (support::few && n.p > 11 && how != arrangement::column) continue;
      for_each_function([&](auto f) {
        trial const t{.n = n, .sum_into = ++seed % 2 == 0, .seed = seed, .out = how, .left = how, .right = how};
        compare(f, types<double>{}, t, backend);
      });
    }
}

// Few cells side by side for many threads: they share fields, or lines of cells.
TEST_CASE("intrepid: fewer cells than fill a line for each thread")
{
  std::uint64_t seed = 0;
  for (int const threads : {2, 3, 5})
    for (extents const& n : {extents{.c = 8, .l = 9, .r = 13, .p = 70}, extents{.c = 21, .l = 3, .r = 41, .p = 9},
                             extents{.c = 9, .l = 4, .r = 24, .p = 17, .data_p = 1}})
      for_each_function([&](auto f) {
        trial const t{.n = n,
                      .sum_into = ++seed % 2 == 0,
                      .seed = seed,
                      .out = arrangement::column,
                      .left = arrangement::column,
                      .right = arrangement::column};
        compare(f, types<double>{}, t, sumfac::host(threads));
      });
}
