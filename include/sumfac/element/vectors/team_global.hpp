// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How device teams read and add to global vectors, by a restriction's table.
#pragma once

#include <sumfac/dofs/restriction/device_table.hpp>
#include <sumfac/element/vectors/team_vectors.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// The first node of a line of an element's, and what is between it and the next.
template <axis Axis, int Nodes1d>
SUMFAC_INLINE constexpr int first_of_line(int a, int b)
{
  return a * (Axis == axis::z ? Nodes1d : Nodes1d * Nodes1d) + b * (Axis == axis::x ? Nodes1d : 1);
}
template <axis Axis, int Nodes1d>
inline constexpr int stride_of_line = Axis == axis::z   ? Nodes1d * Nodes1d
                                      : Axis == axis::y ? Nodes1d
                                                        : 1;

// Global vectors, by a restriction's table: gathered from x and added to y.
template <class Number, int Nodes1d>
struct table_entries {
  device_table<Number> table;
  Number const* x = nullptr;
  Number* y = nullptr;

  SUMFAC_INLINE index_t elements() const { return table.elements; }

  struct input {
    device_table<Number> const& table;
    Number const* x;
    index_t element;
    int c, first, stride;
    SUMFAC_INLINE Number operator()(int node) const { return table.read(x, element, c, first + node * stride); }
  };
  struct whole_line;
  struct output {
    device_table<Number> const& table;
    Number* y;
    index_t element;
    int c, first, stride;
    template <class T>
    SUMFAC_INLINE void operator()(int node, T v) const
    {
      table.add(y, element, c, first + node * stride, static_cast<Number>(v));
    }
    SUMFAC_INLINE whole_line whole() const { return whole_line(*this); }
  };
  // The same where all nodes of the line are added to: it waits for the table once.
  struct whole_line {
    device_table<Number> const& table;
    Number* y;
    int c;
    std::uint32_t targets[Nodes1d == dynamic ? 1 : Nodes1d];

    SUMFAC_INLINE explicit whole_line(output const& line) : table(line.table), y(line.y), c(line.c)
    {
      SUMFAC_UNROLL
      for (int i = 0; i < Nodes1d; ++i) targets[i] = table.target(line.element, c, line.first + i * line.stride);
    }
    SUMFAC_INLINE void operator()(int node, auto v) const { table.add_at(targets[node], y, c, static_cast<Number>(v)); }
  };

  template <axis Axis>
  SUMFAC_INLINE input line_from(index_t e, int c, int a, int b) const
  {
    return {table, x, e, c, first<Axis>(a, b), stride<Axis>()};
  }
  template <axis Axis>
  SUMFAC_INLINE output line_to(index_t e, int c, int a, int b) const
  {
    return {table, y, e, c, first<Axis>(a, b), stride<Axis>()};
  }

private:
  template <axis Axis>
  SUMFAC_INLINE static constexpr int first(int a, int b)
  {
    return first_of_line<Axis, Nodes1d>(a, b);
  }
  template <axis Axis>
  SUMFAC_INLINE static constexpr int stride()
  {
    return stride_of_line<Axis, Nodes1d>;
  }
};

// Global vectors of two spaces, with a table for each.
template <class Number, int TrialNodes1d, int TestNodes1d>
struct pair_entries {
  table_entries<Number, TrialNodes1d> from;
  table_entries<Number, TestNodes1d> to;

  SUMFAC_INLINE index_t elements() const { return to.elements(); }

  template <axis Axis>
  SUMFAC_INLINE auto line_from(index_t e, int c, int a, int b) const
  {
    return from.template line_from<Axis>(e, c, a, b);
  }
  template <axis Axis>
  SUMFAC_INLINE auto line_to(index_t e, int c, int a, int b) const
  {
    return to.template line_to<Axis>(e, c, a, b);
  }
};

}  // namespace sumfac::detail
