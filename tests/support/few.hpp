// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether a test shall look at few sizes, degrees and number types: by a second compiler, and under sanitizers and
// emulators, where the compiler takes three times as long and a run twenty times.
#pragma once

namespace support {

#if defined(SUMFAC_TESTS_FEW)
inline constexpr bool few = true;
#else
inline constexpr bool few = false;
#endif

}  // namespace support
