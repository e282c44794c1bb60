// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Views of Kokkos' arrays. Includes nothing of Kokkos: whoever has such an array has included it.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/view/view.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// What looks like a Kokkos::View: a rank, extents, strides and a pointer.
template <class View>
concept kokkos_view = requires(View const& v) {
  typename View::value_type;
  typename View::array_layout;
  typename View::memory_space;
  v.data();
  v.extent(0);
  v.stride(0);
};

namespace detail {

template <class View>
constexpr int kokkos_rank()
{
  if constexpr (requires { View::rank(); })
    return static_cast<int>(View::rank());
  else
    return static_cast<int>(View::rank);
}

// Static extents of a Kokkos::View are positive, and 0 where an extent is known at run time only.
template <class View, int Dimension>
constexpr index_t kokkos_extent()
{
  constexpr auto extent = static_cast<index_t>(View::static_extent(Dimension));
  return extent > 0 ? extent : dynamic_extent;
}

template <class View, int... Rs>
SUMFAC_FUNCTION auto view_kokkos(View const& v, std::integer_sequence<int, Rs...>)
{
  using shape = extents<kokkos_extent<View, Rs>()...>;
  using value = std::remove_pointer_t<decltype(v.data())>;
  return view<value, shape, layout_stride>(v.data(),
                                           {shape(static_cast<index_t>(v.extent(static_cast<unsigned>(Rs)))...),
                                            {static_cast<index_t>(v.stride(static_cast<unsigned>(Rs)))...}});
}

}  // namespace detail

// A Kokkos::View of rank 1 or more as a view of the same entries. Static extents stay static. The layout is
// layout_stride always, because Kokkos may pad its arrays, and cuts views that keep the name of their layout.
template <kokkos_view View>
SUMFAC_FUNCTION auto from_kokkos(View const& v)
{
  static_assert(detail::kokkos_rank<View>() > 0,
                "sumfac::from_kokkos: the view has rank 0: pass its only entry "
                "itself");
  return detail::view_kokkos(v, detail::ranks<detail::kokkos_rank<View>()>{});
}

}  // namespace sumfac
