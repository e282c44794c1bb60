// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// For snippets that must not compile: what would be right, and what they say.
#pragma once

#include <type_traits>

#if defined(SUMFAC_FITS)
inline constexpr bool fits = true;
#else
inline constexpr bool fits = false;
#endif

template <class Right, class Wrong>
using fitting = std::conditional_t<fits, Right, Wrong>;
