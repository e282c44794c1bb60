// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The few loops and choices that the library would ask of <algorithm>, which takes long to read; and the type that
// another one has, if it has it.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// The type Member<T> where T has it, else Otherwise.
template <template <class> class Member, class T, class Otherwise>
struct member_or_other {
  using type = Otherwise;
};
template <template <class> class Member, class T, class Otherwise>
  requires requires { typename Member<T>; }
struct member_or_other<Member, T, Otherwise> {
  using type = Member<T>;
};
template <template <class> class Member, class T, class Otherwise>
using member_or = typename member_or_other<Member, T, Otherwise>::type;

// The first where the condition holds, else the second.
template <bool Condition, class First, class Second>
SUMFAC_INLINE constexpr auto const& either(First const& first, Second const& second)
{
  if constexpr (Condition)
    return first;
  else
    return second;
}

template <class T>
SUMFAC_FUNCTION constexpr T lesser(T a, T b)
{
  return b < a ? b : a;
}

template <class T>
SUMFAC_FUNCTION constexpr T greater(T a, T b)
{
  return a < b ? b : a;
}

template <class T>
void fill(T* first, T const* last, T const& value)
{
  for (; first != last; ++first) *first = value;
}

template <class From, class T>
void copy(From const& from, T* to)
{
  for (auto const& x : from) *to++ = x;
}

}  // namespace sumfac::detail
