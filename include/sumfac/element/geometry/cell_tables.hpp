// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions that are no products of lines, as numbers at the points: beside any storage of the geometry.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/element/geometry/setup_numbers.hpp>
#include <sumfac/form/form.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// Numbers of a function that a form evaluates at a point: its value, where it asks for that, and its derivatives.
constexpr int fields_of(evaluation const& asked, int directions)
{
  return (has(asked, value) ? 1 : 0) + (has(asked, gradient) ? directions : 0);
}

// The tables of a problem: rows of the functions' numbers, for each point those that the form evaluates of its trial
// function; then those that it tests against, where these are others.
template <class Problem>
struct table_sizes {
  using form = typename Problem::form;
  static constexpr int fields = fields_of(form::trial, Problem::directions);
  static constexpr int test_fields = fields_of(form::test, Problem::directions);
  static constexpr int functions = Problem::nodes_1d, test_functions = Problem::test_side::nodes_1d;
  static constexpr bool is_one = Problem::trial_space == Problem::test_space && form::trial == form::test;
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
  using sizes = table_sizes<Problem>;

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
    tabulate(Problem::trial_space, Problem::form::trial, 0);
    if constexpr (!sizes::is_one) tabulate(Problem::test_space, Problem::form::test, sizes::first_of_test);
  }

  void commit(Backend const& backend)
  {
    Storage::commit(backend);
    tables_.commit(backend);
  }

private:
  void tabulate(space const& of, evaluation const& asked, index_t at)
  {
    auto const basis = basis_of(of);
    auto const functions = static_cast<std::size_t>(basis.size());
    own_vector<long double> values(functions), gradients(functions * Problem::directions);
    auto const put = [&](auto const& number_of) {
      for (std::size_t p = 0; p < functions; ++p) tables_[at++] = static_cast<number>(number_of(p));
    };
    for (std::size_t q = 0; q < std::size_t{Problem::points_1d}; ++q) {
      basis.evaluate(Problem::points::points[q].data(), values.data(), gradients.data());
      if (has(asked, value)) put([&](std::size_t p) { return values[p]; });
      for (std::size_t d = 0; has(asked, gradient) && d < std::size_t{Problem::directions}; ++d)
        put([&](std::size_t p) { return gradients[p * Problem::directions + d]; });
    }
  }

  setup_numbers<number, Backend> tables_;
};

template <class Storage>
inline constexpr bool keeps_tables = requires { Storage::has_tables; };

}  // namespace sumfac::SUMFAC_TARGET::detail
