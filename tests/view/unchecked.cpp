// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Views without bounds checks: nothing is refused and nothing but the address computed.
#undef SUMFAC_BOUNDS_CHECK
#define SUMFAC_BOUNDS_CHECK 0
#include <sumfac/view/slice.hpp>

#if defined(_GLIBCXX_STDEXCEPT) || defined(_LIBCPP_STDEXCEPT)
#error "the headers of views are to be light: <stdexcept> is for bounds checks only"
#endif

#include <catch2/catch.hpp>

#include <vector>

TEST_CASE("without bounds checks an index is an address and no more", "[view]")
{
  std::vector<int> data{0, 1, 2, 3, 4, 5};
  sumfac::view<int, sumfac::extents<2, 3>> const v(data.data());
  CHECK(&v(0, 5) == data.data() + 5);  // outside dimension 1, inside the vector
  CHECK(&slice(v, 1, sumfac::range{0, 9})(2) == data.data() + 5);
  CHECK(v(1, 2) == 5);
}
