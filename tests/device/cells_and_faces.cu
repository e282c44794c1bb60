// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tetrahedra, faces between elements, sums and several right sides on NVIDIA GPUs.
#include <sumfac/backend/cuda.hpp>

using device_backend = sumfac::cuda;

#include <device/cells_and_faces.hpp>
