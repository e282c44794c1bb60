// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Global vectors as functions take them: views of rank 1, or the arrays that programs have.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/view/view.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

template <class Vector>
using entry_of_vector = std::remove_pointer_t<decltype(std::declval<Vector&>().data())>;

// An array of numbers side by side, as std::vector, std::array and std::span are.
template <class Range>
concept contiguous_range = !is_view<std::remove_const_t<Range>> && requires(Range& r) {
  requires std::is_pointer_v<decltype(r.data())>;
  { r.size() } -> std::convertible_to<index_t>;
};

// A vector as solvers work with it: a view as it is, of an array a view; anything else as it is, to be refused.
template <class Vector>
struct vector_view {
  using type = std::remove_const_t<Vector>;
};
template <contiguous_range Vector>
struct vector_view<Vector> {
  using type = view<entry_of_vector<Vector>, dextents<1>>;
};
template <class Vector>
using vector_view_of = typename vector_view<std::remove_reference_t<Vector>>::type;

template <class Vector>
vector_view_of<Vector> as_vector(Vector& v)
{
  if constexpr (contiguous_range<Vector>)
    return vector_view_of<Vector>(v.data(), static_cast<index_t>(v.size()));
  else
    return v;
}

}  // namespace detail

// A global vector of T, or of T const where it is read: a view of rank 1 whose entries lie side by side, a std::vector,
// std::array or std::span, or any object with such data() and size(). It is made where a function is called, and refers
// to the caller's memory.
//
// **Errors** (compile time) entries that do not lie side by side, of another type than T, or const where T is not.
template <class T>
class vector_argument {
public:
  using view_type = view<T, dextents<1>>;

  template <class Vector>
    requires(!std::is_same_v<std::remove_cvref_t<Vector>, vector_argument>)
  constexpr vector_argument(Vector&& v) : entries(made_of(v))
  {
  }

  view_type entries;

private:
  template <class Vector>
  static constexpr view_type made_of(Vector& v)
  {
    constexpr bool fits = detail::is_vector_view<std::remove_const_t<Vector>> || detail::contiguous_range<Vector>;
    static_assert(fits,
                  "sumfac::vector_argument: a global vector must be contiguous: a sumfac::view of rank 1 and "
                  "layout_right, a std::vector or a std::span");
    if constexpr (fits) {
      using entry = detail::entry_of_vector<Vector>;
      constexpr bool same = std::is_same_v<entry const, T const>;
      constexpr bool writable = std::is_const_v<T> || !std::is_const_v<entry>;
      static_assert(same, "sumfac::vector_argument: a global vector must have entries of the operator's scalar type");
      static_assert(writable || !same, "sumfac::vector_argument: a vector that is written to must not be const");
      if constexpr (same && writable) return view_type(v.data(), static_cast<index_t>(v.size()));
    }
    return {};
  }
};

}  // namespace sumfac
