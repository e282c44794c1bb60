// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Options before the marks.
// expect: sumfac::restriction: marks come before options: restriction{backend, table, nodes, marks, options}
// errors: 1
#include <sumfac/geometry/restriction.hpp>

using table = sumfac::view<int const, sumfac::dextents<4>>;
using marks = sumfac::view<bool const, sumfac::dextents<1>>;

sumfac::index_t size(table t, marks m, sumfac::restriction_options const& options)
{
#if defined(SUMFAC_FITS)
  return sumfac::restriction(sumfac::host(), t, 8, m, options).size();
#else
  return sumfac::restriction(sumfac::host(), t, 8, options, m).size();
#endif
}
