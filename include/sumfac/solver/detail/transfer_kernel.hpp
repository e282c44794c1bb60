// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Between vectors of two degrees on devices: gathered from one restriction, a table along the directions, added to the
// other.
#pragma once

#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/device_nodes.hpp>
#include <sumfac/tensor/kept_table.hpp>
#include <sumfac/tensor/sweep.hpp>

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

}  // namespace sumfac::detail
