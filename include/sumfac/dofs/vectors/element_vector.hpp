// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// E-vectors of any layout, reduced to one run-time description, so that a kernel is compiled once for all of them.
#pragma once

#include <sumfac/basis/space.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Where the entries of an E-vector lie: entry (e, c, k, j, i) is data[offset(e) + c stride_c + ... + i stride_i].
//
// Elements come in blocks of `width` side by side (1 where the layout does not interleave).
template <class T>
struct element_vector {
  T* data = nullptr;
  index_t elements = 0;
  index_t width = 1, block_stride = 0, lane_stride = 0;
  index_t stride_c = 0, stride_k = 0, stride_j = 0, stride_i = 0;

  SUMFAC_INLINE index_t offset(index_t e) const { return e / width * block_stride + e % width * lane_stride; }

  // Distance of an element from the next, where that is the same throughout a block.
  index_t lane_step() const { return width > 1 ? lane_stride : block_stride; }

  SUMFAC_INLINE T& operator()(index_t e, index_t c, index_t k, index_t j, index_t i) const
  {
    return data[offset(e) + c * stride_c + k * stride_k + j * stride_j + i * stride_i];
  }

  // Whether the nodes of an element are in row order with `step` entries from each to the next.
  bool in_rows(index_t components, node_box const& nodes, index_t step) const
  {
    return stride_i == step && (nodes.y == 1 || stride_j == step * nodes.x) &&
           (nodes.z == 1 || stride_k == stride_j * nodes.y) && (components == 1 || stride_c == step * nodes.all());
  }

  // Whether the elements, in row order, lie one behind the other, as in a whole view of layout_right.
  template <int Components, int NodesPerEdge>
  bool is_packed() const
  {
    return width == 1 && block_stride == Components * NodesPerEdge * NodesPerEdge * NodesPerEdge &&
           in_rows(Components, node_box(NodesPerEdge, 3), 1);
  }
};

// The same, to be read alone.
template <class T>
element_vector<T const> constant_entries(element_vector<T> const& u)
{
  return {u.data, u.elements, u.width, u.block_stride, u.lane_stride, u.stride_c, u.stride_k, u.stride_j, u.stride_i};
}

}  // namespace sumfac::detail
