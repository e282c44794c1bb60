// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of levels of multigrid and the equations of those that hang, found by their meshes.
#pragma once

#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/dofs/restriction/hanging_nodes.hpp>
#include <sumfac/solver/detail/coarse_nodes.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// Mesh nodes that know where they hang, as a sumfac::mesh.
template <class Nodes>
concept knows_hanging = requires(Nodes const& nodes) {
  nodes.hanging().empty();
  requires Nodes::directions > 1;
};

// The equations of a mesh's hanging nodes, of functions of a space.
template <auto Space, class Mesh>
hanging_nodes hanging_of(Mesh const& mesh, node_table::number const* numbers, index_t nodes)
{
  using set = nodes_of_space<Space>;
  auto const table = element_view<Mesh::directions>(numbers, mesh.elements(), set::size);
  own_vector<long double> places;
  for (long double const x : set::nodes) places.push_back(x);
  return hanging_nodes::of<Mesh::directions>(mesh.hanging(), nodes, places, table);
}

// Whether a restriction's equations are those of the mesh's hanging nodes, which other levels have, too.
template <auto Space, class Nodes, class Restriction>
void check_rows_of([[maybe_unused]] Nodes const& nodes, Restriction const& r)
{
  if constexpr (knows_hanging<Nodes>) {
    check_equal("p_levels", "number of elements of the mesh", r.elements(), nodes.elements());
    auto const& table = r.table();
    index_t const node =
        hanging_of<Space>(nodes, table.element(0), r.nodes()).differs_from(table.rows(), r.components());
    if (node < 0) return;
    failf("p_levels",
          "the restriction has other constraints than those of the mesh's hanging nodes (of node %lld; %lld rows): "
          "make the levels one by one, sumfac::levels{sumfac::level{A, R}, ...}, each with its constraints",
          static_cast<long long>(node), static_cast<long long>(table.rows().all().size()));
  } else {
    r.refuse_rows("p_levels",
                  "pass the mesh where they are those of its hanging nodes; else make the levels one by "
                  "one, sumfac::levels{sumfac::level{A, R}, ...}, each with its constraints");
  }
}

// A node's number in the whole mesh, by which processes agree on keys, and the flags of owned nodes (nodes, each) that
// any process has made true.
template <class Halo>
auto numbers_in_mesh([[maybe_unused]] Halo const& halo)
{
  if constexpr (is_whole<Halo>)
    return [](node_table::number node) { return node; };
  else
    return [&halo](node_table::number node) { return halo.number(node); };
}
template <class Halo>
void agree_on_flags(Halo const& halo, int each, coarse_nodes::node_flags& flags)
{
  if constexpr (!is_whole<Halo>) {
    std::vector<double> sums(flags.begin(), flags.end());
    add_up_at_nodes(halo, each, sums.data());
    auto const own = static_cast<std::size_t>(halo.owned() * each);
    for (std::size_t i = 0; i < own; ++i) flags[i] = sums[i] > 0 ? 1 : 0;
  }
}

// The nodes of a lower degree.
template <class Halo>
coarse_nodes nodes_of_degree(host const& threads, node_table const& table, Halo const& halo, coarse_sets const& sets)
{
  return {threads, table, sets, numbers_in_mesh(halo),
          [&](coarse_nodes::node_flags& flags) { agree_on_flags(halo, 1 + table.components(), flags); }};
}
// The nodes of the mesh that another one was cut from: where one of them hangs, elements share other nodes in each.
template <class Mesh, class Halo>
coarse_nodes nodes_of_mesh(host const& threads, [[maybe_unused]] Mesh const& fine, [[maybe_unused]] Mesh const& mesh,
                           node_table const& table, Halo const& halo, int nodes_1d)
{
  coarse_sets const sets(table.directions(), table.nodes_1d(), nodes_1d);
  if constexpr (knows_hanging<Mesh> && is_whole<Halo>)
    if (!fine.hanging().empty() || !mesh.hanging().empty()) {
      own_vector<std::int32_t> numbers;
      index_t const nodes = mesh.number_nodes(nodes_1d - 1, numbers);
      return {table, sets, numbers, nodes};
    }
  return nodes_of_degree(threads, table, halo, sets);
}

// The equations of a coarser level, and marks of what these make of its marks.
template <auto Space, class Mesh>
constraints rows_of_level([[maybe_unused]] Mesh const& mesh, [[maybe_unused]] coarse_nodes& coarse,
                          [[maybe_unused]] int components)
{
  if constexpr (knows_hanging<Mesh>)
    if (!mesh.hanging().empty()) {
      auto const hanging = hanging_of<Space>(mesh, coarse.numbers.data(), coarse.nodes);
      if (!coarse.marks.empty()) hanging.fix_terms(coarse.marks, components);
      return hanging.rows();
    }
  return {};
}

}  // namespace sumfac::detail
