// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The tests of devices on an emulated one: operators between two spaces.
#include "device.hpp"

using device_backend = sumfac::hip;

#include <device/two_spaces.hpp>
