// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A restriction once more, in other numbers or of other nodes on the same elements.
#pragma once

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/view/view.hpp>

#include <cstdint>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Numbers as a view of the table's rank.
template <int Directions>
auto table_of_numbers(node_table::number const* numbers, index_t elements, int n)
{
  using view_type = view<node_table::number const, dextents<Directions + 1>>;
  if constexpr (Directions == 3)
    return view_type(numbers, elements, n, n, n);
  else if constexpr (Directions == 2)
    return view_type(numbers, elements, n, n);
  else
    return view_type(numbers, elements, n);
}

// With numbers (E, n, n, n), (E, n, n) or (E, n), and marks (nodes, C), or none, in place of the model's: of the
// elements `of`.
template <class Scalar, int Directions, class Model>
auto restriction_with(Model const& model, node_table::number const* numbers, index_t elements, int n, index_t nodes,
                      own_vector<std::uint8_t> const& marks, own_vector<index_t> const& of)
{
  using made = restriction<Scalar, typename Model::backend_type>;
  restriction_options options = model.options();
  options.every_node = false;
  auto const table = table_of_numbers<Directions>(numbers, elements, n);
  view<std::uint8_t const, dextents<2>> const marked(marks.data(), nodes, model.components());
  made whole = marks.size() == 0 ? made(model.backend(), table, nodes, options)
                                 : made(model.backend(), table, nodes, marked, options);
  auto const count = static_cast<index_t>(of.size());
  if (count == elements) return whole;
  return whole.subset(view<index_t const, dextents<1>>(of.data(), count));
}

// The same on the model's elements.
template <class Scalar, int Directions, class Model>
auto restriction_of(Model const& model, node_table::number const* numbers, int n, index_t nodes,
                    own_vector<std::uint8_t> const& marks)
{
  using made = restriction<Scalar, typename Model::backend_type>;
  return own_pointer<made const>(new made(
      restriction_with<Scalar, Directions>(model, numbers, model.elements(), n, nodes, marks, model.active())));
}

// The marks of a table, (nodes, C), or none.
inline own_vector<std::uint8_t> marks_of(node_table const& table)
{
  own_vector<std::uint8_t> marks;
  for (index_t node = 0; node < table.nodes() && table.has_marks(); ++node)
    for (int c = 0; c < table.components(); ++c) marks.push_back(table.constrained(node, c) ? 1 : 0);
  return marks;
}

// The same nodes in other numbers.
template <class Scalar, class Model>
auto restriction_in(Model const& model)
{
  using made = restriction<Scalar, typename Model::backend_type>;
  return own_pointer<made const>(new made(model));
}

}  // namespace sumfac::detail
