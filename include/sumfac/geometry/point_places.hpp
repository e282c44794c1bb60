// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Places and weights of a rule's points in one direction, as kernels that recompute geometry use them.
#pragma once

#include <sumfac/basis/quadrature.hpp>
#include <sumfac/config.hpp>

#include <cstddef>

namespace sumfac {

// An object that travels with a kernel: a device's threads index it by numbers of their own.
template <class S, class Points>
struct point_places {
  static constexpr int size = Points::size;

  S nodes[size], weights[size];

  constexpr point_places() : nodes{}, weights{}
  {
    for (std::size_t i = 0; i < std::size_t{size}; ++i) {
      nodes[i] = static_cast<S>(Points::nodes[i]);
      weights[i] = static_cast<S>(Points::weights[i]);
    }
  }

  // Point i, where i is a constant: a symmetric rule's points are known in pairs then, which share what is even.
  SUMFAC_INLINE S node(int i) const
  {
    if constexpr (is_symmetric<Points>)
      return 2 * i + 1 > size ? -nodes[size - 1 - i] : nodes[i];
    else
      return nodes[i];
  }
  SUMFAC_INLINE S weight(int i) const
  {
    if constexpr (is_symmetric<Points>)
      return weights[2 * i + 1 > size ? size - 1 - i : i];
    else
      return weights[i];
  }
};

}  // namespace sumfac
