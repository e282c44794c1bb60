// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The larger of two numbers; NaN where one is, which std::max and std::fmax lose, so that it is within no tolerance.
#pragma once

#include <type_traits>

namespace support {

template <class A, class B>
constexpr std::common_type_t<A, B> larger(A most, B x)
{
  return x > most || x != x ? x : most;
}

}  // namespace support
