// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of numbers in memory, one for each lane, turned into packs, and packs added to rows.
#pragma once

#include <sumfac/math/pack.hpp>

#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Lane l of packs[q] becomes row[l][q], q = 0 .. Count - 1.
template <int Count, class T, int Width>
SUMFAC_INLINE void load_rows(T const* const (&row)[Width], pack<T, Width> (&packs)[Count]);

// row[l][q] += lane l of packs[q], lane after lane: rows may overlap.
template <int Count, class T, int Width>
SUMFAC_INLINE void add_to_rows(T* const (&row)[Width], pack<T, Width> const (&packs)[Count]);

// The widest power of two that fits Count and Width.
SUMFAC_FUNCTION constexpr int power_within(int count, int w)
{
  int width = 1;
  while (2 * width <= count && 2 * width <= w) width *= 2;
  return width;
}

// Lanes First .. First + H - 1 of a.
template <int Half, int First, class T, int Width>
SUMFAC_INLINE pack<T, Half> part_of(pack<T, Width> a)
{
  if constexpr (Half == Width) {
    return a;
  } else {
#if SUMFAC_HAS_SHUFFLES
    return [&]<int... Lanes>(std::integer_sequence<int, Lanes...>) SUMFAC_LAMBDA {
      return pack<T, Half>(__builtin_shufflevector(a.v, a.v, (First + Lanes)...), 0);
    }(std::make_integer_sequence<int, Half>{});
#else
    pack<T, Half> r;
    for (int l = 0; l < Half; ++l) r.set(l, a[First + l]);
    return r;
#endif
  }
}

// a's lanes, then b's.
template <class T, int Half>
SUMFAC_INLINE pack<T, 2 * Half> side_by_side(pack<T, Half> a, pack<T, Half> b)
{
#if SUMFAC_HAS_SHUFFLES
  return [&]<int... Lanes>(std::integer_sequence<int, Lanes...>) SUMFAC_LAMBDA {
    return pack<T, 2 * Half>(__builtin_shufflevector(a.v, b.v, Lanes...), 0);
  }(std::make_integer_sequence<int, 2 * Half>{});
#else
  pack<T, 2 * Half> r;
  for (int l = 0; l < Half; ++l) r.set(l, a[l]), r.set(Half + l, b[l]);
  return r;
#endif
}

// H numbers of each of `row[first], row[first + step], ...`, side by side in a pack of Width lanes.
template <int Half, int Step, int Parts, class T, int Width>
SUMFAC_INLINE pack<T, Half * Parts> join_rows(T const* const (&row)[Width], int first, int offset)
{
  if constexpr (Parts == 1)
    return pack<T, Half>::load(row[first] + offset);
  else
    return side_by_side(join_rows<Half, Step, Parts / 2>(row, first, offset),
                        join_rows<Half, Step, Parts / 2>(row, first + Step * (Parts / 2), offset));
}

// One number of each row. Numbers by themselves are no packs of one lane: compilers keep such packs in memory.
template <class T, int Width, int... Lanes>
SUMFAC_INLINE pack<T, Width> join_numbers(T const* const (&row)[Width], int offset,
                                          std::integer_sequence<int, Lanes...>)
{
  return pack<T, Width>(typename pack<T, Width>::lanes{row[Lanes][offset]...}, 0);
}

template <int Offset, int Count, class T, int Width>
SUMFAC_INLINE void load_rows_from(T const* const (&row)[Width], pack<T, Width> (&packs)[Count])
{
  if constexpr (Offset < Count) {
    constexpr int Half = power_within(Count - Offset, Width);
    if constexpr (Half == 1) {
      packs[Offset] = join_numbers(row, Offset, std::make_integer_sequence<int, Width>{});
    } else {
      pack<T, Width> block[Half];
      SUMFAC_UNROLL
      for (int q = 0; q < Half; ++q) block[q] = join_rows<Half, Half, Width / Half>(row, q, Offset);
      transpose_blocks<1>(block);
      SUMFAC_UNROLL
      for (int q = 0; q < Half; ++q) packs[Offset + q] = block[q];
    }
    load_rows_from<Offset + Half>(row, packs);
  }
}

template <int Half, int Lane, class T, int Width>
SUMFAC_INLINE void add_lanes(T* const (&row)[Width], int offset, pack<T, Width> const (&block)[Half])
{
  if constexpr (Lane < Width) {
    if constexpr (Half == 1) {
      row[Lane][offset] += block[0][Lane];
    } else {
      auto const sum = pack<T, Half>::load(row[Lane] + offset) + part_of<Half, Lane / Half * Half>(block[Lane % Half]);
      sum.store(row[Lane] + offset);
    }
    add_lanes<Half, Lane + 1>(row, offset, block);
  }
}

template <int Offset, int Count, class T, int Width>
SUMFAC_INLINE void add_to_rows_from(T* const (&row)[Width], pack<T, Width> const (&packs)[Count])
{
  if constexpr (Offset < Count) {
    constexpr int Half = power_within(Count - Offset, Width);
    pack<T, Width> block[Half];
    SUMFAC_UNROLL
    for (int q = 0; q < Half; ++q) block[q] = packs[Offset + q];
    transpose_blocks<1>(block);
    add_lanes<Half, 0>(row, Offset, block);
    add_to_rows_from<Offset + Half>(row, packs);
  }
}

template <int Count, class T, int Width>
SUMFAC_INLINE void load_rows(T const* const (&row)[Width], pack<T, Width> (&packs)[Count])
{
  load_rows_from<0>(row, packs);
}

template <int Count, class T, int Width>
SUMFAC_INLINE void add_to_rows(T* const (&row)[Width], pack<T, Width> const (&packs)[Count])
{
  add_to_rows_from<0>(row, packs);
}

}  // namespace sumfac::detail
