// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The steps of conjugate gradients: passes over vectors, and scalars that stay in the backend's memory.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

enum class cg_phase : int { running, converged, not_finite, indefinite, out_of_range, diverged };

// The scalars of a solve. Once the phase is not `running`, alpha and beta are 0 and nothing changes any more.
struct cg_state {
  double sums[most_sums] = {};  // of the last pass
  double rz = 0, rr = 0, first_rr = 0, pq = 0;
  double magnitude = 0;  // sum of the first |r_i|
  double alpha = 0, beta = 0;
  double target = 0;  // of rr
  double least = 0;   // squares below it have lost most digits
  double most = 0;    // rr whose rounding is as large as the first r
  double none = 0;    // rr that is nothing but rounding, where a fixed number of iterations is asked for; below 0 else
  index_t iterations = 0;
  cg_phase phase = cg_phase::running;
};

SUMFAC_INLINE bool is_finite(double x)
{
  return x - x == 0;
}

// What p . A p says, where r . r was rr.
SUMFAC_INLINE cg_phase phase_of(double pq, double rr, double least)
{
  if (!is_finite(pq)) return cg_phase::not_finite;
  constexpr double smallest = 2.3e-308;  // that is not denormal
  bool const lost = pq > -smallest && pq < smallest && rr * rr < least;
  return lost ? cg_phase::out_of_range : pq > 0 ? cg_phase::running : cg_phase::indefinite;
}

// z = P r for the entries from i on: P's factors times r, or r.
template <class T, class Scalar>
SUMFAC_INLINE T precondition(Scalar const* factors, index_t i, T const& r)
{
  return factors == nullptr ? r : load<T>(factors + i) * r;
}

template <class T>
SUMFAC_INLINE T magnitude(T const& x)
{
  if constexpr (width_of<T> == 1)
    return x < 0 ? -x : x;
  else
    return abs SUMFAC_NO_MACRO(x);
}

// r = b - q, p = z; sums r.z, r.r, |r|, and 0 if r is finite
template <class Scalar>
struct cg_start {
  using scalar = Scalar;
  static constexpr int sums = 4;
  Scalar const* b;
  Scalar const* q;
  Scalar const* factors;
  Scalar* r;
  Scalar* p;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const residual = load<T>(b + i) - load<T>(q + i), z = precondition(factors, i, residual);
    store(residual, r + i);
    store(z, p + i);
    sum[0] = fma(residual, z, sum[0]);
    sum[1] = fma(residual, residual, sum[1]);
    sum[2] += magnitude(residual);
    sum[3] += residual * T(0);
  }
};

// Sums r.z, r.r
template <class Scalar>
struct cg_products {
  using scalar = Scalar;
  static constexpr int sums = 2;
  Scalar const* r;
  Scalar const* z;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const residual = load<T>(r + i);
    sum[0] = fma(residual, load<T>(z + i), sum[0]);
    sum[1] = fma(residual, residual, sum[1]);
  }
};

// x = x + alpha p, r = r - alpha q; sums r.z, r.r
template <class Scalar>
struct cg_advance {
  using scalar = Scalar;
  static constexpr int sums = 2;
  cg_state const* state;
  Scalar const* p;
  Scalar const* q;
  Scalar const* factors;
  Scalar* x;
  Scalar* r;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    if (state->phase != cg_phase::running) return;
    Scalar const alpha = static_cast<Scalar>(state->alpha);
    store(fma(alpha, load<T>(p + i), load<T>(x + i)), x + i);
    T const residual = fma(-alpha, load<T>(q + i), load<T>(r + i));
    store(residual, r + i);
    sum[0] = fma(residual, precondition(factors, i, residual), sum[0]);
    sum[1] = fma(residual, residual, sum[1]);
  }
};

// p = z + beta p
template <class Scalar>
struct cg_turn {
  using scalar = Scalar;
  static constexpr int sums = 0;
  cg_state const* state;
  Scalar const* r;
  Scalar const* factors;
  Scalar* p;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    if (state->phase != cg_phase::running) return;
    T const z = precondition(factors, i, load<T>(r + i));
    store(fma(static_cast<Scalar>(state->beta), load<T>(p + i), z), p + i);
  }
};

// Whether all numbers are finite: the sum of x times 0.
template <class Scalar>
struct cg_test_finite {
  using scalar = Scalar;
  static constexpr int sums = 1;
  Scalar const* x;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    sum[0] += load<T>(x + i) * T(0);
  }
};

// The scalars' own steps, called as loop bodies of one iteration.
struct cg_reset {
  cg_state* state;
  SUMFAC_INLINE void operator()(index_t) const { *state = cg_state{}; }
};

struct cg_begin {
  cg_state* state;
  double tolerance, absolute;
  double least_at_first, least;  // squares below them have lost digits, most digits
  double roundoff;
  SUMFAC_INLINE void operator()(index_t) const
  {
    cg_state& s = *state;
    s.rz = s.sums[0];
    s.rr = s.first_rr = s.sums[1];
    s.magnitude = s.sums[2];
    double const relative = tolerance * tolerance * s.rr, fixed = absolute * absolute;
    s.target = relative > fixed ? relative : fixed;
    s.least = least;
    s.most = s.rr / (roundoff * roundoff);
    s.none = tolerance == 0 && absolute == 0 ? roundoff * roundoff * s.rr : -1;
    bool const lost = s.rr < least_at_first && s.magnitude > 0;
    if (!is_finite(s.sums[3]))
      s.phase = cg_phase::not_finite;
    else if (s.magnitude <= absolute || (is_finite(s.rr) && s.rr <= s.target && !lost))
      s.phase = cg_phase::converged;
    else if (lost || !is_finite(s.rr))
      s.phase = cg_phase::out_of_range;
    else if (!is_finite(s.rz))
      s.phase = cg_phase::not_finite;
    else if (!(s.rz > 0))
      s.phase = cg_phase::indefinite;
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
    ++s.iterations;
  }
};

// After the residual: where to turn.
struct cg_choose_direction {
  cg_state* state;
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
    s.beta = s.phase == cg_phase::running ? rz / s.rz : 0;
    s.rz = rz;
  }
};

}  // namespace sumfac::detail
