// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Outputs too large for the caches, which the host writes past them: every entry, and none beside the array.
#include <sumfac/backend/buffer.hpp>
#include <sumfac/contract/intrepid.hpp>

#include <catch2/catch.hpp>

#include <cstddef>
#include <vector>

namespace {

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
// entries behind where a std::vector's memory begins, so at no line in general.
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
  std::vector<T> memory(margin + shift + size + margin, untouched);
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
index_t wrong_entries_of_columns(int threads, index_t l, index_t r)
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

}  // namespace

TEST_CASE("intrepid: an output larger than the caches is written whole, in lines and where rows end within lines")
{
  if (sumfac::detail::cache_bytes() > index_t{512} << 20) {
    WARN("skipped: the caches of this machine are larger than 512 MiB");
    return;
  }
  for (int const threads : {1, 3})
    for (std::size_t const shift : {0U, 3U}) {
      INFO(threads << " threads, shifted by " << shift);
      CHECK(wrong_entries<double>(threads, 7, 16, shift) == 0);
      CHECK(wrong_entries<double>(threads, 7, 13, shift) == 0);
      CHECK(wrong_entries<double>(threads, 9, 5, shift) == 0);
    }
  CHECK(wrong_entries<float>(2, 7, 21, 1) == 0);
  CHECK(wrong_entries_of_columns(1, 7, 5) == 0);
  CHECK(wrong_entries_of_columns(3, 4, 9) == 0);
}
