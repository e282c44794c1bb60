// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of a refined mesh on the elements that it was refined from; and elements that it has as they were, whose
// nodes' numbers go over as they are.
#pragma once

#include <sumfac/dofs/restriction.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Numbers (E, n^D) of a table (children, m^D) of a mesh that was cut, element e into the children first[e] to
// first[e + 1] - 1, that of the lower half along x first, then along y; without `first` each into 2^D. n = 2 m - 1,
// what is in the middle being that of both halves. `active` are the elements all of whose children are.
//
// An element that was not cut has its nodes at the places whose nodes stand for those of m along each direction, as
// coarse_nodes has it, and the first of them everywhere else.
struct children_numbers {
  children_numbers(node_table const& fine, own_vector<index_t> const& active_children,
                   std::vector<index_t> const& first)
      : elements(first.empty() ? fine.elements() >> fine.directions() : static_cast<index_t>(first.size()) - 1),
        nodes_1d(2 * fine.nodes_1d() - 1)
  {
    check_parts(fine, first);
    int const each = 1 << fine.directions();
    auto const first_of = [&](index_t e) { return first.empty() ? e * each : first[static_cast<std::size_t>(e)]; };
    constexpr auto none = ~node_table::number{0};
    numbers = own_vector<node_table::number>(
        static_cast<std::size_t>(elements * node_box(nodes_1d, fine.directions()).all()), none);
    auto const* known = active_children.begin();
    for (index_t e = 0; e < elements; ++e) {
      index_t const begin = first_of(e), end = first_of(e + 1);
      if (end == begin + 1) add_whole(fine, e, begin);
      if (end > begin + 1)
        for (int part = 0; part < each; ++part) add(fine, e, begin + part, part);
      index_t count = 0;
      for (; known != active_children.end() && *known < end; ++known) ++count;
      if (count == end - begin) active.push_back(e);
      if (count != 0 && count != end - begin)
        failf(here_, "the restriction has %lld of the %lld children of element %lld: take all of them or none",
              static_cast<long long>(count), static_cast<long long>(end - begin), static_cast<long long>(e));
    }
  }

  // Of a table of such numbers: whether an element was not cut; along a direction, the place of node i of m.
  static bool is_whole(node_table const& table, index_t e)
  {
    return table(e, (table.nodes_1d() + 1) / 4) == table(e, 0);
  }
  static int place(int i, int m) { return 2 * i < m - 1 ? i : 2 * i == m - 1 ? m - 1 : m - 1 + i; }

  index_t elements;
  int nodes_1d;
  own_vector<node_table::number> numbers;
  own_vector<index_t> active;

private:
  static constexpr char const* here_ = "children";

  void check_parts(node_table const& fine, std::vector<index_t> const& first) const
  {
    int const each = 1 << fine.directions();
    if (first.empty() && fine.elements() % each != 0)
      failf(here_,
            "the restriction's elements are not those of a refined mesh (%lld elements, a multiple of %d expected): "
            "make it of a mesh that sumfac::refined returns",
            static_cast<long long>(fine.elements()), each);
    if (!first.empty()) check_equal(here_, "first part of element 0", 0, first.front());
    for (std::size_t e = 0; e + 1 < first.size(); ++e)
      if (index_t const parts = first[e + 1] - first[e]; parts != 1 && parts != each)
        failf(here_,
              "an element cannot become so many (element %lld, %lld parts; 1 or %d expected): pass "
              "mesh.first_parts()",
              static_cast<long long>(e), static_cast<long long>(parts), each);
    if (!first.empty()) check_equal(here_, "number of elements of the mesh", first.back(), fine.elements());
    constexpr int most = 15;
    if (fine.nodes_1d() > most + 1)
      failf(here_, "the degree is too high for nodes of two elements side by side (got %d, at most %d expected)",
            fine.nodes_1d() - 1, most);
  }
  void add(node_table const& fine, index_t e, index_t child, int part)
  {
    constexpr auto none = ~node_table::number{0};
    int const m = fine.nodes_1d();
    node_box const box(nodes_1d, fine.directions()), of_child(m, fine.directions());
    auto const* from = fine.element(child);
    index_t const corner = ((part >> 2) * (m - 1) * box.y + (part >> 1 & 1) * (m - 1)) * box.x + (part & 1) * (m - 1);
    for (int k = 0; k < of_child.z; ++k)
      for (int j = 0; j < of_child.y; ++j)
        for (int i = 0; i < of_child.x; ++i) {
          auto& number =
              numbers[static_cast<std::size_t>(e * box.all() + corner + (index_t{k} * box.y + j) * box.x + i)];
          if (number != none && number != *from)
            failf(here_,
                  "the restriction's elements are not those of a refined mesh in its order (element %lld has node "
                  "%lld where a child beside it has %lld): make it of a mesh that sumfac::refined returns",
                  static_cast<long long>(child), static_cast<long long>(*from), static_cast<long long>(number));
          number = *from++;
        }
  }
  void add_whole(node_table const& fine, index_t e, index_t child)
  {
    int const m = fine.nodes_1d();
    node_box const box(nodes_1d, fine.directions()), of_child(m, fine.directions());
    auto const* from = fine.element(child);
    auto* const to = numbers.data() + e * box.all();
    for (index_t p = 0; p < box.all(); ++p) to[p] = *from;
    for (int k = 0; k < of_child.z; ++k)
      for (int j = 0; j < of_child.y; ++j)
        for (int i = 0; i < of_child.x; ++i)
          to[(index_t{place(k, m)} * box.y + place(j, m)) * box.x + place(i, m)] = *from++;
  }
};

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
