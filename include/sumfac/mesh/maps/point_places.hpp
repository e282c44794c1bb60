// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Places and weights of a rule's points in one direction, as kernels that recompute geometry use them.
#pragma once

#include <sumfac/basis/quadrature.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// An object that travels with a kernel: a device's threads index it by numbers of their own.
template <class Scalar, class Points>
struct point_places {
  static constexpr int size = Points::size;

  Scalar nodes[size], weights[size];

  constexpr point_places() : nodes{}, weights{}
  {
    for (std::size_t i = 0; i < std::size_t{size}; ++i) {
      nodes[i] = static_cast<Scalar>(Points::nodes[i]);
      weights[i] = static_cast<Scalar>(Points::weights[i]);
    }
  }

  // Of point i, where i is a constant once loops are unrolled: so is the result then, on the host. A symmetric rule's
  // points are known in pairs, which share what is even in them.
  SUMFAC_INLINE Scalar node(int i) const { return mirrored(i) ? -own().nodes[size - 1 - i] : own().nodes[i]; }
  SUMFAC_INLINE Scalar weight(int i) const { return own().weights[mirrored(i) ? size - 1 - i : i]; }

private:
  SUMFAC_INLINE static constexpr bool mirrored(int i) { return is_symmetric_rule<Points> && 2 * i + 1 > size; }

  SUMFAC_INLINE point_places const& own() const;
};

template <class Scalar, class Points>
inline constexpr point_places<Scalar, Points> places_of{};

template <class Scalar, class Points>
SUMFAC_INLINE point_places<Scalar, Points> const& point_places<Scalar, Points>::own() const
{
#if SUMFAC_ON_DEVICE
  return *this;
#else
  return places_of<Scalar, Points>;
#endif
}

}  // namespace sumfac::detail
