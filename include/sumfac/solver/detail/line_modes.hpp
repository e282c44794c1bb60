// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The modes of a line of nodes: eigenvectors of a small stiffness matrix with a small mass matrix, a line in each lane.
#pragma once

#include <sumfac/math/pack.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// S and lambda with S' M S = I and S' K S = diag(lambda): column m of `vectors` is a mode.
template <class T, int Size>
struct line_modes {
  T vectors[Size][Size], values[Size];
};

// K and M of a line, both symmetric, M positive definite, and what makes modes of them. Rows and columns that nothing
// couples to the others stay apart, exactly.
//
// **Source** Golub and Van Loan, Matrix Computations, 4th edition, 2013: algorithm 4.2.2 (Cholesky), section 8.5.4
// (Jacobi's method, row by row), section 8.7.2 (the reduction to one matrix).
template <class T, int Size>
struct line_matrices {
  T stiffness[Size][Size], mass[Size][Size];

  line_modes<T, Size> modes()
  {
    factor_mass();
    reduce_stiffness();
    diagonalize();
    return collect();
  }

private:
  using number = scalar_of<T>;

  // f of each lane's numbers. For the host alone, as its functions are: nvcc takes lane_by_lane for a device's, too.
  template <class Function, class... Others>
  static T by_lane(Function const& f, T x, Others... others)
  {
    if constexpr (width_of<T> == 1) {
      return f(x, others...);
    } else {
      for (int lane = 0; lane < width_of<T>; ++lane) x.set(lane, f(x[lane], others[lane]...));
      return x;
    }
  }

  static T root(T x)
  {
    return by_lane([](number a) { return static_cast<number>(__builtin_sqrt(a)); }, x);
  }

  // M = L L', L in the lower triangle of `mass`.
  void factor_mass()
  {
    for (int c = 0; c < Size; ++c) {
      for (int k = 0; k < c; ++k)
        for (int r = c; r < Size; ++r) mass[r][c] = fnma(mass[r][k], mass[c][k], mass[r][c]);
      mass[c][c] = root(mass[c][c]);
      T const inverse = T(number(1)) / mass[c][c];
      for (int r = c + 1; r < Size; ++r) mass[r][c] = mass[r][c] * inverse;
    }
  }

  // K becomes L^-1 K L'^-1.
  void reduce_stiffness()
  {
    for (int side = 0; side < 2; ++side) {
      for (int c = 0; c < Size; ++c)
        for (int r = 0; r < Size; ++r) {
          T sum = stiffness[r][c];
          for (int k = 0; k < r; ++k) sum = fnma(mass[r][k], stiffness[k][c], sum);
          stiffness[r][c] = sum / mass[r][r];
        }
      for (int r = 0; r < Size; ++r)
        for (int c = 0; c < r; ++c) {
          T const upper = stiffness[c][r];
          stiffness[c][r] = stiffness[r][c], stiffness[r][c] = upper;
        }
    }
  }

  void diagonalize()
  {
    for (int r = 0; r < Size; ++r)
      for (int c = 0; c < Size; ++c) turned_[r][c] = T(number(r == c ? 1 : 0));
    constexpr int most_sweeps = 30;
    for (int sweep = 0; sweep < most_sweeps && !is_diagonal(); ++sweep)
      for (int p = 0; p < Size; ++p)
        for (int q = p + 1; q < Size; ++q) rotate(p, q);
  }

  // As far as vectors are concerned, in all lanes; the values' errors are the squares of what is left.
  bool is_diagonal() const
  {
    T off = T(number(0)), all = T(number(0));
    for (int r = 0; r < Size; ++r)
      for (int c = 0; c < Size; ++c) {
        T const square = stiffness[r][c] * stiffness[r][c];
        all = all + square;
        if (r != c) off = off + square;
      }
    constexpr number least = sizeof(number) == sizeof(double) ? number(1e-28) : number(1e-12);
    bool done = true;
    by_lane(
        [&done](number a, number b) {
          if (a > least * b) done = false;
          return a;
        },
        off, all);
    return done;
  }

  // The rotation of rows and columns p and q that makes entry (p, q) zero.
  void rotate(int p, int q)
  {
    T const first = stiffness[p][p], second = stiffness[q][q], beside = stiffness[p][q];
    if (is_nothing(beside, first, second)) return;
    T const difference = second - first, twice = T(number(2)) * beside;
    T const length = root(fma(difference, difference, twice * twice));
    T const tangent = by_lane(
        [](number d, number t, number l) {
          number const below = d < 0 ? d - l : d + l;
          return t == 0 ? number(0) : t / below;
        },
        difference, twice, length);
    T const cosine = T(number(1)) / root(fma(tangent, tangent, T(number(1)))), sine = tangent * cosine;
    for (int k = 0; k < Size; ++k) {
      turn(turned_[k][p], turned_[k][q], cosine, sine);
      turn(stiffness[k][p], stiffness[k][q], cosine, sine);
      stiffness[p][k] = stiffness[k][p], stiffness[q][k] = stiffness[k][q];
    }
    stiffness[p][p] = fnma(tangent, beside, first);
    stiffness[q][q] = fma(tangent, beside, second);
    stiffness[p][q] = stiffness[q][p] = T(number(0));
  }
  // Whether an entry is less than the rounding of its row's and its column's diagonal entries, in all lanes.
  static bool is_nothing(T entry, T row, T column)
  {
    constexpr number rounding = sizeof(number) == sizeof(double) ? number(1e-17) : number(1e-8);
    bool nothing = true;
    by_lane(
        [&nothing](number x, number a, number b) {
          if (x * x > rounding * rounding * (a * a + b * b)) nothing = false;
          return x;
        },
        entry, row, column);
    return nothing;
  }
  static void turn(T& a, T& b, T cosine, T sine)
  {
    T const before = a;
    a = fnma(sine, b, cosine * a);
    b = fma(sine, before, cosine * b);
  }

  // S = L'^-1 Q
  line_modes<T, Size> collect() const
  {
    line_modes<T, Size> made;
    for (int m = 0; m < Size; ++m) {
      made.values[m] = stiffness[m][m];
      for (int r = Size - 1; r >= 0; --r) {
        T sum = turned_[r][m];
        for (int k = r + 1; k < Size; ++k) sum = fnma(mass[k][r], made.vectors[k][m], sum);
        made.vectors[r][m] = sum / mass[r][r];
      }
    }
    return made;
  }

  T turned_[Size][Size];
};

}  // namespace sumfac::detail
