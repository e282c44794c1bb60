// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A table along the directions of all elements, from one restriction's vector to another's, in one sweep: on the host
// in lanes, on devices by a kernel.
#pragma once

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/restriction/device_nodes.hpp>
#include <sumfac/element/geometry/cell_tables.hpp>
#include <sumfac/element/kernel/launch_groups.hpp>
#include <sumfac/operator/detail/team_sweep.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/tensor/kept_table.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// y += R_to^T (A x A x A) R_from x for the table A that Constants are, on quadrilaterals A x A, on lines A; a component
// at a time.
template <class Constants, class Scalar, int Directions>
struct transfer_kernel {
  using scalar = Scalar;
  static constexpr int rows = Constants::rows, cols = Constants::cols, most = rows > cols ? rows : cols;
  static constexpr int lines = node_box(most, Directions).rows();
  static constexpr int elements = lines >= 64 ? 1 : (64 + lines - 1) / lines;
  static constexpr int threads = elements * lines;

  static kept_table<Constants> table_of(Constants const&) { return {}; }

  kept_table<Constants> table;
  device_table<Scalar> from, to;
  Scalar const* x;
  Scalar* y;
  int components;

  template <class Team>
  struct scratch {
    struct nothing {};  // a thread has all nodes of a line
    using cubes = typename Team::template shared<Scalar, elements, 1, Directions == 3 ? most : 1, most, most>;
    SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<Directions == 1, nothing, cubes> between;
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    for (int component = 0; component < components; ++component) {
      device_nodes<Scalar, cols> const source{from, x, nullptr, group * elements, component};
      device_nodes<Scalar, rows> const result{to, nullptr, y, group * elements, component};
      sweep_all<Directions, elements>(team, table.forward(), source, s.between, result);
      if constexpr (Directions > 1) team.sync();
    }
  }
};

// A table of all nodes of an element at all nodes of another degree.
template <int Rows, int Cols, class Scalar>
struct cell_table {
  static constexpr int rows = Rows, cols = Cols;
  Scalar const* entries;
};

// The same with such a table, its numbers column by column: a thread has a row of it.
template <int Rows, int Cols, class Scalar>
struct transfer_kernel<cell_table<Rows, Cols, Scalar>, Scalar, 1> {
  using scalar = Scalar;
  using table_type = cell_table<Rows, Cols, Scalar>;
  static constexpr int rows = Rows, cols = Cols, most = rows > cols ? rows : cols;
  static constexpr int elements = most >= 64 ? 1 : (64 + most - 1) / most;
  static constexpr int threads = elements * most > 512 ? 512 : elements* most;
  static table_type const& table_of(table_type const& table) { return table; }

  table_type table;
  device_table<Scalar> from, to;
  Scalar const* x;
  Scalar* y;
  int components;

  template <class Team>
  struct scratch {
    typename Team::template shared<Scalar, elements, cols> nodal;
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    index_t const first = group * elements;
    for (int component = 0; component < components; ++component) {
      team.phase("read the nodes");
      team.each(box<elements, cols>{}, [&](int e, int p) {
        s.nodal(e, p) = first + e < from.elements ? from.read(x, first + e, component, p) : Scalar(0);
      });
      team.sync();
      team.phase("apply the table");
      team.each(box<elements, rows>{}, [&](int e, int r) {
        Scalar sum(0);
        for (int c = 0; c < cols; ++c) sum = fma(table.entries[c * rows + r], Scalar(s.nodal(e, c)), sum);
        if (first + e < to.elements) to.add(y, first + e, component, r, sum);
      });
      team.sync();
    }
  }
};

// The tables between two degrees: along each direction, as types.
template <auto Fine, auto Coarse, class Scalar, class Backend>
struct transfer_tables {
  static constexpr int directions = axes_of(space_of<Fine>);  // in which nodes are counted
  explicit transfer_tables(Backend const&) {}

  using fine_nodes = nodes_of_space<Fine>;
  using coarse_nodes = nodes_of_space<Coarse>;
  using from_coarse = interpolate<Scalar, coarse_nodes, fine_nodes>;
  static constexpr from_coarse at_fine_nodes() { return {}; }
  static constexpr transposed<from_coarse> to_coarse_nodes() { return {}; }
  static constexpr interpolate<Scalar, fine_nodes, coarse_nodes> at_coarse_nodes() { return {}; }
};

// Of what is no product of lines in memory: row by row on the host, column by column for teams, whose threads have rows
// side by side.
template <auto Fine, auto Coarse, class Scalar, class Backend>
  requires(!is_tensor(space_of<Fine>))
class transfer_tables<Fine, Coarse, Scalar, Backend> {
  static constexpr int fine = nodes_of_space<Fine>::size, coarse = nodes_of_space<Coarse>::size, size = fine * coarse;

public:
  static constexpr int directions = axes_of(space_of<Fine>);
  explicit transfer_tables(Backend const& backend)
  {
    own_vector<Scalar> numbers(3 * std::size_t{size});
    auto const put = [&](int which, int rows, int cols, int r, int c, long double number) {
      int const place = runs_on_host<Backend> ? r * cols + c : c * rows + r;
      numbers[static_cast<std::size_t>(which * size + place)] = static_cast<Scalar>(number);
    };
    for_each_number(space_of<Coarse>, space_of<Fine>, [&](int r, int c, long double number) {
      put(0, fine, coarse, r, c, number);
      put(1, coarse, fine, c, r, number);
    });
    for_each_number(space_of<Fine>, space_of<Coarse>,
                    [&](int r, int c, long double number) { put(2, coarse, fine, r, c, number); });
    numbers_ = upload<Scalar>(backend, numbers);
  }

  cell_table<fine, coarse, Scalar> at_fine_nodes() const { return {numbers_.data()}; }
  cell_table<coarse, fine, Scalar> to_coarse_nodes() const { return {numbers_.data() + size}; }
  cell_table<coarse, fine, Scalar> at_coarse_nodes() const { return {numbers_.data() + 2 * size}; }

private:
  // f(r, c, number): function c of a space at node r of another.
  template <class Function>
  static void for_each_number(space const& of, space const& at, Function const& f)
  {
    auto const functions = basis_of(of), places = basis_of(at);
    auto const count = static_cast<std::size_t>(functions.size());
    own_vector<long double> values(count), gradients(3 * count);
    for (int r = 0; r < places.size(); ++r) {
      long double x[3] = {};
      for (int d = 0; d < at.directions; ++d) x[d] = places.node(r, d);
      functions.evaluate(x, values.data(), gradients.data());
      for (int c = 0; c < functions.size(); ++c) f(r, c, values[static_cast<std::size_t>(c)]);
    }
  }

  memory_of<Scalar, Backend> numbers_;
};

// A table along all directions of an element in lanes. A pass for a device would refuse its constants.
template <int Directions, class Table, class T, class Between>
void apply_in_lanes([[maybe_unused]] Table const& table, [[maybe_unused]] T const* in,
                    [[maybe_unused]] Between const& between, [[maybe_unused]] T* result)
{
#if !SUMFAC_ON_DEVICE || defined(SUMFAC_EMULATED_DEVICE)
  sweep_all<Directions>(host::team<transfer_kernel<Table, scalar_of<T>, Directions>>{}, table,
                        numbers_in_cube<Table::cols, T const>{in}, between, numbers_in_cube<Table::rows, T>{result});
#endif
}
template <int Directions, int Rows, int Cols, class Scalar, class T, class Between>
void apply_in_lanes([[maybe_unused]] cell_table<Rows, Cols, Scalar> const& table, [[maybe_unused]] T const* in,
                    Between const&, [[maybe_unused]] T* result)
{
#if !SUMFAC_ON_DEVICE || defined(SUMFAC_EMULATED_DEVICE)
  constexpr int block = lesser(Rows, 8), rest = Rows % block;
  auto const rows = [&]<int Some>(int r) {
    T to[Some];
    numbers_at_points<Some, Cols>(
        table.entries + r * Cols, Cols, [in](int c) { return in[c]; }, to);
    for (int i = 0; i < Some; ++i) result[r + i] = to[i];
  };
  for (int r = 0; r < Rows - rest; r += block) rows.template operator()<block>(r);
  if constexpr (rest > 0) rows.template operator()<rest>(Rows - rest);
#endif
}

// On the host: groups of elements in SIMD lanes.
template <int Directions, int Components, class Table, class Scalar, class... Body>
void sweep_lanes(Table const& table, restriction<Scalar, host> const& from, restriction<Scalar, host> const& to,
                 Scalar const* x, Scalar* y, sweep_mode mode, Body const&... body)
{
  using kernel = transfer_kernel<Table, Scalar, Directions>;
  using packed = typename host::team<kernel>::scalar;
  constexpr int rows = Table::rows, cols = Table::cols;
  constexpr index_t nodes_in = node_box(cols, Directions).all(), nodes_out = node_box(rows, Directions).all();
  constexpr index_t work_size = rows > cols ? 0 : nodes_in;  // else what is between lies in the result
  int const components = from.components();
  from.storage().read(x, [&](auto const& reader) {
    auto const writer = to.storage().lanes(nullptr, y);
    auto const work = [&](index_t const* group, index_t const* last, auto const&) {
      auto const packs = static_cast<std::size_t>(components * (nodes_in + nodes_out) + work_size);
      auto* const in = static_cast<packed*>(thread_scratch(packs * sizeof(packed)));
      packed* const out = in + components * nodes_in;
      for (; group != last; ++group) {
        reader.template gather<cols, Components, Directions>(*group, in);
        for (int c = 0; c < components; ++c) {
          packed* const result = out + c * nodes_out;
          numbers_in_cube<kernel::most, packed> const between{rows > cols ? result : out + components * nodes_out};
          apply_in_lanes<Directions>(table, static_cast<packed const*>(in + c * nodes_in), between, result);
        }
        writer.template add<rows, Components, Directions>(*group, out);
      }
    };
    to.storage().sweep(nullptr, y, mode, mode == sweep_mode::write ? row_action::zero : row_action::none, work,
                       hooked_pass<Body>{body, nullptr, y}...);
  });
}

// y = the sums over all elements of a table along their directions of x, then the body on y, if there is one; or, by
// sweep_mode::add, y + these sums. Both restrictions are of the same elements.
template <int Directions, class Table, class Scalar, class Backend, class... Body>
  requires(sizeof...(Body) <= 1)
void sweep_transfer(Table const& table, restriction<Scalar, Backend> const& from,
                    restriction<Scalar, Backend> const& to, Scalar const* x, Scalar* y, sweep_mode mode,
                    pass_runner<Backend> const& passes, Body const&... body)
{
  if constexpr (runs_on_host<Backend>) {
    if (from.components() == 1)
      sweep_lanes<Directions, 1>(table, from, to, x, y, mode, body...);
    else
      sweep_lanes<Directions, 0>(table, from, to, x, y, mode, body...);
  } else {
    using kernel = transfer_kernel<Table, Scalar, Directions>;
    kernel const k{kernel::table_of(table), from.storage().table(), to.storage().table(mode), from.storage().read(x), y,
                   from.components()};
    auto const rows = mode == sweep_mode::write ? row_action::zero : row_action::none;
    if (sizeof...(Body) > 0 && !to.storage().adds_at_once() && !to.storage().has_rows()) {
      to.storage().for_groups(kernel::elements, kernel_launcher(to.backend(), k));
      auto const node = to.storage().adding_up(nullptr, y, rows, mode);
      (passes.run(to.nodes(), body_of_node<std::remove_const_t<decltype(node)>, Body>{node, body}), ...);
    } else {
      to.storage().sweep(kernel::elements, nullptr, y, mode, rows, kernel_launcher(to.backend(), k));
      (passes.run(to.size(), body), ...);
    }
  }
}

// Targets by which the first element alone of each node writes it: (E, C or 1, n^D), as a device_table has them.
template <class Scalar, class Backend>
memory_of<std::uint32_t, Backend> owned_targets(restriction<Scalar, Backend> const& r)
{
  using device_numbers = device_table<Scalar>;
  auto const& table = r.table();
  auto const layout = r.storage().table();
  index_t const tracked = layout.component_stride > 0 ? r.components() : 1;
  own_vector<std::uint32_t> targets(static_cast<std::size_t>(layout.elements * layout.element_stride),
                                    device_numbers::dropped);
  own_vector<std::uint8_t> seen(static_cast<std::size_t>(r.nodes() * tracked), 0);
  for (index_t const e : r.active())
    for (index_t c = 0; c < tracked; ++c)
      for (index_t p = 0; p < table.nodes_of_element(); ++p) {
        auto const node = table(e, p);
        std::uint8_t& was = seen[static_cast<std::size_t>(index_t{node} * tracked + c)];
        if (was != 0 || table.constrained(node, static_cast<int>(c))) continue;
        was = 1;
        targets[static_cast<std::size_t>(e * layout.element_stride + c * layout.component_stride + p)] =
            device_numbers::alone | static_cast<std::uint32_t>(node);
      }
  return upload(r.backend(), targets);
}

// On a device: y = y + a table along the directions of elements of x, at each node by the element that owns it. All
// elements of a node must have the same there.
template <int Directions, class Table, class Scalar, class Backend>
void add_transfer(Table const& table, restriction<Scalar, Backend> const& from, restriction<Scalar, Backend> const& to,
                  std::uint32_t const* owned, Scalar const* x, Scalar* y)
{
  using kernel = transfer_kernel<Table, Scalar, Directions>;
  auto targets = to.storage().table(sweep_mode::add);
  targets.targets = owned;
  targets.work = y;  // any: nothing waits there
  kernel const k{kernel::table_of(table), from.storage().table(), targets, from.storage().read(x), y,
                 from.components()};
  to.storage().for_groups(kernel::elements, kernel_launcher(to.backend(), k));
}

}  // namespace sumfac::detail
