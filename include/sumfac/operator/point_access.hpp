// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Component c of a point's value and gradient, whether the form has one component or several.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/form/form.hpp>

namespace sumfac::detail {

template <class T, int Components>
SUMFAC_INLINE T& value_at(point_values<T, Components>& u, int c)
{
  if constexpr (Components == 1)
    return static_cast<void>(c), u.value;
  else
    return u.value[c];
}

template <class T, int Components>
SUMFAC_INLINE T& slope_at(point_values<T, Components>& u, int c, int direction)
{
  if constexpr (Components == 1)
    return static_cast<void>(c), u.gradient[direction];
  else
    return u.gradient(c, direction);
}

}  // namespace sumfac::detail
