// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What teams of threads have alike, whoever starts these.
#pragma once

#include <sumfac/backend/detail/global_memory.hpp>
#include <sumfac/backend/policy.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

template <class Kernel, int Threads = kernel_threads<Kernel>>
struct team_of_threads {
  using scalar = kernel_scalar<Kernel>;
  static constexpr int threads = Threads;

  template <class T, int... Extents>
  using shared = shared_array<T, Extents...>;
  template <class T, int... Extents>
  using per_thread = own_entries<T, Threads, Extents...>;

  SUMFAC_INLINE void phase(char const*) const {}

  // Copies to this thread's own entries of scratch: see global_memory.hpp.
  template <class T, class Array, class... Indices>
  SUMFAC_INLINE void copy_ahead(T const* from, Array& to, Indices... i) const
  {
    detail::copy_ahead(from, &to(i...));
  }
  SUMFAC_INLINE void end_copies() const { detail::end_copies(); }
  template <int Most>
  SUMFAC_INLINE void await_copies() const
  {
    detail::await_copies<Most>();
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
