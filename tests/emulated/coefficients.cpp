// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The tests of devices on an emulated one: coefficients.
#include "device.hpp"

using device_backend = sumfac::hip;

#include <device/coefficients.hpp>
