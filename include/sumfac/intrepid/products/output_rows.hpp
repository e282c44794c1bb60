// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where a contraction's sums go on the CPU: rows of right fields, through the caches or past them.
#pragma once

#include <sumfac/intrepid/products/contraction.hpp>
#include <sumfac/intrepid/products/gather.hpp>
#include <sumfac/intrepid/products/register_block.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Writes rows of sums cell after cell. An output without gaps that is overwritten and too large for the caches is
// gathered into lines and written past them.
template <class Sum>
class output_rows {
  using scalar = typename Sum::accumulator;
  using out_type = typename Sum::out_type;
  static constexpr int simd_width = native_width<scalar>;
  using lanes = pack<scalar, simd_width>;
  static constexpr index_t line = 64 / sizeof(out_type);

public:
  static constexpr index_t scratch_bytes = 64;

  output_rows(Sum const& sum, scratch_arrays& memory)
      : sum_(sum), held_(memory.take<out_type>(line)), streams_(is_stream(sum))
  {
    bool const lines = reinterpret_cast<std::uintptr_t>(sum.out.data) % 64 == 0 && sum.right_rows % line == 0;
    is_direct_ = !sum.add && sum.out.k2 == 1 && (lines || !streams_);
  }

  bool streams() const { return streams_; }

  // Where sums of cell c from row `row` on may be written from registers, whole lines of them; null where they may not.
  scalar* direct(index_t c, index_t row) const
  {
    if constexpr (std::is_same_v<scalar, out_type>)
      if (is_direct_) return sum_.out.at(c) + row * sum_.out.row;
    return nullptr;
  }

  // Of cell c, `rows` rows of sums from `row` on, `width` entries apart, without their first `done` entries. Streams
  // want them one after the other.
  void put(index_t c, index_t row, int rows, scalar const* sums, index_t width, index_t done)
  {
    if (done == sum_.right_rows) return;
    auto* const out = sum_.out.at(c) + row * sum_.out.row;
    for (int i = 0; i < rows; ++i) {
      if constexpr (std::is_same_v<scalar, out_type>) {
        if (streams_) {
          stream_row(sums + i * width + done, out + i * sum_.out.row + done, sum_.right_rows - done);
          continue;
        }
      }
      put_row(sums + i * width, out + i * sum_.out.row, done);
    }
  }

  // After the last row.
  void finish()
  {
    if constexpr (std::is_same_v<scalar, out_type>)
      if (held_size_ > 0) flush(next_);
    stream_fence();
  }

private:
  static bool is_stream(Sum const& s)
  {
    return std::is_same_v<scalar, out_type> && !s.add && s.out.block == 0 && s.out.k2 == 1 &&
           s.out.row == s.right_rows && s.out.cell == s.left_rows * s.right_rows && exceeds_caches(s);
  }

  void put_row(scalar const* sums, out_type* out, index_t done) const
  {
    index_t const count = sum_.right_rows, stride = sum_.out.k2;
    index_t i = done;
    if (stride == 1)
      for (; i + simd_width <= count; i += simd_width)
        put_lanes<simd_width>(lanes::load(sums + i), out + i, 1, sum_.add);
    for (; i < count; ++i) detail::put(sums[i], out[i * stride], sum_.add);
  }

  // Rows come in the order of memory: what fills no line waits for the next row. Where a row's first entries were
  // written already, the rest is whole lines.
  void stream_row(scalar const* sums, out_type* out, index_t left)
  {
    auto const take = [&](index_t size) {
      for (index_t i = 0; i < size; ++i) held_[held_size_++] = static_cast<out_type>(*sums++);
    };
    index_t const begun = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(out_type));
    if (begun > 0) {
      index_t const rest = line - begun < left ? line - begun : left;
      take(rest), left -= rest, out += rest;
      if (begun + rest == line) flush(out - held_size_);
    }
    for (; left >= line; left -= line, sums += line, out += line)
      for (index_t i = 0; i < line; i += lanes::width) stream(lanes::load(sums + i), out + i);
    if (left > 0) take(left), out += left;
    next_ = out - held_size_;
  }

  // Writes the line that is held, past the caches where it is whole.
  void flush(out_type* out)
  {
    if (held_size_ == line)
      for (index_t i = 0; i < line; i += lanes::width) stream(lanes::load(held_ + i), out + i);
    else
      std::memcpy(out, held_, static_cast<std::size_t>(held_size_) * sizeof(out_type));
    held_size_ = 0;
  }

  Sum sum_;
  out_type* held_;
  out_type* next_ = nullptr;
  index_t held_size_ = 0;
  bool streams_, is_direct_;
};

}  // namespace sumfac::detail
