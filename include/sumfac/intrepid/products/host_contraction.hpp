// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions on the CPU: blocks of registers over rows of one cell, or over cells in SIMD lanes.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/intrepid/products/cell_streams.hpp>
#include <sumfac/intrepid/products/contraction.hpp>
#include <sumfac/intrepid/products/gather.hpp>
#include <sumfac/intrepid/products/host_blocks.hpp>
#include <sumfac/intrepid/products/host_fields.hpp>
#include <sumfac/intrepid/products/host_lanes.hpp>
#include <sumfac/intrepid/products/host_panels.hpp>
#include <sumfac/intrepid/products/prefetch.hpp>
#include <sumfac/intrepid/products/register_block.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

template <class Sum, host_block Block>
class host_contraction {
  using scalar = typename Sum::accumulator;
  static constexpr int simd_width = native_width<scalar>;
  using lanes = pack<scalar, simd_width>;

public:
  host_contraction(Sum const& sum, host_tiles tiles) : sum_(order(sum)), tiles_(tiles) {}

  void run(host const& backend) const;

private:
  static Sum order(Sum sum);

  template <class Function>
  void spread(host const& backend, index_t grain, Function const& f) const;
  void run_data(host const& backend) const;
  void run_lanes(host const& backend) const;
  bool panels_pay() const;
  void run_panels(index_interval cells) const;
  void run_rows(index_interval cells) const;
  template <bool Plain>
  void run_rows_as(index_interval cells, int parts, bool prefetches) const;
  void run_pairs(index_interval cells) const;

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
  if (sum_.left_rows == 1)
    run_data(backend);
  else if (host_lanes<Sum, Block>::pays(sum_))
    run_lanes(backend);
  else if (tiles_ == host_tiles::cached && panels_pay())
    spread(backend, 1, [](host_contraction const& own, index_interval cells) { own.run_panels(cells); });
  else
    spread(backend, 1, [](host_contraction const& own, index_interval cells) { own.run_rows(cells); });
}

// Calls f(own, cells), own a thread's copy of this, for pieces that begin at multiples of `grain` cells, so that packs
// and blocks of cells are whole, and that are long beside what it takes to begin one.
template <class Sum, host_block Block>
template <class Function>
void host_contraction<Sum, Block>::spread(host const& backend, index_t grain, Function const& f) const
{
  constexpr index_t least_bytes = 512 << 10;
  index_t const cell_bytes = (sum_.left_rows + sum_.right_rows) * sum_.length() * index_t{sizeof(scalar)};
  auto const some = [&](index_t first, index_t last) {
    // Made at once, so that its lines of memory come from the core that has them side by side: half a microsecond less
    // where cores are far apart.
    host_contraction own = *this;
    asm("" : "+m"(own));
    f(own, index_interval{first * grain, last * grain < own.sum_.cells ? last * grain : own.sum_.cells});
  };
  backend.balance((sum_.cells + grain - 1) / grain, some, least_bytes / (grain * cell_bytes + 1));
}

template <class Sum, host_block Block>
void host_contraction<Sum, Block>::run_data(host const& backend) const
{
  using streams = cell_streams<Sum>;
  index_t const streamed = stream_block(sum_, backend.threads());
  if (streamed > 0 && streams::shares_fields(sum_, backend.threads()))
    backend.balance(sum_.right_rows, [&](index_t first, index_t last) {
      streams(sum_, stream_block(sum_, 1)).run({0, sum_.cells}, {first, last});
    });
  else if (streamed > 0)
    spread(backend, streamed, [streamed](host_contraction const& own, index_interval cells) {
      streams(own.sum_, streamed).run(cells, {0, own.sum_.right_rows});
    });
  else if (sum_.right_rows == 1)
    spread(backend, 4 * simd_width, [](host_contraction const& own, index_interval cells) { own.run_pairs(cells); });
  else
    spread(backend, 1,
           [](host_contraction const& own, index_interval cells) { host_fields<Sum>(own.sum_).run(cells); });
}

// Threads share the cells, or the left rows of a few cells.
template <class Sum, host_block Block>
void host_contraction<Sum, Block>::run_lanes(host const& backend) const
{
  host_lanes<Sum, Block> const in_lanes(sum_, tiles_);
  index_t const grain = in_lanes.grain(backend.threads()), parts = in_lanes.row_shares(backend.threads());
  if (parts == 1)
    return spread(backend, grain, [grain](host_contraction const& own, index_interval cells) {
      host_lanes<Sum, Block>(own.sum_, own.tiles_).run(cells, grain);
    });
  index_t const blocks = (sum_.cells + grain - 1) / grain;
  backend.balance(blocks * parts, [&](index_t first, index_t last) {
    for (index_t i = first; i < last; ++i) {
      index_t const c = i / parts * grain;
      in_lanes.of_rows(i % parts, parts).run({c, c + grain < sum_.cells ? c + grain : sum_.cells}, grain);
    }
  });
}

template <class Sum, host_block Block>
bool host_contraction<Sum, Block>::panels_pay() const
{
  if constexpr (register_bytes == 64)
    if (host_panels<Sum>::is_narrow(sum_)) return host_panels<Sum, simd_width / 2>::pays(sum_);
  return host_panels<Sum>::pays(sum_);
}

// Right fields in lanes, or in half as many.
template <class Sum, host_block Block>
void host_contraction<Sum, Block>::run_panels(index_interval cells) const
{
  if constexpr (register_bytes == 64)
    if (host_panels<Sum>::is_narrow(sum_)) return host_panels<Sum, simd_width / 2>(sum_).run(cells);
  host_panels<Sum>(sum_).run(cells);
}

// Cell by cell, the contraction in lanes.
template <class Sum, host_block Block>
void host_contraction<Sum, Block>::run_rows(index_interval cells) const
{
  // With AVX-512 rows in cache are read faster whole than in parts, by an eighth for sums of 1280.
  bool const large = exceeds_caches(sum_);
  int const parts = register_bytes == 64 && !large ? 1 : row_part::count_of(sum_.length(), sizeof(scalar));
  bool const prefetches = rows_gain_by_prefetch(sum_), dense = sum_.out.k2 == 1 && !sum_.add;
  if (parts == 1 && !prefetches && dense)
    run_rows_as<true>(cells, 1, false);
  else
    run_rows_as<false>(cells, parts, prefetches);
}

// `Plain` rows are whole, come in time, and their sums overwrite entries that lie side by side: all that the compiler
// knows then is a tenth to a third of the time of short ones.
template <class Sum, host_block Block>
template <bool Plain>
void host_contraction<Sum, Block>::run_rows_as(index_interval cells, int parts, bool prefetches) const
{
  using left_type = typename Sum::left_type;
  using right_type = typename Sum::right_type;
  index_t const k = sum_.length(), l = sum_.left_rows, r = sum_.right_rows;
  index_t const partial_size = parts > 1 ? l * r : 0;
  index_t const left_size = is_run(sum_, sum_.left) ? 0 : l * k, right_size = is_run(sum_, sum_.right) ? 0 : r * k;
  scratch_arrays memory(2 * scratch_arrays::bytes<index_t>(k) + scratch_arrays::bytes<left_type>(left_size) +
                        scratch_arrays::bytes<right_type>(right_size) + scratch_arrays::bytes<lanes>(partial_size));
  auto const left_k = make_offsets(sum_, sum_.left, memory.take<index_t>(k));
  auto const right_k = make_offsets(sum_, sum_.right, memory.take<index_t>(k));
  auto* const left_copy = memory.take<left_type>(left_size);
  auto* const right_copy = memory.take<right_type>(right_size);
  auto* const partial = memory.take<lanes>(partial_size);

  bool const large = exceeds_caches(sum_);
  index_t const most = Plain ? k : row_part(k, 0, parts, simd_width).size();
  auto const blocks = host_blocks<scalar, Block>::template of_rows<left_type, right_type>(l, r, most, tiles_);
  index_t const steps = (l + Block.left - 1) / Block.left * ((r + Block.right - 1) / Block.right) * (k / simd_width);
  for (index_t c = cells.first; c < cells.last; ++c) {
    auto const left = rows_of_cell(sum_.left, left_k, c, l, k, left_copy);
    auto const right = rows_of_cell(sum_.right, right_k, c, r, k, right_copy);
    auto const finish = [out = sum_.out.at(c), row = sum_.out.row, stride = sum_.out.k2, add = sum_.add](
                            index_t i, index_t j, auto const& sums) SUMFAC_LAMBDA {
      index_t const step = Plain ? 1 : stride;
      put_block(sums, out + i * row + j * step, row, step, !Plain && add);
    };
    if constexpr (Plain) {
      no_row_prefetch prefetch;
      blocks.multiply(left, right, k, partial, whole_rows{}, finish, prefetch);
    } else {
      row_prefetch prefetch;
      if (prefetches && c + 1 < cells.last) prefetch = next_cell_of(sum_, c + 1, left_k.is_run, right_k.is_run, steps);
      prefetch.prefetch_twice(large);
      for (int number = 0; number < parts; ++number) {
        row_part const part(k, number, parts, simd_width);
        blocks.multiply(factor_rows<left_type>{left.data + part.first, left.row},
                        factor_rows<right_type>{right.data + part.first, right.row}, part.size(), partial, part, finish,
                        prefetch);
      }
    }
  }
}

// One sum for each cell, simd_width cells at a time, the contraction in lanes.
template <class Sum, host_block Block>
void host_contraction<Sum, Block>::run_pairs(index_interval cells) const
{
  index_t const k = sum_.length();
  // What lies in one run needs neither a table nor a copy.
  index_t const left_size = is_run(sum_, sum_.left) ? 0 : k, right_size = is_run(sum_, sum_.right) ? 0 : k;
  scratch_arrays memory(scratch_arrays::bytes<index_t>(left_size) + scratch_arrays::bytes<index_t>(right_size) +
                        scratch_arrays::bytes<scalar>(simd_width * left_size) +
                        scratch_arrays::bytes<scalar>(simd_width * right_size));
  auto const offsets = [&](auto const& x, index_t size) {
    auto* const table = memory.take<index_t>(size);
    return size == 0 ? contracted_offsets{nullptr, true} : make_offsets(sum_, x, table);
  };
  auto const left_k = offsets(sum_.left, left_size), right_k = offsets(sum_.right, right_size);
  auto* const left_copy = memory.take<scalar>(simd_width * left_size);
  auto* const right_copy = memory.take<scalar>(simd_width * right_size);
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
  for (; c + simd_width <= cells.last && sum_.out.is_adjacent(simd_width); c += simd_width) {
    lanes sums[simd_width];
    for (int i = 0; i < simd_width; ++i) sums[i] = multiply_cell(c + i, i);
    put_lanes<simd_width>(add_lanes(sums), sum_.out.at(c), 1, sum_.add);
  }
  for (; c < cells.last; ++c) {
    lanes const one[1] = {multiply_cell(c, 0)};
    put_lanes<1>(add_lanes(one), sum_.out.at(c), 1, sum_.add);
  }
}

}  // namespace sumfac::detail
