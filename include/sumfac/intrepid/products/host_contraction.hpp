// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions on the CPU: blocks of registers over rows of one cell, or over cells in SIMD lanes, or streams of cells.
#pragma once

#include <sumfac/intrepid/products/contraction.hpp>
#include <sumfac/intrepid/products/gather.hpp>
#include <sumfac/intrepid/products/host_blocks.hpp>
#include <sumfac/intrepid/products/host_lanes.hpp>
#include <sumfac/intrepid/products/host_panels.hpp>
#include <sumfac/intrepid/products/prefetch.hpp>
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
