// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Coefficients of forms on NVIDIA GPUs.
#include <sumfac/backend/cuda.hpp>

using device_backend = sumfac::cuda;

#include <device/coefficients.hpp>
