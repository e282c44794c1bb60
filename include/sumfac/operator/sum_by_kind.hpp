// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One form on all elements of a mesh of several kinds: an operator for each kind, and their sum.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/mixed_space.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/sum.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// The space of a degree on elements of a shape, a number on hexahedra.
template <cell_shape Shape, int Directions, int Coordinates, int Degree>
constexpr auto space_of_kind()
{
  if constexpr (Shape == cell_shape::lines && Directions == 3)
    return Degree;
  else
    return space(Degree, Directions, Coordinates, node_placement::gauss_lobatto, nullptr, function_family::nodal,
                 Shape);
}

template <class Operator>
using restriction_of_operator = restriction<typename Operator::scalar_type, typename Operator::backend_type>;

// In front of the sum, which refers to them.
template <class... Operators>
struct operators_of_kinds {
  std::tuple<Operators...> operators;
  std::tuple<restriction_of_operator<Operators>...> restrictions;
};

// The mesh nodes of functions of one kind, on all elements or on those of a process.
template <class Functions>
decltype(auto) mesh_nodes_of(Functions const& functions)
{
  if constexpr (has_halo<Functions>)
    return functions.mesh_nodes();
  else
    return (functions.mesh());
}

}  // namespace detail

// A sum that has its operators and restrictions itself, the elements' kinds in their order: what sum_by_kind() makes.
template <class Halo, class... Operators>
class kinds_sum : detail::operators_of_kinds<Operators...>,
                  public sum<part<Operators, detail::restriction_of_operator<Operators>, detail::unscaled, Halo>...> {
  using owner = detail::operators_of_kinds<Operators...>;

public:
  static constexpr int kinds = int{sizeof...(Operators)};

  template <class Backend, class Functions, class Form>
  kinds_sum(Backend const& backend, Functions const& functions, Form const& form)
      : kinds_sum(backend, functions, form, std::make_index_sequence<sizeof...(Operators)>{})
  {
  }
  kinds_sum(kinds_sum const&) = delete;
  kinds_sum& operator=(kinds_sum const&) = delete;

private:
  template <class Backend, class Functions, class Form, std::size_t... Index>
  kinds_sum(Backend const& backend, Functions const& functions, Form const& form,
            std::index_sequence<Index...> const& kinds_in_order)
      : owner(made(backend, functions, form, kinds_in_order)),
        kinds_sum::sum(
            part{std::get<Index>(this->operators), std::get<Index>(this->restrictions), detail::halo_of(functions)}...)
  {
  }
  // In parts all processes throw what one does, as of an element that is inverted there.
  template <class Backend, class Functions, class Form, std::size_t... Index>
  static owner made(Backend const& backend, Functions const& functions, Form const& form, std::index_sequence<Index...>)
  {
    detail::own_pointer<owner> kept;
    detail::agree_on_check(detail::halo_of(functions), "sum_by_kind", [&] {
      kept = detail::own_pointer<owner>(new owner{
          {Operators(backend, detail::mesh_nodes_of(functions.template at<int{Index}>()), form)...},
          {functions.template at<int{Index}>().template restriction<typename Operators::scalar_type>(backend)...}});
    });
    return std::move(*kept);
  }
};

namespace detail {

template <class Sum>
inline constexpr bool is_kinds_sum = false;
template <class Halo, class... Operators>
inline constexpr bool is_kinds_sum<kinds_sum<Halo, Operators...>> = true;
// Of a type that a forwarding reference was deduced as.
template <class Sum>
concept temporary_kinds_sum = any_temporary<Sum> && is_kinds_sum<std::remove_const_t<Sum>>;

}  // namespace detail

// Refused: a sum refers to the operators of the sums that it is made of.
template <class One, class Other>
  requires(detail::temporary_kinds_sum<One> || detail::temporary_kinds_sum<Other>)
void operator+(One&&, Other&&)
{
  static_assert(detail::never<One>,
                "sumfac::sum: A + B refers to the operators that A and B have, so no sum_by_kind in it may be a "
                "temporary: give them names, and keep them as long as the sum");
}

// y = A x of a form on all elements of a mesh of several kinds, a matrix to solvers; with the element operators'
// options behind the degree, which is the space's: sum_by_kind<3, float>(backend, V, form).
//
//     sumfac::function_space const V{mesh, 3, mesh.boundary("wall")};
//     auto const A = sumfac::sum_by_kind<3>(backend, V, integrate(dot(grad(u), grad(v))));
//     sumfac::cg(A, b, x, sumfac::jacobi{backend, diagonal});
//
// Of a form that reads the same of elements of any kind: numbers and functions of the position, none by element. A kind
// of which there are no elements costs an operator's compile time alone. In parts `functions` is a
// sumfac::mpi::space_part of the space, or its on(sides), and all processes call it at once; it refers to the halo of
// the part, which must live as long. To functions on a whole mesh it does not refer.
// **Errors** argument_error: a space of another degree, or on other nodes than Gauss-Lobatto's; those of operators.
template <int Degree, class... Options, class Backend, class Functions, class Form>
  requires(Functions::mesh_type::shape == cell_shape::mixed)
auto sum_by_kind(Backend const& backend, Functions const& functions, Form const& form)
{
  using mesh_type = typename Functions::mesh_type;
  check_equal("sum_by_kind", "degree of the space", Degree, functions.degree());
  check_equal("sum_by_kind", "placement of the space's nodes", static_cast<int>(node_placement::gauss_lobatto),
              static_cast<int>(functions.placement()));
  return [&]<class... Kind>(std::tuple<Kind...> const*) {
    return kinds_sum<
        detail::halo_of_matrix<Functions>,
        element_operator<Form,
                         detail::space_of_kind<Kind::shape, mesh_type::directions, mesh_type::coordinates, Degree>(),
                         Backend, Options...>...>(backend, functions, form);
  }(static_cast<detail::kinds_of_mesh<mesh_type::directions, mesh_type::coordinates> const*>(nullptr));
}
template <int Degree, class... Options, class Backend, class Functions, class Form>
  requires(Functions::mesh_type::shape == cell_shape::mixed && detail::has_halo<Functions>)
void sum_by_kind(Backend const&, Functions const&&, Form const&)
{
  static_assert(detail::never<Functions>,
                "sumfac::sum_by_kind: it refers to the halo of the space's part, so that may be no temporary: give it "
                "a name, and keep it as long as the sum");
}

}  // namespace sumfac::SUMFAC_TARGET
