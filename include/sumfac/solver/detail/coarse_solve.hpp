// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What solves on the last level of multigrid: conjugate gradients, a fixed polynomial, GMRES, or what a user has.
#pragma once

#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/noise.hpp>
#include <sumfac/solver/detail/spectrum.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

template <class Amg, class Level>
class amg_or_cg;
template <class Matrix>
struct level_of_matrix;
template <class Level>
class amg_cycle;

}  // namespace detail

// Conjugate gradients with Jacobi's preconditioner on the last level, to a residual of `tolerance` times the first: for
// symmetric matrices; others are refused when multigrid is made.
struct coarse_cg {
  double tolerance = 1e-2;
  index_t iterations = 1000;
};

// Chebyshev's polynomial that takes all eigenvalues of the last level's matrix to `tolerance` times what they were:
// always the same applications, symmetric, and nothing to wait for. For symmetric matrices, as coarse_cg.
//
// Lanczos' method bounds the eigenvalues when multigrid is made. One below what it finds, which is none that a right
// side of random numbers has much of, is reduced less.
struct coarse_chebyshev {
  static constexpr bool only_queues = true;
  double tolerance = 0.1;
};

// By GMRES, for matrices that need not be symmetric.
struct coarse_gmres {
  double tolerance = 1e-2;
  index_t iterations = 1000;
  int restart = 30;
};

// An algebraic multigrid of the assembled last level, Amg, as sumfac::boomer_amg or sumfac::petsc::gamg, where that is
// measured to pay on the host: from `unknowns` there and `right_sides` to solve on; else `otherwise`. explain(P) says
// which it is.
//
//     sumfac::multigrid const P{std::move(levels), {}, sumfac::coarse_amg<sumfac::boomer_amg>{.right_sides = 10}};
//
// On devices Amg is set up on the host, and its levels, Amg's levels(), are copied to the device, where a V-cycle goes
// over them that queues its work and waits for nothing: smoothed by `smoother` on each, down to a level of `inverted`
// rows or fewer, which has its inverse there. It is in the level's numbers. From what on it pays is the host's.
//
// For whole meshes; in parts mpi::gathered{coarse_amg<...>{}} has all unknowns of the last level on one process, on the
// host. Amg's own options are its defaults.
template <class Amg>
struct coarse_amg {
  static constexpr bool only_queues = true;  // on devices
  index_t right_sides = 1;                   // of how many that are solved one behind the other
  index_t unknowns = 8000, pays_from = 5;
  coarse_cg otherwise = {};
  coarse_chebyshev otherwise_on_device = {};
  chebyshev smoother = {.degree = 2};  // on devices
  index_t inverted = 256;              // on devices

  bool pays(index_t of_level) const { return of_level >= unknowns && right_sides >= pays_from; }
  template <class Level>
  auto make(Level const& level) const
  {
    return detail::amg_or_cg<Amg, Level>(level, *this);
  }
  template <class Scalar>
  auto operator()(csr_matrix<Scalar> const& a) const
  {
    return detail::amg_or_cg<Amg, detail::level_of_matrix<csr_matrix<Scalar>>>({&a}, *this);
  }
};

namespace detail {

// Adds to the record of solves how one more ended.
inline void count_solve(inner_solves& of, solve_result const& one)
{
  ++of.count;
  if (one) return;
  ++of.failed;
  of.status = one.status, of.iterations = one.iterations, of.solver = one.solver;
  of.initial_residual = one.initial_residual, of.residual = one.residual;
}

// How a solve ended, by the record, in which `failed` had failed before.
inline solve_result outcome_of(inner_solves const& of, index_t failed)
{
  solve_result result;
  result.status = solve_status::converged;
  if (of.failed == failed) return result;
  result.status = of.status, result.iterations = of.iterations;
  result.initial_residual = of.initial_residual, result.residual = of.residual;
  return result;
}

// A solver of the user's own. Where it returns a solve_result, that is counted.
template <class Level, class Coarse>
class coarse_solve {
  using scalar = typename Level::scalar_type;
  using vector = view<scalar, dextents<1>>;
  using const_vector = view<scalar const, dextents<1>>;

public:
  coarse_solve(Level const& level, Coarse&& coarse) : size_(level.size()), coarse_(std::move(coarse))
  {
    static_assert(called || applied,
                  "sumfac::multigrid: the coarse solver must be a sumfac::coarse_cg, coarse_chebyshev or coarse_gmres, "
                  "or be called as coarse(r, z) const with views of rank 1 of the last level's entries, or make(level) "
                  "what is, or be the address of what has apply(r, z) const");
    if constexpr (requires { static_cast<index_t>(coarse_->size()); })
      check_equal("multigrid", "size of the coarse solver", size_, static_cast<index_t>(coarse_->size()));
  }

  void operator()(scalar const* b, scalar* x) const
  {
    if constexpr (called)
      count([&] { return coarse_(const_vector(b, size_), vector(x, size_)); });
    else if constexpr (applied)
      count([&] { return coarse_->apply(const_vector(b, size_), vector(x, size_)); });
  }

  inner_solves const& solves() const { return solves_; }
  void update(Level const& level)
  {
    if constexpr (requires { coarse_.update(level); }) coarse_.update(level);
  }
  // What it is, for explain().
  formatted text() const
  {
    if constexpr (requires { coarse_.text(); })
      return coarse_.text();
    else
      return formatted("a solver of your own");
  }

private:
  static constexpr bool called = std::is_invocable_v<Coarse const&, const_vector, vector>;
  static constexpr bool applied = requires(Coarse const& c, const_vector r, vector z) { c->apply(r, z); };

  template <class Solve>
  void count(Solve const& solve) const
  {
    if constexpr (std::is_same_v<decltype(solve()), solve_result>)
      count_solve(solves_, solve());
    else
      static_cast<void>(solve());
  }

  index_t size_;
  Coarse coarse_;
  mutable inner_solves solves_;
};

// One that is made of the level, as smoothers are.
template <class Level, class Coarse>
  requires requires(Coarse const& c, Level const& level) { c.make(level); }
class coarse_solve<Level, Coarse>
    : public coarse_solve<Level, decltype(std::declval<Coarse const&>().make(std::declval<Level const&>()))> {
  using made = decltype(std::declval<Coarse const&>().make(std::declval<Level const&>()));

public:
  coarse_solve(Level const& level, Coarse const& coarse) : coarse_solve<Level, made>(level, coarse.make(level)) {}
};

inline constexpr char const* use_coarse_gmres =
    "take sumfac::coarse_gmres, as in multigrid{std::move(levels), {}, sumfac::coarse_gmres{}}, and sumfac::gmres "
    "around it";

// That a level's matrix is symmetric, looked at whenever the matrix has changed.
template <class Level>
class demanded_symmetry {
  using matrix = typename Level::matrix_type;
  using scalar = typename Level::scalar_type;

public:
  explicit demanded_symmetry(Level const& level) : matrix_(&level.matrix()), watch_(level.matrix()) {}

  // `what` is said of one that is not.
  void demand(char const* what, jacobi<scalar, typename Level::backend_type> const& inner) const
  {
    if (matrix_->size() > 0 || reduction_of(*matrix_).add_up != nullptr)
      refuse_without_symmetry("multigrid", watch_.look(inner.inverse()), what, use_coarse_gmres);
  }

private:
  matrix const* matrix_;
  symmetry_watch<matrix, scalar> watch_;
};

template <class Coarse>
concept own_coarse_solver = std::is_same_v<Coarse, coarse_cg> || std::is_same_v<Coarse, coarse_gmres>;

template <class Level, own_coarse_solver Coarse>
class coarse_solve<Level, Coarse> {
  using scalar = typename Level::scalar_type;
  using backend = typename Level::backend_type;
  static constexpr bool by_cg = std::is_same_v<Coarse, coarse_cg>;
  using options_type = std::conditional_t<by_cg, cg_options, gmres_options>;
  using workspace_type = std::conditional_t<by_cg, cg_workspace<scalar, backend>, gmres_workspace<scalar, backend>>;

public:
  coarse_solve(Level const& level, Coarse const& options)
      : matrix_(&level.matrix()),
        options_{.iterations = options.iterations, .tolerance = options.tolerance},
        jacobi_(level.make_jacobi()),
        ops_(level.backend(), level.size()),
        workspace_(made(level, options))
  {
    if constexpr (by_cg) {
      symmetry_ = own_pointer<demanded_symmetry<Level> const>(new demanded_symmetry<Level>(level));
      symmetry_->demand("coarse_cg cannot solve on the last level, whose matrix is not symmetric", jacobi_);
    }
  }

  // Where it fails x is the last iterate: the outer solver sees what comes of that, and solves() counts it.
  void operator()(scalar const* b, scalar* x) const
  {
    view<scalar const, dextents<1>> const from(b, matrix_->size());
    view<scalar, dextents<1>> const to(x, matrix_->size());
    if (is_empty()) return;
    ops_.fill(scalar{0}, to);
    count_solve(solves_, solve(from, to));
  }

  inner_solves const& solves() const { return solves_; }
  void update(Level const& level)
  {
    jacobi_.update(level.matrix());
    if constexpr (by_cg)
      symmetry_->demand("coarse_cg cannot go on on the last level, whose matrix is no longer symmetric", jacobi_);
  }

private:
  static workspace_type made(Level const& level, Coarse const& options)
  {
    if constexpr (by_cg)
      return workspace_type(level.backend(), level.size(), reduction_of(level.matrix()));
    else
      return workspace_type(level.backend(), level.size(), options.restart, reduction_of(level.matrix()));
  }

  bool is_empty() const { return matrix_->size() == 0 && reduction_of(*matrix_).add_up == nullptr; }

  template <class From, class To>
  solve_result solve(From const& from, To const& to) const
  {
    if constexpr (!by_cg)
      return gmres(*matrix_, from, to, jacobi_, options_, no_monitor{}, workspace_);
    else if constexpr (runs_on_host<backend> && merges<typename Level::matrix_type>)
      return merged_cg(*matrix_, from, to, jacobi_, options_, no_monitor{}, workspace_);
    else
      return cg(*matrix_, from, to, jacobi_, options_, no_monitor{}, workspace_);
  }

  typename Level::matrix_type const* matrix_;
  options_type options_;
  jacobi<scalar, backend> jacobi_;
  vector_ops<scalar, backend> ops_;
  mutable workspace_type workspace_;
  mutable inner_solves solves_;
  own_pointer<demanded_symmetry<Level> const> symmetry_;  // of coarse_cg
};

// Nothing is counted: a polynomial does not fail.
template <class Level>
class coarse_solve<Level, coarse_chebyshev> {
  using scalar = typename Level::scalar_type;
  using jacobi_type = jacobi<scalar, typename Level::backend_type>;
  using smoother_type = chebyshev_smoother<typename Level::matrix_type, jacobi_type>;

public:
  coarse_solve(Level const& level, coarse_chebyshev const& options)
      : options_(options), symmetry_(level), polynomial_(level.matrix(), checked_jacobi(level), {.steps = 2}, true)
  {
    polynomial_.reach(options_.tolerance);
  }

  void operator()(scalar const* b, scalar* x) const { polynomial_.start(b, x); }
  template <class Make>
  void start_behind(Make const& make, scalar const* b, scalar* x) const
  {
    polynomial_.start_behind(make, b, x);
  }
  inner_solves const& solves() const { return solves_; }
  int degree() const { return polynomial_.options().degree; }
  void update(Level const&)
  {
    polynomial_.follow_to(options_.tolerance, [&](jacobi_type const& inner) {
      symmetry_.demand("coarse_chebyshev cannot go on on the last level, whose matrix is no longer symmetric", inner);
    });
  }

private:
  jacobi_type checked_jacobi(Level const& level) const
  {
    if (!(options_.tolerance > 0 && options_.tolerance < 1))
      failf("multigrid", "the tolerance of coarse_chebyshev is not between 0 and 1 (got %g)", options_.tolerance);
    auto inner = level.make_jacobi();
    symmetry_.demand("coarse_chebyshev cannot solve on the last level, whose matrix is not symmetric", inner);
    return inner;
  }

  coarse_chebyshev options_;
  demanded_symmetry<Level> symmetry_;
  smoother_type polynomial_;
  inner_solves solves_;
};

// What a coarse solver asks of a level, of a matrix of rows on the host.
template <class Matrix>
struct level_of_matrix {
  using scalar_type = typename Matrix::scalar_type;
  using backend_type = host;
  using matrix_type = Matrix;

  matrix_type const& matrix() const { return *of; }
  host const& backend() const { return of->backend(); }
  index_t size() const { return of->size(); }
  jacobi<scalar_type, host> make_jacobi() const { return jacobi<scalar_type, host>(*of); }

  matrix_type const* of;
};

template <class Amg>
inline constexpr bool tells_levels = requires(Amg const& amg) { std::vector<amg_level>(amg.levels()); };

// One of two solvers of the last level. Where vectors are not the host's, a cycle over the levels of the algebraic
// multigrid is one of them.
template <class Amg, class Level>
class amg_or_cg {
  using scalar = typename Level::scalar_type;
  using matrix_type = typename Level::matrix_type;
  static constexpr bool on_host = runs_on_host<typename Level::backend_type>, is_whole = !matrix_in_parts<matrix_type>;
  static_assert(on_host || tells_levels<Amg>,
                "sumfac::coarse_amg: on devices it needs levels(), as sumfac::boomer_amg has it: take that, or "
                "coarse_chebyshev");
  static_assert(is_whole,
                "sumfac::coarse_amg: the level is of a mesh in parts: take mpi::gathered{coarse_amg<...>{}}, which has "
                "all of it on one process");
  using amg_type = typename std::conditional_t<on_host, std::type_identity<Amg const>,
                                               std::type_identity<amg_cycle<Level> const>>::type;

public:
  amg_or_cg(Level const& level, coarse_amg<Amg> const& options) : options_(options), size_(level.size())
  {
    if (options.right_sides < 1)
      failf("coarse_amg", "the number of right sides is below 1 (got %lld, at least 1 expected)",
            static_cast<long long>(options.right_sides));
    update(level);
  }

  bool takes_amg() const { return !amg_.empty(); }
  // A solve_result on the host; elsewhere nothing is counted.
  auto operator()(view<scalar const, dextents<1>> r, view<scalar, dextents<1>> z) const
  {
    if constexpr (on_host) {
      if (!takes_amg()) {
        index_t const failed = otherwise_->solves().failed;
        (*otherwise_)(r.data(), z.data());
        return outcome_of(otherwise_->solves(), failed);
      }
      amg_->apply(r, z);
      solve_result result;
      result.status = solve_status::converged;
      return result;
    } else if (takes_amg()) {
      (*amg_)(r.data(), z.data());
    } else {
      (*otherwise_)(r.data(), z.data());
    }
  }
  auto apply(view<scalar const, dextents<1>> r, view<scalar, dextents<1>> z) const { return (*this)(r, z); }
  void update(Level const& level)
  {
    auto amg = options_.pays(size_) ? set_up(level) : own_pointer<amg_type>();
    if (amg.empty() && otherwise_.empty())
      otherwise_ = own_pointer<otherwise_type>(new otherwise_type(level, otherwise()));
    else if (amg.empty())
      otherwise_->update(level);
    amg_ = std::move(amg);  // where anything throws, what was made before is still there
  }
  formatted text() const
  {
    formatted text("%s, for %lld unknowns and %lld right sides (an algebraic multigrid pays from %lld and %lld)",
                   takes_amg() ? "an algebraic multigrid of the assembled matrix"
                   : on_host   ? "conjugate gradients with Jacobi's preconditioner"
                               : "Chebyshev's polynomial for all eigenvalues",
                   static_cast<long long>(size_), static_cast<long long>(options_.right_sides),
                   static_cast<long long>(options_.unknowns), static_cast<long long>(options_.pays_from));
    if constexpr (!on_host) {
      if (takes_amg())
        text.add(", %s", amg_->text().c_str());
      else if (options_.pays(size_))
        text.add(", which finds no coarser level");
    }
    return text;
  }

private:
  using otherwise_type = coarse_solve<Level, std::conditional_t<on_host, coarse_cg, coarse_chebyshev>>;

  auto const& otherwise() const
  {
    if constexpr (on_host)
      return options_.otherwise;
    else
      return options_.otherwise_on_device;
  }
  // None where the algebraic multigrid has no coarser level, as of a matrix in which no entry is strong.
  own_pointer<amg_type> set_up(Level const& level) const
  {
    if constexpr (on_host) {
      return own_pointer<amg_type>(new Amg(matrix_of(level)));
    } else {
      auto const matrix = matrix_in_double(matrix_of(level));
      auto const levels = Amg(matrix).levels();
      if (!amg_type::works(size_, options_.inverted, levels)) return {};
      return own_pointer<amg_type>(new amg_type(level, matrix, levels, options_.smoother, options_.inverted));
    }
  }
  template <class Csr>
  static csr_matrix<double> matrix_in_double(Csr const& a)
  {
    return {a.first(), a.columns(), std::vector<double>(a.values().begin(), a.values().end()), a.backend()};
  }
  static decltype(auto) matrix_of(Level const& level)
  {
    if constexpr (requires { level.matrix().values(); })
      return (level.matrix());
    else if constexpr (is_sum_matrix<matrix_type>)
      return assemble(level.matrix());
    else
      return assemble(level.element_operator(), level.restriction());
  }

  coarse_amg<Amg> options_;
  index_t size_;
  own_pointer<amg_type> amg_;
  own_pointer<otherwise_type> otherwise_;
};

// Whether a matrix without symmetry is refused by the solver.
template <class Coarse>
inline constexpr bool needs_symmetry = std::is_same_v<Coarse, coarse_cg> || std::is_same_v<Coarse, coarse_chebyshev>;

// What multigrid takes where nothing is said: on a device, where a look at a residual takes as long as many launches,
// what has none.
template <class Levels>
struct usual_coarse {
  using backend = typename Levels::template level_type<0>::backend_type;
  using type = std::conditional_t<is_device<backend>, coarse_chebyshev, coarse_cg>;
};

}  // namespace detail

}  // namespace sumfac
