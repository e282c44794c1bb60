// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Processes that share a DoFHandler's unknowns: errors that all throw, an operator's product on one or on several, and
// the cells of others around a process' own.
#pragma once

#include <sumfac/operator/global_operator.hpp>

#include <deal.II/base/config.h>
#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/partitioner.h>

#if defined(DEAL_II_WITH_MPI)
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/elements_behind.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/mesh/interior_faces.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/mesh/parts/element_views.hpp>

#include <deal.II/grid/tria.h>

#include <mpi.h>
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// What is wrong with the parts of a matrix on cells.
struct problem_of_cells : first_problem {
  void unless_equal(char const* what, index_t expected, index_t got)
  {
    if (got != expected)
      say("%s are not those of the cells (got %lld, %lld expected)", what, static_cast<long long>(got),
          static_cast<long long>(expected));
  }
};

// Throws on all processes where one of them has a problem.
inline void agree_on_cells(MPI_Comm comm, char const* where, first_problem const& problem)
{
#if defined(DEAL_II_WITH_MPI)
  if (!is_mpi_started())  // which deal.II's distributed vectors ask for on one process, too
    fail(where, "MPI is not started: make a dealii::Utilities::MPI::MPI_InitFinalize first");
  if (::dealii::Utilities::MPI::n_mpi_processes(comm) > 1) return agree_on(comm, where, problem);
#endif
  static_cast<void>(comm);
  if (problem.found()) fail(where, static_cast<char const*>(problem));
}

// Which nodes, of `components` unknowns each, this process owns and which others own that it needs: the first ones
// consecutive, the others ascending in the numbers of the whole mesh.
class dealii_parts {
public:
  using number = ::dealii::types::global_dof_index;
  using partitioner_type = ::dealii::Utilities::MPI::Partitioner;

  // The numbers of the nodes' first unknowns.
  dealii_parts(MPI_Comm comm, ::dealii::IndexSet const& owned, std::vector<number> const& ghosts, int components)
      : comm_(comm), components_(components), owned_(static_cast<index_t>(owned.n_elements()) / components)
  {
    ::dealii::IndexSet all(owned.size());
    for (number const g : ghosts) all.add_range(g, g + static_cast<number>(components));
    partitioner_ = std::make_shared<partitioner_type const>(owned, all, comm);
    ghosts_ = static_cast<index_t>(ghosts.size());
#if defined(DEAL_II_WITH_MPI)
    if (processes() > 1) make_halo(owned, ghosts);
#endif
  }

  MPI_Comm communicator() const { return comm_; }
  unsigned processes() const { return ::dealii::Utilities::MPI::n_mpi_processes(comm_); }
  index_t owned() const { return owned_; }
  index_t nodes() const { return owned_ + ghosts_; }
  // In the whole mesh: that of the node's first unknown.
  std::int64_t number_of(index_t node) const
  {
    return static_cast<std::int64_t>(partitioner_->local_to_global(static_cast<unsigned>(node * components_)));
  }
  std::shared_ptr<partitioner_type const> const& partitioner() const { return partitioner_; }
  void agree(char const* where, first_problem const& problem) const { agree_on_cells(comm_, where, problem); }
#if defined(DEAL_II_WITH_MPI)
  mpi::halo const& halo() const { return *halo_; }  // of several processes
#endif

private:
#if defined(DEAL_II_WITH_MPI)
  void make_halo(::dealii::IndexSet const& owned, std::vector<number> const& ghosts)
  {
    numbered_nodes all;
    int const rank = static_cast<int>(::dealii::Utilities::MPI::this_mpi_process(comm_));
    for (index_t i = 0; i < owned_; ++i)
      all.add(rank, static_cast<std::int64_t>(owned.nth_index_in_set(static_cast<number>(i * components_))));
    auto ghost = ghosts.begin();
    for (auto const& [owner, entries] : partitioner_->ghost_targets())
      for (unsigned i = 0; i < entries / static_cast<unsigned>(components_); ++i)
        all.add(static_cast<int>(owner), static_cast<std::int64_t>(*ghost++));
    halo_ = std::make_unique<mpi::halo>(comm_, all);
  }

  std::unique_ptr<mpi::halo> halo_;
#endif
  MPI_Comm comm_;
  int components_;
  index_t owned_, ghosts_ = 0;
  std::shared_ptr<partitioner_type const> partitioner_;
};

// y = A x and A's diagonal, on entries of owned nodes.
template <class Operator>
class dealii_product {
public:
  using restriction_type = restriction<typename Operator::scalar_type>;

  dealii_product(Operator const& a, restriction_type const& r, dealii_parts const& parts, overlap how)
      : operator_(&a), restriction_(&r)
  {
#if defined(DEAL_II_WITH_MPI)
    if (parts.processes() > 1)
      in_parts_ = std::make_unique<matrix_in_parts>(a, r, parts.halo(), distributed_options{.overlap = how});
#else
    static_cast<void>(parts), static_cast<void>(how);
#endif
  }

  template <class From, class To>
  void apply(From const& x, To const& y) const
  {
#if defined(DEAL_II_WITH_MPI)
    if (in_parts_) return in_parts_->apply(x, y);
#endif
    operator_->apply(*restriction_, x, y);
  }
  template <class Diagonal>
  void diagonal(Diagonal const& d) const
  {
#if defined(DEAL_II_WITH_MPI)
    if (in_parts_) return in_parts_->diagonal(d);
#endif
    operator_->diagonal(*restriction_, d);
  }

private:
  Operator const* operator_;
  restriction_type const* restriction_;
#if defined(DEAL_II_WITH_MPI)
  using matrix_in_parts = global_operator<Operator, restriction_type, mpi::halo>;
  std::unique_ptr<matrix_in_parts> in_parts_;
#endif
};

#if defined(DEAL_II_WITH_MPI)
// A mesh of a process' cells and, around them, the triangulation's ghosts, which touch own cells at vertices, so that
// all small cells of a large one's face are there where this process has one of them. Ghosts' mesh nodes come from
// their processes: made by all at once.
// **Errors** argument_error, on all processes: an own cell with others behind a face that are not as large, all of the
// large one's face, or all 2^(dim - 1) parts of its own.
template <int dim>
class cells_around {
public:
  using cell_iterator = typename ::dealii::Triangulation<dim>::cell_iterator;

  // Own cells, and their mesh nodes (E, m, .., dim).
  cells_around(MPI_Comm comm, ::dealii::Triangulation<dim> const& of, std::vector<cell_iterator> const& own,
               std::vector<double> coordinates, int m)
      : own_(static_cast<index_t>(own.size())), cells_(own)
  {
    add_ghosts(comm, of, coordinates, m);
    agree_on_check(all_of{comm}, here_, [&] {
      make_mesh(coordinates, m);
      check();
    });
  }

  sumfac::mesh<dim> const& mesh() const { return *mesh_; }
  index_t elements() const { return own_; }
  index_t element(index_t i) const { return i; }
  int process(index_t e) const { return process_[static_cast<std::size_t>(e)]; }
  std::int64_t number(index_t e) const { return number_of(cell(e)); }

private:
  cell_iterator const& cell(index_t e) const { return cells_[static_cast<std::size_t>(e)]; }
  static std::int64_t number_of(cell_iterator const& cell)
  {
    return static_cast<std::int64_t>(cell->global_active_cell_index());
  }

  void add_ghosts(MPI_Comm comm, ::dealii::Triangulation<dim> const& of, std::vector<double>& coordinates, int m)
  {
    process_.assign(cells_.size(), rank_in(comm));
    std::vector<std::pair<placed_element, cell_iterator>> ghosts;  // by process and number in the whole mesh
    for (auto const& cell : of.active_cell_iterators())
      if (cell->is_ghost())
        ghosts.push_back({{static_cast<std::int64_t>(cell->subdomain_id()), number_of(cell)}, cell});
    std::sort(ghosts.begin(), ghosts.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    std::vector<placed_element> wanted;
    for (auto const& [ghost, cell] : ghosts) {
      wanted.push_back(ghost), cells_.push_back(cell);
      process_.push_back(static_cast<int>(ghost.rank));
    }
    std::map<std::int64_t, index_t> place;  // of own cells, by number
    for (index_t e = 0; e < own_; ++e) place[number(e)] = e;
    index_t const each = node_box(m, dim).all() * dim;
    auto const got = fetch_elements(comm, wanted, [&](index_t e, std::vector<std::int64_t>& list) {
      double const* const x = coordinates.data() + place.at(e) * each;
      for (index_t i = 0; i < each; ++i) list.push_back(std::bit_cast<std::int64_t>(x[i]));
    });
    for (std::int64_t const x : got) coordinates.push_back(std::bit_cast<double>(x));
  }
  void make_mesh(std::vector<double> const& coordinates, int m)
  {
    std::vector<index_t> table;
    for (auto const& of_mesh : cells_)
      for (unsigned const v : of_mesh->vertex_indices()) table.push_back(of_mesh->vertex_index(v));
    auto const all = static_cast<index_t>(cells_.size());
    mesh_ = sumfac::mesh<dim>::copy_of(
        mesh_view(element_view<dim>(coordinates.data(), all, index_t{m}, index_t{dim}), gauss_lobatto_nodes{}),
        element_view<dim>(table.data(), all, index_t{2}));
  }
  void check() const
  {
    auto const pairs = mesh_->interior_faces();
    for (index_t e = 0; e < own_; ++e)
      for (unsigned const f : cell(e)->face_indices())
        if (!cell(e)->at_boundary(f) && pairs.behind(e, static_cast<int>(f)).element < 0)
          failf(here_,
                "cell %lld has cells behind face %u of which none is as large, twice or half as large along all edges "
                "of the face (0 found, 1 or %d expected): refine cells in all directions alike",
                static_cast<long long>(e), f, 1 << (dim - 1));
  }

  static constexpr char const* here_ = "dealii::cells::with_ghosts";

  index_t own_;
  std::vector<cell_iterator> cells_;
  std::vector<int> process_;
  std::optional<sumfac::mesh<dim>> mesh_;
};
#endif

}  // namespace sumfac::detail
