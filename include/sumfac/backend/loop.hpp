// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The simplest kernels: a function of one number, and a kernel on listed groups.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/policy.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Calls body(i) for i = 0 .. size - 1, a thread each.
template <class Body>
struct loop_kernel {
  static constexpr int threads = 256;

  Body body;
  index_t size;

  template <class Team>
  struct scratch {};

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>&, index_t group) const
  {
    team.each(box<threads>{}, [&](int t) {
      if (index_t const i = group * threads + t; i < size) body(i);
    });
  }
};

template <class Backend, class Body>
void loop(Backend const& backend, index_t size, Body const& body)
{
  constexpr index_t threads = loop_kernel<Body>::threads;
  if (size > 0) backend.launch(loop_kernel<Body>{body, size}, (size + threads - 1) / threads);
}

// Runs a kernel on listed groups instead of the first ones.
template <class Kernel>
struct listed_kernel : Kernel {
  index_t const* groups;

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, typename Kernel::template scratch<Team>& s, index_t i) const
  {
    Kernel::operator()(team, s, groups[i]);
  }
};

}  // namespace sumfac::detail
