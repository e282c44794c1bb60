// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// E-vectors that an operator is given, as its kernels take them.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/element/vectors/footprint.hpp>
#include <sumfac/view/view.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// u and v of `elements` elements, in a run that moves so many bytes; `here` is the function that got them.
template <class Vectors, class Problem, class From, class To>
Vectors e_vectors(char const* here, From const& u, To const& v, index_t elements, index_t bytes)
{
  using scalar = typename Problem::vector_number;
  using test = typename Problem::test_side;
  constexpr int directions = Problem::directions;
  constexpr bool views = is_view<From> && is_view<To>;
  constexpr bool of_u = is_view_of<From, scalar>, of_v = is_view_of<To, scalar>;
  constexpr bool writable = is_writable_view_of<To, scalar>;
  static_assert(views, "sumfac::element_operator: u and v must be sumfac::view");
  static_assert(of_u || !views, "sumfac::element_operator: u must have entries of the operator's scalar type");
  static_assert(of_v || !views, "sumfac::element_operator: v must have entries of the operator's scalar type");
  static_assert(writable || !of_v, "sumfac::element_operator: v is written to, and must not be a view of const");
  if constexpr (of_u && writable) {
    view<scalar const, typename From::extents_type, typename From::layout_type> const read = u;
    auto const from = describe<Problem::components, directions>(here, "u", read, elements, Problem::nodes_1d);
    auto const to = describe<test::components, directions>(here, "v", v, elements, test::nodes_1d);
    if (elements > 0) check_distinct(here, u, v);
    return {from, to, footprint_of(bytes)};
  } else {
    return {};
  }
}

}  // namespace sumfac::detail
