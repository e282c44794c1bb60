// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Other functions on an operator's mesh, as its form's inputs are given them.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/view/vector_argument.hpp>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// An E-vector.
template <class View>
struct element_field {
  View values;
};
// A global vector, and the restriction that it is read through.
template <class Restriction, class View>
struct global_field {
  Restriction const& restriction;
  View values;
};

template <class Field>
inline constexpr bool is_field = false;
template <class View>
inline constexpr bool is_field<element_field<View>> = true;
template <class Restriction, class View>
inline constexpr bool is_field<global_field<Restriction, View>> = true;
template <class Field>
concept field_like = is_field<Field>;

}  // namespace detail

// A function that a form reads, for the length of one call: as an E-vector (E, n, n, n) or (E, C, n, n, n), where n and
// C are those of the input.
template <class View>
detail::element_field<View> field(View const& u)
{
  static_assert(is_view<View>,
                "sumfac::field: it must be a sumfac::view, an E-vector, or a restriction and a global "
                "vector: field(R, x)");
  return {u};
}
// Or as a global vector through a restriction of its own, which must live as long: entries that are constrained there
// are read as 0, as R.gather has them.
template <class Restriction, class Vector>
auto field(Restriction const& r, Vector const& x)
{
  constexpr bool is_range = detail::contiguous_range<Vector const>;
  static_assert(is_range || is_view<Vector>,
                "sumfac::field: behind the restriction stands a sumfac::view, a global vector");
  if constexpr (is_range) {
    using view_type = view<detail::entry_of_vector<Vector const>, dextents<1>>;
    return detail::global_field<Restriction, view_type>{r, view_type(x.data(), static_cast<index_t>(x.size()))};
  } else {
    return detail::global_field<Restriction, Vector>{r, x};
  }
}

}  // namespace sumfac
