// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The library's macros, all of them, and its version.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <cstdint>

// SUMFAC_OWN_WARNINGS, where a build defines it as sumfac's own do, lets compilers warn of the headers that users
// include and of what these include. Elsewhere they count as headers of the system: users could do nothing about it.

// hipcc knows __device__ and its like only by this header.
#if defined(__HIP__)
#include <hip/hip_runtime.h>
#endif

// The library says what is wrong by exceptions; some compilers would let it pass without.
#if !defined(__cpp_exceptions) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
#error "sumfac: exceptions are off (-fno-exceptions), and errors are reported by them: compile with -fexceptions"
#endif

// -ffinite-math-only, which -ffast-math implies, compiles tests for NaN and infinities away.
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ && !defined(SUMFAC_FINITE_MATH)
#warning "sumfac: -ffast-math drops its checks for NaN: add -fno-finite-math-only, or define SUMFAC_FINITE_MATH to 1"
#endif

#define SUMFAC_VERSION_MAJOR 0
#define SUMFAC_VERSION_MINOR 1
#define SUMFAC_VERSION_PATCH 0

// On a function: callable on the host and, under nvcc or hipcc, on the device.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define SUMFAC_FUNCTION __host__ __device__
#else
#define SUMFAC_FUNCTION
#endif

// On a function that must vanish into its caller: phases of a kernel, pack arithmetic.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define SUMFAC_INLINE SUMFAC_FUNCTION __forceinline__
#elif defined(__GNUC__)
#define SUMFAC_INLINE inline __attribute__((always_inline))
#else
#define SUMFAC_INLINE inline
#endif

// The same on a function that no kernel calls, because it uses the standard library.
#if defined(__GNUC__)
#define SUMFAC_HOST_INLINE inline __attribute__((always_inline))
#else
#define SUMFAC_HOST_INLINE inline
#endif

// On a kernel's parameter: read it where it lies, in the constant bank, and never copy it to a thread's own memory.
#if defined(__CUDACC__)
#define SUMFAC_GRID_CONSTANT __grid_constant__
#else
#define SUMFAC_GRID_CONSTANT
#endif

// On a kernel: its threads, and how many blocks of them should fit a multiprocessor. HIP's second number means another
// thing (waves of a unit) and is left out.
#if defined(__CUDACC__)
#define SUMFAC_LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#else
#define SUMFAC_LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads)
#endif

// In the passes of a compiler that make code for a device: 1.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define SUMFAC_ON_DEVICE 1
#else
#define SUMFAC_ON_DEVICE 0
#endif

// On a lambda, after its parameter list: the same for a kernel phase.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define SUMFAC_LAMBDA
#elif defined(__GNUC__)
#define SUMFAC_LAMBDA __attribute__((always_inline))
#else
#define SUMFAC_LAMBDA
#endif

// Before a loop of known length: unroll it whole, so that every table index is a constant.
#if defined(__CUDACC__) || defined(__clang__)
#define SUMFAC_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define SUMFAC_UNROLL _Pragma("GCC unroll 64")
#else
#define SUMFAC_UNROLL
#endif

// On a pointer: nothing else points there.
#if defined(__GNUC__) || defined(__CUDACC__)
#define SUMFAC_RESTRICT __restrict__
#else
#define SUMFAC_RESTRICT
#endif

// Between the name of a function and its arguments: a macro of that name, as min of some systems, is not meant.
#define SUMFAC_NO_MACRO

// Views check their indices in debug builds, or where this is defined to 1.
#if !defined(SUMFAC_BOUNDS_CHECK)
#if defined(NDEBUG)
#define SUMFAC_BOUNDS_CHECK 0
#else
#define SUMFAC_BOUNDS_CHECK 1
#endif
#endif

// The inline namespace of whatever depends on the processor that a source is compiled for: sources for different
// targets then have different names for it, and may meet in one program.
#if defined(_OPENMP)
#define SUMFAC_TARGET_THREADS(isa) isa##_openmp
#else
#define SUMFAC_TARGET_THREADS(isa) isa
#endif
#if defined(__CUDACC__)
#define SUMFAC_TARGET SUMFAC_TARGET_THREADS(nvcc)
#elif defined(__HIP__)
#define SUMFAC_TARGET SUMFAC_TARGET_THREADS(hipcc)
#elif defined(__AVX512F__)
#define SUMFAC_TARGET SUMFAC_TARGET_THREADS(avx512)
#elif defined(__AVX__)
#define SUMFAC_TARGET SUMFAC_TARGET_THREADS(avx)
#else
#define SUMFAC_TARGET SUMFAC_TARGET_THREADS(baseline)
#endif

namespace sumfac {

// Sizes, indices and offsets: 64 bits everywhere.
using index_t = std::int64_t;

}  // namespace sumfac
