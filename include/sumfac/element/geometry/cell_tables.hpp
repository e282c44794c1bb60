// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions that are no products of lines, as numbers at the points: beside any storage of the geometry.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/element/geometry/setup_numbers.hpp>
#include <sumfac/element/geometry/table_sizes.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

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
    int const fields = fields_of(asked, directions);
    int row = 0;
    auto const place = [&](int p) -> index_t {
      if constexpr (Order != table_order::by_points || !Problem::at_run_time) {
        return place_in_table(order, {all_points, fields, functions}, row / fields, row % fields, p);
      } else {
        using packed = pack<number, native_width<number>>;
        point_block const block =
            block_of_point(row / fields, all_points, points_at_once<packed>(dynamic, most_fields));
        return index_t{block.first} * fields * functions + p * (block.size * fields) + (row - block.first * fields);
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
