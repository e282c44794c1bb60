// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of a restriction as a device's threads read it, and where they add.
#pragma once

#include <sumfac/backend/detail/atomic_add.hpp>
#include <sumfac/backend/detail/global_memory.hpp>
#include <sumfac/config.hpp>

#include <cstdint>

namespace sumfac::inline SUMFAC_TARGET::detail {

// For each node of each element the number of its entry of x. Copied into kernels.
//
// **Shapes** numbers (E, C or 1, n^3); work, where sums are to be reproducible, (C, E, n^3).
template <class Scalar>
struct device_table {
  static constexpr std::uint32_t dropped = ~std::uint32_t{0};  // reads as 0 and is not added

  std::uint32_t const* numbers = nullptr;
  index_t elements = 0, nodes_of_element = 0;
  index_t component_stride = 0, element_stride = 0;  // of numbers
  index_t step = 1, stride = 0;                      // component c of node i is x[i * step + c * stride]
  Scalar* work = nullptr;

  SUMFAC_INLINE std::uint32_t number(index_t e, int c, int p) const
  {
    return load_constant(numbers + e * element_stride + c * component_stride + p);
  }

  SUMFAC_INLINE Scalar read(Scalar const* x, index_t e, int c, int p) const
  {
    std::uint32_t const node = number(e, c, p);
    return node == dropped ? Scalar(0) : load_constant(x + node * step + c * stride);
  }

  // Adds v to y, or leaves it in `work` to be added up later.
  SUMFAC_INLINE void add(Scalar* y, index_t e, int c, int p, Scalar v) const
  {
    std::uint32_t const node = number(e, c, p);
    if (work != nullptr)
      work[(c * elements + e) * nodes_of_element + p] = node == dropped ? Scalar(0) : v;
    else if (node != dropped)
      atomic_add(y + (node * step + c * stride), v);
  }
};

}  // namespace sumfac::detail
