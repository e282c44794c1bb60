// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What operators ask of the vectors and restrictions of a call.
#pragma once

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/element/vectors/footprint.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// u and v of `elements` elements, in a run that moves so many bytes; `here` is the function that got them. `sizes` is
// what the compiler does not know of an element.
template <class Vectors, class Problem, class From, class To>
Vectors e_vectors(char const* here, From const& u, To const& v, index_t elements, index_t bytes,
                  typename Problem::sizes_type const& sizes)
{
  using scalar = typename Problem::vector_number;
  using test = typename Problem::test_side;
  constexpr int axes = Problem::axes;
  constexpr bool views = is_view<From> && is_view<To>;
  constexpr bool of_u = is_view_of<From, scalar>, of_v = is_view_of<To, scalar>;
  constexpr bool writable = is_writable_view_of<To, scalar>;
  static_assert(views, "sumfac::element_operator: u and v must be sumfac::view");
  static_assert(of_u || !views, "sumfac::element_operator: u must have entries of the operator's scalar type");
  static_assert(of_v || !views, "sumfac::element_operator: v must have entries of the operator's scalar type");
  static_assert(writable || !of_v, "sumfac::element_operator: v is written to, and must not be a view of const");
  if constexpr (of_u && writable) {
    view<scalar const, typename From::extents_type, typename From::layout_type> const read = u;
    auto const from =
        describe<Problem::components, axes>(here, "u", read, elements, known_or(Problem::nodes_1d, sizes.functions));
    auto const to = describe<test::components, axes>(here, "v", v, elements, known_or(test::nodes_1d, sizes.functions));
    if (elements > 0) check_distinct(here, u, v);
    return {from, to, footprint_of(bytes)};
  } else {
    return {};
  }
}

// An E-vector of layout_right of a side's functions.
template <class Side, class T, class Sizes = cell_sizes<false>>
element_vector<T> whole_vector(T* data, index_t elements, Sizes const& sizes = {})
{
  index_t const n = known_or(Side::nodes_1d, sizes.functions), plane = n * Side::nodes_y;
  return {.data = data,
          .elements = elements,
          .block_stride = known_or(Side::entries_of_element, Side::components * sizes.functions),
          .stride_c = plane * Side::nodes_z,
          .stride_k = plane,
          .stride_j = n,
          .stride_i = 1};
}

// Throws unless work for two objects is queued on one stream of one device.
template <class Backend>
void check_stream(char const* where, char const* what, Backend const& of_operator, Backend const& other)
{
  if constexpr (is_device<Backend>) {
    if (!(of_operator.device() == other.device()))
      failf(where, "%s is on another device than the operator: make both with one backend", what);
    if (!(of_operator.stream() == other.stream()))
      failf(where,
            "%s queues its work on another stream than the operator, and neither waits for the other: make both with "
            "one backend",
            what);
  }
}

// Throws unless a restriction is of the elements and functions of a side of an operator, and where that is.
struct side_numbers {
  index_t elements;
  int directions, nodes_1d, components;
};
template <class Scalar, class Backend>
void check_restriction(char const* where, char const* whose, restriction<Scalar, Backend> const& r,
                       Backend const& of_operator, side_numbers const& of)
{
  auto const demand = [&](char const* what, index_t expected, index_t got) {
    if (expected != got)
      failf(where, "%s of the restriction%s does not match (expected %lld, got %lld)", what, whose,
            static_cast<long long>(expected), static_cast<long long>(got));
  };
  demand("number of elements", of.elements, r.elements());
  demand("number of directions", of.directions, r.directions());
  demand("number of nodes per direction", of.nodes_1d, r.nodes_1d());
  demand("number of components", of.components, r.components());
  check_stream(where, "the restriction", of_operator, r.backend());
}

// Directions in which an operator's nodes are counted: all, where it says no other number.
template <class Operator>
inline constexpr int axes_of_operator = [] {
  if constexpr (requires { Operator::axes; })
    return int{Operator::axes};
  else
    return int{Operator::directions};
}();

// Nodes of an operator's elements along each of these, where the compiler knows them or not.
template <class Operator>
int nodes_1d_of(Operator const& a)
{
  if constexpr (requires { a.functions_of_element(); } && Operator::nodes_1d == dynamic)
    return a.functions_of_element();
  else
    return Operator::nodes_1d;
}

template <class Operator, class Restriction>
void check_restriction(char const* where, Operator const& a, Restriction const& r)
{
  check_restriction(where, "", r, a.backend(),
                    {a.elements(), axes_of_operator<Operator>, nodes_1d_of(a), Operator::components});
}

// Throws unless x has the entries of a restriction.
template <class T, class Scalar, class Backend>
void check_global(char const* where, char const* what, view<T, dextents<1>> const& x,
                  restriction<Scalar, Backend> const& r)
{
  check_extent(where, what, 0, "entries", r.size(), x.extent(0));
  check_data(where, what, x.data(), r.size());
}

// Throws unless x is read on all elements that the result is summed over; in a subset x is known on its elements alone.
template <class Restriction>
void check_subsets(char const* where, Restriction const& r_test, Restriction const& r_trial)
{
  auto const& read = r_trial.active();
  if (static_cast<index_t>(read.size()) == r_trial.elements()) return;
  auto at = read.begin();
  for (index_t const e : r_test.active()) {
    while (at != read.end() && *at < e) ++at;
    if (at == read.end() || *at != e)
      failf(where,
            "the restriction of x is a subset without element %lld, over which the result is summed (%lld elements of "
            "x, %lld of the result): take the subset of the result's restriction, too",
            static_cast<long long>(e), static_cast<long long>(read.size()),
            static_cast<long long>(r_test.active().size()));
  }
}

}  // namespace sumfac::detail
