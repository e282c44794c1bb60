// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP3.5 in double, N = 1 .. 15.
#include "kernels.hpp"

static sumfac::bench::entries const bp35_f64(sumfac::bench::kernels<sumfac::bench::bp35_problem, double>());
