// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Elements that a refined mesh has as they were: numbers at their nodes go over as they are.
#pragma once

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/dof_map.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/dofs/restriction/row_values.hpp>
#include <sumfac/solver/detail/children_numbers.hpp>

#include <cstddef>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Between a mesh and what it was cut into in places, by restrictions fine = children(R, first_parts) and coarse: what
// the sweep over elements that were cut leaves out. Nothing, where all were.
//
// A free node that no cut element has is a node of the other mesh, too: its number is that node's, or, where that one
// has an equation, what this says.
template <class Scalar, class Backend>
class whole_elements {
  using restriction_type = restriction<Scalar, Backend>;

public:
  // `of_children`: whether there may be such elements.
  whole_elements(restriction_type const& fine, restriction_type const& coarse, bool of_children)
      : backend_(fine.backend()), fine_(&fine), all_(&coarse)
  {
    own_vector<index_t> whole;
    for (index_t const e : fine.active())
      (of_children && children_numbers::is_whole(fine.table(), e) ? whole : cut_).push_back(e);
    if (!whole.empty()) {
      coarse_ = own_pointer<restriction_type const>(new restriction_type(coarse.with_elements(cut_)));
      auto const to_fine = lists(fine, true, coarse, whole), to_coarse = lists(coarse, false, fine, whole);
      prolong_ = {backend_, to_fine};
      restrict_ = {backend_, to_fine.transposed(coarse.size())};
      interpolate_ = {backend_, to_coarse};
      entries_ = to_fine.entries;
    }
    if (fine.table().has_rows())
      marked_ = own_pointer<restriction_type const>(new restriction_type(cut(fine.without_rows())));
    else if (!whole.empty())
      marked_ = own_pointer<restriction_type const>(new restriction_type(cut(fine)));
  }

  bool empty() const { return coarse_.empty(); }
  // For sweeps: the elements that were cut. At the fine nodes that are free numbers are those of the coarse function,
  // whatever equations others have.
  restriction_type const& fine() const { return marked_.empty() ? *fine_ : *marked_; }
  restriction_type const& coarse() const { return empty() ? *all_ : *coarse_; }
  // The same, by which functions are read, and to which they are written: elements have their values at free nodes, and
  // nothing for those that have equations. Made when first needed, by any thread, where they are no others.
  restriction_type const& read() const
  {
    if (empty()) return *fine_;
    if (!fine_->table().has_rows()) return *marked_;
    return read_.made_by([&] { return new restriction_type(cut(*fine_)); });
  }
  restriction_type const& written() const
  {
    if (!all_->table().has_rows()) return coarse();
    return written_.made_by([&] { return new restriction_type(cut(all_->without_rows())); });
  }
  own_vector<index_t> const& entries() const { return entries_; }  // of fine vectors, that no sweep writes to

  // y = y + what these elements make of x, where the others have written y.
  void prolong(Scalar const* x, Scalar* y) const { add(prolong_, x, y); }
  void restrict_back(Scalar const* r, Scalar* y) const { add(restrict_, r, y); }
  void interpolate(Scalar const* x, Scalar* y) const { add(interpolate_, x, y); }

private:
  using lists_type = row_values<Scalar, Backend>;

  void add(lists_type const& lists, Scalar const* from, Scalar* to) const
  {
    if (!empty()) lists.add(backend_, from, to);
  }
  restriction_type cut(restriction_type const& r) const { return r.with_elements(cut_); }

  // For each free entry of `to` that only whole elements have: what it is of entries of `from`.
  row_lists<Scalar> lists(restriction_type const& to, bool to_fine, restriction_type const& from,
                          own_vector<index_t> const& whole) const
  {
    auto const &table = to.table(), &of_from = from.table();
    own_vector<bool> known(static_cast<std::size_t>(table.nodes()), false);
    for (index_t const e : cut_)
      for (index_t p = 0; p < table.nodes_of_element(); ++p) known[table(e, p)] = true;
    row_lists<Scalar> made;
    int const m = to_fine ? from.nodes_1d() : to.nodes_1d();
    node_box const box(m, to.directions()), of_children(2 * m - 1, to.directions());
    for (index_t const e : whole)
      for (int k = 0; k < box.z; ++k)
        for (int j = 0; j < box.y; ++j)
          for (int i = 0; i < box.x; ++i) {
            index_t const at_coarse = (index_t{k} * box.y + j) * box.x + i;
            index_t const at_fine =
                (index_t{children_numbers::place(k, m)} * of_children.y + children_numbers::place(j, m)) *
                    of_children.x +
                children_numbers::place(i, m);
            auto const node = table(e, to_fine ? at_fine : at_coarse);
            if (std::exchange(known[node], true)) continue;
            auto const other = of_from(e, to_fine ? at_coarse : at_fine);
            for (int c = 0; c < to.components(); ++c) {
              if (table.constrained(node, c)) continue;
              if (!of_from.constrained(other, c)) made.add_term(from.entry_of(other, c), 1);
              for (row_term const& t : of_from.row(other, c))
                made.add_term(from.entry_of(t.index, t.component), t.weight);
              made.add_row(to.entry_of(node, c));
            }
          }
    return made;
  }

  Backend backend_;
  restriction_type const *fine_, *all_;
  own_vector<index_t> cut_, entries_;
  own_pointer<restriction_type const> marked_, coarse_;
  mutable own_pointer<restriction_type const> read_, written_;
  lists_type prolong_, restrict_, interpolate_;
};

}  // namespace sumfac::SUMFAC_TARGET::detail
