// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The tests of devices on an emulated one: tetrahedra, faces between elements, sums and several right sides.
#include "device.hpp"

using device_backend = sumfac::hip;

#include <device/cells_and_faces.hpp>
