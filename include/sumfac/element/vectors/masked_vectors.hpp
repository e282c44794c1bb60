// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Global vectors as a device's team reads and writes them for elements with sides or edges that hang, by way of its
// scratch.
#pragma once

#include <sumfac/dofs/restriction/line_halves.hpp>
#include <sumfac/element/vectors/patch_vectors.hpp>

#include <cstdint>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// u of the elements of a group, which their v replaces: an element's u is read before its v is written. The table has
// of sides and edges that hang what the large element has there; lines of these are interpolated to halves along one
// direction after the other, and what is added goes the same way back.
template <class Problem, int Elements>
struct masked_vectors {
  using number = typename Problem::number;
  using entry = typename Problem::vector_number;
  static constexpr int elements = Elements, n = Problem::nodes_1d, components = Problem::components;
  static constexpr int directions = Problem::directions, nodes = n * Problem::nodes_y * Problem::nodes_z;
  static constexpr int scratch_bytes = Elements * components * nodes * static_cast<int>(sizeof(number));

  static constexpr int prefetch_lines = 0;
  static constexpr bool gathers = false;

  device_table<entry> table;
  std::uint32_t const* masks = nullptr;  // (elements)
  entry const* x = nullptr;
  entry* y = nullptr;
  half_table<number, n> half = {};

  template <class Team>
  struct scratch {
    typename Team::template shared<number, components, Elements * nodes> numbers;  // (C, place)
  };

  template <class Scratch>
  SUMFAC_INLINE auto memory(Scratch& s, index_t) const
  {
    auto& numbers = s.exchanged.numbers;
    return lines_in_scratch<Problem, std::remove_reference_t<decltype(numbers)>>{numbers, 0};
  }

  // u of the group. A barrier follows.
  template <class Team, class Scratch>
  SUMFAC_INLINE void gather(Team const& team, Scratch& s, index_t group) const
  {
    team.phase("gather elements that hang");
    each_line<last>(team, group, [&](line const& at, int e, int c) SUMFAC_LAMBDA {
      auto const u = fetch<number, n>([&](int i) SUMFAC_LAMBDA {
        return at.exists ? static_cast<number>(table.read(x, at.element, c, at.first + i * at.stride)) : number(0);
      });
      auto const put = [&](int i, number v) SUMFAC_LAMBDA { s.numbers(c, e * nodes + at.first + i * at.stride) = v; };
      if (at.hangs) {
        contract(half.forward(), u, put);
      } else {
        SUMFAC_UNROLL
        for (int i = 0; i < n; ++i) put(i, u[i]);
      }
    });
    team.sync();
    if constexpr (directions == 3) interpolate<axis::y>(team, s, group, half.forward());
    interpolate<axis::x>(team, s, group, half.forward());
  }

  // What its elements add, behind a barrier.
  template <class Team, class Scratch>
  SUMFAC_INLINE void scatter(Team const& team, Scratch& s, index_t group) const
  {
    team.phase("interpolate back what hangs");
    interpolate<axis::x>(team, s, group, half.backward());
    if constexpr (directions == 3) interpolate<axis::y>(team, s, group, half.backward());
    team.phase("add what hangs");
    each_line<last>(team, group, [&](line const& at, int e, int c) SUMFAC_LAMBDA {
      if (!at.exists) return;
      std::uint32_t targets[n];
      SUMFAC_UNROLL
      for (int i = 0; i < n; ++i) targets[i] = table.target(at.element, c, at.first + i * at.stride);
      auto const v =
          fetch<number, n>([&](int i) SUMFAC_LAMBDA { return s.numbers(c, e * nodes + at.first + i * at.stride); });
      auto const add = [&](int i, number a) SUMFAC_LAMBDA { table.add_at(targets[i], y, c, static_cast<entry>(a)); };
      if (at.hangs) {
        contract(half.backward(), v, add);
      } else {
        SUMFAC_UNROLL
        for (int i = 0; i < n; ++i) add(i, v[i]);
      }
    });
  }

private:
  // The direction of the first lines that are read, whose neighbours are neighbours in memory.
  static constexpr axis last = directions == 3 ? axis::z : axis::y;

  // A line of an element's nodes, from the large element's end on: in the upper half backwards.
  struct line {
    index_t element;
    int first, stride;
    bool exists, hangs;
  };

  // Calls f(line, e, c) for all of a group.
  template <axis Along, class Team, class Function>
  SUMFAC_INLINE void each_line(Team const& team, index_t group, Function const& f) const
  {
    team.each(box < Elements, components, directions == 3 ? n : 1, n > {}, [&](int e, int c, int a, int b) {
      constexpr int direction = static_cast<int>(Along);
      index_t const element = group * Elements + e;
      bool const exists = Elements == 1 || element < table.elements;
      element_mask::bits const mask = exists ? load_constant(masks + element) : 0;
      int const first = first_of_line<Along, n>(a, b), stride = stride_of_line<Along, n>;
      bool const turned = (mask & element_mask::upper(direction)) != 0;
      bool const hangs = (mask & element_mask::at_line<directions>(direction, b, a, n - 1)) != 0;
      f(line{element, turned ? first + (n - 1) * stride : first, turned ? -stride : stride, exists, hangs}, e, c);
    });
  }

  // Lines that hang, in place. A barrier follows.
  template <axis Along, class Team, class Scratch, class Table>
  SUMFAC_INLINE void interpolate(Team const& team, Scratch& s, index_t group, Table const& by) const
  {
    each_line<Along>(team, group, [&](line const& at, int e, int c) SUMFAC_LAMBDA {
      if (!at.hangs) return;
      auto const place = [&](int i) SUMFAC_LAMBDA { return e * nodes + at.first + i * at.stride; };
      auto const u = fetch<number, n>([&](int i) SUMFAC_LAMBDA { return s.numbers(c, place(i)); });
      contract(by, u, [&](int i, number v) SUMFAC_LAMBDA { s.numbers(c, place(i)) = v; });
    });
    team.sync();
  }
};

}  // namespace sumfac::detail
