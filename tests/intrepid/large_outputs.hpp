// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions whose outputs are too large for the caches, compared with plain loops.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/intrepid/contractions.hpp>

#include <cstddef>
#include <vector>

namespace checks {

using sumfac::index_t;

// Small integers, whose sums are exact.
template <class T>
std::vector<T> integers(index_t size, index_t period)
{
  std::vector<T> x(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(static_cast<index_t>(i) % period - period / 2);
  return x;
}

// How many entries differ from plain loops, or lie beside the output and were written. The output begins `shift`
// entries behind a line of memory.
template <class T>
index_t wrong_entries(int threads, index_t l, index_t r, std::size_t shift)
{
  constexpr index_t p = 2;
  index_t const cell_bytes = index_t{sizeof(T)} * ((l + r) * p + l * r);
  index_t const c = sumfac::detail::cache_bytes() / cell_bytes + 100;
  auto const left = integers<T>(c * l * p, 11), right = integers<T>(c * r * p, 7);
  constexpr std::size_t margin = 16;
  constexpr T untouched = 77777;
  std::size_t const size = static_cast<std::size_t>(c * l * r);
  sumfac::buffer<T> memory(static_cast<index_t>(margin + shift + size + margin));
  for (T& entry : memory) entry = untouched;
  T* const out = memory.data() + margin + shift;
  sumfac::intrepid::contractFieldFieldScalar(sumfac::host(threads), sumfac::view(out, c, l, r),
                                             sumfac::view(left.data(), c, l, p), sumfac::view(right.data(), c, r, p));
  index_t wrong = 0;
  T const* next = out;
  for (index_t cell = 0; cell < c; ++cell)
    for (index_t i = 0; i < l; ++i)
      for (index_t j = 0; j < r; ++j) {
        T const* const a = left.data() + (cell * l + i) * p;
        T const* const b = right.data() + (cell * r + j) * p;
        wrong += *next++ == a[0] * b[0] + a[1] * b[1] ? 0 : 1;
      }
  for (std::size_t i = 0; i < margin; ++i)
    wrong += (*(out - 1 - i) == untouched ? 0 : 1) + (out[size + i] == untouched ? 0 : 1);
  return wrong;
}

// The same in columns, in lines of cells: how many entries differ from plain loops.
inline index_t wrong_entries_of_columns(int threads, index_t l, index_t r)
{
  constexpr index_t p = 2;
  index_t const c = (sumfac::detail::cache_bytes() / (8 * ((l + r) * p + l * r)) + 100) / 8 * 8;
  auto const left = integers<double>(c * l * p, 11), right = integers<double>(c * r * p, 7);
  sumfac::buffer<double> out(c * l * r);
  auto const columns = [c](auto* data, index_t rows, index_t last) {
    using layout = sumfac::layout_left::mapping<sumfac::dextents<3>>;
    return sumfac::view(data, layout(sumfac::dextents<3>(c, rows, last)));
  };
  sumfac::intrepid::contractFieldFieldScalar(sumfac::host(threads), columns(out.data(), l, r),
                                             columns(left.data(), l, p), columns(right.data(), r, p));
  index_t wrong = 0;
  double const* next = out.data();
  for (index_t j = 0; j < r; ++j)
    for (index_t i = 0; i < l; ++i)
      for (index_t cell = 0; cell < c; ++cell) {
        double const* const a = left.data() + i * c + cell;
        double const* const b = right.data() + j * c + cell;
        wrong += *next++ == a[0] * b[0] + a[l * c] * b[r * c] ? 0 : 1;
      }
  return wrong;
}

}  // namespace checks
