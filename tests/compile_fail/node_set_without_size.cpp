// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A node set of the user's which does not say how many nodes it has.
// expect: sumfac::basis: this is no node set
#include <sumfac/basis/detail/tables.hpp>

struct nodes_of_mine {
#if defined(SUMFAC_FITS)
  static constexpr int size = 3;
#endif
  static constexpr std::array<long double, 3> nodes = {-1, 0, 1};
};

constexpr auto table = sumfac::detail::interpolation<double, nodes_of_mine, sumfac::gauss<3>>();
