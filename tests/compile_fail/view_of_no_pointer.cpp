// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A view of an array itself, and not of where it begins.
// expect: sumfac::view: a view is of a pointer, not null, and integers: view(x.data(), E, n, n, n)
// errors: 1
#include <sumfac/view/view.hpp>

#include <vector>

void make(std::vector<double>& x)
{
#if defined(SUMFAC_FITS)
  sumfac::view const v(x.data(), 2, 3);
#else
  sumfac::view const v(x, 2, 3);
#endif
  static_cast<void>(v);
}
