// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Different number types for vectors, for what is stored of the geometry, and for what kernels compute in.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// Stands where an operator's Scalar stands: precision<double, float> reads factors of half the bytes.
//
// Numbers are converted when they are read and written; sums are kept in Arithmetic. `precision<double>` is double.
// **Source** CEED milestone report MS37, for the names of the two mixes.
template <class Vectors, class Factors = Vectors, class Arithmetic = Vectors>
struct precision {
  static_assert((std::is_same_v<Vectors, double> || std::is_same_v<Vectors, float>)&&(
                    std::is_same_v<Factors, double> ||
                    std::is_same_v<Factors, float>)&&(std::is_same_v<Arithmetic, double> ||
                                                      std::is_same_v<Arithmetic, float>),
                "sumfac::precision: Vectors, Factors and Arithmetic must be double or float");

  using vectors = Vectors;
  using factors = Factors;
  using arithmetic = Arithmetic;
};

// Vectors in double around kernels in float, and the reverse.
using high_low = precision<double, float, float>;
using low_high = precision<float, double, double>;

namespace detail {

template <class Scalar>
struct precision_of {
  using vectors = Scalar;
  using factors = Scalar;
  using arithmetic = Scalar;
};
template <class Vectors, class Factors, class Arithmetic>
struct precision_of<precision<Vectors, Factors, Arithmetic>> : precision<Vectors, Factors, Arithmetic> {};

template <class Scalar>
inline constexpr bool is_precision = std::is_same_v<Scalar, double> || std::is_same_v<Scalar, float>;
template <class Vectors, class Factors, class Arithmetic>
inline constexpr bool is_precision<precision<Vectors, Factors, Arithmetic>> = true;

template <class Number>
constexpr char const* name_of_number()
{
  return sizeof(Number) < sizeof(double) ? "float" : "double";
}

// float where one of the types is.
template <class... Numbers>
using narrowest = std::conditional_t<((sizeof(Numbers) < sizeof(double)) || ...), float, double>;

}  // namespace detail

// The entries of an operator's vectors, the numbers that it stores of the geometry, and what its kernels compute in.
template <class Scalar>
using vector_scalar = typename detail::precision_of<Scalar>::vectors;
template <class Scalar>
using factor_scalar = typename detail::precision_of<Scalar>::factors;
template <class Scalar>
using kernel_arithmetic = typename detail::precision_of<Scalar>::arithmetic;

}  // namespace sumfac
