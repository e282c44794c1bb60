// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// pack<T, Width>: Width numbers in one SIMD register, on the compilers' vector extensions.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/math/detail/plain_lanes.hpp>

#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

namespace detail {
// Bytes of a SIMD register of the target that this file is compiled for; the tests name others.
#if defined(SUMFAC_REGISTER_BYTES)
inline constexpr int register_bytes = SUMFAC_REGISTER_BYTES;
#elif defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#elif defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS
inline constexpr int register_bytes = __ARM_FEATURE_SVE_BITS / 8;  // SVE of a length that the compiler knows
#else
inline constexpr int register_bytes = 16;
#endif
}  // namespace detail

// Lanes of a T in one register of the compile target.
template <class T>
inline constexpr int native_width = detail::register_bytes / int{sizeof(T)};

// What comparisons of packs give: a truth for each lane. `select(a < b, x, y)` chooses by it (math/functions.hpp).
template <class T, int Width>
struct mask {
#if !SUMFAC_HAS_VECTOR_TYPES
  using lanes = detail::plain_lanes<bool, Width>;
#else
  typedef T numbers __attribute__((vector_size(Width * sizeof(T)), may_alias));
  using lanes = decltype(numbers{} < numbers{});
#endif
  static constexpr int width = Width;

  lanes v;

  // The lanes whose bits are set.
  SUMFAC_INLINE static mask of_bits(std::uint32_t bits)
  {
#if !SUMFAC_HAS_VECTOR_TYPES
    return {lanes::make([&](int l) { return (bits >> l & 1) != 0; })};
#else
    lanes bit{};
    using integer = std::remove_cvref_t<decltype(bit[0])>;
    if constexpr (Width == 1) return {(lanes{} + static_cast<integer>(bits & 1)) != 0};  // g++ 12 warns of `bit` there
    SUMFAC_UNROLL
    for (int l = 0; l < Width; ++l) bit[l] = integer{1} << l;
    return {((lanes{} + static_cast<integer>(bits)) & bit) != 0};
#endif
  }

  SUMFAC_INLINE bool operator[](int lane) const { return v[lane] != 0; }

  SUMFAC_INLINE friend mask operator&&(mask a, mask b) { return {a.v & b.v}; }
  SUMFAC_INLINE friend mask operator||(mask a, mask b) { return {a.v | b.v}; }
  SUMFAC_INLINE mask operator!() const { return {v == 0}; }

  template <class Branch = void>  // lanes differ
  operator bool() const
  {
    static_assert(!std::is_void_v<Branch>,
                  "sumfac::pack: numbers of several elements are compared at once, which may differ: take "
                  "sumfac::select(a < b, x, y), or min, max and abs");
    return false;
  }
};

// Width values of T that are computed with at once; lane l of every result comes from lane l of the arguments.
//
// `pack p;` is uninitialized, `pack{}` is zero, `pack(x)` has x in every lane.
// **Shapes** Width is a power of two; Width = native_width<T> fills one register, other widths compile to several or to
// parts.
template <class T, int Width>
struct pack {
  static_assert(std::is_floating_point_v<T>, "sumfac::pack<T, W>: T must be float or double");
  static_assert(Width >= 1 && (Width & (Width - 1)) == 0, "sumfac::pack<T, W>: W must be a power of two");

#if !SUMFAC_HAS_VECTOR_TYPES
  using lanes = detail::plain_lanes<T, Width>;
#else
  typedef T lanes __attribute__((vector_size(Width * sizeof(T)), may_alias));
#endif
  using value_type = T;
  static constexpr int width = Width;

  lanes v;

  pack() = default;
  SUMFAC_INLINE explicit pack(T x) : v(lanes{} + x) {}
  SUMFAC_INLINE explicit pack(lanes x, int) : v(x) {}

  SUMFAC_INLINE static pack load(T const* p)
  {
    pack r;
    std::memcpy(&r.v, p, sizeof(lanes));
    return r;
  }
  SUMFAC_INLINE void store(T* p) const { std::memcpy(p, &v, sizeof(lanes)); }

  SUMFAC_INLINE T operator[](int lane) const { return v[lane]; }
  SUMFAC_INLINE void set(int lane, T x) { v[lane] = x; }

  SUMFAC_INLINE pack operator-() const { return pack(-v, 0); }
  SUMFAC_INLINE pack& operator+=(pack b)
  {
    v += b.v;
    return *this;
  }
  SUMFAC_INLINE pack& operator-=(pack b)
  {
    v -= b.v;
    return *this;
  }
  SUMFAC_INLINE pack& operator*=(pack b)
  {
    v *= b.v;
    return *this;
  }
  SUMFAC_INLINE pack& operator/=(pack b)
  {
    v /= b.v;
    return *this;
  }
  SUMFAC_INLINE pack& operator*=(T b)
  {
    v *= b;
    return *this;
  }

  SUMFAC_INLINE friend pack operator+(pack a, pack b) { return pack(a.v + b.v, 0); }
  SUMFAC_INLINE friend pack operator-(pack a, pack b) { return pack(a.v - b.v, 0); }
  SUMFAC_INLINE friend pack operator*(pack a, pack b) { return pack(a.v * b.v, 0); }
  SUMFAC_INLINE friend pack operator/(pack a, pack b) { return pack(a.v / b.v, 0); }
  SUMFAC_INLINE friend pack operator+(pack a, T b) { return pack(a.v + b, 0); }
  SUMFAC_INLINE friend pack operator-(pack a, T b) { return pack(a.v - b, 0); }
  SUMFAC_INLINE friend pack operator*(pack a, T b) { return pack(a.v * b, 0); }
  SUMFAC_INLINE friend pack operator/(pack a, T b) { return pack(a.v / b, 0); }
  SUMFAC_INLINE friend pack operator+(T a, pack b) { return pack(a + b.v, 0); }
  SUMFAC_INLINE friend pack operator-(T a, pack b) { return pack(a - b.v, 0); }
  SUMFAC_INLINE friend pack operator*(T a, pack b) { return pack(a * b.v, 0); }
  SUMFAC_INLINE friend pack operator/(T a, pack b) { return pack(a / b.v, 0); }

  // Lane by lane.
  SUMFAC_INLINE friend mask<T, Width> operator<(pack a, pack b) { return {a.v < b.v}; }
  SUMFAC_INLINE friend mask<T, Width> operator<(pack a, T b) { return {a.v < b}; }
  SUMFAC_INLINE friend mask<T, Width> operator<(T a, pack b) { return {a < b.v}; }
  SUMFAC_INLINE friend mask<T, Width> operator>(pack a, pack b) { return {a.v > b.v}; }
  SUMFAC_INLINE friend mask<T, Width> operator>(pack a, T b) { return {a.v > b}; }
  SUMFAC_INLINE friend mask<T, Width> operator>(T a, pack b) { return {a > b.v}; }
  SUMFAC_INLINE friend mask<T, Width> operator<=(pack a, pack b) { return {a.v <= b.v}; }
  SUMFAC_INLINE friend mask<T, Width> operator<=(pack a, T b) { return {a.v <= b}; }
  SUMFAC_INLINE friend mask<T, Width> operator<=(T a, pack b) { return {a <= b.v}; }
  SUMFAC_INLINE friend mask<T, Width> operator>=(pack a, pack b) { return {a.v >= b.v}; }
  SUMFAC_INLINE friend mask<T, Width> operator>=(pack a, T b) { return {a.v >= b}; }
  SUMFAC_INLINE friend mask<T, Width> operator>=(T a, pack b) { return {a >= b.v}; }
  SUMFAC_INLINE friend mask<T, Width> operator==(pack a, pack b) { return {a.v == b.v}; }
  SUMFAC_INLINE friend mask<T, Width> operator==(pack a, T b) { return {a.v == b}; }
  SUMFAC_INLINE friend mask<T, Width> operator==(T a, pack b) { return {a == b.v}; }
  SUMFAC_INLINE friend mask<T, Width> operator!=(pack a, pack b) { return {a.v != b.v}; }
  SUMFAC_INLINE friend mask<T, Width> operator!=(pack a, T b) { return {a.v != b}; }
  SUMFAC_INLINE friend mask<T, Width> operator!=(T a, pack b) { return {a != b.v}; }

  // a b + c, contracted to one instruction where the target has it.
  SUMFAC_INLINE friend pack fma(pack a, pack b, pack c) { return pack(a.v * b.v + c.v, 0); }
  SUMFAC_INLINE friend pack fma(T a, pack b, pack c) { return pack(a * b.v + c.v, 0); }
  // c - a b, likewise.
  SUMFAC_INLINE friend pack fnma(pack a, pack b, pack c) { return pack(c.v - a.v * b.v, 0); }
  SUMFAC_INLINE friend pack(min)(pack a, pack b)
  {
    detail::keep_where(a.v < b.v, a.v, b.v);
    return a;
  }
  SUMFAC_INLINE friend pack(max)(pack a, pack b)
  {
    detail::keep_where(a.v > b.v, a.v, b.v);
    return a;
  }
  SUMFAC_INLINE friend pack(abs)(pack a)
  {
    detail::keep_where(a.v > -a.v, a.v, -a.v);
    return a;
  }
  SUMFAC_INLINE friend pack sqrt(pack a)
  {
    for (int lane = 0; lane < Width; ++lane) {
      if constexpr (std::is_same_v<T, float>)
        a.v[lane] = __builtin_sqrtf(a.v[lane]);
      else
        a.v[lane] = __builtin_sqrt(a.v[lane]);
    }
    return a;
  }
};

// a b + c for plain numbers, so that kernels are written once for packs and for scalars.
SUMFAC_INLINE constexpr double fma(double a, double b, double c) { return a * b + c; }
SUMFAC_INLINE constexpr float fma(float a, float b, float c) { return a * b + c; }
SUMFAC_INLINE constexpr double fnma(double a, double b, double c) { return c - a * b; }
SUMFAC_INLINE constexpr float fnma(float a, float b, float c) { return c - a * b; }

namespace detail {

template <class T>
struct lanes_of {
  using scalar = T;
  static constexpr int width = 1;
};
template <class T, int Width>
struct lanes_of<pack<T, Width>> {
  using scalar = T;
  static constexpr int width = Width;
};

}  // namespace detail

// The number type of a pack's lanes, T itself for a plain number.
template <class T>
using scalar_of = typename detail::lanes_of<T>::scalar;

// The number of a pack's lanes, 1 for a plain number.
template <class T>
inline constexpr int width_of = detail::lanes_of<T>::width;

namespace detail {

// x, in a register from here on, where g++ would rather read it from memory each time that it is needed.
template <class T>
SUMFAC_INLINE T held(T x)
{
#if SUMFAC_HAS_VECTOR_TYPES && defined(__x86_64__) && !defined(SUMFAC_REGISTER_BYTES)
  if constexpr (width_of<T> > 1 && sizeof(x) >= 16 && sizeof(x) <= register_bytes) {
    auto lanes = x.v;
    asm("" : "+v"(lanes));
    return T(lanes, 0);
  }
#endif
  return x;
}

// What lane_by_lane does with a T: calls its function with it, or with each of its lanes.
template <class T>
inline constexpr bool is_one_number = std::is_floating_point_v<T>;
template <class T>
inline constexpr bool has_lanes = false;
template <class T, int Width>
inline constexpr bool has_lanes<pack<T, Width>> = true;

}  // namespace detail

// f of numbers, or of each lane's numbers of packs: functions that packs do not have, as in
// `lane_by_lane([](auto z) { return std::exp(z); }, x)` and `lane_by_lane(kappa, p[0], p[1], p[2])`. What is neither,
// such as work() counts with, passes as it is: the first of them.
template <class Function, class T, std::same_as<T>... Others>
SUMFAC_FUNCTION T lane_by_lane(Function const& f, T x, Others... others)
{
  if constexpr (detail::is_one_number<T>)
    return f(x, others...);
  else if constexpr (detail::has_lanes<T>)
    for (int lane = 0; lane < width_of<T>; ++lane) x.set(lane, f(x[lane], others[lane]...));
  return x;
}

namespace detail {

template <int Half, int Rows, class T, int Width>
SUMFAC_INLINE void transpose_blocks(pack<T, Width> (&r)[Rows]);

// Writes x past the caches to p, aligned to the register, where the target can; an ordinary store elsewhere.
template <class T, int Width>
SUMFAC_INLINE void stream(pack<T, Width> x, T* p)
{
#if SUMFAC_HAS_STREAMED_STORES
  __builtin_nontemporal_store(x.v, reinterpret_cast<typename pack<T, Width>::lanes*>(p));
#elif SUMFAC_HAS_VECTOR_TYPES && defined(__x86_64__)
#if defined(__AVX512F__)
  if constexpr (sizeof(x) == 64 && sizeof(T) == 8) return __builtin_ia32_movntpd512(p, x.v);
  if constexpr (sizeof(x) == 64 && sizeof(T) == 4) return __builtin_ia32_movntps512(p, x.v);
#endif
#if defined(__AVX__)
  if constexpr (sizeof(x) == 32 && sizeof(T) == 8) return __builtin_ia32_movntpd256(p, x.v);
  if constexpr (sizeof(x) == 32 && sizeof(T) == 4) return __builtin_ia32_movntps256(p, x.v);
#endif
  if constexpr (sizeof(x) == 16 && sizeof(T) == 8) return __builtin_ia32_movntpd(p, x.v);
  if constexpr (sizeof(x) == 16 && sizeof(T) == 4) return __builtin_ia32_movntps(p, x.v);
  x.store(p);
#else
  x.store(p);
#endif
}

// P, a pack or a number, from what S has at p; and back. Lanes are rounded to the type that they become.
template <class Number, class Scalar>
SUMFAC_INLINE Number load_as(Scalar const* p)
{
  static_assert(!std::is_const_v<Number>, "sumfac::load_as: name the type without const");
  if constexpr (std::is_same_v<Number, scalar_of<Number>>) {
    return static_cast<Number>(*p);
  } else if constexpr (std::is_same_v<scalar_of<Number>, Scalar>) {
    return Number::load(p);
  } else {
    Number x;
#if !SUMFAC_HAS_VECTOR_TYPES
    for (int lane = 0; lane < width_of<Number>; ++lane) x.set(lane, static_cast<scalar_of<Number>>(p[lane]));
#else
    typename pack<Scalar, width_of<Number>>::lanes from;
    std::memcpy(&from, p, sizeof from);
    x.v = __builtin_convertvector(from, typename Number::lanes);
#endif
    return x;
  }
}

template <class Number, class Scalar>
SUMFAC_INLINE void store_as(Number const& x, Scalar* p)
{
  if constexpr (std::is_same_v<Number, scalar_of<Number>>) {
    *p = static_cast<Scalar>(x);
  } else if constexpr (std::is_same_v<scalar_of<Number>, Scalar>) {
    x.store(p);
  } else {
#if !SUMFAC_HAS_VECTOR_TYPES
    for (int lane = 0; lane < width_of<Number>; ++lane) p[lane] = static_cast<Scalar>(x[lane]);
#else
    auto const to = __builtin_convertvector(x.v, typename pack<Scalar, width_of<Number>>::lanes);
    std::memcpy(p, &to, sizeof to);
#endif
  }
}

// Orders streamed stores before what this thread does next; needed once, after the last of them.
SUMFAC_INLINE void stream_fence()
{
#if SUMFAC_HAS_VECTOR_TYPES && defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

}  // namespace detail

// Transposes a Width x Width block: afterwards lane c of r[l] is what lane l of r[c] was.
template <class T, int Width>
SUMFAC_INLINE void transpose(pack<T, Width> (&r)[Width])
{
  detail::transpose_blocks<1>(r);
}

namespace detail {

// Lane l of the result is lane Pick<Width>::lane(l) of (a, b) side by side.
template <class Pick, class T, int Width, int... Lanes>
SUMFAC_INLINE pack<T, Width> shuffle(pack<T, Width> a, pack<T, Width> b, std::integer_sequence<int, Lanes...>)
{
#if SUMFAC_HAS_SHUFFLES
  return pack<T, Width>(__builtin_shufflevector(a.v, b.v, Pick::lane(Lanes)...), 0);
#else
  return pack<T, Width>(
      typename pack<T, Width>::lanes{(Pick::lane(Lanes) < Width ? a.v : b.v)[Pick::lane(Lanes) % Width]...}, 0);
#endif
}

template <int Half, int Width>
struct pick_low {
  SUMFAC_FUNCTION static constexpr int lane(int l) { return (l & Half) == 0 ? l : Width + l - Half; }
};
template <int Half, int Width>
struct pick_high {
  SUMFAC_FUNCTION static constexpr int lane(int l) { return (l & Half) == 0 ? l + Half : Width + l; }
};

// Exchanges the off-diagonal H x H blocks of every 2 H x 2 H block, then of the next larger ones: transposes the blocks
// of as many columns as there are rows, which lie side by side.
template <int Half, int Rows, class T, int Width>
SUMFAC_INLINE void transpose_blocks(pack<T, Width> (&r)[Rows])
{
  if constexpr (Half < Rows) {
    using all = std::make_integer_sequence<int, Width>;
    SUMFAC_UNROLL
    for (int i = 0; i < Rows; ++i)
      if ((i & Half) == 0) {
        auto const a = r[i], b = r[i + Half];
        r[i] = shuffle<pick_low<Half, Width>>(a, b, all{});
        r[i + Half] = shuffle<pick_high<Half, Width>>(a, b, all{});
      }
    transpose_blocks<2 * Half>(r);
  }
}

}  // namespace detail

}  // namespace sumfac
