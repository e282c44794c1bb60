// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The elements of a function space that a process has, of one kind or several, and their nodes.
#pragma once

#include <sumfac/dofs/mixed_space.hpp>
#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/mpi.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// A process' nodes on its elements, and what they have in the whole mesh.
struct part_nodes {
  std::vector<index_t> nodes;        // in the numbers of the whole mesh: owned ones, then ghosts
  std::vector<index_t> here;         // of each node of the whole mesh its number here, or -1
  std::vector<index_t> table;        // of each element, in the numbers here
  std::vector<unsigned char> marks;  // (nodes, C)
  constraints rows;
  std::unique_ptr<mpi::halo> halo;

  index_t count() const { return static_cast<index_t>(nodes.size()); }
};

// The process of each element, of lists that all processes pass; and the elements of this one.
struct process_list {
  template <class Processes>
  process_list(MPI_Comm comm, char const* where, index_t elements, Processes const& of_elements)
  {
    rank = rank_in(comm);
    int const count = processes_in(comm);
    auto const of = as_vector(of_elements);
    first_problem text;
    if (of.extent(0) != elements)
      text.say("the list of processes is not of the mesh's elements (%lld entries, %lld elements)",
               static_cast<long long>(of.extent(0)), static_cast<long long>(elements));
    for (index_t e = 0; e < elements && !text.found(); ++e)
      if (of(e) < 0 || of(e) >= count)
        text.say("element %lld is given to a process that there is not (%lld, 0 to %d expected)",
                 static_cast<long long>(e), static_cast<long long>(of(e)), count - 1);
    agree_on(comm, where, text);
    for (index_t e = 0; e < elements; ++e) {
      process_of.push_back(static_cast<int>(of(e)));
      if (process_of.back() == rank) elements_here.push_back(e);
    }
  }

  std::vector<int> process_of;
  std::vector<index_t> elements_here;
  int rank = 0;
};

// Numbers of nodes (elements, each).
template <class Number>
struct numbered_elements {
  Number const* numbers;
  index_t elements, each;
};

// The elements of one kind that a process has, for operators and restrictions.
template <int Directions, int Coordinates, cell_shape Shape>
class elements_of_part {
public:
  using space_type = function_space<Directions, Coordinates, Shape>;
  using mesh_type = typename space_type::mesh_type;

  // Those in a list, of the mesh of a space.
  elements_of_part(std::shared_ptr<part_nodes const> const& own, space_type const& space,
                   std::vector<index_t> const& list)
      : own_(own),
        mesh_(space.mesh()),
        options_(space.options()),
        degree_(space.degree()),
        elements_(static_cast<index_t>(list.size()))
  {
    index_t const each = nodes_of_element();
    index_t const numbers_each = mesh_.size() / std::max<index_t>(1, mesh_.elements());
    for (index_t const e : list) {
      coordinates_.insert(coordinates_.end(), mesh_.data() + e * numbers_each, mesh_.data() + (e + 1) * numbers_each);
      for (index_t p = 0; p < each; ++p)
        table_.push_back(own->here[static_cast<std::size_t>(space.table().data()[e * each + p])]);
    }
  }

  index_t elements() const { return elements_; }
  index_t nodes() const { return own_->count(); }  // owned ones, and ghosts
  int degree() const { return degree_; }
  node_placement placement() const { return options_.nodes; }
  mpi::halo const& halo() const { return *own_->halo; }

  // Mesh nodes for operators; and what V.restriction(backend), V.unconstrained(backend) are of the whole.
  auto mesh_nodes() const
  {
    if constexpr (Shape == cell_shape::lines)
      return mesh_view(
          element_view<Directions>(coordinates_.data(), elements(), index_t{mesh_.nodes_1d()}, index_t{Coordinates}),
          mesh_.node_set());
    else
      return mesh_view(view(coordinates_.data(), elements(), mesh_.extent(1), index_t{Coordinates}), mesh_.node_set());
  }
  template <class Scalar = double, class Backend>
  sumfac::restriction<Scalar, Backend> restriction(Backend const& backend, restriction_options options = {}) const
  {
    return {backend, table(), nodes(), marks(), own_->rows, with_components(options)};
  }
  template <class Scalar = double, class Backend>
  sumfac::restriction<Scalar, Backend> unconstrained(Backend const& backend, restriction_options options = {}) const
  {
    return {backend, table(), nodes(), own_->rows, with_components(options)};
  }
  // The nodes of each element, in the numbers here: with mesh_nodes() what mpi::mesh_with_ghosts is made of.
  auto table() const
  {
    if constexpr (Shape == cell_shape::lines)
      return element_view<Directions>(table_.data(), elements(), index_t{degree_} + 1);
    else
      return view(table_.data(), elements(), nodes_of_element());
  }

protected:
  auto marks() const { return view(own_->marks.data(), nodes(), index_t{options_.components}); }
  restriction_options with_components(restriction_options options) const
  {
    options.components = options_.components, options.components_lie = options_.components_lie;
    return options;
  }

  std::shared_ptr<part_nodes const> own_;

private:
  index_t nodes_of_element() const { return element_functions<Directions, Shape>::size(degree_); }

  mesh_type mesh_;
  function_space_options options_;
  int degree_;
  index_t elements_;
  std::vector<index_t> table_;
  std::vector<double> coordinates_;
};

// Those of several kinds, in the order of the mesh.
template <int Directions, int Coordinates>
class elements_of_part<Directions, Coordinates, cell_shape::mixed>
    : public kinds_by_shape<elements_of_part<Directions, Coordinates, cell_shape::mixed>> {
  using by_shape = kinds_by_shape<elements_of_part>;
  friend by_shape;

public:
  using space_type = function_space<Directions, Coordinates, cell_shape::mixed>;
  using mesh_type = typename space_type::mesh_type;
  static constexpr int kinds = space_type::kinds;
  static constexpr cell_shape shape = cell_shape::mixed;

  elements_of_part(std::shared_ptr<part_nodes const> const& own, space_type const& space,
                   std::vector<index_t> const& list)
      : own_(own), kinds_([&]<std::size_t... Kind>(std::index_sequence<Kind...>) -> kinds_type {
          return {std::tuple_element_t<Kind, kinds_type>(own, space.template at<int{Kind}>(),
                                                         of_kind(space.mesh(), int{Kind}, list))...};
        }(std::make_index_sequence<std::size_t{kinds}>{}))
  {
  }

  index_t elements() const
  {
    return std::apply([](auto const&... of_kind) { return (of_kind.elements() + ...); }, kinds_);
  }
  index_t nodes() const { return own_->count(); }
  int degree() const { return this->template at<0>().degree(); }
  node_placement placement() const { return this->template at<0>().placement(); }
  mpi::halo const& halo() const { return *own_->halo; }

protected:
  std::shared_ptr<part_nodes const> own_;

private:
  using kinds_type = typename by_kind<sumfac::detail::elements_of_part, Directions, Coordinates>::type;

  kinds_type const& of_kinds() const { return kinds_; }
  static std::vector<index_t> of_kind(mesh_type const& mesh, int kind, std::vector<index_t> const& list)
  {
    std::vector<index_t> found;
    for (index_t const e : list)
      if (e >= mesh.first_element(kind) && e < mesh.first_element(kind + 1))
        found.push_back(e - mesh.first_element(kind));
    return found;
  }

  kinds_type kinds_;
};

// With a node that has an equation come its terms, which may have equations as well.
inline void take_rows(constraints const& rows, std::vector<bool>& is_here)
{
  for (bool more = true; more;) {
    more = false;
    for (index_t i = 0; i < rows.size(); ++i)
      if (is_here[static_cast<std::size_t>(rows.row(i).node)])
        for (auto const* t = rows.begin(i); t != rows.end(i); ++t)
          if (auto const node = static_cast<std::size_t>(t->node); !is_here[node]) is_here[node] = more = true;
  }
}

// The nodes of a process' elements of some kinds, one behind the other, whose processes a list names.
template <class Number>
part_nodes make_part_nodes(MPI_Comm comm, process_list const& list, int components,
                           std::vector<numbered_elements<Number>> const& kinds, index_t count,
                           own_vector<unsigned char> const& marks, constraints const& rows)
{
  auto const& process = list.process_of;
  constexpr int none = std::numeric_limits<int>::max SUMFAC_NO_MACRO();
  std::vector<int> owner(static_cast<std::size_t>(count), none);
  std::vector<bool> is_here(owner.size(), false);
  auto const for_each_node = [&](auto const& f) {  // f(element, node)
    std::size_t e = 0;
    for (auto const& kind : kinds)
      for (index_t i = 0; i < kind.elements; ++i, ++e)
        for (index_t p = 0; p < kind.each; ++p) f(e, static_cast<std::size_t>(kind.numbers[i * kind.each + p]));
  };
  for_each_node([&](std::size_t e, std::size_t node) {
    owner[node] = std::min(owner[node], process[e]);
    if (process[e] == list.rank) is_here[node] = true;
  });
  index_t const each = kinds[0].each;  // masks are of one kind's elements
  for (index_t const e : list.elements_here)
    if (auto const* const read = rows.masks().read(e); read != nullptr)
      for (index_t p = 0; p < each; ++p) is_here[read[p]] = true;
  take_rows(rows, is_here);

  part_nodes made;
  auto& number_here = made.here;
  number_here.assign(owner.size(), -1);
  numbered_nodes shared;
  for (bool const own : {true, false})
    for (std::size_t node = 0; node < owner.size(); ++node)
      if (is_here[node] && (owner[node] == list.rank) == own) {
        number_here[node] = made.count();
        made.nodes.push_back(static_cast<index_t>(node));
        shared.add(owner[node], static_cast<std::int64_t>(node));
        for (int c = 0; c < components; ++c)
          made.marks.push_back(
              marks.empty() ? 0 : marks[node * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)]);
      }
  made.halo = std::make_unique<mpi::halo>(comm, shared);
  for_each_node([&](std::size_t e, std::size_t node) {
    if (process[e] == list.rank) made.table.push_back(number_here[node]);
  });

  std::vector<constraint_term> terms;
  for (index_t i = 0; i < rows.size(); ++i) {
    auto const node = static_cast<std::size_t>(rows.row(i).node);
    if (!is_here[node]) continue;
    terms.assign(rows.begin(i), rows.end(i));
    for (auto& t : terms) t.node = number_here[static_cast<std::size_t>(t.node)];
    made.rows.add(number_here[node], terms, rows.row(i).b);
  }
  auto const of_all = [&](index_t e) { return list.elements_here[static_cast<std::size_t>(e)]; };
  auto const own = [&](index_t e) { return made.table.data() + e * each; };
  auto const number = [&](index_t node) { return number_here[static_cast<std::size_t>(node)]; };
  made.rows.set_masks(rows.masks().with_numbers(static_cast<index_t>(list.elements_here.size()), of_all, own, number));
  return made;
}

// Those of a space.
template <int Directions, int Coordinates, cell_shape Shape>
std::shared_ptr<part_nodes const> nodes_of_part(MPI_Comm comm, process_list const& list,
                                                function_space<Directions, Coordinates, Shape> const& space)
{
  own_vector<unsigned char> marks;
  for (index_t node = 0; node < space.nodes(); ++node)
    for (int c = 0; c < space.components(); ++c) marks.push_back(space.is_fixed(node, c) ? 1 : 0);
  auto const made = [&](std::vector<numbered_elements<std::int32_t>> const& kinds, constraints const& rows) {
    return std::make_shared<part_nodes const>(
        make_part_nodes(comm, list, space.components(), kinds, space.nodes(), marks, rows));
  };
  auto const numbers = [](auto const& of) {
    index_t const elements = of.mesh().elements();
    return numbered_elements<std::int32_t>{of.table().data(), elements,
                                           of.table().size() / std::max<index_t>(1, elements)};
  };
  if constexpr (Shape == cell_shape::mixed) {
    std::vector<numbered_elements<std::int32_t>> kinds;
    space.for_each_kind([&](auto const& of) { kinds.push_back(numbers(of)); });
    return made(kinds, {});
  } else {
    return made({numbers(space)}, space.hanging());
  }
}

}  // namespace sumfac::SUMFAC_TARGET::detail
