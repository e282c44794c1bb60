// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How many elements a device's team of variant::dense takes, by its threads and scratch.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// How many elements a thread of variant::dense takes at once, an even number: as many as it has registers for their
// numbers, fewer where there are few points, so that memory decides.
constexpr int dense_run(int points, int components)
{
  int const run = points <= 16 ? 2 : points <= 64 ? 4 : 8;
  return run > 2 * components ? run / components / 2 * 2 : 2;
}
// Threads of its team at most, and the bytes of scratch that one with points enough fits in.
inline constexpr int most_dense_threads = 256, dense_scratch_bytes = 64000;
// Points at once that a team of so many elements has room for, beside the nodes' numbers: `nodal` of an element, and
// `tested` of a point. Elements are in scratch two by two, in rows of an odd length, against bank conflicts.
constexpr int dense_pitch(int elements) { return elements / 2 | 1; }
constexpr int dense_room(int elements, int nodal, int tested, int scalar_bytes)
{
  return (dense_scratch_bytes / (dense_pitch(elements) * 2 * scalar_bytes) - nodal) / tested;
}
// Where numbers of functions and points are known at run time alone: as many functions of a component as a team has
// room for, and points as if they were so many.
constexpr int most_dense_functions(int components) { return components < 216 ? 216 / components : 1; }
inline constexpr int usual_dense_points = 64;
// Whether so many elements are one run: then threads side by side have points side by side, and all the elements; else
// they have runs side by side.
constexpr bool is_one_run(int elements, int points, int components)
{
  return elements <= dense_run(points, components);
}
// Elements: as many runs as there are threads for all points of an element, 4 to 32, a power of two. Each team reads
// all tables, so that few elements would have more bytes of these than of their own; but at least a quarter of the
// threads have room for their points.
//
// Where factors are stored and a run has 8 elements, it is one run: tetrahedra of degrees 4 to 6 with 4 runs took an
// H200 1.4 to 1.9 times as long as with one, affine ones 0.8 to 1.1 times (docs/results/2026-11-28-nvidia-h200/).
constexpr int dense_elements(int points, int components, int nodal, int tested, int scalar_bytes, bool stored)
{
  int const run = dense_run(points, components);
  int runs = 4;
  while (runs < 32 && 2 * runs * points <= most_dense_threads) runs *= 2;
  if (stored && run == 8) runs = 1;
  int elements = run * runs;
  auto const is_short_of_room = [&] {
    int const threads_of_point = elements > run ? elements / run : 1, most = most_dense_threads / threads_of_point;
    return 4 * dense_room(elements, nodal, tested, scalar_bytes) < (points < most ? points : most);
  };
  while (elements > 2 && is_short_of_room()) elements /= 2;
  return elements;
}

}  // namespace sumfac::SUMFAC_TARGET::detail
