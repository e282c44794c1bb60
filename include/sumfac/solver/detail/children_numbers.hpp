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

namespace sumfac::SUMFAC_TARGET::detail {

// Numbers (E / 2^D, n^D) of a table (E, m^D) whose elements are children, 2^D of each element, that of the lower half
// along x first, then along y: n = 2 m - 1, what is in the middle being that of both. `active` are the elements all of
// whose children are.
struct children_numbers {
  children_numbers(node_table const& fine, own_vector<index_t> const& active_children);

  index_t elements;
  int nodes_1d;
  own_vector<node_table::number> numbers;
  own_vector<index_t> active;
};

inline children_numbers::children_numbers(node_table const& fine, own_vector<index_t> const& active_children)
    : elements(fine.elements() >> fine.directions()), nodes_1d(2 * fine.nodes_1d() - 1)
{
  constexpr auto here = "children";
  int const m = fine.nodes_1d(), directions = fine.directions(), each = 1 << directions;
  if (fine.elements() % each != 0)
    failf(here,
          "the restriction's elements are not those of a refined mesh (%lld elements, a multiple of %d expected): "
          "make it of a mesh that sumfac::refined returns",
          static_cast<long long>(fine.elements()), each);
  constexpr int most = 15;
  if (m > most + 1)
    failf(here, "the degree is too high for nodes of two elements side by side (got %d, at most %d expected)", m - 1,
          most);
  node_box const box(nodes_1d, directions), of_child(m, directions);
  constexpr auto none = ~node_table::number{0};
  numbers = own_vector<node_table::number>(static_cast<std::size_t>(elements * box.all()), none);
  for (index_t e = 0; e < elements; ++e)
    for (int child = 0; child < each; ++child) {
      auto const* from = fine.element(e * each + child);
      index_t const corner =
          ((child >> 2) * (m - 1) * box.y + (child >> 1 & 1) * (m - 1)) * box.x + (child & 1) * (m - 1);
      for (int k = 0; k < of_child.z; ++k)
        for (int j = 0; j < of_child.y; ++j)
          for (int i = 0; i < of_child.x; ++i) {
            auto& number =
                numbers[static_cast<std::size_t>(e * box.all() + corner + (index_t{k} * box.y + j) * box.x + i)];
            if (number != none && number != *from)
              failf(here,
                    "the restriction's elements are not those of a refined mesh in its order (element %lld has node "
                    "%lld where a child beside it has %lld): make it of a mesh that sumfac::refined returns",
                    static_cast<long long>(e * each + child), static_cast<long long>(*from),
                    static_cast<long long>(number));
            number = *from++;
          }
    }
  own_vector<int> count(static_cast<std::size_t>(elements), 0);
  for (index_t const child : active_children) ++count[static_cast<std::size_t>(child >> directions)];
  for (index_t e = 0; e < elements; ++e) {
    int const known = count[static_cast<std::size_t>(e)];
    if (known == each) active.push_back(e);
    if (known != 0 && known != each)
      failf(here, "the restriction has %d of the %d children of element %lld: take all of them or none", known, each,
            static_cast<long long>(e));
  }
}

}  // namespace sumfac::detail
