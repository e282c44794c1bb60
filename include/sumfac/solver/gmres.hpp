// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Restarted GMRES on any backend: x such that A x = b, for any regular A.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/gmres_steps.hpp>
#include <sumfac/solver/detail/krylov.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/matrix_sweep.hpp>
#include <sumfac/solver/detail/passes.hpp>

#include <cstddef>
#include <limits>

namespace sumfac::SUMFAC_TARGET {

// Stops when |b - A x| <= tolerance |b - A x_0| or <= absolute in the 2-norm, and after `iterations` iterations.
struct gmres_options {
  index_t iterations = 1000;
  double tolerance = 1e-8;
  double absolute = 0;
  index_t check_every = 4;                 // devices: iterations between two looks at the residual, each of which waits
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
      : restart_(checked(restart)), vectors(backend, size, 2 * index_t{restart} + 2, of_all), scalars(backend, restart)
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
  detail::gmres_scalars<Backend> scalars;
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
// monitor(iteration, residual) is called at the start, as iteration 0, and after each iteration; on a device every
// options.check_every iterations and at a restart, for there the scalars stay on the device, and only those looks wait
// for it. What is queued behind the last iteration until the next look changes nothing, but A and P are applied.
// An x that no iteration improves any more ends as `iterations_done`, or as `stagnated` where the directions' residual
// is small enough and b - A x does not halve from one look at it to the next.
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
        scalars_(w.scalars),
        numbers_(static_cast<std::size_t>(gmres_triangle::size_of(m_))),
        triangle_{m_, numbers_.data()}
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
      solve_status const status = cycle(x, size, least, options, monitor);
      if (status == solve_status::not_finite || status == solve_status::diverged) return end(status, x);
      double const before = size, recursion = result_.residual;
      size = start(b, x);
      result_.residual = size;
      if (recursion <= least && size > least && !(size <= before / 2) && !result_.fixed_count)
        return end(is_number(size) ? this->stagnated(recursion, size) : solve_status::not_finite, x);
    }
  }

private:
  solve_result end(solve_status status, auto const& x) { return base::end(status, x, 0, 1); }

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
  solve_status cycle(Solution const& x, double size, double target, gmres_options const& options, Monitor&& monitor)
  {
    if constexpr (!runs_on_host<Backend>)
      if (!is_doubtful_) return cycle_of_queue(x, size, target, options, monitor);
    gmres_state state;
    state.residual = size, state.target = target;
    triangle_.right(0) = size;
    while (state.phase == gmres_phase::running && state.used < m_ && result_.iterations < options.iterations) {
      state.next = advance(state.used);
      ++result_.iterations;
      if (!is_number(state.next)) return solve_status::not_finite;
      state.take(triangle_, before_, epsilon);
      if (state.phase == gmres_phase::singular) break;
      result_.residual = state.residual;
      monitor(result_.iterations, result_.residual);
    }
    add_directions(x, state.used);
    return state.phase == gmres_phase::singular ? solve_status::diverged : solve_status::iterations_done;
  }

  // The next direction: A P v_j without its parts along those that there are; their sizes go to its column.
  double advance(int j)
  {
    vector const w = v_[j + 1];
    this->apply(const_vector(preconditioned(j)), w);
    before_ = static_cast<double>(ops().norm(w));
    for (int i = 0; i <= j; ++i) triangle_.column(i) = 0;
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
      triangle_.column(i) += static_cast<double>(part);
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

  // x = x + P V y, where y solves the upper triangle.
  template <class Solution>
  void add_directions(Solution const& x, int used)
  {
    triangle_.solve(used);
    vector const sum = v_[m_];  // not needed any more
    if constexpr (kept) {
      int const first = base::is_identity ? 0 : m_ + 1;
      for (int i = 0; i < used; ++i) ops().axpy(static_cast<Scalar>(triangle_.right(i)), v_[first + i], x);
    } else {
      ops().fill(Scalar(0), sum);
      for (int i = 0; i < used; ++i) ops().axpy(static_cast<Scalar>(triangle_.right(i)), v_[i], sum);
      this->precondition(const_vector(sum), v_[m_ + 1]);
      ops().axpy(Scalar(1), v_[m_ + 1], x);
    }
  }

  // The same on a device, where nothing is waited for but a look now and then.
  template <class Solution, class Monitor>
  solve_status cycle_of_queue(Solution const& x, double size, double target, gmres_options const& options,
                              Monitor&& monitor)
  {
    index_t const every = iterations_of_look<Backend>(options.check_every);
    index_t const before = result_.iterations, left = options.iterations - before;
    int const most = left < m_ ? static_cast<int>(left) : m_;
    gmres_state seen;
    auto begin = step(gmres_step::begin, 0);
    begin.size = size, begin.target = target;
    loop(v_.passes.backend(), 1, begin);
    for (int j = 0; j < most && seen.phase == gmres_phase::running;) {
      int const used = seen.used, last = every < most - j ? j + static_cast<int>(every) : most;
      for (; j < last; ++j) queue(j);
      seen = download_one(v_.passes.backend(), static_cast<gmres_state const*>(scalars_.state.data()));
      result_.iterations = before + seen.used + (seen.phase == gmres_phase::singular ? 1 : 0);
      result_.residual = seen.residual;
      if (seen.used > used) monitor(result_.iterations, result_.residual);
    }
    queue_directions(x);
    is_doubtful_ = seen.phase == gmres_phase::doubtful;
    return seen.phase == gmres_phase::singular ? solve_status::diverged : solve_status::iterations_done;
  }

  gmres_step step(gmres_step::which what, int j) const
  {
    constexpr double least = sizeof(Scalar) == sizeof(double) ? 1e-290 : 1e-30;
    return {what, scalars_.state.data(), scalars_.triangle(), scalars_.first(), scalars_.second(), j, epsilon, least};
  }

  // Iteration j of a cycle: A P v_j, its products with the directions and what is left without these parts, both twice.
  void queue(int j)
  {
    gmres_state const* const state = scalars_.state.data();
    Scalar* const w = v_[j + 1].data();
    Scalar const* const directions = v_[0].data();
    bool const by_factors = !applies_itself<Preconditioner, Scalar> && !base::is_identity && !space_;
    vector const from = by_factors && j > 0 ? v_[m_ + 1] : preconditioned(j);
    index_t const size = a_.size();
    auto const last = [&](int first) { return first + most_sums > j + 1; };
    gmres_products<Scalar> products{state, directions, size, 0, j + 1, w};
    auto const then = [&](gmres_step::which what, int first) { return step(last(first) ? what : gmres_step::none, j); };
    if (space_) {
      this->apply(const_vector(from), vector(w, size));
      v_.passes.run(size, products, scalars_.first(), then(gmres_step::first, 0));
    } else {
      apply_then(a_, v_.passes, from.data(), w, products, scalars_.first(), then(gmres_step::first, 0));
    }
    auto const rest = [&](double* sums, gmres_step::which what) {
      for (products.first = most_sums; !last(products.first - most_sums); products.first += most_sums)
        v_.passes.run(size, products, sums + products.first, then(what, products.first));
      products.first = 0;
    };
    rest(scalars_.first(), gmres_step::first);
    v_.passes.run(size, gmres_without_parts<Scalar>{products, scalars_.first(), w}, scalars_.second(),
                  then(gmres_step::second, 0));
    rest(scalars_.second(), gmres_step::second);
    v_.passes.run(size, gmres_direction<Scalar>{state, directions, size, j + 1, scalars_.second(),
                                                by_factors ? this->factors_ : nullptr, w, v_[m_ + 1].data()});
  }

  template <class Solution>
  void queue_directions(Solution const& x)
  {
    loop(v_.passes.backend(), 1, step(gmres_step::solve, 0));
    vector const sum = v_[m_];
    int const first = base::is_identity || !kept ? 0 : m_ + 1;
    v_.passes.run(a_.size(), gmres_sum<Scalar>{scalars_.state.data(), scalars_.triangle(), v_[first].data(), a_.size(),
                                               kept ? x.data() : sum.data(), !kept});
    if constexpr (!kept) {
      this->precondition(const_vector(sum), v_[m_ + 1]);
      ops().axpy(Scalar(1), v_[m_ + 1], x);
    }
  }

  // Whether what P makes of each direction is there at a cycle's end.
  static constexpr bool kept = base::is_identity || applies_itself<Preconditioner, Scalar>;
  static constexpr auto epsilon = static_cast<double>(std::numeric_limits<Scalar>::epsilon());

  int m_;
  double before_ = 0;  // the size of A P v_j
  gmres_scalars<Backend>& scalars_;
  own_vector<double> numbers_;
  gmres_triangle triangle_;
  bool is_doubtful_ = false;  // whether a device has met squares that have no room in the numbers
};

}  // namespace detail

}  // namespace sumfac
