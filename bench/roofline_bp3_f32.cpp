// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP3.0 in float.
#include "kernels.hpp"

std::vector<sumfac::bench::kernel> sumfac::bench::bp3_f32()
{
  return kernels<bp3_problem, float>();
}
