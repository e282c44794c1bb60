// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// glibc's elementary functions of whole SIMD registers (libmvec), where this target has them.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/math/pack.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

#if defined(SUMFAC_LIBMVEC_F64)
using f64_register = pack<double, native_width<double>>::lanes;
using f32_register = pack<float, native_width<float>>::lanes;

f64_register libmvec_exp(f64_register) SUMFAC_LIBMVEC_F64("v_exp");
f32_register libmvec_exp(f32_register) SUMFAC_LIBMVEC_F32("v_exp");
f64_register libmvec_log(f64_register) SUMFAC_LIBMVEC_F64("v_log");
f32_register libmvec_log(f32_register) SUMFAC_LIBMVEC_F32("v_log");
f64_register libmvec_sin(f64_register) SUMFAC_LIBMVEC_F64("v_sin");
f32_register libmvec_sin(f32_register) SUMFAC_LIBMVEC_F32("v_sin");
f64_register libmvec_cos(f64_register) SUMFAC_LIBMVEC_F64("v_cos");
f32_register libmvec_cos(f32_register) SUMFAC_LIBMVEC_F32("v_cos");
f64_register libmvec_pow(f64_register, f64_register) SUMFAC_LIBMVEC_F64("vv_pow");
f32_register libmvec_pow(f32_register, f32_register) SUMFAC_LIBMVEC_F32("vv_pow");
#endif

// Whether T is a pack that fills a register of these.
#if defined(SUMFAC_LIBMVEC_F64)
template <class T>
inline constexpr bool has_libmvec =
    std::is_same_v<T, pack<scalar_of<T>, static_cast<int>(register_bytes / sizeof(scalar_of<T>))>>;
#else
template <class T>
inline constexpr bool has_libmvec = false;

// Never called.
template <class T>
T libmvec_exp(T);
template <class T>
T libmvec_log(T);
template <class T>
T libmvec_sin(T);
template <class T>
T libmvec_cos(T);
template <class T>
T libmvec_pow(T, T);
#endif

}  // namespace sumfac::detail
