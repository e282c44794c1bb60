// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Factors of a contraction copied to where SIMD reads them: rows of one cell, or cells in lanes.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/contract/contraction.hpp>
#include <sumfac/contract/register_block.hpp>
#include <sumfac/math/pack.hpp>

#include <cstddef>

namespace sumfac::detail {

// The offsets of the contracted index in one factor, in the order of the sum.
struct contracted_offsets {
  index_t const* offset;
  bool is_run;  // 0, 1, 2, ...

  SUMFAC_INLINE index_t operator[](index_t k) const { return offset == nullptr ? k : offset[k]; }
};

// Whether the contracted index of a factor has the offsets 0, 1, 2, ...
template <class Sum, class T>
bool is_run(Sum const& sum, contraction_operand<T> const& x)
{
  return (sum.n2 == 1 || x.k2 == 1) && (sum.n1 == 1 || x.k1 == sum.n2) && (sum.n0 == 1 || x.k0 == sum.n1 * sum.n2);
}

// The table is left empty where it would hold 0, 1, 2, ... and the cells do not lie side by side.
template <class Sum, class T>
contracted_offsets make_offsets(Sum const& sum, contraction_operand<T> const& x, index_t* offset)
{
  bool const is_run = detail::is_run(sum, x);
  if (is_run && x.cell != 1) return {nullptr, true};
  index_t k = 0;
  for (index_t i = 0; i < sum.n0; ++i)
    for (index_t j = 0; j < sum.n1; ++j)
      for (index_t l = 0; l < sum.n2; ++l) offset[k++] = x.inner(i, j, l);
  return {offset, is_run};
}

struct index_interval {
  index_t first, last;
  SUMFAC_INLINE index_t size() const { return last - first; }
};

// to(row, k) = x(cell, row, k) for k in an interval, rows packed densely.
template <class T, class U>
void gather_rows(contraction_operand<T> const& x, contracted_offsets k, index_t cell, index_t rows, index_interval part,
                 U* to)
{
  for (index_t row = 0; row < rows; ++row) {
    T* const from = x.at(cell) + row * x.row;
    for (index_t i = part.first; i < part.last; ++i) *to++ = static_cast<U>(from[k[i]]);
  }
}

// Where packs of cells are copied to: entry (row, k) of group g is data[g * group + row * row_stride + k].
template <class V>
struct lane_rows_to {
  V* data;
  index_t row_stride, group;
  SUMFAC_INLINE lane_rows_to at_group(index_t g) const { return {data + g * group, row_stride, group}; }
};

// to(row, k) = a pack of x(cell .. cell + count - 1, row, k); lanes from count on are zero.
template <class T, class V>
void gather_some_lanes(contraction_operand<T> const& x, contracted_offsets k, index_t cell, index_t count, index_t rows,
                       index_interval part, lane_rows_to<V> to)
{
  for (index_t row = 0; row < rows; ++row) {
    V* const into = to.data + row * to.row_stride;
    for (index_t i = 0; i < part.size(); ++i) into[i] = V{};
    for (int lane = 0; lane < count; ++lane) {
      T* const from = x.at(cell + lane) + row * x.row;
      for (index_t i = part.first; i < part.last; ++i)
        into[i - part.first].set(lane, static_cast<scalar_of<V>>(from[k[i]]));
    }
  }
}

// The same for whole packs of cells that lie in rows of contiguous k: transposed in registers.
template <class T, class V>
void transpose_to_lanes(contraction_operand<T> const& x, index_t cell, index_t rows, index_interval part,
                        lane_rows_to<V> to)
{
  constexpr int W = V::width;
  T* from[W];
  for (int lane = 0; lane < W; ++lane) from[lane] = x.at(cell + lane) + part.first;
  for (index_t row = 0; row < rows; ++row, to.data += to.row_stride) {
    index_t k = 0;
    for (; k + W <= part.size(); k += W) {
      V block[W];
      SUMFAC_UNROLL
      for (int lane = 0; lane < W; ++lane) block[lane] = load_as<V>(from[lane] + row * x.row + k);
      transpose(block);
      SUMFAC_UNROLL
      for (int i = 0; i < W; ++i) to.data[k + i] = block[i];
    }
    for (; k < part.size(); ++k)
      for (int lane = 0; lane < W; ++lane) to.data[k].set(lane, static_cast<scalar_of<V>>(from[lane][row * x.row + k]));
  }
}

// The same for `Groups` packs of cells side by side, which are read together: row after row, but where the next row is
// near in memory and the next k is not, a line of k after the other, each of all rows.
template <int Groups, class T, class V>
void copy_lanes(T* from, index_t row_step, contracted_offsets k, index_t rows, index_interval part, lane_rows_to<V> to)
{
  constexpr int W = V::width;
  constexpr index_t line = 64 / sizeof(V) > 1 ? 64 / sizeof(V) : 1;
  constexpr index_t near = 1024 / sizeof(T);
  bool const rows_first = row_step <= near && part.size() > 1 && k[part.first + 1] - k[part.first] > near;
  index_t const most = rows_first ? line : part.size();
  for (index_t first = part.first; first < part.last; first += most) {
    index_t const last = part.last - first < most ? part.last : first + most;
    index_t const next = rows_first && last < part.last ? k[last] - k[first] : 0;
    for (index_t row = 0; row < rows; ++row) {
      index_t const ahead = rows_first ? next : row + 1 < rows ? row_step : 0;
      V* into = to.data + row * to.row_stride + first - part.first;
      for (index_t i = first; i < last; ++i, ++into) {
        T* const p = from + row * row_step + k[i];
#if defined(__GNUC__)
        SUMFAC_UNROLL
        for (int g = 0; g < Groups; g += 64 / (W * sizeof(T)) > 0 ? 64 / (W * sizeof(T)) : 1)
          __builtin_prefetch(p + ahead + g * W);
#endif
        SUMFAC_UNROLL
        for (int g = 0; g < Groups; ++g) into[g * to.group] = load_as<V>(p + g * W);
      }
    }
  }
}

// to(row, k) of group g = a pack of x(cell + g W + lane, row, k), for packs of cells of which the last may be filled in
// part.
template <class T, class V>
void gather_lanes(contraction_operand<T> const& x, contracted_offsets k, index_interval cells, index_t rows,
                  index_interval part, lane_rows_to<V> to)
{
  constexpr int W = V::width;
  index_t const whole = cells.size() / W;
  index_t g = 0;
  auto const copy = [&]<int Groups>(std::integral_constant<int, Groups>) {
    for (; g + Groups <= whole && x.is_adjacent(Groups * W); g += Groups)
      copy_lanes<Groups>(x.at(cells.first + g * W), x.row, k, rows, part, to.at_group(g));
  };
  copy(std::integral_constant<int, 16>{}), copy(std::integral_constant<int, 8>{});
  copy(std::integral_constant<int, 4>{}), copy(std::integral_constant<int, 2>{});
  copy(std::integral_constant<int, 1>{});
  for (; g < whole; ++g) {
    if (k.is_run)
      transpose_to_lanes(x, cells.first + g * W, rows, part, to.at_group(g));
    else
      gather_some_lanes(x, k, cells.first + g * W, W, rows, part, to.at_group(g));
  }
  if (cells.size() % W != 0)
    gather_some_lanes(x, k, cells.first + whole * W, cells.size() % W, rows, part, to.at_group(whole));
}

// Rows of one factor in memory, `row` entries apart.
template <class T>
struct factor_rows {
  T const* data;
  index_t row;
  SUMFAC_INLINE T const* at(index_t i) const { return data + i * row; }
};

// A cell's rows of contiguous k: where they lie, or in the copy.
template <class T>
factor_rows<T> rows_of_cell(contraction_operand<T const> const& x, contracted_offsets k, index_t cell, index_t rows,
                            index_t length, T* copy)
{
  if (k.is_run) return {x.at(cell), x.row};
  gather_rows(x, k, cell, rows, {0, length}, copy);
  return {copy, length};
}

// Whether all arrays together are larger than the last cache, so that what is read comes from memory, and what is
// written is gone from the cache anyway.
template <class Sum>
bool exceeds_caches(Sum const& s)
{
  index_t const left = s.left_rows * s.length() * index_t{sizeof(typename Sum::left_type)};
  index_t const right = s.right_rows * s.length() * index_t{sizeof(typename Sum::right_type)};
  index_t const out = s.left_rows * s.right_rows * index_t{sizeof(typename Sum::out_type)};
  return s.cells * (left + right + out) > cache_bytes();
}

// Whether to ask for the next cell's rows: from memory, or where they fill the first cache. Smaller ones of cached
// arrays come in time, and asking for 8 x 8 x 32 cost a fifth of the time there (Zen 4).
template <class Sum>
bool asks_ahead(Sum const& s)
{
  constexpr index_t least_bytes = 32 << 10;
  index_t const left = s.left_rows * index_t{sizeof(typename Sum::left_type)};
  index_t const right = s.right_rows * index_t{sizeof(typename Sum::right_type)};
  return (left + right) * s.length() >= least_bytes || exceeds_caches(s);
}

// The next cell's rows, which are asked for line by line while this cell is worked on, as evenly as its steps allow: a
// burst would hold up what this cell reads.
class lines_ahead {
  // In each step; those of AVX-512 are long and few, so that one line would leave much to be waited for.
  static constexpr index_t most_lines = register_bytes == 64 ? 4 : 1;
  // Into all caches (3) or all but the first (2), whose places for what is under way are few: of long rows, which ask
  // much at once, a core of Zen 4 had 1.3 to 2 times as much by the second. Turned rows ask less, and want it near.
  static constexpr int of_rows = 2, of_panels = register_bytes == 64 ? 3 : 2;
  static constexpr index_t again = 2048;

public:
  // Where a kernel shall prefetch in each of its steps.
  struct request {
    char const* first;
    index_t step, piece;
    bool twice;
    SUMFAC_INLINE void of_panel(index_t k) const { ask<of_panels>(first + k * step); }
    SUMFAC_INLINE void operator()(index_t k) const
    {
      ask<of_rows>(first + k * step);
      if (most_lines > 1 && twice) ask<of_rows>(first - again + k * step);
    }

  private:
    template <int Where>
    SUMFAC_INLINE void ask([[maybe_unused]] char const* at) const
    {
#if defined(__GNUC__)
      __builtin_prefetch(at, 0, Where);
      if constexpr (most_lines > 1)
        for (index_t more = piece; more < step; more += piece) __builtin_prefetch(at + more, 0, Where);
#endif
    }
  };

  // Up to two pieces of memory, one after the other.
  void add(void const* data, index_t bytes)
  {
    next_[pieces_] = static_cast<char const*>(data);
    end_[pieces_++] = static_cast<char const*>(data) + bytes;
    bytes_ += bytes;
  }

  // And again when it is near: of long rows from memory Zen 5 drops many requests.
  void ask_twice(bool twice) { twice_ = most_lines > 1 && twice; }

  // Spreads them over so many steps; where these are too few for all lines, the first lines one after the other.
  void spread(index_t steps)
  {
    index_t const even = (bytes_ + steps - 1) / (steps > 0 ? steps : 1), most = 64 * most_lines;
    step_ = even < most ? even : most;
    index_t const lines = (step_ + 63) / 64;
    piece_ = lines > 1 ? (step_ + lines - 1) / lines : 64;
  }

  // For a kernel of `steps` steps, beside what it reads anyway.
  SUMFAC_INLINE request take(index_t steps, void const* own)
  {
    for (int i = 0; i < pieces_; ++i)
      if (next_[i] < end_[i]) {
        request const r{next_[i], step_, piece_, twice_};
        next_[i] += step_ * steps;
        return r;
      }
    return {static_cast<char const*>(own), 0, 64, false};
  }

private:
  char const* next_[2] = {};
  char const* end_[2] = {};
  index_t bytes_ = 0, step_ = 64, piece_ = 64;
  int pieces_ = 0;
  bool twice_ = false;
};

// What the next cell's dense rows of both factors are.
template <class Sum>
lines_ahead next_cell_of(Sum const& sum, index_t cell, bool left_is_run, bool right_is_run, index_t steps)
{
  lines_ahead ahead;
  index_t const k = sum.length();
  if (left_is_run && sum.left.row == k)
    ahead.add(sum.left.at(cell), sum.left_rows * k * index_t{sizeof(typename Sum::left_type)});
  if (right_is_run && sum.right.row == k)
    ahead.add(sum.right.at(cell), sum.right_rows * k * index_t{sizeof(typename Sum::right_type)});
  ahead.spread(steps);
  return ahead;
}

// Memory for one thread, cut into arrays that begin at lines.
class scratch_arrays {
public:
  explicit scratch_arrays(index_t bytes) : next_(static_cast<char*>(thread_scratch(static_cast<std::size_t>(bytes)))) {}

  template <class T>
  static index_t bytes(index_t size)
  {
    return (size * index_t{sizeof(T)} + 63) / 64 * 64;
  }
  template <class T>
  T* take(index_t size)
  {
    char* const p = next_;
    next_ += bytes<T>(size);
    return reinterpret_cast<T*>(p);
  }

private:
  char* next_;
};

}  // namespace sumfac::detail
