// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What hangs of an element, in bits, and the table of a half; for hosts, and for kernels of devices.
#pragma once

#include <sumfac/config.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// A bit for each side and edge of an element that hangs, and for the half of the large element in which it lies along
// each direction.
struct element_mask {
  using bits = std::uint32_t;

  SUMFAC_FUNCTION static constexpr bits upper(int direction) { return bits{1} << direction; }
  SUMFAC_FUNCTION static constexpr bits side(int side) { return bits{8} << side; }
  // Ends: 0 or 1 along the other two directions, the lower one in bit 0.
  SUMFAC_FUNCTION static constexpr bits edge(int direction, int ends) { return bits{512} << (4 * direction + ends); }

  // What of an element has a line of nodes along a direction, which meets `low` of the lower other direction and `high`
  // of the higher one, each from 0 to end: a bit for each side and edge that it lies on.
  template <int Directions>
  SUMFAC_FUNCTION static constexpr bits at_line(int direction, int low, int high, int end)
  {
    int const lower = direction == 0 ? 1 : 0, higher = direction == 2 ? 1 : 2;
    bits at = 0;
    if (low == 0 || low == end) at |= side(2 * lower + (low == end ? 1 : 0));
    if constexpr (Directions == 3) {
      if (high == 0 || high == end) {
        at |= side(2 * higher + (high == end ? 1 : 0));
        if (low == 0 || low == end) at |= edge(direction, (low == end ? 1 : 0) + (high == end ? 2 : 0));
      }
    }
    return at;
  }
};

// The functions of a whole line at the nodes of its lower half, in a kernel; on a device in the constant bank.
// **Shapes** (n, n): at node r function c.
template <class Number, int Nodes1d>
struct half_table {
  static constexpr int rows = Nodes1d, cols = Nodes1d, parity = 0;

  Number entries[Nodes1d * Nodes1d] = {};

  // Entries that are Row and Col apart, as contract() takes the table and its transpose.
  template <int Row, int Col>
  struct strided {
    static constexpr int rows = Nodes1d, cols = Nodes1d, parity = 0;
    struct places {
      Number const* entries;
      SUMFAC_INLINE Number operator()(int r, int c) const { return entries[r * Row + c * Col]; }
    };
    places full;
  };
  SUMFAC_INLINE strided<Nodes1d, 1> forward() const { return {{entries}}; }
  SUMFAC_INLINE strided<1, Nodes1d> backward() const { return {{entries}}; }
};

}  // namespace sumfac::detail
