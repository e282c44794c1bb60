// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients whose vector updates and sums are done inside the operator's sweep over elements, on the host.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/operator/detail/global_sweep.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/cg_arguments.hpp>
#include <sumfac/solver/detail/cg_steps.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/reduction.hpp>

#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET {

namespace detail {
template <class Matrix>
class merged_solve;
template <class Matrix>
inline constexpr bool is_global_operator = false;
template <class Operator, class Restriction>
inline constexpr bool is_global_operator<global_operator<Operator, Restriction>> = true;
// Whether a matrix has parts of vectors, whose sums are added up over processes.
template <class Matrix>
inline constexpr bool is_distributed = requires(Matrix const& a) { reduction(a.reduction()); };
template <class Matrix>
inline constexpr bool can_merge = is_global_operator<Matrix> || is_distributed<Matrix>;
}  // namespace detail

// The iterates of cg(), up to rounding, in one pass over each vector per iteration where cg() needs two or three.
//
// Where only one block of elements has nodes, x, r and p are updated right before the first elements that need them,
// and behind the block the products of p, r and q = A p are summed, while all that is in the caches. The residual after
// a step follows from these sums before the step is taken, so a step and the next application of A are one sweep. Where
// the sums say that the solve has converged, r itself is updated and its norm taken. Results have the same bits for any
// number of threads. The nodes of a block should be numbered near one another. Upon parts of vectors, as
// sumfac::distributed has them, updates and products are passes of their own, and processes add up sums once an
// iteration, where cg() does so twice.
// **Shapes**, **Errors** as of cg(); the operator must be one on the host.
// **Source** Kronbichler, Sashko, Munch, Enhancing data locality of the conjugate gradient method for high-order
// matrix-free finite-element implementations, IJHPCA 37, 2023.
template <class Matrix, class Right, class Solution, class Preconditioner, class Monitor, class Scalar>
  requires detail::can_merge<Matrix>
cg_result merged_cg(Matrix const& a, Right const& b, Solution const& x, Preconditioner const& preconditioner,
                    cg_options const& options, Monitor&& monitor, cg_workspace<Scalar, host>& workspace)
{
  if constexpr (detail::check_merged_cg<Matrix, Right, Solution, Preconditioner, Monitor, Scalar>()) {
    detail::merged_solve<Matrix> solve("merged_cg", a, workspace, options);
    auto const factors = solve.check_arguments(b, x, preconditioner);
    return solve.template run_merged<Preconditioner>(b.data(), x.data(), factors, monitor);
  } else {
    return {};
  }
}

// The same with a workspace of its own.
template <class Matrix, class Right, class Solution, class Preconditioner = no_preconditioner,
          class Monitor = no_monitor>
  requires detail::can_merge<Matrix>
cg_result merged_cg(Matrix const& a, Right const& b, Solution const& x, Preconditioner const& preconditioner = {},
                    cg_options const& options = {}, Monitor&& monitor = {})
{
  using scalar = typename Matrix::scalar_type;
  if constexpr (detail::check_merged_cg<Matrix, Right, Solution, Preconditioner, Monitor, scalar>()) {
    cg_workspace<scalar, host> workspace(a.backend(), a.size(), detail::reduction_of(a));
    return merged_cg(a, b, x, preconditioner, options, monitor, workspace);
  } else {
    return {};
  }
}

// Either without a preconditioner.
template <class Matrix, class Right, class Solution, class... Others>
  requires(detail::can_merge<Matrix> && !detail::has_options<Others...>)
cg_result merged_cg(Matrix const& a, Right const& b, Solution const& x, cg_options const& options,
                    Others&&... monitor_and_workspace)
{
  return merged_cg(a, b, x, no_preconditioner{}, options, monitor_and_workspace...);
}

// A matrix that is no global operator has no sweep over elements to merge with.
template <class Matrix, class Right, class Solution, class... Others>
  requires(!detail::can_merge<Matrix>)
cg_result merged_cg(Matrix const&, Right const&, Solution const&, Others const&...)
{
  static_assert(detail::can_merge<Matrix>,
                "sumfac::merged_cg: A must be a sumfac::global_operator{A, R}, whose sweep over elements the vector "
                "updates are merged with: solve with any other matrix by sumfac::cg");
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
  Number* x;
  Number* r;
  Number* p;
  Number* q;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T const direction = load<T>(p + i), residual = residual_at<T>(i);
    store(fma(step, direction, load<T>(x + i)), x + i);
    store(residual, r + i);
    store(fma(beta, direction, precondition(factors, i, residual)), p + i);
    store(T{}, q + i);
  }
  // What p is going to be at entry i.
  SUMFAC_INLINE Number next_direction(index_t i) const
  {
    return fma(beta, p[i], precondition(factors, i, residual_at<Number>(i)));
  }

private:
  template <class T>
  SUMFAC_INLINE T residual_at(index_t i) const
  {
    return fma(-alpha, load<T>(q + i), load<T>(r + i));
  }
};

// All products that the next step and the residual after it follow from: p.q, r.z, z.q, q.Pq, r.r, r.q, q.q.
template <class Number>
struct merged_products {
  using scalar = Number;
  static constexpr int sums = 7;
  Number const* factors;
  Number const* p;
  Number const* q;
  Number const* r;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const residual = load<T>(r + i), change = load<T>(q + i);
    T const z = precondition(factors, i, residual);
    sum[0] = fma(load<T>(p + i), change, sum[0]);
    sum[1] = fma(residual, z, sum[1]);
    sum[2] = fma(z, change, sum[2]);
    sum[3] = fma(change, precondition(factors, i, change), sum[3]);
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
  Number const* p;
  Number const* q;
  Number const* r;
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

// The scalars of a merged iteration, from its sums: alpha, beta, and the residual after the step.
struct merged_choose {
  cg_state* state;
  void operator()(index_t) const
  {
    cg_state& s = *state;
    double const pq = s.sums[0], rz = s.sums[1];
    ++s.iterations;
    s.pq = pq;
    s.rz = rz;
    s.alpha = s.beta = 0;
    s.phase = is_finite(rz) ? phase_of(pq, s.rr, s.least) : cg_phase::not_finite;
    if (s.phase != cg_phase::running) return;
    s.alpha = rz / pq;
    s.beta = (rz - 2 * s.alpha * s.sums[2] + s.alpha * s.alpha * s.sums[3]) / rz;
    s.rr = s.sums[4] - 2 * s.alpha * s.sums[5] + s.alpha * s.alpha * s.sums[6];
  }
};

template <class Matrix>
class merged_solve : public cg_solve<Matrix, typename Matrix::scalar_type, host> {
  using scalar = typename Matrix::scalar_type;
  using base = cg_solve<Matrix, scalar, host>;
  using base::a_;
  using base::options_;
  using base::w_;

public:
  using base::base;

  // Whether there are factors says the type: a process without entries has none of a preconditioner of factors.
  template <class Preconditioner, class Monitor>
  cg_result run_merged(scalar const* b, scalar* x, scalar const* factors, Monitor&& monitor)
  {
    static_cast<void>(base::start(b, x, no_preconditioner{}, factors));
    cg_state& s = *base::state();
    base::report(s, monitor);
    for (index_t i = 1; i <= options_.iterations && s.phase == cg_phase::running; ++i) {
      sweep<Preconditioner>(x, factors);
      merged_choose{&s}(0);
      // What the sums say of a residual that is small beside the last one, they say up to rounding.
      bool const doubtful = !(s.rr > s.target) || !(s.rr >= s.least) || !(s.beta > 0) || !(s.rr <= s.most);
      if (s.phase == cg_phase::running && (doubtful || i == options_.iterations)) take_step(x, factors);
      if (s.phase != cg_phase::not_finite) base::report(s, monitor);
    }
    return base::result(s, x);
  }

private:
  // The step that is due, the next direction, q = A p, and the products.
  template <class Preconditioner>
  void sweep(scalar* x, scalar const* factors) const
  {
    cg_state& s = *base::state();
    scalar* const p = w_.p.data();
    scalar* const q = w_.q.data();
    scalar* const r = w_.r.data();
    auto const step = static_cast<scalar>(s.alpha * s.scale);
    merged_update<scalar> const update{
        static_cast<scalar>(s.alpha), static_cast<scalar>(s.beta), step, factors, x, r, p, q};
    if constexpr (!std::is_same_v<Preconditioner, no_preconditioner>) {
      sweep_with(update, merged_products<scalar>{factors, p, q, r});
    } else {
      sweep_with(update, plain_products<scalar>{p, q, r});
      double const rr = s.sums[1], rq = s.sums[2], qq = s.sums[3];
      s.sums[2] = s.sums[5] = rq;
      s.sums[3] = s.sums[6] = qq;
      s.sums[4] = rr;
    }
  }

  template <class Products>
  void sweep_with(merged_update<scalar> const& update, Products const& products) const
  {
    if constexpr (is_global_operator<Matrix>) {
      sweep_hooked(merged_hooks<Products>{update, products, a_.restriction().storage().piece_sums()});
    } else {
      base::pass(update);
      base::apply(w_.p.data(), w_.q.data());
      base::pass(products);
    }
  }

  template <class Hooks>
  void sweep_hooked(Hooks const& hooks) const
  {
    cg_state& s = *base::state();
    index_t const pieces = a_.restriction().storage().pieces();
    for (index_t i = 0; i < pieces * most_sums; ++i) hooks.sums[i] = 0;
    using element = std::remove_cvref_t<decltype(a_.element_operator())>;
    global_sweep<element>(a_.element_operator(), a_.restriction())
        .apply(view<scalar const, dextents<1>>(w_.p.data(), a_.size()),
               view<scalar, dextents<1>>(w_.q.data(), a_.size()), hooks);
    for (int k = 0; k < most_sums; ++k) {
      s.sums[k] = 0;
      for (index_t piece = 0; piece < pieces; ++piece) s.sums[k] += hooks.sums[piece * most_sums + k];
    }
  }

  // The step that is due, by itself, and the residual after it; the next sweep turns only.
  void take_step(scalar* x, scalar const* factors) const
  {
    cg_state& s = *base::state();
    base::pass(cg_advance<scalar>{&s, w_.p.data(), w_.q.data(), factors, x, w_.r.data()});
    cg_choose_direction{&s}(0);
    s.alpha = 0;
  }
};

}  // namespace detail

}  // namespace sumfac
