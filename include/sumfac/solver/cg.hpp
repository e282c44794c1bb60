// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on any backend: x such that A x = b, for a symmetric positive definite A.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/batches.hpp>
#include <sumfac/solver/detail/cg_arguments.hpp>
#include <sumfac/solver/detail/cg_steps.hpp>
#include <sumfac/solver/detail/failures.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <limits>

namespace sumfac::SUMFAC_TARGET {

// The vectors and scalars of a solve, so that solving allocates nothing: for vectors of `size` entries.
template <class Scalar = double, class Backend = host>
class cg_workspace {
public:
  cg_workspace(Backend const& backend, index_t size, reduction const& of_all = {})
      : passes(backend, size, of_all),
        r(detail::make_memory<Scalar>(backend, size)),
        p(detail::make_memory<Scalar>(backend, size)),
        q(detail::make_memory<Scalar>(backend, size)),
        state(detail::make_memory<detail::cg_state>(backend, 1))
  {
  }

  index_t size() const { return r.size(); }

  detail::pass_runner<Backend> passes;
  detail::memory_of<Scalar, Backend> r, p, q;
  detail::memory_of<Scalar, Backend> z;  // of flexible solves, by the first of them
  detail::memory_of<detail::cg_state, Backend> state;
  detail::work_owner owner;
};

template <class Backend>
cg_workspace(Backend const&, index_t, reduction const& = {}) -> cg_workspace<double, Backend>;

namespace detail {
template <class Matrix, class Scalar, class Backend>
class cg_solve;
}  // namespace detail

// Solves A x = b from the first guess in x, by conjugate gradients preconditioned by P: no_preconditioner, jacobi, or
// anything with apply(r, z) const that writes z = P r for a symmetric positive definite P, on the backend's stream.
//
// A is anything with apply(x, y), size() and backend(), as global_operator. monitor(iteration, residual) is called at
// the start, as iteration 0, and after each iteration; on a device every options.check_every iterations and at the end,
// for there the scalars stay on the device and only those looks wait for it.
// **Shapes** b, x: contiguous views of rank 1 with A.size() entries, in the backend's memory.
// **Errors** argument_error for lengths and null. Numbers that are not finite, a matrix that is not positive definite,
// a system without a solution and squares that become too small end the solve with a status and a report(). b and x may
// be of any size: where the first residual's squares are far from 1, r, p and q are kept over a power of two, which
// rounds nothing. **Work** one application more at the start, and one before `converged` where b - A x may be larger.
// **Source** Hestenes and Stiefel 1952.
template <class Matrix, class Right, class Solution, class Preconditioner, class Monitor, class Scalar, class Backend>
solve_result cg(Matrix const& a, Right const& b, Solution&& x, Preconditioner const& preconditioner,
                cg_options const& options, Monitor&& monitor, cg_workspace<Scalar, Backend>& workspace)
{
  if constexpr (detail::check_symmetric_solver<Matrix, Right, Solution, Preconditioner, Monitor, Scalar>()) {
    auto const from = detail::as_vector(b);
    auto const to = detail::as_vector(x);
    detail::cg_solve<Matrix, Scalar, Backend> solve("cg", a, workspace, options);
    auto const factors = solve.check_arguments(from, to, preconditioner);
    return detail::with_inner_solves(
        preconditioner, [&] { return solve.run(from.data(), to.data(), preconditioner, factors, monitor); });
  } else {
    return {};
  }
}

// The same with a workspace of its own.
template <class Matrix, class Right, class Solution, class Preconditioner = no_preconditioner,
          class Monitor = no_monitor>
solve_result cg(Matrix const& a, Right const& b, Solution&& x, Preconditioner const& preconditioner = {},
                cg_options const& options = {}, Monitor&& monitor = {})
{
  using scalar = detail::entries_of<Solution>;
  if constexpr (detail::check_symmetric_solver<Matrix, Right, Solution, Preconditioner, Monitor, scalar>()) {
    cg_workspace<scalar, detail::backend_of_matrix<Matrix>> workspace(a.backend(), a.size(), detail::reduction_of(a));
    return cg(a, b, x, preconditioner, options, monitor, workspace);
  } else {
    return {};
  }
}

// Either without a preconditioner, as in cg(A, b, x, {.tolerance = 1e-10}).
template <class Matrix, class Right, class Solution, class... Others>
  requires(!detail::has_options<Others...>)
solve_result cg(Matrix const& a, Right const& b, Solution&& x, cg_options const& options, Others&&... others)
{
  return cg(a, b, x, no_preconditioner{}, options, others...);  // monitor and workspace
}

namespace detail {

template <class Matrix, class Scalar, class Backend>
class cg_solve {
public:
  // `name` is the solver's, for messages.
  cg_solve(char const* name, Matrix const& a, cg_workspace<Scalar, Backend>& w, cg_options const& options)
      : name_(name), a_(a), w_(w), options_(options)
  {
  }

  // Throws what is wrong with the arguments; the preconditioner's factors.
  template <class Right, class Solution, class Preconditioner>
  Scalar const* check_arguments(Right const& b, Solution const& x, Preconditioner const& preconditioner) const
  {
    check_arguments_of_solve<Scalar, Backend>(name_, a_, b, x, w_.size(), options_);
    if (options_.graph) check_graph(name_, w_.passes, a_);
    if constexpr (applies_itself<Preconditioner, Scalar>)
      if (options_.flexible && w_.z.size() < a_.size()) w_.z = make_memory<Scalar>(w_.passes.backend(), a_.size());
    return factors_of_preconditioner<Scalar>(name_, preconditioner, a_.size());
  }

  template <class Preconditioner, class Monitor>
  solve_result run(Scalar const* b, Scalar* x, Preconditioner const& preconditioner, Scalar const* factors,
                   Monitor&& monitor)
  {
    cg_state seen = start(b, x, preconditioner, factors);
    report(seen, monitor);
    batches<Backend> batch(name_, w_.passes.backend(), options_);
    do {
      while (seen.phase == cg_phase::running && seen.iterations < options_.iterations) {
        index_t const left = options_.iterations - seen.iterations;
        batch.run(left < batch.size() ? left : batch.size(), [&] { iterate(x, preconditioner, factors); });
        seen = read_state();
        report(seen, monitor);
      }
    } while (goes_on(seen, b, x, preconditioner, factors));
    return result(seen, x);
  }

protected:
  using vector_view = view<Scalar, dextents<1>>;
  using const_view = view<Scalar const, dextents<1>>;
  using sweep_in_parts = team_sweep<Matrix>;

  cg_state* state() const { return w_.state.data(); }

  // The first residual and direction; divided by a power of two where squares have no room.
  template <class Preconditioner>
  cg_state start(Scalar const* b, Scalar* x, Preconditioner const& preconditioner, Scalar const* factors)
  {
    step(cg_reset{state()});
    options_.null_space.project(x);
    make_residual(b, x, factors, 1);
    cg_state seen = begin(preconditioner);
    if (seen.phase == cg_phase::out_of_scale) {
      step(cg_choose_scale<Scalar>{state()});
      pass(cg_rescale<Scalar>{state(), factors, w_.r.data(), w_.p.data()});
      seen = begin(preconditioner);
    }
    clear_product();
    return seen;
  }

  // r = (b - A x) over the scale, p, and their sums.
  void make_residual(Scalar const* b, Scalar const* x, Scalar const* factors, double scale)
  {
    apply(x, w_.q.data());
    pass(cg_start<Scalar>{b, w_.q.data(), factors, w_.r.data(), w_.p.data()});
    if (options_.null_space) step(cg_measure_part{state(), any_null_space::left<Scalar>});
    options_.null_space.project(w_.r.data());
    if (options_.null_space || scale != 1) pass(cg_rescale<Scalar>{state(), factors, w_.r.data(), w_.p.data()});
  }

  // q for A p, if it has to be 0.
  void clear_product() const
  {
    if constexpr (sweep_in_parts::is_in_parts)
      if (sweep_in_parts const a(a_); a.clears())
        loop(w_.passes.backend(), a_.size(), a.clearing(static_cast<Scalar const*>(w_.p.data()), w_.q.data()));
  }

  // Where r says that the solve has converged and b - A x may say something else: whether it goes on, from b - A x.
  template <class Preconditioner>
  bool goes_on(cg_state& seen, Scalar const* b, Scalar* x, Preconditioner const& preconditioner, Scalar const* factors)
  {
    if (seen.phase != cg_phase::converged || seen.iterations == 0) return false;
    bool const fixed = options_.tolerance == 0 && options_.absolute == 0;
    double const target = fixed ? likely_rounding_of<Matrix, Scalar>() * seen.first_rr : seen.target;
    if (!is_doubted<Preconditioner>(seen, x, factors, target)) return false;
    make_residual(b, x, factors, seen.scale);
    step(cg_go_on{state(), target, fixed});
    if constexpr (applies_itself<Preconditioner, Scalar>)
      if (read_state().phase == cg_phase::running)
        precondition(preconditioner, w_.p.data(), nullptr, cg_take_product{state()});
    seen = read_state();
    if (seen.phase != cg_phase::running) return false;
    clear_product(), x_is_tested_ = false;
    return true;
  }

  // Whether r, which is small enough, may be so far from b - A x that this is not. So it is always after many
  // iterations, and with preconditioners that are not factors: there one application more costs little.
  template <class Preconditioner>
  bool is_doubted(cg_state const& seen, Scalar const* x, Scalar const* factors, double target)
  {
    if (applies_itself<Preconditioner, Scalar> || seen.iterations >= (says_arithmetic<Matrix> ? 100 : 20)) return true;
    test_x(x, factors);
    drift_scalars drift = seen.drift;
    if (factors != nullptr && drift.largest < 1) drift.largest = 1;  // the mean, where they are those of A's diagonal
    double const apart = drift.bound(of_x_[1], seen.iterations, likely_rounding_of<Matrix, Scalar>());
    return !(__builtin_sqrt(seen.rr) + apart <= __builtin_sqrt(target));
  }

  void test_x(Scalar const* x, Scalar const* factors)
  {
    if (x_is_tested_) return;
    pass(cg_test_x<Scalar>{&state()->scale, x, factors});
    auto const s = read_state();
    of_x_[0] = s.sums[0], of_x_[1] = s.sums[1], x_is_tested_ = true;
  }

  template <class Preconditioner>
  cg_state begin(Preconditioner const& preconditioner) const
  {
    if constexpr (applies_itself<Preconditioner, Scalar>) precondition(preconditioner, w_.p.data());
    constexpr bool is_double = sizeof(Scalar) == sizeof(double);
    constexpr double low = is_double ? 1e-100 : 1e-12, least = is_double ? 1e-298 : 1e-36;
    constexpr auto roundoff = static_cast<double>(std::numeric_limits<Scalar>::epsilon()) / 2;
    step(cg_begin{state(), options_.tolerance, options_.absolute, low, 1 / low, least, roundoff});
    return read_state();
  }

  template <class Preconditioner>
  void iterate(Scalar* x, Preconditioner const& preconditioner, Scalar const* factors)
  {
    constexpr bool applied = applies_itself<Preconditioner, Scalar>;
    bool const flexible = applied && options_.flexible;
    Scalar* const z = flexible ? w_.z.data() : w_.q.data();  // else A p is not needed any more once r is
    apply_and_pass(w_.p.data(), w_.q.data(), dot_body<Scalar>{w_.p.data(), w_.q.data()}, cg_choose_step{state()});
    cg_advance<Scalar> const advance{state(), w_.p.data(), w_.q.data(), factors, x, w_.r.data()};
    cg_choose_direction const choose{state(), flexible};
    if constexpr (applied) {
      pass(advance);
      precondition(preconditioner, z, flexible ? w_.q.data() : nullptr, choose);
    } else {
      pass(advance, choose);
    }
    pass_and_clear(cg_next_direction<Scalar>{state(), applied ? z : w_.r.data(), factors, w_.p.data()});
  }

  // z = P r, and the sums of both; with those of q, where it is given. Then a step.
  template <class Preconditioner, class Step = no_step>
  void precondition(Preconditioner const& preconditioner, Scalar* z, Scalar const* q = nullptr,
                    Step const& then = {}) const
  {
    preconditioner.apply(const_view(w_.r.data(), a_.size()), vector_view(z, a_.size()));
    options_.null_space.project(z);
    if (q == nullptr)
      pass(cg_products<Scalar>{w_.r.data(), z}, then);
    else
      pass(cg_flexible_products<Scalar>{w_.r.data(), z, q}, then);
  }

  void apply(Scalar const* x, Scalar* y) const { a_.apply(const_view(x, a_.size()), vector_view(y, a_.size())); }

  // y = A x, a pass, and a step; on a device in as few launches as may be, for which pass_and_clear() has cleared y.
  template <class Body, class Step>
  void apply_and_pass(Scalar const* x, Scalar* y, Body const& body, Step const& then) const
  {
    if constexpr (sweep_in_parts::is_in_parts) {
      sweep_in_parts(a_).run(x, y, w_.passes, body, sums(), then);
    } else {
      apply(x, y);
      pass(body, then);
    }
  }

  // A pass that makes p; and q cleared for A p, if it has to be.
  template <class Body>
  void pass_and_clear(Body const& body) const
  {
    if constexpr (sweep_in_parts::is_in_parts)
      if (sweep_in_parts const a(a_); a.clears())
        return pass(clearing_body{body, a.clearing(static_cast<Scalar const*>(w_.p.data()), w_.q.data())});
    pass(body);
  }

  template <class Body, class Step = no_step>
  void pass(Body const& body, Step const& then = {}) const
  {
    w_.passes.run(a_.size(), body, sums(), then);
  }
  double* sums() const { return reinterpret_cast<double*>(state()); }  // they come first in the state

  // A step of the scalars, where they are.
  template <class Step>
  void step(Step const& one) const
  {
    if constexpr (runs_on_host<Backend>)
      one(0);
    else
      loop(w_.passes.backend(), 1, one);
  }

  cg_state read_state() const
  {
    if constexpr (is_device<Backend>)
      return download(w_.passes.backend(), static_cast<cg_state const*>(state()), 1)[0];
    else
      return *state();
  }

  static void report(cg_state const& s, auto&& monitor) { monitor(s.iterations, __builtin_sqrt(s.rr) * s.scale); }

  // How it ended; x is asked for its numbers, of which the residual does not know all.
  solve_result result(cg_state s, Scalar* x)
  {
    if (s.phase != cg_phase::not_finite) {
      test_x(x, nullptr);
      if (!is_finite(of_x_[0])) s.phase = cg_phase::not_finite;
    }
    options_.null_space.project(x);
    solve_result r;
    r.solver = name_;
    r.status = s.phase == cg_phase::running      ? solve_status::iterations_done
               : s.phase == cg_phase::converged  ? solve_status::converged
               : s.phase == cg_phase::not_finite ? solve_status::not_finite
               : s.phase == cg_phase::indefinite ? solve_status::indefinite
               : s.phase == cg_phase::diverged   ? solve_status::diverged
               : s.phase == cg_phase::stagnated  ? solve_status::stagnated
                                                 : solve_status::out_of_range;
    r.iterations = s.iterations;
    r.initial_residual = __builtin_sqrt(s.first_rr) * s.scale;
    r.residual = __builtin_sqrt(s.rr) * s.scale;
    r.curvature = product_of(s, s.pq);
    r.product = product_of(s, s.rz);
    r.fixed_count = options_.tolerance == 0 && options_.absolute == 0;
    r.recursion = __builtin_sqrt(s.believed_rr) * s.scale;
    if (bool const told(options_.null_space); matrix_matters(r))
      find_cause(r, a_, w_.passes, w_.p.data(), w_.q.data(), sums(), true, told);
    return r;
  }

  // A product of two scaled vectors without their scale, as near to it as numbers are, with its sign.
  static double product_of(cg_state const& s, double scaled)
  {
    double const product = scaled * s.scale * s.scale;
    double const least = scaled == 0 ? 0 : std::numeric_limits<double>::denorm_min();
    return product == 0 ? __builtin_copysign(least, scaled) : product;
  }

  char const* name_;
  Matrix const& a_;
  cg_workspace<Scalar, Backend>& w_;
  sole_use sole_{w_.owner, name_, "the workspace"};
  cg_options const& options_;
  double of_x_[2] = {};  // as cg_test_x sums it up, where
  bool x_is_tested_ = false;
};

}  // namespace detail

}  // namespace sumfac
