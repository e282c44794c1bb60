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

// hipcc knows __device__ and its like only by this header; hipRTC has it built in.
#if defined(__HIP__) && !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

// The functions that SYCL has for code of devices.
#if defined(__SYCL_DEVICE_ONLY__)
#include <sycl/sycl.hpp>
#endif

// What else code depends on is asked of a compiler here and in backend/ alone, so that another one for devices meets
// its macros nowhere else. 1 or 0:
// clang-format off
//   SUMFAC_HAS_HOST             0 of NVRTC and hipRTC, which compile device code alone: no exceptions, no host
//   SUMFAC_HAS_KERNELS          a source with kernels that are functions launched by name: nvcc's, hipcc's, theirs
//   SUMFAC_HAS_SYCL             a source of a compiler for SYCL, or with a library's <sycl/sycl.hpp> in front
//   SUMFAC_ON_GPU               a pass that makes code of such functions for a device: CUDA's, HIP's
//   SUMFAC_ON_CUDA              the same, for one of CUDA's
//   SUMFAC_ON_SYCL              a pass that makes code for a device of SYCL's alone; libraries, and compilers of one
//                               pass, have none
//   SUMFAC_ON_DEVICE            a pass that makes code for a device, any of these
//   SUMFAC_HAS_VECTOR_TYPES     packs are vector types; else, as nvcc has none in functions for devices, arrays
//   SUMFAC_HAS_SHUFFLES         __builtin_shufflevector of these
//   SUMFAC_HAS_STREAMED_STORES  __builtin_nontemporal_store of these
// clang-format on
#if defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
#define SUMFAC_HAS_HOST 0
#else
#define SUMFAC_HAS_HOST 1
#endif
#if defined(__CUDACC__) || defined(__HIPCC__)
#define SUMFAC_HAS_KERNELS 1
#else
#define SUMFAC_HAS_KERNELS 0
#endif
#if defined(SYCL_LANGUAGE_VERSION)
#define SUMFAC_HAS_SYCL 1
#else
#define SUMFAC_HAS_SYCL 0
#endif
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define SUMFAC_ON_GPU 1
#else
#define SUMFAC_ON_GPU 0
#endif
#if defined(__SYCL_DEVICE_ONLY__)
#define SUMFAC_ON_SYCL 1
#else
#define SUMFAC_ON_SYCL 0
#endif
#if SUMFAC_ON_GPU || SUMFAC_ON_SYCL
#define SUMFAC_ON_DEVICE 1
#else
#define SUMFAC_ON_DEVICE 0
#endif
#if defined(__CUDA_ARCH__)
#define SUMFAC_ON_CUDA 1
#else
#define SUMFAC_ON_CUDA 0
#endif
#if defined(__CUDACC__)
#define SUMFAC_HAS_VECTOR_TYPES 0
#define SUMFAC_HAS_SHUFFLES 0
#define SUMFAC_HAS_STREAMED_STORES 0
#elif defined(__clang__)
#define SUMFAC_HAS_VECTOR_TYPES 1
#define SUMFAC_HAS_SHUFFLES 1
#if defined(__x86_64__) || defined(__aarch64__)
#define SUMFAC_HAS_STREAMED_STORES 1
#else
#define SUMFAC_HAS_STREAMED_STORES 0
#endif
#else
#define SUMFAC_HAS_VECTOR_TYPES 1
#if __GNUC__ >= 12
#define SUMFAC_HAS_SHUFFLES 1
#else
#define SUMFAC_HAS_SHUFFLES 0
#endif
#define SUMFAC_HAS_STREAMED_STORES 0
#endif

// The library says what is wrong by exceptions; some compilers would let it pass without.
#if !defined(__cpp_exceptions) && !SUMFAC_ON_DEVICE
#error "sumfac: exceptions are off (-fno-exceptions), and errors are reported by them: compile with -fexceptions"
#endif

// -ffinite-math-only, which -ffast-math implies, compiles tests for NaN and infinities away.
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ && !defined(SUMFAC_FINITE_MATH)
#warning "sumfac: -ffast-math drops its checks for NaN: add -fno-finite-math-only, or define SUMFAC_FINITE_MATH to 1"
#endif

#define SUMFAC_VERSION_MAJOR 0
#define SUMFAC_VERSION_MINOR 1
#define SUMFAC_VERSION_PATCH 0

// On a function of the host that must vanish into its caller.
#if defined(__GNUC__)
#define SUMFAC_HOST_INLINE inline __attribute__((always_inline))
#else
#define SUMFAC_HOST_INLINE inline
#endif

// On a function: callable on the host and, in a source with kernels, on a device, or there alone; the same that must
// vanish into its caller, as phases of a kernel and arithmetic of packs; and, after the parameters, on such a lambda.
#if SUMFAC_HAS_KERNELS
#define SUMFAC_FUNCTION __host__ __device__
#define SUMFAC_DEVICE_FUNCTION __device__
#define SUMFAC_DEVICE_ENTRY extern "C" __global__  // a kernel that is launched by its name
#define SUMFAC_INLINE SUMFAC_FUNCTION __forceinline__
#define SUMFAC_LAMBDA
#else
#define SUMFAC_FUNCTION
#define SUMFAC_INLINE SUMFAC_HOST_INLINE
#if defined(__GNUC__)
#define SUMFAC_LAMBDA __attribute__((always_inline))
#else
#define SUMFAC_LAMBDA
#endif
#endif

// Of CUDA: on a kernel's parameter, to read it where it lies, in the constant bank, and never copy it to a thread's own
// memory; on a kernel, its threads and how many blocks of them should fit a multiprocessor (HIP's second number means
// another thing, waves of a unit, and is left out); on a member that may be empty, nothing, for code that nvcc makes
// for devices has other sizes of structures with such members than its own sizeof (13.0: 1544 bytes for 776).
#if defined(__CUDACC__)
#define SUMFAC_GRID_CONSTANT __grid_constant__
#define SUMFAC_LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#define SUMFAC_NO_UNIQUE_ADDRESS
#else
#define SUMFAC_GRID_CONSTANT
#define SUMFAC_LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads)
#define SUMFAC_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

// Whether kernels of a type with a lambda's in it cannot be launched, which nvcc says in many words and late.
#if defined(__CUDACC__) && !defined(__clang__) && !defined(__CUDACC_EXTENDED_LAMBDA__)
#define SUMFAC_REFUSES_LAMBDAS 1
#else
#define SUMFAC_REFUSES_LAMBDAS 0
#endif

// Ends the program, or the kernel.
#if SUMFAC_ON_CUDA
#define SUMFAC_TRAP() __trap()
#else
#define SUMFAC_TRAP() __builtin_trap()
#endif

// A function of the C library, of numbers of one type, as SUMFAC_OF_NUMBER(exp, z): without the header <cmath>.
#if defined(__CUDACC__)
#define SUMFAC_OF_NUMBER(name, x) ::name(x)
#define SUMFAC_OF_NUMBERS(name, x, y) ::name(x, y)
#elif SUMFAC_ON_SYCL
#define SUMFAC_OF_NUMBER(name, x) ::sycl::name(x)
#define SUMFAC_OF_NUMBERS(name, x, y) ::sycl::name(x, y)
#else
#if defined(__HIP__)  // whose own header has them for devices
#define SUMFAC_OF_LIBRARY(name) ::name
#else
#define SUMFAC_OF_LIBRARY(name) __builtin_##name
#endif
#define SUMFAC_OF_NUMBER(name, x)                                                                                  \
  static_cast<decltype(x)>(sizeof(x) == 4 ? static_cast<double>(SUMFAC_OF_LIBRARY(name##f)(static_cast<float>(x))) \
                                          : SUMFAC_OF_LIBRARY(name)(static_cast<double>(x)))
#define SUMFAC_OF_NUMBERS(name, x, y)                                                                                \
  static_cast<decltype(x)>(                                                                                          \
      sizeof(x) == 4 ? static_cast<double>(SUMFAC_OF_LIBRARY(name##f)(static_cast<float>(x), static_cast<float>(y))) \
                     : SUMFAC_OF_LIBRARY(name)(static_cast<double>(x), static_cast<double>(y)))
#endif
// The first as an object to call; and a function of libmvec's of whole registers, called with what has them.
#define SUMFAC_EACH(name) [](auto z) { return SUMFAC_OF_NUMBER(name, z); }
#define SUMFAC_OF_LIBMVEC(name) \
  []<class Library>(Library, auto v) -> decltype(Library::name(v)) { return Library::name(v); }

// On the declaration of a function of whole SIMD registers that glibc has (libmvec), its name, as "v_exp" of one
// argument and "vv_pow" of two: c, d and e stand for registers of AVX, AVX2 and AVX-512, then come lanes and arguments.
// Those of SSE gain nothing.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__AVX__) && !defined(__CUDACC__) && !defined(__HIP__) && \
    !defined(SUMFAC_REGISTER_BYTES)
#if defined(__AVX512F__)
#define SUMFAC_LIBMVEC_F64(name) __asm__("_ZGVeN8" name)
#define SUMFAC_LIBMVEC_F32(name) __asm__("_ZGVeN16" name "f")
#elif defined(__AVX2__)
#define SUMFAC_LIBMVEC_F64(name) __asm__("_ZGVdN4" name)
#define SUMFAC_LIBMVEC_F32(name) __asm__("_ZGVdN8" name "f")
#else
#define SUMFAC_LIBMVEC_F64(name) __asm__("_ZGVcN4" name)
#define SUMFAC_LIBMVEC_F32(name) __asm__("_ZGVcN8" name "f")
#endif
#endif

// Before a loop of known length: unroll it whole, so that every table index is a constant; keep it a loop, on devices,
// so that its body's registers are needed once.
#if defined(__CUDACC__) || defined(__clang__)
#define SUMFAC_UNROLL _Pragma("unroll")
#define SUMFAC_ROLLED _Pragma("unroll 1")
#elif defined(__GNUC__)
#define SUMFAC_UNROLL _Pragma("GCC unroll 64")
#define SUMFAC_ROLLED
#else
#define SUMFAC_UNROLL
#define SUMFAC_ROLLED
#endif

// On a pointer: nothing else points there.
#if defined(__GNUC__) || defined(__CUDACC__)
#define SUMFAC_RESTRICT __restrict__
#else
#define SUMFAC_RESTRICT
#endif

// Between the name of a function and its arguments: a macro of that name, as min of some systems, is not meant.
#define SUMFAC_NO_MACRO

// Views check their indices, operators their forms, in debug builds, or where this is defined to 1.
#if !defined(SUMFAC_BOUNDS_CHECK)
#if defined(NDEBUG)
#define SUMFAC_BOUNDS_CHECK 0
#else
#define SUMFAC_BOUNDS_CHECK 1
#endif
#endif

// SUMFAC_TARGET: the inline namespace of whatever depends on the options that a source is compiled with. Sources for
// several processors, or with several versions of the library, have different names for it, and may meet in one
// program. The name is short, for compilers' messages: the processor's level, digits for what the compiler may use
// beyond it, the version, and a letter for each of what else changes code: v3_0_1_0t.

#define SUMFAC_JOIN(left, right) SUMFAC_JOIN_WORDS(left, right)
#define SUMFAC_JOIN_WORDS(left, right) left##right
#define SUMFAC_SECOND(...) SUMFAC_SECOND_OF(__VA_ARGS__, , )
#define SUMFAC_SECOND_OF(first, second, ...) second

// 1 for a macro that the compiler defines as 1 to 3, 0 for one that it does not define; three of them as one digit.
#define SUMFAC_FLAG(feature) SUMFAC_FLAG_OF(feature)
#define SUMFAC_FLAG_OF(value) SUMFAC_SECOND(SUMFAC_FLAG_IS_##value, 0)
#define SUMFAC_FLAG_IS_1 , 1
#define SUMFAC_FLAG_IS_2 , 1
#define SUMFAC_FLAG_IS_3 , 1
#define SUMFAC_DIGIT(four, two, one) SUMFAC_DIGIT_OF(SUMFAC_FLAG(four), SUMFAC_FLAG(two), SUMFAC_FLAG(one))
#define SUMFAC_DIGIT_OF(four, two, one) SUMFAC_DIGIT_FROM(four, two, one)
#define SUMFAC_DIGIT_FROM(four, two, one) SUMFAC_DIGIT_##four##two##one
#define SUMFAC_DIGIT_000 0
#define SUMFAC_DIGIT_001 1
#define SUMFAC_DIGIT_010 2
#define SUMFAC_DIGIT_011 3
#define SUMFAC_DIGIT_100 4
#define SUMFAC_DIGIT_101 5
#define SUMFAC_DIGIT_110 6
#define SUMFAC_DIGIT_111 7
#define SUMFAC_NUMBER(...) SUMFAC_NUMBER_OF(__VA_ARGS__)
#define SUMFAC_NUMBER_OF(a1, a2, a3, a4, a5, a6, a7, a8) a1##a2##a3##a4##a5##a6##a7##a8

// A level's name, or the processor's with the level's number; a number behind _, or nothing for 0.
#define SUMFAC_LEVEL(processor, number) SUMFAC_LEVEL_OF(processor, number)
#define SUMFAC_LEVEL_OF(processor, number) SUMFAC_SECOND(SUMFAC_LEVEL_##processor##_##number, processor##_##number)
#define SUMFAC_BEYOND(number) SUMFAC_BEYOND_OF(number)
#define SUMFAC_BEYOND_OF(number) SUMFAC_SECOND(SUMFAC_BEYOND_##number, _##number)
#define SUMFAC_BEYOND_00000000 ,

#if defined(__HIP__) || (defined(__CUDACC__) && defined(__clang__)) || SUMFAC_HAS_SYCL
// The passes for host and device, which must agree on a kernel's name, know different things of the processor.
#define SUMFAC_PROCESSOR generic
#elif defined(__x86_64__)
#define SUMFAC_PROCESSOR                                                \
  SUMFAC_JOIN(SUMFAC_LEVEL(x86_64, SUMFAC_NUMBER(SUMFAC_X86_64_LEVEL)), \
              SUMFAC_BEYOND(SUMFAC_NUMBER(SUMFAC_X86_64_BEYOND)))
#define SUMFAC_X86_64_LEVEL                                                                              \
  SUMFAC_DIGIT(__SSE3__, __SSSE3__, __SSE4_1__),                                                         \
      SUMFAC_DIGIT(__SSE4_2__, __POPCNT__, __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16),                         \
      SUMFAC_DIGIT(__LAHF_SAHF__, __AVX__, __F16C__), SUMFAC_DIGIT(__FMA__, __AVX2__, __MOVBE__),        \
      SUMFAC_DIGIT(__BMI__, __BMI2__, __LZCNT__), SUMFAC_DIGIT(__AVX512F__, __AVX512CD__, __AVX512BW__), \
      SUMFAC_DIGIT(__AVX512DQ__, __AVX512VL__, __APX_F__),                                               \
      SUMFAC_DIGIT(__AVX512ER__, __PREFETCHWT1__, __AVX5124FMAPS__)
#define SUMFAC_X86_64_BEYOND                                                                                   \
  SUMFAC_DIGIT(__AVX512IFMA__, __AVX512VBMI__, __AVX512VBMI2__),                                               \
      SUMFAC_DIGIT(__AVX512VNNI__, __AVX512BITALG__, __AVX512VPOPCNTDQ__),                                     \
      SUMFAC_DIGIT(__AVX512BF16__, __AVX512FP16__, __AVX10_2__), SUMFAC_DIGIT(__GFNI__, __ADX__, __PRFCHW__),  \
      SUMFAC_DIGIT(__PCLMUL__, __VPCLMULQDQ__, __AVXVNNI__),                                                   \
      SUMFAC_DIGIT(__AVXIFMA__, __AVXVNNIINT8__, __AVXNECONVERT__), SUMFAC_DIGIT(__SSE4A__, __XOP__, __TBM__), \
      SUMFAC_DIGIT(__FMA4__, __AVXVNNIINT16__, __SHA__)
#define SUMFAC_LEVEL_x86_64_00000000 , x86_64
#define SUMFAC_LEVEL_x86_64_77400000 , v2
#define SUMFAC_LEVEL_x86_64_77777000 , v3
#define SUMFAC_LEVEL_x86_64_77777760 , v4
#define SUMFAC_LEVEL_x86_64_76000000 , sse4_2
#define SUMFAC_LEVEL_x86_64_76200000 , avx
#define SUMFAC_LEVEL_x86_64_76220000 , avx2
#define SUMFAC_LEVEL_x86_64_76260000 , avx2_fma
#elif defined(__aarch64__)
#define SUMFAC_PROCESSOR SUMFAC_LEVEL(aarch64, SUMFAC_NUMBER(SUMFAC_AARCH64_LEVEL))
#define SUMFAC_AARCH64_LEVEL                                                                             \
  SUMFAC_DIGIT(__ARM_FEATURE_ATOMICS, __ARM_FEATURE_CRC32, __ARM_FEATURE_QRDMX),                         \
      SUMFAC_DIGIT(__ARM_FEATURE_DOTPROD, __ARM_FEATURE_FP16_SCALAR_ARITHMETIC, __ARM_FEATURE_FP16_FML), \
      SUMFAC_DIGIT(__ARM_FEATURE_JCVT, __ARM_FEATURE_FRINT, __ARM_FEATURE_COMPLEX),                      \
      SUMFAC_DIGIT(__ARM_FEATURE_RCPC, __ARM_FEATURE_BF16, __ARM_FEATURE_MATMUL_INT8),                   \
      SUMFAC_DIGIT(__ARM_FEATURE_SHA3, __ARM_FEATURE_MOPS, __ARM_FEATURE_SME),                           \
      SUMFAC_DIGIT(__ARM_FEATURE_SVE, __ARM_FEATURE_SVE2, __ARM_FEATURE_SVE2p1),                         \
      SUMFAC_DIGIT(__ARM_FEATURE_SVE_MATMUL_INT8, __ARM_FEATURE_SVE_BF16, __ARM_FEATURE_SVE2_SHA3),      \
      SUMFAC_DIGIT(__ARM_FEATURE_SME2, __ARM_FEATURE_SVE_MATMUL_FP64, __ARM_FEATURE_FAMINMAX)
#define SUMFAC_LEVEL_aarch64_00000000 , aarch64
#else
#define SUMFAC_PROCESSOR generic
#endif

#if defined(SUMFAC_REGISTER_BYTES)
#define SUMFAC_TARGET_REGISTER SUMFAC_JOIN(_r, SUMFAC_REGISTER_BYTES)  // a register's bytes, as tests name them
#elif defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS
#define SUMFAC_TARGET_REGISTER SUMFAC_JOIN(_sve, __ARM_FEATURE_SVE_BITS)
#else
#define SUMFAC_TARGET_REGISTER
#endif
#if defined(_OPENMP) && !defined(__HIP__) && !SUMFAC_HAS_SYCL
#define SUMFAC_TARGET_THREADS t
#else
#define SUMFAC_TARGET_THREADS
#endif
#if SUMFAC_BOUNDS_CHECK
#define SUMFAC_TARGET_CHECKS c
#else
#define SUMFAC_TARGET_CHECKS
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#define SUMFAC_TARGET_NUMBERS f
#else
#define SUMFAC_TARGET_NUMBERS
#endif
#if defined(__HIP__)
#define SUMFAC_TARGET_COMPILER hip_
#elif defined(__CUDACC__)
#define SUMFAC_TARGET_COMPILER cuda_
#elif SUMFAC_HAS_SYCL
#define SUMFAC_TARGET_COMPILER sycl_
#else
#define SUMFAC_TARGET_COMPILER
#endif
#define SUMFAC_TARGET_VERSION                       \
  SUMFAC_JOIN(SUMFAC_JOIN(_, SUMFAC_VERSION_MAJOR), \
              SUMFAC_JOIN(SUMFAC_JOIN(_, SUMFAC_VERSION_MINOR), SUMFAC_JOIN(_, SUMFAC_VERSION_PATCH)))
#define SUMFAC_TARGET_OPTIONS                                             \
  SUMFAC_JOIN(SUMFAC_JOIN(SUMFAC_TARGET_REGISTER, SUMFAC_TARGET_VERSION), \
              SUMFAC_JOIN(SUMFAC_TARGET_THREADS, SUMFAC_JOIN(SUMFAC_TARGET_CHECKS, SUMFAC_TARGET_NUMBERS)))
#define SUMFAC_TARGET SUMFAC_JOIN(SUMFAC_TARGET_COMPILER, SUMFAC_JOIN(SUMFAC_PROCESSOR, SUMFAC_TARGET_OPTIONS))

// Headers open it again as `namespace sumfac::SUMFAC_TARGET`, without the `inline` that only a compiler reads there.
#if defined(__clang__) && defined(SUMFAC_OWN_WARNINGS)
#pragma clang diagnostic ignored "-Winline-namespace-reopened-noninline"
#endif

namespace sumfac {

// Functions and variables of a user's have the target in their symbols too where their types are of the library: what
// one source makes and another one, for another target, uses does not link.
#if defined(__GNUC__)
inline namespace SUMFAC_TARGET __attribute__((abi_tag)) {}
#else
inline namespace SUMFAC_TARGET {
}
#endif

// Sizes, indices and offsets: 64 bits everywhere.
using index_t = std::int64_t;

}  // namespace sumfac

// Here, where all of the library begins, a source is told that it has it twice, before every name is refused as defined
// anew: the headers beside sumfac_single.hpp, or two versions of one of them.
#if defined(SUMFAC_IS_THERE)
#error \
    "sumfac: this source includes the library twice (sumfac_single.hpp beside sumfac/*.hpp, or two copies of these \
that differ; one expected): include one of them"
#include <sumfac is included twice>  // no such file, so that compilers stop here
#endif
#define SUMFAC_IS_THERE
