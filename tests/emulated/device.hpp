// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The backend `hip` on the emulated devices.
#pragma once

#define __HIP__ 1
#include <sumfac/backend/hip.hpp>
#undef __HIP__  // what comes may be written for CUDA

namespace sumfac::SUMFAC_TARGET::detail {

// What run_team() declares: a block's scratch, one for the whole program.
[[gnu::weak]] scratch_word sumfac_scratch[emulated::most_scratch_bytes / sizeof(scratch_word)];

inline bool const scratch_is_known = (emulated::scratch = sumfac_scratch) != nullptr;

}  // namespace sumfac::detail
