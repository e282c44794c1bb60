// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions that are no products of lines, as numbers at the points: beside any storage of the geometry.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/element/geometry/setup_numbers.hpp>
#include <sumfac/element/tuning_rows.hpp>

#include <cstddef>

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

template <class Storage, class Problem, class Backend, table_order Order>
class storage_with_tables : public Storage {
  using number = typename Problem::number;
  using layout = table_sizes<Problem, Order>;
  using sizes_type = typename Problem::sizes_type;

public:
  using reader = reader_with_tables<typename Storage::reader, number>;
  static constexpr bool has_tables = true;

  Storage const& without_tables() const { return *this; }
  reader beside(typename Storage::reader const& of_geometry) const
  {
    return {of_geometry, tables_.data(), tables_.data() + layout::first_of_test(sizes_)};
  }

  template <class Mesh, class Place>
  void set_up(Mesh const& mesh, typename Problem::form const& f, Place const& place_of)
  {
    if constexpr (Problem::at_run_time) {
      sizes_type const of_basis{mesh.node_set.functions(), mesh.node_set.points()};
      if (sizes_.functions > 0) {
        check_equal("element_operator::update", "number of functions of the basis", sizes_.functions,
                    of_basis.functions);
        check_equal("element_operator::update", "number of points of the basis", sizes_.points, of_basis.points);
      }
      sizes_ = of_basis;
      Storage::set_sizes(sizes_);
    }
    Storage::set_up(mesh, f, place_of);
    tables_.resize(mesh.threads, layout::size(sizes_));
    constexpr int most = greater(1, greater(layout::fields, layout::test_fields));
    tabulate(mesh, Problem::trial_space, Problem::form::trial, 0, Order, most);
    if constexpr (!layout::is_one)
      tabulate(mesh, Problem::test_space, Problem::form::test, layout::first_of_test(sizes_), layout::test_order, most);
    tabulate_inputs(mesh, typename layout::inputs{});
  }

  void commit(Backend const& backend)
  {
    Storage::commit(backend);
    tables_.commit(backend);
  }

private:
  template <class Mesh, input... Inputs>
  void tabulate_inputs([[maybe_unused]] Mesh const& mesh, [[maybe_unused]] reads<Inputs...> all)
  {
    [[maybe_unused]] int index = 0;
    (tabulate(mesh, space_of_input(Problem::trial_space, Inputs.order), Inputs.evaluates,
              layout::first_of_input(sizes_, index++, all), layout::input_order,
              greater(1, fields_of(Inputs.evaluates, Problem::directions))),
     ...);
  }

  // A side's functions from number `first` on: number_of(p, -1) is a value, number_of(p, d) a derivative. A kernel that
  // works blocks of points has as many at once as of so many numbers each.
  template <class Mesh>
  void tabulate(Mesh const& mesh, space const& of, evaluation const& asked, index_t first, table_order order,
                [[maybe_unused]] int most_fields)
  {
    constexpr int directions = Problem::directions;
    int const functions = known_or(functions_of_cell(of), sizes_.functions), all_points = layout::points(sizes_);
    index_t const fields = fields_of(asked, directions), rows = all_points * fields;
    index_t row = 0;
    auto const place = [&](int p) -> index_t {
      if (order == table_order::by_functions) return p * rows + row;
      if (order == table_order::by_matrices) {
        int const q = static_cast<int>(row / fields), f = static_cast<int>(row % fields);
        return place_in_matrices(static_cast<int>(fields), functions, q / matrix_side, f, p / matrix_side,
                                 q % matrix_side, p % matrix_side);
      }
      if constexpr (Order != table_order::by_points || !Problem::at_run_time) {
        return row * functions + p;
      } else {
        using packed = pack<number, native_width<number>>;
        point_block const block =
            block_of_point(static_cast<int>(row / fields), all_points, points_at_once<packed>(dynamic, most_fields));
        return block.first * fields * functions + p * (block.size * fields) + (row - block.first * fields);
      }
    };
    auto const put = [&](auto const& number_of) {
      for (int d = has(asked, value) ? -1 : 0; d < (has(asked, gradient) ? directions : 0); ++d, ++row)
        for (int p = 0; p < functions; ++p) tables_[first + place(p)] = static_cast<number>(number_of(p, d));
    };
    if constexpr (Problem::trial_space.shape == cell_shape::tables) {
      check_equal("tabulated_basis", "number of functions", functions, mesh.node_set.functions());
      for (int q = 0; q < all_points; ++q) put([&](int p, int d) { return mesh.node_set.at(q, p, d); });
    } else {
      auto const basis = basis_of(of);
      auto const size = static_cast<std::size_t>(functions);
      own_vector<long double> values(size), gradients(size * std::size_t{directions});
      for (auto const& point : Problem::points::points) {
        basis.evaluate(point.data(), values.data(), gradients.data());
        put([&](int p, int d) {
          return d < 0 ? values[static_cast<std::size_t>(p)] : gradients[static_cast<std::size_t>(p * directions + d)];
        });
      }
    }
  }

  setup_numbers<number, Backend> tables_;
  SUMFAC_NO_UNIQUE_ADDRESS sizes_type sizes_ = {};
};

template <class Storage>
inline constexpr bool keeps_tables = requires { Storage::has_tables; };

}  // namespace sumfac::SUMFAC_TARGET::detail
