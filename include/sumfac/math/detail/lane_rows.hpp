// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of numbers in memory, one for each lane, turned into packs, and packs added to rows.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/math/pack.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::inline SUMFAC_TARGET {

// Lane l of packs[q] becomes row[l][q], q = 0 .. Count - 1.
template <int Count, class T, int W>
SUMFAC_INLINE void load_rows(T const* const (&row)[W], pack<T, W> (&packs)[Count]);

// row[l][q] += lane l of packs[q], lane after lane: rows may overlap.
template <int Count, class T, int W>
SUMFAC_INLINE void add_to_rows(T* const (&row)[W], pack<T, W> const (&packs)[Count]);

namespace detail {

// The widest power of two that fits Count and W.
constexpr int power_within(int count, int w)
{
  int width = 1;
  while (2 * width <= count && 2 * width <= w) width *= 2;
  return width;
}

template <int Shift>
struct pick_from {
  static constexpr int lane(int l) { return Shift + l; }
};

// Lanes First .. First + H - 1 of a.
template <int H, int First, class T, int W>
SUMFAC_INLINE pack<T, H> part_of(pack<T, W> a)
{
  if constexpr (H == W) {
    return a;
  } else {
#if (defined(__clang__) || __GNUC__ >= 12) && !defined(__CUDACC__)
    return [&]<int... L>(std::integer_sequence<int, L...>) SUMFAC_LAMBDA
    {
      return pack<T, H>(__builtin_shufflevector(a.v, a.v, (First + L)...), 0);
    }
    (std::make_integer_sequence<int, H>{});
#else
    pack<T, H> r;
    for (int l = 0; l < H; ++l) r.set(l, a[First + l]);
    return r;
#endif
  }
}

// a's lanes, then b's.
template <class T, int H>
SUMFAC_INLINE pack<T, 2 * H> side_by_side(pack<T, H> a, pack<T, H> b)
{
#if (defined(__clang__) || __GNUC__ >= 12) && !defined(__CUDACC__)
  return [&]<int... L>(std::integer_sequence<int, L...>) SUMFAC_LAMBDA
  {
    return pack<T, 2 * H>(__builtin_shufflevector(a.v, b.v, L...), 0);
  }
  (std::make_integer_sequence<int, 2 * H>{});
#else
  pack<T, 2 * H> r;
  for (int l = 0; l < H; ++l) r.set(l, a[l]), r.set(H + l, b[l]);
  return r;
#endif
}

// H numbers of each of `row[first], row[first + step], ...`, side by side in a pack of W lanes.
template <int H, int Step, int Parts, class T, int W>
SUMFAC_INLINE pack<T, H * Parts> join_rows(T const* const (&row)[W], int first, int offset)
{
  if constexpr (Parts == 1)
    return pack<T, H>::load(row[first] + offset);
  else
    return side_by_side(join_rows<H, Step, Parts / 2>(row, first, offset),
                        join_rows<H, Step, Parts / 2>(row, first + Step * (Parts / 2), offset));
}

// Transposes the H x H blocks that lie side by side in H packs.
template <int S, int H, class T, int W>
SUMFAC_INLINE void transpose_parts(pack<T, W> (&r)[H])
{
  if constexpr (S < H) {
    using all = std::make_integer_sequence<int, W>;
    SUMFAC_UNROLL
    for (int i = 0; i < H; ++i)
      if ((i & S) == 0) {
        auto const a = r[i], b = r[i + S];
        r[i] = shuffle<pick_low<S, W>>(a, b, all{});
        r[i + S] = shuffle<pick_high<S, W>>(a, b, all{});
      }
    transpose_parts<2 * S>(r);
  }
}

// One number of each row. Numbers by themselves are no packs of one lane: compilers keep such packs in memory.
template <class T, int W, int... L>
SUMFAC_INLINE pack<T, W> join_numbers(T const* const (&row)[W], int offset, std::integer_sequence<int, L...>)
{
  return pack<T, W>(typename pack<T, W>::lanes{row[L][offset]...}, 0);
}

template <int Offset, int Count, class T, int W>
SUMFAC_INLINE void load_rows_from(T const* const (&row)[W], pack<T, W> (&packs)[Count])
{
  if constexpr (Offset < Count) {
    constexpr int H = power_within(Count - Offset, W);
    if constexpr (H == 1) {
      packs[Offset] = join_numbers(row, Offset, std::make_integer_sequence<int, W>{});
    } else {
      pack<T, W> block[H];
      SUMFAC_UNROLL
      for (int q = 0; q < H; ++q) block[q] = join_rows<H, H, W / H>(row, q, Offset);
      transpose_parts<1>(block);
      SUMFAC_UNROLL
      for (int q = 0; q < H; ++q) packs[Offset + q] = block[q];
    }
    load_rows_from<Offset + H>(row, packs);
  }
}

template <int H, int Lane, class T, int W>
SUMFAC_INLINE void add_lanes(T* const (&row)[W], int offset, pack<T, W> const (&block)[H])
{
  if constexpr (Lane < W) {
    if constexpr (H == 1) {
      row[Lane][offset] += block[0][Lane];
    } else {
      auto const sum = pack<T, H>::load(row[Lane] + offset) + part_of<H, Lane / H * H>(block[Lane % H]);
      sum.store(row[Lane] + offset);
    }
    add_lanes<H, Lane + 1>(row, offset, block);
  }
}

template <int Offset, int Count, class T, int W>
SUMFAC_INLINE void add_to_rows_from(T* const (&row)[W], pack<T, W> const (&packs)[Count])
{
  if constexpr (Offset < Count) {
    constexpr int H = power_within(Count - Offset, W);
    pack<T, W> block[H];
    SUMFAC_UNROLL
    for (int q = 0; q < H; ++q) block[q] = packs[Offset + q];
    transpose_parts<1>(block);
    add_lanes<H, 0>(row, Offset, block);
    add_to_rows_from<Offset + H>(row, packs);
  }
}

}  // namespace detail

template <int Count, class T, int W>
SUMFAC_INLINE void load_rows(T const* const (&row)[W], pack<T, W> (&packs)[Count])
{
  detail::load_rows_from<0>(row, packs);
}

template <int Count, class T, int W>
SUMFAC_INLINE void add_to_rows(T* const (&row)[W], pack<T, W> const (&packs)[Count])
{
  detail::add_to_rows_from<0>(row, packs);
}

}  // namespace sumfac
