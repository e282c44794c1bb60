// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions that are no products of lines, as numbers at the points: how tables of them lie, and how kernels read them.
// Compilers of device code alone, as NVRTC, read it.
#pragma once

#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/element/tuning_rows.hpp>
#include <sumfac/math/detail/plain.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Numbers of a function that a form evaluates at a point: its value, where it asks for that, and its derivatives.
constexpr int fields_of(evaluation const& asked, int directions)
{
  return (has(asked, value) ? 1 : 0) + (has(asked, gradient) ? directions : 0);
}

// Points that the host works at once, and their numbers, a block of a table: row r of Rows, of function p. Where the
// compiler does not know how many functions there are, rows lie side by side, so that it knows where the next one is.
template <int Rows, int Functions>
SUMFAC_INLINE constexpr int place_in_block(int r, int p)
{
  return Functions == dynamic ? p * Rows + r : r * Functions + p;
}
// Blocks of a number of points that is known at run time: as many points as fit, and of the rest halves of that, and so
// on. The block of point q.
struct point_block {
  int first, size;
};
constexpr point_block block_of_point(int q, int points, int most)
{
  int first = points / most * most;
  if (q < first) return {q / most * most, most};
  for (int size = most;; first += size) {
    while (size > points - first) size /= 2;
    if (q < first + size) return {first, size};
  }
}

// to (Rows) = a block of a table times u(p), of so many functions: some points at a time are as many rows, whose sums
// do not wait for one another.
template <int Rows, int Functions, class Number, class T, class Nodes>
SUMFAC_INLINE void numbers_at_points(Number const* table, int functions, Nodes const& u, T (&to)[Rows])
{
  T sum[Rows];
  SUMFAC_UNROLL
  for (int r = 0; r < Rows; ++r) sum[r] = T(0);
  for (int p = 0; p < known_or(Functions, functions); ++p) {
    T const x = u(p);
    SUMFAC_UNROLL
    for (int r = 0; r < Rows; ++r) sum[r] = fma(table[place_in_block<Rows, Functions>(r, p)], x, sum[r]);
  }
  SUMFAC_UNROLL
  for (int r = 0; r < Rows; ++r) to[r] = sum[r];
}

// As many of so many points as there are registers for, of packs T: 16 of their numbers where registers are the widest,
// of which there are 32, else 8.
template <class T>
constexpr int points_at_once(int points, int fields)
{
  int const most = (sizeof(T) >= 64 ? 16 : 8) / fields;
  return greater(1, points == dynamic ? most : lesser(points, most));
}
// Calls work.template operator()<Points>(q) for blocks of so many points, from point q on.
template <int Most, class Work>
SUMFAC_INLINE void in_blocks(int q, int points, Work const& work)
{
  for (; q + Most <= points; q += Most) work.template operator()<Most>(q);
  if constexpr (Most > 1) in_blocks<Most / 2>(q, points, work);
}

// In which order the numbers of a table lie: point by point, as packs and the second product of teams read them;
// function by function, for teams whose threads have points side by side; or in matrices of 8 points by 8 functions, of
// 0 where there are none: for 8 points and a field those of all functions, then the next field.
enum class table_order { by_points, by_functions, by_matrices };
inline constexpr int matrix_side = 8;
SUMFAC_FUNCTION constexpr int in_matrices(int count) { return (count + matrix_side - 1) / matrix_side; }

// Of point i of the 8 of a chunk and function j of the 8 of a step.
SUMFAC_FUNCTION constexpr int place_in_matrices(int fields, int functions, int chunk, int f, int step, int i, int j)
{
  return (((chunk * fields + f) * in_matrices(functions) + step) * matrix_side + i) * matrix_side + j;
}

// Number f of function p at point q in a table of so many of each.
SUMFAC_FUNCTION constexpr index_t place_in_table(table_order order, node_box const& of, int q, int f, int p)
{
  int const points = of.x, fields = of.y, functions = of.z;
  if (order == table_order::by_matrices)
    return place_in_matrices(fields, functions, q / matrix_side, f, p / matrix_side, q % matrix_side, p % matrix_side);
  index_t const row = q * index_t{fields} + f;
  return order == table_order::by_functions ? p * index_t{points} * fields + row : row * functions + p;
}

// The order of an operator's tables.
constexpr table_order table_order_of(bool on_host, variant way)
{
  if (on_host) return table_order::by_points;
  return way == variant::matrices ? table_order::by_matrices : table_order::by_functions;
}

// The tables of a problem: rows of the functions' numbers, for each point those that the form evaluates of its trial
// function; then those that it tests against, where these are others; then those of its inputs. For a device's teams
// the inputs' are function by function; where the first is, too, the second is always there, point by point.
template <class Problem, table_order Order = table_order::by_points>
struct table_sizes {
  using form = typename Problem::form;
  using inputs = inputs_of<form>;
  static constexpr int fields = fields_of(form::trial, Problem::directions);
  static constexpr int test_fields = fields_of(form::test, Problem::directions);
  static constexpr int functions = Problem::nodes_1d, test_functions = Problem::test_side::nodes_1d;
  static constexpr bool is_one =
      Problem::trial_space == Problem::test_space && form::trial == form::test && Order != table_order::by_functions;
  static constexpr table_order order = Order;
  static constexpr table_order test_order = Order == table_order::by_functions ? table_order::by_points : Order;
  static constexpr table_order input_order =
      Order == table_order::by_points ? table_order::by_points : table_order::by_functions;
  // What the compiler does not know, if anything.
  using sizes_type = typename Problem::sizes_type;

  static constexpr int points(sizes_type const& of) { return known_or(Problem::points_1d, of.points); }
  static constexpr int first_of_test(sizes_type const& of) { return is_one ? 0 : numbers(of, fields, functions); }
  // Where that of an input is; behind the last one where they end.
  template <input... Inputs>
  static constexpr int first_of_input(sizes_type const& of, int index, reads<Inputs...>)
  {
    input const list[] = {Inputs..., {}};
    int first = first_of_test(of) + numbers(of, test_fields, test_functions);
    for (int i = 0; i < index; ++i)
      first += points(of) * fields_of(list[i].evaluates, Problem::directions) *
               known_or(functions_of_cell(space_of_input(Problem::trial_space, list[i].order)), of.functions);
    return first;
  }
  static constexpr int first_of_input(sizes_type const& of, int index) { return first_of_input(of, index, inputs{}); }
  static constexpr int size(sizes_type const& of) { return first_of_input(of, inputs::count); }

private:
  // Of a side's table.
  static constexpr int numbers(sizes_type const& of, int fields_of_side, int functions_of_side)
  {
    int const all = known_or(functions_of_side, of.functions);
    if constexpr (Order == table_order::by_matrices)
      return in_matrices(points(of)) * fields_of_side * in_matrices(all) * matrix_side * matrix_side;
    else
      return points(of) * fields_of_side * all;
  }
};

// A reader of the geometry that knows where the tables are, and that of the transposed problem.
template <class Reader, class Number>
struct reader_with_tables : Reader {
  Number const *trial_table = nullptr, *test_table = nullptr;
};
template <class Reader>
Reader transposed_reader(Reader reader)
{
  if constexpr (requires { reader.trial_table; }) {
    auto const* const of_trial = reader.trial_table;
    reader.trial_table = reader.test_table, reader.test_table = of_trial;
  }
  return reader;
}

// The sizes that the compiler does not know, if any, as the geometry's reader has them.
template <class Problem, class Reader>
SUMFAC_INLINE typename Problem::sizes_type sizes_of([[maybe_unused]] Reader const& reader)
{
  if constexpr (Problem::at_run_time)
    return reader.sizes;
  else
    return {};
}

}  // namespace sumfac::SUMFAC_TARGET::detail
