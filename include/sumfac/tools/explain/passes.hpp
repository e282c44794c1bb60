// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a machine's roofs are measured by: copies, sums over streams, multiply-adds in registers; of one thread.
#pragma once

#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/pack.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

inline constexpr index_t doubles_of_line = 8;  // of a cache line

// How a pass writes its results.
enum class store_kind { plain, streaming };

template <store_kind Store>
SUMFAC_INLINE void put_lanes(pack<double, native_width<double>> x, double* p)
{
  if constexpr (Store == store_kind::streaming)
    stream(x, p);
  else
    x.store(p);
}

// Copies `read` lines from a chunk's begin to 5 lines behind them; returns the lines moved.
template <int Ahead, store_kind Store>
index_t copy_lines(double* chunk, index_t read, index_t)
{
  using lanes = pack<double, native_width<double>>;
  constexpr index_t line = doubles_of_line;
  double* const out = chunk + (read + 5) * line;
  for (index_t i = 0; i < read * line; i += line) {
    if constexpr (Ahead > 0) __builtin_prefetch(chunk + i + Ahead * line);
    SUMFAC_UNROLL
    for (int h = 0; h < line; h += lanes::width) put_lanes<Store>(lanes::load(chunk + i + h), out + i + h);
  }
  stream_fence();
  return 2 * read;
}

// Sums over `Streams` arrays in step, `read` lines of them together; after every row of them writes some lines of the
// mean, `written` in all. The chunk has 5 lines more for each stream, and for what is written. Returns the lines moved.
template <int Streams, int Ahead, store_kind Store>
index_t sum_lines(double* chunk, index_t read, index_t written)
{
  using lanes = pack<double, native_width<double>>;
  constexpr index_t line = doubles_of_line;
  constexpr int parts = line / lanes::width;
  constexpr int batch = Streams < 4 ? 4 / Streams : 1;
  index_t const put_per_row = lesser<index_t>(written, 64);
  index_t const rows = put_per_row > 0 ? written / put_per_row : greater<index_t>(read / 512, 1);
  index_t const got_per_row = greater<index_t>(read / (rows * Streams * batch), 1) * batch;  // of each stream
  index_t const distance = (rows * got_per_row + 5) * line;
  double* out = chunk + Streams * distance;
  double const scale = 1.0 / double(got_per_row * Streams);

  for (index_t row = 0; row < rows; ++row) {
    double const* in = chunk + row * got_per_row * line;
    lanes sum[Streams * batch * parts] = {};
    for (index_t i = 0; i < got_per_row * line; i += batch * line) {
      SUMFAC_UNROLL
      for (int s = 0; s < Streams; ++s) {
        SUMFAC_UNROLL
        for (int h = 0; h < batch * parts; ++h) {
          double const* p = in + s * distance + i + h * lanes::width;
          if (Ahead > 0 && h % parts == 0) __builtin_prefetch(p + Ahead * line);
          sum[s * batch * parts + h] += lanes::load(p);
        }
      }
    }
    lanes mean = sum[0];
    for (int k = 1; k < Streams * batch * parts; ++k) mean += sum[k];
    mean *= scale;
    for (index_t i = 0; i < put_per_row; ++i, out += line)
      for (int h = 0; h < line; h += lanes::width) put_lanes<Store>(mean, out + h);
    if (put_per_row == 0) asm volatile("" : : "r"(&mean) : "memory");
  }
  stream_fence();
  return rows * (Streams * got_per_row + put_per_row);
}

// `Chains` multiply-adds that do not wait for one another, `steps` times, all in registers; returns the flops.
template <class T, int Chains>
double multiply_add(index_t steps)
{
  using lanes = pack<T, native_width<T>>;
  lanes sum[Chains];
  lanes a(T(0.5)), b(T(1));
  for (int c = 0; c < Chains; ++c) sum[c] = lanes(T(c));
  asm volatile("" : "+m"(a), "+m"(b));  // unknown to the compiler
  lanes const x = a, y = b;
  for (index_t i = 0; i < steps; ++i) {
    SUMFAC_UNROLL
    for (int c = 0; c < Chains; ++c) sum[c] = fma(sum[c], x, y);
  }
  for (int c = 0; c < Chains; ++c) asm volatile("" : : "m"(sum[c]));
  return 2.0 * Chains * lanes::width * double(steps);
}

}  // namespace sumfac::detail
