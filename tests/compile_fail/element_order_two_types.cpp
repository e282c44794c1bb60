// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Arrays of two types, of which one would have to be converted on its way into an order.
// expect: sumfac::element_order: in and out must be views of one rank, from 1 on, with entries of one type
#include <sumfac/geometry/element_order.hpp>

#if defined(SUMFAC_FITS)
using number = double;
#else
using number = float;
#endif

void apply(sumfac::element_order const& order, sumfac::view<double const, sumfac::dextents<2>> in,
           sumfac::view<number, sumfac::dextents<2>> out)
{
  order.apply(in, out);
}
