// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions of many fields on the CPU: right fields in SIMD lanes, after their rows are turned into panels.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/contract/contraction.hpp>
#include <sumfac/contract/gather.hpp>
#include <sumfac/contract/register_block.hpp>

#include <type_traits>

namespace sumfac::detail {

// Works cell by cell. Of the right rows, `Packs` registers side by side make a panel, in which each contracted index is
// a line of lanes; six left rows meet a panel in registers.
template <class Sum>
class host_panels {
  using scalar = typename Sum::accumulator;
  using left_type = typename Sum::left_type;
  using right_type = typename Sum::right_type;
  static constexpr int W = native_width<scalar>, packs = 2, columns = packs * W;
  using lanes = pack<scalar, W>;

public:
  explicit host_panels(Sum const& sum) : sum_(sum) {}

  // Turning a row costs what some left rows' products cost, but spares the sums over lanes, one for each output.
  static bool pays(Sum const& sum)
  {
    return sum.right_rows >= W && sum.left_rows >= 6 && (sum.length() < 5 * sum.left_rows || sum.left_rows >= 32);
  }

  void run(index_interval cells) const;

private:
  static constexpr index_t most_depth = 256 * 8 / index_t{sizeof(scalar)};  // of a panel in the first cache
  static constexpr index_t panel_bytes = 16 << 10;                          // of a tile of panels, likewise
  static constexpr index_t left_bytes = 128 << 10;                          // of a tile of left rows in the second

  struct cell_work {
    left_type const* left;
    index_t left_row;
    scalar const* panels;
    lanes* partial;
    typename Sum::out_type* out;
    index_t depth;
    bool first, last;  // part of the contraction
  };

  index_t panels() const { return (sum_.right_rows + columns - 1) / columns; }

  void fill(right_type const* right, index_t row, index_t depth, scalar* to) const;
  void multiply(cell_work const& w, lines_ahead& ahead) const;
  template <int M, int N>
  void block(cell_work const& w, lines_ahead& ahead, index_t l, index_t panel) const;
  template <int M>
  void block_row(cell_work const& w, lines_ahead& ahead, index_t l, index_interval tile) const;

  // Asks for the rows of the next block of the output before they are written.
  template <int M>
  SUMFAC_INLINE void prefetch_block([[maybe_unused]] typename Sum::out_type* out) const
  {
#if defined(__GNUC__)
    SUMFAC_UNROLL
    for (int m = 0; m < M; ++m) {
      __builtin_prefetch(out + m * sum_.out.row, 1);
      __builtin_prefetch(out + m * sum_.out.row + (columns - 1) * sum_.out.k2, 1);
    }
#endif
  }

  Sum sum_;
};

template <class Sum>
void host_panels<Sum>::run(index_interval cells) const
{
  index_t const k = sum_.length(), l = sum_.left_rows, r = sum_.right_rows;
  index_t const parts = k <= most_depth ? 1 : (k + most_depth - 1) / most_depth;
  index_t const depth = (k + parts * W - 1) / (parts * W) * W;
  index_t const partial_size = parts > 1 ? l * panels() * packs : 0;
  scratch_arrays memory(2 * scratch_arrays::bytes<index_t>(k) + scratch_arrays::bytes<left_type>(l * k) +
                        scratch_arrays::bytes<right_type>(r * k) +
                        scratch_arrays::bytes<scalar>(panels() * columns * depth) +
                        scratch_arrays::bytes<lanes>(partial_size));
  auto const left_k = make_offsets(sum_, sum_.left, memory.take<index_t>(k));
  auto const right_k = make_offsets(sum_, sum_.right, memory.take<index_t>(k));
  auto* const left_copy = memory.take<left_type>(l * k);
  auto* const right_copy = memory.take<right_type>(r * k);
  auto* const turned = memory.take<scalar>(panels() * columns * depth);
  auto* const partial = memory.take<lanes>(partial_size);

  for (index_t c = cells.first; c < cells.last; ++c) {
    auto const left = rows_of_cell(sum_.left, left_k, c, l, k, left_copy);
    auto const right = rows_of_cell(sum_.right, right_k, c, r, k, right_copy);
    lines_ahead ahead;
    if (c + 1 < cells.last) ahead = next_cell_of(sum_, c + 1, left_k.is_run, right_k.is_run);
    for (index_t part = 0; part < parts; ++part) {
      index_t const from = part * depth, count = k - from < depth ? k - from : depth;
      fill(right.data + from, right.row, count, turned);
      multiply({left.data + from, left.row, turned, partial, sum_.out.at(c), count, part == 0, part + 1 == parts},
               ahead);
    }
  }
}

// to(panel, k, column) = right(panel * columns + column, k); zeros behind the last row.
template <class Sum>
void host_panels<Sum>::fill(right_type const* right, index_t row, index_t depth, scalar* to) const
{
  for (index_t r = 0; r < sum_.right_rows; r += W) {
    scalar* const into = to + r / columns * columns * depth + r % columns;
    int const count = sum_.right_rows - r < W ? static_cast<int>(sum_.right_rows - r) : W;
    right_type const* from[W];
    for (int i = 0; i < W; ++i) from[i] = right + (r + (i < count ? i : 0)) * row;
    index_t k = 0;
    for (; k + W <= depth; k += W) {
      lanes block[W];
      SUMFAC_UNROLL
      for (int i = 0; i < W; ++i) block[i] = load_as<lanes>(from[i] + k);
      transpose(block);
      SUMFAC_UNROLL
      for (int i = 0; i < W; ++i) block[i].store(into + (k + i) * columns);
    }
    for (; k < depth; ++k)
      for (int i = 0; i < W; ++i) into[k * columns + i] = static_cast<scalar>(from[i][k]);
  }
}

template <class Sum>
template <int M, int N>
void host_panels<Sum>::block(cell_work const& w, lines_ahead& ahead, index_t l, index_t panel) const
{
  lanes sums[M][N] = {};
  lanes* const partial = w.partial + (l * panels() + panel) * packs;
  if (!w.first) {
    SUMFAC_UNROLL
    for (int m = 0; m < M; ++m) {
      SUMFAC_UNROLL
      for (int n = 0; n < N; ++n) sums[m][n] = partial[m * panels() * packs + n];
    }
  }
  if (w.last) prefetch_block<M>(w.out + (l + M) * sum_.out.row + panel * columns * sum_.out.k2);

  left_type const* const left = w.left + l * w.left_row;
  scalar const* right = w.panels + panel * columns * w.depth;
  auto const prefetch = ahead.take(w.depth, left);
  for (index_t k = 0; k < w.depth; ++k, right += columns) {
    prefetch(k);
    lanes b[N];
    SUMFAC_UNROLL
    for (int n = 0; n < N; ++n) {
      b[n] = lanes::load(right + n * W);
      hold(b[n]);
    }
    SUMFAC_UNROLL
    for (int m = 0; m < M; ++m) {
      auto const a = static_cast<scalar>(left[m * w.left_row + k]);
      SUMFAC_UNROLL
      for (int n = 0; n < N; ++n) sums[m][n] = fma(a, b[n], sums[m][n]);
    }
  }

  if (!w.last) {
    SUMFAC_UNROLL
    for (int m = 0; m < M; ++m) {
      SUMFAC_UNROLL
      for (int n = 0; n < N; ++n) partial[m * panels() * packs + n] = sums[m][n];
    }
    return;
  }
  SUMFAC_UNROLL
  for (int m = 0; m < M; ++m) {
    SUMFAC_UNROLL
    for (int n = 0; n < N; ++n) {
      index_t const r = panel * columns + n * W, stride = sum_.out.k2;
      auto* const out = w.out + (l + m) * sum_.out.row + r * stride;
      if (r + W <= sum_.right_rows)
        put_lanes<W>(sums[m][n], out, stride, sum_.add);
      else
        for (int i = 0; r + i < sum_.right_rows; ++i) put(sums[m][n][i], out[i * stride], sum_.add);
    }
  }
}

// Some left rows against a tile of panels, the last of which may be narrower.
template <class Sum>
template <int M>
void host_panels<Sum>::block_row(cell_work const& w, lines_ahead& ahead, index_t l, index_interval tile) const
{
  for (index_t panel = tile.first; panel < tile.last; ++panel) {
    if (sum_.right_rows - panel * columns > W)
      block<M, packs>(w, ahead, l, panel);
    else
      block<M, 1>(w, ahead, l, panel);
  }
}

// Left rows in sixes, and what is left in two about equal blocks. Panels go by in tiles that stay in the first cache,
// so that the output is written along its rows.
template <class Sum>
void host_panels<Sum>::multiply(cell_work const& w, lines_ahead& ahead) const
{
  auto const fit = [](index_t bytes, index_t size, index_t multiple) {
    index_t const count = bytes / (size + 1) / multiple * multiple;
    return count < multiple ? multiple : count;
  };
  index_t const left_tile = fit(left_bytes, w.depth * index_t{sizeof(left_type)}, 6);
  index_t const panel_tile = fit(panel_bytes, w.depth * columns * index_t{sizeof(scalar)}, 1);
  for (index_t l0 = 0; l0 < sum_.left_rows; l0 += left_tile) {
    index_t const l1 = l0 + left_tile < sum_.left_rows ? l0 + left_tile : sum_.left_rows;
    for (index_t first = 0; first < panels(); first += panel_tile) {
      index_interval const tile{first, first + panel_tile < panels() ? first + panel_tile : panels()};
      auto const rows_from = [&]<int M>(index_t& l, std::integral_constant<int, M>) {
        block_row<M>(w, ahead, l, tile);
        l += M;
      };
      index_t l = l0;
      while (l + 6 <= l1 && l1 - l != 7 && l1 - l != 8) rows_from(l, std::integral_constant<int, 6>{});
      while (l + 4 <= l1) rows_from(l, std::integral_constant<int, 4>{});
      if (l + 3 <= l1) rows_from(l, std::integral_constant<int, 3>{});
      if (l + 2 <= l1) rows_from(l, std::integral_constant<int, 2>{});
      if (l + 1 <= l1) rows_from(l, std::integral_constant<int, 1>{});
    }
  }
}

}  // namespace sumfac::detail
