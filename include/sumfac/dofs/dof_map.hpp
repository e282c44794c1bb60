// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which entries of a global vector the elements have, with signs and constraint rows: what gather and scatter are
// made from.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/space.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {
class element_masks;  // of the host alone: NVRTC reads this header too
}  // namespace detail

// What a dof_map has besides indices: known by its type, so that what is absent costs nothing.
struct dof_extras {
  bool signs = false;  // entries of elements that are minus an entry of the vector
  bool rows = false;   // constrained entries may be sums of others, and not 0
  bool masks = false;  // elements may read others' nodes, and interpolate them to their own where rows say the same

  friend constexpr bool operator==(dof_extras const&, dof_extras const&) = default;
};

// A term of a constraint row: `weight` times component `component` of degree of freedom `index`.
struct row_term {
  index_t index;
  int component;
  double weight;

  friend constexpr bool operator==(row_term const&, row_term const&) = default;
};

// Which entries of a global vector each element has, in the host's memory. Gather reads them, scatter is its transpose;
// a restriction makes its tables, of the host and of devices, from any type that has:
//   extras                   a dof_extras: whether there are signs, and rows with terms
//   elements()               how many there are
//   nodes()                  how many indices there are, from 0 on
//   components()             how many entries of the vector share an index, as entry_order says
//   box()                    how many indices an element has along x, y, z, as a node_box; where the blocks of its
//                            space differ, all of them in one row, block after block, x fastest in each
//   (e, p), element(e)[p]    the index that is at place p of element e
//   minus(e, p)              with signs: whether the element has minus that entry
//   has_marks()              whether anything is constrained
//   partly_constrained()     whether an index has both constrained and free components
//   constrained(i, c)        whether component c of index i is no unknown: it is the sum of its row, which without
//                            terms is 0, as Dirichlet conditions want it
//   has_rows()               with rows: whether any row has terms
//   row(i, c)                with rows: the terms of that row, as a range of row_term; they are not constrained
//   masks()                  with masks: the element_masks; none, or those of its elements
template <class Map>
concept dof_map = requires(Map const& m, index_t i, int c) {
  requires std::same_as<std::remove_const_t<decltype(Map::extras)>, dof_extras>;
  { m.elements() } -> std::convertible_to<index_t>;
  { m.nodes() } -> std::convertible_to<index_t>;
  { m.components() } -> std::convertible_to<int>;
  { m.box() } -> std::convertible_to<detail::node_box>;
  { m(i, i) } -> std::convertible_to<index_t>;
  { m.element(i)[i] } -> std::convertible_to<index_t>;
  { m.has_marks() } -> std::convertible_to<bool>;
  { m.partly_constrained() } -> std::convertible_to<bool>;
  { m.constrained(i, c) } -> std::convertible_to<bool>;
  requires !Map::extras.signs || requires {
    { m.minus(i, i) } -> std::convertible_to<bool>;
  };
  requires !Map::extras.rows || requires {
    { m.has_rows() } -> std::convertible_to<bool>;
    { *m.row(i, c).begin() } -> std::convertible_to<row_term>;
  };
  requires !Map::extras.masks || requires {
    { m.masks() } -> std::convertible_to<detail::element_masks const&>;
  };
};

namespace detail {

// How many components of an index are constrained.
template <dof_map Map>
int constrained_components(Map const& map, index_t i)
{
  int count = 0;
  for (int c = 0; c < map.components(); ++c) count += map.constrained(i, c) ? 1 : 0;
  return count;
}

// Whether a constrained component of an index is a sum of others.
template <dof_map Map>
bool has_terms(Map const& map, index_t i, int c)
{
  if constexpr (Map::extras.rows) {
    if (!map.has_rows() || !map.constrained(i, c)) return false;
    auto&& terms = map.row(i, c);
    return terms.begin() != terms.end();
  } else {
    return false;
  }
}
// Whether any component of an index is.
template <dof_map Map>
bool has_terms(Map const& map, index_t i)
{
  bool found = false;
  if constexpr (Map::extras.rows)
    for (int c = 0; map.has_rows() && c < map.components(); ++c) found = found || has_terms(map, i, c);
  return found;
}

// The indices that an element reads: its own, or those that it interpolates from.
template <dof_map Map>
auto read_indices(Map const& map, index_t e)
{
  if constexpr (Map::extras.masks)
    if (auto const* const read = map.masks().read(e); read != nullptr) return read;
  return map.element(e);
}

// The index at a place, with this bit set where the element has minus the entry.
template <dof_map Map>
std::uint32_t signed_index(Map const& map, index_t e, index_t p, std::uint32_t index, std::uint32_t minus)
{
  if constexpr (Map::extras.signs)
    return map.minus(e, p) ? index | minus : index;
  else
    return index;
}

}  // namespace detail

}  // namespace sumfac
