// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of elements in global vectors, as the sweeps of a device's team read them and add to them.
#pragma once

#include <sumfac/dofs/restriction/device_table.hpp>
#include <sumfac/tensor/sweep.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// Where no node is left out.
struct all_places {
  SUMFAC_INLINE static constexpr bool is_none(int, int, int) { return false; }
};

// Lines of a group's nodes, Nodes1d along each axis, of one component: read from x, added to y. Elements behind the
// last one, and nodes that Places leaves out, read 0 and add nothing.
//
// Lines, and not entries: what a line has in common is then computed once.
template <class Scalar, int Nodes1d, class Places = all_places>
struct device_nodes {
  device_table<Scalar> const& table;
  Scalar const* x;
  Scalar* y;
  index_t first;  // element of the group
  int component;

  // Called with (node, number). What the table says of the line is read at once, so that it is waited for once.
  struct written_line {
    device_table<Scalar> const& table;
    Scalar* y;
    int component;
    std::uint32_t targets[Nodes1d];
    SUMFAC_INLINE void operator()(int node, Scalar number) const { table.add_at(targets[node], y, component, number); }
  };

  template <axis Along>
  SUMFAC_INLINE pencil<Scalar, Nodes1d> read(int e, int, int a, int b) const
  {
    index_t const element = first + e;
    auto const at = [&](int, int, int k, int j, int i) SUMFAC_LAMBDA {
      bool const exists = element < table.elements && !Places::is_none(k, j, i);
      return exists ? table.read(x, element, component, place(k, j, i)) : Scalar(0);
    };
    return fetch<Scalar, Nodes1d>([&](int i) SUMFAC_LAMBDA { return at_entry<Along>(at, e, 0, a, b, i); });
  }
  template <axis Along>
  SUMFAC_INLINE auto write(int e, int, int a, int b) const
  {
    written_line line{table, y, component, {}};
    auto const target = [&](int, int, int k, int j, int i) SUMFAC_LAMBDA {
      bool const exists = first + e < table.elements && !Places::is_none(k, j, i);
      return exists ? table.target(first + e, component, place(k, j, i)) : device_table<Scalar>::dropped;
    };
    SUMFAC_UNROLL
    for (int i = 0; i < Nodes1d; ++i) line.targets[i] = at_entry<Along>(target, e, 0, a, b, i);
    return line;
  }

private:
  SUMFAC_INLINE static constexpr int place(int k, int j, int i) { return (k * Nodes1d + j) * Nodes1d + i; }
};

}  // namespace sumfac::detail
