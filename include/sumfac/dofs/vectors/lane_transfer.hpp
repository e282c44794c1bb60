// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A group of elements between an E-vector of any layout and packs, a lane for each element.
#pragma once

#include <sumfac/dofs/vectors/element_vector.hpp>
#include <sumfac/math/pack.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// The entries of Width elements, first .. first + Width - 1 of x or any others, which hold `components` fields of their
// nodes.
//
// Shapes are run-time numbers, so that all operators of a scalar type share this code. Lanes behind the last element
// repeat it on the way in and are dropped on the way out.
template <class T, int Width>
class lane_transfer {
public:
  using scalar = std::remove_const_t<T>;
  using packed = pack<scalar, Width>;

  lane_transfer(element_vector<T> const& x, index_t first, int components, node_box const& nodes)
      : x_(x), components_(components), box_(nodes), nodes_(components * nodes.all())
  {
    index_t const left = x.elements - first;
    count_ = left < Width ? static_cast<int>(left) : Width;
    for (int l = 0; l < Width; ++l) lane_[l] = x.data + x.offset(first + (l < count_ ? l : count_ - 1));
  }

  lane_transfer(element_vector<T> const& x, index_t const (&elements)[Width], int components, node_box const& nodes)
      : x_(x), components_(components), box_(nodes), nodes_(components * nodes.all()), count_(Width)
  {
    for (int l = 0; l < Width; ++l)
      lane_[l] = x.data + (x.width == 1 ? elements[l] * x.block_stride : x.offset(elements[l]));
  }

  // to (components, n, n, n)
  __attribute__((noinline)) void gather(packed* to) const
  {
    scalar* const numbers = reinterpret_cast<scalar*>(to);
    if (in_rows()) {
      for_each_block(
          [&](int p) {
            packed block[Width];
            SUMFAC_UNROLL
            for (int l = 0; l < Width; ++l) block[l] = packed::load(lane_[l] + p);
            transpose(block);
            SUMFAC_UNROLL
            for (int l = 0; l < Width; ++l) to[p + l] = block[l];
          },
          [&](int p) {
            for (int l = 0; l < Width; ++l) numbers[p * Width + l] = lane_[l][p];
          });
    } else if (side_by_side()) {
      for_each_node([&](int p, index_t at) { to[p] = packed::load(lane_[0] + at); });
    } else {
      for_each_node([&](int p, index_t at) {
        for (int l = 0; l < Width; ++l) numbers[p * Width + l] = lane_[l][at];
      });
    }
  }

  // from (components, n, n, n). Where x is one long row, v goes past the caches if `streaming`, through `rows`, which
  // has room for as many packs.
  __attribute__((noinline)) void scatter(packed const* from, packed* rows, bool streaming) const
  {
    if (in_rows()) {
      bool const one_row = streaming && count_ == Width && x_.width == 1 && x_.block_stride == nodes_;
      scalar* const row = reinterpret_cast<scalar*>(rows);
      scalar* to[Width];
      for (int l = 0; l < Width; ++l) to[l] = one_row ? row + l * nodes_ : lane_[l];
      for_each_block(
          [&](int p) {
            packed block[Width];
            SUMFAC_UNROLL
            for (int l = 0; l < Width; ++l) block[l] = from[p + l];
            transpose(block);
            SUMFAC_UNROLL
            for (int l = 0; l < Width; ++l)
              if (l < count_) block[l].store(to[l] + p);
          },
          [&](int p) {
            for (int l = 0; l < count_; ++l) to[l][p] = from[p][l];
          });
      if (one_row) stream_rows(row);
    } else if (side_by_side()) {
      for_each_node([&](int p, index_t at) { from[p].store(lane_[0] + at); });
    } else {
      for_each_node([&](int p, index_t at) {
        for (int l = 0; l < count_; ++l) lane_[l][at] = from[p][l];
      });
    }
  }

private:
  bool in_rows() const { return x_.in_rows(components_, box_, 1); }

  // Whether the same node of the Width elements is one register's load away.
  bool side_by_side() const
  {
    if (count_ != Width || x_.lane_step() != 1) return false;
    for (int l = 1; l < Width; ++l)
      if (lane_[l] - lane_[0] != l) return false;
    return true;
  }

  // Calls f(p, offset) for node p of an element, `offset` entries from its first.
  template <class Function>
  void for_each_node(Function f) const
  {
    int p = 0;
    for (int c = 0; c < components_; ++c)
      for (int k = 0; k < box_.z; ++k)
        for (int j = 0; j < box_.y; ++j) {
          index_t const row = c * x_.stride_c + k * x_.stride_k + j * x_.stride_j;
          for (int i = 0; i < box_.x; ++i, ++p) f(p, row + i * x_.stride_i);
        }
  }

  // Calls block(p) for the nodes p .. p + Width - 1, of which the last have some once more, or node(p) where an element
  // has fewer.
  template <class Block, class Node>
  void for_each_block(Block const& block, Node const& node) const
  {
    if (nodes_ < Width) {
      for (int p = 0; p < nodes_; ++p) node(p);
    } else {
      int p = 0;
      for (; p + Width <= nodes_; p += Width) block(p);
      if (p < nodes_) block(nodes_ - Width);
    }
  }

  // Writes the Width nodes_ numbers at `rows` past the caches, but for the ends that do not fill a register.
  void stream_rows(scalar const* rows) const
  {
    index_t const size = index_t{Width} * nodes_;
    scalar* const to = lane_[0];
    index_t i = 0;
    for (; i < size && reinterpret_cast<std::uintptr_t>(to + i) % sizeof(packed) != 0; ++i) to[i] = rows[i];
    for (; i + Width <= size; i += Width) stream(packed::load(rows + i), to + i);
    for (; i < size; ++i) to[i] = rows[i];
  }

  element_vector<T> const& x_;
  int components_;
  node_box box_;
  int nodes_, count_ = 0;
  T* lane_[Width];
};

}  // namespace sumfac::detail
