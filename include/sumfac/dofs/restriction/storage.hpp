// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a restriction keeps, by backend, and what a sweep over its elements does to the result.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/dof_map.hpp>
#include <sumfac/dofs/restriction/options.hpp>

#include <cstddef>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// y = the sums, or y = y + the sums.
enum class sweep_mode { write, add };

// What becomes of constrained entries: nothing, y = the rows' value times x, y = 0.
enum class row_action { none, copy, zero };

inline row_action action_of(constrained_rows const& rows)
{
  return rows == constrained_rows::zero ? row_action::zero : row_action::copy;
}

// The numbers of all elements.
inline own_vector<index_t> all_elements(index_t elements)
{
  auto list = own_vector<index_t>::unwritten(static_cast<std::size_t>(elements));
  for (index_t e = 0; e < elements; ++e) list[static_cast<std::size_t>(e)] = e;
  return list;
}

// Entries of a vector that a map constrains, ascending.
template <dof_map Map>
own_vector<index_t> constrained_entries(host const& threads, Map const& map, entry_order const& order)
{
  own_vector<index_t> entries;
  if (!map.has_marks()) return entries;
  bool const fastest = order.lie == interleaving::fastest;
  constexpr index_t piece = 1 << 14;  // nodes that a thread looks at, at once
  index_t const pieces = (map.nodes() + piece - 1) / piece;
  int const arrays = fastest ? 1 : map.components(), count = fastest ? map.components() : 1;
  own_vector<own_vector<index_t>> of_piece(static_cast<std::size_t>(arrays * pieces));
  threads.balance(arrays * pieces, [&](index_t first, index_t last) {
    for (index_t i = first; i < last; ++i) {
      own_vector<index_t> here;
      index_t const begin = i % pieces * piece, end = lesser(begin + piece, map.nodes());
      int const first_c = static_cast<int>(i / pieces), last_c = first_c + count;
      for (index_t node = begin; node < end; ++node)
        for (int c = first_c; c < last_c; ++c)
          if (map.constrained(node, c)) here.push_back(order.entry(node, c));
      of_piece[static_cast<std::size_t>(i)] = std::move(here);
    }
  });
  for (auto const& here : of_piece) entries.append(here);
  return entries;
}

// Tables of a dof_map and work memory: of devices and `checked` in device_restriction.hpp, of the host in
// host_restriction.hpp.
template <class Scalar, class Backend, dof_extras Extras = dof_extras{}>
class restriction_storage;

}  // namespace sumfac::detail
