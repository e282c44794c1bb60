// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Factors of a contraction copied to where SIMD reads them: rows of one cell, or cells in lanes.
#pragma once

#include <sumfac/contract/contraction.hpp>
#include <sumfac/contract/register_block.hpp>
#include <sumfac/math/pack.hpp>

namespace sumfac::detail {

// The offsets of the contracted index in one factor, in the order of the sum.
struct contracted_offsets {
  index_t const* offset;
  bool is_run;  // 0, 1, 2, ...

  SUMFAC_INLINE index_t operator[](index_t k) const { return offset[k]; }
};

template <class Sum, class T>
contracted_offsets make_offsets(Sum const& sum, contraction_operand<T> const& x, index_t* offset)
{
  index_t k = 0;
  bool is_run = true;
  for (index_t i = 0; i < sum.n0; ++i)
    for (index_t j = 0; j < sum.n1; ++j)
      for (index_t l = 0; l < sum.n2; ++l, ++k) {
        offset[k] = x.inner(i, j, l);
        is_run = is_run && offset[k] == k;
      }
  return {offset, is_run};
}

struct index_interval {
  index_t first, last;
  SUMFAC_INLINE index_t size() const { return last - first; }
};

// to(row, k) = x(cell, row, k) for k in an interval, rows packed densely.
template <class T, class U>
void gather_rows(contraction_operand<T> const& x, contracted_offsets k, index_t cell, index_t rows, index_interval part,
                 U* to)
{
  for (index_t row = 0; row < rows; ++row) {
    T* const from = x.at(cell) + row * x.row;
    for (index_t i = part.first; i < part.last; ++i) *to++ = static_cast<U>(from[k[i]]);
  }
}

// to(row, k) = a pack of x(cell .. cell + count - 1, row, k); lanes from count on are zero.
template <class T, class V>
void gather_some_lanes(contraction_operand<T> const& x, contracted_offsets k, index_t cell, index_t count, index_t rows,
                       index_interval part, V* to)
{
  for (index_t i = 0; i < rows * part.size(); ++i) to[i] = V{};
  for (int lane = 0; lane < count; ++lane)
    for (index_t row = 0; row < rows; ++row) {
      T* const from = x.at(cell + lane) + row * x.row;
      V* const into = to + row * part.size();
      for (index_t i = part.first; i < part.last; ++i)
        into[i - part.first].set(lane, static_cast<scalar_of<V>>(from[k[i]]));
    }
}

// The same for whole packs of cells that lie in rows of contiguous k: transposed in registers.
template <class T, class V>
void transpose_to_lanes(contraction_operand<T> const& x, index_t cell, index_t rows, index_interval part, V* to)
{
  constexpr int W = V::width;
  T* from[W];
  for (int lane = 0; lane < W; ++lane) from[lane] = x.at(cell + lane) + part.first;
  for (index_t row = 0; row < rows; ++row, to += part.size()) {
    index_t k = 0;
    for (; k + W <= part.size(); k += W) {
      V block[W];
      SUMFAC_UNROLL
      for (int lane = 0; lane < W; ++lane) block[lane] = load_as<V>(from[lane] + row * x.row + k);
      transpose(block);
      SUMFAC_UNROLL
      for (int i = 0; i < W; ++i) to[k + i] = block[i];
    }
    for (; k < part.size(); ++k)
      for (int lane = 0; lane < W; ++lane) to[k].set(lane, static_cast<scalar_of<V>>(from[lane][row * x.row + k]));
  }
}

// to(group, row, k) = a pack of x(cell + group W + lane, row, k), for `groups` packs of cells, the last of which may be
// filled in part.
template <class T, class V>
void gather_lanes(contraction_operand<T> const& x, contracted_offsets k, index_interval cells, index_t rows,
                  index_interval part, V* to)
{
  constexpr int W = V::width, most = 16;
  index_t const size = rows * part.size(), whole = cells.size() / W;
  if (x.is_adjacent(W) && whole <= most) {
    index_t start[most];
    for (index_t g = 0; g < whole; ++g) start[g] = x.cell_offset(cells.first + g * W);
    for (index_t row = 0; row < rows; ++row)
      for (index_t i = part.first; i < part.last; ++i) {
        T* const from = x.data + row * x.row + k[i];
        V* const into = to + row * part.size() + i - part.first;
        for (index_t g = 0; g < whole; ++g) into[g * size] = load_as<V>(from + start[g]);
      }
  } else {
    for (index_t g = 0; g < whole; ++g) {
      if (k.is_run)
        transpose_to_lanes(x, cells.first + g * W, rows, part, to + g * size);
      else
        gather_some_lanes(x, k, cells.first + g * W, W, rows, part, to + g * size);
    }
  }
  if (cells.size() % W != 0)
    gather_some_lanes(x, k, cells.first + whole * W, cells.size() % W, rows, part, to + whole * size);
}

}  // namespace sumfac::detail
