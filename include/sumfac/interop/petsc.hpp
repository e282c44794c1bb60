// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// PETSc around an operator: its halo, a Mat to its solvers, and preconditioners for its KSP. Needs PETSc (3.18).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/error.hpp>
#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/elements_behind.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/petsc_null_space.hpp>
#include <sumfac/interop/detail/petsc_shell.hpp>
#include <sumfac/interop/petsc_vec.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/view/view.hpp>

#include <petscksp.h>
#include <petscsf.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET::petsc {

template <class Scalar, class Backend>
class node_exchange;

// The nodes that a process has in common with others, by a PetscSF: `owned` nodes, whose numbers in the whole mesh
// follow those of the process before, as rows of a Mat do, and ghosts, of each its number in the whole mesh.
//
// Made by all processes of the communicator at once.
// **Shapes** ghosts (ghosts): a view of integers.
// **Errors** argument_error, on all processes: a ghost that is owned, or is no node.
class halo {
public:
  template <class Scalar, class Backend>
  using exchange = node_exchange<Scalar, Backend>;

  template <class Numbers>
  halo(MPI_Comm comm, index_t owned, Numbers const& ghosts) : owned_(owned), ghosts_(ghosts.extent(0))
  {
    constexpr auto here = "petsc::halo";
    detail::check_petsc_started(here);
    detail::check_petsc(here, PetscCommDuplicate(comm, &comm_, nullptr));
    PetscLayout layout = nullptr;
    detail::check_petsc(here,
                        PetscLayoutCreateFromSizes(comm_, static_cast<PetscInt>(owned), PETSC_DETERMINE, 1, &layout));
    detail::check_petsc(here, PetscLayoutGetRange(layout, &first_, nullptr));
    for (index_t i = 0; i < ghosts_; ++i) numbers_.push_back(static_cast<PetscInt>(ghosts(i)));
    agree_on_numbers(layout, numbers_);
    detail::check_petsc(here, PetscSFCreate(comm_, &sf_));
    detail::check_petsc(here, PetscSFSetGraphLayout(sf_, layout, static_cast<PetscInt>(ghosts_), nullptr,
                                                    PETSC_COPY_VALUES, numbers_.data()));
    detail::check_petsc(here, PetscSFSetUp(sf_));
    detail::check_petsc(here, PetscLayoutDestroy(&layout));
  }
  // The halo of some of these nodes, or of what each has so many of, in their order: chosen (nodes each) is not 0 where
  // one is, on its owner, too.
  template <class Chosen>
  halo subset(Chosen const& chosen, int each = 1) const
  {
    constexpr auto here = "petsc::halo::subset";
    PetscInt const count = chosen_of(chosen, 0, owned_ * each);
    PetscInt next = 0;
    MPI_Exscan(&count, &next, 1, MPIU_INT, MPI_SUM, comm_);
    std::vector<PetscInt> own, theirs(static_cast<std::size_t>(ghosts_ * each)), ghosts;
    for (index_t i = 0; i < owned_ * each; ++i) own.push_back(chosen(i) != 0 ? next++ : -1);
    MPI_Datatype numbers = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(each, MPIU_INT, &numbers);
    MPI_Type_commit(&numbers);
    detail::check_petsc(here, PetscSFBcastBegin(sf_, numbers, own.data(), theirs.data(), MPI_REPLACE));
    detail::check_petsc(here, PetscSFBcastEnd(sf_, numbers, own.data(), theirs.data(), MPI_REPLACE));
    MPI_Type_free(&numbers);
    for (index_t i = 0; i < ghosts_ * each; ++i)
      if (chosen(owned_ * each + i) != 0) ghosts.push_back(theirs[static_cast<std::size_t>(i)]);
    return halo(comm_, count, view<PetscInt const, dextents<1>>(ghosts.data(), static_cast<index_t>(ghosts.size())));
  }
  // For subdomains with overlap: see halo_with_elements.
  template <class Table>
  numbered_nodes elements_behind(Table const& table) const
  {
    return detail::nodes_behind(comm_, "petsc::halo::elements_behind", table, *this);
  }
  halo with_ghosts(numbered_nodes const& more) const
  {
    std::vector<PetscInt> all = numbers_;
    for (std::int64_t const number : more.number) all.push_back(static_cast<PetscInt>(number));
    return halo(comm_, owned_, view<PetscInt const, dextents<1>>(all.data(), static_cast<index_t>(all.size())));
  }
  halo(halo const&) = delete;
  halo& operator=(halo const&) = delete;
  ~halo()
  {
    PetscSFDestroy(&sf_);
    PetscCommDestroy(&comm_);
  }

  index_t owned() const { return owned_; }
  index_t ghosts() const { return ghosts_; }
  PetscInt number(index_t node) const  // in the whole mesh, of a row of its own
  {
    return node < owned_ ? first_ + static_cast<PetscInt>(node) : numbers_[static_cast<std::size_t>(node - owned_)];
  }
  int owner(index_t node) const  // its process
  {
    if (node < owned_) return detail::rank_in(comm_);
    PetscSFNode const* of_ghosts = nullptr;
    detail::check_petsc("petsc::halo", PetscSFGetGraph(sf_, nullptr, nullptr, nullptr, &of_ghosts));
    return static_cast<int>(of_ghosts[node - owned_].rank);
  }
  MPI_Comm communicator() const { return comm_; }
  PetscSF sf() const { return sf_; }

  // For vector_ops and solvers of sumfac's own; refers to the halo.
  sumfac::reduction reduction() const { return detail::reduction_over(comm_); }
  void agree(char const* where, char const* problem) const { detail::agree_on(comm_, where, problem); }
  // That components of a node are side by side, as PETSc's blocks have them.
  void agree_on_blocks(char const* where, int components, interleaving lie) const
  {
    bool const apart = components > 1 && lie != interleaving::fastest;
    agree(where, apart
                     ? "components of a node lie apart (interleaving::slowest): PETSc's blocks are of components side "
                       "by side: make the restriction with interleaving::fastest"
                     : "");
  }

private:
  template <class Chosen>
  static PetscInt chosen_of(Chosen const& chosen, index_t first, index_t last)
  {
    PetscInt count = 0;
    for (index_t i = first; i < last; ++i) count += chosen(i) != 0 ? 1 : 0;
    return count;
  }
  void agree_on_numbers(PetscLayout layout, std::vector<PetscInt> const& numbers) const
  {
    PetscInt first = 0, last = 0, all = 0;
    PetscLayoutGetRange(layout, &first, &last);
    PetscLayoutGetSize(layout, &all);
    detail::first_problem text;
    for (std::size_t i = 0; i < numbers.size() && !text.found(); ++i) {
      auto const number = static_cast<long long>(numbers[i]);
      if (numbers[i] < 0 || numbers[i] >= all)
        text.say("ghost %lld is no node (number %lld, 0 to %lld expected)", static_cast<long long>(i), number,
                 static_cast<long long>(all) - 1);
      else if (numbers[i] >= first && numbers[i] < last)
        text.say("ghost %lld is owned here (number %lld, %lld to %lld are)", static_cast<long long>(i), number,
                 static_cast<long long>(first), static_cast<long long>(last) - 1);
    }
    agree("petsc::halo", text);
  }

  index_t owned_, ghosts_;
  PetscInt first_ = 0;
  std::vector<PetscInt> numbers_;  // of ghosts
  MPI_Comm comm_ = MPI_COMM_NULL;
  PetscSF sf_ = nullptr;
};

// An exchange of vectors by a halo's PetscSF; made by distributed.
template <class Scalar, class Backend>
class node_exchange {
  static_assert(std::is_same_v<Scalar, PetscScalar>,
                "sumfac::petsc::halo: the operator's scalar type must be PetscScalar");
  static_assert(runs_on_host<Backend>,
                "sumfac::petsc::halo: only vectors in the host's memory are exchanged: take sumfac::mpi::halo");

public:
  node_exchange(halo const& nodes, Backend const&, int components, interleaving lie)
  {
    nodes.agree_on_blocks("petsc::halo", components, lie);
    repeat(nodes.sf(), components);
  }
  node_exchange(node_exchange const&) = delete;
  node_exchange& operator=(node_exchange const&) = delete;
  ~node_exchange() { PetscSFDestroy(&sf_); }

  void begin_update(Scalar const* x, Scalar* ghosts)
  {
    logged([&] { return PetscSFBcastBegin(sf_, MPIU_SCALAR, x, ghosts, MPI_REPLACE); });
  }
  void end_update(Scalar const* x, Scalar* ghosts)
  {
    logged([&] { return PetscSFBcastEnd(sf_, MPIU_SCALAR, x, ghosts, MPI_REPLACE); });
  }
  void begin_add(Scalar const* ghosts, Scalar* y)
  {
    logged([&] { return PetscSFReduceBegin(sf_, MPIU_SCALAR, ghosts, y, MPI_SUM); });
  }
  void end_add(Scalar const* ghosts, Scalar* y)
  {
    logged([&] { return PetscSFReduceEnd(sf_, MPIU_SCALAR, ghosts, y, MPI_SUM); });
  }
  void progress() {}
  void begins(elements_at part) { events_.begin(event_of(part)); }
  void ends(elements_at part) { events_.end(event_of(part)); }

private:
  template <class Function>
  void logged(Function const& f)
  {
    detail::petsc_logged const log(events_, detail::petsc_event::halo);
    detail::check_petsc("petsc::halo", f());
  }
  static detail::petsc_event event_of(elements_at part)
  {
    return part == elements_at::interior ? detail::petsc_event::interior : detail::petsc_event::boundary;
  }
  // The graph of nodes for each of their components: with a type of several numbers PETSc allocates each time.
  void repeat(PetscSF of_nodes, int components)
  {
    constexpr auto here = "petsc::halo";
    PetscInt roots = 0, leaves = 0;
    PetscSFNode const* remote = nullptr;
    detail::check_petsc(here, PetscSFGetGraph(of_nodes, &roots, &leaves, nullptr, &remote));
    std::vector<PetscSFNode> all;
    for (PetscInt i = 0; i < leaves; ++i)
      for (PetscInt c = 0; c < components; ++c)
        all.push_back({remote[i].rank, static_cast<PetscInt>(remote[i].index * components + c)});
    MPI_Comm const comm = PetscObjectComm(reinterpret_cast<PetscObject>(of_nodes));
    detail::check_petsc(here, PetscSFCreate(comm, &sf_));
    detail::check_petsc(here, PetscSFSetGraph(sf_, roots * components, leaves * components, nullptr, PETSC_COPY_VALUES,
                                              all.data(), PETSC_COPY_VALUES));
    detail::check_petsc(here, PetscSFSetUp(sf_));
  }

  detail::petsc_events events_;
  PetscSF sf_ = nullptr;
};

struct shell_options {
  bool symmetric = false;  // whether the form is: the Mat is said to be, and has MatMultTranspose
  sumfac::overlap overlap = sumfac::overlap::both;
};

}  // namespace sumfac::petsc

namespace sumfac::SUMFAC_TARGET::detail {

// A base, so that bases behind it may refer to the matrix.
template <class Matrix>
struct own_matrix {
  template <class... Arguments>
  explicit own_matrix(Arguments const&... of) : made(of...)
  {
  }
  Matrix made;
};

}  // namespace sumfac::detail

namespace sumfac::SUMFAC_TARGET::petsc {

// A Mat that applies an operator: MatMult, MatMultAdd and MatGetDiagonal; MatMultTranspose where it is symmetric;
// MatDuplicate is refused. Its rows are the halo's owned nodes, C for each, which is its block size. -log_view says
// what it takes: sumfacApply, and with a petsc::halo sumfacHalo, sumfacInterior and sumfacBoundary of that.
//
// An operator on a device, which has an mpi::halo, takes a Vec in a device's memory as it is; one in the host's is
// copied. PETSc copies a Vec on a device for an operator on the host.
// Refers to operator, restriction and halo, which must live as long, and the Mat to this: where a KSP keeps it longer,
// it refuses with a diagnostic. What these throw becomes an error of PETSc's with the same text.
// **Errors** argument_error as of global_operator; backend_error for what PETSc says.
template <class Operator, class Restriction, class Halo>
class shell : detail::own_matrix<global_operator<Operator, Restriction, Halo>>,
              public detail::matrix_mat<global_operator<Operator, Restriction, Halo>> {
public:
  using matrix_type = global_operator<Operator, Restriction, Halo>;
  static_assert(std::is_same_v<typename Operator::scalar_type, PetscScalar>,
                "sumfac::petsc::shell: the operator's scalar type must be PetscScalar");
  static_assert(runs_on_host<typename Operator::backend_type> || detail::is_device<typename Operator::backend_type>,
                "sumfac::petsc::shell: the operator must be one on the host or on a device");

  shell(Operator const& a, Restriction const& r, Halo const& halo, shell_options const& options = {})
      : detail::own_matrix<matrix_type>(a, r, halo, distributed_options{.overlap = options.overlap}),
        detail::matrix_mat<matrix_type>("petsc::shell", this->made, halo.communicator(), options.symmetric)
  {
  }
  shell(Operator const&&, Restriction const&, Halo const&, shell_options const& = {}) = delete;
  shell(Operator const&, Restriction const&&, Halo const&, shell_options const& = {}) = delete;
  shell(Operator const&, Restriction const&, Halo const&&, shell_options const& = {}) = delete;
};

template <class Operator, class Restriction, class Halo>
shell(Operator const&, Restriction const&, Halo const&, shell_options const& = {})
    -> shell<Operator, Restriction, Halo>;

// The same of a matrix that is made already, as a sum of operators on a mesh in parts or a block_operator: anything
// with apply(x, y), diagonal(d), size(), backend(), and a halo() by which it knows the processes. Its block size is
// what a restriction() says, else 1. Of a block_operator each process has its entries of the first unknown, then of the
// second. Refers to it, which must live as long.
template <class Matrix>
class matrix_shell : public detail::matrix_mat<Matrix> {
public:
  static_assert(std::is_same_v<typename Matrix::scalar_type, PetscScalar>,
                "sumfac::petsc::matrix_shell: the matrix' scalar type must be PetscScalar");
  static_assert(detail::has_halo<Matrix>,
                "sumfac::petsc::matrix_shell: the matrix must be of a mesh in parts: "
                "sumfac::sum{part{A, R, halo}, part{B, on_faces, halo}}");

  explicit matrix_shell(Matrix const& a, shell_options const& options = {})
      : detail::matrix_mat<Matrix>("petsc::matrix_shell", a, a.halo().communicator(), options.symmetric)
  {
  }
  explicit matrix_shell(Matrix const&&, shell_options const& = {}) = delete;
};

// Makes a PC apply one of sumfac's preconditioners, multigrid, chebyshev_smoother or anything with apply(r, z) const,
// to the entries of this process. Refers to it, and the PC to this: both must live until the PC's last call. A PC that
// is called behind that refuses with a diagnostic.
template <class Preconditioner>
class preconditioner {
public:
  preconditioner(PC pc, Preconditioner const& p) : preconditioner_(&p)
  {
    constexpr auto here = "petsc::preconditioner";
    detail::check_petsc_started(here);
    pc_.set(here, pc, "sumfac", this);
    detail::check_petsc(here, PCShellSetApply(pc, apply));
  }
  preconditioner(PC, Preconditioner const&&) = delete;
  preconditioner(preconditioner const&) = delete;
  preconditioner& operator=(preconditioner const&) = delete;

private:
  static PetscErrorCode apply(PC pc, Vec r, Vec z)
  {
    return detail::petsc_result("petsc::preconditioner", [&] {
      auto const& self = detail::shell_pc::of<preconditioner>("petsc::preconditioner", pc);
      read_array const from(r);
      write_array const to(z);
      self.preconditioner_->apply(from.view(), to.view());
    });
  }

  Preconditioner const* preconditioner_;
  detail::shell_pc pc_;
};

}  // namespace sumfac::petsc
