// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums of products in registers: a block of left rows times right rows, and what becomes of its lanes.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/math/pack.hpp>

#include <cstring>
#include <type_traits>
#include <utility>

namespace sumfac::inline SUMFAC_TARGET::detail {

// x with zeros in all lanes but the last `count`.
template <class V>
SUMFAC_INLINE V keep_last(V x, index_t count)
{
  constexpr int W = V::width;
#if defined(__CUDACC__)
  for (int i = 0; i < W - count; ++i) x.set(i, 0);
  return x;
#else
  using scalar = scalar_of<V>;
  typename V::lanes place{};
  for (int i = 0; i < W; ++i) place[i] = static_cast<scalar>(i);
  return V(place >= V(static_cast<scalar>(W - count)).v ? x.v : typename V::lanes{}, 0);
#endif
}

// The last `count` < W entries of a row of `length` in the last lanes of a pack, or in the first where the row is
// shorter than a pack; zeros in the others. Reads nothing outside the row.
template <class V, class T>
SUMFAC_INLINE V load_rest(T const* row, index_t length, index_t count)
{
  if (length >= V::width) return keep_last(load_as<V>(row + length - V::width), count);
  V x{};
  for (int i = 0; i < count; ++i) x.set(i, static_cast<scalar_of<V>>(row[i]));
  return x;
}

// sum(m, n) += products of left row m and right row n, lane by lane, over a length that need not fill the last pack.
// prefetch(i) is called once in each step.
template <int M, int N, class V, class Left, class Right, class Prefetch>
SUMFAC_INLINE void multiply_rows(V (&sum)[M][N], Left const* left, index_t left_row, Right const* right,
                                 index_t right_row, index_t length, Prefetch const& prefetch)
{
  // The rows of the smaller side wait in registers: 3 x 4 sums take 3 + 1 + 12 of them.
  auto const add = [&](auto load) SUMFAC_LAMBDA {
    V a[M];
    SUMFAC_UNROLL
    for (int m = 0; m < M; ++m) a[m] = held(load(left + m * left_row));
    SUMFAC_UNROLL
    for (int n = 0; n < N; ++n) {
      V const b = held(load(right + n * right_row));
      SUMFAC_UNROLL
      for (int m = 0; m < M; ++m) sum[m][n] = fma(a[m], b, sum[m][n]);
    }
  };
  constexpr int W = V::width;
  index_t k = 0;
  for (; k + W <= length; k += W) {
    add([k](auto const* row) SUMFAC_LAMBDA { return load_as<V>(row + k); });
    prefetch(k / W);
  }
  if (k < length) add([length, k](auto const* row) SUMFAC_LAMBDA { return load_rest<V>(row, length, length - k); });
}

// sum[p] += products of left[p] and right[p], lane by lane, for pairs of rows that are read side by side: a core reads
// several streams of memory faster than one. Each in `Sums` independent sums, which are added up.
template <int Sums, int Pairs, class V, class Left, class Right>
SUMFAC_INLINE void multiply_pairs(V (&sum)[Pairs], Left const* const (&left)[Pairs], Right const* const (&right)[Pairs],
                                  index_t length)
{
  constexpr int W = V::width;
  V part[Pairs][Sums] = {};
  auto const add = [&](int s, auto const& load) SUMFAC_LAMBDA {
    SUMFAC_UNROLL
    for (int p = 0; p < Pairs; ++p) part[p][s] = fma(load(left[p]), load(right[p]), part[p][s]);
  };
  auto const whole = [](index_t k) SUMFAC_LAMBDA {
    return [k](auto const* row) SUMFAC_LAMBDA { return load_as<V>(row + k); };
  };
  index_t k = 0;
  for (; k + Sums * W <= length; k += Sums * W) {
    SUMFAC_UNROLL
    for (int s = 0; s < Sums; ++s) add(s, whole(k + s * W));
  }
  for (; k + W <= length; k += W) add(0, whole(k));
  if (k < length) add(0, [length, k](auto const* row) SUMFAC_LAMBDA { return load_rest<V>(row, length, length - k); });
  SUMFAC_UNROLL
  for (int p = 0; p < Pairs; ++p) {
    SUMFAC_UNROLL
    for (int s = 0; s < Sums; ++s) sum[p] += part[p][s];
  }
}

template <int Sums, class V, class Left, class Right>
SUMFAC_INLINE V multiply_row(V sum, Left const* left, Right const* right, index_t length)
{
  V sums[1] = {sum};
  Left const* const lefts[1] = {left};
  Right const* const rights[1] = {right};
  multiply_pairs<Sums>(sums, lefts, rights, length);
  return sums[0];
}

template <int H>
struct pick_other {
  static constexpr int lane(int l) { return l ^ H; }
};

// Lane n < N of the result is the sum of all lanes of x[n]; N is a power of two, N <= W.
template <int N, int H = 1, class T, int W>
SUMFAC_INLINE pack<T, W> add_lanes(pack<T, W> const (&x)[N])
{
  using lanes = std::make_integer_sequence<int, W>;
  if constexpr (N > 1) {
    pack<T, W> half[N / 2];
    SUMFAC_UNROLL
    for (int n = 0; n < N; n += 2)
      half[n / 2] =
          shuffle<pick_low<H, W>>(x[n], x[n + 1], lanes{}) + shuffle<pick_high<H, W>>(x[n], x[n + 1], lanes{});
    return add_lanes<N / 2, 2 * H>(half);
  } else if constexpr (H < W) {
    pack<T, W> const sum[1] = {x[0] + shuffle<pick_other<H>>(x[0], x[0], lanes{})};
    return add_lanes<1, 2 * H>(sum);
  } else {
    return x[0];
  }
}

// Writes x to an entry of the output, or adds it to what is there.
template <class S, class T>
SUMFAC_INLINE void put(S x, T& entry, bool add)
{
  entry = static_cast<T>(add ? static_cast<S>(entry) + x : x);
}

// Lanes First, First + 1, ... of x.
template <int First, class T, int W, int... Lanes>
SUMFAC_INLINE pack<T, sizeof...(Lanes)> some_lanes(pack<T, W> x, std::integer_sequence<int, Lanes...>)
{
  using some = pack<T, sizeof...(Lanes)>;
#if (defined(__clang__) || __GNUC__ >= 12) && !defined(__CUDACC__)
  return some(__builtin_shufflevector(x.v, x.v, (First + Lanes)...), 0);
#else
  return some(typename some::lanes{x.v[First + Lanes]...}, 0);
#endif
}

// Writes N lanes of x from First on to p, p + stride, ..., or adds them to what is there.
template <int N, int First = 0, class V, class T>
SUMFAC_INLINE void put_lanes(V x, T* p, index_t stride, bool add)
{
  if (stride == 1) {
    using part = pack<scalar_of<V>, N>;
    part const some = some_lanes<First>(x, std::make_integer_sequence<int, N>{});
    store_as(add ? load_as<part>(p) + some : some, p);
  } else {
    SUMFAC_UNROLL
    for (int n = 0; n < N; ++n) put(x[First + n], p[n * stride], add);
  }
}

// Adds up the lanes of a block's sums, as many at once as a pack holds, and puts them into rows of an output.
template <int M, int N, class V, class T>
SUMFAC_INLINE void put_block(V const (&sums)[M][N], T* p, index_t row, index_t stride, bool add)
{
  constexpr int rows = M > 1 && 2 * N <= V::width ? 2 : 1, columns = N < V::width ? N : V::width;
  auto const put_some = [&]<int Rows>(int m, int n, std::integral_constant<int, Rows>) SUMFAC_LAMBDA {
    V some[Rows * columns];
    SUMFAC_UNROLL
    for (int i = 0; i < Rows * columns; ++i) some[i] = sums[m + i / columns][n + i % columns];
    V const x = add_lanes(some);
    T* const to = p + m * row + n * stride;
    put_lanes<columns>(x, to, stride, add);
    if constexpr (Rows == 2) put_lanes<columns, columns>(x, to + row, stride, add);
  };
  SUMFAC_UNROLL
  for (int m = 0; m + rows <= M; m += rows) {
    SUMFAC_UNROLL
    for (int n = 0; n < N; n += columns) put_some(m, n, std::integral_constant<int, rows>{});
  }
  if constexpr (M % rows == 1) put_some(M - 1, 0, std::integral_constant<int, 1>{});
}

}  // namespace sumfac::detail
