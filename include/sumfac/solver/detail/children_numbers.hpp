// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of a refined mesh on the elements that it was refined from.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/error.hpp>

#include <cstddef>
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

}  // namespace sumfac::SUMFAC_TARGET::detail
