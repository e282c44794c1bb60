// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs a test for every number of points in a range of template arguments.
#pragma once

#include <utility>

// f(std::integral_constant<int, N>) for N = First .. Last.
template <int First, int Last, class Function>
void for_each_size(Function&& f)
{
  [&]<int... N>(std::integer_sequence<int, N...>) {
    (f(std::integral_constant<int, First + N>{}), ...);
  }(std::make_integer_sequence<int, Last - First + 1>{});
}
