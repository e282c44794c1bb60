// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A restriction once more, in other numbers or of other nodes on the same elements.
#pragma once

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/mesh/parts/element_views.hpp>

#include <cstdint>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// With numbers (E, n, n, n), (E, n, n) or (E, n), marks (nodes, C), or none, and rows in place of the model's.
template <class Scalar, int Directions, class Model>
auto restriction_of(Model const& model, node_table::number const* numbers, int n, index_t nodes,
                    own_vector<std::uint8_t> const& marks, constraints const& rows = {})
{
  using made = restriction<Scalar, typename Model::backend_type>;
  restriction_options options = model.options();
  options.every_node = false;
  index_t const elements = model.elements(), count = static_cast<index_t>(model.active().size());
  auto const table = element_view<Directions>(numbers, elements, n);
  view<std::uint8_t const, dextents<2>> const marked(marks.data(), nodes, model.components());
  made whole = marks.size() == 0 ? made(model.backend(), table, nodes, rows, options)
                                 : made(model.backend(), table, nodes, marked, rows, options);
  if (count == elements) return own_pointer<made const>(new made(std::move(whole)));
  return own_pointer<made const>(
      new made(whole.subset(view<index_t const, dextents<1>>(model.active().data(), count))));
}

// The marks of a table, (nodes, C), or none.
inline own_vector<std::uint8_t> marks_of(node_table const& table)
{
  own_vector<std::uint8_t> marks;
  for (index_t node = 0; node < table.nodes() && table.has_marks(); ++node)
    for (int c = 0; c < table.components(); ++c) marks.push_back(table.constrained(node, c) ? 1 : 0);
  return marks;
}

// The same nodes in other numbers, or in these.
template <class Scalar, class Model>
auto restriction_in(Model const& model)
{
  using made = restriction<Scalar, typename Model::backend_type>;
  if constexpr (std::is_same_v<made, Model>)
    return own_pointer<made const>(new made(model.with_elements(own_vector<index_t>(model.active()))));
  else
    return own_pointer<made const>(new made(model));
}

// Components as elements of their own, those of an element one behind the other: a restriction of one component, of the
// same vectors.
//
// **Errors** argument_error for equations of unknowns, and for a subset of elements.
template <int Directions, class Model>
auto components_apart(char const* where, Model const& model)
{
  model.refuse_rows(where, "of several discontinuous components there are levels on meshes that conform alone");
  check_equal(where, "number of elements that the restriction works on", model.elements(),
              static_cast<index_t>(model.active().size()));
  auto const& table = model.table();
  own_vector<node_table::number> numbers;
  own_vector<std::uint8_t> marks(static_cast<std::size_t>(model.size()), 0);
  for (index_t e = 0; e < model.elements(); ++e)
    for (int c = 0; c < model.components(); ++c)
      for (index_t p = 0; p < table.nodes_of_element(); ++p) {
        auto const node = table(e, p);
        index_t const entry = model.entry_of(node, c);
        numbers.push_back(static_cast<node_table::number>(entry));
        marks[static_cast<std::size_t>(entry)] = table.constrained(node, c) ? 1 : 0;
      }
  restriction_options options = model.options();
  options.components = 1, options.every_node = false;
  view<std::uint8_t const, dextents<1>> const marked(marks.data(), model.size());
  auto const nodes = element_view<Directions, node_table::number const>(
      numbers.data(), model.elements() * model.components(), model.nodes_1d());
  return own_pointer<Model const>(new Model(model.backend(), nodes, model.size(), marked, options));
}

}  // namespace sumfac::detail
