// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Entries of E-vectors of any layout, one by one, on the host and on devices.
#pragma once

#include <sumfac/dofs/vectors/element_vector.hpp>
#include <sumfac/mesh/maps/element_group.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Node p, x fastest, of the elements of a group, which has one for each lane of T. Lanes behind the last element repeat
// it, and are not written.
template <class T, int NodesPerEdge>
struct lane_entries {
  static constexpr int width = width_of<T>, n = NodesPerEdge;

  index_t group;

  template <class Number>
  SUMFAC_INLINE index_t element(element_vector<Number> const& of, int lane) const
  {
    index_t const e = group * width + lane;
    return e < of.elements ? e : of.elements - 1;
  }
  template <class Number>
  SUMFAC_INLINE T read(element_vector<Number> const& u, int c, int p) const
  {
    T x{};
    for (int l = 0; l < width; ++l) set_lane(x, l, entry(u, element(u, l), c, p));
    return x;
  }
  template <class Number>
  SUMFAC_INLINE void write(element_vector<Number> const& v, int c, int p, T const& x) const
  {
    for (int l = 0; l < width && group * width + l < v.elements; ++l) entry(v, group * width + l, c, p) = lane_of(x, l);
  }

private:
  template <class Number>
  SUMFAC_INLINE static Number& entry(element_vector<Number> const& v, index_t e, int c, int p)
  {
    return v(e, c, p / (n * n), p / n % n, p % n);
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
