// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Duals of packs compared: their lanes differ.
// expect: sumfac::pack: numbers of several elements are compared at once, which may differ
#include <sumfac/math/dual.hpp>

bool f(sumfac::dual<sumfac::pack<double, 4>> const& x)
{
  return x < 1.0;
}
