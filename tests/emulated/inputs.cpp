// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The tests of devices on an emulated one: forms that read other functions.
#include "device.hpp"

using device_backend = sumfac::hip;

#include <device/inputs.hpp>
