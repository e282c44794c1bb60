// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A group of elements in numbers of another type than the kernel computes in, and their conversion.
#pragma once

#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/pack.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// The entries of a kernel's group in packs of its numbers, and in packs of `RowWidth` numbers of the vectors.
//
// Where these are narrower than the kernel's packs, a group has several parts, one behind the other; where they are
// wider, it is one of the shares that a row of lanes consists of.
template <class Problem, int RowWidth>
struct mixed_rows {
  using number = typename Problem::number;
  using vector_number = typename Problem::vector_number;
  static constexpr int width = native_width<number>, row_width = RowWidth;
  static constexpr int parts = greater(1, width / row_width), shares = greater(1, row_width / width);
  static constexpr int of_trial = Problem::trial_side::entries_of_element;
  static constexpr int of_test = Problem::test_side::entries_of_element, entries = greater(of_trial, of_test);
  using packed = pack<number, width>;
  using row_pack = pack<vector_number, row_width>;

  template <class Team>
  struct scratch {
    typename Team::template shared<packed, entries> nodal;           // u, then v of the group
    typename Team::template shared<row_pack, parts * entries> rows;  // the same as numbers of the vectors
  };

  // From rows to the kernel's numbers, u; `share` of the rows' lanes.
  template <class Scratch>
  SUMFAC_INLINE static void load(Scratch& s, vector_number const* rows, int share)
  {
    for_each_piece(s, rows, share, of_trial, [](number* nodal, vector_number const* row) SUMFAC_LAMBDA {
      load_as<pack<number, piece>>(row).store(nodal);
    });
  }

  // And back, v.
  template <class Scratch>
  SUMFAC_INLINE static void store(Scratch& s, vector_number* rows, int share)
  {
    for_each_piece(s, rows, share, of_test, [](number const* nodal, vector_number* row) SUMFAC_LAMBDA {
      store_as(pack<number, piece>::load(nodal), row);
    });
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
        f(nodal + p * width + part * piece, rows + (part * entries + p) * row_width);
    }
  }
};

}  // namespace sumfac::detail
