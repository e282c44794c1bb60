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

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// Numbers of a function that a form evaluates at a point: its value, where it asks for that, and its derivatives.
constexpr int fields_of(evaluation const& asked, int directions)
{
  return (has(asked, value) ? 1 : 0) + (has(asked, gradient) ? directions : 0);
}

// The tables of a problem: rows of the functions' numbers, for each point those that the form evaluates of its trial
// function; then those that it tests against, where these are others. For a device's teams, whose threads take rows
// side by side, the first is function by function, and the second is always there.
template <class Problem, bool ForTeams = false>
struct table_sizes {
  using form = typename Problem::form;
  static constexpr int fields = fields_of(form::trial, Problem::directions);
  static constexpr int test_fields = fields_of(form::test, Problem::directions);
  static constexpr int functions = Problem::nodes_1d, test_functions = Problem::test_side::nodes_1d;
  static constexpr bool is_one = Problem::trial_space == Problem::test_space && form::trial == form::test && !ForTeams;
  static constexpr int of_trial = Problem::points_1d * fields * functions;
  static constexpr int first_of_test = is_one ? 0 : of_trial;
  static constexpr int size = first_of_test + Problem::points_1d * test_fields * test_functions;
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
    tabulate<Problem::trial_space>(mesh, Problem::form::trial, 0, for_teams);
    if constexpr (!sizes::is_one) tabulate<Problem::test_space>(mesh, Problem::form::test, sizes::first_of_test, false);
  }

  void commit(Backend const& backend)
  {
    Storage::commit(backend);
    tables_.commit(backend);
  }

private:
  // A side's functions from number `first` on: number_of(p, -1) is a value, number_of(p, d) a derivative.
  template <space Of, class Mesh>
  void tabulate(Mesh const& mesh, evaluation const& asked, index_t first, bool by_function)
  {
    constexpr int functions = functions_of_cell(Of), directions = Problem::directions;
    index_t const rows = index_t{Problem::points_1d} * fields_of(asked, directions);
    index_t row = 0;
    auto const put = [&](auto const& number_of) {
      for (int d = has(asked, value) ? -1 : 0; d < (has(asked, gradient) ? directions : 0); ++d, ++row)
        for (int p = 0; p < functions; ++p)
          tables_[first + (by_function ? p * rows + row : row * functions + p)] = static_cast<number>(number_of(p, d));
    };
    if constexpr (Of.shape == cell_shape::tables) {
      check_equal("tabulated_basis", "number of functions", functions, mesh.node_set.functions());
      for (int q = 0; q < Problem::points_1d; ++q) put([&](int p, int d) { return mesh.node_set.at(q, p, d); });
    } else {
      auto const basis = basis_of(Of);
      own_vector<long double> values(std::size_t{functions}), gradients(std::size_t{functions * directions});
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
