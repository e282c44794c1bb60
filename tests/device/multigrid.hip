// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid in the degree on AMD GPUs.
#include <sumfac/backend/hip.hpp>

using device_backend = sumfac::hip;

#include <device/multigrid.hpp>
