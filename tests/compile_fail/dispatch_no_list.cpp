// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Degrees without sumfac::orders, and a function that takes its degree as a number.
// expect: sumfac::dispatch_order: the degrees must be a list: dispatch_order<sumfac::orders<1, 2>>(order, f)
// expect: sumfac::dispatch_order: f must take the degree as its only template argument, and nothing else
// errors: 2
#include <sumfac/operator/dispatch.hpp>

using list = sumfac::orders<1, 2>;

#if defined(SUMFAC_FITS)
int twice(int order)
{
  return sumfac::dispatch_order<list>(order, []<int Order> { return 2 * Order; });
}
#else
int twice(int order)
{
  return sumfac::dispatch_order<1, 2>(order, []<int Order> { return 2 * Order; });
}
int thrice(int order)
{
  return sumfac::dispatch_order<list>(order, [](int n) { return 3 * n; });
}
#endif
