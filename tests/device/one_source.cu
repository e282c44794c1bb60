// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators of the host and of NVIDIA GPUs in one source.
#include <sumfac/backend/cuda.hpp>

using device_backend = sumfac::cuda;

#include <device/one_source.hpp>
