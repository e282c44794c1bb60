// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an evaluator's arguments must be: points, global vectors, and the numbers of points.
#pragma once

#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/points/detail/point_list.hpp>

#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Whether these are views of elements and of reference coordinates, with a diagnostic where not.
template <class Elements, class Places>
constexpr bool are_points()
{
  if constexpr (is_view<Elements> && is_view<Places>) {
    constexpr bool integers = std::is_integral_v<typename Elements::value_type> && Elements::rank() == 1;
    constexpr bool numbers = std::is_floating_point_v<typename Places::value_type> && Places::rank() == 2;
    static_assert(integers, "sumfac::evaluator: the points' elements must be a sumfac::view of integers, of shape (P)");
    static_assert(numbers,
                  "sumfac::evaluator: the points' reference coordinates must be a sumfac::view of "
                  "floating-point numbers, of shape (P, 3)");
    return integers && numbers;
  } else {
    static_assert(is_view<Elements>, "sumfac::evaluator: the points' elements are no sumfac::view");
    static_assert(is_view<Places>, "sumfac::evaluator: the points' reference coordinates are no sumfac::view");
    return false;
  }
}

// Whether Global is a contiguous vector, All are of Scalar and Written may be written to, with a diagnostic where not.
template <class Scalar, class Global, class Other, class Written = Other>
constexpr bool is_evaluated()
{
  constexpr bool entries = is_view_of<Global, Scalar> && is_view_of<Other, Scalar>;
  static_assert(entries, "sumfac::evaluator: vectors must be sumfac::view of the evaluator's scalar type");
  if constexpr (entries) {
    static_assert(is_writable_view_of<Written, Scalar>,
                  "sumfac::evaluator: the result is a view of const: nothing can be written");
    static_assert(is_vector_view<Global>,
                  "sumfac::evaluator: global vectors must be contiguous: views of rank 1 and layout_right");
    return is_writable_view_of<Written, Scalar> && is_vector_view<Global>;
  }
  return false;
}

template <class View>
void check_global(char const* where, char const* what, View const& x, index_t size)
{
  check_extent(where, what, 0, "entries", size, x.extent(0));
  check_data(where, what, x.data(), size);
}

// Every point must be of an element that a restriction works on; -1 is none.
template <class Elements>
void check_active(char const* where, Elements const& elements, own_vector<index_t> const& active, index_t of_mesh)
{
  if (static_cast<index_t>(active.size()) == of_mesh) return;
  own_vector<bool> works(static_cast<std::size_t>(of_mesh), false);
  for (index_t const e : active) works[static_cast<std::size_t>(e)] = true;
  for (index_t i = 0; i < elements.extent(0); ++i)
    if (auto const e = static_cast<index_t>(elements(i)); e >= 0 && !works[static_cast<std::size_t>(e)])
      failf(where,
            "the element of a point is not in the restriction's subset (point %lld: element %lld, and %lld of "
            "%lld elements are): pass the whole restriction",
            static_cast<long long>(i), static_cast<long long>(e), static_cast<long long>(active.size()),
            static_cast<long long>(of_mesh));
}

// Checks the shape of the numbers of points: (P), or (P, C) for several components; with Numbers > 0 of them for each
// component, (P, Numbers) or (P, C, Numbers).
template <int Numbers, class T, class Extents, class Layout>
point_numbers<T> describe_points(char const* where, char const* what, view<T, Extents, Layout> const& u, index_t points,
                                 int components)
{
  constexpr int rank = static_cast<int>(Extents::rank()), inner = Numbers > 0 ? 1 : 0;
  constexpr bool strided = std::is_same_v<Layout, layout_right> || std::is_same_v<Layout, layout_left> ||
                           std::is_same_v<Layout, layout_stride>;
  static_assert(strided, "sumfac::evaluator: numbers of points must be layout_right, layout_left or layout_stride");
  static_assert(rank == 1 + inner || rank == 2 + inner,
                "sumfac::evaluator: values of points are a view of shape (P) or (P, C), gradients (P, D) or (P, C, D)");
  point_numbers<T> numbers{.data = u.data()};
  if constexpr (strided && (rank == 1 + inner || rank == 2 + inner)) {
    check_extent(where, what, 0, "points", points, u.extent(0));
    if constexpr (rank == 2 + inner)
      check_extent(where, what, 1, "components", components, u.extent(1));
    else if (components > 1)
      failf(where, "%s has no dimension for the components (rank %d, and %d components): pass a view of one rank more",
            what, rank, components);
    if constexpr (Numbers > 0) check_extent(where, what, rank - 1, "directions", Numbers, u.extent(rank - 1));
    check_data(where, what, u.data(), u.size());
    if constexpr (std::is_same_v<Layout, layout_stride> && !std::is_const_v<T>) {
      view_shape const shape(u);
      check_places(where, what, rank, shape.extents, shape.strides);
    }
    numbers.point = u.stride(0);
    if constexpr (rank == 2 + inner) numbers.component = u.stride(1);
    if constexpr (Numbers > 0) numbers.direction = u.stride(rank - 1);
  }
  return numbers;
}

}  // namespace sumfac::detail
