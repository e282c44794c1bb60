// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The steps of GMRES: the triangle that Givens' rotations make, for the host and devices, and devices' passes.
#pragma once

#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// The upper triangle, the rotations that have made it, the right side with them, and the column that comes next, in a
// backend's memory.
struct gmres_triangle {
  int most = 0;               // columns
  double* numbers = nullptr;  // size_of(most)

  static constexpr index_t size_of(int most) { return index_t{most} * most + 4 * index_t{most} + 2; }

  SUMFAC_INLINE double& upper(int row, int col) const { return numbers[index_t{row} * most + col]; }
  SUMFAC_INLINE double& right(int i) const { return rest()[i]; }
  SUMFAC_INLINE double& column(int i) const { return rest()[most + 1 + i]; }
  SUMFAC_INLINE double& cosine(int i) const { return rest()[2 * most + 2 + i]; }
  SUMFAC_INLINE double& sine(int i) const { return rest()[3 * most + 2 + i]; }

  // Column j of the triangle, from column() and what stands below it, and the right side with it.
  SUMFAC_INLINE void rotate(int j, double next) const
  {
    for (int i = 0; i < j; ++i) {
      double const above = column(i), below = column(i + 1);
      column(i) = cosine(i) * above + sine(i) * below;
      column(i + 1) = cosine(i) * below - sine(i) * above;
    }
    double last = column(j);
    double const size = SUMFAC_OF_NUMBERS(hypot, last, next);
    cosine(j) = size == 0 ? 1 : last / size;
    sine(j) = size == 0 ? 0 : next / size;
    column(j) = size;
    for (int i = 0; i <= j; ++i) upper(i, j) = column(i);
    right(j + 1) = -sine(j) * right(j);
    right(j) *= cosine(j);
  }

  // The right side becomes the solution of the first columns.
  SUMFAC_INLINE void solve(int used) const
  {
    for (int i = used - 1; i >= 0; --i) {
      double sum = right(i);
      for (int j = i + 1; j < used; ++j) sum -= upper(i, j) * right(j);
      right(i) = sum / upper(i, i);
    }
  }

private:
  SUMFAC_INLINE double* rest() const { return numbers + index_t{most} * most; }
};

enum class gmres_phase : int {
  running,
  reached,   // the residual is small
  singular,  // A takes the directions into fewer than they are
  doubtful   // a device's squares have no room in the numbers: the host goes on, which takes norms with care
};

// Where a cycle stands. Once the phase is not `running`, nothing changes any more.
struct gmres_state {
  gmres_phase phase = gmres_phase::running;
  int used = 0;  // columns
  double residual = 0, target = 0;
  double next = 0;  // the size of what A P v has beside the directions: 0 if that is rounding

  // Takes a column, whose entries are in the triangle's column(); `before` is |A P v|.
  SUMFAC_INLINE void take(gmres_triangle const& triangle, double before, double rounding)
  {
    triangle.rotate(used, next);
    if (next == 0 && triangle.upper(used, used) <= 4 * rounding * before) {
      phase = gmres_phase::singular;
      return;
    }
    double const rest = triangle.right(++used);
    residual = rest < 0 ? -rest : rest;
    if (!(residual > target)) phase = gmres_phase::reached;
  }
};

// Of a device: directions are orthogonalized by classical Gram-Schmidt, twice (Giraud, Langou, Rozloznik and van den
// Eshof 2005), products of seven in a pass. What is left behind the first time has the products w . v_i, which are
// rounding, and the square of its size less theirs is that of what is left behind the second time.

// What follows the products of a column: nothing, as long as there are more of them.
struct gmres_step {
  enum which : int { none, begin, first, second, solve } what;
  gmres_state* state;
  gmres_triangle triangle;
  double *products, *again;  // w . v_i, and w . w behind them, of the first time and of the second
  int j;                     // the column
  double rounding, least;    // of the numbers; squares below it have lost digits
  double size = 0, target = 0;

  SUMFAC_INLINE void operator()(index_t) const
  {
    gmres_state& s = *state;
    if (what == begin) {
      s = gmres_state{};
      s.residual = size, s.target = target;
      triangle.right(0) = size;
    }
    if (what == solve) triangle.solve(s.used);
    if (s.phase != gmres_phase::running) return;
    double const square = products[what == first || what == second ? j + 1 : 0];
    if (what == first && !(square >= least && square - square == 0)) s.phase = gmres_phase::doubtful;
    if (what == second) {
      double const before = __builtin_sqrt(square);
      double rest = again[j + 1];
      for (int i = 0; i <= j; ++i) {
        triangle.column(i) = products[i] + again[i];
        rest -= again[i] * again[i];
      }
      double const left = rest > 0 ? __builtin_sqrt(rest) : 0;
      s.next = left <= rounding * before ? 0 : left;
      s.take(triangle, before, rounding);
    }
  }
};

// Sums: products of w and of directions from `first` on, as many as there is room for, and w . w behind the last.
template <class Number>
struct gmres_products {
  using scalar = Number;
  static constexpr int sums = most_sums;
  static constexpr int resident_teams = 4;
  gmres_state const* state;
  Number const* directions;  // one behind the other
  index_t size;
  int first, count;  // of all
  Number const* w;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    if (state->phase == gmres_phase::running) add(i, load<T>(w + i), sum);
  }
  template <class T>
  SUMFAC_INLINE void add(index_t i, T const& entry, T (&sum)[most_sums]) const
  {
    for (int k = 0; k < most_sums; ++k) {
      if (first + k < count) sum[k] = fma(load<T>(directions + (first + k) * size + i), entry, sum[k]);
      if (first + k == count) sum[k] = fma(entry, entry, sum[k]);
    }
  }
};

// w = w - its parts along all directions; then the first products.
template <class Number>
struct gmres_without_parts {
  using scalar = Number;
  static constexpr int sums = most_sums;
  static constexpr int resident_teams = 4;
  gmres_products<Number> products;
  double const* parts;
  Number* w;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    if (products.state->phase != gmres_phase::running) return;
    T entry = load<T>(w + i);
    for (int k = 0; k < products.count; ++k)
      entry = fma(static_cast<Number>(-parts[k]), load<T>(products.directions + k * products.size + i), entry);
    store(entry, w + i);
    products.add(i, entry, sum);
  }
};

// The next direction: w less its parts, of length 1; and that times factors.
template <class Number>
struct gmres_direction {
  using scalar = Number;
  static constexpr int sums = 0;
  gmres_state const* state;
  Number const* directions;
  index_t size;
  int count;
  double const* parts;
  Number const* factors;  // null where z is not asked for
  Number *w, *z;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    if (state->phase != gmres_phase::running) return;
    T entry = load<T>(w + i);
    for (int k = 0; k < count; ++k)
      entry = fma(static_cast<Number>(-parts[k]), load<T>(directions + k * size + i), entry);
    entry = static_cast<Number>(1 / state->next) * entry;
    store(entry, w + i);
    if (factors != nullptr) store(load<T>(factors + i) * entry, z + i);
  }
};

// x = x + the directions times the triangle's solution; or that alone.
template <class Number>
struct gmres_sum {
  using scalar = Number;
  static constexpr int sums = 0;
  gmres_state const* state;
  gmres_triangle triangle;
  Number const* directions;
  index_t size;
  Number* x;
  bool from_zero;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T entry = from_zero ? T{} : load<T>(x + i);
    for (int k = 0; k < state->used; ++k)
      entry = fma(static_cast<Number>(triangle.right(k)), load<T>(directions + k * size + i), entry);
    store(entry, x + i);
  }
};

// The scalars of a solve on a device; on the host there are none.
template <class Backend>
struct gmres_scalars {
  gmres_scalars(Backend const& backend, int restart)
      : most(restart),
        state(make_memory<gmres_state>(backend, on_host ? 0 : 1)),
        numbers(make_memory<double>(backend, on_host ? 0 : gmres_triangle::size_of(most) + 2 * products))
  {
  }

  gmres_triangle triangle() const { return {most, numbers.data()}; }
  double* first() const { return numbers.data() + gmres_triangle::size_of(most); }
  double* second() const { return first() + products; }

  int most;
  index_t products = most + 2 + most_sums;
  mutable memory_of<gmres_state, Backend> state;
  mutable memory_of<double, Backend> numbers;

private:
  static constexpr bool on_host = runs_on_host<Backend>;
};

}  // namespace sumfac::detail
