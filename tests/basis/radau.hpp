// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A rule of the user's own: Gauss-Radau with three points and the left end, which is not symmetric; exact to degree 4.
#pragma once

#include <array>

struct radau {
  static constexpr long double root_6 = 2.449489742783178098197284074705891391965947L;

  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes = {-1, (1 - root_6) / 5, (1 + root_6) / 5};
  static constexpr std::array<long double, size> weights = {2 / 9.0L, (16 + root_6) / 18, (16 - root_6) / 18};
};
