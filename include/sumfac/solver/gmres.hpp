// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Restarted GMRES on any backend: x such that A x = b, for any regular A.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/math/detail/power_of_two.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/krylov.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <limits>

namespace sumfac::SUMFAC_TARGET {

// Stops when |b - A x| <= tolerance |b - A x_0| or <= absolute in the 2-norm, and after `iterations` iterations.
struct gmres_options {
  index_t iterations = 1000;
  double tolerance = 1e-8;
  double absolute = 0;
  detail::any_null_space null_space = {};  // a sumfac::null_space of A and its transpose, to be left out
};

// The vectors of a solve: `restart` directions are kept before x is updated and the method begins anew from there.
//
// **Work** (memory) 2 restart + 2 vectors.
// **Errors** argument_error for a restart below 1.
template <class Scalar = double, class Backend = host>
class gmres_workspace {
public:
  gmres_workspace(Backend const& backend, index_t size, int restart = 30, reduction const& of_all = {})
      : restart_(checked(restart)), vectors(backend, size, 2 * index_t{restart} + 2, of_all)
  {
  }

  index_t size() const { return vectors.size(); }
  int restart() const { return restart_; }

private:
  static int checked(int restart)
  {
    if (restart < 1) failf("gmres_workspace", "the restart is below 1 (got %d, at least 1 expected)", restart);
    return restart;
  }

  int restart_;

public:
  detail::krylov_vectors<Scalar, Backend> vectors;
};

template <class Backend>
gmres_workspace(Backend const&, index_t, int = 30, reduction const& = {}) -> gmres_workspace<double, Backend>;

namespace detail {
template <class Matrix, class Scalar, class Backend, class Preconditioner>
class gmres_solve;
}  // namespace detail

// Solves A x = b from the first guess in x, by GMRES preconditioned from the right: A need not be symmetric, and P,
// no_preconditioner, jacobi or anything with apply(r, z) const, may differ from one iteration to the next (flexible
// GMRES), as an inner solver does. The residual that stops it is that of A x = b, computed anew before it says
// `converged`.
//
// monitor(iteration, residual) is called at the start, as iteration 0, and after each iteration. On a device each
// iteration waits for its sums. An x that no iteration improves any more ends as `iterations_done`, or as `stagnated`
// where the directions' residual is small enough and b - A x does not halve from one look at it to the next.
// **Shapes** b, x: contiguous views of rank 1 with A.size() entries, in the backend's memory.
// **Errors** argument_error for lengths and null; a status for the rest, as cg has it: a singular A for which no x
// solves A x = b is `diverged`.
// **Source** Saad and Schultz 1986; Saad 1993 for the flexible method.
template <class Matrix, class Right, class Solution, class Preconditioner, class Monitor, class Scalar, class Backend>
solve_result gmres(Matrix const& a, Right const& b, Solution&& x, Preconditioner const& preconditioner,
                   gmres_options const& options, Monitor&& monitor, gmres_workspace<Scalar, Backend>& workspace)
{
  if constexpr (detail::check_solver<Matrix, Right, Solution, Preconditioner, Monitor, Scalar>()) {
    auto const from = detail::as_vector(b);
    auto const to = detail::as_vector(x);
    detail::gmres_solve<Matrix, Scalar, Backend, Preconditioner> solve(a, preconditioner, workspace);
    return detail::with_inner_solves(preconditioner, [&] { return solve.run(from, to, options, monitor); });
  } else {
    return {};
  }
}

// The same with a workspace of its own, of 30 directions.
template <class Matrix, class Right, class Solution, class Preconditioner = no_preconditioner,
          class Monitor = no_monitor>
solve_result gmres(Matrix const& a, Right const& b, Solution&& x, Preconditioner const& preconditioner = {},
                   gmres_options const& options = {}, Monitor&& monitor = {})
{
  using scalar = detail::entries_of<Solution>;
  if constexpr (detail::check_solver<Matrix, Right, Solution, Preconditioner, Monitor, scalar>()) {
    using backend = detail::backend_of_matrix<Matrix>;
    gmres_workspace<scalar, backend> workspace(a.backend(), a.size(), 30, detail::reduction_of(a));
    return gmres(a, b, x, preconditioner, options, monitor, workspace);
  } else {
    return {};
  }
}

namespace detail {

template <class Matrix, class Scalar, class Backend, class Preconditioner>
class gmres_solve : krylov_solve<Matrix, Scalar, Backend, Preconditioner> {
  using base = krylov_solve<Matrix, Scalar, Backend, Preconditioner>;
  using base::a_, base::is_number, base::ops, base::result_, base::space_, base::v_;
  using typename base::const_vector, typename base::vector;

public:
  gmres_solve(Matrix const& a, Preconditioner const& p, gmres_workspace<Scalar, Backend>& w)
      : base("gmres", a, p, w.vectors),
        m_(w.restart()),
        column_(static_cast<std::size_t>(m_) + 1),
        upper_(static_cast<std::size_t>(m_) * static_cast<std::size_t>(m_)),
        cosine_(static_cast<std::size_t>(m_)),
        sine_(static_cast<std::size_t>(m_)),
        right_(static_cast<std::size_t>(m_) + 1)
  {
  }

  template <class Right, class Solution, class Monitor>
  solve_result run(Right const& b, Solution const& x, gmres_options const& options, Monitor&& monitor)
  {
    this->check_arguments(b, x, options);
    double size = start(b, x);
    if (space_ && size > 0) check_transpose();
    result_.initial_residual = result_.residual = size;
    monitor(index_t{0}, size);
    double const relative = options.tolerance * size;
    double const target = relative > options.absolute ? relative : options.absolute;
    // Where a fixed number of iterations is asked for, the rest is nothing but rounding.
    double const least = result_.fixed_count ? likely_rounding_of<Matrix, Scalar>() * size : target;
    while (true) {
      if (!is_number(size)) return end(solve_status::not_finite, x);
      if (size <= least) return end(solve_status::converged, x);
      if (result_.iterations >= options.iterations) return end(solve_status::iterations_done, x);
      solve_status const status = cycle(x, size, least, options.iterations, monitor);
      if (status == solve_status::not_finite || status == solve_status::diverged) return end(status, x);
      double const before = size, recursion = result_.residual;
      size = start(b, x);
      result_.residual = size;
      if (recursion <= least && size > least && !(size <= before / 2) && !result_.fixed_count)
        return end(is_number(size) ? this->stagnated(recursion, size) : solve_status::not_finite, x);
    }
  }

private:
  template <class Solution>
  solve_result end(solve_status status, Solution const& x)
  {
    return base::end(status, x, 0, 1);
  }

  // Throws where A leads from the first direction into the null space: then what b has there is not what no x reaches.
  void check_transpose()
  {
    vector const y = v_[1], rest = v_[2];
    a_.apply(const_vector(v_[0]), y);
    ops().copy(y, rest);
    space_.project(rest.data());
    ops().axpy(Scalar(-1), y, rest);
    auto const size = static_cast<double>(ops().norm(y)), part = static_cast<double>(ops().norm(rest));
    if (part > 10 * __builtin_sqrt(rounding_of<Matrix, Scalar>()) * size)
      failf("gmres",
            "options.null_space is not that of A's transpose (A y has a part of %g of %g in it): solve without it, for "
            "a b that is A x of some x",
            part, size);
  }

  // The first direction: the residual over its size, which is returned.
  template <class Right, class Solution>
  double start(Right const& b, Solution const& x)
  {
    this->residual(b, x, v_[0]);
    return normalize(v_[0]);
  }

  // v = v / |v|; returns |v|, and leaves v as it is where that is 0 or no number.
  double normalize(vector const& v) const
  {
    auto const size = static_cast<double>(ops().norm(v));
    if (!is_number(size) || size == 0) return size;
    double const scale = power_of_two_below(size);  // |v| may be a number whose inverse is none
    ops().scale(static_cast<Scalar>(1 / scale), v);
    ops().scale(static_cast<Scalar>(scale / size), v);
    return size;
  }

  // Up to `restart` iterations from a residual of that size, and x after them.
  template <class Solution, class Monitor>
  solve_status cycle(Solution const& x, double size, double target, index_t most, Monitor&& monitor)
  {
    right_[0] = size;
    int used = 0;
    bool singular = false;
    while (used < m_ && result_.iterations < most && result_.residual > target) {
      double const next = advance(used);
      ++result_.iterations;
      if (!is_number(next)) return solve_status::not_finite;
      rotate(used, next);
      singular = next == 0 && at(used, used) <= 4 * epsilon * before_;
      if (singular) break;  // A takes the directions into fewer than they are
      ++used;
      result_.residual = __builtin_fabs(right_[static_cast<std::size_t>(used)]);
      monitor(result_.iterations, result_.residual);
    }
    add_directions(x, used);
    return singular ? solve_status::diverged : solve_status::iterations_done;
  }

  // The next direction: A P v_j without its parts along those that there are; their sizes go to column_.
  double advance(int j)
  {
    vector const w = v_[j + 1];
    this->apply(const_vector(preconditioned(j)), w);
    before_ = static_cast<double>(ops().norm(w));
    for (int i = 0; i <= j; ++i) column_[static_cast<std::size_t>(i)] = 0;
    remove_parts(w, j);
    double size = static_cast<double>(ops().norm(w));
    // Where little is left, it is rounding in good part, along the others again.
    if (size < 0.7 * before_) {
      remove_parts(w, j);
      size = static_cast<double>(ops().norm(w));
    }
    if (size <= epsilon * before_) return 0;
    return normalize(w);
  }

  void remove_parts(vector const& w, int j)
  {
    for (int i = 0; i <= j; ++i) {
      Scalar const part = ops().dot(v_[i], w);
      ops().axpy(-part, v_[i], w);
      column_[static_cast<std::size_t>(i)] += static_cast<double>(part);
    }
  }

  // P v_j, kept where the preconditioner may be another one next time.
  vector preconditioned(int j) const
  {
    if constexpr (base::is_identity) return v_[j];
    vector const z = v_[m_ + 1 + (applies_itself<Preconditioner, Scalar> ? j : 0)];
    this->precondition(const_vector(v_[j]), z);
    return z;
  }

  // Column j of the upper triangle, and the right side with it.
  void rotate(int j, double next)
  {
    for (int i = 0; i < j; ++i) {
      auto const k = static_cast<std::size_t>(i);
      double const upper = column_[k], lower = column_[k + 1];
      column_[k] = cosine_[k] * upper + sine_[k] * lower;
      column_[k + 1] = cosine_[k] * lower - sine_[k] * upper;
    }
    auto const k = static_cast<std::size_t>(j);
    double const size = __builtin_hypot(column_[k], next);
    cosine_[k] = size == 0 ? 1 : column_[k] / size;
    sine_[k] = size == 0 ? 0 : next / size;
    column_[k] = size;
    for (int i = 0; i <= j; ++i) at(i, j) = column_[static_cast<std::size_t>(i)];
    right_[k + 1] = -sine_[k] * right_[k];
    right_[k] *= cosine_[k];
  }

  // x = x + P V y, where y solves the upper triangle.
  template <class Solution>
  void add_directions(Solution const& x, int used)
  {
    for (int i = used - 1; i >= 0; --i) {
      auto const k = static_cast<std::size_t>(i);
      for (int j = i + 1; j < used; ++j) right_[k] -= at(i, j) * right_[static_cast<std::size_t>(j)];
      right_[k] /= at(i, i);
    }
    constexpr bool kept = base::is_identity || applies_itself<Preconditioner, Scalar>;
    vector const sum = v_[m_];  // not needed any more
    if constexpr (kept) {
      int const first = base::is_identity ? 0 : m_ + 1;
      for (int i = 0; i < used; ++i)
        ops().axpy(static_cast<Scalar>(right_[static_cast<std::size_t>(i)]), v_[first + i], x);
    } else {
      ops().fill(Scalar(0), sum);
      for (int i = 0; i < used; ++i) ops().axpy(static_cast<Scalar>(right_[static_cast<std::size_t>(i)]), v_[i], sum);
      this->precondition(const_vector(sum), v_[m_ + 1]);
      ops().axpy(Scalar(1), v_[m_ + 1], x);
    }
  }

  double& at(int row, int column)
  {
    return upper_[static_cast<std::size_t>(row) * static_cast<std::size_t>(m_) + static_cast<std::size_t>(column)];
  }

  static constexpr auto epsilon = static_cast<double>(std::numeric_limits<Scalar>::epsilon());

  int m_;
  double before_ = 0;  // the size of A P v_j
  own_vector<double> column_, upper_, cosine_, sine_, right_;
};

}  // namespace detail

}  // namespace sumfac
