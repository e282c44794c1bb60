// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// deal.II's cells that hang on larger ones: which sides and edges they interpolate from the large cells' nodes.
#pragma once

#include <sumfac/dofs/restriction/half_sweep.hpp>
#include <sumfac/dofs/restriction/hanging_nodes.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <deal.II/dofs/dof_handler.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// A process' cells and, behind them, the cells of others next to them, whose nodes that are not here get numbers of
// their own; and the sides of these that hang. Of a 2:1 mesh all that a cell of this process reads is in one of them.
template <int dim, int spacedim>
class cells_that_hang {
  using dof_handler = ::dealii::DoFHandler<dim, spacedim>;
  using cell_key = std::pair<int, int>;  // level and index
  using unknown = ::dealii::types::global_dof_index;
  static constexpr int corners = 1 << (dim - 1);

public:
  // table (E, n^D) of nodes here, of which there are so many; node_of(cell's unknowns, p): the node at place p, or what
  // tells it from others, from `nodes` on.
  template <class Cells, class Node>
  cells_that_hang(dof_handler const& dofs, Cells const& cells, std::vector<unsigned> const& table, int n, index_t nodes,
                  Node const& node_of)
      : n_(n), nodes_(nodes), own_(static_cast<index_t>(cells.size()))
  {
    for (unsigned const node : table) table_.push_back(node);
    for (auto const& cell : cells) number_[key_of(cell)] = count_++;
    std::vector<unknown> of_cell(dofs.get_fe().n_dofs_per_cell());
    std::map<index_t, number> elsewhere;
    for (auto const& cell : dofs.active_cell_iterators()) {
      if (!cell->is_ghost()) continue;
      number_[key_of(cell)] = count_++;
      cell->get_dof_indices(of_cell);
      for (index_t p = 0; p < box().all(); ++p) {
        index_t const node = node_of(of_cell, p);
        auto const next = static_cast<number>(nodes + static_cast<index_t>(elsewhere.size()));
        table_.push_back(node < nodes ? static_cast<number>(node) : elsewhere.try_emplace(node, next).first->second);
      }
    }
    all_nodes_ = nodes + static_cast<index_t>(elsewhere.size());
    std::map<std::pair<cell_key, unsigned>, std::vector<element_side>> sides;
    for (auto const& cell : dofs.active_cell_iterators())
      if (auto const at = number_.find(key_of(cell)); at != number_.end())
        for (unsigned const side : cell->face_indices())
          if (!cell->at_boundary(side) && cell->neighbor_is_coarser(side))
            sides[{key_of(cell->neighbor(side)), cell->neighbor_of_coarser_neighbor(side).first}].push_back(
                {at->second, static_cast<int>(side)});
    for (auto const& [coarse, fine] : sides) add(coarse, fine);
  }

  // Those of this process' cells that read nodes here alone.
  element_masks find() const
  {
    long double line[max_mesh_nodes_1d] = {};
    gauss_lobatto_nodes{}(n_, line);
    own_vector<long double> places;
    for (int i = 0; i < n_; ++i) places.push_back(line[i]);
    auto const table = element_view<dim>(table_.data(), count_, index_t{n_});
    auto const all = mask_finder<dim, std::remove_const_t<decltype(table)>>(table, places, all_nodes_).find(hanging_);
    return all.with_numbers(
        own_,
        [&](index_t e) {
          bool here = all.read(e) != nullptr;
          for (index_t p = 0; here && p < box().all(); ++p) here = static_cast<index_t>(all.read(e)[p]) < nodes_;
          return here ? e : -1;
        },
        [&](index_t e) { return table_.data() + e * box().all(); }, [](index_t node) { return node; });
  }

private:
  using number = std::uint32_t;

  template <class Cell>
  static cell_key key_of(Cell const& cell)
  {
    return {cell->level(), cell->index()};
  }
  node_box box() const { return {n_, dim}; }
  number corner(element_side const& side, int q) const
  {
    side_place const p = place_on_side(dim, side.side, n_, (q >> 1) * (n_ - 1), (q & 1) * (n_ - 1));
    return table_[static_cast<std::size_t>(side.element * box().all() + (p.k * n_ + p.j) * n_ + p.i)];
  }
  // Where all small sides are known, each at the corner that it has of the large one.
  void add(std::pair<cell_key, unsigned> const& coarse, std::vector<element_side> const& fine)
  {
    auto const at = number_.find(coarse.first);
    if (at == number_.end() || static_cast<int>(fine.size()) != corners) return;
    hanging_side made{{at->second, static_cast<int>(coarse.second)}, {}};
    int found = 0;
    for (int q = 0; q < corners; ++q)
      for (element_side const& side : fine)
        for (int own = 0; own < corners; ++own)
          if (corner(side, own) == corner(made.coarse, q)) made.fine[q] = side, ++found;
    if (found == corners) hanging_.push_back(made);
  }

  int n_;
  index_t nodes_, own_, count_ = 0, all_nodes_ = 0;
  std::vector<number> table_;  // (all cells, n^D)
  std::map<cell_key, index_t> number_;
  std::vector<hanging_side> hanging_;
};

// Those masks of cells by which they read what their nodes have by equations: value(node, component) is what a node has
// then, of any function. Equations of other origin, and hanging nodes without any, are so told apart.
template <class Value>
element_masks masks_that_agree(element_masks const& masks, node_box const& box, int directions, index_t elements,
                               int components, std::vector<unsigned> const& table, Value const& value)
{
  if (masks.size() == 0) return {};
  using one = pack<double, 1>;
  half_sweep<0, double, 1> const sweep(masks.half(), box.x);
  own_vector<one> u(static_cast<std::size_t>(box.all()));
  own_vector<half_lines> lines;
  auto const own = [&](index_t e) { return table.data() + e * box.all(); };
  auto const agrees = [&](index_t e) {
    auto const* const read = masks.read(e);
    bool same = read != nullptr;
    auto const mask = masks.mask(e);
    lines.clear();
    if (same) add_half_lines(box, directions, &mask, 1, lines);
    for (int c = 0; same && c < components; ++c) {
      for (index_t p = 0; p < box.all(); ++p) u[static_cast<std::size_t>(p)] = one(value(read[p], c));
      for (half_lines const& line : lines) sweep.apply(line, u.data(), 1, static_cast<int>(box.all()));
      for (index_t p = 0; same && p < box.all(); ++p)
        same = __builtin_fabs(u[static_cast<std::size_t>(p)][0] - value(own(e)[p], c)) < 1e-10;
    }
    return same;
  };
  return masks.with_numbers(
      elements, [&](index_t e) { return agrees(e) ? e : -1; }, own, [](index_t node) { return node; });
}

}  // namespace sumfac::detail
