// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Processes that share a DoFHandler's unknowns: errors that all throw, and an operator's product on one or on several.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/error.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/view/view.hpp>

#include <deal.II/base/config.h>
#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/partitioner.h>

#if defined(DEAL_II_WITH_MPI)
#include <sumfac/interop/mpi.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
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
  int started = 0;  // which deal.II's distributed vectors ask for on one process, too
  MPI_Initialized(&started);
  if (started == 0) fail(where, "MPI is not started: make a dealii::Utilities::MPI::MPI_InitFinalize first");
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
    std::vector<int> owner(static_cast<std::size_t>(owned_),
                           static_cast<int>(::dealii::Utilities::MPI::this_mpi_process(comm_)));
    std::vector<std::int64_t> numbers;
    for (index_t i = 0; i < owned_; ++i)
      numbers.push_back(static_cast<std::int64_t>(owned.nth_index_in_set(static_cast<number>(i * components_))));
    for (auto const& [rank, entries] : partitioner_->ghost_targets())
      owner.insert(owner.end(), entries / static_cast<unsigned>(components_), static_cast<int>(rank));
    numbers.insert(numbers.end(), ghosts.begin(), ghosts.end());
    auto const view_of = [](auto const& list) {
      using entry = typename std::decay_t<decltype(list)>::value_type;
      return view<entry const, dextents<1>>(list.data(), static_cast<index_t>(list.size()));
    };
    halo_ = std::make_unique<mpi::halo>(comm_, view_of(owner), view_of(numbers));
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

}  // namespace sumfac::detail
