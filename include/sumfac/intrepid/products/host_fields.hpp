// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions of data with fields on the CPU: fields are read as they lie in memory, in several streams.
#pragma once

#include <sumfac/backend/detail/machine.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/intrepid/products/contraction.hpp>
#include <sumfac/intrepid/products/gather.hpp>
#include <sumfac/intrepid/products/register_block.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

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
