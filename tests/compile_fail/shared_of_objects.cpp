// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Scratch for objects, where a GPU has raw memory.
// expect: sumfac::shared: T is not trivially copyable: a GPU has raw memory
#include <sumfac/backend/checked.hpp>

#include <string>

struct kernel {
#if defined(SUMFAC_FITS)
  using entry = double;
#else
  using entry = std::string;
#endif

  template <class Team>
  struct scratch {
    typename Team::template shared<entry, 4> common;
  };

  template <class Team>
  void operator()(Team const&, scratch<Team>&, sumfac::index_t) const
  {
  }
};

void launch(sumfac::checked const& backend)
{
  backend.launch(kernel{}, 1);
}
