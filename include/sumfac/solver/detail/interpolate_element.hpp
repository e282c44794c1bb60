// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One table along the directions of an element's numbers in memory.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/tensor/pencil.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// to = (A x A x A) from, for a table A of Rows x Cols: along x, y and z where it makes more numbers, else along z, y,
// x; as many of them as the element has.
//
// **Shapes** from (Cols, Cols, Cols), to (Rows, Rows, Rows), of two directions or one (Cols, Cols), (Cols), and so on;
// work of work_size numbers.
template <class Table, int Directions>
struct interpolate_element {
  static constexpr int rows = Table::rows, cols = Table::cols;
  static constexpr int most = rows > cols ? rows : cols, least = rows < cols ? rows : cols;
  static constexpr int work_size = Directions == 3 ? least * most * (least + most) : Directions == 2 ? least * most : 0;

  template <class T>
  SUMFAC_INLINE static void run(T const* from, [[maybe_unused]] T* work, T* to)
  {
    if constexpr (Directions == 3)
      run_cube(from, work, to);
    else if constexpr (Directions == 2)
      run_plane(from, work, to);
    else
      lines<1, 1>(from, to);
  }

private:
  template <class T>
  SUMFAC_INLINE static void run_plane(T const* from, T* half, T* to)
  {
    if constexpr (rows > cols) {
      lines<cols, 1>(from, half);  // (cols, rows)
      lines<1, rows>(half, to);
    } else {
      lines<1, cols>(from, half);  // (rows, cols)
      lines<rows, 1>(half, to);
    }
  }

  template <class T>
  SUMFAC_INLINE static void run_cube(T const* from, T* work, T* to)
  {
    T* const half = work;
    T* const rest = work + least * least * most;
    if constexpr (rows > cols) {
      lines<cols * cols, 1>(from, half);  // (cols, cols, rows)
      lines<cols, rows>(half, rest);      // (cols, rows, rows)
      lines<1, rows * rows>(rest, to);
    } else {
      lines<1, cols * cols>(from, rest);  // (rows, cols, cols)
      lines<rows, cols>(rest, half);      // (rows, rows, cols)
      lines<rows * rows, 1>(half, to);
    }
  }

  // The table along the middle of from (Outer, cols, Inner), to (Outer, rows, Inner).
  template <int Outer, int Inner, class T>
  SUMFAC_INLINE static void lines(T const* from, T* to)
  {
    for (int a = 0; a < Outer; ++a, from += cols * Inner, to += rows * Inner)
      for (int b = 0; b < Inner; ++b) {
        auto const u = fetch<T, cols>([&](int i) SUMFAC_LAMBDA { return from[i * Inner + b]; });
        contract(Table{}, u, [&](int r, T x) SUMFAC_LAMBDA { to[r * Inner + b] = x; });
      }
  }
};

}  // namespace sumfac::detail
