// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a restriction of the host moves besides the entries of x and y: cache lines in part and again, copies, tables.
#pragma once

#include <sumfac/dofs/restriction.hpp>

#include <cstddef>
#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// Cache lines of a global vector that the steps of a restriction have, step by step; and as few as would hold the same
// entries. A step is so many groups of elements that what it reads and adds to stays in a core's own cache.
struct line_count {
  index_t lines = 0, least = 0, steps = 0;

  // Of x and y, of lines of which a step wants a part.
  index_t wasted_bytes() const { return 2 * 64 * (lines - least); }
  double of_least() const { return least > 0 ? static_cast<double>(lines) / static_cast<double>(least) : 1; }
};

// Under the nodes' own numbers, or those of an order: order[node] for a node.
template <class Scalar, class Order>
line_count count_lines(restriction<Scalar, host> const& r, Order const& order)
{
  constexpr index_t of_line = 64 / index_t{sizeof(Scalar)};
  auto const& tables = r.storage().tables();
  bool const fastest = r.options().components_lie == interleaving::fastest;
  index_t const arrays = fastest ? 1 : r.components(), entries = fastest ? r.components() : 1;
  index_t const lines = (r.nodes() * entries + of_line - 1) / of_line;
  own_vector<std::uint32_t> met(static_cast<std::size_t>(r.nodes()), 0), line_met(static_cast<std::size_t>(lines), 0);
  line_count count;
  for (index_t block = 0; block < tables.blocks(); ++block) {
    index_t nodes = 0, step_now = -1;
    auto const end_step = [&] { count.least += (nodes * entries + of_line - 1) / of_line, nodes = 0; };
    tables.for_each_node(r.table(), block, [&](node_table::number node, index_t step) {
      if (step != step_now) end_step();
      step_now = step;
      auto const stamp = static_cast<std::uint32_t>(step + 1);
      if (met[node] == stamp) return;
      met[node] = stamp, ++nodes;
      index_t const first = order(node) * entries / of_line, last = ((order(node) + 1) * entries - 1) / of_line;
      for (index_t line = first; line <= last; ++line)
        if (auto& at = line_met[static_cast<std::size_t>(line)]; at != stamp) at = stamp, ++count.lines;
    });
    end_step();
  }
  count.lines *= arrays, count.least *= arrays, count.steps = tables.steps();
  return count;
}

template <class Scalar>
line_count count_lines(restriction<Scalar, host> const& r)
{
  return count_lines(r, [](node_table::number node) { return index_t{node}; });
}

// Bytes of a restriction's table, and of what it would be where the nodes of rows follow one another.
template <class Scalar>
index_t table_bytes(restriction<Scalar, host> const& r)
{
  return r.storage().tables().entries.size() * index_t{sizeof(node_table::number)};
}
template <class Scalar>
index_t table_bytes_by_rows(restriction<Scalar, host> const& r)
{
  using tables = typename restriction_storage<Scalar, host>::tables_type;
  index_t const rows = r.table().box().rows(), groups = static_cast<index_t>(r.storage().tables().groups.size());
  return groups * tables::width * rows * tables::parts(r.nodes_1d()) * index_t{sizeof(node_table::number)};
}

// Bytes of what blocks copy of nodes that they share: x is written and read, y cleared, added to and read.
template <class Scalar>
index_t copy_bytes(restriction<Scalar, host> const& r)
{
  auto const& tables = r.storage().tables();
  index_t const copies = static_cast<index_t>(tables.shared_slots.size());
  return copies * r.components() * index_t{sizeof(Scalar)} * 4;
}

// Places of a table whose node has others.
inline index_t count_shared_places(node_table const& table)
{
  own_vector<std::uint32_t> places(static_cast<std::size_t>(table.nodes()), 0);
  for (index_t e = 0; e < table.elements(); ++e)
    for (index_t p = 0; p < table.nodes_of_element(); ++p) ++places[table(e, p)];
  index_t shared = 0;
  for (auto const count : places) shared += count > 1 ? index_t{count} : 0;
  return shared;
}

}  // namespace sumfac::detail
