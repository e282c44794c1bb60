// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A function at a point: what a form evaluates of it, and the numbers.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/math/small.hpp>

namespace sumfac::SUMFAC_TARGET {

// What a form evaluates of its trial function, or tests its result against. Combined by |.
enum class evaluation : unsigned { none = 0, value = 1, gradient = 2 };

inline constexpr evaluation value = evaluation::value;
inline constexpr evaluation gradient = evaluation::gradient;

SUMFAC_FUNCTION constexpr evaluation operator|(evaluation a, evaluation b)
{
  return static_cast<evaluation>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

// Whether `set` holds `one`.
SUMFAC_FUNCTION constexpr bool has(evaluation set, evaluation one)
{
  return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0;
}

// A function, or what is tested against one, at a point: its value and its gradient in reference coordinates.
//
// **Shapes** one component: value T, gradient (Dim); several: value (Components), gradient (Components, Dim).
template <class T, int Components = 1, int Dim = 3>
struct point_values {
  vector<T, Components> value{};
  matrix<T, Components, Dim> gradient{};
};

template <class T, int Dim>
struct point_values<T, 1, Dim> {
  T value{};
  vector<T, Dim> gradient{};
};

namespace detail {

// Entry a of component c: the value, then derivatives.
template <class T, int Components, int Dim>
SUMFAC_INLINE T& point_entry(point_values<T, Components, Dim>& u, [[maybe_unused]] int c, int a)
{
  if constexpr (Components == 1)
    return a == 0 ? u.value : u.gradient[a - 1];
  else
    return a == 0 ? u.value[c] : u.gradient(c, a - 1);
}

template <class T, int Components, int Dim>
SUMFAC_INLINE T const& point_entry(point_values<T, Components, Dim> const& u, int c, int a)
{
  return point_entry(const_cast<point_values<T, Components, Dim>&>(u), c, a);
}

}  // namespace detail

}  // namespace sumfac
