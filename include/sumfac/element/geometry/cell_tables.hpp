// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions that are no products of lines, as numbers at the points: beside any storage of the geometry.
#pragma once

#include <sumfac/backend/concepts.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/element/geometry/setup_numbers.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/math/detail/plain.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// Numbers of a function that a form evaluates at a point: its value, where it asks for that, and its derivatives.
constexpr int fields_of(evaluation const& asked, int directions)
{
  return (has(asked, value) ? 1 : 0) + (has(asked, gradient) ? directions : 0);
}

// to (Rows) = table (Rows, Functions) times u(p): some points at a time are as many rows, whose sums do not wait for
// one another.
template <int Rows, int Functions, class Number, class T, class Nodes>
SUMFAC_INLINE void numbers_at_points(Number const* table, Nodes const& u, T (&to)[Rows])
{
  T sum[Rows];
  SUMFAC_UNROLL
  for (int r = 0; r < Rows; ++r) sum[r] = T(0);
  for (int p = 0; p < Functions; ++p) {
    T const x = u(p);
    SUMFAC_UNROLL
    for (int r = 0; r < Rows; ++r) sum[r] = fma(table[r * Functions + p], x, sum[r]);
  }
  SUMFAC_UNROLL
  for (int r = 0; r < Rows; ++r) to[r] = sum[r];
}

// As many of so many points as there are registers for, of packs T: 16 of their numbers where registers are the widest,
// of which there are 32, else 8.
template <class T>
constexpr int points_at_once(int points, int fields)
{
  return greater(1, lesser(points, (sizeof(T) >= 64 ? 16 : 8) / fields));
}

// The tables of a problem: rows of the functions' numbers, for each point those that the form evaluates of its trial
// function; then those that it tests against, where these are others; then those of its inputs. For a device's teams,
// whose threads take rows side by side, the first and the inputs' are function by function, and the second is always
// there.
template <class Problem, bool ForTeams = false>
struct table_sizes {
  using form = typename Problem::form;
  using inputs = inputs_of<form>;
  static constexpr int fields = fields_of(form::trial, Problem::directions);
  static constexpr int test_fields = fields_of(form::test, Problem::directions);
  static constexpr int functions = Problem::nodes_1d, test_functions = Problem::test_side::nodes_1d;
  static constexpr bool is_one = Problem::trial_space == Problem::test_space && form::trial == form::test && !ForTeams;
  static constexpr int of_trial = Problem::points_1d * fields * functions;
  static constexpr int first_of_test = is_one ? 0 : of_trial;
  static constexpr int first_of_inputs = first_of_test + Problem::points_1d * test_fields * test_functions;

  // Where that of an input is; behind the last one where they end.
  template <input... Inputs>
  static constexpr int first_of_input(int index, reads<Inputs...>)
  {
    input const list[] = {Inputs..., {}};
    int first = first_of_inputs;
    for (int i = 0; i < index; ++i)
      first += Problem::points_1d * fields_of(list[i].evaluates, Problem::directions) *
               functions_of_cell(space_of_input(Problem::trial_space, list[i].order));
    return first;
  }
  template <int Index>
  static constexpr int table_of_input = first_of_input(Index, inputs{});
  static constexpr int size = table_of_input<inputs::count>;
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

template <class Storage, class Problem, class Backend>
class storage_with_tables : public Storage {
  using number = typename Problem::number;
  static constexpr bool for_teams = !runs_on_host<Backend>;
  using sizes = table_sizes<Problem, for_teams>;

public:
  using reader = reader_with_tables<typename Storage::reader, number>;
  static constexpr bool has_tables = true;

  Storage const& without_tables() const { return *this; }
  reader beside(typename Storage::reader const& of_geometry) const
  {
    return {of_geometry, tables_.data(), tables_.data() + sizes::first_of_test};
  }

  template <class Mesh, class Place>
  void set_up(Mesh const& mesh, typename Problem::form const& f, Place const& place_of)
  {
    Storage::set_up(mesh, f, place_of);
    tables_.resize(mesh.threads, sizes::size);
    tabulate(mesh, Problem::trial_space, Problem::form::trial, 0, for_teams);
    if constexpr (!sizes::is_one) tabulate(mesh, Problem::test_space, Problem::form::test, sizes::first_of_test, false);
    tabulate_inputs(mesh, typename sizes::inputs{});
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
              sizes::first_of_input(index++, all), for_teams),
     ...);
  }

  // A side's functions from number `first` on: number_of(p, -1) is a value, number_of(p, d) a derivative.
  template <class Mesh>
  void tabulate(Mesh const& mesh, space const& of, evaluation const& asked, index_t first, bool by_function)
  {
    constexpr int directions = Problem::directions;
    int const functions = functions_of_cell(of);
    index_t const rows = index_t{Problem::points_1d} * fields_of(asked, directions);
    index_t row = 0;
    auto const put = [&](auto const& number_of) {
      for (int d = has(asked, value) ? -1 : 0; d < (has(asked, gradient) ? directions : 0); ++d, ++row)
        for (int p = 0; p < functions; ++p)
          tables_[first + (by_function ? p * rows + row : row * functions + p)] = static_cast<number>(number_of(p, d));
    };
    if constexpr (Problem::trial_space.shape == cell_shape::tables) {
      check_equal("tabulated_basis", "number of functions", functions, mesh.node_set.functions());
      for (int q = 0; q < Problem::points_1d; ++q) put([&](int p, int d) { return mesh.node_set.at(q, p, d); });
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
};

template <class Storage>
inline constexpr bool keeps_tables = requires { Storage::has_tables; };

}  // namespace sumfac::SUMFAC_TARGET::detail
