// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The cells of a deal.II DoFHandler that a process has: the table of their unknowns, marks, and their mesh nodes.
#pragma once

#include <sumfac/dofs/node_order.hpp>
#include <sumfac/interop/detail/dealii_masks.hpp>
#include <sumfac/interop/detail/dealii_parts.hpp>

#include <deal.II/base/quadrature.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_cartesian.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

inline constexpr char const* cells_place = "dealii::cells";

// The n Gauss-Lobatto points of the unit cell along each direction, x fastest.
template <int dim>
std::vector<::dealii::Point<dim>> lobatto_points(int n)
{
  long double line[max_mesh_nodes_1d] = {};
  gauss_lobatto_nodes{}(n, line);
  std::vector<::dealii::Point<dim>> points;
  int const count = static_cast<int>(std::lround(std::pow(n, dim)));
  for (int i = 0; i < count; ++i) {
    ::dealii::Point<dim> x;
    for (int d = 0, rest = i; d < dim; ++d, rest /= n) x[static_cast<unsigned>(d)] = double((line[rest % n] + 1) / 2);
    points.push_back(x);
  }
  return points;
}

// Cells, those without ghosts first, and the numbers of their nodes: this process' own, and its ghosts behind, with
// those that lines of constraints of the cells' unknowns need.
template <int dim, int spacedim>
class cell_numbers {
public:
  using dof_handler = ::dealii::DoFHandler<dim, spacedim>;
  using cell_iterator = typename ::dealii::Triangulation<dim, spacedim>::cell_iterator;
  using number = dealii_parts::number;

  template <class Number = double>
  cell_numbers(dof_handler const& dofs, unsigned level, ::dealii::AffineConstraints<Number> const* lines = nullptr)
      : triangulation_(&dofs.get_triangulation()),
        level_(level),
        components_(check(dofs, level)),
        order_(order_of(dofs)),
        parts_(collect(dofs, lines))
  {
    fill_table();
    if constexpr (dim > 1)
      if (!on_level() && dofs.get_triangulation().has_hanging_nodes()) find_masks(dofs);
  }

  ::dealii::Triangulation<dim, spacedim> const& triangulation() const { return *triangulation_; }
  std::vector<cell_iterator> const& cells() const { return cells_; }
  std::vector<unsigned> const& table() const { return table_; }
  dealii_parts const& parts() const { return parts_; }
  index_t nodes() const { return parts_.nodes(); }
  index_t owned() const { return parts_.owned(); }
  int components() const { return components_; }
  int nodes_1d() const { return nodes_1d_; }

  template <class Number>
  std::vector<unsigned char> marks(::dealii::AffineConstraints<Number> const& constraints) const
  {
    std::vector<unsigned char> marks(static_cast<std::size_t>(nodes() * components_), 0);
    for (auto const& line : constraints.get_lines())
      if (index_t const entry = entry_of(line.index); entry >= 0 && line.entries.empty())
        marks[static_cast<std::size_t>(entry)] = 1;
    return marks;
  }

  template <class Number>
  constraints rows(::dealii::AffineConstraints<Number> const& lines) const
  {
    constraints made;
    std::vector<constraint_term> terms;
    first_problem text;
    for (auto const& line : lines.get_lines()) {
      index_t const entry = entry_of(line.index);
      if (entry < 0 || line.entries.empty()) continue;
      terms.clear();
      for (auto const& [unknown, weight] : line.entries) {
        index_t const other = entry_of(unknown);
        if (other < 0)
          text.say(
              "unknown %lld is constrained to one that is not among those of this process' cells (%lld, of %u "
              "processes): make the cells with these constraints, dealii::cells{mapping, numbers, constraints}",
              static_cast<long long>(line.index), static_cast<long long>(unknown), parts_.processes());
        else
          terms.push_back({other / components_, static_cast<double>(weight), static_cast<int>(other % components_)});
      }
      made.add_component(entry / components_, static_cast<int>(entry % components_), terms,
                         static_cast<double>(line.inhomogeneity));
    }
    parts_.agree(cells_place, text);
    auto const value = [&](index_t node, int c) { return value_by(lines, number_of(node * components_ + c)); };
    made.set_masks(masks_that_agree(masks_, {nodes_1d_, dim}, dim, static_cast<index_t>(cells_.size()), components_,
                                    table_, value));
    return made;
  }

  // For DoFHandler::renumber_dofs: new numbers of the unknowns that this process owns.
  template <class Number>
  std::vector<number> better_order(::dealii::AffineConstraints<Number> const& constraints) const
  {
    auto const constrained = marks(constraints);
    view<unsigned char const, dextents<2>> const of_nodes(constrained.data(), nodes(), components_);
    auto const all = node_order(element_view<dim>(table_.data(), static_cast<index_t>(cells_.size()), nodes_1d_),
                                nodes(), of_nodes, {.components = components_});
    std::vector<index_t> node(static_cast<std::size_t>(owned()));  // the owned ones in their new order
    for (std::size_t i = 0; i < node.size(); ++i) node[i] = static_cast<index_t>(i);
    std::sort(node.begin(), node.end(), [&](index_t a, index_t b) {
      return all[static_cast<std::size_t>(a)] < all[static_cast<std::size_t>(b)];
    });
    std::vector<number> order(node.size() * static_cast<std::size_t>(components_));
    for (std::size_t i = 0; i < node.size(); ++i)
      for (int c = 0; c < components_; ++c)
        order[static_cast<std::size_t>(node[i] * components_ + c)] =
            first_ + static_cast<number>(i) * static_cast<number>(components_) + static_cast<number>(c);
    return order;
  }

  // Whether these are of a level of the multigrid numbers.
  bool on_level() const { return level_ != ::dealii::numbers::invalid_unsigned_int; }

private:
  // What can be said before anything is made; the number of components.
  static int check(dof_handler const& dofs, unsigned level)
  {
    first_problem text;
    auto const& mesh = dofs.get_triangulation();
    bool const active = level == ::dealii::numbers::invalid_unsigned_int;
    if (active ? !dofs.has_active_dofs() : !dofs.has_level_dofs())
      text.say("the DoFHandler has no numbers (0 unknowns): call %s first",
               active ? "distribute_dofs" : "distribute_dofs and distribute_mg_dofs");
    else if (dofs.has_hp_capabilities() && dofs.get_fe_collection().size() != 1)
      text.say("cells have several elements (%u, 1 expected)", dofs.get_fe_collection().size());
    if (!text.found() && !active && level >= mesh.n_global_levels())
      text.say("there is no such level (got %u, 0 to %u expected)", level, mesh.n_global_levels() - 1);
    if (!text.found() && !mesh.all_reference_cells_are_hyper_cube())
      text.say("the mesh has cells that are no hexahedra, quadrilaterals or lines (%u kinds)",
               static_cast<unsigned>(mesh.get_reference_cells().size()));
    if (!text.found()) check_element(dofs.get_fe(), text);
    agree_on_cells(dofs.get_communicator(), cells_place, text);
    return static_cast<int>(dofs.get_fe().n_components());
  }

  static void check_element(::dealii::FiniteElement<dim, spacedim> const& element, first_problem& text)
  {
    auto const* const q = base_of(element);
    if (q == nullptr)
      return text.say("the element is no FE_Q, nor an FESystem of one (%s, %u base elements)",
                      element.get_name().substr(0, 80).c_str(), element.n_base_elements());
    int const n = static_cast<int>(q->degree) + 1;
    if (n > max_mesh_nodes_1d)
      return text.say("the degree is too large (got %d, 1 to %d expected)", n - 1, max_mesh_nodes_1d - 1);
    auto const points = lobatto_points<dim>(n);
    auto const& lexicographic = q->get_poly_space_numbering_inverse();
    double off = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      off = std::max(off, points[i].distance(q->get_unit_support_points()[lexicographic[i]]));
    if (off > 1e-10)
      text.say(
          "nodes of the FE_Q are no Gauss-Lobatto points (off by %.2g, at most 1e-10 expected): make it of its "
          "degree alone",
          off);
  }

  static ::dealii::FE_Q<dim, spacedim> const* base_of(::dealii::FiniteElement<dim, spacedim> const& element)
  {
    if (element.n_base_elements() != 1) return nullptr;
    return dynamic_cast<::dealii::FE_Q<dim, spacedim> const*>(&element.base_element(0));
  }

  // Where the unknowns of a cell's nodes, x fastest, and of their components are among the cell's.
  std::vector<unsigned> order_of(dof_handler const& dofs)
  {
    auto const& element = dofs.get_fe();
    auto const* const q = base_of(element);
    nodes_1d_ = static_cast<int>(q->degree) + 1;
    std::vector<unsigned> order;
    for (unsigned const i : q->get_poly_space_numbering_inverse())
      for (unsigned c = 0; c < element.n_components(); ++c) order.push_back(element.component_to_system_index(c, i));
    return order;
  }

  // The cells of this process and the numbers of their nodes' first unknowns, in those of the whole mesh; its ghosts.
  template <class Number>
  dealii_parts collect(dof_handler const& dofs, ::dealii::AffineConstraints<Number> const* lines)
  {
    first_problem text;
    auto const owned = on_level() ? dofs.locally_owned_mg_dofs(level_) : dofs.locally_owned_dofs();
    if (!owned.is_contiguous())
      text.say("unknowns of a process do not follow one another (%lld of them), as distributed vectors need",
               static_cast<long long>(owned.n_elements()));
    first_ = owned.n_elements() > 0 && !text.found() ? owned.nth_index_in_set(0) : 0;
    count_ = owned.n_elements();
    std::vector<cell_iterator> at_ghosts;
    std::vector<number> of_cell(order_.size()), interior, boundary;
    auto const add = [&](auto const& cell) {
      std::size_t const begin = interior.size();
      bool const inside = append_nodes(of_cell, interior, text),
                 reads_own = lines == nullptr || add_terms(of_cell, *lines),
                 large_is_own = lines == nullptr || add_large_sides(cell, *lines);
      if (inside && reads_own && large_is_own) return cells_.push_back(cell);
      at_ghosts.push_back(cell);
      boundary.insert(boundary.end(), interior.begin() + static_cast<std::ptrdiff_t>(begin), interior.end());
      interior.resize(begin);
    };
    if (on_level()) {
      if (level_ < dofs.get_triangulation().n_levels())
        for (auto const& cell : dofs.mg_cell_iterators_on_level(level_))
          if (cell->is_locally_owned_on_level()) cell->get_mg_dof_indices(of_cell), add(cell);
    } else {
      for (auto const& cell : dofs.active_cell_iterators())
        if (cell->is_locally_owned()) cell->get_dof_indices(of_cell), add(cell);
    }
    agree_on_cells(dofs.get_communicator(), cells_place, text);
    cells_.insert(cells_.end(), at_ghosts.begin(), at_ghosts.end());
    numbers_ = std::move(interior);
    numbers_.insert(numbers_.end(), boundary.begin(), boundary.end());
    for (number const g : boundary)
      if (!is_owned(g)) ghosts_.push_back(g);
    std::sort(ghosts_.begin(), ghosts_.end());
    ghosts_.erase(std::unique(ghosts_.begin(), ghosts_.end()), ghosts_.end());
    return {dofs.get_communicator(), owned, ghosts_, components_};
  }

  // Whether all of a cell's nodes are owned.
  bool append_nodes(std::vector<number> const& of_cell, std::vector<number>& to, first_problem& text) const
  {
    bool inside = true;
    auto const count = static_cast<std::size_t>(components_);
    for (std::size_t i = 0; i < order_.size(); i += count) {
      number const first = of_cell[order_[i]];
      bool follow = (first - (is_owned(first) ? first_ : 0)) % count == 0;
      for (std::size_t c = 1; c < count; ++c) follow = follow && of_cell[order_[i + c]] == first + c;
      if (!follow)
        text.say(
            "components of a node do not follow one another (the first has number %lld, the second %lld): call "
            "dealii::DoFRenumbering::support_point_wise",
            static_cast<long long>(first), static_cast<long long>(of_cell[order_[i + 1]]));
      inside = inside && is_owned(first);
      to.push_back(first);
    }
    return inside;
  }

  // Whether this process owns all that the lines of a cell's unknowns need; else those nodes are ghosts.
  template <class Number>
  bool add_terms(std::vector<number> const& of_cell, ::dealii::AffineConstraints<Number> const& lines)
  {
    bool all_own = true;
    for (number const unknown : of_cell)
      if (auto const* const entries = lines.get_constraint_entries(unknown); entries != nullptr)
        for (auto const& [other, weight] : *entries)
          if (!is_owned(other)) all_own = false, ghosts_.push_back(other - other % static_cast<number>(components_));
    return all_own;
  }

  // The same of what a cell reads beside its own: the nodes on sides of larger cells next to it, and their lines.
  template <class Cell, class Number>
  bool add_large_sides(Cell const& cell, ::dealii::AffineConstraints<Number> const& lines)
  {
    bool all_own = true;
    if constexpr (dim > 1)
      for (unsigned const side : cell->face_indices()) {
        if (on_level() || cell->at_boundary(side) || !cell->neighbor_is_coarser(side)) continue;
        std::vector<number> of_large(order_.size()), on_side;
        cell->neighbor(side)->get_dof_indices(of_large);
        auto const large_side = static_cast<int>(cell->neighbor_of_coarser_neighbor(side).first);
        for (int j = 0; j < side_box(dim, nodes_1d_).rows; ++j)
          for (int i = 0; i < nodes_1d_; ++i) {
            side_place const at = place_on_side(dim, large_side, nodes_1d_, j, i);
            int const place = (at.k * nodes_1d_ + at.j) * nodes_1d_ + at.i;
            for (int c = 0; c < components_; ++c)
              on_side.push_back(of_large[order_[static_cast<std::size_t>(place * components_ + c)]]);
          }
        for (number const g : on_side)
          if (!is_owned(g)) all_own = false, ghosts_.push_back(g - g % static_cast<number>(components_));
        all_own = add_terms(on_side, lines) && all_own;
      }
    return all_own;
  }

  void fill_table()
  {
    for (number const g : numbers_) table_.push_back(static_cast<unsigned>(entry_of(g) / components_));
    numbers_ = {};
  }

  void find_masks(dof_handler const& dofs)
  {
    auto const node_of = [&](std::vector<number> const& of_cell, index_t p) {
      number const first = of_cell[order_[static_cast<std::size_t>(p * components_)]];
      index_t const entry = entry_of(first);
      return entry >= 0 ? entry / components_ : nodes() + static_cast<index_t>(first);
    };
    masks_ = cells_that_hang<dim, spacedim>(dofs, cells_, table_, nodes_1d_, nodes(), node_of).find();
  }
  // A function with a number of no pattern at each unknown that has no line, 0 where a line has no entries.
  template <class Number>
  static double value_by(::dealii::AffineConstraints<Number> const& lines, number g)
  {
    auto const free_value = [](number unknown) {
      std::uint64_t bits = (static_cast<std::uint64_t>(unknown) + 1) * 0x9e3779b97f4a7c15u;
      bits = (bits ^ bits >> 31) * 0xbf58476d1ce4e5b9u;
      return 1 + static_cast<double>(bits >> 11) * 0x1p-53;
    };
    if (!lines.is_constrained(g)) return free_value(g);
    double sum = 0;
    for (auto const& [unknown, weight] : *lines.get_constraint_entries(g))
      sum += static_cast<double>(weight) * free_value(unknown);
    return sum;
  }

  bool is_owned(number g) const { return g >= first_ && g - first_ < count_; }
  // Where an unknown lies in vectors of this process' nodes, or -1.
  index_t entry_of(number g) const
  {
    if (is_owned(g)) return static_cast<index_t>(g - first_);
    auto const c = static_cast<number>(components_);
    auto const at = std::upper_bound(ghosts_.begin(), ghosts_.end(), g) - ghosts_.begin() - 1;
    if (at < 0 || g - ghosts_[static_cast<std::size_t>(at)] >= c) return -1;
    return static_cast<index_t>(count_) + static_cast<index_t>(at) * components_ +
           static_cast<index_t>(g - ghosts_[static_cast<std::size_t>(at)]);
  }

  // The unknown that lies there.
  number number_of(index_t entry) const
  {
    auto const e = static_cast<number>(entry), c = static_cast<number>(components_);
    return e < count_ ? first_ + e : ghosts_[static_cast<std::size_t>((e - count_) / c)] + (e - count_) % c;
  }

  ::dealii::Triangulation<dim, spacedim> const* triangulation_;
  unsigned level_;
  int components_, nodes_1d_ = 0;
  std::vector<unsigned> order_;
  number first_ = 0, count_ = 0;  // unknowns that this process owns
  std::vector<number> ghosts_;    // the first unknown of each
  std::vector<number> numbers_;
  std::vector<cell_iterator> cells_;
  std::vector<unsigned> table_;
  element_masks masks_;
  dealii_parts parts_;
};

// Nodes along an edge that have all of a mapping, or those asked for.
template <int dim, int spacedim>
int mesh_nodes_of(dealii_parts const& parts, ::dealii::Mapping<dim, spacedim> const& mapping, int asked)
{
  int m = asked;
  if (asked == 0) {
    if (auto const* const q = dynamic_cast<::dealii::MappingQ<dim, spacedim> const*>(&mapping))
      m = static_cast<int>(q->get_degree()) + 1;
    else if (dynamic_cast<::dealii::MappingCartesian<dim, spacedim> const*>(&mapping) != nullptr)
      m = 2;
  }
  first_problem text;
  if (m == 0)
    text.say("the mapping is no MappingQ, so that its degree is not known: give cells_options::mesh_nodes_1d (got 0)");
  else if (m < 2 || m > max_mesh_nodes_1d)
    text.say("nodes of an edge do not fit (got %d, 2 to %d expected)", m, max_mesh_nodes_1d);
  parts.agree(cells_place, text);
  return m;
}

// (E, m, .., spacedim)
template <int dim, int spacedim, class Cells>
std::vector<double> mesh_coordinates(::dealii::Mapping<dim, spacedim> const& mapping, Cells const& cells, int m)
{
  ::dealii::Quadrature<dim> const points(lobatto_points<dim>(m));
  ::dealii::FE_Nothing<dim, spacedim> const nothing;
  ::dealii::FEValues<dim, spacedim> values(mapping, nothing, points, ::dealii::update_quadrature_points);
  std::vector<double> coordinates;
  coordinates.reserve(cells.size() * points.size() * spacedim);
  for (auto const& cell : cells) {
    values.reinit(cell);
    for (auto const& x : values.get_quadrature_points())
      for (unsigned d = 0; d < spacedim; ++d) coordinates.push_back(x[d]);
  }
  return coordinates;
}

}  // namespace sumfac::detail
