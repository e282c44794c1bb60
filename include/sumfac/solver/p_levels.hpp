// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The usual levels: the same form at lower degrees and on coarser meshes, with restrictions that follow the finest
// one's.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/detail/level_maker.hpp>
#include <sumfac/solver/detail/level_state.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/level.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// What p_levels asks of a halo besides: number(node), that of a node in the whole mesh, the same wherever it is; and
// subset(chosen), the halo of some nodes in their order, of marks (nodes) that are not 0 where one is chosen, on its
// owner, too.
template <class Halo>
concept halo_with_subsets = requires(Halo const& halo, index_t node, view<unsigned char const, dextents<1>> chosen) {
  { halo.number(node) < halo.number(node) } -> std::convertible_to<bool>;
  { halo.subset(chosen) } -> std::same_as<Halo>;
};

namespace detail {

// Mesh nodes that know those of the mesh which they were refined from, as a sumfac::mesh.
template <class Nodes>
concept remembers_coarser = requires(Nodes const& nodes) { nodes.coarser()->first_parts(); };

template <int First, int...>
inline constexpr int first_of = First;

// How many degrees are that of the level before, which stands for a coarser mesh.
template <int... Orders>
constexpr int degrees_again()
{
  int const orders[] = {Orders...};
  int again = 0;
  for (int i = 1; i < static_cast<int>(sizeof...(Orders)); ++i)
    if (orders[i] == orders[i - 1]) ++again;
  return again;
}
template <int... Orders>
constexpr bool degrees_fall()
{
  int const orders[] = {Orders...};
  for (int i = 1; i < static_cast<int>(sizeof...(Orders)); ++i)
    if (orders[i] > orders[i - 1]) return false;
  return orders[sizeof...(Orders) - 1] >= 1;
}

// `Knows`: whether coarser meshes can be known.
template <class Operator, bool Knows, int... Orders>
constexpr bool levels_fit()
{
  constexpr bool begins = Operator::order == first_of<Orders...>, falls = degrees_fall<Orders...>(),
                 has_meshes = Knows || degrees_again<Orders...>() == 0;
  static_assert(Operator::has_one_space,
                "sumfac::p_levels: the operator is between two spaces: take one whose trial and test functions are the "
                "same");
  static_assert(begins, "sumfac::p_levels: the first degree must be that of the operator");
  static_assert(falls, "sumfac::p_levels: the degrees must fall, as in p_levels<7, 4, 2, 1>, to 1 at the least");
  static_assert(has_meshes,
                "sumfac::p_levels: a degree that is named twice is that degree on the mesh and on the one that it was "
                "refined from: pass a sumfac::mesh, as refined() makes it; sums with a mesh for each part have none");
  constexpr bool is_own = is_own_node_set<typename Operator::nodes_type>;
  constexpr bool placed = !is_own && Operator::placement != node_placement::gauss &&
                          space_of<Operator::options::space>.shape != cell_shape::tables;
  static_assert(placed,
                "sumfac::p_levels: the operator's functions are on nodes of your own or at Gauss points, or given "
                "as tables, which have none of lower degrees: take gauss_lobatto or equispaced");
  return begins && falls && has_meshes && placed && Operator::has_one_space;
}

// Levels of the degrees that follow `made`, of which the last is of degree Before on the maker's mesh: each there, or
// where it is Before once more on the mesh that this one was cut from.
template <int Before, class Maker, class Nodes, class... Made>
auto levels_behind(std::integer_sequence<int>, Maker const& maker, Nodes const&, Made&&... made)
{
  levels all{std::move(made)...};
  if constexpr (remembers_coarser<Nodes>) {
    auto of_meshes = maker.make_meshes(plain_level(all.coarsest()));
    return mesh_levels(std::move(all), std::move(of_meshes));
  } else {
    return all;
  }
}
template <int Before, int Order, int... Rest, class Maker, class Nodes, class... Made>
auto levels_behind(std::integer_sequence<int, Order, Rest...>, Maker const& maker, Nodes const& nodes, Made&&... made)
{
  constexpr std::integer_sequence<int, Rest...> rest;
  if constexpr (Order == Before) {
    auto next = maker.on_coarser_mesh(plain_level(std::get<sizeof...(made) - 1>(std::tie(made...))), nodes);
    auto const coarser = maker.of_coarser_mesh(next);
    return levels_behind<Order>(rest, coarser, *nodes.coarser(), std::move(made)..., std::move(next));
  } else {
    return levels_behind<Order>(rest, maker, nodes, std::move(made)..., maker.template make<Order>());
  }
}

// `finer` levels stand in front of them. They are in the operator's own numbers where Numbers is void.
template <class Numbers, int First, int... Orders, class Operator, class Restriction, class Halo, class Nodes,
          class NodeSet, class... Finer>
auto make_levels(global_operator<Operator, Restriction, Halo> const& a, Nodes const& nodes, NodeSet const& set,
                 double tolerance, std::type_identity_t<level_source<Operator>> const& of = {}, Finer&&... finer)
{
  constexpr bool fits = levels_fit<Operator, remembers_coarser<Nodes>, First, Orders...>(),
                 divides = is_whole<Halo> || halo_with_subsets<Halo>;
  static_assert(divides, "sumfac::p_levels: the halo has no number(node) and subset(chosen), as sumfac::mpi::halo has");
  constexpr bool in_parts = !is_whole<Halo> || !knows_whole_space<Nodes>;
  static_assert(
      in_parts,
      "sumfac::p_levels: a part of a space is for the global_operator with its halo: p_levels<2, 1>(L, part)");
  constexpr bool same_halo = !in_parts || makes_halos_of<Nodes, Halo>();
  static_assert(
      same_halo,
      "sumfac::p_levels: the matrix is of a halo of another type than the part of the space: take the part's, "
      "sumfac::global_operator{A, R, part.halo()}");
  if constexpr (fits && divides && in_parts && same_halo) {
    using numbers = std::conditional_t<std::is_void_v<Numbers>, typename Operator::precision_type, Numbers>;
    using matrix = global_operator<Operator, Restriction, Halo>;
    level_maker<numbers, matrix, Nodes, NodeSet> const maker(a, nodes, set, tolerance, of);
    if constexpr (remembers_coarser<Nodes>) maker.check_meshes(degrees_again<First, Orders...>());
    return levels_behind<First>(std::integer_sequence<int, Orders...>(), maker, nodes, std::forward<Finer>(finer)...,
                                maker.template make<First>());
  }
}

// The same of an operator and a restriction.
template <class Numbers, int... Orders, class Operator, class Nodes, class Restriction, class NodeSet, class... Finer>
auto make_levels(Operator const& a, Nodes const& nodes, Restriction const& r, NodeSet const& set, double tolerance,
                 std::type_identity_t<level_source<Operator>> const& of = {}, Finer&&... finer)
{
  check_restriction("p_levels", a, r);
  return make_levels<Numbers, Orders...>(global_operator{a, r}, nodes, set, tolerance, of,
                                         std::forward<Finer>(finer)...);
}

// The same, lower degrees being of another operator, which may live as long as they do.
template <int... Orders, class Operator, class Nodes, class Restriction, class NodeSet>
auto make_levels_of_two(Operator const& a, Operator const& lower, bool lives, Nodes const& nodes, Restriction const& r,
                        NodeSet const& set, double tolerance)
{
  static_assert(
      sizeof...(Orders) > 1,
      "sumfac::p_levels: no lower degree is made of the second operator: name one, as in p_levels<2, 1>(A, B, "
      "mesh, R)");
  check_restriction("p_levels", lower, r);
  return make_levels<void, Orders...>(a, nodes, r, set, tolerance, {false, &lower, lives});
}

// The same of a form that reads functions, which are carried down.
template <class Numbers, int... Orders, class Matrix, class Nodes, class... Fields>
auto make_levels_with_state(Matrix const& a, Nodes const& nodes, Fields const&... fields)
{
  using operator_type = element_operator_of<Matrix>;
  using inputs = inputs_of<typename operator_type::form_type>;
  constexpr int orders[] = {Orders...};
  if constexpr (reads_on_levels<inputs, int{sizeof...(Fields)}, orders[sizeof...(Orders) - 1]>)
    return make_levels_that_read(inputs{},
                                 make_levels<Numbers, Orders...>(a, nodes, unsaid_nodes{}, geometry_tolerance,
                                                                 level_source<operator_type>(true)),
                                 nodes, a.restriction(), fields...);
}
template <class Numbers, int... Orders, class Operator, class Nodes, class Restriction, class... Fields>
auto make_whole_levels_with_state(Operator const& a, Nodes const& nodes, Restriction const& r, Fields const&... fields)
{
  check_restriction("p_levels", a, r);
  return make_levels_with_state<Numbers, Orders...>(global_operator{a, r}, nodes, fields...);
}

}  // namespace detail

// Levels of degrees Orders, of which the first is A's: A and R themselves, and of lower degrees operators of the same
// form, policy and precision on the same elements and mesh nodes, by fewer points, with restrictions whose node numbers
// and constrained entries follow R's. Refers to A and R, which must live as long. Of a sumfac::mesh the last degree
// goes on over the meshes that it was cut from; where one of them hangs, levels have the equations of its hanging
// nodes. A degree that is named again is on the next coarser mesh, and so are those behind it: p_levels<4, 4, 2, 1> has
// degree 4 on the mesh and on the one that this was cut from, there 2 and 1, and 1 on the meshes that are left.
//
// Arguments are those that A and R were made of: node_set and tolerance are those of A's constructor.
// Reads the coefficients by element of A's form again, also with geometry `stored`: their views must still be there.
// **Errors** (compile time) degrees that rise, a first degree that is not A's; (run time) those of operators; a form
// with coefficients by point, or that reads other functions, as a tangent does, where operators are made of it;
// equations of R that are not those of the mesh's hanging nodes; more degrees named again than there are coarser
// meshes.
template <int... Orders, class Operator, class Nodes, class NodeSet = unsaid_nodes>
auto p_levels(Operator const& a, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              NodeSet const& node_set = {}, double tolerance = geometry_tolerance)
{
  return detail::make_levels<void, Orders...>(a, nodes, r, node_set, tolerance);
}

// Levels of A, those of lower degrees and coarser meshes made of B, an operator of A's type on the same elements: as
// one of convection with more diffusion along the wind, without which lower degrees are no discretization of it.
// multigrid's update() gives them the parameters that B's weak form has then: it refers to B, too, where that has any,
// but to no temporary, whose parameters they keep.
template <int... Orders, class Operator, class Nodes, class NodeSet = unsaid_nodes>
auto p_levels(Operator const& a, std::type_identity_t<Operator> const& b, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              NodeSet const& node_set = {}, double tolerance = geometry_tolerance)
{
  return detail::make_levels_of_two<Orders...>(a, b, true, nodes, r, node_set, tolerance);
}
template <int... Orders, class Operator, class Nodes, class NodeSet = unsaid_nodes>
auto p_levels(Operator const& a, std::type_identity_t<Operator> const&& b, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              NodeSet const& node_set = {}, double tolerance = geometry_tolerance)
{
  return detail::make_levels_of_two<Orders...>(a, b, false, nodes, r, node_set, tolerance);
}

// The same in numbers of their own, as in p_levels<float, 7, 4, 2, 1>(A, nodes, R): the finest level is another
// operator then, and refers to A and R no longer than this call.
template <class Numbers, int... Orders, class Operator, class Nodes, class NodeSet = unsaid_nodes>
auto p_levels(Operator const& a, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              NodeSet const& node_set = {}, double tolerance = geometry_tolerance)
{
  return detail::make_levels<Numbers, Orders...>(a, nodes, r, node_set, tolerance);
}

// The same where A's form reads other functions, as a tangent its state and then its form's own: field(R, u), field(S,
// t), as A.linearize() has been given them, each through any restriction of these elements. They are interpolated from
// level to level, each of which keeps them at its points; multigrid's update(...) takes others.
// **Errors** (compile time) another number of fields than the form reads, or one of a degree of its own above the last
// level's; (run time) restrictions of other elements, nodes or components, and those of linearize().
template <int... Orders, class Operator, class Nodes, class Read, class Vector, class... More>
auto p_levels(Operator const& a, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              detail::global_field<Read, Vector> const& state, More const&... more)
{
  return detail::make_whole_levels_with_state<void, Orders...>(a, nodes, r, state, more...);
}
template <class Numbers, int... Orders, class Operator, class Nodes, class Read, class Vector, class... More>
auto p_levels(Operator const& a, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              detail::global_field<Read, Vector> const& state, More const&... more)
{
  return detail::make_whole_levels_with_state<Numbers, Orders...>(a, nodes, r, state, more...);
}

// Levels of degrees Orders of a global_operator, in parts where it is, of which the first is the matrix A itself, and
// lower degrees are of the same form, policy and precision: p_levels<7, 4, 2, 1>(A, nodes). Node numbers, constrained
// entries, owners and halos follow A's. All processes call it at once. Refers to A and to what A refers to, which must
// live as long.
//
// Arguments are those that A's operator was made of, on this process; in place of mesh nodes the
// sumfac::mpi::space_part that A is of, where the mesh hangs: lower degrees have the equations of its hanging nodes.
// **Errors** (compile time) degrees that do not fall, a first degree that is not A's, a halo that cannot be coarsened;
// (run time) those of operators.
template <int... Orders, class Operator, class Restriction, class Halo, class Nodes, class NodeSet = unsaid_nodes>
auto p_levels(global_operator<Operator, Restriction, Halo> const& a, Nodes const& nodes, NodeSet const& node_set = {},
              double tolerance = geometry_tolerance)
{
  return detail::make_levels<void, Orders...>(a, nodes, node_set, tolerance);
}

// The same in numbers of their own, as in p_levels<float, 7, 4, 2, 1>(A, nodes): the finest level is another operator
// then, and refers to A's halo alone.
template <class Numbers, int... Orders, class Operator, class Restriction, class Halo, class Nodes,
          class NodeSet = unsaid_nodes>
auto p_levels(global_operator<Operator, Restriction, Halo> const& a, Nodes const& nodes, NodeSet const& node_set = {},
              double tolerance = geometry_tolerance)
{
  return detail::make_levels<Numbers, Orders...>(a, nodes, node_set, tolerance);
}

// The same where A's form reads other functions, as above: p_levels<4, 2, 1>(L, nodes, field(R, u)). In parts their
// vectors have the entries of ghosts behind those of owned nodes, as L.with_ghosts(x, u) writes them, and are carried
// down within each process.
template <int... Orders, class Operator, class Restriction, class Halo, class Nodes, class Read, class Vector,
          class... More>
auto p_levels(global_operator<Operator, Restriction, Halo> const& a, Nodes const& nodes,
              detail::global_field<Read, Vector> const& state, More const&... more)
{
  return detail::make_levels_with_state<void, Orders...>(a, nodes, state, more...);
}
template <class Numbers, int... Orders, class Operator, class Restriction, class Halo, class Nodes, class Read,
          class Vector, class... More>
auto p_levels(global_operator<Operator, Restriction, Halo> const& a, Nodes const& nodes,
              detail::global_field<Read, Vector> const& state, More const&... more)
{
  return detail::make_levels_with_state<Numbers, Orders...>(a, nodes, state, more...);
}

// Spaces in place of degrees are refused with a diagnostic.
template <auto... Spaces, class Operator, class Nodes, class Restriction>
  requires(sizeof...(Spaces) > 0 && (std::same_as<std::remove_cvref_t<decltype(Spaces)>, space> && ...))
void p_levels(Operator const&, Nodes const&, Restriction const&)
{
  static_assert(sizeof...(Spaces) == 0,
                "sumfac::p_levels: degrees are enough, as in p_levels<4, 2, 1>(A, nodes, R): the elements are the "
                "operator's");
}

}  // namespace sumfac
