// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A process' part of a function space that all processes have whole: elements, restrictions, halo, vectors.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/shared_elements.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/mesh/refined.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sumfac::SUMFAC_TARGET::mpi {

// The elements of a space's mesh that a process has, with their nodes, of which the process of the lowest rank owns
// what several have, and the equations of hanging nodes, whose terms are among the nodes here. The mesh is made, read
// or refined by each process, whole; operators, vectors and solves are in parts. Of several kinds of elements operators
// and restrictions are of each, part.at<0>() or part.of<cell_shape::prism>(): sum_by_kind(backend, part, form) makes
// them.
//
// Made by all processes at once. Refers to the space, which must live as long; of the communicator it keeps a
// duplicate.
// **Shapes** process (E): the process of each element of the mesh, the same list on all. Vectors here: entries of owned
// nodes; whole ones: those of the space.
// **Errors** argument_error, on all processes: a list of another length, a rank that there is not, lists that differ.
template <int Directions, int Coordinates, cell_shape Shape>
class space_part : detail::process_list, public detail::elements_of_part<Directions, Coordinates, Shape> {
  using base = detail::elements_of_part<Directions, Coordinates, Shape>;

public:
  using base::elements, base::halo, base::nodes;
  using typename base::space_type;

  template <class Processes>
  space_part(MPI_Comm comm, function_space<Directions, Coordinates, Shape> const& space, Processes const& process)
      : process_list(comm, here_, space.mesh().elements(), process),
        base(detail::nodes_of_part(comm, *this, space), space, elements_here),
        space_(&space)
  {
    if (!space.options().continuous)
      fail(here_, "functions of the space are not continuous: no nodes are in parts (mesh_with_ghosts has elements)");
  }
  template <class Processes>
  space_part(MPI_Comm, function_space<Directions, Coordinates, Shape> const&&, Processes const&) = delete;

  space_type const& space() const { return *space_; }
  index_t element(index_t e) const { return elements_here[static_cast<std::size_t>(e)]; }  // its number in the mesh
  int process(index_t element) const { return process_of[static_cast<std::size_t>(element)]; }  // of one of the mesh
  index_t size() const { return halo().owned() * space_->components(); }  // entries of vectors here

  // Of sides of the mesh's elements those of elements here, with the same nodes: for terms on the boundary.
  auto on(std::vector<element_side> const& sides) const
  {
    std::vector<element_side> of_own;
    for (auto const& at : sides) {
      detail::check_side(here_, at, space_->mesh().elements(), space_type::mesh_type::sides_of_element);
      if (process_of[static_cast<std::size_t>(at.element)] == rank) of_own.push_back(at);
    }
    return on_sides(space_->on(of_own));
  }

  // The elements here as a mesh without names, and those of the meshes that it was cut from, as far down as the list
  // leaves all that became of an element to one process, at most so many: for levels over these, p_levels<4, 2, 1>(L,
  // part.mesh()). What is coarser is for `gathered{coarser_meshes{part}}`.
  auto mesh(int coarser_ones = -1) const
    requires(Shape == cell_shape::lines)
  {
    return space_->mesh().of_process(process_of, rank, coarser_ones);
  }

  // Entries of owned nodes of a whole vector; and the whole one of those of all processes, on each.
  std::vector<double> owned(vector_argument<double const> whole) const
  {
    detail::check_extent(here_, "the whole vector", 0, "entries", space_->size(), whole.entries.extent(0));
    std::vector<double> own(static_cast<std::size_t>(size()));
    for_each_owned(
        [&](std::size_t here, std::size_t of_all, index_t, int) { own[here] = whole.entries.data()[of_all]; });
    return own;
  }
  std::vector<double> whole(vector_argument<double const> own) const
  {
    detail::check_extent(here_, "the vector", 0, "entries", size(), own.entries.extent(0));
    std::vector<double> all(static_cast<std::size_t>(space_->size()));
    for_each_owned([&](std::size_t here, std::size_t of_all, index_t, int) { all[of_all] = own.entries.data()[here]; });
    detail::combine_all(halo().communicator(), MPI_SUM, all.data(), all.size());
    return all;
  }
  // As function_space::lift(), of vectors here: u with values g at fixed entries, and b such that the solution has
  // them.
  template <class Operator, class Function>
  std::vector<double> lift(Operator const& matrix, Function const& g, vector_argument<double> b) const
  {
    detail::check_extent(here_, "b", 0, "entries", size(), b.entries.extent(0));
    std::vector<double> of_all(static_cast<std::size_t>(space_->size()));
    space_->set_fixed(g, of_all);
    space_->distribute(of_all);
    auto const u = owned(of_all);
    std::vector<double> lifted(u.size());
    auto const finish = [&](auto const& everywhere) {
      detail::entry_order const order = everywhere.order_of(halo().owned());
      for_each_owned([&](std::size_t here, std::size_t, index_t node, int c) {
        double& right = b.entries.data()[here];
        bool const is_given =
            space_->is_fixed(node, c) || everywhere.table().constrained(order.node(static_cast<index_t>(here)), c);
        right = is_given ? u[here] : right - lifted[here];
      });
    };
    if constexpr (Shape == cell_shape::mixed) {
      auto const all = matrix.unconstrained();
      all.apply(u, lifted);
      finish(all.restriction());
    } else {
      auto const everywhere = this->unconstrained(matrix.backend());
      global_operator const all(matrix, everywhere, halo());
      all.collect(b);
      all.apply(u, lifted);
      finish(everywhere);
    }
    return u;
  }

  // For levels of multigrid: the part of other nodes on the same elements, which all processes know whole, numbers (E,
  // each), marks (nodes, C) or none, rows; and whether a restriction is that of the nodes here. Which entries it fixes
  // is its own: whole_marks(r) are those of all processes, (nodes, C) of the space.
  //
  // **Errors** argument_error for a restriction of other elements, nodes or rows.
  template <class Number>
  detail::part_nodes part_of(Number const* numbers, index_t each, index_t count,
                             detail::own_vector<unsigned char> const& marks, constraints const& rows) const
  {
    return detail::make_part_nodes<Number>(halo().communicator(), *this, space_->components(),
                                           {{numbers, space_->mesh().elements(), each}}, count, marks, rows);
  }
  template <class Restriction>
  void check_own(char const* where, Restriction const& r) const
  {
    check_equal(where, "number of elements of the restriction", elements(), r.elements());
    check_equal(where, "number of nodes of the restriction", nodes(), r.nodes());
    check_equal(where, "number of components of the restriction", space_->components(), r.components());
    auto const& other = r.table();
    std::vector<unsigned char> given;  // of which nodes here are fixed the restriction decides
    for (index_t node = 0; node < nodes(); ++node)
      for (int c = 0; c < other.components(); ++c) given.push_back(other.marked(node, c) ? 1 : 0);
    auto const own = detail::make_node_table(
        host{1}, this->table(), nodes(), this->with_components({}),
        view<unsigned char const, dextents<2>>(given.data(), nodes(), other.components()), this->own_->rows);
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
  template <class Restriction>
  std::vector<unsigned char> whole_marks(Restriction const& r) const
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

private:
  static constexpr char const* here_ = "mpi::space_part";

  template <int D, cell_shape Sides>
  auto on_sides(function_space<D, Coordinates, Sides> const& of_own) const
  {
    std::vector<index_t> all;
    for (index_t e = 0; e < of_own.mesh().elements(); ++e) all.push_back(e);
    return detail::elements_of_part<D, Coordinates, Sides>(this->own_, of_own, all);
  }
  template <class Function>
  void for_each_owned(Function const& f) const  // f(entry here, entry of the whole, node of the whole, component)
  {
    int const each = space_->components();
    auto const lie = space_->options().components_lie;
    detail::entry_order const own{halo().owned(), each, lie}, all{space_->nodes(), each, lie};
    for (index_t i = 0; i < own.nodes; ++i)
      for (int c = 0; c < each; ++c) {
        index_t const node = this->own_->nodes[static_cast<std::size_t>(i)];
        f(static_cast<std::size_t>(own.entry(i, c)), static_cast<std::size_t>(all.entry(node, c)), node, c);
      }
  }

  space_type const* space_;
};

}  // namespace sumfac::mpi
