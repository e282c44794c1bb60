// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The inverse of the mass matrix of discontinuous functions, element by element.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/element/kernel/inverse_mass_kernel.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/mesh/parts/element_views.hpp>
#include <sumfac/operator/detail/call_checks.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/operator/detail/operator_options.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// v = M^-1 u on E-vectors, where M is that of element_operator<mass, Space, Points, Options...>: with as many points as
// nodes along each direction it is diagonal at the points, and its inverse exact on elements of any shape. Points are
// gauss<degree + 1> where none are said; at the nodes themselves, as gauss_lobatto<degree + 1> of the usual spaces, M
// is diagonal.
// **Shapes** mesh nodes as element_operator has them; u and v (E, n, n, n), or (E, C, n, n, n) of any C, of any layout;
// they may be the same.
// **Work** per element and component 4 D n^(D + 1) flops in D directions, and a division at each point; a number is
// read for each point.
// **Errors** (compile time) another number of points; (run time) those of element_operator, and argument_error for
// shapes and null.
template <auto Space, class... Options>
class inverse_mass {
  using said = detail::operator_options<mass, Space, Options...>;
  static constexpr bool says_points = !std::is_same_v<typename said::points, typename said::usual_points>;

public:
  static constexpr int order = detail::degree_of<Space>, nodes_1d = order + 1;
  static constexpr int directions = detail::directions_of<Space>;
  using points_type = std::conditional_t<says_points, typename said::points, gauss<nodes_1d>>;
  using scalar_type = typename said::numbers;
  using backend_type = typename said::backend;
  static_assert(points_type::size == nodes_1d,
                "sumfac::inverse_mass: there must be as many points as nodes along each direction, where the mass is "
                "diagonal: sumfac::gauss<degree + 1> or sumfac::gauss_lobatto<degree + 1>");

  template <class Nodes, class NodeSet = unsaid_nodes>
    requires is_view<Nodes>
  inverse_mass(backend_type const& backend, Nodes const& nodes, NodeSet const& node_set = {})
      : backend_(backend),
        elements_(nodes.extent(0)),
        mass_(detail::make_memory<scalar_type>(backend, elements_ * problem::nodes_of_element))
  {
    // On functions by their values at the points.
    element_operator<mass, at_points, points_type, backend_type, scalar_type> const m{backend, nodes, {}, node_set};
    m.diagonal(detail::element_view<directions>(mass_.data(), elements_, nodes_1d));
    detail::wait_for(backend);
  }

  template <class From, class To>
  void apply(From const& u, To const& v) const
  {
    constexpr auto here = "inverse_mass::apply";
    constexpr bool fits = detail::is_view_of<From, scalar_type> && detail::is_writable_view_of<To, scalar_type>;
    static_assert(fits,
                  "sumfac::inverse_mass: u and v must be sumfac::view of the operator's scalar type, and v not const");
    if constexpr (fits) {
      constexpr int rank = int{From::rank()};
      int const components = rank == directions + 2 ? static_cast<int>(u.extent(1)) : 1;
      auto const from = detail::describe_on<directions>(here, "u", u, elements_, components, nodes_1d);
      auto const to = detail::describe_on<directions>(here, "v", v, elements_, components, nodes_1d);
      scalar_type const* const of_points = mass_.data();
      kernel const k{detail::constant_entries(from),
                     detail::whole_vector<typename problem::trial_side>(of_points, elements_),
                     to,
                     components,
                     {}};
      if (elements_ > 0) backend_.launch(k, (elements_ + width_of<number> - 1) / width_of<number>);
    }
  }

  index_t elements() const { return elements_; }
  backend_type const& backend() const { return backend_; }

private:
  static constexpr space at_points = [] {
    space of = detail::space_of<Space>;
    of.nodes =
        std::is_same_v<points_type, gauss_lobatto<nodes_1d>> ? node_placement::gauss_lobatto : node_placement::gauss;
    of.own_nodes = nullptr;
    return of;
  }();
  using problem = detail::problem<mass, detail::space_of<Space>, points_type, scalar_type, detail::space_of<Space>>;
  using number = detail::form_number<backend_type, scalar_type>;
  using kernel = detail::inverse_mass_kernel<problem, number>;
  static_assert(std::is_same_v<points_type, gauss<nodes_1d>> || std::is_same_v<points_type, gauss_lobatto<nodes_1d>>,
                "sumfac::inverse_mass: the points must be those of sumfac::gauss or sumfac::gauss_lobatto");

  backend_type backend_;
  index_t elements_;
  detail::memory_of<scalar_type, backend_type> mass_;
};

}  // namespace sumfac
