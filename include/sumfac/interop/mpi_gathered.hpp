// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The last level of multigrid on fewer processes than have parts of the mesh.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/error.hpp>
#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/gathered_meshes.hpp>
#include <sumfac/interop/detail/gathered_rows.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/coarse_solve.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/view/view.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// The solver on a head, and the matrix that it has there: conjugate gradients or GMRES on the rows that heads share, or
// what a user makes of all of them on one.
template <class Level, class Solver>
class solver_on_head {
  using Scalar = typename Level::scalar_type;
  static constexpr bool is_ours = own_coarse_solver<Solver> || std::is_same_v<Solver, coarse_chebyshev>;
  using const_vector = view<Scalar const, dextents<1>>;
  using vector = view<Scalar, dextents<1>>;

public:
  // What each process tells of its elements, by the rank that it comes from.
  static auto tell(process_groups const& groups, Level const& level, Solver const&)
  {
    return told_rows(groups, level.matrix());
  }
  // Which ranks may begin a group.
  static std::vector<bool> begins(Level const& level, Solver const&)
  {
    return std::vector<bool>(static_cast<std::size_t>(processes_in(level.matrix().halo().communicator())), is_ours);
  }
  solver_on_head(Solver const& solver, Level const& level, process_groups const& groups,
                 std::vector<std::int64_t> const& number, std::vector<std::vector<std::int64_t>> const& told)
      : rows_(groups.heads(), host_of(level.backend()), number, told), solve_(made(rows_, solver))
  {
  }

  solve_result solve(Scalar const* b, Scalar* x) const
  {
    solve_result result;
    result.status = solve_status::converged;
    const_vector const from(b, rows_.size());
    vector const to(x, rows_.size());
    if constexpr (is_ours) {
      index_t const failed = solve_->solves().failed;
      (*solve_)(b, x);
      return outcome_of(solve_->solves(), failed);
    } else if constexpr (std::same_as<decltype(solve_->apply(from, to)), solve_result>) {
      return solve_->apply(from, to);
    } else {
      solve_->apply(from, to);
    }
    return result;
  }
  // What it is, behind the processes that it is on, for explain().
  formatted text() const
  {
    if constexpr (requires {
                    { solve_->text() } -> std::same_as<formatted>;
                  })
      return formatted(", by %s", solve_->text().c_str());
    else
      return {};
  }

private:
  static auto made(gathered_rows<Scalar> const& rows, Solver const& solver)
  {
    if constexpr (is_ours) {
      using made_type = coarse_solve<level_of_matrix<gathered_rows<Scalar>>, Solver>;
      return own_pointer<made_type>(new made_type(level_of_matrix<gathered_rows<Scalar>>{&rows}, Solver(solver)));
    } else {
      using made_type = decltype(solver(rows.entries()));
      return own_pointer<made_type>(new made_type(solver(rows.entries())));
    }
  }

  gathered_rows<Scalar> rows_;
  decltype(made(std::declval<gathered_rows<Scalar> const&>(), std::declval<Solver const&>())) solve_;
};

template <class Level, class Solver>
struct head_of {
  using type = solver_on_head<Level, Solver>;
};
template <class Level, solves_on_meshes Solver>
struct head_of<Level, Solver> {
  using type = meshes_on_head<Level, Solver>;
};

// The coarse solver that multigrid calls on all processes.
template <class Level, class Solver>
class gathered_solve {
  using scalar = typename Level::scalar_type;

public:
  // On heads that have so many unknowns each, or more.
  gathered_solve(Level const& level, Solver const& solver, index_t least)
      : backend_(level.backend()),
        size_(level.size()),
        solver_(solver),
        groups_(new process_groups(level.matrix().halo().communicator(), size_, least,
                                   on_head_type::begins(level, solver))),
        own_(static_cast<std::size_t>(size_) + process_groups::reports),
        b_(static_cast<std::size_t>(groups_->total())),
        x_(b_.size()),
        sent_(b_.size() + static_cast<std::size_t>(process_groups::reports * groups_->members()))
  {
    update(level);
  }

  solve_result operator()(view<scalar const, dextents<1>> r, view<scalar, dextents<1>> z) const
  {
    scalar const* mine = r.data();
    if constexpr (is_device<backend_type>) {
      backend_.copy(mine, own_.data(), size_);
      backend_.synchronize();
      mine = own_.data();
    }
    groups_->gather(mine, b_.data());
    scalar report[process_groups::reports] = {};
    first_problem const problem = groups_->on_head(process_groups::heads_are::solving, [&] {
      solve_result const result = on_head_->solve(b_.data(), x_.data());
      report[0] = static_cast<scalar>(result.status), report[1] = static_cast<scalar>(result.iterations);
      report[2] = static_cast<scalar>(result.initial_residual), report[3] = static_cast<scalar>(result.residual);
    });
    if (problem.found()) report[0] = threw;
    groups_->scatter(x_.data(), report, sent_.data(), own_.data());
    scalar const* const told = own_.data() + size_;
    if (told[0] == threw) agree_on(groups_->all(), "mpi::gathered", problem);
    if constexpr (is_device<backend_type>) {
      backend_.copy(own_.data(), z.data(), size_);
      backend_.synchronize();
    } else {
      std::copy(own_.begin(), own_.begin() + size_, z.data());
    }
    solve_result result;
    result.solver = "mpi::gathered";
    result.status = static_cast<solve_status>(static_cast<int>(told[0]));
    result.iterations = static_cast<index_t>(told[1]);
    result.initial_residual = static_cast<double>(told[2]), result.residual = static_cast<double>(told[3]);
    return result;
  }

  // Gathers the matrix that the level has become. Where that is refused the former stays.
  void update(Level const& level)
  {
    auto const told = on_head_type::tell(*groups_, level, solver_);
    auto const own = numbers_of_entries(level.matrix());
    std::vector<std::int64_t> number(b_.size());
    groups_->gather(own.data(), number.data());
    own_pointer<on_head_type const> made;
    first_problem const problem = groups_->on_head(process_groups::heads_are::making, [&] {
      made = own_pointer<on_head_type const>(new on_head_type(solver_, level, *groups_, number, told));
    });
    agree_on(groups_->all(), "mpi::gathered", problem);
    on_head_ = std::move(made);
    text_ = groups_->text_of_head(on_head_.empty() ? formatted() : on_head_->text());
  }

  formatted text() const  // for explain()
  {
    return formatted("%s on %d of %d processes%s", solves_on_meshes<Solver> ? "multigrid of coarser meshes" : "solved",
                     groups_->count(), processes_in(groups_->all()), text_.c_str());
  }

private:
  using backend_type = typename Level::backend_type;
  using on_head_type = typename head_of<Level, Solver>::type;
  static constexpr scalar threw = -1;  // reported in place of a status

  backend_type backend_;
  index_t size_;
  Solver solver_;
  own_pointer<process_groups> groups_;
  mutable std::vector<scalar> own_, b_, x_, sent_;
  own_pointer<on_head_type const> on_head_;
  formatted text_;
};

}  // namespace sumfac::detail

namespace sumfac::SUMFAC_TARGET::mpi {

// As the solver of `gathered`: a cycle of multigrid on fewer processes, over the mesh of the last level and all meshes
// that this was cut from, of which each process has its space whole, also those that no list of elements leaves whole:
//
//     sumfac::multigrid const P{sumfac::p_levels<4, 2, 1>(L, part.mesh(1)), {},
//                               sumfac::mpi::gathered{sumfac::mpi::coarser_meshes{part}, 1000}};
//
// has degrees 4, 2 and 1 on the mesh and 1 on the next coarser one on all processes. From this last level on, which is
// smoothed there, the first process of each group of neighbouring ranks has the group's elements, over as many coarser
// meshes as leave each of these processes 1000 unknowns; then they are in groups in turn, and so on. Groups
// have the elements of the next mesh whole. One process has the last meshes, and solves on the coarsest one by
// `coarse`. Iterations are those of one process. Refers to the part, whose matrix that is; it must live as long.
// Coefficients by element and by point are carried there as numbers in double.
// **Errors** argument_error, on all processes: levels of another mesh, one that hangs; nodes that are another process'
// in the matrix than in the part; coefficients in a device's memory.
template <class Part, class Smoother = chebyshev, class Coarse = coarse_cg>
struct coarser_meshes {
  explicit coarser_meshes(Part const& of, multigrid_options<Smoother> const& cycle = {}, Coarse last = {})
      : part(&of), options(cycle), coarse(std::move(last))
  {
  }
  coarser_meshes(Part const&&, multigrid_options<Smoother> const& = {}, Coarse = {}) = delete;

  Part const* part;
  multigrid_options<Smoother> options;
  Coarse coarse;
};

// Solves on multigrid's last level on fewer processes, as its third argument, for a matrix in parts with an mpi::halo:
//
//     sumfac::multigrid const P{sumfac::p_levels<4, 2, 1>(L, part), {}, sumfac::mpi::gathered{}};
//
// Processes of neighbouring ranks send their entries to one of them, as many as leave each with `unknowns` at least, or
// one where there are fewer in all. These have the rows of the assembled matrix and solve as `solver` says, a
// coarse_cg, coarse_chebyshev or coarse_gmres; then they send back what they have found. Or `solver` makes of all rows
// what has apply(r, z), called as solver(csr_matrix) on one process, as [](auto const& a) { return eigen_ldlt(a); };
// coarser_meshes is multigrid there, over the heads' elements.
// On devices the rows, and what solves, are on the host.
//
// The default: an iteration on k processes of N unknowns takes c N / k + a log2 k, with c the time of a row and a what
// a sum costs more with each doubling of the processes; that is least for N / k = a / (c ln 2). Of 3 us, which
// bench/scaling/model.py assumes, and a row of 27 entries of 16 bytes at 10 GB/s these are 100 unknowns. That leaves
// out the messages to neighbours; so it is 256, on less than half of the processes, which by the formula cost 3 us
// more.
// **Work** of making or updating it, that of assemble() and a sort of its entries; of a solve two messages for each
// doubling of the processes that share a head.
// **Errors** argument_error, on all processes, for fewer unknowns than 1, more than an int counts, a tolerance or a
// number of iterations below 0, and with the text of what the solver throws, also in a solve, and of rows that do not
// fit a process' memory. What one of several processes that solve throws alone ends all with its text: the others wait
// for its messages.
template <class Solver = coarse_cg>
struct gathered {
  Solver solver = {};
  index_t unknowns = 256;

  template <class Level>
  auto make(Level const& level) const
  {
    constexpr bool ours = detail::needs_symmetry<Solver> || std::is_same_v<Solver, coarse_gmres>;
    using scalar = typename Level::scalar_type;
    constexpr bool fits = std::derived_from<detail::halo_of_matrix<typename Level::matrix_type>, halo>;
    static_assert(fits,
                  "sumfac::mpi::gathered: the levels must be those of a matrix with an mpi::halo: of one process take "
                  "the solver itself, or sumfac::assemble");
    constexpr bool on_meshes = detail::knows_whole_mesh<Solver>;
    static_assert(ours || on_meshes || std::is_invocable_v<Solver const&, csr_matrix<scalar> const&>,
                  "sumfac::mpi::gathered: the solver must be a sumfac::coarse_cg, coarse_chebyshev or coarse_gmres, a "
                  "coarser_meshes, or be called as solver(csr_matrix) for what has apply(r, z) const");
    static_assert(!on_meshes || !detail::is_sum_matrix<typename Level::matrix_type>,
                  "sumfac::mpi::coarser_meshes: the last level is a sum, of which levels end with the degrees: take a "
                  "solver of the rows");
    constexpr auto here = "mpi::gathered";
    detail::first_problem problem;
    if (unknowns < 1)
      problem.say("the unknowns of a process are below 1 (got %lld, at least 1 expected)",
                  static_cast<long long>(unknowns));
    auto least = static_cast<std::int64_t>(unknowns);
    detail::combine_all(level.matrix().halo().communicator(), MPI_MIN, &least, 1);
    if (least != unknowns)
      problem.say("the unknowns of a process are not the same on all (got %lld, and %lld on another one)",
                  static_cast<long long>(unknowns), static_cast<long long>(least));
    if constexpr (ours)
      if (!(solver.tolerance >= 0))
        problem.say("the solver's tolerance is not positive or 0 (got %g)", solver.tolerance);
    if constexpr (ours && requires { solver.iterations; })
      if (solver.iterations < 0)
        problem.say("the solver's number of iterations is negative (got %lld, at least 0 expected)",
                    static_cast<long long>(solver.iterations));
    level.matrix().halo().agree(here, problem);
    if constexpr (on_meshes)
      return detail::meshes_of(solver, unknowns).make(level);
    else
      return detail::gathered_solve<Level, Solver>(level, solver, unknowns);
  }
};

template <class Solver>
gathered(Solver) -> gathered<Solver>;
template <class Solver>
gathered(Solver, index_t) -> gathered<Solver>;

}  // namespace sumfac::mpi
