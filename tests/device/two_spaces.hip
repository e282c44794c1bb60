// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators between two spaces on AMD GPUs.
#include <sumfac/backend/hip.hpp>

using device_backend = sumfac::hip;

#include <device/two_spaces.hpp>
