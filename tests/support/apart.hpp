// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Small dense matrices by columns, how far vectors are apart, and what a call is refused with.
#pragma once

#include <support/larger.hpp>
#include <support/message_of.hpp>

#include <sumfac/error.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace support {

using columns = std::vector<std::vector<double>>;

inline std::vector<double> product(columns const& a, std::vector<double> const& x)
{
  std::vector<double> y(a[0].size());
  for (std::size_t j = 0; j < x.size(); ++j)
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += a[j][i] * x[j];
  return y;
}

// The greatest difference of entries, in units of the greatest entry of b; NaN where there is one.
inline double apart(std::vector<double> const& a, std::vector<double> const& b)
{
  REQUIRE(a.size() == b.size());
  double most = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double const off = std::abs(a[i] - b[i]);
    most = off <= most ? most : off;
    size = support::larger(size, std::abs(b[i]));
  }
  return most / size;
}

}  // namespace support
