// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions of data on the CPU where cells lie side by side: as streams of cells.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/contract/contraction.hpp>
#include <sumfac/contract/gather.hpp>
#include <sumfac/contract/register_block.hpp>

namespace sumfac::detail {

// Cells that are worked on together, so long that memory is read in streams and so short that their data stay in the
// second cache; 0 where the fields' cells do not lie side by side.
template <class Sum>
index_t stream_block(Sum const& sum)
{
  using scalar = typename Sum::accumulator;
  constexpr index_t line = 64 / sizeof(scalar), least = 16 * line, most = 128 * line;
  if (sum.right.cell != 1) return 0;
  index_t const fit = (index_t{128} << 10) / ((sum.length() + 1) * index_t{sizeof(scalar)}) / line * line;
  index_t const block = fit < least ? least : fit > most ? most : fit, width = sum.right.block_width;
  if (width % block == 0) return block;
  if (width < block) return width % native_width<scalar> == 0 ? width : 0;
  return sum.right.is_adjacent(line) ? line : 0;
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

// The sums of one field row of a block of cells.
template <class T, class Data, class Field, class Offsets>
void add_stream(T* total, Data const* data, Offsets const& data_k, Field const* fields, contracted_offsets fields_k,
                index_t length, index_t count)
{
  constexpr int terms = 8;
  Data const* a[terms];
  Field const* b[terms];
  index_t k = 0;
  for (; k < length; k += terms) {
    int const some = length - k < terms ? static_cast<int>(length - k) : terms;
    for (int i = 0; i < some; ++i) a[i] = data + data_k[k + i], b[i] = fields + fields_k[k + i];
    if (some == terms)
      add_products<terms>(total, a, b, count);
    else
      for (int i = 0; i < some; ++i) add_products<1>(total, a + i, b + i, count);
  }
}

// Sums data and fields over cells.first .. cells.last - 1, which begin at a multiple of `block`.
template <class Sum>
void run_streams(Sum const& sum, index_interval cells, index_t block)
{
  using scalar = typename Sum::accumulator;
  constexpr index_t line = 64;
  index_t const k = sum.length();
  bool const in_place = sum.left.is_adjacent(block);
  auto const bytes = [](index_t n, index_t size) { return (n * size + line - 1) / line * line; };
  index_t const total_bytes = bytes(block, sizeof(scalar)), offset_bytes = bytes(k, sizeof(index_t));
  index_t const data_bytes = in_place ? 0 : bytes(k * block, sizeof(scalar));
  auto* const memory =
      static_cast<char*>(thread_scratch(static_cast<std::size_t>(total_bytes + 2 * offset_bytes + data_bytes)));
  auto* const total = reinterpret_cast<scalar*>(memory);
  auto const data_k = make_offsets(sum, sum.left, reinterpret_cast<index_t*>(memory + total_bytes));
  auto const fields_k = make_offsets(sum, sum.right, reinterpret_cast<index_t*>(memory + total_bytes + offset_bytes));
  auto* const copy = reinterpret_cast<scalar*>(memory + total_bytes + 2 * offset_bytes);
  struct {
    index_t stride;
    SUMFAC_INLINE index_t operator[](index_t i) const { return i * stride; }
  } const copy_k{block};

  for (index_t c = cells.first; c < cells.last; c += block) {
    index_t const count = cells.last - c < block ? cells.last - c : block;
    if (!in_place)
      for (index_t i = 0; i < count; ++i) {
        auto const* const from = sum.left.at(c + i);
        for (index_t j = 0; j < k; ++j) copy[j * block + i] = static_cast<scalar>(from[data_k[j]]);
      }
    for (index_t row = 0; row < sum.right_rows; ++row) {
      for (index_t i = 0; i < count; ++i) total[i] = 0;
      auto const* const fields = sum.right.at(c) + row * sum.right.row;
      if (in_place)
        add_stream(total, sum.left.at(c), data_k, fields, fields_k, k, count);
      else
        add_stream(total, copy, copy_k, fields, fields_k, k, count);
      index_t const at = row * sum.out.k2;
      if (sum.out.is_adjacent(block)) {
        auto* const out = sum.out.at(c) + at;
        for (index_t i = 0; i < count; ++i) put(total[i], out[i], sum.add);
      } else {
        for (index_t i = 0; i < count; ++i) put(total[i], sum.out.at(c + i)[at], sum.add);
      }
    }
  }
}

}  // namespace sumfac::detail
