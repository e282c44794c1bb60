// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The GPU architectures that tunings know, and what their makers document of them.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET {

// Families of devices that run the same tunings: NVIDIA A100 (sm_80) and H100, H200 (sm_90), AMD MI200 (gfx90a).
enum class architecture { sm_80, sm_90, gfx90a };

namespace detail {

// **Units** scratch_bytes: shared memory of one block at most; warp: threads that go in step.
// **Source** CUDA C++ Programming Guide, technical specifications per compute capability; AMD CDNA2 ISA, LDS.
struct device_limits {
  int scratch_bytes, warp;
};

SUMFAC_FUNCTION constexpr device_limits limits_of(architecture a)
{
  return a == architecture::sm_80   ? device_limits{163 * 1024, 32}
         : a == architecture::sm_90 ? device_limits{227 * 1024, 32}
                                    : device_limits{64 * 1024, 64};
}

// What a backend's kernels are compiled for: a device's backend says it; `checked` stands in for an H100.
template <class Backend>
inline constexpr architecture architecture_of = [] {
  if constexpr (requires { Backend::built_for; })
    return Backend::built_for;
  else
    return architecture::sm_90;
}();

}  // namespace detail

}  // namespace sumfac
