// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Packs: every lane computes what a plain number would, and a transpose moves entries where it should.
#include <sumfac/math/pack.hpp>

#include <catch2/catch.hpp>

#include <cmath>

using sumfac::native_width;
using sumfac::pack;

namespace {

template <class T, int W>
struct type {
  using scalar = T;
  static constexpr int width = W;
};

template <class T, int W>
pack<T, W> counted_from(T first)
{
  pack<T, W> p{};
  for (int l = 0; l < W; ++l) p.set(l, first + T(l));
  return p;
}

}  // namespace

TEMPLATE_TEST_CASE("each lane computes as a number does", "[pack]", (type<double, native_width<double>>),
                   (type<float, native_width<float>>), (type<double, 2>), (type<float, 4>))
{
  using T = typename TestType::scalar;
  constexpr int W = TestType::width;
  auto const a = counted_from<T, W>(T(1)), b = counted_from<T, W>(T(-2.5));
  pack<T, W> const zero{}, seven(T(7));
  for (int l = 0; l < W; ++l) {
    T const x = T(1) + T(l), y = T(-2.5) + T(l);
    CHECK(a[l] == x);
    CHECK(zero[l] == T(0));
    CHECK(seven[l] == T(7));
    CHECK((a + b)[l] == x + y);
    CHECK((a - b)[l] == x - y);
    CHECK((a * b)[l] == x * y);
    CHECK((b / a)[l] == y / x);
    CHECK((-a)[l] == -x);
    CHECK((T(3) * a)[l] == T(3) * x);
    CHECK((a - T(3))[l] == x - T(3));
    CHECK((T(3) - a)[l] == T(3) - x);
    CHECK(fma(a, b, seven)[l] == Approx(static_cast<double>(x * y + T(7))));
    CHECK(min(a, b)[l] == (x < y ? x : y));
    CHECK(max(a, b)[l] == (x < y ? y : x));
    CHECK(abs(b)[l] == std::abs(y));
    CHECK(sqrt(a)[l] == std::sqrt(x));
    CHECK(sumfac::lane_by_lane([](auto z) { return std::exp(z); }, b)[l] == std::exp(y));
    CHECK(sumfac::lane_by_lane([](auto z) { return std::exp(z); }, y) == std::exp(y));
    auto const of_three = [](auto p, auto q, auto r) { return std::atan2(p, q) - r; };
    CHECK(sumfac::lane_by_lane(of_three, b, a, b)[l] == of_three(y, x, y));
    CHECK(sumfac::lane_by_lane(of_three, y, x, y) == of_three(y, x, y));
  }
}

TEMPLATE_TEST_CASE("packs are loaded and stored at any address, and streamed to an aligned one", "[pack]",
                   (type<double, native_width<double>>), (type<float, native_width<float>>))
{
  using T = typename TestType::scalar;
  constexpr int W = TestType::width;
  alignas(64) T from[W + 1], to[W + 2] = {};
  for (int l = 0; l <= W; ++l) from[l] = T(l);
  pack<T, W>::load(from + 1).store(to + 1);
  for (int l = 0; l < W; ++l) CHECK(to[l + 1] == T(l + 1));
  CHECK(to[0] == T(0));
  CHECK(to[W + 1] == T(0));
  sumfac::detail::stream(pack<T, W>::load(from), to);
  sumfac::detail::stream_fence();
  for (int l = 0; l < W; ++l) CHECK(to[l] == T(l));
}

TEMPLATE_TEST_CASE("a transpose swaps lane and place", "[pack]", (type<double, native_width<double>>),
                   (type<float, native_width<float>>), (type<double, 2>), (type<float, 4>))
{
  using T = typename TestType::scalar;
  constexpr int W = TestType::width;
  pack<T, W> block[W];
  for (int i = 0; i < W; ++i) block[i] = counted_from<T, W>(T(100 * i));
  sumfac::transpose(block);
  for (int i = 0; i < W; ++i)
    for (int l = 0; l < W; ++l) CHECK(block[i][l] == T(100 * l + i));
}
