// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of a restriction as a device's threads read it, and where they add.
#pragma once

#include <sumfac/backend/detail/atomic_add.hpp>
#include <sumfac/backend/detail/global_memory.hpp>
#include <sumfac/config.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// For each node of each element the number of its entry of x, and where what is added to it goes. Copied into kernels.
//
// Where sums are to be reproducible, what the elements of a node have waits in `work`, node by node, for a second
// kernel; a node of one element alone is written at once.
// **Shapes** numbers, targets (E, C or 1, n^3); work (C, slots).
template <class Scalar>
struct device_table {
  static constexpr std::uint32_t dropped = ~std::uint32_t{0};     // reads as 0 and is not added
  static constexpr std::uint32_t alone = std::uint32_t{1} << 31;  // in targets: the node of one element; else a slot

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
    std::uint32_t const node = load_constant(numbers + place(e, c, p));
    return node == dropped ? Scalar(0) : load_constant(x + node * step + c * stride);
  }

  // Adds v to y, or leaves it in `work` to be added up later.
  SUMFAC_INLINE void add(Scalar* y, index_t e, int c, int p, Scalar v) const
  {
    std::uint32_t const target = load_constant(targets + place(e, c, p));
    if (target == dropped) return;
    if (work == nullptr) {
      atomic_add(y + (target * step + c * stride), v);
    } else if ((target & alone) == 0) {
      work[c * work_stride + target] = v;
    } else {
      Scalar* const to = y + ((target & ~alone) * step + c * stride);
      *to = adds ? *to + v : v;
    }
  }

private:
  SUMFAC_INLINE index_t place(index_t e, int c, int p) const { return e * element_stride + c * component_stride + p; }
};

}  // namespace sumfac::detail
