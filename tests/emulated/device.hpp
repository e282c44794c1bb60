// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The backend `hip` on the emulated devices, for one test program.
#pragma once

#define __HIP__ 1

#include <sumfac/backend/hip.hpp>

namespace sumfac::detail {

// What run_team() declares; a block's scratch.
scratch_word sumfac_scratch[emulated::scratch_bytes / sizeof(scratch_word)];

static bool const scratch_is_known = (emulated::scratch = sumfac_scratch) != nullptr;

}  // namespace sumfac::detail
