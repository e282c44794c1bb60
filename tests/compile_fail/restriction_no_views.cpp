// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Arrays themselves in place of views, and marks that are no numbers of one bit.
// expect: sumfac::restriction: the table must be a sumfac::view of integers, of shape (E, n, n, n)
// expect: sumfac::restriction: marks must be a sumfac::view of bool or integers, of shape (nodes) or (nodes, C)
// errors: 2
#include <sumfac/geometry/restriction.hpp>

#include <vector>

using table = sumfac::view<int const, sumfac::dextents<4>>;
using marks = sumfac::view<bool const, sumfac::dextents<1>>;

#if defined(SUMFAC_FITS)
using array = table;
using bits = marks;
#else
using array = std::vector<int>;
using bits = std::vector<bool>;
#endif

sumfac::index_t of_nodes(array const& t)
{
  return sumfac::restriction(sumfac::host(), t, 8).size();
}
sumfac::index_t of_marked_nodes(table t, bits const& m)
{
  return sumfac::restriction(sumfac::host(), t, 8, m).size();
}
