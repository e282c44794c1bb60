// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Trilinear elements, in double, N = 1 .. 11.
#include "kernels.hpp"

namespace {

using namespace sumfac;
using namespace sumfac::bench;

entries const problem_1(kernels<bp1_problem, double, trilinear, 11>());
entries const problem_3(kernels<bp3_problem, double, trilinear, 11>());
entries const problem_35(kernels<bp35_problem, double, trilinear, 11>());

}  // namespace
