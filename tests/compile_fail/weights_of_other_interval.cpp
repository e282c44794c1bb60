// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A rule of the user's whose weights are those of an interval of length 1.
// expect: sumfac::basis: the weights of a rule must sum to 2, the length of [-1, 1]
#include <sumfac/basis/detail/tables.hpp>

struct rule_of_mine {
  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes = {-1, 0, 1};
#if defined(SUMFAC_FITS)
  static constexpr std::array<long double, size> weights = {1 / 3.0L, 4 / 3.0L, 1 / 3.0L};
#else
  static constexpr std::array<long double, size> weights = {1 / 6.0L, 4 / 6.0L, 1 / 6.0L};
#endif
};

constexpr auto weights = sumfac::detail::quadrature_weights<double, rule_of_mine>();
