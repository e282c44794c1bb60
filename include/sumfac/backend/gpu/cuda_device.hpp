// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What kernels know of the CUDA device that they are compiled for.
#pragma once

#include <sumfac/backend/architecture.hpp>
#include <sumfac/backend/gpu/team.hpp>

// As cuda.hpp: nothing without CUDA's headers, which NVRTC has built in; nothing for hipRTC.
#if defined(__CUDACC_RTC__) || (SUMFAC_HAS_HOST && __has_include(<cuda_runtime.h>))

#if SUMFAC_HAS_HOST
#include <cuda_runtime.h>
#endif

namespace sumfac::SUMFAC_TARGET::detail {

struct cuda_device {
  static constexpr int warp_teams = 4;  // teams of a warp that share a block

#if SUMFAC_HAS_HOST
  static constexpr int version = CUDART_VERSION;
#else
  static constexpr int version = 1000 * __CUDACC_VER_MAJOR__ + 10 * __CUDACC_VER_MINOR__;
#endif

  // More than 4 KB of them came with CUDA 12.1, for the compiler as for the driver.
  static constexpr parameter_limits parameters{4096, version < 12010 ? 4096 : 32764, 12010};

  // Whether all code there is waits for the kernels before, so that it may be launched ahead of their end: from sm_90
  // on; from CUDA 12.4 on graphs can have it, too.
  static constexpr bool overlaps = [] {
#if defined(__CUDA_ARCH_LIST__)
    for (int const capability : {__CUDA_ARCH_LIST__})
      if (capability < 900) return false;
    return version >= 12040;
#else
    return false;
#endif
  }();

  // The least of the architectures that the compiler was told of.
  static constexpr architecture built_for = [] {
#if defined(__CUDA_ARCH_LIST__)
    for (int const capability : {__CUDA_ARCH_LIST__})
      if (capability < 900) return architecture::sm_80;
#endif
    return architecture::sm_90;
  }();
};

}  // namespace sumfac::detail

#endif
