// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Between vectors of two degrees on devices: gathered from one restriction, a table along three directions, added to
// the other.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/geometry/restriction/device_table.hpp>
#include <sumfac/pencil/contract_lines.hpp>
#include <sumfac/pencil/kept_table.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Lines of nodes of the elements of a group, in a global vector.
template <axis Along, int Nodes1d, class Scalar>
struct global_lines {
  device_table<Scalar> const& table;
  Scalar const* x;
  Scalar* y;
  index_t first;  // element of the group
  int component;

  SUMFAC_INLINE static constexpr int place(int a, int b, int i)
  {
    if constexpr (Along == axis::x)
      return (a * Nodes1d + b) * Nodes1d + i;
    else
      return (i * Nodes1d + a) * Nodes1d + b;
  }

  template <class T, int Size>
  SUMFAC_INLINE pencil<T, Size> read(int e, int, int a, int b) const
  {
    bool const exists = first + e < table.elements;
    return fetch<T, Size>(
        [&](int i) SUMFAC_LAMBDA { return exists ? table.read(x, first + e, component, place(a, b, i)) : T(0); });
  }
  template <class T>
  SUMFAC_INLINE auto write(int e, int, int a, int b) const
  {
    return [=, *this](int i, T value) SUMFAC_LAMBDA {
      if (first + e < table.elements) table.add(y, first + e, component, place(a, b, i), value);
    };
  }
};

// y += R_to^T (A x A x A) R_from x for the table A that Constants are; a component at a time.
template <class Constants, class Scalar>
struct transfer_kernel {
  using scalar = Scalar;
  static constexpr int rows = Constants::rows, cols = Constants::cols, most = rows > cols ? rows : cols;
  static constexpr int elements = most * most >= 64 ? 1 : (64 + most * most - 1) / (most * most);
  static constexpr int threads = elements * most * most;

  kept_table<Constants> table;
  device_table<Scalar> from, to;
  Scalar const* x;
  Scalar* y;
  int components;

  template <class Team>
  struct scratch {
    typename Team::template shared<Scalar, elements, 1, most, most, most> cube;
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    constexpr axis first = rows > cols ? axis::x : axis::z, last = rows > cols ? axis::z : axis::x;
    auto const along = table.forward();
    auto const middle = lines_along<axis::y>(s.cube);
    for (int c = 0; c < components; ++c) {
      team.phase("first direction");
      contract_lines(team, box<elements, cols, cols>{}, along,
                     global_lines<first, cols, Scalar>{from, x, nullptr, group * elements, c},
                     lines_along<first>(s.cube));
      team.sync();
      team.phase("second direction");
      // A line's places are a, of z, and b, of x.
      if constexpr (rows > cols)
        contract_lines(team, box<elements, cols, rows>{}, along, middle, middle);
      else
        contract_lines(team, box<elements, rows, cols>{}, along, middle, middle);
      team.sync();
      team.phase("third direction");
      contract_lines(team, box<elements, rows, rows>{}, along, lines_along<last>(s.cube),
                     global_lines<last, rows, Scalar>{to, nullptr, y, group * elements, c});
      team.sync();
    }
  }
};

}  // namespace sumfac::detail
