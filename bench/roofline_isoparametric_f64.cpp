// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Curved elements of N + 1 nodes per direction, in double, N = 1 .. 8.
#include "kernels.hpp"

namespace {

using namespace sumfac;
using namespace sumfac::bench;

entries const problem_3(kernels<bp3_problem, double, isoparametric<>, 8>());
entries const problem_35(kernels<bp35_problem, double, isoparametric<>, 8>());

}  // namespace
