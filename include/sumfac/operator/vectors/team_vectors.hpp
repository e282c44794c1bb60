// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a device team of one or several elements reads u and writes v, E-vectors in global memory.
#pragma once

#include <sumfac/backend/detail/global_memory.hpp>
#include <sumfac/geometry/vectors/element_vector.hpp>
#include <sumfac/operator/vectors/footprint.hpp>
#include <sumfac/pencil/pencil.hpp>

namespace sumfac::inline SUMFAC_TARGET {

// u and v of the elements of one group: threads side by side take lines side by side.
//
// Entries are of type Number, the team computes in Scalar. A team behind the last element repeats it and stores
// nothing.
template <int Nodes1d, class Scalar, int Elements, class Number = Scalar>
struct team_vectors {
  static constexpr int elements = Elements;

  element_vector<Number const> u;
  element_vector<Number> v;
  footprint size = footprint::in_memory;  // all the same to devices

  SUMFAC_INLINE bool exists(index_t group, int e) const
  {
    return Elements == 1 || group * Elements + e < u.elements;
  }

  // A line of nodes of component c of element e of the group, along z or along y.
  SUMFAC_INLINE pencil<Scalar, Nodes1d> along_z(index_t group, int e, int c, int j, int i) const
  {
    return read(u.data + offset(u, group, e) + (c * u.stride_c + j * u.stride_j + i * u.stride_i), u.stride_k);
  }
  SUMFAC_INLINE pencil<Scalar, Nodes1d> along_y(index_t group, int e, int c, int k, int i) const
  {
    return read(u.data + offset(u, group, e) + (c * u.stride_c + k * u.stride_k + i * u.stride_i), u.stride_j);
  }

  // A line of v to write, called with (node, x); nothing is stored where the element does not exist.
  struct sink {
    Number* first;
    index_t stride;
    bool exists;
    SUMFAC_INLINE void operator()(int node, Scalar x) const
    {
      if (exists) store_once(static_cast<Number>(x), first + node * stride);
    }
  };

  SUMFAC_INLINE sink to_z(index_t group, int e, int c, int j, int i) const
  {
    return {v.data + offset(v, group, e) + (c * v.stride_c + j * v.stride_j + i * v.stride_i), v.stride_k,
            exists(group, e)};
  }
  SUMFAC_INLINE sink to_y(index_t group, int e, int c, int k, int i) const
  {
    return {v.data + offset(v, group, e) + (c * v.stride_c + k * v.stride_k + i * v.stride_i), v.stride_j,
            exists(group, e)};
  }

  // The threads in flight hide the memory's latency.
  static constexpr int lines_ahead = 0;

private:
  SUMFAC_INLINE static pencil<Scalar, Nodes1d> read(Number const* first, index_t stride)
  {
    return fetch<Scalar, Nodes1d>(
        [&](int i) SUMFAC_LAMBDA { return static_cast<Scalar>(load_constant(first + i * stride)); });
  }

  template <class T>
  SUMFAC_INLINE static index_t offset(element_vector<T> const& x, index_t group, int e)
  {
    index_t element = group * Elements + e;
    if (Elements > 1 && element >= x.elements) element = x.elements - 1;
    return x.width == 1 ? element * x.block_stride : x.offset(element);
  }
};

}  // namespace sumfac
