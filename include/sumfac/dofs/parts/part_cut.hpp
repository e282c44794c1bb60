// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A process' elements cut in those that need no ghosts and those that do, each with a restriction to own vectors.
#pragma once

#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/dof_map.hpp>
#include <sumfac/dofs/restriction.hpp>

#include <algorithm>
#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// Calls body(i) for i = 0 .. size - 1, in order where the host is the backend.
template <class Backend, class Body>
void each_entry(Backend const& backend, index_t size, Body const& body)
{
  if constexpr (runs_on_host<Backend>)
    for (index_t i = 0; i < size; ++i) body(i);
  else
    loop(backend, size, body);
}

// to[i] = 0
template <class Scalar>
struct zero_body {
  Scalar* to;
  SUMFAC_INLINE void operator()(index_t i) const { to[i] = 0; }
};

template <class Backend, class Scalar>
void copy_entries(Backend const& backend, index_t size, Scalar const* from, Scalar* to)
{
  each_entry(backend, size, copy_body<Scalar>{from, to});
}

// to[i] = from[list[i]]
template <class Scalar>
struct take_body {
  Scalar const* from;
  index_t const* list;
  Scalar* to;
  SUMFAC_INLINE void operator()(index_t i) const { to[i] = from[list[i]]; }
};

// to[list[i]] = from[i]
template <class Scalar>
struct put_body {
  Scalar const* from;
  index_t const* list;
  Scalar* to;
  SUMFAC_INLINE void operator()(index_t i) const { to[list[i]] = from[i]; }
};

// to[list[i]] += from[i], where no entry is listed twice.
template <class Scalar>
struct add_body {
  Scalar const* from;
  index_t const* list;
  Scalar* to;
  SUMFAC_INLINE void operator()(index_t i) const { to[list[i]] += from[i]; }
};

// to[i] += from[i]
template <class Scalar>
struct add_all_body {
  Scalar const* from;
  Scalar* to;
  SUMFAC_INLINE void operator()(index_t i) const { to[i] += from[i]; }
};

// Entries of nodes, all components of each node one after another.
inline own_vector<index_t> entries_of_nodes(own_vector<index_t> const& nodes, entry_order const& order)
{
  own_vector<index_t> entries;
  for (index_t const node : nodes)
    for (int c = 0; c < order.components; ++c) entries.push_back(order.entry(node, c));
  return entries;
}

// Of each element, true or false.
using element_flags = own_vector<bool>;

// The interior's restriction is to vectors of owned nodes, in one part, or in two: the second has an eighth of it; the
// boundary's to vectors of the owned nodes that its elements read, and then all ghosts, components fastest. What an
// element reads are its nodes and, of constraints, the terms of their rows and what its mask has it read. Elements that
// `waiting` names are the boundary's, too.
template <class Scalar, class Backend>
class part_cut {
  using restriction_type = restriction<Scalar, Backend>;

public:
  part_cut(restriction_type const& r, index_t owned, int parts, element_flags const& waiting = {})
      : backend_(r.backend()),
        nodes_(owned),
        ghosts_(r.nodes() - owned),
        components_(r.components()),
        parts_(parts),
        waiting_(waiting_of(r, owned, waiting))
  {
    for (index_t const e : r.active())
      if (waits(e)) ++boundary_count_;
    number_boundary(r);
    make_interior(r);
    make_boundary(r);
    inner_ = upload<index_t>(backend_, entries_of_nodes(inner_nodes_, r.order_of(nodes_)));
    x_ = make_memory<Scalar>(backend_, (inner() + ghosts_) * components_);
    y_ = make_memory<Scalar>(backend_, (inner() + ghosts_) * components_);
  }

  Backend const& backend() const { return backend_; }
  index_t owned_entries() const { return nodes_ * components_; }
  index_t boundary_elements() const { return boundary_count_; }
  Scalar* ghosts_x() const { return x_.data() + inner() * components_; }
  Scalar* ghosts_y() const { return y_.data() + inner() * components_; }

  int parts() const { return parts_; }
  // Of a process with owned nodes; of one with elements that wait.
  restriction_type const& interior(int part) const { return *interior_[part]; }
  restriction_type const& boundary() const { return *boundary_; }
  Scalar const* boundary_x() const { return x_.data(); }
  Scalar* boundary_y() const { return y_.data(); }

  void clear_ghosts() const { each_entry(backend_, ghosts_ * components_, zero_body<Scalar>{ghosts_y()}); }
  // x's ghosts are those of another cut of the same nodes; and what another has in y's is added.
  void take_ghosts(part_cut const& other) const
  {
    copy_entries(backend_, ghosts_ * components_, other.ghosts_x(), ghosts_x());
  }
  void add_ghosts(part_cut const& other) const
  {
    each_entry(backend_, ghosts_ * components_, add_all_body<Scalar>{other.ghosts_y(), ghosts_y()});
  }
  // The boundary's owned entries are x's.
  void take_boundary(Scalar const* x) const
  {
    if (boundary_count_ > 0) each_entry(backend_, inner_.size(), take_body<Scalar>{x, inner_.data(), x_.data()});
  }
  // Its owned entries are added to y.
  void add_boundary(Scalar* y) const
  {
    if (boundary_count_ > 0) each_entry(backend_, inner_.size(), add_body<Scalar>{y_.data(), inner_.data(), y});
  }

  // Elements that read ghosts and the named ones, and on the host those that are in a register with one.
  static element_flags waiting_of(restriction_type const& r, index_t owned, element_flags const& named = {})
  {
    constexpr index_t group = runs_on_host<Backend> ? native_width<Scalar> : 1;
    auto const& table = r.table();
    element_flags waiting(static_cast<std::size_t>(r.elements()), false);
    for (index_t const e : r.active()) {
      bool waits = named.size() > 0 && named[static_cast<std::size_t>(e)];
      if (!waits) each_read(table, e, [&](index_t node) { waits = waits || node >= owned; });
      for (index_t other = e / group * group; waits && other < (e / group + 1) * group && other < r.elements(); ++other)
        waiting[static_cast<std::size_t>(other)] = true;
    }
    return waiting;
  }
  element_flags const& waiting() const { return waiting_; }

  // Of entries of the restriction's vectors those of owned nodes, in the same interleaving, and those of ghosts, where
  // asked for with those that are constrained, else 0 in their place.
  own_vector<Scalar> owned_of(restriction_type const& r, own_vector<Scalar> const& local) const
  {
    own_vector<Scalar> own(static_cast<std::size_t>(owned_entries()));
    entry_order const order = r.order_of(nodes_);
    for (index_t node = 0; node < nodes_; ++node)
      for (int c = 0; c < components_; ++c)
        own[static_cast<std::size_t>(order.entry(node, c))] = local[static_cast<std::size_t>(r.entry_of(node, c))];
    return own;
  }
  own_vector<Scalar> ghosts_of(restriction_type const& r, own_vector<Scalar> const& local, bool constrained) const
  {
    own_vector<Scalar> of_ghosts;
    for (index_t node = nodes_; node < nodes_ + ghosts_; ++node)
      for (int c = 0; c < components_; ++c)
        of_ghosts.push_back(!constrained && r.table().constrained(node, c)
                                ? Scalar(0)
                                : local[static_cast<std::size_t>(r.entry_of(node, c))]);
    return of_ghosts;
  }

  // And the vector that these are of.
  own_vector<Scalar> joined(restriction_type const& r, own_vector<Scalar> const& own,
                            own_vector<Scalar> const& of_ghosts) const
  {
    own_vector<Scalar> local(static_cast<std::size_t>(r.size()));
    entry_order const order = r.order_of(nodes_);
    for (index_t node = 0; node < nodes_ + ghosts_; ++node)
      for (int c = 0; c < components_; ++c)
        local[static_cast<std::size_t>(r.entry_of(node, c))] =
            node < nodes_ ? own[static_cast<std::size_t>(order.entry(node, c))]
                          : of_ghosts[static_cast<std::size_t>((node - nodes_) * components_ + c)];
    return local;
  }

private:
  index_t inner() const { return static_cast<index_t>(inner_nodes_.size()); }
  bool waits(index_t e) const { return waiting_[static_cast<std::size_t>(e)]; }

  // Calls f(node) of the nodes that an element reads.
  template <class Function>
  static void each_read(node_table const& table, index_t e, Function const& f)
  {
    auto const look = [&](node_table::number const* nodes) {
      for (index_t p = 0; p < table.nodes_of_element(); ++p) {
        auto const node = static_cast<index_t>(nodes[p]);
        f(node);
        for (int c = 0; table.has_rows() && c < table.components(); ++c)
          for (row_term const& t : table.row(node, c)) f(t.index);
      }
    };
    look(table.element(e));
    if (auto const* const read = table.masks().read(e); read != nullptr) look(read);
  }

  // The owned nodes that boundary elements read.
  void number_boundary(restriction_type const& r)
  {
    auto const& table = r.table();
    compact_ = own_vector<index_t>(static_cast<std::size_t>(nodes_ + ghosts_), -1);
    for (index_t const e : r.active())
      if (waits(e)) each_read(table, e, [&](index_t node) { compact_[static_cast<std::size_t>(node)] = 0; });
    for (index_t node = 0; node < nodes_; ++node)
      if (compact_[static_cast<std::size_t>(node)] == 0) {
        compact_[static_cast<std::size_t>(node)] = inner();
        inner_nodes_.push_back(node);
      }
    for (index_t ghost = 0; ghost < ghosts_; ++ghost)
      compact_[static_cast<std::size_t>(nodes_ + ghost)] = inner() + ghost;
  }

  // A restriction with numbers of its own for all elements, of which those in no list are not looked at: node i is
  // node_of(i) of r, and number(node) is its number, or -1. Rows with terms that have none are read by no element.
  template <class Chosen, class Number, class Node>
  restriction_type make(restriction_type const& r, index_t nodes, restriction_options const& options,
                        Chosen const& chosen, Number const& number, Node const& node_of) const
  {
    auto const& table = r.table();
    own_vector<index_t> numbers;
    for (index_t e = 0; e < r.elements(); ++e)
      for (index_t p = 0; p < table.nodes_of_element(); ++p)
        numbers.push_back(chosen(e) ? std::max<index_t>(0, number(static_cast<index_t>(table(e, p)))) : 0);
    own_vector<unsigned char> marks(static_cast<std::size_t>(nodes * components_), 0);
    constraints rows;
    own_vector<constraint_term> terms;
    for (index_t i = 0; i < nodes; ++i)
      for (int c = 0; c < components_; ++c) {
        index_t const node = node_of(i);
        if (!table.constrained(node, c)) continue;
        terms.clear();
        bool is_read = has_terms(table, node, c);
        if (is_read)
          for (row_term const& t : table.row(node, c)) {
            terms.push_back({number(t.index), t.weight, t.component});
            is_read = is_read && terms.back().node >= 0;
          }
        if (is_read)
          rows.add_component(i, c, terms);
        else
          marks[static_cast<std::size_t>(i * components_ + c)] = 1;
      }
    rows.set_masks(table.masks().with_numbers(
        r.elements(), [&](index_t e) { return chosen(e) ? e : -1; },
        [&](index_t e) { return numbers.data() + e * table.nodes_of_element(); }, number));
    view<unsigned char const, dextents<2>> const marked_nodes(marks.data(), nodes, components_);
    index_t const elements = r.elements(), n = table.nodes_1d();
    index_t const* const all = numbers.data();
    switch (table.directions()) {
      case 1: return {backend_, view<index_t const, dextents<2>>(all, elements, n), nodes, marked_nodes, rows, options};
      case 2:
        return {backend_, view<index_t const, dextents<3>>(all, elements, n, n), nodes, marked_nodes, rows, options};
      default:
        return {backend_, view<index_t const, dextents<4>>(all, elements, n, n, n), nodes, marked_nodes, rows, options};
    }
  }

  void make_interior(restriction_type const& r)
  {
    if (nodes_ == 0) return;
    auto options = r.options();
    options.every_node = false;
    restriction_type const all = make(
        r, nodes_, options, [&](index_t e) { return !waits(e); },
        [&](index_t node) { return node < nodes_ ? node : -1; }, [](index_t i) { return i; });
    own_vector<index_t> inside;
    for (index_t const e : r.active())
      if (!waits(e)) inside.push_back(e);
    auto const count = static_cast<index_t>(inside.size());
    // Parts end where registers do. The second is small: what it adds to is memory that the first has written.
    constexpr index_t group = runs_on_host<Backend> ? native_width<Scalar> : 1;
    index_t middle = parts_ == 1 ? count : count - count / 8;
    while (middle > 0 && middle < count &&
           inside[static_cast<std::size_t>(middle)] / group == inside[static_cast<std::size_t>(middle - 1)] / group)
      ++middle;
    subset_of(all, inside, 0, middle, interior_[0]);
    if (parts_ > 1) subset_of(all, inside, middle, count, interior_[1]);
  }

  void make_boundary(restriction_type const& r)
  {
    if (boundary_count_ == 0) return;
    auto options = r.options();
    options.every_node = false;
    options.components_lie = interleaving::fastest;
    options.rows = constrained_rows::zero;
    restriction_type const all = make(
        r, inner() + ghosts_, options, [&](index_t e) { return waits(e); },
        [&](index_t node) { return compact_[static_cast<std::size_t>(node)]; },
        [&](index_t i) { return i < inner() ? inner_nodes_[static_cast<std::size_t>(i)] : nodes_ + i - inner(); });
    own_vector<index_t> list;
    for (index_t const e : r.active())
      if (waits(e)) list.push_back(e);
    subset_of(all, list, 0, static_cast<index_t>(list.size()), boundary_);
    compact_ = {};
  }

  static void subset_of(restriction_type const& all, own_vector<index_t> const& list, index_t first, index_t last,
                        own_pointer<restriction_type>& result)
  {
    view<index_t const, dextents<1>> const chosen(list.data() + first, last - first);
    result = own_pointer<restriction_type>(new restriction_type(all.subset(chosen)));
  }

  Backend backend_;
  index_t nodes_, ghosts_;
  int components_, parts_;
  element_flags waiting_;
  index_t boundary_count_ = 0;
  own_vector<index_t> inner_nodes_;  // owned nodes of boundary elements
  own_vector<index_t> compact_;      // of each node its number among those and the ghosts
  memory_of<index_t, Backend> inner_;
  own_pointer<restriction_type> interior_[2], boundary_;
  mutable memory_of<Scalar, Backend> x_, y_;
};

}  // namespace sumfac::detail
