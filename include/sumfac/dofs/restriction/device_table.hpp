// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of a restriction as a device's threads read it, and where they add.
#pragma once

#include <sumfac/backend/detail/atomic_add.hpp>
#include <sumfac/backend/detail/global_memory.hpp>
#include <sumfac/dofs/dof_map.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// A term of a constraint row, and where what is added to it goes.
template <class Scalar>
struct device_term {
  std::uint32_t number, target;
  int component;
  Scalar weight;
};

// The terms of each place that has a row with some; without such rows nothing.
template <class Scalar, bool HasRows>
struct device_rows {};
template <class Scalar>
struct device_rows<Scalar, true> {
  index_t const* row_begin = nullptr;
  device_term<Scalar> const* terms = nullptr;
};

// For each place of each element the number of its entry of x, and where what is added to it goes. Copied into kernels.
//
// Where sums are to be reproducible, what the elements of a node have waits in `work`, node by node, for a second
// kernel; a node of one element alone is written at once.
// **Shapes** numbers, targets (E, C or 1, n^3); work (C, slots).
template <class Scalar, dof_extras Extras = dof_extras{}>
struct device_table : device_rows<Scalar, Extras.rows> {
  static constexpr std::uint32_t dropped = ~std::uint32_t{0};     // reads as 0 and is not added
  static constexpr std::uint32_t alone = std::uint32_t{1} << 31;  // in targets: the node of one element; else a slot
  static constexpr std::uint32_t row = alone;                     // a row with terms; no node is alone beside rows
  static constexpr std::uint32_t minus = Extras.signs ? std::uint32_t{1} << 30 : 0;  // in both: minus the entry

  std::uint32_t const* numbers = nullptr;
  std::uint32_t const* targets = nullptr;
  index_t elements = 0, nodes_of_element = 0;
  index_t component_stride = 0, element_stride = 0;  // of numbers and targets
  index_t step = 1, stride = 0;                      // component c of node i is x[i * step + c * stride]
  Scalar* work = nullptr;
  index_t work_stride = 0;
  bool adds = false;  // to y, where that is written at once

  SUMFAC_INLINE Scalar read(Scalar const* x, index_t e, int c, int p) const
  {
    std::uint32_t const number = load_constant(numbers + place(e, c, p));
    if constexpr (Extras.rows)
      if (number != dropped && (number & row) != 0) {
        Scalar sum = 0;
        for_each_term(number, [&](auto const& t) {
          sum += t.weight * load_constant(x + (t.number * step + t.component * stride));
        });
        return turned(number, sum);
      }
    return number == dropped ? Scalar(0) : turned(number, load_constant(x + ((number & ~minus) * step + c * stride)));
  }

  // What an element adds at a place goes to: an entry of y, a slot, or the terms of a row.
  SUMFAC_INLINE std::uint32_t target(index_t e, int c, int p) const
  {
    return load_constant_here(targets + place(e, c, p));
  }

  // Adds v to y, or leaves it in `work` to be added up later.
  SUMFAC_INLINE void add_at(std::uint32_t target, Scalar* y, int c, Scalar v) const
  {
    if (target == dropped) return;
    if constexpr (Extras.rows)
      if ((target & row) != 0) {
        for_each_term(target, [&](auto const& t) { put(y, t.component, t.target, turned(target, t.weight * v)); });
        return;
      }
    put(y, c, target & ~minus, turned(target, v));
  }
  SUMFAC_INLINE void add(Scalar* y, index_t e, int c, int p, Scalar v) const { add_at(target(e, c, p), y, c, v); }

private:
  SUMFAC_INLINE index_t place(index_t e, int c, int p) const { return e * element_stride + c * component_stride + p; }

  SUMFAC_INLINE static Scalar turned(std::uint32_t number, Scalar a) { return (number & minus) != 0 ? -a : a; }

  template <class Function>
  SUMFAC_INLINE void for_each_term(std::uint32_t number, Function const& f) const
  {
    index_t const* const begin = this->row_begin + (number & ~(row | minus));
    for (index_t i = begin[0]; i < begin[1]; ++i) f(this->terms[i]);
  }

  SUMFAC_INLINE void put(Scalar* y, int c, std::uint32_t target, Scalar v) const
  {
    if (work == nullptr) {
      atomic_add(y + (target * step + c * stride), v);
    } else {
      bool const own = !Extras.rows && (target & alone) != 0;
      Scalar* const to = own ? y + ((target & ~alone) * step + c * stride) : work + (c * work_stride + target);
      *to = own && adds ? *to + v : v;
    }
  }
};

}  // namespace sumfac::detail
