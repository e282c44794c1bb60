// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One table along the three directions of a cube of numbers in memory.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/pencil/pencil.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// to = (A x A x A) from, for a table A of Rows x Cols: along x, y and z where it makes more numbers, else along z, y,
// x.
//
// **Shapes** from (Cols, Cols, Cols), to (Rows, Rows, Rows); work of work_size numbers.
template <class Table>
struct interpolate_cube {
  static constexpr int rows = Table::rows, cols = Table::cols;
  static constexpr int most = rows > cols ? rows : cols, least = rows < cols ? rows : cols;
  static constexpr int work_size = least * most * (least + most);

  template <class T>
  SUMFAC_INLINE static void run(T const* from, T* work, T* to)
  {
    T* const half = work;
    T* const rest = work + least * least * most;
    if constexpr (rows > cols) {
      lines<cols * cols, 1>(from, half);          // (cols, cols, rows)
      lines<cols, rows>(half, rest);              // (cols, rows, rows)
      lines<1, rows * rows>(rest, to);
    } else {
      lines<1, cols * cols>(from, rest);          // (rows, cols, cols)
      lines<rows, cols>(rest, half);              // (rows, rows, cols)
      lines<rows * rows, 1>(half, to);
    }
  }

private:
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
