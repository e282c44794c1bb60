// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Views to and from std::mdspan, where the standard library has it, or the mdspan of another library.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/view/view.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <version>
#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif

namespace sumfac::SUMFAC_TARGET {

// One library's mdspan, by its names. For another's (Kokkos, CUDA), write such a struct and pass it as `Family`.
#if defined(__cpp_lib_mdspan)
struct std_mdspan {
  template <class Index, std::size_t... Es>
  using extents = std::extents<Index, Es...>;
  template <class T, class Extents, class Layout>
  using mdspan = std::mdspan<T, Extents, Layout>;
  using layout_right = std::layout_right;
  using layout_left = std::layout_left;
  using layout_stride = std::layout_stride;
};
#else
struct std_mdspan;
#endif

namespace detail {

// A layout of ours in a family's words. An interleaved one stays as it is: its mapping takes any library's extents.
template <class Layout, class Family>
struct layout_to {
  using type = Layout;
};
template <class Family>
struct layout_to<layout_right, Family> {
  using type = typename Family::layout_right;
};
template <class Family>
struct layout_to<layout_left, Family> {
  using type = typename Family::layout_left;
};
template <class Family>
struct layout_to<layout_stride, Family> {
  using type = typename Family::layout_stride;
};

// A family's layout in our words; any that has strides but no name here is a layout_stride.
template <class Family>
struct layouts_from {
  static layout_right ours(typename Family::layout_right);
  static layout_left ours(typename Family::layout_left);
  template <int Width>
  static layout_interleaved<Width> ours(layout_interleaved<Width>);
  static layout_stride ours(...);
};

template <class Family, class Extents, class Ranks>
struct extents_between;

template <class Family, class Extents, int... Rs>
struct extents_between<Family, Extents, std::integer_sequence<int, Rs...>> {
  // An extent known at run time only is the largest std::size_t there and -1 here: each converts to the other.
  using to = typename Family::template extents<typename Extents::index_type,
                                               static_cast<std::size_t>(Extents::static_extent(Rs))...>;
  using from = extents<static_cast<index_t>(Extents::static_extent(Rs))...>;
};

// The mapping To of the extents, and of the strides where it has its own, of another mapping.
template <class To, class From, int... Rs>
constexpr To translate(From const& from, std::integer_sequence<int, Rs...>)
{
  using shape_type = typename To::extents_type;
  using index_type = typename To::index_type;
  using rank_type = typename From::rank_type;

  auto const shape = [&] {
    if constexpr (sizeof...(Rs) == 0)
      return shape_type{};
    else
      return shape_type(static_cast<index_type>(from.extents().extent(static_cast<rank_type>(Rs)))...);
  }();
  if constexpr (std::is_constructible_v<To, shape_type const&>)
    return To(shape);
  else if constexpr (requires(To const& to) { to.strides(); })  // theirs: an array of their library's
    return To(shape, decltype(To().strides()){static_cast<index_type>(from.stride(static_cast<rank_type>(Rs)))...});
  else
    return To(shape, {static_cast<index_type>(from.stride(static_cast<rank_type>(Rs)))...});
}

template <class Extents>
using ranks_of = ranks<static_cast<int>(Extents::rank())>;

}  // namespace detail

// A mapping of ours as the same mapping of the family.
template <class Family = std_mdspan, class Mapping>
  requires requires { typename Mapping::layout_type; }
constexpr auto to_mdspan(Mapping const& map)
{
  using shape = typename Mapping::extents_type;
  using extents = typename detail::extents_between<Family, shape, detail::ranks_of<shape>>::to;
  using layout = typename detail::layout_to<typename Mapping::layout_type, Family>::type;
  return detail::translate<typename layout::template mapping<extents>>(map, detail::ranks_of<shape>{});
}

// A view as an mdspan of the same entries: static extents stay static, and the layout keeps its name.
template <class Family = std_mdspan, class T, class Extents, class Layout>
constexpr auto to_mdspan(view<T, Extents, Layout> const& v)
{
  auto const map = to_mdspan<Family>(v.mapping());
  using mapping = std::remove_const_t<decltype(map)>;
  using mdspan = typename Family::template mdspan<T, typename mapping::extents_type, typename mapping::layout_type>;
  return mdspan(v.data(), map);
}

// A mapping of the family as the same mapping of ours.
//
// **Errors** (compile time) a layout without strides that is not one of ours.
template <class Family = std_mdspan, class Mapping>
constexpr auto mapping_of(Mapping const& map)
{
  using shape = typename Mapping::extents_type;
  using extents = typename detail::extents_between<Family, shape, detail::ranks_of<shape>>::from;
  using layout = decltype(detail::layouts_from<Family>::ours(typename Mapping::layout_type{}));
  static_assert(!std::is_same_v<layout, layout_stride> || Mapping::is_always_strided(),
                "sumfac::mapping_of: the mdspan's layout has no strides: copy its entries to a layout that has");
  return detail::translate<typename layout::template mapping<extents>>(map, detail::ranks_of<shape>{});
}

// An mdspan as a view of the same entries: static extents stay static, and the layout keeps its name.
//
// **Errors** (compile time) a layout without strides that is not one of ours; an accessor that is more than a pointer.
template <class Family = std_mdspan, class Mdspan>
constexpr auto view_of(Mdspan const& m)
{
  using element_type = typename Mdspan::element_type;
  static_assert(std::is_same_v<typename Mdspan::data_handle_type, element_type*> &&
                    std::is_same_v<typename Mdspan::reference, element_type&>,
                "sumfac::view_of: the mdspan's accessor is more than a pointer: a view can only read and write memory");
  auto const map = mapping_of<Family>(m.mapping());
  using mapping = std::remove_const_t<decltype(map)>;
  return view<element_type, typename mapping::extents_type, typename mapping::layout_type>(m.data_handle(), map);
}

}  // namespace sumfac
