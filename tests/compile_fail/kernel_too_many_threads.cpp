// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A team larger than a thread block can be.
// expect: sumfac::kernel: threads is not in 1..1024
#include <sumfac/backend/host.hpp>

struct kernel {
#if defined(SUMFAC_FITS)
  static constexpr int threads = 1024;
#else
  static constexpr int threads = 2048;
#endif

  template <class Team>
  struct scratch {};

  template <class Team>
  void operator()(Team const&, scratch<Team>&, sumfac::index_t) const
  {
  }
};

void launch(sumfac::host const& backend)
{
  backend.launch(kernel{}, 1);
}
