// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A team applies one table to many lines of an array, each thread to its own.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/tensor/pencil.hpp>

namespace sumfac::SUMFAC_TARGET {

enum class axis { x, y, z };

// The lines of a team's array (e, c, z, y, x) along one axis. A line is named by element, component, and where it meets
// the slower (a) and the faster (b) of the other axes.
template <axis Along, class Array>
struct lines_of {
  Array& array;

  SUMFAC_INLINE decltype(auto) entry(int e, int c, int a, int b, int i) const
  {
    if constexpr (Along == axis::x)
      return array(e, c, a, b, i);
    else if constexpr (Along == axis::y)
      return array(e, c, a, i, b);
    else
      return array(e, c, i, a, b);
  }

  template <class T, int Size>
  SUMFAC_INLINE pencil<T, Size> read(int e, int c, int a, int b) const
  {
    return fetch<T, Size>([&](int i) SUMFAC_LAMBDA { return entry(e, c, a, b, i); });
  }
  template <class T>
  SUMFAC_INLINE auto write(int e, int c, int a, int b) const
  {
    return [=, *this](int i, T x) SUMFAC_LAMBDA { entry(e, c, a, b, i) = x; };
  }
};

template <axis Along, class Array>
SUMFAC_INLINE lines_of<Along, Array> lines_along(Array& array)
{
  return {array};
}

// Lines that are added to where others are written.
template <class Lines>
struct added_to {
  Lines lines;

  template <class T>
  SUMFAC_INLINE auto write(int e, int c, int a, int b) const
  {
    return [=, *this](int i, T x) SUMFAC_LAMBDA { lines.entry(e, c, a, b, i) += x; };
  }
};
template <class Lines>
SUMFAC_INLINE added_to<Lines> add_to(Lines const& lines)
{
  return {lines};
}

// to = table from, for the lines (e, c, a, b) of a box; a thread has its line in registers in between, so that `from`
// and `to` may be the same lines.
//
// The host's kernel has loops of its own: between lines it prefetches what comes next, and ends rows of u and v.
//
// Where the box has no components, (e, a, b), a thread works those of its line one after the other, Components of them.
// **Shapes** lines of `from` are Table::cols long, those of `to` Table::rows.
template <int Components = 1, class Team, int... Extents, class Table, class From, class To>
SUMFAC_INLINE void contract_lines(Team const& team, box<Extents...> which, Table table, From const& from, To const& to)
{
  using T = typename Team::scalar;
  auto const line = [&](int e, int c, int a, int b) SUMFAC_LAMBDA {
    contract(table, from.template read<T, Table::cols>(e, c, a, b), to.template write<T>(e, c, a, b));
  };
  if constexpr (sizeof...(Extents) == 4) {
    team.each(which, [&](int e, int c, int a, int b) { line(e, c, a, b); });
  } else {
    team.each(which, [&](int e, int a, int b) {
      SUMFAC_UNROLL
      for (int c = 0; c < Components; ++c) line(e, c, a, b);
    });
  }
}

}  // namespace sumfac
