// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions of many fields on the CPU: right fields in SIMD lanes, after their rows are turned into panels; sums go
// through the caches or past them.
#pragma once

#include <sumfac/intrepid/products/contraction.hpp>
#include <sumfac/intrepid/products/gather.hpp>
#include <sumfac/intrepid/products/prefetch.hpp>
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

// Works cell by cell. Of the right rows, two packs of `Width` lanes side by side make a panel, in which each contracted
// index is a line of lanes; six left rows meet a panel in registers. Their sums rest in the first cache until whole
// rows of the output are written.
template <class Sum, int Width = native_width<typename Sum::accumulator>>
class host_panels {
  using scalar = typename Sum::accumulator;
  using left_type = typename Sum::left_type;
  using right_type = typename Sum::right_type;
  static constexpr int packs = 2, columns = packs * Width, most_rows = 6;
  using lanes = pack<scalar, Width>;

public:
  explicit host_panels(Sum const& sum) : sum_(sum) {}

  // Whether so few right rows leave AVX-512's packs so empty that half of their lanes are enough.
  static bool is_narrow(Sum const& sum)
  {
    return register_bytes == 64 && sum.right_rows >= Width && sum.right_rows <= Width + Width / 2;
  }

  // Turning a row costs what some left rows' products cost, but spares the sums over lanes, one for each output. What a
  // last panel lacks costs too; one of a single pack takes three quarters of a whole one's time.
  static bool pays(Sum const& sum)
  {
    index_t const k = sum.length(), l = sum.left_rows, r = sum.right_rows, rest = r % columns;
    index_t const time = r - rest + (rest == 0 ? 0 : rest <= Width ? 3 * columns / 4 : columns);
    bool const full = 10 * time <= 11 * r;
    // Rows of AVX-512 in double that fill a pack leave panels with gaps the shortest sums alone (Zen 5); in float
    // panels of 27 and 36 columns stay faster, and rows of less than a pack are five times as slow.
    bool const rows_are_fast = Width * index_t{sizeof(scalar)} == 64 && sizeof(scalar) == 8 && k >= Width;
    index_t const most_with_gaps = !rows_are_fast ? l : 10 * time <= 12 * r ? l / 2 : 0;
    return k > 0 && r >= Width && l >= 6 && (l >= 40 || k <= (full ? l + 8 : most_with_gaps));
  }

  void run(index_interval cells) const;

private:
  static constexpr index_t most_depth = 256 * 8 / index_t{sizeof(scalar)};  // so that six left rows stay in the first
  static constexpr index_t panel_bytes = 192 << 10;                         // of a tile of panels in the second cache

  // Left rows against panels, in one part of the contraction.
  struct part_work {
    left_type const* left;
    index_t left_row;
    scalar const* panels;
    index_t depth;
    bool first, last, streams;
  };

  template <class T>
  struct rows_of_sums {
    T* data;
    index_t row;
  };

  index_t panels() const { return (sum_.right_rows + columns - 1) / columns; }
  index_t width() const { return panels() * columns; }

  // Left rows in sixes, and what is left, or a six with it, in blocks of five to three: fewer would wait for sums.
  static int rows_of_block(index_t rest)
  {
    return rest > 10 || rest == 6 ? 6 : rest >= 9 ? 5 : rest >= 7 ? 4 : static_cast<int>(rest);
  }

  void fill(right_type const* right, index_t row, index_t depth, scalar* to) const;
  template <class Prefetch>
  void run_with(index_interval cells) const;
  template <class Prefetch>
  void multiply(part_work const& w, index_t cell, scalar* sums, output_rows<Sum>& output, Prefetch& next_cell) const;
  template <class Prefetch>
  void block_row(part_work const& w, int rows, left_type const* left, scalar* sums, scalar* out, index_interval tile,
                 Prefetch& next_cell) const;
  template <int Rows, class Prefetch>
  void panels_of(part_work const& w, left_type const* left, scalar* sums, scalar* out, index_interval tile,
                 Prefetch& next_cell) const;
  template <int Rows, int Columns, class Store, class Request>
  SUMFAC_INLINE void block(part_work const& w, left_type const* left, scalar const* panel,
                           rows_of_sums<scalar const> from, Store const& store, Request prefetch) const;

  Sum sum_;
};

template <class Sum, int Width>
void host_panels<Sum, Width>::run(index_interval cells) const
{
  if (gains_by_prefetch(sum_))
    run_with<row_prefetch>(cells);
  else
    run_with<no_row_prefetch>(cells);
}

template <class Sum, int Width>
template <class Prefetch>
void host_panels<Sum, Width>::run_with(index_interval cells) const
{
  index_t const k = sum_.length(), l = sum_.left_rows, r = sum_.right_rows;
  index_t const parts = k <= most_depth ? 1 : (k + most_depth - 1) / most_depth;
  index_t const depth = (k + parts * Width - 1) / (parts * Width) * Width;
  index_t const sums_size = (parts > 1 ? l : most_rows) * width();
  scratch_arrays memory(2 * scratch_arrays::bytes<index_t>(k) + scratch_arrays::bytes<left_type>(l * k) +
                        scratch_arrays::bytes<right_type>(r * k) + scratch_arrays::bytes<scalar>(width() * depth) +
                        scratch_arrays::bytes<scalar>(sums_size) + output_rows<Sum>::scratch_bytes);
  auto const left_k = make_offsets(sum_, sum_.left, memory.take<index_t>(k));
  auto const right_k = make_offsets(sum_, sum_.right, memory.take<index_t>(k));
  auto* const left_copy = memory.take<left_type>(l * k);
  auto* const right_copy = memory.take<right_type>(r * k);
  auto* const turned = memory.take<scalar>(width() * depth);
  auto* const sums = memory.take<scalar>(sums_size);
  output_rows<Sum> output(sum_, memory);

  index_t const steps = (l + most_rows - 1) / most_rows * panels() * k;
  for (index_t c = cells.first; c < cells.last; ++c) {
    auto const left = rows_of_cell(sum_.left, left_k, c, l, k, left_copy);
    auto const right = rows_of_cell(sum_.right, right_k, c, r, k, right_copy);
    Prefetch next_cell;
    if constexpr (Prefetch::prefetches)
      if (c + 1 < cells.last) next_cell = next_cell_of(sum_, c + 1, left_k.is_run, right_k.is_run, steps);
    for (index_t part = 0; part < parts; ++part) {
      index_t const from = part * depth, count = k - from < depth ? k - from : depth;
      fill(right.data + from, right.row, count, turned);
      multiply({left.data + from, left.row, turned, count, part == 0, part + 1 == parts, output.streams()}, c, sums,
               output, next_cell);
    }
  }
  output.finish();
}

// to(panel, k, column) = right(panel * columns + column, k); zeros behind the last row.
template <class Sum, int Width>
void host_panels<Sum, Width>::fill(right_type const* right, index_t row, index_t depth, scalar* to) const
{
  for (index_t r = 0; r < sum_.right_rows; r += Width) {
    scalar* const into = to + r / columns * columns * depth + r % columns;
    int const count = sum_.right_rows - r < Width ? static_cast<int>(sum_.right_rows - r) : Width;
    right_type const* from[Width];
    for (int i = 0; i < Width; ++i) from[i] = right + (r + (i < count ? i : 0)) * row;
    index_t k = 0;
    for (; k + Width <= depth; k += Width) {
      lanes block[Width];
      SUMFAC_UNROLL
      for (int i = 0; i < Width; ++i) block[i] = load_as<lanes>(from[i] + k);
      transpose(block);
      SUMFAC_UNROLL
      for (int i = 0; i < Width; ++i) block[i].store(into + (k + i) * columns);
    }
    for (; k < depth; ++k)
      for (int i = 0; i < Width; ++i) into[k * columns + i] = static_cast<scalar>(from[i][k]);
  }
}

// to(m, column) = products of left row m and the panel's columns, beside what `from` holds of earlier parts.
template <class Sum, int Width>
template <int Rows, int Columns, class Store, class Request>
SUMFAC_INLINE void host_panels<Sum, Width>::block(part_work const& w, left_type const* left, scalar const* panel,
                                                  rows_of_sums<scalar const> from, Store const& store,
                                                  Request prefetch) const
{
  lanes s[Rows][Columns];
  SUMFAC_UNROLL
  for (int m = 0; m < Rows; ++m) {
    SUMFAC_UNROLL
    for (int n = 0; n < Columns; ++n) s[m][n] = lanes::load(from.data + m * from.row + n * Width);
  }
  index_t const depth = w.depth, left_row = w.left_row;
  index_t k = 0;
  do {
    prefetch.of_panel(k);
    lanes b[Columns];
    SUMFAC_UNROLL
    for (int n = 0; n < Columns; ++n) b[n] = held(lanes::load(panel + n * Width));
    SUMFAC_UNROLL
    for (int m = 0; m < Rows; ++m) {
      auto const a = static_cast<scalar>(left[m * left_row + k]);
      SUMFAC_UNROLL
      for (int n = 0; n < Columns; ++n) s[m][n] = fma(a, b[n], s[m][n]);
    }
    panel += columns;
  } while (++k < depth);
  SUMFAC_UNROLL
  for (int m = 0; m < Rows; ++m) {
    SUMFAC_UNROLL
    for (int n = 0; n < Columns; ++n) store(s[m][n], m, n * Width);
  }
}

// Some left rows against a tile of panels: whole panels may go to the output at once, a narrower last one to the sums.
template <class Sum, int Width>
template <int Rows, class Prefetch>
void host_panels<Sum, Width>::panels_of(part_work const& w, left_type const* left, scalar* sums, scalar* out,
                                        index_interval tile, Prefetch& next_cell) const
{
  static constexpr scalar zeros[columns] = {};
  auto prefetch = next_cell.take(w.depth * tile.size(), left);
  index_t const row = width(), out_row = sum_.out.row;
  scalar const* right = w.panels + tile.first * columns * w.depth;
  for (index_t panel = tile.first; panel < tile.last; ++panel) {
    index_t const at = panel * columns, rest = sum_.right_rows - at;
    auto const from = w.first ? rows_of_sums<scalar const>{zeros, 0} : rows_of_sums<scalar const>{sums + at, row};
    if (out != nullptr && rest >= columns && w.streams) {
      block<Rows, packs>(
          w, left, right, from, [=](lanes x, int m, int n) SUMFAC_LAMBDA { stream(x, out + m * out_row + at + n); },
          prefetch);
    } else if (out != nullptr && rest >= columns) {
      block<Rows, packs>(
          w, left, right, from, [=](lanes x, int m, int n) SUMFAC_LAMBDA { x.store(out + m * out_row + at + n); },
          prefetch);
    } else {
      auto const keep = [=](lanes x, int m, int n) SUMFAC_LAMBDA { x.store(sums + m * row + at + n); };
      if (rest > Width)
        block<Rows, packs>(w, left, right, from, keep, prefetch);
      else
        block<Rows, 1>(w, left, right, from, keep, prefetch);
    }
    prefetch.advance(w.depth);
    right += columns * w.depth;
  }
}

template <class Sum, int Width>
template <class Prefetch>
void host_panels<Sum, Width>::block_row(part_work const& w, int rows, left_type const* left, scalar* sums, scalar* out,
                                        index_interval tile, Prefetch& next_cell) const
{
  switch (rows) {
    case 6: return panels_of<6>(w, left, sums, out, tile, next_cell);
    case 5: return panels_of<5>(w, left, sums, out, tile, next_cell);
    case 4: return panels_of<4>(w, left, sums, out, tile, next_cell);
    default: return panels_of<3>(w, left, sums, out, tile, next_cell);
  }
}

// Block of left rows after block; in one part of the contraction alone, their sums are written at once.
template <class Sum, int Width>
template <class Prefetch>
void host_panels<Sum, Width>::multiply(part_work const& w, index_t cell, scalar* sums, output_rows<Sum>& output,
                                       Prefetch& next_cell) const
{
  bool const only = w.first && w.last;
  index_t const fit = panel_bytes / (w.depth * columns * index_t{sizeof(scalar)});
  index_t const tile = only || fit < 1 ? panels() : fit;
  for (index_t first = 0; first < panels(); first += tile) {
    index_interval const some{first, first + tile < panels() ? first + tile : panels()};
    for (index_t l = 0; l < sum_.left_rows;) {
      int const rows = rows_of_block(sum_.left_rows - l);
      scalar* const to = only ? sums : sums + l * width();
      scalar* const out = only ? output.direct(cell, l) : nullptr;
      block_row(w, rows, w.left + l * w.left_row, to, out, some, next_cell);
      if (w.last && some.last == panels())
        output.put(cell, l, rows, to, width(), out == nullptr ? 0 : sum_.right_rows / columns * columns);
      l += rows;
    }
  }
}

}  // namespace sumfac::detail
