// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A process' part of a function space that all processes have whole: elements, restrictions, halo, vectors.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/error.hpp>
#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/view/vector_argument.hpp>
#include <sumfac/view/view.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace sumfac::SUMFAC_TARGET::mpi {

// The elements of a space's mesh that a process has, with their nodes, of which the process of the lowest rank owns
// what several have, and the equations of hanging nodes, whose terms are among the nodes here. The mesh is made, read
// or refined by each process, whole; operators, vectors and solves are in parts.
//
// Made by all processes at once. Refers to the space, which must live as long; of the communicator it keeps a
// duplicate.
// **Shapes** process (E): the process of each element of the mesh, the same list on all. Vectors here: entries of owned
// nodes; whole ones: those of the space.
// **Errors** argument_error, on all processes: a list of another length, a rank that there is not, lists that differ.
template <int Directions, int Coordinates, cell_shape Shape>
class space_part {
public:
  using space_type = function_space<Directions, Coordinates, Shape>;
  // A process' nodes on its elements, and what they have in the whole mesh.
  struct part_nodes {
    std::vector<index_t> nodes;        // in the numbers of the whole mesh: owned ones, then ghosts
    std::vector<index_t> table;        // (E, n^D), in the numbers here
    std::vector<unsigned char> marks;  // (nodes, C)
    constraints rows;
    std::unique_ptr<mpi::halo> halo;

    index_t count() const { return static_cast<index_t>(nodes.size()); }
  };

  template <class Processes>
  space_part(MPI_Comm comm, space_type const& space, Processes const& process);
  template <class Processes>
  space_part(MPI_Comm, space_type const&&, Processes const&) = delete;

  space_type const& space() const { return *space_; }
  index_t elements() const { return static_cast<index_t>(elements_.size()); }
  index_t element(index_t e) const { return elements_[static_cast<std::size_t>(e)]; }  // its number in the mesh
  index_t nodes() const { return own_.count(); }                                       // owned ones, and ghosts
  index_t size() const { return halo().owned() * space_->components(); }               // entries of vectors here
  mpi::halo const& halo() const { return *own_.halo; }

  // Mesh nodes for operators; and what V.restriction(backend), V.unconstrained(backend) are of the whole.
  auto mesh_nodes() const
  {
    auto const& of = space_->mesh();
    if constexpr (Shape == cell_shape::lines)
      return mesh_view(detail::element_view<Directions>(coordinates_.data(), elements(), index_t{of.nodes_1d()},
                                                        index_t{Coordinates}),
                       of.node_set());
    else
      return mesh_view(view(coordinates_.data(), elements(), of.extent(1), index_t{Coordinates}), of.node_set());
  }
  template <class Scalar = double, class Backend>
  sumfac::restriction<Scalar, Backend> restriction(Backend const& backend, restriction_options options = {}) const
  {
    return {backend, table(), nodes(), marks(), own_.rows, with_components(options)};
  }
  template <class Scalar = double, class Backend>
  sumfac::restriction<Scalar, Backend> unconstrained(Backend const& backend, restriction_options options = {}) const
  {
    return {backend, table(), nodes(), own_.rows, with_components(options)};
  }

  // Entries of owned nodes of a whole vector; and the whole one of those of all processes, on each.
  std::vector<double> owned(vector_argument<double const> whole) const;
  std::vector<double> whole(vector_argument<double const> own) const;
  // As function_space::lift(), of vectors here: u with values g at fixed entries, and b such that the solution has
  // them.
  template <class Operator, class Function>
  std::vector<double> lift(Operator const& matrix, Function const& g, vector_argument<double> b) const;

  // For levels of multigrid: the part of other nodes on the same elements, which all processes know whole, numbers (E,
  // each), marks (nodes, C) or none, rows; and whether a restriction is that of the nodes here. Which entries it fixes
  // is its own: whole_marks(r) are those of all processes, (nodes, C) of the space.
  //
  // **Errors** argument_error for a restriction of other elements, nodes or rows.
  template <class Number>
  part_nodes part_of(Number const* numbers, index_t each, index_t nodes, detail::own_vector<unsigned char> const& marks,
                     constraints const& rows) const
  {
    return make_part(halo().communicator(), numbers, each, nodes, marks, rows);
  }
  template <class Restriction>
  void check_own(char const* where, Restriction const& r) const;
  template <class Restriction>
  std::vector<unsigned char> whole_marks(Restriction const& r) const;

private:
  static constexpr char const* here_ = "mpi::space_part";

  index_t nodes_of_element() const { return space_->table().size() / std::max<index_t>(1, space_->mesh().elements()); }
  auto table() const
  {
    if constexpr (Shape == cell_shape::lines)
      return detail::element_view<Directions>(own_.table.data(), elements(), index_t{space_->degree()} + 1);
    else
      return view(own_.table.data(), elements(), nodes_of_element());
  }
  auto marks() const { return view(own_.marks.data(), nodes(), index_t{space_->components()}); }
  restriction_options with_components(restriction_options options) const
  {
    options.components = space_->components(), options.components_lie = space_->options().components_lie;
    return options;
  }
  template <class Function>
  void for_each_owned(Function const& f) const  // f(entry here, entry of the whole, node of the whole, component)
  {
    int const each = space_->components();
    auto const lie = space_->options().components_lie;
    detail::entry_order const own{halo().owned(), each, lie}, all{space_->nodes(), each, lie};
    for (index_t i = 0; i < own.nodes; ++i)
      for (int c = 0; c < each; ++c) {
        index_t const node = own_.nodes[static_cast<std::size_t>(i)];
        f(static_cast<std::size_t>(own.entry(i, c)), static_cast<std::size_t>(all.entry(node, c)), node, c);
      }
  }
  template <class Number>
  part_nodes make_part(MPI_Comm comm, Number const* numbers, index_t each, index_t nodes,
                       detail::own_vector<unsigned char> const& marks, constraints const& rows) const;
  static void take_rows(constraints const& rows, std::vector<bool>& is_here);

  space_type const* space_;
  std::vector<int> process_;       // of each element of the mesh
  std::vector<index_t> elements_;  // in the numbers of the mesh
  std::vector<double> coordinates_;
  part_nodes own_;
};

template <int Directions, int Coordinates, cell_shape Shape>
template <class Processes>
space_part<Directions, Coordinates, Shape>::space_part(MPI_Comm comm, space_type const& space, Processes const& process)
    : space_(&space)
{
  int rank = 0, count = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &count);
  auto const of = detail::as_vector(process);
  index_t const all = space.mesh().elements();
  detail::first_problem text;
  if (of.extent(0) != all)
    text.say("the list of processes is not of the mesh's elements (%lld entries, %lld elements)",
             static_cast<long long>(of.extent(0)), static_cast<long long>(all));
  for (index_t e = 0; e < all && !text.found(); ++e)
    if (of(e) < 0 || of(e) >= count)
      text.say("element %lld is given to a process that there is not (%lld, 0 to %d expected)",
               static_cast<long long>(e), static_cast<long long>(of(e)), count - 1);
  detail::agree_on(comm, here_, text);

  auto const& mesh = space.mesh();
  index_t const numbers_each = all > 0 ? mesh.size() / all : 0;
  for (index_t e = 0; e < all; ++e) {
    process_.push_back(static_cast<int>(of(e)));
    if (process_.back() != rank) continue;
    elements_.push_back(e);
    coordinates_.insert(coordinates_.end(), mesh.data() + e * numbers_each, mesh.data() + (e + 1) * numbers_each);
  }
  detail::own_vector<unsigned char> marks;
  for (index_t node = 0; node < space.nodes(); ++node)
    for (int c = 0; c < space.components(); ++c) marks.push_back(space.is_fixed(node, c) ? 1 : 0);
  own_ = make_part(comm, space.table().data(), nodes_of_element(), space.nodes(), marks, space.hanging());
}

template <int Directions, int Coordinates, cell_shape Shape>
template <class Number>
auto space_part<Directions, Coordinates, Shape>::make_part(MPI_Comm comm, Number const* numbers, index_t each,
                                                           index_t count,
                                                           detail::own_vector<unsigned char> const& marks,
                                                           constraints const& rows) const -> part_nodes
{
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  constexpr int none = std::numeric_limits<int>::max SUMFAC_NO_MACRO();
  std::vector<int> owner(static_cast<std::size_t>(count), none);
  std::vector<bool> is_here(owner.size(), false);
  for (std::size_t e = 0; e < process_.size(); ++e)
    for (index_t p = 0; p < each; ++p) {
      auto const node = static_cast<std::size_t>(numbers[static_cast<index_t>(e) * each + p]);
      owner[node] = std::min(owner[node], process_[e]);
      if (process_[e] == rank) is_here[node] = true;
    }
  for (index_t const e : elements_)
    if (auto const* const read = rows.masks().read(e); read != nullptr)
      for (index_t p = 0; p < each; ++p) is_here[read[p]] = true;
  take_rows(rows, is_here);

  part_nodes made;
  std::vector<index_t> number_here(owner.size(), -1);
  std::vector<int> owners;
  std::vector<std::int64_t> of_mesh;
  for (bool const own : {true, false})
    for (std::size_t node = 0; node < owner.size(); ++node)
      if (is_here[node] && (owner[node] == rank) == own) {
        number_here[node] = made.count();
        made.nodes.push_back(static_cast<index_t>(node));
        owners.push_back(owner[node]), of_mesh.push_back(static_cast<std::int64_t>(node));
        for (int c = 0; c < space_->components(); ++c)
          made.marks.push_back(
              marks.empty()
                  ? 0
                  : marks[node * static_cast<std::size_t>(space_->components()) + static_cast<std::size_t>(c)]);
      }
  made.halo = std::make_unique<mpi::halo>(comm, view<int const, dextents<1>>(owners.data(), made.count()),
                                          view<std::int64_t const, dextents<1>>(of_mesh.data(), made.count()));
  for (index_t const e : elements_)
    for (index_t p = 0; p < each; ++p)
      made.table.push_back(number_here[static_cast<std::size_t>(numbers[e * each + p])]);

  std::vector<constraint_term> terms;
  for (index_t i = 0; i < rows.size(); ++i) {
    auto const node = static_cast<std::size_t>(rows.row(i).node);
    if (!is_here[node]) continue;
    terms.assign(rows.begin(i), rows.end(i));
    for (auto& t : terms) t.node = number_here[static_cast<std::size_t>(t.node)];
    made.rows.add(number_here[node], terms, rows.row(i).b);
  }
  auto const of_all = [&](index_t e) { return element(e); };
  auto const own = [&](index_t e) { return made.table.data() + e * each; };
  auto const number = [&](index_t node) { return number_here[static_cast<std::size_t>(node)]; };
  made.rows.set_masks(rows.masks().with_numbers(elements(), of_all, own, number));
  return made;
}

template <int Directions, int Coordinates, cell_shape Shape>
template <class Restriction>
void space_part<Directions, Coordinates, Shape>::check_own(char const* where, Restriction const& r) const
{
  check_equal(where, "number of elements of the restriction", elements(), r.elements());
  check_equal(where, "number of nodes of the restriction", nodes(), r.nodes());
  check_equal(where, "number of components of the restriction", space_->components(), r.components());
  auto const& other = r.table();
  std::vector<unsigned char> given;  // of which nodes here are fixed the restriction decides
  for (index_t node = 0; node < nodes(); ++node)
    for (int c = 0; c < other.components(); ++c) given.push_back(other.marked(node, c) ? 1 : 0);
  auto const own = detail::make_node_table(
      host{1}, table(), nodes(), with_components({}),
      view<unsigned char const, dextents<2>>(given.data(), nodes(), other.components()), own_.rows);
  check_equal(where, "number of nodes of an element of the restriction", own.nodes_of_element(),
              other.nodes_of_element());
  for (index_t i = 0; i < own.elements() * own.nodes_of_element(); ++i)
    check_equal(where, "a node of the restriction", own.element(0)[i], other.element(0)[i]);
  for (index_t node = 0; node < nodes(); ++node)
    for (int c = 0; c < own.components(); ++c)
      if (own.constrained(node, c) != other.constrained(node, c) || !(own.row(node, c) == other.row(node, c)))
        failf(where,
              "the restriction has another equation of node %lld, component %d, than the space's part (constrained: "
              "got %d, %d expected; %lld terms, %lld expected%s): take its restriction() or unconstrained()",
              static_cast<long long>(node), c, other.constrained(node, c) ? 1 : 0, own.constrained(node, c) ? 1 : 0,
              static_cast<long long>(other.row(node, c).size()), static_cast<long long>(own.row(node, c).size()),
              other.row(node, c).size() == own.row(node, c).size() ? ", of other nodes or weights" : "");
}

template <int Directions, int Coordinates, cell_shape Shape>
template <class Restriction>
std::vector<unsigned char> space_part<Directions, Coordinates, Shape>::whole_marks(Restriction const& r) const
{
  int const each = space_->components();
  std::vector<double> own(static_cast<std::size_t>(size()));
  detail::entry_order const order{halo().owned(), each, space_->options().components_lie};
  for_each_owned([&](std::size_t here, std::size_t, index_t, int c) {
    own[here] = r.table().marked(order.node(static_cast<index_t>(here)), c) ? 1 : 0;
  });
  auto const all = whole(own);
  detail::entry_order const of_all{space_->nodes(), each, space_->options().components_lie};
  std::vector<unsigned char> marks;
  for (index_t node = 0; node < space_->nodes(); ++node)
    for (int c = 0; c < each; ++c) marks.push_back(all[static_cast<std::size_t>(of_all.entry(node, c))] > 0 ? 1 : 0);
  return marks;
}

// With a node that has an equation come its terms, which may have equations as well.
template <int Directions, int Coordinates, cell_shape Shape>
void space_part<Directions, Coordinates, Shape>::take_rows(constraints const& rows, std::vector<bool>& is_here)
{
  for (bool more = true; more;) {
    more = false;
    for (index_t i = 0; i < rows.size(); ++i)
      if (is_here[static_cast<std::size_t>(rows.row(i).node)])
        for (auto const* t = rows.begin(i); t != rows.end(i); ++t)
          if (auto const node = static_cast<std::size_t>(t->node); !is_here[node]) is_here[node] = more = true;
  }
}

template <int Directions, int Coordinates, cell_shape Shape>
std::vector<double> space_part<Directions, Coordinates, Shape>::owned(vector_argument<double const> whole) const
{
  detail::check_extent(here_, "the whole vector", 0, "entries", space_->size(), whole.entries.extent(0));
  std::vector<double> own(static_cast<std::size_t>(size()));
  for_each_owned([&](std::size_t here, std::size_t of_all, index_t, int) { own[here] = whole.entries.data()[of_all]; });
  return own;
}

template <int Directions, int Coordinates, cell_shape Shape>
std::vector<double> space_part<Directions, Coordinates, Shape>::whole(vector_argument<double const> own) const
{
  detail::check_extent(here_, "the vector", 0, "entries", size(), own.entries.extent(0));
  std::vector<double> all(static_cast<std::size_t>(space_->size()));
  for_each_owned([&](std::size_t here, std::size_t of_all, index_t, int) { all[of_all] = own.entries.data()[here]; });
  constexpr std::size_t most = std::size_t{1} << 30;  // of one call
  for (std::size_t i = 0; i < all.size(); i += most)
    MPI_Allreduce(MPI_IN_PLACE, all.data() + i, static_cast<int>(std::min(all.size() - i, most)), MPI_DOUBLE, MPI_SUM,
                  halo().communicator());
  return all;
}

template <int Directions, int Coordinates, cell_shape Shape>
template <class Operator, class Function>
std::vector<double> space_part<Directions, Coordinates, Shape>::lift(Operator const& matrix, Function const& g,
                                                                     vector_argument<double> b) const
{
  detail::check_extent(here_, "b", 0, "entries", size(), b.entries.extent(0));
  std::vector<double> of_all(static_cast<std::size_t>(space_->size()));
  space_->set_fixed(g, of_all);
  space_->distribute(of_all);
  auto const u = owned(of_all);
  std::vector<double> lifted(u.size());
  auto const everywhere = unconstrained(matrix.backend());
  global_operator const all(matrix, everywhere, halo());
  detail::entry_order const order = everywhere.order_of(halo().owned());
  all.collect(b);
  all.apply(u, lifted);
  for_each_owned([&](std::size_t here, std::size_t, index_t node, int c) {
    double& right = b.entries.data()[here];
    bool const is_given =
        space_->is_fixed(node, c) || everywhere.table().constrained(order.node(static_cast<index_t>(here)), c);
    right = is_given ? u[here] : right - lifted[here];
  });
  return u;
}

}  // namespace sumfac::mpi
