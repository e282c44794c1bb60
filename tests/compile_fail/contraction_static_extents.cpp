// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Factors at other points, fields of other components, an output of too many fields, where the compiler knows them.
// expect: sumfac::intrepid: extents that the compiler knows do not fit
// errors: 3
#include <sumfac/intrepid/contractions.hpp>

#if defined(SUMFAC_FITS)
constexpr int points = 27, components = 3, fields = 8;
#else
constexpr int points = 64, components = 2, fields = 10;
#endif

using sumfac::dynamic_extent;
template <class T, sumfac::index_t... Extents>
using array = sumfac::view<T, sumfac::extents<dynamic_extent, Extents...>>;

void points_differ(array<double, 8, 8> out, array<double const, 8, 27> left, array<double const, 8, points> right)
{
  sumfac::intrepid::contractFieldFieldScalar(sumfac::host(), out, left, right);
}
void components_differ(array<double, 8> out, array<double const, 1, 3> data, array<double const, 8, 27, components> of)
{
  sumfac::intrepid::contractDataFieldVector(sumfac::host(), out, data, of);
}
void fields_differ(array<double, fields> out, array<double const, 27> data, array<double const, 8, 27> of)
{
  sumfac::intrepid::contractDataFieldScalar(sumfac::host(), out, data, of);
}
