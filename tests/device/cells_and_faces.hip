// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tetrahedra, faces between elements, sums and several right sides on AMD GPUs.
#include <sumfac/backend/hip.hpp>

using device_backend = sumfac::hip;

#include <device/cells_and_faces.hpp>
