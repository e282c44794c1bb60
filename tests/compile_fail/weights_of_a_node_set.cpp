// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The weights of a node set, which has none.
// expect: sumfac::basis: this is no quadrature rule
#include <sumfac/basis/detail/tables.hpp>

#if defined(SUMFAC_FITS)
using points = sumfac::gauss_lobatto<4>;
#else
using points = sumfac::equispaced<4>;
#endif

constexpr auto weights = sumfac::detail::quadrature_weights<double, points>();
