// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A degree from the command line: instantiated for a list, chosen at run time.

#include <sumfac/sumfac.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv)
{
  int const order = argc > 1 ? std::atoi(argv[1]) : 3;
  sumfac::mesh const cube = sumfac::box_mesh({1, 1, 1});
  sumfac::host backend;

  try {
    // [dispatch]
    double const volume = sumfac::dispatch_order<sumfac::orders<1, 2, 3, 5>>(order, [&]<int Order> {
      sumfac::bp1<Order> M{backend, cube};
      constexpr int n = Order + 1;
      std::vector<double> u(n * n * n, 1.0), v(n * n * n);
      M.apply(sumfac::view(u.data(), 1, n, n, n), sumfac::view(v.data(), 1, n, n, n));
      double sum = 0;
      for (double x : v) sum += x;
      return sum;
    });
    // [dispatch]
    std::printf("degree %d: volume %.12g\n", order, volume);
  } catch (sumfac::argument_error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
