// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients whose vector updates and sums are done inside the operator's sweep over elements.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/batches.hpp>
#include <sumfac/solver/detail/cg_arguments.hpp>
#include <sumfac/solver/detail/cg_steps.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/preconditioner.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {
template <class Matrix>
class merged_solve;
template <class Matrix>
inline constexpr bool can_merge = is_global_operator<Matrix> || matrix_in_parts<Matrix> || is_sum_matrix<Matrix>;
}  // namespace detail

// The iterates of cg(), up to rounding, in one pass over each vector per iteration where cg() needs two or three.
//
// Where only one block of elements has nodes, x, r and p are updated right before the first elements that need them,
// and behind the block the products of p, r and q = A p are summed, while all that is in the caches. The residual after
// a step follows from these sums before the step is taken, so a step and the next application of A are one sweep. Where
// the sums say that the solve has converged, r itself is updated and its norm taken. Results have the same bits for any
// number of threads. The nodes of a block should be numbered near one another. Upon parts of vectors, as a
// global_operator with a halo has them, and of a sum of operators, updates and products are passes of their own;
// processes add up sums once an iteration, where cg() does so twice.
//
// On a device an iteration is three launches: x, r and p; the elements; the products and what follows from them, with
// scatter::deterministic in the kernel that adds up the elements' results, and then the same bits in every run.
// **Shapes**, **Errors** as of cg().
// **Source** Kronbichler, Sashko, Munch, Enhancing data locality of the conjugate gradient method for high-order
// matrix-free finite-element implementations, IJHPCA 37, 2023.
template <class Matrix, class Right, class Solution, class Preconditioner, class Monitor, class Scalar>
  requires detail::can_merge<Matrix>
solve_result merged_cg(Matrix const& a, Right const& b, Solution&& x, Preconditioner const& preconditioner,
                       cg_options const& options, Monitor&& monitor,
                       cg_workspace<Scalar, typename Matrix::backend_type>& workspace)
{
  if constexpr (detail::check_merged_cg<Matrix, Right, Solution, Preconditioner, Monitor, Scalar>()) {
    auto const from = detail::as_vector(b);
    auto const to = detail::as_vector(x);
    detail::merged_solve<Matrix> solve("merged_cg", a, workspace, options);
    auto const factors = solve.check_arguments(from, to, preconditioner);
    return solve.template run_merged<Preconditioner>(from.data(), to.data(), factors, monitor);
  } else {
    return {};
  }
}

// The same with a workspace of its own.
template <class Matrix, class Right, class Solution, class Preconditioner = no_preconditioner,
          class Monitor = no_monitor>
  requires detail::can_merge<Matrix>
solve_result merged_cg(Matrix const& a, Right const& b, Solution&& x, Preconditioner const& preconditioner = {},
                       cg_options const& options = {}, Monitor&& monitor = {})
{
  using scalar = typename Matrix::scalar_type;
  if constexpr (detail::check_merged_cg<Matrix, Right, Solution, Preconditioner, Monitor, scalar>()) {
    cg_workspace<scalar, typename Matrix::backend_type> workspace(a.backend(), a.size(), detail::reduction_of(a));
    return merged_cg(a, b, x, preconditioner, options, monitor, workspace);
  } else {
    return {};
  }
}

// Either without a preconditioner.
template <class Matrix, class Right, class Solution, class... Others>
  requires(detail::can_merge<Matrix> && !detail::has_options<Others...>)
solve_result merged_cg(Matrix const& a, Right const& b, Solution&& x, cg_options const& options,
                       Others&&... monitor_and_workspace)
{
  return merged_cg(a, b, x, no_preconditioner{}, options, monitor_and_workspace...);
}

// A matrix that is no global operator has no sweep over elements to merge with.
template <class Matrix, class Right, class Solution, class... Others>
  requires(!detail::can_merge<Matrix>)
solve_result merged_cg(Matrix const&, Right const&, Solution const&, Others const&...)
{
  static_assert(detail::can_merge<Matrix>,
                "sumfac::merged_cg: A must be a sumfac::global_operator{A, R}, whose sweep over elements the vector "
                "updates are merged with, or a sumfac::sum: solve with any other matrix by sumfac::cg");
  return {};
}

namespace detail {

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

// What a sweep does around the elements of a piece.
template <class Products>
struct merged_hooks {
  using scalar = typename Products::scalar;
  using piece_sums = range_sums<Products>;

  merged_update<scalar> update;
  Products products;
  double* sums;  // (pieces, most_sums)

  void before(index_t first, index_t last) const { range_sums<merged_update<scalar>>().add(first, last, update); }
  void before_one(index_t i) const
  {
    scalar none[most_sums] = {};
    update(i, none);
  }
  scalar next_x(index_t i) const { return update.next_direction(i); }
  void after(index_t first, index_t last, piece_sums& sum) const { sum.add(first, last, products); }
  void after_one(index_t i, piece_sums& sum) const { sum.add_one(i, products); }
  void finish(index_t piece, piece_sums const& sum) const { sum.add_to(sums + piece * most_sums); }
};

// On the host an iteration is one sweep, which its scalars follow; on a device three launches, its scalars stay there,
// and the host looks at them now and then.
template <class Matrix>
class merged_solve : public cg_solve<Matrix, typename Matrix::scalar_type, typename Matrix::backend_type> {
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
  solve_result run_merged(scalar const* b, scalar* x, scalar const* factors, Monitor&& monitor)
  {
    cg_state seen = base::start(b, x, no_preconditioner{}, factors);
    base::report(seen, monitor);
    batches<backend> batch(name_, w_.passes.backend(), options_);
    do {
      while (seen.phase == cg_phase::running && seen.iterations < options_.iterations) {
        index_t const left = options_.iterations - seen.iterations;
        batch.run(left < batch.size() ? left : batch.size(), [&] { sweep<Preconditioner>(x, factors); });
        seen = base::read_state();
        bool const is_last = seen.phase == cg_phase::running && seen.iterations >= options_.iterations;
        if (is_last || seen.phase == cg_phase::doubtful) {
          take_step(x, factors);
          seen = base::read_state();
        }
        if (seen.phase != cg_phase::not_finite) base::report(seen, monitor);
      }
    } while (base::goes_on(seen, b, x, no_preconditioner{}, factors));
    return base::result(seen, x);
  }

private:
  // The step that is due, the next direction, q = A p, the products, and the scalars.
  template <class Preconditioner>
  void sweep(scalar* x, scalar const* factors) const
  {
    scalar* const p = w_.p.data();
    scalar* const q = w_.q.data();
    scalar* const r = w_.r.data();
    if constexpr (std::is_same_v<Preconditioner, no_preconditioner>)
      sweep_with(x, factors, plain_products<scalar>{p, q, r}, merged_choose{base::state(), true});
    else
      sweep_with(x, factors, merged_products<scalar>{factors, p, q, r}, merged_choose{base::state(), false});
  }

  template <class Products>
  void sweep_with(scalar* x, scalar const* factors, Products const& products, merged_choose const& choose) const
  {
    scalar* const p = w_.p.data();
    scalar* const q = w_.q.data();
    scalar* const r = w_.r.data();
    if constexpr (!runs_on_host<backend>) {
      base::pass_and_clear(merged_update_by_state<scalar>{base::state(), factors, x, r, p, q});
      base::apply_and_pass(p, q, products, choose);
    } else {
      auto const update = merged_update<scalar>::of(*base::state(), factors, x, r, p, q);
      if constexpr (is_global_operator<Matrix>) {
        sweep_hooked(merged_hooks<Products>{update, products, a_.restriction().storage().piece_sums()});
        choose(0);
      } else {
        base::pass(update);
        base::apply(p, q);
        base::pass(products, choose);
      }
    }
  }

  template <class Hooks>
  void sweep_hooked(Hooks const& hooks) const
  {
    cg_state& s = *base::state();
    index_t const pieces = a_.restriction().storage().pieces();
    for (index_t i = 0; i < pieces * most_sums; ++i) hooks.sums[i] = 0;
    application<element_operator_of<Matrix>>(a_.element_operator(), "element_operator::apply")
        .write(a_.restriction(), view<scalar const, dextents<1>>(w_.p.data(), a_.size()),
               view<scalar, dextents<1>>(w_.q.data(), a_.size()), hooks);
    for (int k = 0; k < most_sums; ++k) {
      s.sums[k] = 0;
      for (index_t piece = 0; piece < pieces; ++piece) s.sums[k] += hooks.sums[piece * most_sums + k];
    }
  }

  // The step that is due, by itself, and the residual after it.
  void take_step(scalar* x, scalar const* factors) const
  {
    base::step(merged_resume{base::state()});
    base::pass(cg_advance<scalar>{base::state(), w_.p.data(), w_.q.data(), factors, x, w_.r.data()},
               merged_next_direction{base::state()});
  }
};

}  // namespace detail

}  // namespace sumfac
