// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// MINRES on any backend: x such that A x = b, for a symmetric A that need not be positive definite.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/krylov.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/view/view.hpp>

#include <limits>

namespace sumfac::SUMFAC_TARGET {

// Stops when |r|_P <= tolerance |r_0|_P or <= absolute, and after `iterations` iterations: |r|_P is the root of
// r . P r, the norm that MINRES makes least; without a preconditioner it is the 2-norm.
struct minres_options {
  index_t iterations = 1000;
  double tolerance = 1e-8;
  double absolute = 0;
  detail::any_null_space null_space = {};  // a sumfac::null_space of A that b, x and residuals are taken without
};

// The vectors of a solve, so that solving allocates nothing.
template <class Scalar = double, class Backend = host>
class minres_workspace {
public:
  minres_workspace(Backend const& backend, index_t size, reduction const& of_all = {})
      : vectors(backend, size, 7, of_all)
  {
  }

  index_t size() const { return vectors.size(); }

  detail::krylov_vectors<Scalar, Backend> vectors;
};

template <class Backend>
minres_workspace(Backend const&, index_t, reduction const& = {}) -> minres_workspace<double, Backend>;

namespace detail {
template <class Matrix, class Scalar, class Backend, class Preconditioner>
class minres_solve;
}  // namespace detail

// Solves A x = b from the first guess in x, by MINRES with a symmetric positive definite preconditioner P:
// no_preconditioner, jacobi, or anything with apply(r, z) const, as cg has it. Saddle points, as Stokes' equations, are
// what it is for.
//
// monitor(iteration, |r|_P) is called at the start, as iteration 0, and after each iteration. On a device each
// iteration waits for its sums. |r|_P is the recursion's; before `converged`, and at the end of a solve that did not
// converge, that of b - A x is computed anew; where it is not small enough to converge the method begins again from
// there, as long as it halves from one such look to the next.
// **Shapes** b, x: contiguous views of rank 1 with A.size() entries, in the backend's memory.
// **Errors** argument_error for lengths and null; a status for the rest: `indefinite` where P is not positive definite,
// seen where r . P r over r . r falls below 64 roundings of its largest, as for an r that P takes to 0;
// `diverged` where A is singular, and no x solves A x = b, or `stagnated`.
// **Source** Paige and Saunders 1975.
template <class Matrix, class Right, class Solution, class Preconditioner, class Monitor, class Scalar, class Backend>
solve_result minres(Matrix const& a, Right const& b, Solution&& x, Preconditioner const& preconditioner,
                    minres_options const& options, Monitor&& monitor, minres_workspace<Scalar, Backend>& workspace)
{
  if constexpr (detail::check_symmetric_solver<Matrix, Right, Solution, Preconditioner, Monitor, Scalar>()) {
    auto const from = detail::as_vector(b);
    auto const to = detail::as_vector(x);
    using solver = detail::minres_solve<Matrix, Scalar, Backend, Preconditioner>;
    solver solve("minres", a, preconditioner, workspace.vectors);
    return detail::with_inner_solves(preconditioner, [&] { return solve.run(from, to, options, monitor); });
  } else {
    return {};
  }
}

// The same with a workspace of its own.
template <class Matrix, class Right, class Solution, class Preconditioner = no_preconditioner,
          class Monitor = no_monitor>
solve_result minres(Matrix const& a, Right const& b, Solution&& x, Preconditioner const& preconditioner = {},
                    minres_options const& options = {}, Monitor&& monitor = {})
{
  using scalar = detail::entries_of<Solution>;
  if constexpr (detail::check_symmetric_solver<Matrix, Right, Solution, Preconditioner, Monitor, scalar>()) {
    using backend = detail::backend_of_matrix<Matrix>;
    minres_workspace<scalar, backend> workspace(a.backend(), a.size(), detail::reduction_of(a));
    return minres(a, b, x, preconditioner, options, monitor, workspace);
  } else {
    return {};
  }
}

namespace detail {

// Lanczos' recursion v (z = P v, gamma = |v|_P) makes A tridiagonal; Givens' rotations (c, s) make that triangular.
template <class Matrix, class Scalar, class Backend, class Preconditioner>
class minres_solve : krylov_solve<Matrix, Scalar, Backend, Preconditioner> {
  using base = krylov_solve<Matrix, Scalar, Backend, Preconditioner>;
  using base::a_, base::is_number, base::ops, base::result_, base::v_;
  using typename base::const_vector, typename base::vector;

public:
  using base::base;

  template <class Right, class Solution, class Monitor>
  solve_result run(Right const& b, Solution const& x, minres_options const& options, Monitor&& monitor)
  {
    this->check_arguments(b, x, options);
    solve_status status = begin(b, x);
    result_.initial_residual = gamma_;
    monitor(index_t{0}, gamma_);
    double const relative = options.tolerance * gamma_;
    double const target = relative > options.absolute ? relative : options.absolute;
    double const rounding = likely_rounding_of<Matrix, Scalar>();
    double const least = result_.fixed_count ? rounding * gamma_ : target;
    double anew = gamma_;  // |b - A x| the last time that it was computed
    while (status == solve_status::iterations_done) {
      if (result_.residual <= least) {
        double const recursion = result_.residual;
        if (result_.iterations > 0) status = begin(b, x);
        if (status != solve_status::iterations_done) break;
        // A fixed number of iterations ends where nothing but rounding is left.
        double const enough = result_.fixed_count ? least / __builtin_sqrt(rounding) : least;
        if (gamma_ <= enough || result_.iterations == 0)
          return end(hides_residual() ? solve_status::indefinite : solve_status::converged, x);
        if (gamma_ > anew / 2) return end(this->stagnated(recursion, gamma_), x);
        anew = gamma_;
      }
      if (result_.iterations >= options.iterations) break;
      status = advance(x);
      monitor(result_.iterations, result_.residual);
    }
    // What the recursion says of a solve that did not converge may be less than any x leaves.
    bool const is_small = __builtin_sqrt(rounding) * result_.initial_residual > result_.residual;
    if (status == solve_status::iterations_done && result_.iterations > 0 && (is_small || !result_.fixed_count))
      status = begin(b, x);
    return end(status, x);
  }

private:
  enum : index_t { v, before, z, next, w, w_before, product };

  template <class Solution>
  solve_result end(solve_status status, Solution const& x)
  {
    return base::end(status, x, v, product);
  }

  // Lanczos' recursion from b - A x; whether the solve may go on.
  template <class Right, class Solution>
  solve_status begin(Right const& b, Solution const& x)
  {
    this->residual(b, x, v_[v]);
    for (index_t i : {index_t{before}, index_t{w}, index_t{w_before}}) ops().fill(Scalar(0), v_[i]);
    c_ = c_before_ = gamma_before_ = 1, s_ = s_before_ = 0;
    solve_status const status = measure(gamma_);
    eta_ = result_.residual = gamma_;
    if constexpr (applies_itself<Preconditioner, Scalar>) {
      seen_ = gamma_ / static_cast<double>(ops().norm(v_[v]));
      if (seen_ > most_seen_) most_seen_ = seen_;
    }
    return status;
  }

  // Whether r . P r is small where r is not: P takes what is left of r to 0. Factors are known to be above 0.
  bool hides_residual() const
  {
    constexpr double least = 64 * std::numeric_limits<double>::epsilon();
    return seen_ * seen_ < least * most_seen_ * most_seen_;
  }

  // z = P v and |v|_P; whether the solve may go on.
  solve_status measure(double& size) const
  {
    this->precondition(const_vector(v_[v]), v_[z]);
    auto const square = static_cast<double>(ops().dot(v_[z], v_[v]));
    size = __builtin_sqrt(square);
    if (!is_number(square)) return square < 0 ? solve_status::indefinite : solve_status::not_finite;
    if (square < 0) return solve_status::indefinite;
    if (square == 0 && ops().norm(v_[v]) > 0) return solve_status::out_of_range;
    return solve_status::iterations_done;
  }

  // One step of Lanczos, one of the rotations, and x.
  template <class Solution>
  solve_status advance(Solution const& x)
  {
    ++result_.iterations;
    ops().scale(static_cast<Scalar>(1 / gamma_), v_[z]);
    this->apply(const_vector(v_[z]), v_[product]);
    auto const delta = static_cast<double>(ops().dot(v_[product], v_[z]));
    if (!is_number(delta)) return solve_status::not_finite;
    // v, before = A z - (delta / gamma) v - (gamma / gamma_before) before, v
    ops().axpby(static_cast<Scalar>(-delta / gamma_), v_[v], static_cast<Scalar>(-gamma_ / gamma_before_), v_[before]);
    ops().axpy(Scalar(1), v_[product], v_[before]);
    swap(v, before);
    // The direction belongs to this z; the next one goes to another place.
    swap(z, next);
    double gamma_next = 0;
    solve_status const status = measure(gamma_next);
    if (status != solve_status::iterations_done) return status;

    double const a0 = c_ * delta - c_before_ * s_ * gamma_, a1 = __builtin_hypot(a0, gamma_next);
    double const a2 = s_ * delta + c_before_ * c_ * gamma_, a3 = s_before_ * gamma_;
    scale_ = scale_ > a1 ? scale_ : a1;
    if (a1 <= 4 * static_cast<double>(std::numeric_limits<Scalar>::epsilon()) * scale_) return solve_status::diverged;
    double const c_next = a0 / a1, s_next = gamma_next / a1;
    // w, w_before = (z - a3 w_before - a2 w) / a1, w
    ops().axpby(static_cast<Scalar>(-a2 / a1), v_[w], static_cast<Scalar>(-a3 / a1), v_[w_before]);
    ops().axpy(static_cast<Scalar>(1 / a1), v_[next], v_[w_before]);
    swap(w, w_before);
    ops().axpy(static_cast<Scalar>(c_next * eta_), v_[w], x);
    eta_ *= -s_next;
    result_.residual = __builtin_fabs(eta_);
    gamma_before_ = gamma_, gamma_ = gamma_next;
    c_before_ = c_, c_ = c_next, s_before_ = s_, s_ = s_next;
    return solve_status::iterations_done;
  }

  void swap(index_t a, index_t b) { v_.exchange(a, b); }

  double gamma_ = 0, gamma_before_ = 1, eta_ = 0, scale_ = 0;
  double seen_ = 0, most_seen_ = 0;  // |r|_P / |r|, for a preconditioner of one's own
  double c_ = 1, c_before_ = 1, s_ = 0, s_before_ = 0;
};

}  // namespace detail

}  // namespace sumfac
