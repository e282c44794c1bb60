// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The steps of conjugate gradients: passes over vectors, and scalars that stay in the backend's memory.
#pragma once

#include <sumfac/math/detail/power_of_two.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Out of scale is a first residual whose squares are far from 1; it is divided by a power of two then. Doubtful is one
// of merged iterations on a device that has to be computed.
enum class cg_phase : int {
  running,
  converged,
  not_finite,
  indefinite,
  out_of_range,
  diverged,
  stagnated,
  out_of_scale,
  doubtful
};

// How far the residual of the recursion may be from b - A x, from scalars that are at hand.
//
// Each step rounds A p, x and r; what that leads r from b - A x is a few roundings of |A| times the largest |x| in each
// step (Greenbaum 1997; Sleijpen, van der Vorst and Fokkema 1994), which add up as noise does. In the norm of P's
// inverse, in which the directions' products follow from those of residuals (Steihaug 1983), so does |x|; |P A| is at
// least the diagonal of Lanczos' matrix; and r . r over r . P r leads back to the 2-norm.
struct drift_scalars {
  double pp = 0, xp = 0, xx = 0;  // |p|^2, x . p and |x|^2, where x is what the steps have added, over the scale
  double alpha = 0;               // of the last step
  double largest = 0;             // eigenvalue of P A, from below
  double ratio = 0;               // r . r over r . P r, the largest

  // Before the step alpha along p = z + beta p.
  SUMFAC_INLINE void step(double next, double beta, double rz, double rr)
  {
    if (!(next > 0)) return;
    xp = beta * (xp + alpha * pp);
    pp = rz + beta * beta * pp;
    double const value = 1 / next + (alpha > 0 ? beta / alpha : 0);
    largest = value > largest ? value : largest;
    ratio = rr > ratio * rz ? rr / rz : ratio;
    xx += next * (2 * xp + next * pp);
    alpha = next;
  }
  // From a residual that was computed anew.
  SUMFAC_INLINE void restart() { alpha = pp = xp = 0; }

  // Of |r|, where `of_x` is |x|^2 over the scale's square, for numbers of that rounding.
  double bound(double of_x, index_t iterations, double rounding) const
  {
    double const x = of_x > xx ? of_x : xx, steps = static_cast<double>(iterations + 1);
    return 15 * rounding * __builtin_sqrt(steps * ratio * x) * largest;
  }
};

// The scalars of a solve. Once the phase is not `running`, alpha and beta are 0 and nothing changes any more. Vectors
// r, p and q are over the scale, and what is said of them here is, too.
struct cg_state {
  double sums[most_sums] = {};  // of the last pass
  double rz = 0, rr = 0, first_rr = 0, pq = 0;
  double scale = 1;  // a power of two
  double alpha = 0, beta = 0;
  double target = 0;   // of rr
  double least = 0;    // squares below it have lost most digits
  double most = 0;     // rr whose rounding is as large as the first r
  double none = 0;     // rr that is nothing but rounding, where a fixed number of iterations is asked for; below 0 else
  double anew_rr = 0;  // when r was b - A x the last time
  double believed_rr = 0;  // what r had become when it was computed anew
  double rounding = 0;     // sum of |r_i|, without the scale, that is nothing but what a null space's part has left
  drift_scalars drift;
  index_t iterations = 0;
  cg_phase phase = cg_phase::running;
  bool has_scale = false;  // whether one was looked for
};

SUMFAC_INLINE bool is_finite(double x) { return x - x == 0; }

// What p . A p says, where r . r was rr.
SUMFAC_INLINE cg_phase phase_of(double pq, double rr, double least)
{
  if (!is_finite(pq)) return cg_phase::not_finite;
  constexpr double smallest = 2.3e-308;  // that is not denormal
  bool const lost = pq > -smallest && pq < smallest && rr * rr < least;
  return lost ? cg_phase::out_of_range : pq > 0 ? cg_phase::running : cg_phase::indefinite;
}

// r = b - q, p = z; sums r.z, r.r, |r|, and 0 if r is finite
template <class Scalar>
struct cg_start {
  using scalar = Scalar;
  static constexpr int sums = 4;
  Scalar const *b, *q, *factors;
  Scalar *r, *p;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    add(i, load<T>(b + i) - load<T>(q + i), factors, r, p, sum);
  }
  template <class T>
  SUMFAC_INLINE static void add(index_t i, T const& residual, Scalar const* factors, Scalar* r, Scalar* p,
                                T (&sum)[most_sums])
  {
    T const z = times(factors, i, residual);
    store(residual, r + i);
    store(z, p + i);
    sum[0] = fma(residual, z, sum[0]);
    sum[1] = fma(residual, residual, sum[1]);
    sum[2] += magnitude(residual);
    sum[3] += residual * T(0);
  }
};

// r = r / scale, p = z; sums as of the start.
template <class Scalar>
struct cg_rescale {
  using scalar = Scalar;
  static constexpr int sums = 4;
  cg_state const* state;
  Scalar const* factors;
  Scalar *r, *p;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    cg_start<Scalar>::add(i, static_cast<Scalar>(1 / state->scale) * load<T>(r + i), factors, r, p, sum);
  }
};

// Sums r.z, r.r
template <class Scalar>
struct cg_products {
  using scalar = Scalar;
  static constexpr int sums = 2;
  Scalar const *r, *z;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const residual = load<T>(r + i);
    sum[0] = fma(residual, load<T>(z + i), sum[0]);
    sum[1] = fma(residual, residual, sum[1]);
  }
};

// Sums r.z, r.r, z.q
template <class Scalar>
struct cg_flexible_products {
  using scalar = Scalar;
  static constexpr int sums = 3;
  Scalar const *r, *z, *q;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    cg_products<Scalar>{r, z}(i, sum);
    sum[2] = fma(load<T>(z + i), load<T>(q + i), sum[2]);
  }
};

// x = x + alpha scale p, r = r - alpha q; sums r.z, r.r
template <class Scalar>
struct cg_advance {
  using scalar = Scalar;
  static constexpr int sums = 2;
  cg_state const* state;
  Scalar const *p, *q, *factors;
  Scalar *x, *r;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    if (state->phase != cg_phase::running) return;
    Scalar const alpha = static_cast<Scalar>(state->alpha), step = static_cast<Scalar>(state->alpha * state->scale);
    store(fma(step, load<T>(p + i), load<T>(x + i)), x + i);
    T const residual = fma(-alpha, load<T>(q + i), load<T>(r + i));
    store(residual, r + i);
    sum[0] = fma(residual, times(factors, i, residual), sum[0]);
    sum[1] = fma(residual, residual, sum[1]);
  }
};

// p = z + beta p
template <class Scalar>
struct cg_next_direction {
  using scalar = Scalar;
  static constexpr int sums = 0;
  cg_state const* state;
  Scalar const *r, *factors;
  Scalar* p;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    if (state->phase != cg_phase::running) return;
    T const z = times(factors, i, load<T>(r + i));
    store(fma(static_cast<Scalar>(state->beta), load<T>(p + i), z), p + i);
  }
};

// Sums x times 0, which is 0 where all numbers are finite, and x . x over P's factors, x over the scale.
template <class Scalar>
struct cg_test_x {
  using scalar = Scalar;
  static constexpr int sums = 2;
  double const* scale;
  Scalar const *x, *factors;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const entry = load<T>(x + i), scaled = static_cast<Scalar>(1 / *scale) * entry;
    sum[0] += entry * T(0);
    if (factors == nullptr)
      sum[1] = fma(scaled, scaled, sum[1]);
    else
      sum[1] += scaled * scaled / load<T>(factors + i);
  }
};

// The scalars' own steps, called as loop bodies of one iteration.
struct cg_reset {
  cg_state* state;
  SUMFAC_INLINE void operator()(index_t) const { *state = cg_state{}; }
};

// After r, before a null space's part is taken from it: each entry is left with a few roundings of what is taken.
struct cg_measure_part {
  cg_state* state;
  double few;  // roundings
  SUMFAC_INLINE void operator()(index_t) const { state->rounding = few * state->sums[2]; }
};

// After the first residual, and again after it was divided by the scale.
struct cg_begin {
  cg_state* state;
  double tolerance, absolute;
  double low, high;  // squares between them have room for a solve
  double least;      // squares below it have lost most digits
  double roundoff;
  SUMFAC_INLINE void operator()(index_t) const
  {
    cg_state& s = *state;
    s.rz = s.sums[0];
    s.rr = s.first_rr = s.anew_rr = s.sums[1];
    double const fixed = absolute / s.scale, relative = tolerance * tolerance * s.rr;
    s.target = relative > fixed * fixed ? relative : fixed * fixed;
    s.least = least;
    s.most = s.rr / (roundoff * roundoff);
    s.none = tolerance == 0 && absolute == 0 ? roundoff * roundoff * s.rr : -1;
    s.phase = phase();
  }

private:
  SUMFAC_INLINE cg_phase phase() const
  {
    cg_state const& s = *state;
    if (!is_finite(s.sums[3])) return cg_phase::not_finite;
    if (s.sums[2] <= absolute / s.scale) return cg_phase::converged;
    if (s.sums[2] * s.scale <= s.rounding) return cg_phase::converged;
    if (!s.has_scale && !(has_room(s.rr) && has_room(s.rz < 0 ? -s.rz : s.rz))) return cg_phase::out_of_scale;
    if (s.rr <= s.target) return cg_phase::converged;
    if (!is_finite(s.rr) || !is_finite(s.rz)) return cg_phase::not_finite;
    return s.rz > 0 ? cg_phase::running : cg_phase::indefinite;
  }
  SUMFAC_INLINE bool has_room(double square) const { return square >= low && square <= high; }
};

// From the sum of |r_i|: the scale of vectors of Scalar.
template <class Scalar>
struct cg_choose_scale {
  cg_state* state;
  SUMFAC_INLINE void operator()(index_t) const
  {
    constexpr double most = sizeof(Scalar) == sizeof(double) ? 0x1p1000 : 0x1p120;  // whose inverse is a normal number
    cg_state& s = *state;
    double const scale = s.sums[2] < most ? power_of_two_below(s.sums[2]) : most;
    s.scale = scale > 1 / most ? scale : 1 / most;
    s.has_scale = true;
  }
};

// After q = A p and p.q: how far to go.
struct cg_choose_step {
  cg_state* state;
  SUMFAC_INLINE void operator()(index_t) const
  {
    cg_state& s = *state;
    if (s.phase != cg_phase::running) return;
    s.pq = s.sums[0];
    s.phase = phase_of(s.pq, s.rr, s.least);
    s.alpha = s.phase == cg_phase::running ? s.rz / s.pq : 0;
    s.drift.step(s.alpha, s.beta, s.rz, s.rr);
    ++s.iterations;
  }
};

// After the residual: where to turn. Flexibly, by z . (r - the r before), which is -alpha z . q.
struct cg_choose_direction {
  cg_state* state;
  bool flexible = false;
  SUMFAC_INLINE void operator()(index_t) const
  {
    cg_state& s = *state;
    if (s.phase != cg_phase::running) return;
    double const rz = s.sums[0];
    s.rr = s.sums[1];
    if (!is_finite(s.rr))
      s.phase = cg_phase::not_finite;
    else if (s.rr <= s.target)
      s.phase = cg_phase::converged;
    else if (s.rr < s.least)
      s.phase = s.rr <= s.none ? cg_phase::converged : cg_phase::out_of_range;
    else if (s.rr > s.most)
      s.phase = cg_phase::diverged;
    else if (!is_finite(rz))
      s.phase = cg_phase::not_finite;
    else if (!(rz > 0))
      s.phase = cg_phase::indefinite;
    s.beta = s.phase == cg_phase::running ? (flexible ? -s.alpha * s.sums[2] : rz) / s.rz : 0;
    s.rz = rz;
  }
};

// After r was computed anew where the solve seemed to have converged: whether it has, or may go on from there. Between
// two such looks |r| must halve.
struct cg_go_on {
  cg_state* state;
  double target;  // of rr
  bool is_last;   // a fixed number of iterations ends where r vanishes
  SUMFAC_INLINE void operator()(index_t) const
  {
    cg_state& s = *state;
    double const before = s.anew_rr;
    s.believed_rr = s.rr;
    s.rz = s.sums[0];
    s.rr = s.anew_rr = s.sums[1];
    s.alpha = s.beta = 0;
    s.drift.restart();
    if (!is_finite(s.rr))
      s.phase = cg_phase::not_finite;
    else if (s.rr <= target)
      s.phase = cg_phase::converged;
    else if (is_last || !(4 * s.rr <= before) || !(s.rr >= s.least))
      s.phase = cg_phase::stagnated;
    else if (!is_finite(s.rz))
      s.phase = cg_phase::not_finite;
    else
      s.phase = s.rz > 0 ? cg_phase::running : cg_phase::indefinite;
  }
};

// After r . P r of that residual, where P is not of factors.
struct cg_take_product {
  cg_state* state;
  SUMFAC_INLINE void operator()(index_t) const
  {
    cg_state& s = *state;
    s.rz = s.sums[0];
    if (!is_finite(s.rz))
      s.phase = cg_phase::not_finite;
    else if (!(s.rz > 0))
      s.phase = cg_phase::indefinite;
  }
};

}  // namespace sumfac::detail
