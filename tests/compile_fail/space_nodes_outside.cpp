// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A space on a node set of the user's that has a node outside of the reference element.
// expect: sumfac::space: a node of the set is not in [-1, 1]
// errors: 1
#include <sumfac/basis/space.hpp>

struct nodes_of_mine {
  static constexpr int size = 3;
#if defined(SUMFAC_FITS)
  static constexpr std::array<long double, size> nodes = {-1, 0, 1};
#else
  static constexpr std::array<long double, size> nodes = {-1, 0, 1.5L};
#endif
};

constexpr auto space = sumfac::quadrilateral<nodes_of_mine>();
