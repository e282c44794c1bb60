// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A space on what is no node set.
// expect: sumfac::space: this is no node set: it needs `static constexpr int size`
// errors: 1
#include <sumfac/basis/space.hpp>

#if defined(SUMFAC_FITS)
using nodes_of_mine = sumfac::gauss<3>;
#else
struct nodes_of_mine {
  static constexpr int size = 3;
};
#endif

constexpr auto space = sumfac::line<nodes_of_mine>();
