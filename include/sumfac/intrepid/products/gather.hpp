// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Factors of a contraction copied to where SIMD reads them: rows of one cell, or cells in lanes.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/intrepid/products/contraction.hpp>
#include <sumfac/intrepid/products/register_block.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

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
template <class T, class Other>
void gather_rows(contraction_operand<T> const& x, contracted_offsets k, index_t cell, index_t rows, index_interval part,
                 Other* to)
{
  for (index_t row = 0; row < rows; ++row) {
    T* const from = x.at(cell) + row * x.row;
    for (index_t i = part.first; i < part.last; ++i) *to++ = static_cast<Other>(from[k[i]]);
  }
}

// Where packs of cells are copied to: entry (row, k) of group g is data[g * group + row * row_stride + k].
template <class Pack>
struct lane_rows_to {
  Pack* data;
  index_t row_stride, group;
  SUMFAC_INLINE lane_rows_to at_group(index_t g) const { return {data + g * group, row_stride, group}; }
};

// to(row, k) = a pack of x(cell .. cell + count - 1, row, k); lanes from count on are zero.
template <class T, class Pack>
void gather_some_lanes(contraction_operand<T> const& x, contracted_offsets k, index_t cell, index_t count, index_t rows,
                       index_interval part, lane_rows_to<Pack> to)
{
  for (index_t row = 0; row < rows; ++row) {
    Pack* const into = to.data + row * to.row_stride;
    for (index_t i = 0; i < part.size(); ++i) into[i] = Pack{};
    for (int lane = 0; lane < count; ++lane) {
      T* const from = x.at(cell + lane) + row * x.row;
      for (index_t i = part.first; i < part.last; ++i)
        into[i - part.first].set(lane, static_cast<scalar_of<Pack>>(from[k[i]]));
    }
  }
}

// The same for whole packs of cells that lie in rows of contiguous k: transposed in registers.
template <class T, class Pack>
void transpose_to_lanes(contraction_operand<T> const& x, index_t cell, index_t rows, index_interval part,
                        lane_rows_to<Pack> to)
{
  constexpr int simd_width = Pack::width;
  T* from[simd_width];
  for (int lane = 0; lane < simd_width; ++lane) from[lane] = x.at(cell + lane) + part.first;
  for (index_t row = 0; row < rows; ++row, to.data += to.row_stride) {
    index_t k = 0;
    for (; k + simd_width <= part.size(); k += simd_width) {
      Pack block[simd_width];
      SUMFAC_UNROLL
      for (int lane = 0; lane < simd_width; ++lane) block[lane] = load_as<Pack>(from[lane] + row * x.row + k);
      transpose(block);
      SUMFAC_UNROLL
      for (int i = 0; i < simd_width; ++i) to.data[k + i] = block[i];
    }
    for (; k < part.size(); ++k)
      for (int lane = 0; lane < simd_width; ++lane)
        to.data[k].set(lane, static_cast<scalar_of<Pack>>(from[lane][row * x.row + k]));
  }
}

// The same for `Groups` packs of cells side by side, which are read together: row after row, but where the next row is
// near in memory and the next k is not, a line of k after the other, each of all rows.
template <int Groups, class T, class Pack>
void copy_lanes(T* from, index_t row_step, contracted_offsets k, index_t rows, index_interval part,
                lane_rows_to<Pack> to)
{
  constexpr int simd_width = Pack::width;
  constexpr index_t line = 64 / sizeof(Pack) > 1 ? 64 / sizeof(Pack) : 1;
  constexpr index_t nearby = 1024 / sizeof(T);
  bool const rows_first = row_step <= nearby && part.size() > 1 && k[part.first + 1] - k[part.first] > nearby;
  index_t const most = rows_first ? line : part.size();
  for (index_t first = part.first; first < part.last; first += most) {
    index_t const last = part.last - first < most ? part.last : first + most;
    index_t const next = rows_first && last < part.last ? k[last] - k[first] : 0;
    for (index_t row = 0; row < rows; ++row) {
      index_t const ahead = rows_first ? next : row + 1 < rows ? row_step : 0;
      Pack* into = to.data + row * to.row_stride + first - part.first;
      for (index_t i = first; i < last; ++i, ++into) {
        T* const p = from + row * row_step + k[i];
        SUMFAC_UNROLL
        for (int g = 0; g<Groups; g += 64 / (simd_width * sizeof(T))> 0 ? 64 / (simd_width * sizeof(T)) : 1)
          __builtin_prefetch(p + ahead + g * simd_width);
        SUMFAC_UNROLL
        for (int g = 0; g < Groups; ++g) into[g * to.group] = load_as<Pack>(p + g * simd_width);
      }
    }
  }
}

// to(row, k) of group g = a pack of x(cell + g simd_width + lane, row, k), for packs of cells of which the last may be
// filled in part.
template <class T, class Pack>
void gather_lanes(contraction_operand<T> const& x, contracted_offsets k, index_interval cells, index_t rows,
                  index_interval part, lane_rows_to<Pack> to)
{
  constexpr int simd_width = Pack::width;
  index_t const whole = cells.size() / simd_width;
  index_t g = 0;
  auto const copy = [&]<int Groups>(std::integral_constant<int, Groups>) {
    for (; g + Groups <= whole && x.is_adjacent(Groups * simd_width); g += Groups)
      copy_lanes<Groups>(x.at(cells.first + g * simd_width), x.row, k, rows, part, to.at_group(g));
  };
  copy(std::integral_constant<int, 16>{}), copy(std::integral_constant<int, 8>{});
  copy(std::integral_constant<int, 4>{}), copy(std::integral_constant<int, 2>{});
  copy(std::integral_constant<int, 1>{});
  for (; g < whole; ++g) {
    if (k.is_run)
      transpose_to_lanes(x, cells.first + g * simd_width, rows, part, to.at_group(g));
    else
      gather_some_lanes(x, k, cells.first + g * simd_width, simd_width, rows, part, to.at_group(g));
  }
  if (cells.size() % simd_width != 0)
    gather_some_lanes(x, k, cells.first + whole * simd_width, cells.size() % simd_width, rows, part,
                      to.at_group(whole));
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
