// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A kernel that takes no group.
// expect: sumfac::kernel: operator()(Team const&, scratch<Team>&, index_t) const cannot be called
#include <sumfac/backend/host.hpp>

struct kernel {
  template <class Team>
  struct scratch {};

  template <class Team>
#if defined(SUMFAC_FITS)
  void operator()(Team const&, scratch<Team>&, sumfac::index_t) const
#else
  void operator()(Team const&, scratch<Team>&) const
#endif
  {
  }
};

void launch(sumfac::host const& backend)
{
  backend.launch(kernel{}, 1);
}
