// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What kernels know of the HIP device that they are compiled for.
#pragma once

#include <sumfac/backend/architecture.hpp>
#include <sumfac/backend/gpu/team.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

struct hip_device {
  static constexpr int warp_teams = 1;  // a barrier of a block of one wavefront costs nothing anyway
  static constexpr parameter_limits parameters{32764, 32764, 0};
  static constexpr bool overlaps = false;
  static constexpr architecture built_for = architecture::gfx90a;
};

}  // namespace sumfac::detail
