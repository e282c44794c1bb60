// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Outputs too large for the caches, which the host writes past them: every entry, and none beside the array.
#include "large_outputs.hpp"

#include <sumfac/intrepid/contractions.hpp>

#include <catch2/catch.hpp>

#include <vector>

TEST_CASE("intrepid: an output larger than the caches is written whole, in lines and where rows end within lines")
{
  if (sumfac::detail::cache_bytes() > sumfac::index_t{512} << 20) {
    WARN("skipped: the caches of this machine are larger than 512 MiB");
    return;
  }
  for (int const threads : {1, 3})
    for (std::size_t const shift : {0U, 3U}) {
      INFO(threads << " threads, shifted by " << shift);
      CHECK(checks::wrong_entries<double>(threads, 7, 16, shift) == 0);
      CHECK(checks::wrong_entries<double>(threads, 7, 13, shift) == 0);
      CHECK(checks::wrong_entries<double>(threads, 9, 5, shift) == 0);
    }
  CHECK(checks::wrong_entries<float>(2, 7, 21, 1) == 0);
  CHECK(checks::wrong_entries_of_columns(1, 7, 5) == 0);
  CHECK(checks::wrong_entries_of_columns(3, 4, 9) == 0);
}

// Rows of several parts of a sum (2 KiB), the last of them short: small whole numbers, which add up exactly.
TEST_CASE("intrepid: long sums of factors larger than the caches")
{
  if (sumfac::detail::cache_bytes() > sumfac::index_t{512} << 20) {
    WARN("skipped: the caches of this machine are larger than 512 MiB");
    return;
  }
  constexpr sumfac::index_t rows = 7, length = 3 * 256 + 5;
  sumfac::index_t const cells = sumfac::detail::cache_bytes() / (2 * rows * length * 8) + 2;
  std::vector<double> left(static_cast<std::size_t>(cells * rows * length)), right(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = double(i % 7) - 3, right[i] = double(i % 5) - 1;
  std::vector<double> out(static_cast<std::size_t>(cells * rows * rows), 2);
  sumfac::view const a(left.data(), cells, rows, length), b(right.data(), cells, rows, length);
  sumfac::intrepid::contractFieldFieldScalar(sumfac::host{2}, sumfac::view(out.data(), cells, rows, rows), a, b, true);
  sumfac::index_t wrong = 0;
  for (sumfac::index_t c = 0; c < cells; ++c)
    for (sumfac::index_t l = 0; l < rows; ++l)
      for (sumfac::index_t r = 0; r < rows; ++r) {
        double sum = 2;
        for (sumfac::index_t k = 0; k < length; ++k) sum += a(c, l, k) * b(c, r, k);
        wrong += out[static_cast<std::size_t>((c * rows + l) * rows + r)] != sum;
      }
  CHECK(wrong == 0);
}
