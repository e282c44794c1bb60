// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Schwarz's preconditioner of a matrix that is a process' part.
// expect: sumfac::schwarz: the matrix is that of a process' part: subdomains do not reach over processes
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/schwarz.hpp>

using whole = sumfac::global_operator<sumfac::bp5<2>, sumfac::restriction<>>;

struct part : whole {
  sumfac::reduction reduction() const { return {}; }
};

#if defined(SUMFAC_FITS)
using matrix = whole;
#else
using matrix = part;
#endif
constexpr auto size = sizeof(sumfac::schwarz_preconditioner<matrix>);
