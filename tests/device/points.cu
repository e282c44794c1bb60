// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values at points on NVIDIA GPUs.
#include <sumfac/backend/cuda.hpp>

using device_backend = sumfac::cuda;

#include <device/points.hpp>
