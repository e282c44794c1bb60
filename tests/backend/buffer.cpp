// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A buffer of the host: zeros on lines of cache, moved and not copied, and sizes that no memory has.
#include <sumfac/backend/buffer.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

using sumfac::buffer, sumfac::index_t;

// AddressSanitizer's, where that is on.
extern "C" [[gnu::weak]] int __asan_address_is_poisoned(void const volatile*);

TEST_CASE("buffer: zeros that begin at lines, or at pages where there are many")
{
  for (index_t const size : {1, 7, 1000, 600000, 1 << 20}) {
    buffer<double> const b(size);
    CHECK(b.size() == size);
    CHECK(b.end() - b.begin() == size);
    CHECK(std::all_of(b.begin(), b.end(), [](double x) { return x == 0; }));
    std::uintptr_t const alignment = size * 8 >= 4 << 20 ? 2 << 20 : 64;
    CHECK(reinterpret_cast<std::uintptr_t>(b.data()) % alignment == 0);
  }
  CHECK(buffer<double>(0).data() == nullptr);
}

TEST_CASE("buffer: AddressSanitizer knows where it ends")
{
  if (!__asan_address_is_poisoned) return;
  for (index_t const size : {1, 7, 8, 1001, 1100001}) {
    buffer<float> const b(size);
    CHECK(!__asan_address_is_poisoned(b.end() - 1));
    CHECK(__asan_address_is_poisoned(b.end()));
  }
}

TEST_CASE("buffer: moved, also to itself")
{
  buffer<int> a(3);
  a[1] = 5;
  buffer<int> b(std::move(a));
  CHECK((b.size() == 3 && b[1] == 5));
  buffer<int> c;
  c = std::move(b);
  CHECK((c.size() == 3 && c[1] == 5));
  buffer<int>& same = c;
  c = std::move(same);
  CHECK((c.size() == 3 && c[1] == 5));
}

TEST_CASE("buffer: sizes that no memory has")
{
  using Catch::Contains;
  CHECK_THROWS_WITH(buffer<double>(-1), Contains("sumfac::buffer") && Contains("got -1, at least 0 expected"));
  // Those whose bytes would be 0 again, or become 0 when they are rounded up to pages, among them.
  constexpr index_t all_bytes = index_t{1} << 61;
  for (index_t const size : {all_bytes, all_bytes - 1, all_bytes + 1, all_bytes / 2, 3 * all_bytes})
    CHECK_THROWS_AS(buffer<double>(size), std::bad_alloc);
}
