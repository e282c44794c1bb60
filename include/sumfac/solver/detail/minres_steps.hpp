// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The steps of MINRES: the recurrences of its scalars, for the host and devices, and devices' passes.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

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

}  // namespace sumfac::detail
