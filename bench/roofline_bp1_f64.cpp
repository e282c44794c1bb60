// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1.0 in double, N = 1 .. 15.
#include "kernels.hpp"

static sumfac::bench::entries const bp1_f64(sumfac::bench::kernels<sumfac::bench::bp1_problem, double>());
