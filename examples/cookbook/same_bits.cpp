// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums with the same bits for any number of threads.
#include "recipe.hpp"

int main()
{
  int const count = 100000;
  std::vector<double> x, y;
  for (int i = 0; i < count; ++i) x.push_back(std::sin(i)), y.push_back(1 + i % 7);
  double const by_one = sumfac::vector_ops<>(sumfac::host{1}, count).dot(on(x), on(y));
  double const by_four = sumfac::vector_ops<>(sumfac::host{4}, count).dot(on(x), on(y));
  return compare("by four threads", by_four, by_one, 0);
}
