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

}  // namespace sumfac::detail
