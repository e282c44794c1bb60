// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1.0 in double.
#include "kernels.hpp"

std::vector<sumfac::bench::kernel> sumfac::bench::bp1_f64()
{
  return kernels<bp1_problem, double>();
}
