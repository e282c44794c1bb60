// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values at points on AMD GPUs.
#include <sumfac/backend/hip.hpp>

using device_backend = sumfac::hip;

#include <device/points.hpp>
