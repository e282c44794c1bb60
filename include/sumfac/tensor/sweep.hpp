// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One table along all lines of an axis: element kernels, transfers between spaces and smoothers are orders of sweeps.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/tensor/pencil.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// An axis of the numbers of elements (e, c, z, y, x): element, component, and node or point.
enum class axis { x, y, z };

namespace detail {

// Calls f with (e, c, z, y, x) of entry i of a line, and `more`. A line is named by element, component, and where it
// meets the slower (a) and the faster (b) of the other axes.
template <axis Along, class Function, class... More>
SUMFAC_INLINE decltype(auto) at_entry(Function&& f, int e, int c, int a, int b, int i, More const&... more)
{
  if constexpr (Along == axis::x)
    return f(e, c, a, b, i, more...);
  else if constexpr (Along == axis::y)
    return f(e, c, a, i, b, more...);
  else
    return f(e, c, i, a, b, more...);
}

}  // namespace detail

// Where a sweep reads its lines:
//   from(e, c, z, y, x)                    an entry: scratch that a team shares, or a function upon memory or registers
//   from.template read<Along>(e, c, a, b)  or a whole line, as a pencil
template <class From, class T, axis Along>
concept readable_lines = requires(From& from) {
  { from(0, 0, 0, 0, 0) } -> std::convertible_to<T>;
} || requires(From& from) { from.template read<Along>(0, 0, 0, 0)[0]; };

// What `to(...) = number` writes to: a reference, or an object that stands for one, as `checked` has them, and says so
// by `using stands_for_reference = void`. Of what is returned by value the assignment would be lost.
template <class Entry, class T>
concept written_entry = (std::is_reference_v<Entry> || requires { typename Entry::stands_for_reference; }) &&
                        requires(T number) { std::declval<Entry>() = number; };

// Where it writes them:
//   to(e, c, z, y, x) = number             a written_entry
//   to(e, c, z, y, x, number)              or a function that takes it, as to add it
//   to.template write<Along>(e, c, a, b)   or what takes a line's entries, called with (i, number)
template <class To, class T, axis Along>
concept writable_lines = requires(To& to) {
  { to(0, 0, 0, 0, 0) } -> written_entry<T>;
} || requires(To& to, T number) { to(0, 0, 0, 0, 0, number); } || requires(To& to, T number) {
  to.template write<Along>(0, 0, 0, 0)(0, number);
};

// What a sweep does between lines on the host, so that the memory works while it computes: step() prefetches a share of
// what comes next. Nothing, where no policy is passed; the threads of a device hide the memory's latency.
struct no_prefetch {
  SUMFAC_INLINE void step() const {}
};

// The line of `from` along an axis, in registers.
template <axis Along, class T, int Size, class From>
SUMFAC_INLINE pencil<T, Size> read_line(From& from, int e, int c, int a, int b)
{
  if constexpr (requires { from.template read<Along>(e, c, a, b); })
    return from.template read<Along>(e, c, a, b);
  else
    return fetch<T, Size>([&](int i) SUMFAC_LAMBDA { return detail::at_entry<Along>(from, e, c, a, b, i); });
}

// What takes the entries of a line of `to`, called with (i, number).
template <axis Along, class T, class To>
SUMFAC_INLINE auto write_line(To& to, int e, int c, int a, int b)
{
  if constexpr (requires { to.template write<Along>(e, c, a, b); })
    return to.template write<Along>(e, c, a, b);
  else
    return [&to, e, c, a, b](int i, T number) SUMFAC_LAMBDA {
      if constexpr (requires {
                      { to(0, 0, 0, 0, 0) } -> written_entry<T>;
                    })
        detail::at_entry<Along>(to, e, c, a, b, i) = number;
      else
        detail::at_entry<Along>(to, e, c, a, b, i, number);
    };
}

// to = table from, for all lines (e, c, a, b) of a box along an axis. A thread has its line in registers in between, so
// that `from` and `to` may be the same lines. No barrier follows.
//
// The table is one that contract() takes, of constants or kept, of any sizes; or a function of the line that returns
// one. Where the box has no components, (e, a, b), a thread works those of its line one after the other, Components of
// them. `prefetch` is stepped before each line.
// **Shapes** lines of `from` are Table::cols long, those of `to` Table::rows.
// **Errors** (compile time) `from` that is no readable_lines, `to` that is no writable_lines.
template <axis Along, int Components = 1, class Team, int... Extents, class Table, class From, class To,
          class Prefetch = no_prefetch const>
SUMFAC_INLINE void sweep(Team const& team, box<Extents...> lines, Table const& table, From&& from, To&& to,
                         Prefetch&& prefetch = {})
{
  using T = typename Team::scalar;
  constexpr bool reads = readable_lines<From, T, Along>, writes = writable_lines<To, T, Along>;
  static_assert(reads,
                "sumfac::sweep: from(e, c, z, y, x) is no number: `from` must give entries, or whole lines by "
                "read<Along>(e, c, a, b)");
  static_assert(writes,
                "sumfac::sweep: to(e, c, z, y, x) = number writes nothing, or cannot be said: `to` must return a "
                "reference, or what says by `using stands_for_reference = void` that it stands for one; or "
                "take the number, to(e, c, z, y, x, number); or have write<Along>(e, c, a, b)");
  // (Where it had to be inlined, g++ 12 would unroll what is around it, and be slower.)
  [[maybe_unused]] auto const line = [&](int e, int c, int a, int b) {
    if constexpr (reads && writes) {
      prefetch.step();
      if constexpr (requires { table(e, c, a, b); }) {
        auto const own = table(e, c, a, b);
        contract(own, read_line<Along, T, decltype(own)::cols>(from, e, c, a, b), write_line<Along, T>(to, e, c, a, b));
      } else {
        contract(table, read_line<Along, T, Table::cols>(from, e, c, a, b), write_line<Along, T>(to, e, c, a, b));
      }
    }
  };
  if constexpr (sizeof...(Extents) == 4)
    team.each(lines, line);
  else
    team.each(lines, [&](int e, int a, int b) {
      SUMFAC_UNROLL
      for (int c = 0; c < Components; ++c) line(e, c, a, b);
    });
}

// The sink that adds to an array.
template <class Array>
SUMFAC_INLINE auto added_to(Array& array)
{
  return [&array](int e, int c, int z, int y, int x, auto const& number)
             SUMFAC_LAMBDA { array(e, c, z, y, x) += number; };
}

// to = (A x A x A) from for a table A, of so many elements and components: along x, y and z where it makes more
// numbers, else along z, y and x; as many of them as there are directions. `between` holds what is between, and may be
// `to` where it makes more. A barrier follows each axis but the last.
// **Shapes** from (cols, cols, cols), to (rows, rows, rows), between (most, most, most), 1 in place of directions that
// are not there.
template <int Directions, int Elements = 1, int Components = 1, class Team, class Table, class From, class Between,
          class To>
SUMFAC_INLINE void sweep_all(Team const& team, Table const& table, From&& from, [[maybe_unused]] Between&& between,
                             To&& to)
{
  constexpr int rows = Table::rows, cols = Table::cols;
  constexpr bool has_z = Directions == 3, grows = rows > cols;
  constexpr axis highest = has_z ? axis::z : axis::y, first = grows ? axis::x : highest;
  constexpr axis last = grows ? highest : axis::x;
  if constexpr (Directions == 1) {
    sweep<axis::x>(team, box<Elements, Components, 1, 1>{}, table, from, to);
  } else {
    team.phase("along the first axis");
    sweep<first>(team, box < Elements, Components, has_z ? cols : 1, cols > {}, table, from, between);
    team.sync();
    if constexpr (has_z) {
      team.phase("along the second axis");
      sweep<axis::y>(team, box < Elements, Components, grows ? cols : rows, grows ? rows : cols > {}, table, between,
                     between);
      team.sync();
    }
    team.phase("along the last axis");
    sweep<last>(team, box < Elements, Components, has_z ? rows : 1, rows > {}, table, between, to);
  }
}

namespace detail {

// The numbers of an element in memory, with Nodes1d on a line along each axis.
template <int Nodes1d, class T>
struct numbers_in_cube {
  T* first;
  SUMFAC_INLINE T& operator()(int, int, int z, int y, int x) const { return first[(z * Nodes1d + y) * Nodes1d + x]; }
};

// An array from component `first` and plane z on.
template <class Array>
struct plane_of {
  Array& array;
  int first, z;
  SUMFAC_INLINE decltype(auto) operator()(int e, int c, int k, int y, int x) const
  {
    return array(e, first + c, z + k, y, x);
  }
};
template <class Array>
SUMFAC_FUNCTION plane_of(Array&, int, int) -> plane_of<Array>;

struct planes_from {
  int z;
  template <class Array>
  SUMFAC_INLINE plane_of<Array> operator()(Array& array) const
  {
    return {array, 0, z};
  }
};
struct all_planes {
  template <class Array>
  SUMFAC_INLINE Array& operator()(Array& array) const
  {
    return array;
  }
};

// Calls f(count, from) for Planes planes of constant z: all at once where a team has several threads; one after the
// other on the host, so that a plane stays in the first cache from a sweep to the next. from(array) has those planes.
template <int Planes, class Team, class Function>
SUMFAC_INLINE void in_planes(Team const&, Function const& f)
{
  if constexpr (Team::threads > 1)
    f(std::integral_constant<int, Planes>{}, all_planes{});
  else
    for (int k = 0; k < Planes; ++k) f(std::integral_constant<int, 1>{}, planes_from{k});
}

}  // namespace detail

}  // namespace sumfac
