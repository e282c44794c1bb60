// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers for the nodes of a mesh under which restrictions, and solvers on them, move the least memory on the host.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/restriction/lane_tables.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/dofs/restriction/slot_map.hpp>
#include <sumfac/dofs/restriction/storage.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

namespace detail {
template <int Width>
std::vector<index_t> order_nodes(host const& threads, node_table const& table, restriction_options const& options);
}  // namespace detail

// For each node the number that it should have in a vector of Scalar: nodes as elements meet them, those of each of the
// host's blocks of elements side by side, its constrained ones last, behind all blocks what several of them have, and
// last the nodes that no element has.
//
// Arguments are those of a restriction made for it. The order of elements is taken as it is: order them along a
// space-filling curve first. To be applied once, to the table and to the marks. The same for any number of threads.
// **Shapes** table (E, n, n, n); marks (nodes) or (nodes, C).
// **Errors** those of a restriction.
template <class Scalar = double, class Table>
std::vector<index_t> node_order(Table const& table, index_t nodes, restriction_options const& options = {})
{
  host const threads;
  auto const made = detail::make_node_table(threads, table, nodes, options);
  return detail::order_nodes<native_width<Scalar>>(threads, made, options);
}
template <class Scalar = double, class Table, class Marks>
  requires(!std::is_convertible_v<Marks const&, restriction_options const&>)
std::vector<index_t> node_order(Table const& table, index_t nodes, Marks const& marks,
                                restriction_options const& options = {})
{
  host const threads;
  auto const made = detail::make_node_table(threads, table, nodes, options, marks);
  return detail::order_nodes<native_width<Scalar>>(threads, made, options);
}

namespace detail {

// Numbers block by block, each by one thread; what several have, and what none has, behind.
template <int Width>
class node_numbering {
public:
  node_numbering(host const& threads, node_table const& table, restriction_options const& options)
      : table_(table),
        tables_(lane_tables<Width>::owners_of(threads, table, all_elements(table.elements()), options.blocks)),
        blocks_(static_cast<std::size_t>(tables_.blocks())),
        number_(static_cast<std::size_t>(table.nodes()), not_met)
  {
    auto const each_block = [&](auto const& f) {
      threads.balance(tables_.blocks(), [&](index_t first, index_t last) {
        for (index_t b = first; b < last; ++b) f(b, blocks_[static_cast<std::size_t>(b)]);
      });
    };
    each_block([this](index_t b, block& of) { meet(b, of); });
    index_t next = 0;
    for (block& of : blocks_) {
      of.first_number = next;
      next += static_cast<index_t>(of.free.size() + of.constrained.size());
    }
    each_block([this](index_t, block const& of) {
      index_t number = of.first_number;
      for (auto const* list : {&of.free, &of.constrained})
        for (auto const node : *list) number_[node] = number++;
    });
    number_shared(next);
    number_left(next);
  }

  std::vector<index_t>& numbers() { return number_; }

private:
  static constexpr index_t not_met = -1, met = -2;

  // Nodes in the order in which a block meets them.
  struct block {
    own_vector<node_table::number> free, constrained, shared;
    index_t first_number = 0;
  };

  void meet(index_t b, block& of)
  {
    slot_map seen;  // of the shared ones
    tables_.for_each_node(table_, b, [&](node_table::number node, index_t) {
      if (tables_.owners.is_shared(node)) {
        if (seen.insert(node, 0)) of.shared.push_back(node);
      } else if (number_[node] == not_met) {
        number_[node] = met;
        (constrained_components(table_, node) > 0 ? of.constrained : of.free).push_back(node);
      }
    });
  }

  void number_shared(index_t& next)
  {
    for (block const& of : blocks_)
      for (auto const node : of.shared)
        if (number_[node] == not_met) number_[node] = next++;
  }
  // Nodes of no element, those that are free first.
  void number_left(index_t& next)
  {
    for (bool const constrained : {false, true})
      for (index_t node = 0; next < table_.nodes() && node < table_.nodes(); ++node)
        if (index_t& number = number_[static_cast<std::size_t>(node)];
            number == not_met && (constrained_components(table_, node) > 0) == constrained)
          number = next++;
  }

  node_table const& table_;
  lane_tables<Width> tables_;
  own_vector<block> blocks_;
  std::vector<index_t> number_;
};

template <int Width>
std::vector<index_t> order_nodes(host const& threads, node_table const& table, restriction_options const& options)
{
  return std::move(node_numbering<Width>(threads, table, options).numbers());
}

}  // namespace detail

}  // namespace sumfac
