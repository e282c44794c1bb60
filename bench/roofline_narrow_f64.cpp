// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Factors in float under double, in double, N = 1 .. 11.
#include "kernels.hpp"

namespace {

using namespace sumfac;
using namespace sumfac::bench;

entries const problem_1(kernels<bp1_problem, precision<double, float, double>, stored, 11>());
entries const problem_3(kernels<bp3_problem, precision<double, float, double>, stored, 11>());
entries const problem_35(kernels<bp35_problem, precision<double, float, double>, stored, 11>());

}  // namespace
