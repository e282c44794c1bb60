// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// MINRES on any backend: x such that A x = b, for a symmetric A that need not be positive definite.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/krylov.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/matrix_sweep.hpp>
#include <sumfac/solver/detail/passes.hpp>

#include <limits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {
struct minres_state;
template <class Matrix, class Scalar, class Backend, class Preconditioner>
class minres_solve;
}  // namespace detail

// Stops when |r|_P <= tolerance |r_0|_P or <= absolute, and after `iterations` iterations: |r|_P is the root of
// r . P r, the norm that MINRES makes least; without a preconditioner it is the 2-norm.
struct minres_options {
  index_t iterations = 1000;
  double tolerance = 1e-8;
  double absolute = 0;
  index_t check_every = 8;                 // devices: iterations between two looks at the residual, each of which waits
  detail::any_null_space null_space = {};  // a sumfac::null_space of A that b, x and residuals are taken without
};

// The vectors of a solve, so that solving allocates nothing.
template <class Scalar = double, class Backend = host>
class minres_workspace {
public:
  minres_workspace(Backend const& backend, index_t size, reduction const& of_all = {})
      : vectors(backend, size, 7, of_all),
        state(detail::make_memory<detail::minres_state>(backend, runs_on_host<Backend> ? 0 : 1))
  {
  }

  index_t size() const { return vectors.size(); }

  detail::krylov_vectors<Scalar, Backend> vectors;
  detail::memory_of<detail::minres_state, Backend> state;  // of devices
};

template <class Backend>
minres_workspace(Backend const&, index_t, reduction const& = {}) -> minres_workspace<double, Backend>;

// Solves A x = b from the first guess in x, by MINRES with a symmetric positive definite preconditioner P:
// no_preconditioner, jacobi, or anything with apply(r, z) const, as cg has it. Saddle points, as Stokes' equations, are
// what it is for.
//
// monitor(iteration, |r|_P) is called at the start, as iteration 0, and after each iteration; on a device every
// options.check_every iterations and at the end, for there the scalars stay on the device, and only those looks wait
// for it, unless |v|_P^2 z . A z of a Lanczos vector z has no room in the numbers: then the solve begins again from its
// x, and the host waits for each sum, as gmres does. |r|_P is the recursion's; before `converged`, and at the end of a
// solve that did not converge, that of b - A x is computed anew; where it is not small enough to converge the method
// begins again from there, as long as it halves from one such look to the next.
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
    solver solve(a, preconditioner, workspace);
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

// Where a solve stands. The status is `iterations_done` as long as it may go on.
struct minres_state {
  double sums[2] = {};  // of a device's last pass
  double gamma = 0, gamma_before = 1;
  double c = 1, c_before = 1, s = 0, s_before = 0;  // rotations
  double eta = 0, largest = 0;                      // the residual with its sign; the largest entry of a diagonal
  double delta = 0;
  double residual = 0, least = 0;
  // The next vectors: v of the last v and the one before; w of z, the last w and the one before; and the step along w.
  double of_v = 0, of_v_before = 0, of_z = 0, of_w = 0, of_w_before = 0, step = 0;
  index_t iterations = 0;
  solve_status status = solve_status::iterations_done;
  bool moves = true;  // a device: x, until it has gone the step after which the residual is small
  // A device's z . A z has had no room in the numbers: the host goes on, which takes a z of size 1.
  bool is_doubtful = false;

  // From a residual whose |r|_P is gamma.
  SUMFAC_INLINE void begin()
  {
    c = c_before = gamma_before = 1, s = s_before = 0;
    eta = residual = gamma;
    status = solve_status::iterations_done, moves = true;
  }

  // From z . A z, where |z|_P is 1.
  SUMFAC_INLINE void take_product(double product)
  {
    ++iterations;
    delta = product;
    if (delta - delta != 0) status = solve_status::not_finite;
    of_v = -delta / gamma, of_v_before = -gamma / gamma_before;
  }

  // A device leaves this iteration to the host.
  SUMFAC_INLINE void doubt()
  {
    --iterations;
    status = solve_status::iterations_done, moves = false, is_doubtful = true;
  }

  // What v . P v says; `has_v` is whether v is not 0, where the product is.
  SUMFAC_INLINE static solve_status status_of(double square, bool has_v)
  {
    if (square < 0) return solve_status::indefinite;
    if (square - square != 0) return solve_status::not_finite;
    return square == 0 && has_v ? solve_status::out_of_range : solve_status::iterations_done;
  }

  // From the next |v|_P: the rotation, w and x.
  SUMFAC_INLINE void rotate(double gamma_next, double rounding)
  {
    double a0 = c * delta - c_before * s * gamma;
    double const a1 = SUMFAC_OF_NUMBERS(hypot, a0, gamma_next);
    double const a2 = s * delta + c_before * c * gamma, a3 = s_before * gamma;
    largest = largest > a1 ? largest : a1;
    if (a1 <= 4 * rounding * largest) {
      status = solve_status::diverged;
      return;
    }
    double const c_next = a0 / a1, s_next = gamma_next / a1;
    of_w = -a2 / a1, of_w_before = -a3 / a1, of_z = 1 / a1;
    step = c_next * eta;
    eta *= -s_next;
    residual = eta < 0 ? -eta : eta;
    gamma_before = gamma, gamma = gamma_next;
    c_before = c, c = c_next, s_before = s, s = s_next;
  }
};

// Of a device, where vectors z = P v keep the size of v: divided by that they are the host's.

struct minres_set {
  minres_state* state;
  minres_state to;
  SUMFAC_INLINE void operator()(index_t) const { *state = to; }
};

// After z . A z. What was queued behind the last iteration finds that the residual is small.
struct minres_take_product {
  minres_state* state;
  SUMFAC_INLINE void operator()(index_t) const
  {
    minres_state& s = *state;
    if (s.residual <= s.least) s.moves = false;
    if (s.status != solve_status::iterations_done || !s.moves) return;
    s.take_product(s.sums[0] / s.gamma / s.gamma);
    if (s.status != solve_status::iterations_done) s.doubt();
  }
};

// After v . P v and the sum of |v_i|.
struct minres_rotate {
  minres_state* state;
  double rounding, least;  // of the numbers; products below it have lost digits
  SUMFAC_INLINE void operator()(index_t) const
  {
    minres_state& s = *state;
    if (s.status != solve_status::iterations_done || !s.moves) return;
    s.status = minres_state::status_of(s.sums[0], s.sums[1] > 0);
    if (s.status == solve_status::indefinite) return;
    // The size of A, as far as it is seen: z . A z itself may be 0.
    double const gamma_next = __builtin_sqrt(s.sums[0]), part = s.delta < 0 ? -s.delta : s.delta;
    double const size = s.largest + part + gamma_next;
    if (!(s.gamma * s.gamma * size >= least)) return s.doubt();
    if (s.status == solve_status::iterations_done) s.rotate(gamma_next, rounding);
  }
};

// v, in the place of the one before, and z = factors v; sums v . z and |v_i|.
template <class Number, bool HasSums>
struct minres_next_vector {
  using scalar = Number;
  static constexpr int sums = HasSums ? 2 : 0;
  minres_state const* state;
  Number const *product, *v, *factors;
  Number *v_before, *z;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    minres_state const& s = *state;
    if (s.status != solve_status::iterations_done || !s.moves) return;
    T next = static_cast<Number>(s.of_v_before) * load<T>(v_before + i);
    next = fma(static_cast<Number>(s.of_v), load<T>(v + i), next);
    next = fma(static_cast<Number>(1 / s.gamma), load<T>(product + i), next);
    store(next, v_before + i);
    if constexpr (HasSums) {
      T const preconditioned = times(factors, i, next);
      store(preconditioned, z + i);
      sum[0] = fma(next, preconditioned, sum[0]);
      sum[1] += magnitude(next);
    }
  }
};

// The sums of v and a z of one's own.
template <class Number>
struct minres_products {
  using scalar = Number;
  static constexpr int sums = 2;
  Number const *v, *z;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const entry = load<T>(v + i);
    sum[0] = fma(entry, load<T>(z + i), sum[0]);
    sum[1] += magnitude(entry);
  }
};

// w, in the place of the one before, and x; behind the rotation, for which gamma is the one before.
template <class Number>
struct minres_advance {
  using scalar = Number;
  static constexpr int sums = 0;
  minres_state const* state;
  Number const *z, *w;
  Number *w_before, *x;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    minres_state const& s = *state;
    if (s.status != solve_status::iterations_done || !s.moves) return;
    T next = static_cast<Number>(s.of_w_before) * load<T>(w_before + i);
    next = fma(static_cast<Number>(s.of_w), load<T>(w + i), next);
    next = fma(static_cast<Number>(s.of_z / s.gamma_before), load<T>(z + i), next);
    store(next, w_before + i);
    store(fma(static_cast<Number>(s.step), next, load<T>(x + i)), x + i);
  }
};

// Lanczos' recursion v (z = P v, gamma = |v|_P) makes A tridiagonal; Givens' rotations (c, s) make that triangular.
template <class Matrix, class Scalar, class Backend, class Preconditioner>
class minres_solve : krylov_solve<Matrix, Scalar, Backend, Preconditioner> {
  using base = krylov_solve<Matrix, Scalar, Backend, Preconditioner>;
  using base::a_, base::is_number, base::ops, base::result_, base::space_, base::v_;
  using typename base::const_vector, typename base::vector;

public:
  minres_solve(Matrix const& a, Preconditioner const& p, minres_workspace<Scalar, Backend>& work)
      : base("minres", a, p, work.vectors), on_device_(work.state.data())
  {
  }

  template <class Right, class Solution, class Monitor>
  solve_result run(Right const& b, Solution const& x, minres_options const& options, Monitor&& monitor)
  {
    this->check_arguments(b, x, options);
    solve_status status = begin(b, x);
    result_.initial_residual = state_.gamma;
    monitor(index_t{0}, state_.gamma);
    double const relative = options.tolerance * state_.gamma;
    double const target = relative > options.absolute ? relative : options.absolute;
    double const rounding = likely_rounding_of<Matrix, Scalar>();
    double const least = state_.least = result_.fixed_count ? rounding * state_.gamma : target;
    double anew = state_.gamma;  // |b - A x| the last time that it was computed
    while (status == solve_status::iterations_done) {
      if (result_.residual <= least) {
        double const recursion = result_.residual;
        if (result_.iterations > 0) status = begin(b, x);
        if (status != solve_status::iterations_done) break;
        // A fixed number of iterations ends where nothing but rounding is left.
        double const enough = result_.fixed_count ? least / __builtin_sqrt(rounding) : least;
        if (state_.gamma <= enough || result_.iterations == 0)
          return end(hides_residual() ? solve_status::indefinite : solve_status::converged, x);
        if (state_.gamma > anew / 2) return end(this->stagnated(recursion, state_.gamma), x);
        anew = state_.gamma;
      }
      if (result_.iterations >= options.iterations) break;
      bool const was_doubtful = state_.is_doubtful;
      index_t const iterations = result_.iterations;
      status = advance(x, options);
      result_.iterations = state_.iterations;
      result_.residual = state_.residual;
      if (state_.is_doubtful && !was_doubtful) status = begin(b, x);
      if (result_.iterations > iterations) monitor(result_.iterations, result_.residual);
    }
    // What the recursion says of a solve that did not converge may be less than any x leaves.
    bool const is_small = __builtin_sqrt(rounding) * result_.initial_residual > result_.residual;
    if (status == solve_status::iterations_done && result_.iterations > 0 && (is_small || !result_.fixed_count))
      status = begin(b, x);
    return end(status, x);
  }

private:
  enum : index_t { v, before, z, next, w, w_before, product };

  solve_result end(solve_status status, auto const& x) { return base::end(status, x, v, product); }

  // Lanczos' recursion from b - A x; whether the solve may go on.
  template <class Right, class Solution>
  solve_status begin(Right const& b, Solution const& x)
  {
    this->residual(b, x, v_[v]);
    for (index_t i : {index_t{before}, index_t{w}, index_t{w_before}}) ops().fill(Scalar(0), v_[i]);
    solve_status const status = measure(state_.gamma);
    state_.begin(), is_new_ = true;
    result_.residual = state_.gamma;
    if constexpr (applies_itself<Preconditioner, Scalar>) {
      seen_ = state_.gamma / static_cast<double>(ops().norm(v_[v]));
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
    return minres_state::status_of(square, square == 0 && ops().norm(v_[v]) > 0);
  }

  // An iteration, or on a device those until the next look.
  template <class Solution>
  solve_status advance(Solution const& x, minres_options const& options)
  {
    if constexpr (!runs_on_host<Backend>)
      if (!state_.is_doubtful) return queue_until_look(x, options);
    return step(x);
  }

  // One step of Lanczos, one of the rotations, and x.
  template <class Solution>
  solve_status step(Solution const& x)
  {
    minres_state& s = state_;
    ops().scale(static_cast<Scalar>(1 / s.gamma), v_[z]);
    this->apply(const_vector(v_[z]), v_[product]);
    s.take_product(static_cast<double>(ops().dot(v_[product], v_[z])));
    if (s.status != solve_status::iterations_done) return s.status;
    // v, before = A z - (delta / gamma) v - (gamma / gamma_before) before, v
    ops().axpby(static_cast<Scalar>(s.of_v), v_[v], static_cast<Scalar>(s.of_v_before), v_[before]);
    ops().axpy(Scalar(1), v_[product], v_[before]);
    swap(v, before);
    // The direction belongs to this z; the next one goes to another place.
    swap(z, next);
    double gamma_next = 0;
    s.status = measure(gamma_next);
    if (s.status == solve_status::iterations_done) s.rotate(gamma_next, epsilon);
    if (s.status != solve_status::iterations_done) return s.status;
    // w, w_before = (z - a3 w_before - a2 w) / a1, w
    ops().axpby(static_cast<Scalar>(s.of_w), v_[w], static_cast<Scalar>(s.of_w_before), v_[w_before]);
    ops().axpy(static_cast<Scalar>(s.of_z), v_[next], v_[w_before]);
    swap(w, w_before);
    ops().axpy(static_cast<Scalar>(s.step), v_[w], x);
    return s.status;
  }

  // For the look alone it is waited.
  template <class Solution>
  solve_status queue_until_look(Solution const& x, minres_options const& options)
  {
    auto const& backend = v_.passes.backend();
    if (is_new_) loop(backend, 1, minres_set{on_device_, state_});
    is_new_ = false;
    index_t const every = iterations_of_look<Backend>(options.check_every);
    index_t const left = options.iterations - state_.iterations;
    for (index_t i = 0; i < every && i < left; ++i) queue(x.data());
    state_ = download_one(backend, static_cast<minres_state const*>(on_device_));
    return state_.status;
  }

  void queue(Scalar* x)
  {
    constexpr bool applied = applies_itself<Preconditioner, Scalar>;
    index_t const size = a_.size();
    auto const at = [&](index_t i) { return v_[i].data(); };
    dot_body<Scalar> const dot{at(product), at(z)};
    minres_take_product const take{on_device_};
    constexpr double least = sizeof(Scalar) == sizeof(double) ? 1e-290 : 1e-30;
    minres_rotate const rotate{on_device_, epsilon, least};
    auto* const sums = reinterpret_cast<double*>(on_device_);  // they come first
    if (space_) {
      this->apply(const_vector(v_[z]), v_[product]);
      v_.passes.run(size, dot, sums, take);
    } else {
      apply_then(a_, v_.passes, at(z), at(product), dot, sums, take);
    }
    if (applied || space_) {
      v_.passes.run(size,
                    minres_next_vector<Scalar, false>{on_device_, at(product), at(v), nullptr, at(before), at(next)});
      this->precondition(const_vector(v_[before]), v_[next]);
      v_.passes.run(size, minres_products<Scalar>{at(before), at(next)}, sums, rotate);
    } else if constexpr (!applied) {
      v_.passes.run(
          size, minres_next_vector<Scalar, true>{on_device_, at(product), at(v), this->factors_, at(before), at(next)},
          sums, rotate);
    }
    v_.passes.run(size, minres_advance<Scalar>{on_device_, at(z), at(w), at(w_before), x});
    swap(v, before), swap(z, next), swap(w, w_before);
  }

  void swap(index_t a, index_t b) { v_.exchange(a, b); }

  static constexpr auto epsilon = static_cast<double>(std::numeric_limits<Scalar>::epsilon());

  minres_state state_;
  minres_state* on_device_;          // there, where it is one
  bool is_new_ = true;               // whether the device has not been told of a beginning
  double seen_ = 0, most_seen_ = 0;  // |r|_P / |r|, for a preconditioner of one's own
};

}  // namespace detail

}  // namespace sumfac
