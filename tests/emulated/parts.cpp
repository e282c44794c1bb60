// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The tests of devices on an emulated one: operators' element kernels inside kernels of one's own.
#include "device.hpp"

using device_backend = sumfac::hip;

#include <device/parts.hpp>
