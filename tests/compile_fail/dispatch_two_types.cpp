// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A function that returns another type for another degree.
// expect: sumfac::dispatch_order: f returns another type for another degree
#include <sumfac/operator/dispatch.hpp>

template <int Order>
struct solution {
  double nodes[Order];
};

auto solve(int order)
{
#if defined(SUMFAC_FITS)
  return sumfac::dispatch_order<sumfac::orders<1, 2>>(order, []<int Order> { return 1. * Order; });
#else
  return sumfac::dispatch_order<sumfac::orders<1, 2>>(order, []<int Order> { return solution<Order>{}; });
#endif
}
