// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of elements in global vectors, as the sweeps of a device's team read them and add to them.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/device_table.hpp>
#include <sumfac/tensor/sweep.hpp>

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
    return [=, *this, element = first + e](int node, Scalar number) SUMFAC_LAMBDA {
      auto const add = [&](int, int, int k, int j, int i) SUMFAC_LAMBDA {
        table.add(y, element, component, place(k, j, i), Places::is_none(k, j, i) ? Scalar(0) : number);
      };
      if (element < table.elements) at_entry<Along>(add, e, 0, a, b, node);
    };
  }

private:
  SUMFAC_INLINE static constexpr int place(int k, int j, int i) { return (k * Nodes1d + j) * Nodes1d + i; }
};

}  // namespace sumfac::detail
