// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The tests of devices on an emulated one: operators of the host beside those of a device.
#include "device.hpp"

using device_backend = sumfac::hip;

#include <device/one_source.hpp>
