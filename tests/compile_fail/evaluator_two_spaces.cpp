// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An evaluator of two spaces, which is of one.
// expect: sumfac::evaluator: the space is a number, a degree, or one sumfac::space: evaluator<3>
// errors: 1
#include <sumfac/operator/evaluator.hpp>

#if defined(SUMFAC_FITS)
using evaluator = sumfac::evaluator<sumfac::quadrilateral(2)>;
#else
using evaluator = sumfac::evaluator<sumfac::spaces{.trial = 2, .test = 1}>;
#endif

static_assert(evaluator::nodes_1d == 3);
