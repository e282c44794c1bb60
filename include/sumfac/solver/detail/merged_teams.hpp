// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Merged conjugate gradients on a device: an iteration is three launches, and its scalars stay there.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/detail/batches.hpp>
#include <sumfac/solver/detail/cg_steps.hpp>
#include <sumfac/solver/detail/merged_steps.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/preconditioner.hpp>

#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET::detail {

// The step that is due, by the scalars where they are, unless the solve has stopped.
template <class Number>
struct merged_update_there {
  using scalar = Number;
  static constexpr int sums = 0;
  cg_state const* state;
  Number const* factors;
  Number* x;
  Number* r;
  Number* p;
  Number* q;
  SUMFAC_INLINE void operator()(index_t i, Number (&)[most_sums]) const
  {
    if (state->phase != cg_phase::running) return;
    auto const alpha = static_cast<Number>(state->alpha), beta = static_cast<Number>(state->beta);
    auto const step = static_cast<Number>(state->alpha * state->scale);
    merged_update<Number>{alpha, beta, step, factors, x, r, p, q}.template advance<Number>(i);
  }
};

// The scalars, behind the products. A residual that is doubtful waits for the host, which has it computed.
struct merged_choose_there {
  cg_state* state;
  bool plain;
  SUMFAC_INLINE void operator()(index_t) const
  {
    cg_state& s = *state;
    if (s.phase != cg_phase::running) return;
    if (plain) spread_plain_sums(s);
    merged_choose{state}(0);
    if (s.phase == cg_phase::running && is_doubtful(s)) s.phase = cg_phase::doubtful;
  }
};

struct merged_resume {
  cg_state* state;
  SUMFAC_INLINE void operator()(index_t) const { state->phase = cg_phase::running; }
};

// Behind a step that was taken by itself: the next sweep turns only.
struct merged_turn_only {
  cg_state* state;
  SUMFAC_INLINE void operator()(index_t) const
  {
    cg_choose_direction{state}(0);
    state->alpha = 0;
  }
};

template <class Matrix>
class merged_teams : public cg_solve<Matrix, typename Matrix::scalar_type, typename Matrix::backend_type> {
  using scalar = typename Matrix::scalar_type;
  using backend = typename Matrix::backend_type;
  using base = cg_solve<Matrix, scalar, backend>;
  using base::a_;
  using base::name_;
  using base::options_;
  using base::w_;

public:
  using base::base;

  // Whether there are factors says the type: a process without entries has none of a preconditioner of factors.
  template <class Preconditioner, class Monitor>
  cg_result run_merged(scalar const* b, scalar* x, scalar const* factors, Monitor&& monitor)
  {
    cg_state seen = base::start(b, x, no_preconditioner{}, factors);
    base::report(seen, monitor);
    batches<backend> batch(name_, w_.passes.backend(), options_);
    do {
      while (seen.phase == cg_phase::running && seen.iterations < options_.iterations) {
        index_t const left = options_.iterations - seen.iterations;
        batch.run(left < batch.size() ? left : batch.size(), [&] { sweep<Preconditioner>(x, factors); });
        seen = base::look();
        bool const is_last = seen.phase == cg_phase::running && seen.iterations >= options_.iterations;
        if (is_last || seen.phase == cg_phase::doubtful) {
          take_step(x, factors);
          seen = base::look();
        }
        if (seen.phase != cg_phase::not_finite) base::report(seen, monitor);
      }
    } while (base::goes_on(seen, b, x, no_preconditioner{}, factors));
    return base::result(seen, x);
  }

private:
  // The step that is due and the next direction; q = A p, and the products.
  template <class Preconditioner>
  void sweep(scalar* x, scalar const* factors) const
  {
    scalar* const p = w_.p.data();
    scalar* const q = w_.q.data();
    scalar* const r = w_.r.data();
    base::pass_and_clear(merged_update_there<scalar>{base::state(), factors, x, r, p, q});
    constexpr bool plain = std::is_same_v<Preconditioner, no_preconditioner>;
    merged_choose_there const choose{base::state(), plain};
    if constexpr (plain)
      base::apply_and_pass(p, q, plain_products<scalar>{p, q, r}, choose);
    else
      base::apply_and_pass(p, q, merged_products<scalar>{factors, p, q, r}, choose);
  }

  // The step that is due, by itself, and the residual after it.
  void take_step(scalar* x, scalar const* factors) const
  {
    base::step(merged_resume{base::state()});
    base::pass(cg_advance<scalar>{base::state(), w_.p.data(), w_.q.data(), factors, x, w_.r.data()},
               merged_turn_only{base::state()});
  }
};

}  // namespace sumfac::detail
