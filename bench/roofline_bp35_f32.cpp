// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP3.5 in float.
#include "kernels.hpp"

std::vector<sumfac::bench::kernel> sumfac::bench::bp35_f32()
{
  return kernels<bp35_problem, float>();
}
