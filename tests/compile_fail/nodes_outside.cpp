// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A node set of the user's on another interval.
// expect: sumfac::basis: the nodes of a set must ascend, within -1 and 1
#include <sumfac/basis/detail/tables.hpp>

struct nodes_of_mine {
  static constexpr int size = 3;
#if defined(SUMFAC_FITS)
  static constexpr std::array<long double, size> nodes = {-1, 0, 1};
#else
  static constexpr std::array<long double, size> nodes = {0, 1, 2};
#endif
};

constexpr auto table = sumfac::detail::collocated_derivative<double, nodes_of_mine>();
