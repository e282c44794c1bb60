// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors that look random, and are the same everywhere: to ask matrices what they are.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/solver/detail/passes.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// number(i), or for a pack those from i on.
template <class T, class Number>
SUMFAC_INLINE T each_lane(index_t i, Number const& number)
{
  if constexpr (width_of<T> == 1) {
    return number(i);
  } else {
    T x{};
    for (int lane = 0; lane < width_of<T>; ++lane) x.set(lane, number(i + lane));
    return x;
  }
}

// Entry i of vector k of two: numbers from -1 to 1.
template <class T>
SUMFAC_INLINE T noise(index_t i, int k)
{
  return each_lane<T>(i, [k](index_t entry) {
    auto bits = static_cast<std::uint64_t>(2 * entry + k + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return static_cast<scalar_of<T>>(static_cast<double>(bits >> 40) * 0x1p-23 - 1);
  });
}

// From 1 to 1.25, or from -1.25 to -1: a number from -1 to 1 might happen to be next to 0, and numbers of one size are
// eigenvectors of matrices of few rows, or with as many symmetries.
template <class T>
SUMFAC_INLINE T noise_of_one_size(index_t i, int k)
{
  T const x = noise<T>(i, k), whole = static_cast<scalar_of<T>>(0x1p23) * x, more = static_cast<scalar_of<T>>(0.25) * x;
  if constexpr (width_of<T> > 1)
    return more + max SUMFAC_NO_MACRO(min SUMFAC_NO_MACRO(whole, T(1)), T(-1));
  else
    return more + (whole > 0 ? T(1) : T(-1));
}

template <class T>
SUMFAC_INLINE T root(T const& x)
{
  if constexpr (width_of<T> > 1)
    return sqrt(x);
  else if constexpr (sizeof(T) == sizeof(float))
    return __builtin_sqrtf(x);
  else
    return __builtin_sqrt(x);
}

// x = noise(i, k), times the roots of factors.
template <class Scalar>
struct noise_body {
  using scalar = Scalar;
  static constexpr int sums = 0;
  Scalar* x;
  int k;
  Scalar const* factors;  // null where they are 1
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    store(entry<T>(i), x + i);
  }
  template <class T>
  SUMFAC_INLINE T entry(index_t i) const
  {
    T const one = noise<T>(i, k);
    return factors == nullptr ? one : one * root(load<T>(factors + i));
  }
};

}  // namespace sumfac::detail
