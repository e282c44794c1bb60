// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// glibc's elementary functions of whole SIMD registers (libmvec), where this target has them.
#pragma once

#include <sumfac/math/pack.hpp>

#include <concepts>

namespace sumfac::SUMFAC_TARGET::detail {

#if defined(SUMFAC_LIBMVEC_F64)
using f64_register = pack<double, native_width<double>>::lanes;
using f32_register = pack<float, native_width<float>>::lanes;

struct libmvec {
  static f64_register exp(f64_register) SUMFAC_LIBMVEC_F64("v_exp");
  static f32_register exp(f32_register) SUMFAC_LIBMVEC_F32("v_exp");
  static f64_register log(f64_register) SUMFAC_LIBMVEC_F64("v_log");
  static f32_register log(f32_register) SUMFAC_LIBMVEC_F32("v_log");
  static f64_register sin(f64_register) SUMFAC_LIBMVEC_F64("v_sin");
  static f32_register sin(f32_register) SUMFAC_LIBMVEC_F32("v_sin");
  static f64_register cos(f64_register) SUMFAC_LIBMVEC_F64("v_cos");
  static f32_register cos(f32_register) SUMFAC_LIBMVEC_F32("v_cos");
  static f64_register pow(f64_register, f64_register) SUMFAC_LIBMVEC_F64("vv_pow");
  static f32_register pow(f32_register, f32_register) SUMFAC_LIBMVEC_F32("vv_pow");
#if __GLIBC_PREREQ(2, 35)
  static f64_register tan(f64_register) SUMFAC_LIBMVEC_F64("v_tan");
  static f32_register tan(f32_register) SUMFAC_LIBMVEC_F32("v_tan");
#endif
};
#else
struct libmvec {};
#endif

// A register of x's lanes, from `first` on.
template <class Register, class T>
SUMFAC_INLINE auto register_of(T const& x, int first)
{
  return Register::load(reinterpret_cast<scalar_of<T> const*>(&x.v) + first).v;
}

// f(libmvec{}, registers...) of a pack that fills one register or several, where libmvec has what f calls; else g of
// each lane's numbers.
template <class OfRegisters, class OfNumbers, class T, std::same_as<T>... Others>
SUMFAC_FUNCTION T by_registers([[maybe_unused]] OfRegisters const& f, OfNumbers const& g, T const& x,
                               Others const&... others)
{
  if constexpr (has_lanes<T>) {
    using one = pack<scalar_of<T>, native_width<scalar_of<T>>>;
    if constexpr (T::width % one::width == 0 &&
                  requires { f(libmvec{}, register_of<one>(x, 0), register_of<one>(others, 0)...); }) {
      T result;
      for (int i = 0; i < T::width; i += one::width)
        one(f(libmvec{}, register_of<one>(x, i), register_of<one>(others, i)...), 0)
            .store(reinterpret_cast<scalar_of<T>*>(&result.v) + i);
      return result;
    } else {
      return lane_by_lane(g, x, others...);
    }
  } else {
    return lane_by_lane(g, x, others...);
  }
}

}  // namespace sumfac::detail
