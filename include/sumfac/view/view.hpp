// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A view: a pointer with a shape and a layout. It owns nothing.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/view/extents.hpp>
#include <sumfac/view/layout.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// A multi-dimensional array that lives elsewhere, as std::mdspan, but called with parentheses: `u(e, k, j, i)`.
// Trivially copyable, constexpr, and no larger than a pointer where all extents are static.
//
// **Errors** (debug, see SUMFAC_BOUNDS_CHECK) an index outside its extent: std::out_of_range with the shape of the
// view, the dimension, the index and the extent; a constant expression does not compile; on a device the kernel stops.
// **Source** ISO C++23, [mdspan].
template <class T, extents_like Extents, class Layout = layout_right>
class view : private Layout::template mapping<Extents> {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using reference = T&;
  using data_handle_type = T*;
  using extents_type = Extents;
  using layout_type = Layout;
  using mapping_type = typename Layout::template mapping<Extents>;
  using index_type = typename Extents::index_type;
  using size_type = typename Extents::size_type;
  using rank_type = typename Extents::rank_type;

  constexpr view() = default;
  SUMFAC_FUNCTION constexpr view(T* data, mapping_type const& map) : mapping_type(map), data_(data) {}

  SUMFAC_FUNCTION constexpr view(T* data, Extents const& shape)
    requires(extents_like<Extents> && std::is_constructible_v<mapping_type, Extents const&>)
      : mapping_type(shape), data_(data)
  {
  }

  // From one extent for every dimension, or one for every dynamic dimension.
  template <index_like... Is>
    requires((sizeof...(Is) == Extents::rank() || sizeof...(Is) == Extents::rank_dynamic()) &&
             std::is_constructible_v<mapping_type, Extents const&>)
  SUMFAC_FUNCTION constexpr explicit view(T* data, Is... extents) : mapping_type(Extents(extents...)), data_(data)
  {
  }

  // From a view of the same entries: non-const, with other extents static, or in a layout that this one can describe.
  template <class Other, class OtherExtents, class OtherLayout>
    requires(std::is_convertible_v<Other (*)[], T (*)[]> &&
             std::is_constructible_v<mapping_type, typename OtherLayout::template mapping<OtherExtents> const&>)
  SUMFAC_FUNCTION constexpr explicit(
      !std::is_convertible_v<typename OtherLayout::template mapping<OtherExtents> const&, mapping_type>)
      view(view<Other, OtherExtents, OtherLayout> const& other)
      : mapping_type(other.mapping()), data_(other.data())
  {
  }

  SUMFAC_FUNCTION static constexpr rank_type rank() { return Extents::rank(); }
  SUMFAC_FUNCTION static constexpr rank_type rank_dynamic() { return Extents::rank_dynamic(); }
  SUMFAC_FUNCTION static constexpr auto static_extent(rank_type r) { return Extents::static_extent(r); }

  SUMFAC_FUNCTION constexpr T* data() const { return data_; }
  SUMFAC_FUNCTION constexpr mapping_type const& mapping() const { return *this; }
  SUMFAC_FUNCTION constexpr Extents const& extents() const { return mapping().extents(); }
  SUMFAC_FUNCTION constexpr index_type extent(rank_type r) const { return extents().extent(r); }
  SUMFAC_FUNCTION constexpr index_type stride(rank_type r) const { return mapping().stride(r); }

  // The number of entries that can be indexed; `mapping().required_span_size()` is the room they take.
  SUMFAC_FUNCTION constexpr index_type size() const
  {
    index_type product = 1;
    for (rank_type r = 0; r < rank(); ++r) product *= extent(r);
    return product;
  }
  SUMFAC_FUNCTION constexpr bool empty() const { return size() == 0; }

  SUMFAC_FUNCTION static constexpr bool is_always_exhaustive() { return mapping_type::is_always_exhaustive(); }
  SUMFAC_FUNCTION static constexpr bool is_always_strided() { return mapping_type::is_always_strided(); }
  SUMFAC_FUNCTION constexpr bool is_exhaustive() const { return mapping().is_exhaustive(); }
  SUMFAC_FUNCTION constexpr bool is_strided() const { return mapping().is_strided(); }

  template <index_like... Is>
    requires(sizeof...(Is) == Extents::rank())
  SUMFAC_INLINE constexpr T& operator()(Is... indices) const
  {
#if SUMFAC_BOUNDS_CHECK
    check_indices(static_cast<index_t>(indices)...);
#endif
    return data_[mapping()(indices...)];
  }
  // Of a vector the same.
  template <index_like Index>
    requires(Extents::rank() == 1)
  SUMFAC_INLINE constexpr T& operator[](Index index) const
  {
    return (*this)(index);
  }

private:
#if SUMFAC_BOUNDS_CHECK
  template <class... Is>
  SUMFAC_INLINE constexpr void check_indices(Is... indices) const
  {
    [[maybe_unused]] rank_type r = 0;
    ((indices < 0 || indices >= extent(r) ? refuse(r, indices) : static_cast<void>(0), ++r), ...);
  }

  [[noreturn]] SUMFAC_FUNCTION void refuse(rank_type r, index_t index) const
  {
    detail::refuse(extents(), "view: index is outside dimension", static_cast<int>(r), "index", index, "extent",
                   extent(r), "pass 0 <= index < extent");
  }
#endif

  T* data_ = nullptr;
};

// Whether a type is a view.
template <class T>
inline constexpr bool is_view = false;

template <class T, class Extents, class Layout>
inline constexpr bool is_view<view<T, Extents, Layout>> = true;

template <class T, index_like... Is>
  requires(sizeof...(Is) > 0)
view(T*, Is...) -> view<T, dextents<static_cast<int>(sizeof...(Is))>>;

template <class T, index_t... Es>
view(T*, extents<Es...>) -> view<T, extents<Es...>>;

template <class T, class Mapping>
  requires requires { typename Mapping::layout_type; }
view(T*, Mapping const&) -> view<T, typename Mapping::extents_type, typename Mapping::layout_type>;

namespace detail {

template <class... Arguments>
struct no_entry;

// Views with entries of T; those of T const, too, or only those that can be written.
template <class View, class T>
inline constexpr bool is_view_of = false;
template <class T, class Extents, class Layout>
inline constexpr bool is_view_of<view<T, Extents, Layout>, T> = true;
template <class T, class Extents, class Layout>
inline constexpr bool is_view_of<view<T const, Extents, Layout>, T> = true;
template <class View, class T>
inline constexpr bool is_writable_view_of = false;
template <class T, class Extents, class Layout>
inline constexpr bool is_writable_view_of<view<T, Extents, Layout>, T> = true;

// Contiguous vectors.
template <class View>
inline constexpr bool is_vector_view = false;
template <class T, class Extents>
inline constexpr bool is_vector_view<view<T, Extents, layout_right>> = Extents::rank() == 1;

}  // namespace detail

// What is no pointer and integers makes no view, and says so. The ellipsis lets every other guide come first.
template <class... Arguments>
view(...) -> view<detail::no_entry<Arguments...>, dextents<1>>;

template <class... Arguments>
class view<detail::no_entry<Arguments...>, dextents<1>> {
  static_assert(sizeof...(Arguments) > 0,
                "sumfac::view: a view is of a pointer, not null, and integers: view(x.data(), E, n, n, n)");

public:
  template <class... Given>
  constexpr explicit view(Given const&...)
  {
  }
};

}  // namespace sumfac
