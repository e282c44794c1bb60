// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The cycle of multigrid from a level on: smoothing, the correction by coarser levels, smoothing.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/error.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/coarse_solve.hpp>
#include <sumfac/solver/detail/last_null_space.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/matrix_sweep.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/detail/rounded_vectors.hpp>
#include <sumfac/solver/detail/symmetry.hpp>
#include <sumfac/solver/gmres_smoother.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/vector_ops.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// The smoother of a level, by what describes it.
template <class Smoother, class Level>
auto make_smoother(Smoother const& smoother, Level const& level)
{
  if constexpr (std::is_same_v<Smoother, chebyshev>)
    return chebyshev_smoother(level.matrix(), level.make_jacobi(), smoother);
  else
    return smoother.make(level);
}

// Refuses a smoother that leaves errors of a matrix without symmetry as they are, as Chebyshev's polynomials do where
// eigenvalues are far from the real axis.
template <class Smoother, class Level>
void check_smoothing(Smoother const& smoother, Level const& level)
{
  using scalar = typename Level::scalar_type;
  using const_vector = view<scalar const, dextents<1>>;
  constexpr double most = 0.8;
  index_t const size = level.size();
  auto memory = make_memory<scalar>(level.backend(), 2 * size);
  scalar *const x = memory.data(), *const b = x + size;
  view<scalar, dextents<1>> const vector_x(x, size), vector_b(b, size);
  pass_runner const passes(level.backend(), size);
  vector_ops<scalar, typename Level::backend_type> const ops(level.backend(), size, reduction_of(level.matrix()));
  passes.run(size, noise_body<scalar>{x, 0, nullptr});
  level.matrix().apply(const_vector(x, size), vector_b);  // which has nothing of rows that are zero
  smoother.start(b, x);
  auto const before = static_cast<double>(ops.norm(vector_x));
  ops.fill(scalar{0}, vector_b);
  smoother.improve(b, x);
  auto const after = static_cast<double>(ops.norm(vector_x));
  if (!(after <= most * before))
    failf("multigrid",
          "the smoother does not smooth on the level of degree %d, whose matrix is not symmetric (it "
          "leaves %.3g of an error that looks random, at most %.3g expected): take "
          "sumfac::gmres_smoother, as multigrid{std::move(levels), {}, sumfac::coarse_gmres{}} does",
          Level::order, after / before, most);
}

// What a cycle does on level I and those below it. `kind` is that of sumfac::cycle.
template <int Index, class Levels, class Smoother, class Coarse>
class cycle_from {
  using level_type = typename Levels::template level_type<Index>;
  using next_type = typename Levels::template level_type<Index + 1>;
  using scalar = typename level_type::scalar_type;
  using backend = typename level_type::backend_type;
  using next_cycle = cycle_from<Index + 1, Levels, Smoother, Coarse>;
  // Whether the next level is in other numbers; it then has a restriction in these, and vectors are rounded.
  static constexpr bool rounds = !std::is_same_v<scalar, typename next_type::scalar_type>;

public:
  cycle_from(Levels const& levels, Smoother const& smoother, Coarse&& coarse, int kind, any_null_space const& space)
      : level_(levels.template at<Index>()),
        kind_(kind),
        next_restriction_(rounded_restriction(levels.template at<Index + 1>())),
        transfer_(make_transfer(level_, levels.template at<Index + 1>(), next_restriction_)),
        smoother_(make_smoother(smoother, level_)),
        rounded_(level_.backend(), levels.template at<Index + 1>().size(), reduction_of(level_.matrix())),
        passes_(level_.backend(), level_.size()),
        residual_(make_memory<scalar>(level_.backend(), transfer_.fine_entries())),
        coarse_b_(make_memory<scalar>(level_.backend(), transfer_.coarse_entries())),
        coarse_x_(make_memory<scalar>(level_.backend(), transfer_.coarse_entries())),
        next_(levels, smoother, std::move(coarse), kind, space)
  {
    if constexpr (!std::is_same_v<Smoother, gmres_smoother>)
      if (!next_.is_symmetric()) check_smoothing(smoother_, level_);
  }

  // x = P b
  void start(scalar const* b, scalar* x) const
  {
    smoother_.start(b, x);
    finish(b, x, kind_);
  }

  // x = x + P (b - A x), by a cycle of some kind.
  void improve(scalar const* b, scalar* x, int kind) const
  {
    smoother_.improve(b, x);
    finish(b, x, kind);
  }

  // Whether the matrix of the last level is.
  bool is_symmetric() const { return next_.is_symmetric(); }
  inner_solves const& coarse_solves() const { return next_.coarse_solves(); }

private:
  void finish(scalar const* b, scalar* x, int kind) const
  {
    scalar* const r = residual_.data();
    apply_then(level_.matrix(), passes_, x, r, residual_body<scalar>{b, transfer_.weights(), r});
    transfer_.restrict_weighted(r, coarse_b_.data());
    scalar const* const coarse_b = coarse_b_.data();
    rounded_.run(coarse_b, coarse_x_.data(), [&](auto const* right, auto* solution) {
      next_.start(right, solution);
      if (kind != 0 && next_cycle::repeats) next_.improve(right, solution, kind == 1 ? 1 : 0);
    });
    transfer_.prolong_with(coarse_x_.data(), r, add_weighted_body<scalar>{transfer_.weights(), r, x});
    smoother_.improve(b, x);
  }

  using restriction_type = typename level_type::restriction_type;
  using own_restriction = own_pointer<restriction_type const>;
  static own_restriction rounded_restriction(next_type const& next)
  {
    if constexpr (rounds)
      return restriction_in<scalar>(next.restriction());
    else
      return own_restriction();
  }
  static auto make_transfer(level_type const& level, next_type const& next, own_restriction const& rounded)
  {
    if constexpr (rounds)
      return level.make_transfer(next, *rounded);
    else
      return level.make_transfer(next, next.restriction());
  }

  level_type const& level_;
  int kind_;
  own_restriction next_restriction_;
  decltype(make_transfer(std::declval<level_type const&>(), std::declval<next_type const&>(),
                         std::declval<own_restriction const&>())) transfer_;
  decltype(make_smoother(std::declval<Smoother const&>(), std::declval<level_type const&>())) smoother_;
  rounded_vectors<typename next_type::scalar_type, backend> rounded_;
  pass_runner<backend> passes_;
  mutable memory_of<scalar, backend> residual_, coarse_b_, coarse_x_;
  next_cycle next_;

public:
  static constexpr bool repeats = true;
};

// The last level.
template <int Index, class Levels, class Smoother, class Coarse>
  requires(Index + 1 == Levels::count)
class cycle_from<Index, Levels, Smoother, Coarse> {
  using level_type = typename Levels::template level_type<Index>;
  using scalar = typename level_type::scalar_type;

public:
  static constexpr bool repeats = false;  // a second solve finds nothing

  cycle_from(Levels const& levels, Smoother const&, Coarse&& coarse, int, any_null_space const& space)
      : solve_(levels.template at<Index>(), std::move(coarse)),
        is_symmetric_(std::is_same_v<Coarse, coarse_cg> ||
                      !compare_products<scalar>(levels.coarsest().matrix()).differ),
        space_(levels.coarsest(), space)
  {
  }

  void start(scalar const* b, scalar* x) const { space_.around(solve_, b, x); }
  void improve(scalar const* b, scalar* x, int) const { start(b, x); }
  bool is_symmetric() const { return is_symmetric_; }
  inner_solves const& coarse_solves() const { return solve_.solves(); }

private:
  coarse_solve<level_type, Coarse> solve_;
  bool is_symmetric_;
  last_null_space<level_type> space_;
};

}  // namespace sumfac::detail
