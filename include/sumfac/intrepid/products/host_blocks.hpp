// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// All left rows times all right rows of a contraction on the CPU, block after block of registers.
#pragma once

#include <sumfac/backend/detail/host_tuning.hpp>
#include <sumfac/intrepid/products/contraction.hpp>
#include <sumfac/intrepid/products/gather.hpp>
#include <sumfac/intrepid/products/register_block.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// How many left and right rows meet in registers, of which AVX-512 has twice as many, and into how many sums a single
// pair is split.
struct host_block {
  int left = tuned_host.left_rows, right = 4, sums = 1;
};

// Whether rows pass by whole, or in tiles that stay in the caches.
enum class host_tiles { none, cached };

// One of the parts into which a long contraction is cut: of each row the entries first .. last - 1.
struct row_part {
  int number, count;
  index_t first, last;

  // The parts of rows of `length` entries of `bytes` each, so short that a block's rows stay in the first cache.
  static int count_of(index_t length, index_t bytes)
  {
    constexpr index_t most_bytes = 2048;
    return length * bytes <= most_bytes ? 1 : static_cast<int>((length * bytes + most_bytes - 1) / most_bytes);
  }

  // Its length is a multiple of `multiple`, but for the last.
  row_part(index_t length, int number_of_it, int parts, index_t multiple) : number(number_of_it), count(parts)
  {
    index_t const share = (length + parts * multiple - 1) / (parts * multiple) * multiple;
    first = number * share < length ? number * share : length;
    last = (number + 1) * share < length ? (number + 1) * share : length;
  }

  index_t size() const { return last - first; }
};

// Rows that are not cut.
struct whole_rows {
  static constexpr int number = 0, count = 1;
};

// Multiplies rows of entries, or of packs of cells, lane by lane. Sums begin at zero in the first part, rest in
// `partial` (left rows, right rows) between parts, and go, a block of them, to finish(l, r, sums) after the last.
template <class Scalar, host_block Block>
class host_blocks {
  static constexpr int simd_width = native_width<Scalar>;
  using lanes = pack<Scalar, simd_width>;
  template <class T>
  using rows = factor_rows<T>;

public:
  // For parts of rows of up to so many entries of type Left and Right.
  template <class Left, class Right>
  static host_blocks of_rows(index_t left_rows, index_t right_rows, index_t length, host_tiles tiles)
  {
    auto const fit = [&](index_t bytes, index_t size, int multiple, index_t all) {
      index_t const row = (length > 0 ? length : 1) * size, count = bytes / row / multiple * multiple;
      return tiles == host_tiles::none || count > all ? all : count > multiple ? count : index_t{multiple};
    };
    return {left_rows, right_rows, fit(left_bytes, sizeof(Left), Block.left, left_rows),
            fit(right_bytes(), sizeof(Right), Block.right, right_rows)};
  }

  // The rows' part is `length` numbers long.
  template <class Left, class Right, class Part, class Finish, class Prefetch>
  void multiply(rows<Left> left, rows<Right> right, index_t length, lanes* partial, Part const& part,
                Finish const& finish, Prefetch& prefetch) const;

private:
  host_blocks(index_t left_rows, index_t right_rows, index_t left_tile, index_t right_tile)
      : left_rows_(left_rows), right_rows_(right_rows), left_tile_(left_tile), right_tile_(right_tile)
  {
  }

  static constexpr index_t left_bytes = 128 << 10;                       // of a tile of left rows, in the second cache
  static index_t right_bytes() { return first_cache_bytes() * 7 / 12; }  // of right rows, in the first

  // Left rows of the next block. One more than a block are two blocks: a single row would wait for its sums.
  static int rows_of_block(index_t rest)
  {
    constexpr int most = Block.left;
    return rest == most + 1 ? (most + 2) / 2 : rest < most ? static_cast<int>(rest) : most;
  }

  template <int Rows, class Left, class Right, class Part, class Finish, class Prefetch>
  void block_row(rows<Left> left, rows<Right> right, index_t length, lanes* partial, Part const& part,
                 Finish const& finish, Prefetch& prefetch, index_t l, index_interval r) const;
  template <int Rows, int Columns, class Left, class Right, class Part, class Finish, class Prefetch>
  SUMFAC_INLINE void block(rows<Left> left, rows<Right> right, index_t length, lanes* partial, Part const& part,
                           Finish const& finish, Prefetch& prefetch, index_t l, index_t r) const;

  index_t left_rows_, right_rows_, left_tile_, right_tile_;
};

template <class Scalar, host_block Block>
template <int Rows, int Columns, class Left, class Right, class Part, class Finish, class Prefetch>
SUMFAC_INLINE void host_blocks<Scalar, Block>::block(rows<Left> left, rows<Right> right, index_t length, lanes* partial,
                                                     Part const& part, Finish const& finish, Prefetch& prefetch,
                                                     index_t l, index_t r) const
{
  lanes sums[Rows][Columns] = {};
  if (part.number > 0)
    for (int m = 0; m < Rows; ++m)
      for (int n = 0; n < Columns; ++n) sums[m][n] = partial[(l + m) * right_rows_ + r + n];
  if constexpr (Block.left == 1 && Block.right == 1) {
    sums[0][0] = multiply_row<Block.sums>(sums[0][0], left.at(l), right.at(r), length);
  } else {
    multiply_rows(sums, left.at(l), left.row, right.at(r), right.row, length,
                  prefetch.take(length / simd_width, left.at(l)));
  }
  if (part.number + 1 < part.count) {
    for (int m = 0; m < Rows; ++m)
      for (int n = 0; n < Columns; ++n) partial[(l + m) * right_rows_ + r + n] = sums[m][n];
  } else {
    finish(l, r, sums);
  }
}

template <class Scalar, host_block Block>
template <int Rows, class Left, class Right, class Part, class Finish, class Prefetch>
void host_blocks<Scalar, Block>::block_row(rows<Left> left, rows<Right> right, index_t length, lanes* partial,
                                           Part const& part, Finish const& finish, Prefetch& prefetch, index_t l,
                                           index_interval r) const
{
  index_t i = r.first;
  for (; i + Block.right <= r.last; i += Block.right)
    block<Rows, Block.right>(left, right, length, partial, part, finish, prefetch, l, i);
  if constexpr (Block.right > 2)
    for (; i + 2 <= r.last; i += 2) block<Rows, 2>(left, right, length, partial, part, finish, prefetch, l, i);
  if constexpr (Block.right > 1)
    for (; i < r.last; ++i) block<Rows, 1>(left, right, length, partial, part, finish, prefetch, l, i);
}

template <class Scalar, host_block Block>
template <class Left, class Right, class Part, class Finish, class Prefetch>
void host_blocks<Scalar, Block>::multiply(rows<Left> left, rows<Right> right, index_t length, lanes* partial,
                                          Part const& part, Finish const& finish, Prefetch& prefetch) const
{
  constexpr int Rows = Block.left;
  index_t const all_left = left_rows_, all_right = right_rows_, left_tile = left_tile_, right_tile = right_tile_;
  for (index_t l0 = 0; l0 < all_left; l0 += left_tile)
    for (index_t r0 = 0; r0 < all_right; r0 += right_tile) {
      index_interval const r{r0, r0 + right_tile < all_right ? r0 + right_tile : all_right};
      index_t const l1 = l0 + left_tile < all_left ? l0 + left_tile : all_left;
      for (index_t l = l0; l < l1;) {
        int const count = rows_of_block(l1 - l);
        auto const if_rows = [&]<int Some>(std::integral_constant<int, Some>) {
          if constexpr (Some <= Rows)
            if (count == Some) block_row<Some>(left, right, length, partial, part, finish, prefetch, l, r);
        };
        if_rows(std::integral_constant<int, 4>{}), if_rows(std::integral_constant<int, 3>{});
        if_rows(std::integral_constant<int, 2>{}), if_rows(std::integral_constant<int, 1>{});
        l += count;
      }
    }
}

}  // namespace sumfac::detail
