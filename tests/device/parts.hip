// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators' element kernels inside kernels of one's own on AMD GPUs.
#include <sumfac/backend/hip.hpp>

using device_backend = sumfac::hip;

#include <device/parts.hpp>
