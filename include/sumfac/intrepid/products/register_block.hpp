// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums of products in registers: a block of left rows times right rows, and what becomes of its lanes.
#pragma once

#include <sumfac/math/pack.hpp>

#include <cstring>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// x with zeros in all lanes but the last `count`.
template <class Pack>
SUMFAC_INLINE Pack keep_last(Pack x, index_t count)
{
  constexpr int simd_width = Pack::width;
#if !SUMFAC_HAS_VECTOR_TYPES
  for (int i = 0; i < simd_width - count; ++i) x.set(i, 0);
  return x;
#else
  using scalar = scalar_of<Pack>;
  typename Pack::lanes place{};
  for (int i = 0; i < simd_width; ++i) place[i] = static_cast<scalar>(i);
  return Pack(place >= Pack(static_cast<scalar>(simd_width - count)).v ? x.v : typename Pack::lanes{}, 0);
#endif
}

// The last `count` < simd_width entries of a row of `length` in the last lanes of a pack, or in the first where the row
// is shorter than a pack; zeros in the others. Reads nothing outside the row.
template <class Pack, class T>
SUMFAC_INLINE Pack load_rest(T const* row, index_t length, index_t count)
{
  if (length >= Pack::width) return keep_last(load_as<Pack>(row + length - Pack::width), count);
  Pack x{};
  for (int i = 0; i < count; ++i) x.set(i, static_cast<scalar_of<Pack>>(row[i]));
  return x;
}

// sum(m, n) += products of left row m and right row n, lane by lane, over a length that need not fill the last pack.
// prefetch(i) is called once in each step.
template <int Rows, int Columns, class Pack, class Left, class Right, class Prefetch>
SUMFAC_INLINE void multiply_rows(Pack (&sum)[Rows][Columns], Left const* left, index_t left_row, Right const* right,
                                 index_t right_row, index_t length, Prefetch const& prefetch)
{
  // The rows of the smaller side wait in registers: 3 x 4 sums take 3 + 1 + 12 of them.
  auto const add = [&](auto load) SUMFAC_LAMBDA {
    Pack a[Rows];
    SUMFAC_UNROLL
    for (int m = 0; m < Rows; ++m) a[m] = held(load(left + m * left_row));
    SUMFAC_UNROLL
    for (int n = 0; n < Columns; ++n) {
      Pack const b = held(load(right + n * right_row));
      SUMFAC_UNROLL
      for (int m = 0; m < Rows; ++m) sum[m][n] = fma(a[m], b, sum[m][n]);
    }
  };
  constexpr int simd_width = Pack::width;
  index_t k = 0;
  for (; k + simd_width <= length; k += simd_width) {
    add([k](auto const* row) SUMFAC_LAMBDA { return load_as<Pack>(row + k); });
    prefetch(k / simd_width);
  }
  if (k < length) add([length, k](auto const* row) SUMFAC_LAMBDA { return load_rest<Pack>(row, length, length - k); });
}

// sum[p] += products of left[p] and right[p], lane by lane, for pairs of rows that are read side by side: a core reads
// several streams of memory faster than one. Each in `Sums` independent sums, which are added up.
template <int Sums, int Pairs, class Pack, class Left, class Right>
SUMFAC_INLINE void multiply_pairs(Pack (&sum)[Pairs], Left const* const (&left)[Pairs],
                                  Right const* const (&right)[Pairs], index_t length)
{
  constexpr int simd_width = Pack::width;
  Pack part[Pairs][Sums] = {};
  auto const add = [&](int s, auto const& load) SUMFAC_LAMBDA {
    SUMFAC_UNROLL
    for (int p = 0; p < Pairs; ++p) part[p][s] = fma(load(left[p]), load(right[p]), part[p][s]);
  };
  auto const whole = [](index_t k) SUMFAC_LAMBDA {
    return [k](auto const* row) SUMFAC_LAMBDA { return load_as<Pack>(row + k); };
  };
  index_t k = 0;
  for (; k + Sums * simd_width <= length; k += Sums * simd_width) {
    SUMFAC_UNROLL
    for (int s = 0; s < Sums; ++s) add(s, whole(k + s * simd_width));
  }
  for (; k + simd_width <= length; k += simd_width) add(0, whole(k));
  if (k < length)
    add(0, [length, k](auto const* row) SUMFAC_LAMBDA { return load_rest<Pack>(row, length, length - k); });
  SUMFAC_UNROLL
  for (int p = 0; p < Pairs; ++p) {
    SUMFAC_UNROLL
    for (int s = 0; s < Sums; ++s) sum[p] += part[p][s];
  }
}

template <int Sums, class Pack, class Left, class Right>
SUMFAC_INLINE Pack multiply_row(Pack sum, Left const* left, Right const* right, index_t length)
{
  Pack sums[1] = {sum};
  Left const* const lefts[1] = {left};
  Right const* const rights[1] = {right};
  multiply_pairs<Sums>(sums, lefts, rights, length);
  return sums[0];
}

template <int Half>
struct pick_other {
  static constexpr int lane(int l) { return l ^ Half; }
};

// Lane n < N of the result is the sum of all lanes of x[n]; N is a power of two, N <= simd_width.
template <int Columns, int Half = 1, class T, int simd_width>
SUMFAC_INLINE pack<T, simd_width> add_lanes(pack<T, simd_width> const (&x)[Columns])
{
  using lanes = std::make_integer_sequence<int, simd_width>;
  if constexpr (Columns > 1) {
    pack<T, simd_width> half[Columns / 2];
    SUMFAC_UNROLL
    for (int n = 0; n < Columns; n += 2)
      half[n / 2] = shuffle<pick_low<Half, simd_width>>(x[n], x[n + 1], lanes{}) +
                    shuffle<pick_high<Half, simd_width>>(x[n], x[n + 1], lanes{});
    return add_lanes<Columns / 2, 2 * Half>(half);
  } else if constexpr (Half < simd_width) {
    pack<T, simd_width> const sum[1] = {x[0] + shuffle<pick_other<Half>>(x[0], x[0], lanes{})};
    return add_lanes<1, 2 * Half>(sum);
  } else {
    return x[0];
  }
}

// Writes x to an entry of the output, or adds it to what is there.
template <class Scalar, class T>
SUMFAC_INLINE void put(Scalar x, T& entry, bool add)
{
  entry = static_cast<T>(add ? static_cast<Scalar>(entry) + x : x);
}

// Lanes First, First + 1, ... of x.
template <int First, class T, int simd_width, int... Lanes>
SUMFAC_INLINE pack<T, sizeof...(Lanes)> some_lanes(pack<T, simd_width> x, std::integer_sequence<int, Lanes...>)
{
  using some = pack<T, sizeof...(Lanes)>;
#if SUMFAC_HAS_SHUFFLES
  return some(__builtin_shufflevector(x.v, x.v, (First + Lanes)...), 0);
#else
  return some(typename some::lanes{x.v[First + Lanes]...}, 0);
#endif
}

// Writes N lanes of x from First on to p, p + stride, ..., or adds them to what is there.
template <int Columns, int First = 0, class Pack, class T>
SUMFAC_INLINE void put_lanes(Pack x, T* p, index_t stride, bool add)
{
  if (stride == 1) {
    using part = pack<scalar_of<Pack>, Columns>;
    part const some = some_lanes<First>(x, std::make_integer_sequence<int, Columns>{});
    store_as(add ? load_as<part>(p) + some : some, p);
  } else {
    SUMFAC_UNROLL
    for (int n = 0; n < Columns; ++n) put(x[First + n], p[n * stride], add);
  }
}

// Adds up the lanes of a block's sums, as many at once as a pack holds, and puts them into rows of an output.
template <int Rows, int Columns, class Pack, class T>
SUMFAC_INLINE void put_block(Pack const (&sums)[Rows][Columns], T* p, index_t row, index_t stride, bool add)
{
  constexpr int rows = Rows > 1 && 2 * Columns <= Pack::width ? 2 : 1,
                columns = Columns < Pack::width ? Columns : Pack::width;
  auto const put_some = [&]<int Some>(int m, int n, std::integral_constant<int, Some>) SUMFAC_LAMBDA {
    Pack some[Some * columns];
    SUMFAC_UNROLL
    for (int i = 0; i < Some * columns; ++i) some[i] = sums[m + i / columns][n + i % columns];
    Pack const x = add_lanes(some);
    T* const to = p + m * row + n * stride;
    put_lanes<columns>(x, to, stride, add);
    if constexpr (Some == 2) put_lanes<columns, columns>(x, to + row, stride, add);
  };
  SUMFAC_UNROLL
  for (int m = 0; m + rows <= Rows; m += rows) {
    SUMFAC_UNROLL
    for (int n = 0; n < Columns; n += columns) put_some(m, n, std::integral_constant<int, rows>{});
  }
  if constexpr (Rows % rows == 1) put_some(Rows - 1, 0, std::integral_constant<int, 1>{});
}

}  // namespace sumfac::detail
