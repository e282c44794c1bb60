// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Between vectors of two degrees on devices: gathered from one restriction, a table along the directions, added to the
// other.
#pragma once

#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/device_table.hpp>
#include <sumfac/tensor/contract_lines.hpp>
#include <sumfac/tensor/kept_table.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

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
    else if constexpr (Along == axis::y)
      return (a * Nodes1d + i) * Nodes1d + b;
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
  struct nodes_of_elements {
    typename Team::template shared<Scalar, elements, 1, Directions == 3 ? most : 1, most, most> cube;
  };
  template <class Team>
  struct nothing {};  // a thread has all nodes of a line
  template <class Team>
  using scratch = std::conditional_t<Directions == 1, nothing<Team>, nodes_of_elements<Team>>;

  // Along x first where it makes more numbers, else along x last.
  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    constexpr axis highest = Directions == 3 ? axis::z : Directions == 2 ? axis::y : axis::x;
    constexpr axis first = rows > cols ? axis::x : highest, last = rows > cols ? highest : axis::x;
    constexpr int first_depth = Directions == 3 ? cols : 1, last_depth = Directions == 3 ? rows : 1;
    auto const along = table.forward();
    for (int c = 0; c < components; ++c) {
      global_lines<first, cols, Scalar> const source{from, x, nullptr, group * elements, c};
      global_lines<last, rows, Scalar> const sink{to, nullptr, y, group * elements, c};
      if constexpr (Directions == 1) {
        team.phase("lines");
        contract_lines(team, box<elements, 1, 1>{}, along, source, sink);
      } else {
        team.phase("first direction");
        contract_lines(team, box<elements, first_depth, cols>{}, along, source, lines_along<first>(s.cube));
        team.sync();
        if constexpr (Directions == 3) along_y(team, s);
        team.phase("last direction");
        contract_lines(team, box<elements, last_depth, rows>{}, along, lines_along<last>(s.cube), sink);
        team.sync();
      }
    }
  }

private:
  // A line's places are a, of z, and b, of x.
  template <class Team>
  SUMFAC_INLINE void along_y(Team const& team, scratch<Team>& s) const
  {
    team.phase("second direction");
    auto const middle = lines_along<axis::y>(s.cube);
    if constexpr (rows > cols)
      contract_lines(team, box<elements, cols, rows>{}, table.forward(), middle, middle);
    else
      contract_lines(team, box<elements, rows, cols>{}, table.forward(), middle, middle);
    team.sync();
  }
};

}  // namespace sumfac::detail
