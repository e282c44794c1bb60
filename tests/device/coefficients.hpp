// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Coefficients on a device: stored from the host's memory, else read by its kernels from its own.
// `device_backend` is the backend that the including file names.
#pragma once

#include <operator/coefficients.hpp>

TEST_CASE("device: coefficients by element and by point, in every policy")
{
  checks::tables_agree<sumfac::stored, device_backend>(7);
  checks::tables_agree<sumfac::affine, device_backend>(7);
  checks::tables_agree<sumfac::trilinear, device_backend, sumfac::layout_left>(7);
  checks::tables_agree<sumfac::isoparametric<3>, device_backend>(7);
  checks::tables_agree<sumfac::split, device_backend, sumfac::layout_interleaved<4>>(7);
}
