// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An explanation where the header that makes it is missing.
// expect: sumfac::element_operator: explain() is in a header of its own: include <sumfac/tools/explain.hpp>
// errors: 1
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
#include <sumfac/tools/explain.hpp>
#endif

void explain(sumfac::bp1<1> const& A) { static_cast<void>(A.explain()); }
