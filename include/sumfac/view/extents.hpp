// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The shape of a view: extents known at compile time, at run time, or any mix of the two.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>
#if SUMFAC_BOUNDS_CHECK
#include <sumfac/view/detail/bounds.hpp>
#endif

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// Stands for an extent known at run time only.
inline constexpr index_t dynamic_extent = -1;

// The extents of a view: ours or another library's, as long as they are modelled on std::extents.
template <class Shape>
concept extents_like = requires(Shape const& e) {
  typename Shape::index_type;
  typename Shape::rank_type;
  Shape::rank();
  Shape::static_extent(0);
  e.extent(0);
};

// What may stand where an index is expected: integers and what converts to one, but no floating-point number.
template <class T>
concept index_like =
    std::is_convertible_v<T, index_t> && !std::is_floating_point_v<std::remove_cv_t<std::remove_reference_t<T>>>;

namespace detail {

template <int Count>
struct index_list {
  SUMFAC_FUNCTION constexpr index_t operator[](int n) const { return entries_[n]; }
  SUMFAC_FUNCTION constexpr index_t& operator[](int n) { return entries_[n]; }

  index_t entries_[Count] = {};
};

template <>
struct index_list<0> {
  SUMFAC_FUNCTION constexpr index_t operator[](int) const { return 0; }
};

// As std::integer_sequence, for ranks, which are int here.
template <int Rank>
using ranks = std::make_integer_sequence<int, Rank>;

}  // namespace detail

// The extents of a multi-dimensional index space, as std::extents with a 64-bit signed index.
// Dimensions given as `dynamic_extent` are stored; the others are constants and take no room.
//
// **Errors** (compile time) a negative static extent; (debug) a negative extent, or one other than the static one:
// std::out_of_range.
// **Source** ISO C++23, [mdspan.extents].
template <index_t... Es>
class extents : private detail::index_list<((Es == dynamic_extent ? 1 : 0) + ... + 0)> {
  static_assert(((Es >= 0 || Es == dynamic_extent) && ...), "sumfac::extents: a static extent is negative");

public:
  using index_type = index_t;
  using size_type = std::make_unsigned_t<index_t>;
  using rank_type = int;

  SUMFAC_FUNCTION static constexpr int rank() { return static_cast<int>(sizeof...(Es)); }
  SUMFAC_FUNCTION static constexpr int rank_dynamic() { return ((Es == dynamic_extent ? 1 : 0) + ... + 0); }

  // The extent of dimension r, or `dynamic_extent`.
  SUMFAC_FUNCTION static constexpr index_t static_extent(int r)
  {
    constexpr index_t all[] = {Es..., 1};
    return all[r];
  }

  SUMFAC_FUNCTION constexpr index_t extent(int r) const
  {
    constexpr index_t all[] = {Es..., 1};
    constexpr auto position = stored_positions();
    return all[r] == dynamic_extent ? stored()[static_cast<int>(position[r])] : all[r];
  }

  constexpr extents() = default;

  // From one value for every dimension, or one for every dynamic dimension.
  template <index_like... Is>
    requires(sizeof...(Is) > 0 && (sizeof...(Is) == sizeof...(Es) || sizeof...(Is) == rank_dynamic()))
  SUMFAC_FUNCTION constexpr explicit extents(Is... values)
  {
    index_t const given[] = {static_cast<index_t>(values)...};
    store<static_cast<int>(sizeof...(Is))>(given);
  }

  // From one value for every dimension, in an array.
  template <int Count>
    requires(Count == sizeof...(Es))
  SUMFAC_FUNCTION constexpr explicit extents(index_t const (&values)[Count])
  {
    store<Count>(values);
  }

  // From other extents of the same rank; explicit where a static extent is taken on trust.
  template <index_t... Others>
    requires(sizeof...(Others) == sizeof...(Es) &&
             ((Others == dynamic_extent || Es == dynamic_extent || Others == Es) && ...))
  SUMFAC_FUNCTION constexpr explicit(((Es != dynamic_extent && Others == dynamic_extent) || ...))
      extents(extents<Others...> const& other)
  {
    index_t values[sizeof...(Es) + 1] = {};
    for (int r = 0; r < rank(); ++r) values[r] = other.extent(r);
    store<rank()>(values);
  }

  template <index_t... Others>
  SUMFAC_FUNCTION friend constexpr bool operator==(extents const& a, extents<Others...> const& b)
  {
    if constexpr (sizeof...(Others) != sizeof...(Es)) {
      return false;
    } else {
      for (int r = 0; r < rank(); ++r)
        if (a.extent(r) != b.extent(r)) return false;
      return true;
    }
  }

private:
  using stored_type = detail::index_list<rank_dynamic()>;

  SUMFAC_FUNCTION constexpr stored_type& stored() { return *this; }
  SUMFAC_FUNCTION constexpr stored_type const& stored() const { return *this; }

  // For each dimension, how many dynamic ones come before it.
  SUMFAC_FUNCTION static constexpr auto stored_positions()
  {
    detail::index_list<static_cast<int>(sizeof...(Es)) + 1> position;
    index_t count = 0;
    int r = 0;
    ((position[r++] = count, count += Es == dynamic_extent ? 1 : 0), ...);
    position[r] = 0;
    return position;
  }

  // Keeps the dynamic ones of N values: one for every dimension, or one for every dynamic dimension.
  template <int Count>
  SUMFAC_FUNCTION constexpr void store(index_t const* values)
  {
    [[maybe_unused]] int next = 0;
    for (int r = 0; r < rank(); ++r) {
      bool const is_dynamic = static_extent(r) == dynamic_extent;
      if (Count != rank() && !is_dynamic) continue;
      index_t const given = *values++;
#if SUMFAC_BOUNDS_CHECK
      if (given < 0)
        detail::refuse("extents: negative extent in dimension", r, "given", given, "least", 0, "pass a size");
      if (!is_dynamic && given != static_extent(r))
        detail::refuse("extents: the value does not match the static extent of dimension", r, "given", given, "static",
                       static_extent(r), "pass the static extent, or make it dynamic");
#endif
      if constexpr (rank_dynamic() > 0)
        if (is_dynamic) stored()[next++] = given;
    }
  }
};

namespace detail {

template <class Ranks>
struct all_dynamic;

template <int... Rs>
struct all_dynamic<std::integer_sequence<int, Rs...>> {
  using type = extents<(Rs - Rs + dynamic_extent)...>;
};

}  // namespace detail

// Extents of the given rank, all known at run time.
template <int Rank>
using dextents = typename detail::all_dynamic<detail::ranks<Rank>>::type;

template <index_like... Is>
extents(Is...) -> extents<(static_cast<void>(sizeof(Is)), dynamic_extent)...>;

}  // namespace sumfac
