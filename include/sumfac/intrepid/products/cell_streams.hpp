// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions of data on the CPU where cells lie side by side: as streams of cells.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/intrepid/products/contraction.hpp>
#include <sumfac/intrepid/products/gather.hpp>
#include <sumfac/intrepid/products/register_block.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Contracted indices that are added at once: more would be more streams than a core reads well, fewer would fetch and
// store the sums more often.
inline constexpr int stream_terms = 4;

// Fields that are worked on together: few, so that the sums of many cells stay in the second cache.
inline constexpr index_t stream_rows = 8;

// Cells that are worked on together, so many that memory is read in long streams; 0 where the fields' cells do not lie
// side by side. Whether there are streams does not depend on the threads: sums are added up in another order there.
template <class Sum>
index_t stream_block(Sum const& sum, int threads)
{
  using scalar = typename Sum::accumulator;
  constexpr index_t simd_width = native_width<scalar>, line = 64 / sizeof(scalar), most = 1024 * line;
  if (sum.right.cell != 1) return 0;
  index_t const share = (sum.cells + threads - 1) / threads, blocks = (share + most - 1) / most;
  index_t const block = (share + blocks * line - 1) / (blocks * line) * line;
  if (sum.right.block == 0) return block;
  index_t width = sum.right.block_width;
  if (width % simd_width != 0) return 0;
  while (width > block && width % (2 * simd_width) == 0) width /= 2;
  return width;
}

// total[c] += sum over Terms of data[i][c] * fields[i][c], for `count` cells.
template <int Terms, class T, class Data, class Field>
SUMFAC_INLINE void add_products(T* total, Data const* const* data, Field const* const* fields, index_t count)
{
  using lanes = pack<T, native_width<T>>;
  Data const* a[Terms];
  Field const* b[Terms];
  for (int i = 0; i < Terms; ++i) a[i] = data[i], b[i] = fields[i];
  index_t c = 0;
  for (; c + lanes::width <= count; c += lanes::width) {
    lanes sum = lanes::load(total + c);
    SUMFAC_UNROLL
    for (int i = 0; i < Terms; ++i) sum = fma(load_as<lanes>(a[i] + c), load_as<lanes>(b[i] + c), sum);
    sum.store(total + c);
  }
  for (; c < count; ++c)
    for (int i = 0; i < Terms; ++i) total[c] += static_cast<T>(a[i][c]) * static_cast<T>(b[i][c]);
}

// The sums of a block of cells, one row of them for each field.
template <class Sum>
class cell_streams {
  using scalar = typename Sum::accumulator;
  using left_type = typename Sum::left_type;
  using right_type = typename Sum::right_type;

public:
  cell_streams(Sum const& sum, index_t block) : sum_(sum), block_(block) {}

  // Whether threads should share fields and not cells: streams of few cells would be short.
  static bool shares_fields(Sum const& sum, int threads)
  {
    return threads > 1 && sum.cells < 1024 * index_t{threads} && sum.right_rows >= 8 * index_t{threads};
  }

  // Of all given fields. cells.first is a multiple of the block.
  void run(index_interval cells, index_interval all) const
  {
    index_t const k = sum_.length(), rows = all.size() < stream_rows ? all.size() : stream_rows;
    scratch_arrays memory(scratch_arrays::bytes<scalar>(rows * block_) + 2 * scratch_arrays::bytes<index_t>(k) +
                          scratch_arrays::bytes<left_type>(stream_terms * block_));
    auto* const total = memory.take<scalar>(rows * block_);
    auto const data_k = make_offsets(sum_, sum_.left, memory.take<index_t>(k));
    auto const fields_k = make_offsets(sum_, sum_.right, memory.take<index_t>(k));
    auto* const copy = memory.take<left_type>(stream_terms * block_);
    for (index_t c = cells.first; c < cells.last; c += block_)
      for (index_t r = all.first; r < all.last; r += rows) {
        index_interval const some{c, cells.last - c < block_ ? cells.last : c + block_};
        index_interval const fields{r, all.last - r < rows ? all.last : r + rows};
        for (index_t i = 0; i < fields.size() * block_; ++i) total[i] = 0;
        for (index_t i = 0; i < k; i += stream_terms)
          add_terms(some, fields, {i, i + stream_terms < k ? i + stream_terms : k}, data_k, fields_k, copy, total);
        write(some, fields, total);
      }
  }

private:
  // Adds the products of some contracted indices to the sums of some fields.
  void add_terms(index_interval cells, index_interval rows, index_interval some, contracted_offsets data_k,
                 contracted_offsets fields_k, left_type* copy, scalar* total) const
  {
    int const terms = static_cast<int>(some.size());
    left_type const* data[stream_terms];
    bool const in_place = sum_.left.is_adjacent(block_);
    for (int i = 0; i < terms; ++i)
      data[i] = in_place ? sum_.left.at(cells.first) + data_k[some.first + i] : copy + i * block_;
    if (!in_place)
      for (index_t c = cells.first; c < cells.last; ++c) {
        left_type const* const from = sum_.left.at(c);
        for (int i = 0; i < terms; ++i) copy[i * block_ + c - cells.first] = from[data_k[some.first + i]];
      }
    right_type const* from = sum_.right.at(cells.first) + rows.first * sum_.right.row;
    for (index_t row = 0; row < rows.size(); ++row, from += sum_.right.row) {
      right_type const* fields[stream_terms];
      for (int i = 0; i < terms; ++i) fields[i] = from + fields_k[some.first + i];
      if (terms == stream_terms)
        add_products<stream_terms>(total + row * block_, data, fields, cells.size());
      else
        for (int i = 0; i < terms; ++i) add_products<1>(total + row * block_, data + i, fields + i, cells.size());
    }
  }

  void write(index_interval cells, index_interval rows, scalar const* total) const
  {
    bool const in_place = sum_.out.is_adjacent(block_);
    for (index_t row = rows.first; row < rows.last; ++row, total += block_) {
      index_t const at = row * sum_.out.k2;
      if (in_place) {
        auto* const out = sum_.out.at(cells.first) + at;
        for (index_t i = 0; i < cells.size(); ++i) put(total[i], out[i], sum_.add);
      } else {
        for (index_t i = 0; i < cells.size(); ++i) put(total[i], sum_.out.at(cells.first + i)[at], sum_.add);
      }
    }
  }

  Sum sum_;
  index_t block_;
};

}  // namespace sumfac::detail
