// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on AMD GPUs: sums, graphs, and the merged iteration.
#include <sumfac/backend/hip.hpp>

using device_backend = sumfac::hip;

#include <device/cg.hpp>
