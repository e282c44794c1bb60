// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions of fields on the CPU: where cells lie side by side, cells in SIMD lanes; of data with fields, which are
// read as they lie in memory, in several streams.
#pragma once

#include <sumfac/intrepid/products/contraction.hpp>
#include <sumfac/intrepid/products/gather.hpp>
#include <sumfac/intrepid/products/host_blocks.hpp>
#include <sumfac/intrepid/products/prefetch.hpp>
#include <sumfac/intrepid/products/register_block.hpp>

#include <cstdint>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Packs of cells, a cell in each lane, are copied to rows of packs and multiplied there.
template <class Sum, host_block Block>
class host_lanes {
  using scalar = typename Sum::accumulator;
  static constexpr int simd_width = native_width<scalar>;
  using out_type = typename Sum::out_type;
  using lanes = pack<scalar, simd_width>;

public:
  host_lanes(Sum const& sum, host_tiles tiles) : sum_(sum), tiles_(tiles) {}

  // Where the cells of a factor lie side by side.
  static bool pays(Sum const& sum) { return sum.left.is_adjacent(simd_width) || sum.right.is_adjacent(simd_width); }

  // Cells worked on together: at least a line of memory, so that each is fetched once, but for threads that would have
  // nothing to do; and a pair of lines where a thread writes many, since processors fetch them in pairs, or the three
  // that are all there are. More of them, for longer pieces of memory, as long as every thread has four times to do.
  index_t grain(int threads) const;

  // How many threads share the left rows of a cell: one, but for many rows of few cells.
  index_t row_shares(int threads) const;

  // The same of part `part` of `parts` of the left rows.
  host_lanes of_rows(index_t part, index_t parts) const;

  void run(index_interval cells, index_t grain) const;

private:
  static constexpr index_t line = 64 / sizeof(scalar) > simd_width ? 64 / sizeof(scalar)
                                                                   : simd_width;  // cells of a line of memory
  static constexpr index_t least_share = 8;               // left rows of a cell's that are worth a thread of their own
  static constexpr index_t many_rows = 32;                // of which a thread writes enough for pairs of lines
  static constexpr index_t most_cells = 16 * simd_width;  // that are worked on together
  static constexpr index_t gathered_bytes = 2 << 20;      // of theirs, in the last cache

  // Whether a pack of sums is a line, and is written as soon as it is complete.
  static constexpr bool is_direct = sizeof(lanes) == 64;

  int parts() const { return row_part::count_of(sum_.length(), sizeof(lanes)); }
  bool goes_past_caches(index_t cell) const;
  template <int Columns>
  SUMFAC_INLINE void put_packs(lanes const (&sums)[Columns], out_type* to, bool past) const;
  void put_cells(index_interval cells, lanes const* sums, index_t done) const;

  Sum sum_;
  host_tiles tiles_;
};

template <class Sum, host_block Block>
index_t host_lanes<Sum, Block>::grain(int threads) const
{
  index_t const part = row_part(sum_.length(), 0, parts(), 1).size() + 1;
  index_t const cell_bytes = (sum_.left_rows + sum_.right_rows) * part * index_t{sizeof(scalar)};
  bool const many = sum_.left_rows >= many_rows;
  if (sum_.left_rows < 2 * least_share && sum_.cells <= line * (threads - 1)) return simd_width;
  if (many && sum_.cells > 2 * line && sum_.cells <= 3 * line) return 3 * line;
  auto const fit = [&](index_t cells) {
    index_t const times = cells > 2 * line ? 4 : 1;
    return cells <= most_cells && times * cells * threads <= sum_.cells && cells * cell_bytes <= gathered_bytes;
  };
  index_t cells = many ? 2 * line : line;
  while (fit(2 * cells)) cells *= 2;
  return cells;
}

template <class Sum, host_block Block>
index_t host_lanes<Sum, Block>::row_shares(int threads) const
{
  index_t const some = grain(threads), blocks = (sum_.cells + some - 1) / some;
  index_t const wanted = (threads + blocks - 1) / blocks, most = sum_.left_rows / least_share;
  return most < 2 ? 1 : wanted < most ? wanted : most;
}

template <class Sum, host_block Block>
auto host_lanes<Sum, Block>::of_rows(index_t part, index_t parts) const -> host_lanes
{
  index_t const first = sum_.left_rows * part / parts, last = sum_.left_rows * (part + 1) / parts;
  host_lanes some = *this;
  some.sum_.left.data += first * sum_.left.row;
  some.sum_.out.data += first * sum_.out.row;
  some.sum_.left_rows = last - first;
  return some;
}

// Packs of cells, a cell in each lane.
template <class Sum, host_block Block>
void host_lanes<Sum, Block>::run(index_interval cells, index_t grain) const
{
  index_t const k = sum_.length(), l = sum_.left_rows, r = sum_.right_rows, groups = grain / simd_width;
  int const parts = this->parts();
  index_t const part_size = row_part(k, 0, parts, 1).size(), partial_size = parts > 1 ? l * r : 0;
  // A line more than is used keeps the groups in different sets of the cache.
  index_t const pad = 64 / index_t{sizeof(lanes)} + 1;
  index_t const left_stride = l * part_size + pad, right_stride = r * part_size + pad;
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

  auto const blocks =
      host_blocks<scalar, Block>::template of_rows<scalar, scalar>(l, r, part_size * simd_width, tiles_);
  for (index_t c = cells.first; c < cells.last; c += grain) {
    index_interval const some{c, c + grain < cells.last ? c + grain : cells.last};
    index_t const direct = is_direct && sum_.out.is_adjacent(simd_width) ? some.size() / simd_width : 0;
    bool const past = goes_past_caches(c);
    for (int number = 0; number < parts; ++number) {
      row_part const part(k, number, parts, 1);
      index_t const size = part.size();
      gather_lanes(sum_.left, left_k, some, l, {part.first, part.last}, lane_rows_to<lanes>{left, size, left_stride});
      gather_lanes(sum_.right, right_k, some, r, {part.first, part.last},
                   lane_rows_to<lanes>{right, size, right_stride});
      for (index_t g = 0; some.first + g * simd_width < some.last; ++g) {
        no_row_prefetch prefetch;
        lanes* const group_sums = sums + g * l * r;
        auto* const lines = g < direct ? sum_.out.at(some.first + g * simd_width) : nullptr;
        auto const finish = [&]<int Rows, int Columns>(index_t i, index_t j, lanes const(&x)[Rows][Columns])
                                SUMFAC_LAMBDA {
                                  SUMFAC_UNROLL
                                  for (int m = 0; m < Rows; ++m, ++i) {
                                    if (is_direct && lines != nullptr) {
                                      put_packs(x[m], lines + i * sum_.out.row + j * sum_.out.k2, past);
                                    } else {
                                      SUMFAC_UNROLL
                                      for (int n = 0; n < Columns; ++n) group_sums[i * r + j + n] = x[m][n];
                                    }
                                  }
                                };
        auto const* const a = reinterpret_cast<scalar const*>(left + g * left_stride);
        auto const* const b = reinterpret_cast<scalar const*>(right + g * right_stride);
        blocks.multiply(factor_rows<scalar>{a, size * simd_width}, factor_rows<scalar>{b, size * simd_width},
                        size * simd_width, partial + g * partial_size, part, finish, prefetch);
      }
    }
    put_cells(some, sums, direct);
  }
  stream_fence();
}

// Whether sums of cells from `cell` on, which begins a line, are written past the caches.
template <class Sum, host_block Block>
bool host_lanes<Sum, Block>::goes_past_caches(index_t cell) const
{
  auto const& out = sum_.out;
  return std::is_same_v<out_type, scalar> && out.is_adjacent(line) && out.row % line == 0 && out.k2 % line == 0 &&
         !sum_.add && exceeds_caches(sum_) && reinterpret_cast<std::uintptr_t>(out.at(cell)) % 64 == 0;
}

// Writes the sums of a left row and N right rows, simd_width cells each, side by side in memory.
template <class Sum, host_block Block>
template <int Columns>
SUMFAC_INLINE void host_lanes<Sum, Block>::put_packs(lanes const (&sums)[Columns], out_type* to, bool past) const
{
  SUMFAC_UNROLL
  for (int n = 0; n < Columns; ++n, to += sum_.out.k2) {
    if constexpr (std::is_same_v<out_type, scalar>) {
      if (past) {
        stream(sums[n], to);
        continue;
      }
    }
    put_lanes<simd_width>(sums[n], to, 1, sum_.add);
  }
}

// Writes sums(group, l, r) of some cells, whole lines of memory where cells lie side by side, but for those of the
// first `done` groups, which are in place.
template <class Sum, host_block Block>
void host_lanes<Sum, Block>::put_cells(index_interval cells, lanes const* sums, index_t done) const
{
  auto const& out = sum_.out;
  index_t const outputs = sum_.left_rows * sum_.right_rows, count = cells.size();
  if (done * simd_width == count) return;
  index_t const piece = count < line ? index_t{simd_width} : line;
  index_t const whole = out.is_adjacent(piece) ? count / piece * (piece / simd_width) : 0;
  bool const past = whole > 0 && piece == line && goes_past_caches(cells.first);
  index_t start[most_cells / simd_width];
  for (index_t g = 0; g < whole; ++g) start[g] = out.cell_offset(cells.first + g * simd_width);
  for (index_t i = 0; i < sum_.left_rows; ++i)
    for (index_t j = 0; j < sum_.right_rows; ++j, ++sums) {
      auto* const to = out.data + i * out.row + j * out.k2;
      for (index_t g = done; g < whole; ++g) {
        lanes const some[1] = {sums[g * outputs]};
        put_packs(some, to + start[g], past);
      }
      for (index_t c = whole * simd_width; c < count; ++c)
        put(sums[c / simd_width * outputs][static_cast<int>(c % simd_width)], to[out.cell_offset(cells.first + c)],
            sum_.add);
    }
}

// Four cells at a time, one of each quarter of the cells, and a field of each of them side by side.
template <class Sum>
class host_fields {
  using scalar = typename Sum::accumulator;
  using left_type = typename Sum::left_type;
  using right_type = typename Sum::right_type;
  static constexpr int simd_width = native_width<scalar>, streams = 4, most_packs = 6;
  using lanes = pack<scalar, simd_width>;

public:
  explicit host_fields(Sum const& sum) : sum_(sum) {}

  void run(index_interval cells) const
  {
    index_t const k = sum_.length();
    switch (k < simd_width || k > most_packs * simd_width ? 0 : (k + simd_width - 1) / simd_width) {
      case 1: return run_packs<1>(cells);
      case 2: return run_packs<2>(cells);
      case 3: return run_packs<3>(cells);
      case 4: return run_packs<4>(cells);
      case 5: return run_packs<5>(cells);
      case 6: return run_packs<6>(cells);
      default: return run_packs<0>(cells);
    }
  }

private:
  // The data and the fields of some cells, where they lie or in copies.
  template <int Cells>
  struct cell_rows {
    left_type const* data[Cells];
    right_type const* fields[Cells];
    index_t row[Cells];
    typename Sum::out_type* out[Cells];
  };

  // Packs is the number of packs that a row needs, or 0 where that is none of those above.
  template <int Packs>
  void run_packs(index_interval cells) const;
  template <int Packs, int Cells>
  void contract_cells(cell_rows<Cells> const& rows) const;
  template <int Packs, int Cells>
  SUMFAC_INLINE void multiply(cell_rows<Cells> const& rows, index_t field, lanes (&sum)[Cells]) const;
  SUMFAC_INLINE void prefetch_row(right_type const* row, index_t bytes) const;

  Sum sum_;
  bool prefetches_ = prefetches_short_rows();
};

template <class Sum>
template <int Packs>
void host_fields<Sum>::run_packs(index_interval cells) const
{
  index_t const k = sum_.length(), r = sum_.right_rows, share = cells.size() / streams;
  scratch_arrays memory(2 * scratch_arrays::bytes<index_t>(k) + streams * scratch_arrays::bytes<left_type>(k) +
                        streams * scratch_arrays::bytes<right_type>(r * k));
  auto const left_k = make_offsets(sum_, sum_.left, memory.take<index_t>(k));
  auto const right_k = make_offsets(sum_, sum_.right, memory.take<index_t>(k));
  left_type* left_copy[streams];
  right_type* right_copy[streams];
  for (int s = 0; s < streams; ++s)
    left_copy[s] = memory.take<left_type>(k), right_copy[s] = memory.take<right_type>(r * k);

  // The cells c, c + share, ...
  auto const contract = [&]<int Cells>(index_t c, std::integral_constant<int, Cells>) {
    cell_rows<Cells> rows;
    for (int s = 0; s < Cells; ++s, c += share) {
      auto const fields = rows_of_cell(sum_.right, right_k, c, r, k, right_copy[s]);
      rows.data[s] = rows_of_cell(sum_.left, left_k, c, 1, k, left_copy[s]).data;
      rows.fields[s] = fields.data, rows.row[s] = fields.row;
      rows.out[s] = sum_.out.at(c);
    }
    contract_cells<Packs>(rows);
  };
  for (index_t c = 0; c < share; ++c) contract(cells.first + c, std::integral_constant<int, streams>{});
  for (index_t c = cells.first + streams * share; c < cells.last; ++c) contract(c, std::integral_constant<int, 1>{});
}

// All fields of some cells, simd_width of each at a time, whose sums are added up over lanes together.
template <class Sum>
template <int Packs, int Cells>
void host_fields<Sum>::contract_cells(cell_rows<Cells> const& rows) const
{
  index_t const r = sum_.right_rows, stride = sum_.out.k2;
  auto const some = [&]<int Fields>(index_t first, std::integral_constant<int, Fields>) SUMFAC_LAMBDA {
    lanes sums[Cells][Fields];
    SUMFAC_UNROLL
    for (int n = 0; n < Fields; ++n) {
      lanes sum[Cells];
      multiply<Packs>(rows, first + n, sum);
      SUMFAC_UNROLL
      for (int s = 0; s < Cells; ++s) sums[s][n] = sum[s];
    }
    SUMFAC_UNROLL
    for (int s = 0; s < Cells; ++s)
      put_lanes<Fields>(add_lanes(sums[s]), rows.out[s] + first * stride, stride, sum_.add);
  };
  index_t i = 0;
  for (; i + simd_width <= r; i += simd_width) some(i, std::integral_constant<int, simd_width>{});
  for (; i < r; ++i) some(i, std::integral_constant<int, 1>{});
}

// Asks for what lies 4 KiB further on, where rows are short.
template <class Sum>
SUMFAC_INLINE void host_fields<Sum>::prefetch_row([[maybe_unused]] right_type const* row,
                                                  [[maybe_unused]] index_t bytes) const
{
  constexpr index_t distance = 4096, longest = 1024;
  if (!prefetches_ || bytes > longest) return;
  for (index_t line = 0; line < bytes; line += 64)
    __builtin_prefetch(reinterpret_cast<char const*>(row) + distance + line, 0, 3);
}

// sum[s] = the products, lane by lane, of the data and a field of each cell.
template <class Sum>
template <int Packs, int Cells>
SUMFAC_INLINE void host_fields<Sum>::multiply(cell_rows<Cells> const& rows, index_t field, lanes (&sum)[Cells]) const
{
  index_t const length = sum_.length();
  right_type const* fields[Cells];
  SUMFAC_UNROLL
  for (int s = 0; s < Cells; ++s) {
    fields[s] = rows.fields[s] + field * rows.row[s], sum[s] = lanes{};
    prefetch_row(fields[s], (Packs > 0 ? Packs * simd_width : length) * index_t{sizeof(right_type)});
  }
  if constexpr (Packs == 0) {
    multiply_pairs<2>(sum, rows.data, fields, length);
  } else {
    auto const add = [&](auto const& load) SUMFAC_LAMBDA {
      SUMFAC_UNROLL
      for (int s = 0; s < Cells; ++s) sum[s] = fma(load(rows.data[s]), load(fields[s]), sum[s]);
    };
    SUMFAC_UNROLL
    for (int p = 0; p + 1 < Packs; ++p)
      add([p](auto const* row) SUMFAC_LAMBDA { return load_as<lanes>(row + p * simd_width); });
    // The last pack ends with the row: of it the entries count that no other has.
    add([length](auto const* row) SUMFAC_LAMBDA {
      return keep_last(load_as<lanes>(row + length - simd_width), length - (Packs - 1) * simd_width);
    });
  }
}

}  // namespace sumfac::detail
