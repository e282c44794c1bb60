// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Outputs too large for the caches, which the host writes past them: every entry, and none beside the array.
#include "large_outputs.hpp"

#include <catch2/catch.hpp>

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
