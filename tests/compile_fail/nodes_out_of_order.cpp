// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A node set of the user's whose nodes do not ascend.
// expect: sumfac::basis: the nodes of a set must ascend
#include <sumfac/basis/detail/tables.hpp>

struct nodes_of_mine {
  static constexpr int size = 3;
#if defined(SUMFAC_FITS)
  static constexpr std::array<long double, size> nodes = {-1, 0, 1};
#else
  static constexpr std::array<long double, size> nodes = {-1, 1, 0};
#endif
};

constexpr auto table = sumfac::detail::interpolation<double, nodes_of_mine, sumfac::gauss<3>>();
