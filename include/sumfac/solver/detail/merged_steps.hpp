// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The steps of merged conjugate gradients: one update of x, r and p, and all products that the next one follows from.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/solver/detail/cg_steps.hpp>
#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// The step that is due: x = x + step p, r = r - alpha q, and then p = z + beta p; q = 0, to be added to.
template <class Number>
struct merged_update {
  using scalar = Number;
  static constexpr int sums = 0;
  Number alpha, beta, step;  // the step is alpha times the scale
  Number const* factors;
  Number *x, *r, *p, *q;
  SUMFAC_INLINE static merged_update of(cg_state const& s, Number const* factors, Number* x, Number* r, Number* p,
                                        Number* q)
  {
    return {static_cast<Number>(s.alpha),
            static_cast<Number>(s.beta),
            static_cast<Number>(s.alpha * s.scale),
            factors,
            x,
            r,
            p,
            q};
  }
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    advance<T>(i);
    store(T{}, q + i);
  }
  // All but q.
  template <class T>
  SUMFAC_INLINE void advance(index_t i) const
  {
    T const direction = load<T>(p + i), residual = residual_at<T>(i);
    store(fma(step, direction, load<T>(x + i)), x + i);
    store(residual, r + i);
    store(fma(beta, direction, times(factors, i, residual)), p + i);
  }
  // What p is going to be at entry i.
  SUMFAC_INLINE Number next_direction(index_t i) const
  {
    return fma(beta, p[i], times(factors, i, residual_at<Number>(i)));
  }

private:
  template <class T>
  SUMFAC_INLINE T residual_at(index_t i) const
  {
    return fma(-alpha, load<T>(q + i), load<T>(r + i));
  }
};

// The same on a device, by the scalars where they are, unless the solve has stopped; q is cleared by others.
template <class Number>
struct merged_update_by_state {
  using scalar = Number;
  static constexpr int sums = 0;
  cg_state const* state;
  Number const* factors;
  Number *x, *r, *p, *q;
  SUMFAC_INLINE void operator()(index_t i, Number (&)[most_sums]) const
  {
    if (state->phase == cg_phase::running)
      merged_update<Number>::of(*state, factors, x, r, p, q).template advance<Number>(i);
  }
};

// All products that the next step and the residual after it follow from: p.q, r.z, z.q, q.Pq, r.r, r.q, q.q.
template <class Number>
struct merged_products {
  using scalar = Number;
  static constexpr int sums = 7;
  Number const *factors, *p, *q, *r;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const residual = load<T>(r + i), change = load<T>(q + i);
    T const z = times(factors, i, residual);
    sum[0] = fma(load<T>(p + i), change, sum[0]);
    sum[1] = fma(residual, z, sum[1]);
    sum[2] = fma(z, change, sum[2]);
    sum[3] = fma(change, times(factors, i, change), sum[3]);
    sum[4] = fma(residual, residual, sum[4]);
    sum[5] = fma(residual, change, sum[5]);
    sum[6] = fma(change, change, sum[6]);
  }
};

// The same without a preconditioner, where z = r: p.q, r.r, r.q, q.q.
template <class Number>
struct plain_products {
  using scalar = Number;
  static constexpr int sums = 4;
  Number const *p, *q, *r;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const residual = load<T>(r + i), change = load<T>(q + i);
    sum[0] = fma(load<T>(p + i), change, sum[0]);
    sum[1] = fma(residual, residual, sum[1]);
    sum[2] = fma(residual, change, sum[2]);
    sum[3] = fma(change, change, sum[3]);
  }
};

// Sums of plain_products as those of merged_products.
SUMFAC_INLINE void spread_plain_sums(cg_state& s)
{
  double const rr = s.sums[1], rq = s.sums[2], qq = s.sums[3];
  s.sums[2] = s.sums[5] = rq;
  s.sums[3] = s.sums[6] = qq;
  s.sums[4] = rr;
}

// What the sums say of a residual that is small beside the last one, they say up to rounding: whether it has to be
// computed by a step of its own.
SUMFAC_INLINE bool is_doubtful(cg_state const& s)
{
  return !(s.rr > s.target) || !(s.rr >= s.least) || !(s.beta > 0) || !(s.rr <= s.most);
}

// The scalars of a merged iteration, from its sums: alpha, beta, and the residual after the step. One that is doubtful
// waits for the host, which has it computed.
struct merged_choose {
  cg_state* state;
  bool plain;  // whether the sums are those of plain_products
  SUMFAC_INLINE void operator()(index_t) const
  {
    cg_state& s = *state;
    if (s.phase != cg_phase::running) return;
    if (plain) spread_plain_sums(s);
    choose(s);
    if (s.phase == cg_phase::running && is_doubtful(s)) s.phase = cg_phase::doubtful;
  }

private:
  SUMFAC_INLINE static void choose(cg_state& s)
  {
    double const pq = s.sums[0], rz = s.sums[1];
    ++s.iterations;
    s.pq = pq;
    s.rz = rz;
    double const turn = s.beta;
    s.alpha = s.beta = 0;
    s.phase = is_finite(rz) ? phase_of(pq, s.rr, s.least) : cg_phase::not_finite;
    if (s.phase != cg_phase::running) return;
    s.alpha = rz / pq;
    s.drift.step(s.alpha, turn, rz, s.rr);
    s.beta = (rz - 2 * s.alpha * s.sums[2] + s.alpha * s.alpha * s.sums[3]) / rz;
    s.rr = s.sums[4] - 2 * s.alpha * s.sums[5] + s.alpha * s.alpha * s.sums[6];
  }
};

struct merged_resume {
  cg_state* state;
  SUMFAC_INLINE void operator()(index_t) const { state->phase = cg_phase::running; }
};

// After a step that was taken by itself: the next sweep makes the new direction alone.
struct merged_next_direction {
  cg_state* state;
  SUMFAC_INLINE void operator()(index_t) const
  {
    cg_choose_direction{state}(0);
    state->alpha = 0;
  }
};

}  // namespace sumfac::detail
