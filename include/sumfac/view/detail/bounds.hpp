// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How views refuse a wrong index or shape; included, and paid for, only where SUMFAC_BOUNDS_CHECK is 1.
#pragma once

#include <sumfac/error.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Throws std::out_of_range with `sumfac::<what> <r><of> (<first> a, <second> b): <advice>`; on a device, prints that
// and stops the kernel, of SYCL's without a word.
[[noreturn]] SUMFAC_FUNCTION inline void refuse(char const* what, int r, char const* first, index_t a,
                                                char const* second, index_t b, char const* advice, char const* of = "")
{
  auto const a_number = static_cast<long long>(a), b_number = static_cast<long long>(b);
#if SUMFAC_ON_SYCL
  static_cast<void>(a_number), static_cast<void>(b_number);
  static_cast<void>(what), static_cast<void>(r), static_cast<void>(first), static_cast<void>(second);
  static_cast<void>(advice), static_cast<void>(of);
  SUMFAC_TRAP();
#elif SUMFAC_ON_DEVICE
  unsigned const block[] = {blockIdx.x, blockIdx.y, blockIdx.z}, thread[] = {threadIdx.x, threadIdx.y, threadIdx.z};
  printf("sumfac::%s %d%s (%s %lld, %s %lld): %s [block %u %u %u, thread %u %u %u]\n", what, r, of, first, a_number,
         second, b_number, advice, block[0], block[1], block[2], thread[0], thread[1], thread[2]);
  SUMFAC_TRAP();
#else
  throw_text<std::out_of_range>("sumfac::%s %d%s (%s %lld, %s %lld): %s", what, r, of, first, a_number, second,
                                b_number, advice);
#endif
}

// The same, and says of what shape the view is (on the host, where one can write it down).
template <class Extents>
[[noreturn]] SUMFAC_FUNCTION void refuse([[maybe_unused]] Extents const& shape, char const* what, int r,
                                         char const* first, index_t a, char const* second, index_t b,
                                         char const* advice)
{
#if SUMFAC_ON_DEVICE
  refuse(what, r, first, a, second, b, advice);
#else
  constexpr int longest = 200;  // of the list, after which it is cut
  formatted of(" of a view (");
  for (typename Extents::rank_type n = 0; n < Extents::rank() && of.length() < longest; ++n)
    of.add(n == 0 ? "%lld" : ", %lld", static_cast<long long>(shape.extent(n)));
  of.add(of.length() < longest ? ")" : ", ...)");
  refuse(what, r, first, a, second, b, advice, of.c_str());
#endif
}

}  // namespace sumfac::detail
