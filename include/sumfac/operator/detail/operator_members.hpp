// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Members of the operator that are defined apart: with fields at the call, diagonals and matrices, work.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/element/vectors/staging.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// An E-vector of layout_right of a side's functions.
template <class Side, class T>
element_vector<T> whole_vector(T* data, index_t elements)
{
  constexpr index_t n = Side::nodes_1d, plane = n * Side::nodes_y;
  return {.data = data,
          .elements = elements,
          .block_stride = Side::entries_of_element,
          .stride_c = plane * Side::nodes_z,
          .stride_k = plane,
          .stride_j = n,
          .stride_i = 1};
}

}  // namespace detail

template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry, tuning Tuning>
template <class Vectors>
void element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>::launch(Vectors const& u_and_v,
                                                                                      index_t first,
                                                                                      index_t elements) const
{
  if constexpr (packed::apart && std::is_same_v<Vectors, vectors>) {
    if (u_and_v.template are_packed<components, nodes_1d>())
      return detail::launch_groups(
          backend_, kernel_from(typename packed::type{u_and_v.template packed<components, nodes_1d>()}, first),
          storage::groups(elements));
  }
  detail::launch_groups(backend_, kernel_from(u_and_v, first), storage::groups(elements));
}

template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry, tuning Tuning>
template <class Fields, class Vectors>
auto element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>::kernel_with(Fields const& fields,
                                                                                           Vectors const& u_and_v) const
{
  auto const factors = fields.template beside<problem>(detail::reader_at(factors_.of_geometry(), 0, elements_));
  return detail::make_kernel<detail::kernel_on<choice, Vectors, std::remove_const_t<decltype(factors)>>>(form_, u_and_v,
                                                                                                         factors);
}

template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry, tuning Tuning>
void element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>::sweep_pair(
    char const* where, restriction<scalar_type, Backend> const& r_test,
    restriction<scalar_type, Backend> const& r_trial, from_vector const& x, to_vector const& y,
    detail::sweep_mode mode) const
{
  detail::sweep_two<problem, typename choice::pair_vectors>(
      where, backend_, r_test, r_trial, x.entries, y.entries, elements_, mode,
      [&](auto const& x_and_y) { return kernel_from(x_and_y, 0); });
}

template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry, tuning Tuning>
template <class From, class To, detail::field_like... Fields>
  requires(sizeof...(Fields) > 0)
void element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>::apply(From const& u, To const& v,
                                                                                     Fields const&... fields) const
{
  if constexpr (detail::check_fields_at_call<element_operator, Fields...>()) {
    constexpr auto here = "element_operator::apply";
    given<Fields...> const inputs(*this, here, fields...);
    vectors const u_and_v = e_vectors(here, u, v);
    inputs.check_apart(v, "v");
    if (elements_ > 0) detail::launch_groups(backend_, kernel_with(inputs, u_and_v), storage::groups(elements_));
  }
}

template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry, tuning Tuning>
template <class Vectors>
auto element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>::transposed_kernel(
    Vectors const& u_and_v) const
{
  using kernel_type = detail::kernel_on<transposed_choice, Vectors, typename storage::reader>;
  return detail::make_kernel<kernel_type>(detail::transposed_form<Form>(form_), u_and_v,
                                          detail::reader_at(factors_, 0, elements_));
}

template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry, tuning Tuning>
template <class From, class To>
void element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>::apply_transposed(From const& v,
                                                                                                To const& u) const
{
  if constexpr (detail::must_be_linear<element_operator>()) {
    auto const v_and_u = detail::e_vectors<typename transposed_choice::vectors, transposed_problem>(
        "element_operator::apply_transposed", v, u, elements_, bytes_moved());
    if (elements_ > 0) detail::launch_groups(backend_, transposed_kernel(v_and_u), storage::groups(elements_));
  }
}

template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry, tuning Tuning>
void element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>::sweep_transposed(
    char const* where, restriction<scalar_type, Backend> const& r_trial,
    restriction<scalar_type, Backend> const& r_test, from_vector const& x, to_vector const& y,
    detail::sweep_mode mode) const
{
  if constexpr (detail::must_be_linear<element_operator>())
    detail::sweep_two<transposed_problem, typename transposed_choice::pair_vectors>(
        where, backend_, r_trial, r_test, x.entries, y.entries, elements_, mode,
        [&](auto const& x_and_y) { return transposed_kernel(x_and_y); });
}

template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry, tuning Tuning>
template <class Diagonal>
void element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>::diagonal(Diagonal const& d) const
{
  constexpr bool fits = detail::is_writable_view_of<Diagonal, scalar_type>;
  static_assert(fits, "sumfac::element_operator: d must be a sumfac::view of the operator's scalar type, not const");
  if constexpr (fits && detail::must_be_linear<element_operator>() && detail::must_be_square<element_operator>()) {
    auto const to = detail::describe<components, directions>("element_operator::diagonal", "d", d, elements_, nodes_1d);
    if (elements_ == 0) return;
    scalar_type const* const no_u = nullptr;
    auto const of_diagonal =
        diagonal_from(vectors{detail::whole_vector<typename problem::trial_side>(no_u, elements_), to});
    if constexpr (detail::is_device<Backend>) backend_.template prepare<std::remove_const_t<decltype(of_diagonal)>>();
    detail::launch_groups(backend_, of_diagonal, storage::groups(elements_));
    if constexpr (detail::is_device<Backend>) backend_.synchronize();
  }
}

template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry, tuning Tuning>
auto element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>::element_matrix(index_t element) const
    -> std::vector<scalar_type>
{
  if (element < 0 || element >= elements_)
    failf("element_operator::element_matrix", "the element does not exist (got %lld, 0 to %lld expected)",
          static_cast<long long>(element), static_cast<long long>(elements_ - 1));
  if constexpr (!detail::must_be_linear<element_operator>()) return {};
  if constexpr (detail::checks_forms && !detail::is_device<Backend>) check_linear();
  constexpr index_t size = problem::trial_side::entries_of_element, rows = problem::test_side::entries_of_element;
  // The element stands in its own lane of a group, so that it meets its own factors; the other lanes idle on zeros.
  index_t const lane = element % storage::lanes, lanes = lane + 1;
  detail::working_vector<scalar_type, Backend> u(backend_, lanes * size), v(backend_, lanes * rows);
  detail::own_vector<scalar_type> matrix(static_cast<std::size_t>(rows * size));
  for (index_t column = 0; column < size; ++column) {
    u.set(lane * size + column, 1);
    launch(vectors{detail::whole_vector<typename problem::trial_side>(static_cast<scalar_type const*>(u.data()), lanes),
                   detail::whole_vector<typename problem::test_side>(v.data(), lanes)},
           element - lane, lanes);
    u.set(lane * size + column, 0);
    scalar_type const* const result = v.on_host() + lane * rows;
    for (index_t row = 0; row < rows; ++row) matrix[static_cast<std::size_t>(row * size + column)] = result[row];
  }
  return {matrix.begin(), matrix.end()};
}

template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry, tuning Tuning>
work element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>::work() const
{
  auto w = detail::count_work<problem>(form_, elements_, geometry_bytes() + kept_bytes());
  w.geometry_flops = factors_.geometry_flops(form_, elements_);
  return w;
}

template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry, tuning Tuning>
template <detail::field_like First, detail::field_like... Rest>
work element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>::work(First const&, Rest const&...) const
{
  auto w = work();
  if constexpr (detail::check_fields_at_call<element_operator, First, Rest...>()) {
    w.bytes_read -= kept_bytes();
    for (int k = 0; k < inputs_of<Form>::count; ++k) {
      input const& i = detail::input_numbers<double, inputs_of<Form>, directions>::list[k];
      index_t const n = i.order == 0 ? nodes_1d : i.order + 1;
      bool const at_points = kernel::collocated && n == points_1d;
      auto const read = detail::count_input(i, elements_, n, points_1d, at_points, sizeof(scalar_type), directions);
      w.flops += read.flops, w.bytes_read += read.bytes_read;
    }
  }
  return w;
}

}  // namespace sumfac
