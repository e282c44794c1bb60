// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators of the host and of AMD GPUs in one source.
#include <sumfac/backend/hip.hpp>

using device_backend = sumfac::hip;

#include <device/one_source.hpp>
