// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions of data with fields on the CPU, cell by cell: fields are read as they lie in memory.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/contract/contraction.hpp>
#include <sumfac/contract/gather.hpp>
#include <sumfac/contract/register_block.hpp>

namespace sumfac::detail {

// Short rows: two cells at a time, one of the first half and one of the second, since a core reads two streams faster
// than one. W fields of one, then W of the other, whose sums are added up over lanes together. Long rows: cell by cell.
template <class Sum>
class host_fields {
  using scalar = typename Sum::accumulator;
  using left_type = typename Sum::left_type;
  using right_type = typename Sum::right_type;
  static constexpr int W = native_width<scalar>, most_packs = 6;
  using lanes = pack<scalar, W>;

public:
  explicit host_fields(Sum const& sum) : sum_(sum) {}

  void run(index_interval cells) const
  {
    index_t const k = sum_.length();
    switch (k < W || k > most_packs * W ? 0 : (k + W - 1) / W) {
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
  // Where one of the streams is.
  struct stream {
    index_interval cells;
    left_type* left_copy;
    right_type* right_copy;
    left_type const* data = nullptr;
    factor_rows<right_type> fields{};
    index_t row = 0;
  };

  template <int Packs>
  void run_packs(index_interval cells) const;
  template <int Packs>
  void step(stream& s, contracted_offsets left_k, contracted_offsets right_k) const;

  // A cell's data in registers, or where they lie if they are too many or too few for that.
  template <int Packs>
  struct kept_data {
    lanes pack[Packs];
  };
  template <int Packs>
  SUMFAC_INLINE auto load_data(left_type const* data) const
  {
    if constexpr (Packs == 0) {
      return data;
    } else {
      kept_data<Packs> kept;
      load(data, kept.pack);
      return kept;
    }
  }

  // Packs of a row, the last of which ends with the row: of it the entries count that no other pack has.
  template <int Packs, class T>
  SUMFAC_INLINE void load(T const* row, lanes (&x)[Packs]) const
  {
    SUMFAC_UNROLL
    for (int i = 0; i + 1 < Packs; ++i) x[i] = load_as<lanes>(row + i * W);
    x[Packs - 1] = keep_last(load_as<lanes>(row + sum_.length() - W), sum_.length() - (Packs - 1) * W);
  }

  // The products of data and a row.
  template <int Packs>
  SUMFAC_INLINE lanes multiply(kept_data<Packs> const& data, right_type const* row) const
  {
    lanes field[Packs];
    load(row, field);
    lanes sum = data.pack[0] * field[0];
    SUMFAC_UNROLL
    for (int i = 1; i < Packs; ++i) sum = fma(data.pack[i], field[i], sum);
    return sum;
  }
  SUMFAC_INLINE lanes multiply(left_type const* data, right_type const* row) const
  {
    return multiply_row<4>(lanes{}, data, row, sum_.length());
  }

  Sum sum_;
};

template <class Sum>
template <int Packs>
void host_fields<Sum>::run_packs(index_interval cells) const
{
  index_t const k = sum_.length(), r = sum_.right_rows, half = Packs == 0 ? 0 : cells.size() / 2;
  scratch_arrays memory(2 * scratch_arrays::bytes<index_t>(k) + 2 * scratch_arrays::bytes<left_type>(k) +
                        2 * scratch_arrays::bytes<right_type>(r * k));
  auto const left_k = make_offsets(sum_, sum_.left, memory.take<index_t>(k));
  auto const right_k = make_offsets(sum_, sum_.right, memory.take<index_t>(k));
  auto const begin = [&](index_interval some) {
    return stream{.cells = some, .left_copy = memory.take<left_type>(k), .right_copy = memory.take<right_type>(r * k)};
  };
  stream a = begin({cells.first, cells.first + half}), b = begin({cells.first + half, cells.last});
  while (a.cells.size() > 0) step<Packs>(a, left_k, right_k), step<Packs>(b, left_k, right_k);
  while (b.cells.size() > 0) step<Packs>(b, left_k, right_k);
}

// Some fields of a stream's cell.
template <class Sum>
template <int Packs>
void host_fields<Sum>::step(stream& s, contracted_offsets left_k, contracted_offsets right_k) const
{
  constexpr int groups = 8 / (Packs < 1 || Packs > 8 ? 8 : Packs);
  [[maybe_unused]] constexpr index_t ahead = 1024 / sizeof(right_type);
  index_t const c = s.cells.first, k = sum_.length(), r = sum_.right_rows, stride = sum_.out.k2;
  if (s.row == 0) {
    s.data = rows_of_cell(sum_.left, left_k, c, 1, k, s.left_copy).data;
    s.fields = rows_of_cell(sum_.right, right_k, c, r, k, s.right_copy);
  }
  auto const data = load_data<Packs>(s.data);
  auto const fields = s.fields;
  auto* const out = sum_.out.at(c);
  index_t i = s.row;
  for (int g = 0; g < groups && i + W <= r; ++g, i += W) {
    lanes sums[W];
    SUMFAC_UNROLL
    for (int n = 0; n < W; ++n) {
      right_type const* const row = fields.at(i + n);
#if defined(__GNUC__)
      // What comes next in memory, be it of this cell or of the next.
      for (int p = 0; p < Packs; p += 2) __builtin_prefetch(row + p * W + ahead);
#endif
      sums[n] = multiply(data, row);
    }
    put_lanes<W>(add_lanes(sums), out + i * stride, stride, sum_.add);
  }
  if (i + W > r)
    for (; i < r; ++i) {
      lanes const one[1] = {multiply(data, fields.at(i))};
      put_lanes<1>(add_lanes(one), out + i * stride, stride, sum_.add);
    }
  s.row = i;
  if (i == r) s.row = 0, ++s.cells.first;
}

}  // namespace sumfac::detail
