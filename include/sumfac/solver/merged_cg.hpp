// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients whose vector updates and sums are done inside the operator's sweep over elements.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/operator/detail/application.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/batches.hpp>
#include <sumfac/solver/detail/cg_arguments.hpp>
#include <sumfac/solver/detail/cg_steps.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/merged_steps.hpp>
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
