// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The cycle of multigrid from a level on: smoothing, the correction by coarser levels, smoothing.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/config.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/detail/coarse_solve.hpp>
#include <sumfac/solver/detail/matrix_sweep.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/detail/rounded_vectors.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/transfer.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::inline SUMFAC_TARGET::detail {

// The smoother of a level, by what describes it.
template <class Smoother, class Level>
auto make_smoother(Smoother const& smoother, Level const& level)
{
  if constexpr (std::is_same_v<Smoother, chebyshev>)
    return chebyshev_smoother(level.matrix(), level.make_jacobi(), smoother);
  else
    return smoother.make(level);
}

// What a cycle does on level I and those below it. `kind` is that of sumfac::cycle.
template <int Index, class Levels, class Smoother, class Coarse>
class cycle_from {
  using level_type = typename Levels::template level_type<Index>;
  using next_type = typename Levels::template level_type<Index + 1>;
  using scalar = typename level_type::scalar_type;
  using backend = typename level_type::backend_type;
  using next_cycle = cycle_from<Index + 1, Levels, Smoother, Coarse>;
  using transfer_type = sumfac::transfer<level_type::space, next_type::space, scalar, backend>;
  // Whether the next level is in other numbers; it then has a restriction in these, and vectors are rounded.
  static constexpr bool rounds = !std::is_same_v<scalar, typename next_type::scalar_type>;

public:
  cycle_from(Levels const& levels, Smoother const& smoother, Coarse&& coarse, int kind)
      : level_(levels.template at<Index>()),
        kind_(kind),
        next_restriction_(rounded_restriction(levels.template at<Index + 1>())),
        transfer_(level_.restriction(), restriction_of_next(levels.template at<Index + 1>())),
        smoother_(make_smoother(smoother, level_)),
        rounded_(level_.backend(), levels.template at<Index + 1>().size()),
        passes_(level_.backend(), level_.size()),
        residual_(make_memory<scalar>(level_.backend(), level_.size())),
        coarse_b_(make_memory<scalar>(level_.backend(), levels.template at<Index + 1>().size())),
        coarse_x_(make_memory<scalar>(level_.backend(), levels.template at<Index + 1>().size())),
        next_(levels, smoother, std::move(coarse), kind)
  {
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
  static auto rounded_restriction(next_type const& next)
  {
    if constexpr (rounds)
      return restriction_in<scalar>(next.restriction());
    else
      return own_pointer<restriction_type const>();
  }
  restriction_type const& restriction_of_next(next_type const& next) const
  {
    if constexpr (rounds)
      return *next_restriction_;
    else
      return next.restriction();
  }

  level_type const& level_;
  int kind_;
  own_pointer<restriction_type const> next_restriction_;
  transfer_type transfer_;
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

  cycle_from(Levels const& levels, Smoother const&, Coarse&& coarse, int)
      : solve_(levels.template at<Index>(), std::move(coarse))
  {
  }

  void start(scalar const* b, scalar* x) const { solve_(b, x); }
  void improve(scalar const* b, scalar* x, int) const { solve_(b, x); }

private:
  coarse_solve<level_type, Coarse> solve_;
};

}  // namespace sumfac::detail
