// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on NVIDIA GPUs: sums, graphs, and the merged iteration.
#include <sumfac/backend/cuda.hpp>

using device_backend = sumfac::cuda;

#include <device/cg.hpp>
