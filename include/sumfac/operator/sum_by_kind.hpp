// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One form on all elements of a mesh of several kinds: an operator for each kind, and their sum.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/dofs/mixed_space.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/error.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/sum.hpp>

#include <cstddef>
#include <tuple>
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
  kinds_sum(Backend const& backend, Functions const& functions, Form const& form, std::index_sequence<Index...>)
      : owner{{Operators(backend, detail::mesh_nodes_of(functions.template at<int{Index}>()), form)...},
              {functions.template at<int{Index}>().template restriction<typename Operators::scalar_type>(backend)...}},
        kinds_sum::sum(
            part{std::get<Index>(this->operators), std::get<Index>(this->restrictions), detail::halo_of(functions)}...)
  {
  }
};

// A sum refers to the operators of the sums that it is made of.
template <class Halo, class... Operators, class Other>
void operator+(kinds_sum<Halo, Operators...> const&&, Other const&) = delete;
template <class... Parts, class Halo, class... Operators>
void operator+(sum<Parts...> const&, kinds_sum<Halo, Operators...> const&&) = delete;

// y = A x of a form on all elements of a mesh of several kinds, a matrix to solvers; with the element operators'
// options behind the degree, which is the space's: sum_by_kind<3, float>(backend, V, form).
//
//     sumfac::function_space const V{mesh, 3, mesh.boundary("wall")};
//     auto const A = sumfac::sum_by_kind<3>(backend, V, integrate(dot(grad(u), grad(v))));
//     sumfac::cg(A, b, x, sumfac::jacobi{backend, diagonal});
//
// Of a form that reads the same of elements of any kind: numbers and functions of the position, none by element. A kind
// of which there are no elements costs an operator's compile time alone. In parts `functions` is a
// sumfac::mpi::space_part of the space, or its on(sides), and all processes call it at once.
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

}  // namespace sumfac::SUMFAC_TARGET
