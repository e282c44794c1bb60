// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an operator keeps of a mesh and a form, set up for the first time or anew.
#pragma once

#include <sumfac/element/geometry/mesh_input.hpp>
#include <sumfac/operator/detail/form_checks.hpp>
#include <sumfac/operator/detail/form_reads.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Policies that keep a form's factors, if only of some elements: without the mesh there are no others.
template <class Policy>
inline constexpr bool keeps_factors = std::is_same_v<Policy, stored> || std::is_same_v<Policy, split>;

// Who reads the coefficients of a form of an operator.
template <class Policy, class Backend>
inline constexpr coefficient_readers readers_of{.host = keeps_factors<Policy> || !is_device<Backend>,
                                                .device = is_device<Backend> && !std::is_same_v<Policy, stored>};

// What an operator remembers of the mesh.
template <class Mapping>
struct mesh_facts {
  index_t elements = 0;
  Mapping first{{}, 0.0, {}, 1.0};  // a point, to ask forms at
};
template <class Problem>
using facts_of = mesh_facts<mapping<double, Problem::directions, Problem::coordinates>>;

// Whether mesh nodes and a node set are what a problem's elements need, with a diagnostic where not.
template <class Problem, class Nodes, class NodeSet>
constexpr bool check_mesh()
{
  static_assert(is_view<Nodes>,
                "sumfac::element_operator: mesh nodes must be a sumfac::view of shape (E, m, m, m, 3), "
                "or (E, m, m, C), (E, m, C) on quadrilaterals and lines in C coordinates");
  static_assert(!is_view<Nodes> || int{Nodes::rank()} == Problem::axes + 2,
                "sumfac::element_operator: the mesh nodes have not the rank of the space's elements: (E, m, m, m, 3) "
                "of hexahedra, (E, m, m, C) of quadrilaterals, (E, m, C) of lines in C coordinates, (E, M, C) of "
                "triangles, tetrahedra and prisms");
  constexpr bool is_tabulated = Problem::trial_space.shape == cell_shape::tables;
  static_assert(is_tabulated == std::is_same_v<NodeSet, tabulated_basis>,
                "sumfac::element_operator: a tabulated space, and no other, is given its tables behind the mesh nodes: "
                "A{backend, nodes, sumfac::tabulated_basis{values, gradients, weights}}");
  static_assert(mesh_node_set<NodeSet> || is_tabulated || std::is_same_v<NodeSet, tabulated_basis>,
                "sumfac::element_operator: node_set must be sumfac::gauss_lobatto_nodes{}, equispaced_nodes{}, or an "
                "object of yours that node_set(int m, long double* nodes) can be called of, to write the m nodes");
  if constexpr (is_view<Nodes>)
    return int{Nodes::rank()} == Problem::axes + 2 &&
           (is_tabulated ? std::is_same_v<NodeSet, tabulated_basis> : mesh_node_set<NodeSet>);
  else
    return false;
}

// What says where mesh nodes lie: a node set, or tables.
template <class Problem, class Nodes, class NodeSet>
auto said_places(Nodes const& nodes, NodeSet const& node_set)
{
  constexpr auto here = "element_operator";
  if constexpr (Problem::is_tensor)
    return said_nodes(here, nodes, node_set);
  else if constexpr (std::is_same_v<NodeSet, tabulated_basis>)
    return node_set;
  else
    return said_nodes(here, nodes, node_set, edge_nodes_of(Problem::trial_space, nodes.extent(1), max_mesh_nodes_1d));
}

// Sets up `factors` of a mesh: for the first time, or of as many elements as there were.
//
// **Errors** those of element_operator; what `factors` are once points have been looked at in vain is not defined.
template <class Problem, class Policy, class Kernel, class Storage, class Backend, class Form, class Nodes,
          class NodeSet>
facts_of<Problem> set_up_factors(Storage& factors, facts_of<Problem> const* former, Backend const& backend,
                                 Form const& form, Nodes const& nodes, NodeSet const& node_set, double tolerance)
{
  using points = typename Problem::points;
  check_members(form);
  mesh_input<points, Nodes, NodeSet, cell_of(Problem::trial_space)> mesh{host_of(backend), nodes, node_set, tolerance};
  if constexpr (requires { Kernel::most_functions; } && Problem::at_run_time)
    if (node_set.functions() > Kernel::most_functions)
      failf("tabulated_basis",
            "a device's team has no room for so many functions whose number the compiler does not know (at most %d of "
            "a form of %d components, got %d): write tabulated(%d, %d, %d)",
            Kernel::most_functions, Problem::most_components, node_set.functions(), node_set.functions(),
            node_set.points(), node_set.directions());
  facts_of<Problem> const facts{mesh.elements(), first_point(mesh.geometry)};
  if (former != nullptr)
    check_equal("element_operator::update", "number of elements of the mesh", former->elements, facts.elements);
  coefficient_readers readers = readers_of<Policy, Backend>;
  readers.looks = former == nullptr;
  auto const reads = look_at_coefficients<Policy>(
      form, backend, {facts.elements, mesh.geometry.points_of_element().x, mesh.threads}, facts.first, readers);
  mesh.reads = reads.get();
  if constexpr (checks_forms &&
                (keeps_factors<Policy> ||
                 !(applies_to_points<Form, Problem::directions, Problem::coordinates> || is_device<Backend>)))
    check_setup(form, mesh.geometry, mesh.reads);
  factors.set_up(mesh, form, Kernel::point);
  if constexpr (is_device<Backend>) backend.template prepare<Kernel>();
  factors.commit(backend);
  return facts;
}

// Takes another form where kernels make its factors.
template <class Policy, class Form, class Backend, class Mapping>
void update_form(Form& form, Form const& to, Backend const& backend, mesh_facts<Mapping> const& mesh, int points_1d)
{
  static_assert(!keeps_factors<Policy>,
                "sumfac::element_operator: an operator whose geometry is sumfac::stored or split keeps the form's "
                "factors, not the mesh: write A.update(nodes, form), or A.form() to change what apply() alone reads");
  check_members(to);
  static_cast<void>(look_at_coefficients<Policy>(to, backend, {mesh.elements, points_1d, host_of(backend)}, mesh.first,
                                                 readers_of<Policy, Backend>));
  form = to;
}

// The coefficients of an operator's form, for the host to read: those that kernels read are on the device.
template <class Policy, class Form, class Backend, class Mapping>
form_reads<Backend> reads_for_host(Form const& form, Backend const& backend, mesh_facts<Mapping> const& mesh,
                                   int points_1d)
{
  coefficient_demands const demands{mesh.elements, points_1d, host_of(backend)};
  constexpr coefficient_readers by_host{.host = true, .device = false};
  if constexpr (is_device<Backend> && !std::is_same_v<Policy, stored>)
    return look_at_coefficients<Policy>(form, backend, demands, mesh.first, by_host);
  else
    return {backend, demands, by_host};
}

}  // namespace sumfac::detail
