// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions with packs of 64 bytes, as for AVX-512, on whatever this machine has.
#define SUMFAC_REGISTER_BYTES 64
#include "large_outputs.hpp"

#include <catch2/catch.hpp>

TEST_CASE("intrepid: with packs of 64 bytes large outputs are written whole, also where panels end within rows")
{
  STATIC_REQUIRE(sumfac::native_width<double> == 8);
  if (sumfac::detail::cache_bytes() > sumfac::index_t{512} << 20) {
    WARN("skipped: the caches of this machine are larger than 512 MiB");
    return;
  }
  for (sumfac::index_t const r : {8, 13, 16, 24, 40})
    for (std::size_t const shift : {0U, 3U}) {
      INFO("R = " << r << ", shifted by " << shift);
      CHECK(checks::wrong_entries<double>(2, 7, r, shift) == 0);
    }
  CHECK(checks::wrong_entries<float>(2, 7, 48, 0) == 0);
  CHECK(checks::wrong_entries_of_columns(2, 7, 5) == 0);
}
