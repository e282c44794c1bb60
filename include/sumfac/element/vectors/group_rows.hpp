// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A group of elements in the numbers that a kernel computes in, and in those of the vectors where these are others.
#pragma once

#include <sumfac/basis/space.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/pack.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// An array of a team's memory: of so many entries; or, of `dynamic`, where they are, which `each_array` of the kernel
// says of as many as there are at run time.
template <class T>
struct array_at {
  T* entries;
};
template <class Team, class T, int Size>
struct array_in {
  using type = typename Team::template shared<T, Size>;
};
template <class Team, class T>
struct array_in<Team, T, dynamic> {
  using type = array_at<T>;
};
template <class Team, class T, int Size>
using array_of = typename array_in<Team, T, Size>::type;

// Packs in an E-vector's own order: (c, k, j, i), i fastest; or, with row_step 0, one row for all j.
template <class Pack, class Side>
struct pack_cube {
  static constexpr int n = Side::nodes_1d, plane = n * Side::nodes_y;

  Pack* packs;
  int row_step = n;
  SUMFAC_INLINE Pack& operator()(int c, int k, int j, int i) const
  {
    return packs[(c * Side::nodes_z + k) * plane + j * row_step + i];
  }
};

// The same in one row of so many nodes.
template <class Pack, class Side>
  requires(Side::nodes_1d == dynamic)
struct pack_cube<Pack, Side> {
  Pack* packs;
  int nodes;
  SUMFAC_INLINE Pack& operator()(int c, int, int, int i) const { return packs[c * nodes + i]; }
};

// The entries of a kernel's group in packs of its numbers, and as rows: packs of `RowWidth` numbers of the vectors.
// Where numbers are the same, rows are the packs.
//
// Where rows are narrower than the kernel's packs, a group has several parts, one behind the other; where they are
// wider, it is one of the shares that a row of lanes consists of.
template <class Problem, int RowWidth>
struct group_rows {
  using number = typename Problem::number;
  using vector_number = typename Problem::vector_number;
  static constexpr bool mixed = !std::is_same_v<number, vector_number>;
  static constexpr int width = native_width<number>, row_width = RowWidth;
  static constexpr int parts = greater(1, width / row_width), shares = greater(1, row_width / width);
  static constexpr int of_trial = Problem::trial_side::entries_of_element;
  static constexpr int of_test = Problem::test_side::entries_of_element, entries = greater(of_trial, of_test);
  static constexpr int most_components = Problem::most_components;
  using packed = pack<number, width>;
  using row_pack = pack<vector_number, row_width>;

  struct none {};
  template <class Team>
  struct scratch {
    array_of<Team, packed, entries> nodal;  // u, then v of the group
    SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<mixed, array_of<Team, row_pack, parts * entries>, none>
        numbers;  // the same as numbers of the vectors
    SUMFAC_NO_UNIQUE_ADDRESS typename Problem::sizes_type sizes;
  };
  template <class Scratch, class Function>
  static void each_array(Scratch& s, typename Problem::sizes_type const& sizes, Function const& f)
  {
    s.sizes = sizes;
    f(s.nodal, entries_of(s));
    if constexpr (mixed) f(s.numbers, parts * entries_of(s));
  }

  // Entries of u or v of an element, or the more of them.
  template <class Scratch>
  SUMFAC_INLINE static int entries_of(Scratch const& s, int known = entries, int components = most_components)
  {
    return known_or(known, components * s.sizes.functions);
  }

  // Where rows are gathered.
  template <class Scratch>
  SUMFAC_INLINE static row_pack* rows(Scratch& s)
  {
    if constexpr (mixed)
      return s.numbers.entries;
    else
      return s.nodal.entries;
  }

  // u in the kernel's numbers, of a share of the lanes of rows.
  template <class Scratch>
  SUMFAC_INLINE static packed const* load(Scratch& s, row_pack const* from, int share)
  {
    if constexpr (!mixed) return from;
    if constexpr (mixed) {
      for_each_piece(s, reinterpret_cast<vector_number const*>(from), share,
                     entries_of(s, of_trial, Problem::trial_side::components),
                     [](number* nodal, vector_number const* row)
                         SUMFAC_LAMBDA { load_as<pack<number, piece>>(row).store(nodal); });
      return s.nodal.entries;
    }
  }

  // And back: the rows of v.
  template <class Scratch>
  SUMFAC_INLINE static row_pack* store(Scratch& s, int share)
  {
    if constexpr (mixed)
      for_each_piece(s, reinterpret_cast<vector_number*>(rows(s)), share,
                     entries_of(s, of_test, Problem::test_side::components),
                     [](number const* nodal, vector_number* row)
                         SUMFAC_LAMBDA { store_as(pack<number, piece>::load(nodal), row); });
    return rows(s);
  }

private:
  // Lanes that lie together both in a pack and in a row.
  static constexpr int piece = lesser(width, row_width);

  // Calls f(nodal, row) for the places of each piece of so many entries.
  template <class Scratch, class Row, class Function>
  SUMFAC_INLINE static void for_each_piece(Scratch& s, Row* rows, int share, int count, Function const& f)
  {
    auto* const nodal = reinterpret_cast<number*>(s.nodal.entries);
    rows += share * width;
    for (int p = 0; p < count; ++p) {
      SUMFAC_UNROLL
      for (int part = 0; part < parts; ++part)
        f(nodal + p * width + part * piece, rows + (part * entries_of(s) + p) * row_width);
    }
  }
};

}  // namespace sumfac::detail
