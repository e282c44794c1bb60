// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions on the CPU: blocks of registers over rows of one cell, or over cells in SIMD lanes.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/contract/cell_streams.hpp>
#include <sumfac/contract/contraction.hpp>
#include <sumfac/contract/gather.hpp>
#include <sumfac/contract/host_fields.hpp>
#include <sumfac/contract/host_panels.hpp>
#include <sumfac/contract/output_rows.hpp>
#include <sumfac/contract/register_block.hpp>

#include <cstdint>
#include <type_traits>

namespace sumfac::detail {

// How many left and right rows meet in registers, and into how many sums a single pair is split.
struct host_block {
  int left = 3, right = 4, sums = 1;
};

// Whether rows pass by whole, or in tiles that stay in the caches.
enum class host_tiles { none, cached };

template <class Sum, host_block Block>
class host_contraction {
  using scalar = typename Sum::accumulator;
  static constexpr int W = native_width<scalar>;
  using lanes = pack<scalar, W>;

public:
  host_contraction(Sum const& sum, host_tiles tiles) : sum_(order(sum)), tiles_(tiles) {}

  void run(host const& backend) const;

private:
  template <class T>
  using rows = factor_rows<T>;

  static constexpr int most_groups = 16;            // packs of cells that are gathered together
  static constexpr index_t row_bytes = 2048;        // of a row's part, so that a block's rows stay in the first cache
  static constexpr index_t right_bytes = 16 << 10;  // of a tile of right rows, likewise
  static constexpr index_t left_bytes = 128 << 10;  // of a tile of left rows, in the second cache
  static constexpr index_t gathered_bytes = 2 << 20;    // of cells gathered together, in the last

  static Sum order(Sum sum);

  void run_rows(index_interval cells) const;
  void run_pairs(index_interval cells) const;
  void run_lanes(index_interval cells, index_t grain) const;
  index_t lane_cells(int threads) const;
  void put_cells(index_interval cells, lanes const* sums) const;

  // One part of the contraction of all left with all right rows. Sums begin at zero in the first part, rest in
  // `partial` between parts, and go to finish(l, r, sums) after the last.
  template <class Left, class Right, class Finish>
  void multiply(rows<Left> left, rows<Right> right, index_t length, lanes* partial, int part, int parts,
                Finish const& finish, lines_ahead& ahead) const;
  template <int M, class Left, class Right, class Finish>
  void block_row(rows<Left> left, rows<Right> right, index_t length, lanes* partial, int part, int parts,
                 Finish const& finish, lines_ahead& ahead, index_t l, index_interval r) const;
  template <int M, int N, class Left, class Right, class Finish>
  SUMFAC_INLINE void block(rows<Left> left, rows<Right> right, index_t length, lanes* partial, int part, int parts,
                           Finish const& finish, lines_ahead& ahead, index_t l, index_t r) const;

  // The parts into which rows of `length` entries of `bytes` each are cut.
  static int parts_of(index_t length, index_t bytes)
  {
    return length * bytes <= row_bytes ? 1 : static_cast<int>((length * bytes + row_bytes - 1) / row_bytes);
  }
  int lane_parts() const { return parts_of(sum_.length(), sizeof(lanes)); }
  index_interval part_of(int part, int parts, index_t multiple) const
  {
    index_t const k = sum_.length(), share = (k + parts * multiple - 1) / (parts * multiple) * multiple;
    return {part * share < k ? part * share : k, (part + 1) * share < k ? (part + 1) * share : k};
  }

  Sum sum_;
  host_tiles tiles_;
};

// Turns the contracted dimensions round where that makes more of the factors contiguous.
template <class Sum, host_block Block>
Sum host_contraction<Sum, Block>::order(Sum sum)
{
  auto const runs = [](Sum const& s) {
    auto const is_run = [&s](auto const& x) {
      return (s.n2 == 1 || x.k2 == 1) && (s.n1 == 1 || x.k1 == s.n2) && (s.n0 == 1 || x.k0 == s.n1 * s.n2);
    };
    return int{is_run(s.left)} + int{is_run(s.right)};
  };
  auto const turn = [](auto& x) {
    auto const k = x.k0;
    x.k0 = x.k2, x.k2 = k;
  };
  Sum turned = sum;
  turned.n0 = sum.n2, turned.n2 = sum.n0;
  turn(turned.left), turn(turned.right);
  return runs(turned) > runs(sum) ? turned : sum;
}

template <class Sum, host_block Block>
void host_contraction<Sum, Block>::run(host const& backend) const
{
  if (sum_.cells == 0 || sum_.left_rows == 0 || sum_.right_rows == 0) return;
  // Shares begin at multiples of `grain` cells, so that packs and blocks of cells are whole.
  auto const spread = [&](index_t grain, auto const& f) {
    backend.partition((sum_.cells + grain - 1) / grain, [&](index_t first, index_t last) {
      f(index_interval{first * grain, last * grain < sum_.cells ? last * grain : sum_.cells});
    });
  };
  bool const data = sum_.left_rows == 1;
  index_t const streamed = data ? stream_block(sum_, backend.threads()) : 0;
  if (streamed > 0 && cell_streams<Sum>::shares_fields(sum_, backend.threads()))
    backend.partition(sum_.right_rows, [&](index_t first, index_t last) {
      cell_streams<Sum>(sum_, stream_block(sum_, 1)).run({0, sum_.cells}, {first, last});
    });
  else if (streamed > 0)
    spread(streamed, [&](index_interval cells) { cell_streams<Sum>(sum_, streamed).run(cells, {0, sum_.right_rows}); });
  else if (!data && (sum_.left.is_adjacent(W) || sum_.right.is_adjacent(W)))
    spread(lane_cells(backend.threads()),
           [&](index_interval cells) { run_lanes(cells, lane_cells(backend.threads())); });
  else if (data && sum_.right_rows == 1)
    spread(4 * W, [&](index_interval cells) { run_pairs(cells); });
  else if (data)
    spread(1, [&](index_interval cells) { host_fields<Sum>(sum_).run(cells); });
  else if (tiles_ == host_tiles::cached && host_panels<Sum>::pays(sum_))
    spread(1, [&](index_interval cells) { host_panels<Sum>(sum_).run(cells); });
  else
    spread(1, [&](index_interval cells) { run_rows(cells); });
}

template <class Sum, host_block Block>
template <int M, int N, class Left, class Right, class Finish>
SUMFAC_INLINE void host_contraction<Sum, Block>::block(rows<Left> left, rows<Right> right, index_t length,
                                                       lanes* partial, int part, int parts, Finish const& finish,
                                                       lines_ahead& ahead, index_t l, index_t r) const
{
  lanes sums[M][N] = {};
  if (part > 0)
    for (int m = 0; m < M; ++m)
      for (int n = 0; n < N; ++n) sums[m][n] = partial[(l + m) * sum_.right_rows + r + n];
  if constexpr (M == 1 && N == 1) {
    sums[0][0] = multiply_row<Block.sums>(sums[0][0], left.at(l), right.at(r), length);
  } else {
    multiply_rows(sums, left.at(l), left.row, right.at(r), right.row, length, ahead.take(length / W, left.at(l)));
  }
  if (part + 1 < parts) {
    for (int m = 0; m < M; ++m)
      for (int n = 0; n < N; ++n) partial[(l + m) * sum_.right_rows + r + n] = sums[m][n];
  } else {
    SUMFAC_UNROLL
    for (int m = 0; m < M; ++m) finish(l + m, r, sums[m]);
  }
}

template <class Sum, host_block Block>
template <int M, class Left, class Right, class Finish>
void host_contraction<Sum, Block>::block_row(rows<Left> left, rows<Right> right, index_t length, lanes* partial,
                                             int part, int parts, Finish const& finish, lines_ahead& ahead, index_t l,
                                             index_interval r) const
{
  index_t i = r.first;
  for (; i + Block.right <= r.last; i += Block.right)
    block<M, Block.right>(left, right, length, partial, part, parts, finish, ahead, l, i);
  if constexpr (Block.right > 2)
    for (; i + 2 <= r.last; i += 2) block<M, 2>(left, right, length, partial, part, parts, finish, ahead, l, i);
  if constexpr (Block.right > 1)
    for (; i < r.last; ++i) block<M, 1>(left, right, length, partial, part, parts, finish, ahead, l, i);
}

template <class Sum, host_block Block>
template <class Left, class Right, class Finish>
void host_contraction<Sum, Block>::multiply(rows<Left> left, rows<Right> right, index_t length, lanes* partial,
                                            int part, int parts, Finish const& finish, lines_ahead& ahead) const
{
  constexpr int M = Block.left;
  index_t const all_left = sum_.left_rows, all_right = sum_.right_rows;
  auto const fit = [&](index_t bytes, index_t size, int multiple, index_t all) {
    index_t const row = (length > 0 ? length : 1) * size;
    index_t const count = bytes / row / multiple * multiple;
    return tiles_ == host_tiles::none || count > all ? all : count > multiple ? count : index_t{multiple};
  };
  index_t const right_tile = fit(right_bytes, sizeof(Right), Block.right, all_right);
  index_t const left_tile = fit(left_bytes, sizeof(Left), M, all_left);
  for (index_t l0 = 0; l0 < all_left; l0 += left_tile)
    for (index_t r0 = 0; r0 < all_right; r0 += right_tile) {
      index_interval const r{r0, r0 + right_tile < all_right ? r0 + right_tile : all_right};
      index_t const l1 = l0 + left_tile < all_left ? l0 + left_tile : all_left;
      auto const rows_from = [&]<int Rows>(index_t l, std::integral_constant<int, Rows>) {
        block_row<Rows>(left, right, length, partial, part, parts, finish, ahead, l, r);
      };
      index_t l = l0;
      // Two blocks of two rather than one of three and one of one, which would wait for its sums.
      for (; l + M <= l1 && !(M == 3 && l1 - l == 4); l += M) rows_from(l, std::integral_constant<int, M>{});
      if constexpr (M > 2)
        for (; l + 2 <= l1; l += 2) rows_from(l, std::integral_constant<int, 2>{});
      if constexpr (M > 1)
        for (; l < l1; ++l) rows_from(l, std::integral_constant<int, 1>{});
    }
}

// Cell by cell, the contraction in lanes.
template <class Sum, host_block Block>
void host_contraction<Sum, Block>::run_rows(index_interval cells) const
{
  using left_type = typename Sum::left_type;
  using right_type = typename Sum::right_type;
  index_t const k = sum_.length(), l = sum_.left_rows, r = sum_.right_rows;
  int const parts = l == 1 ? 1 : parts_of(k, sizeof(scalar));
  index_t const partial_size = parts > 1 ? l * r : 0;
  scratch_arrays memory(2 * scratch_arrays::bytes<index_t>(k) + scratch_arrays::bytes<left_type>(l * k) +
                        scratch_arrays::bytes<right_type>(r * k) + scratch_arrays::bytes<lanes>(partial_size));
  auto const left_k = make_offsets(sum_, sum_.left, memory.take<index_t>(k));
  auto const right_k = make_offsets(sum_, sum_.right, memory.take<index_t>(k));
  auto* const left_copy = memory.take<left_type>(l * k);
  auto* const right_copy = memory.take<right_type>(r * k);
  auto* const partial = memory.take<lanes>(partial_size);

  index_t const steps = (l + Block.left - 1) / Block.left * ((r + Block.right - 1) / Block.right) * (k / W);
  for (index_t c = cells.first; c < cells.last; ++c) {
    auto const left = rows_of_cell(sum_.left, left_k, c, l, k, left_copy);
    auto const right = rows_of_cell(sum_.right, right_k, c, r, k, right_copy);
    auto* const out = sum_.out.at(c);
    auto const finish = [&]<int N>(index_t i, index_t j, lanes const(&sums)[N]) SUMFAC_LAMBDA {
      constexpr int step = N < W ? N : W;
      auto* p = out + i * sum_.out.row + j * sum_.out.k2;
      SUMFAC_UNROLL
      for (int n = 0; n < N; n += step) {
        lanes some[step];
        for (int s = 0; s < step; ++s) some[s] = sums[n + s];
        put_lanes<step>(add_lanes(some), p + n * sum_.out.k2, sum_.out.k2, sum_.add);
      }
    };
    lines_ahead ahead;
    if (l > 1 && c + 1 < cells.last) ahead = next_cell_of(sum_, c + 1, left_k.is_run, right_k.is_run, steps);
    for (int part = 0; part < parts; ++part) {
      auto const now = part_of(part, parts, W);
      multiply(rows<left_type>{left.data + now.first, left.row}, rows<right_type>{right.data + now.first, right.row},
               now.size(), partial, part, parts, finish, ahead);
    }
  }
}

// One sum for each cell, W cells at a time, the contraction in lanes.
template <class Sum, host_block Block>
void host_contraction<Sum, Block>::run_pairs(index_interval cells) const
{
  index_t const k = sum_.length();
  scratch_arrays memory(2 * scratch_arrays::bytes<index_t>(k) + 2 * scratch_arrays::bytes<scalar>(W * k));
  auto const left_k = make_offsets(sum_, sum_.left, memory.take<index_t>(k));
  auto const right_k = make_offsets(sum_, sum_.right, memory.take<index_t>(k));
  auto* const left_copy = memory.take<scalar>(W * k);
  auto* const right_copy = memory.take<scalar>(W * k);
  auto const multiply_cell = [&](index_t c, int i) SUMFAC_LAMBDA {
    auto const with_right = [&](auto const* left) SUMFAC_LAMBDA {
      if (right_k.is_run) return multiply_row<4>(lanes{}, left, sum_.right.at(c), k);
      gather_rows(sum_.right, right_k, c, 1, {0, k}, right_copy + i * k);
      return multiply_row<4>(lanes{}, left, right_copy + i * k, k);
    };
    if (left_k.is_run) return with_right(sum_.left.at(c));
    gather_rows(sum_.left, left_k, c, 1, {0, k}, left_copy + i * k);
    return with_right(left_copy + i * k);
  };
  index_t c = cells.first;
  for (; c + W <= cells.last && sum_.out.is_adjacent(W); c += W) {
    lanes sums[W];
    for (int i = 0; i < W; ++i) sums[i] = multiply_cell(c + i, i);
    put_lanes<W>(add_lanes(sums), sum_.out.at(c), 1, sum_.add);
  }
  for (; c < cells.last; ++c) {
    lanes const one[1] = {multiply_cell(c, 0)};
    put_lanes<1>(add_lanes(one), sum_.out.at(c), 1, sum_.add);
  }
}

// Cells gathered and worked on together: at least a line of memory, so that each is fetched once, but for threads that
// would have nothing to do.
template <class Sum, host_block Block>
index_t host_contraction<Sum, Block>::lane_cells(int threads) const
{
  constexpr index_t line = 64 / sizeof(scalar) > W ? 64 / sizeof(scalar) : W, most = most_groups * W;
  index_t const part = part_of(0, lane_parts(), 1).size() + 1;
  index_t const cell_bytes = (sum_.left_rows + sum_.right_rows) * part * index_t{sizeof(scalar)};
  if (sum_.cells <= line * (threads - 1)) return W;
  index_t cells = line;
  while (2 * cells <= most && 2 * cells * threads <= sum_.cells && 2 * cells * cell_bytes <= gathered_bytes) cells *= 2;
  return cells;
}

// Writes sums(group, l, r) of some cells, whole lines of memory where cells lie side by side, past the caches where the
// arrays are larger.
template <class Sum, host_block Block>
void host_contraction<Sum, Block>::put_cells(index_interval cells, lanes const* sums) const
{
  constexpr index_t line = 64 / sizeof(scalar) > W ? 64 / sizeof(scalar) : W;
  auto const& out = sum_.out;
  index_t const outputs = sum_.left_rows * sum_.right_rows, count = cells.size();
  index_t const piece = count < line ? index_t{W} : line;
  index_t const whole = out.is_adjacent(piece) ? count / piece * (piece / W) : 0;
  bool const lines = whole > 0 && piece == line && out.row % line == 0 && out.k2 % line == 0;
  bool const past = lines && !sum_.add && exceeds_caches(sum_) &&
                    reinterpret_cast<std::uintptr_t>(out.at(cells.first)) % 64 == 0;
  index_t start[most_groups];
  for (index_t g = 0; g < whole; ++g) start[g] = out.cell_offset(cells.first + g * W);
  for (index_t i = 0; i < sum_.left_rows; ++i)
    for (index_t j = 0; j < sum_.right_rows; ++j, ++sums) {
      auto* const to = out.data + i * out.row + j * out.k2;
      for (index_t g = 0; g < whole; ++g) {
        lanes const x = sums[g * outputs];
        if constexpr (std::is_same_v<typename Sum::out_type, scalar>) {
          if (past) {
            stream(x, to + start[g]);
            continue;
          }
        }
        put_lanes<W>(x, to + start[g], 1, sum_.add);
      }
      for (index_t c = whole * W; c < count; ++c)
        put(sums[c / W * outputs][static_cast<int>(c % W)], to[out.cell_offset(cells.first + c)], sum_.add);
    }
}

// Packs of cells, a cell in each lane.
template <class Sum, host_block Block>
void host_contraction<Sum, Block>::run_lanes(index_interval cells, index_t grain) const
{
  index_t const k = sum_.length(), l = sum_.left_rows, r = sum_.right_rows, groups = grain / W;
  int const parts = lane_parts();
  index_t const part_size = part_of(0, parts, 1).size(), partial_size = parts > 1 ? l * r : 0;
  // A line more than is used keeps the groups in different sets of the cache.
  index_t const left_stride = l * part_size + 64 / index_t{sizeof(lanes)} + 1,
                right_stride = r * part_size + 64 / index_t{sizeof(lanes)} + 1;
  scratch_arrays memory(2 * scratch_arrays::bytes<index_t>(k) + scratch_arrays::bytes<lanes>(groups * left_stride) +
                        scratch_arrays::bytes<lanes>(groups * right_stride) +
                        scratch_arrays::bytes<lanes>(groups * partial_size) +
                        scratch_arrays::bytes<lanes>(groups * l * r));
  auto const left_k = make_offsets(sum_, sum_.left, memory.take<index_t>(k));
  auto const right_k = make_offsets(sum_, sum_.right, memory.take<index_t>(k));
  auto* const left = memory.take<lanes>(groups * left_stride);
  auto* const right = memory.take<lanes>(groups * right_stride);
  auto* const partial = memory.take<lanes>(groups * partial_size);
  auto* const sums = memory.take<lanes>(groups * l * r);

  for (index_t c = cells.first; c < cells.last; c += grain) {
    index_interval const some{c, c + grain < cells.last ? c + grain : cells.last};
    for (int part = 0; part < parts; ++part) {
      auto const now = part_of(part, parts, 1);
      gather_lanes(sum_.left, left_k, some, l, now, left, left_stride);
      gather_lanes(sum_.right, right_k, some, r, now, right, right_stride);
      for (index_t g = 0; some.first + g * W < some.last; ++g) {
        lines_ahead nothing_ahead;
        lanes* const group_sums = sums + g * l * r;
        auto const finish = [&]<int N>(index_t i, index_t j, lanes const(&x)[N]) SUMFAC_LAMBDA {
          SUMFAC_UNROLL
          for (int n = 0; n < N; ++n) group_sums[i * r + j + n] = x[n];
        };
        auto const* const a = reinterpret_cast<scalar const*>(left + g * left_stride);
        auto const* const b = reinterpret_cast<scalar const*>(right + g * right_stride);
        multiply(rows<scalar>{a, now.size() * W}, rows<scalar>{b, now.size() * W}, now.size() * W,
                 partial + g * partial_size, part, parts, finish, nothing_ahead);
      }
    }
    put_cells(some, sums);
  }
  stream_fence();
}

}  // namespace sumfac::detail
