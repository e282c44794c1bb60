// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers for the nodes of a mesh under which restrictions, and solvers on them, move the least memory on the host.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/geometry/restriction/lane_tables.hpp>
#include <sumfac/geometry/restriction/node_table.hpp>
#include <sumfac/geometry/restriction/options.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET {

namespace detail {
template <int Width>
own_vector<index_t> order_nodes(node_table const& table, restriction_options const& options);
}  // namespace detail

// For each node the number that it should have in a vector of Scalar: nodes as elements meet them, those of each of the
// host's blocks of elements side by side, its constrained ones last, behind all blocks what several of them have, and
// last the nodes that no element has.
//
// Arguments are those of a restriction made for it. The order of elements is taken as it is: order them along a
// space-filling curve first. To be applied once, to the table and to the marks.
// **Shapes** table (E, n, n, n); marks (nodes) or (nodes, C).
// **Errors** those of a restriction.
template <class Scalar = double, class Table>
std::vector<index_t> node_order(Table const& table, index_t nodes, restriction_options const& options = {})
{
  auto const made = detail::make_node_table(host{}, table, nodes, options);
  auto const number = detail::order_nodes<native_width<Scalar>>(made, options);
  return {number.begin(), number.end()};
}
template <class Scalar = double, class Table, class Marks>
  requires(!std::is_convertible_v<Marks const&, restriction_options const&>)
std::vector<index_t> node_order(Table const& table, index_t nodes, Marks const& marks,
                                restriction_options const& options = {})
{
  auto const made = detail::make_node_table(host{}, table, nodes, options, marks);
  auto const number = detail::order_nodes<native_width<Scalar>>(made, options);
  return {number.begin(), number.end()};
}

namespace detail {

// Nodes in the order in which elements meet them, and then those that none has.
inline own_vector<index_t> nodes_as_met(node_table const& table)
{
  own_vector<index_t> met;
  met.reserve(static_cast<std::size_t>(table.nodes()));
  own_vector<bool> seen(static_cast<std::size_t>(table.nodes()));
  for (index_t e = 0; e < table.elements(); ++e)
    for (index_t p = 0; p < table.nodes_of_element(); ++p)
      if (auto const node = table(e, p); !seen[node]) {
        seen[node] = true;
        met.push_back(node);
      }
  for (index_t node = 0; node < table.nodes(); ++node)
    if (!seen[static_cast<std::size_t>(node)]) met.push_back(node);
  return met;
}

template <int Width>
own_vector<index_t> order_nodes(node_table const& table, restriction_options const& options)
{
  own_vector<index_t> all(static_cast<std::size_t>(table.elements()));
  for (std::size_t e = 0; e < all.size(); ++e) all[e] = static_cast<index_t>(e);
  auto const owner = lane_tables<Width>::owners_of(table, all, options.blocks);
  auto const place = [&](index_t node) {
    index_t const block = owner[static_cast<std::size_t>(node)];
    index_t const constrained = table.constrained_components(node) > 0 ? 1 : 0;
    index_t const behind = 2 * table.elements();  // there are no more blocks than elements
    if (block == no_owner) return behind + 1 + constrained;
    return block == several_owners ? behind : 2 * block + constrained;
  };
  own_vector<index_t> const met = nodes_as_met(table);
  own_vector<index_t> next(static_cast<std::size_t>(2 * table.elements() + 4), 0);  // number at a place
  for (index_t const node : met) ++next[static_cast<std::size_t>(place(node) + 1)];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  own_vector<index_t> number(met.size());
  for (index_t const node : met)
    number[static_cast<std::size_t>(node)] = next[static_cast<std::size_t>(place(node))]++;
  return number;
}

}  // namespace detail

}  // namespace sumfac
