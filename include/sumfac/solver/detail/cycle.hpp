// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The cycle of multigrid from a level on: smoothing, the correction by coarser levels, smoothing.
#pragma once

#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/coarse_solve.hpp>
#include <sumfac/solver/detail/level_transfers.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/matrix_sweep.hpp>
#include <sumfac/solver/detail/noise.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/rounded_vectors.hpp>
#include <sumfac/solver/gmres_smoother.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// The smoother of a level, by what describes it: it follows what the form reads, where that may change.
template <class Smoother, class Level>
auto make_smoother(Smoother const& smoother, Level const& level)
{
  if constexpr (!std::is_same_v<Smoother, chebyshev>)
    return smoother.make(level);
  else if constexpr (requires { typename Level::operator_type; })
    return chebyshev_smoother(level.matrix(), level.make_jacobi(), smoother,
                              inputs_of<typename Level::operator_type::form_type>::count > 0);
  else
    return chebyshev_smoother(level.matrix(), level.make_jacobi(), smoother);  // of a level of your own
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

struct no_making {
  template <class... Body>
  void operator()(Body const&...) const
  {
  }
};

// Whether the first step of a smoother, or of what solves on the last level, is a pass that can be made behind what
// makes its right side: start_behind(make, b, x), which calls make(body).
template <class Work, class Scalar>
inline constexpr bool starts_behind =
    requires(Work const& work, Scalar const* b, Scalar* x) { work.start_behind(no_making{}, b, x); };

// What a cycle does on a level, with what `next` does on those below it: next.start(b, x), next.start_behind(make, b,
// x), next.improve(b, x, kind), next.repeats(). `kind` is that of sumfac::cycle.
template <class Level, class Next, class Smoother, class MakesTransfer>
class cycle_step {
  using scalar = typename Level::scalar_type;
  using backend = typename Level::backend_type;

public:
  cycle_step(Level const& level, Next const& next, Smoother const& smoother, MakesTransfer&& transfer)
      : level_(level),
        makes_transfer_(std::move(transfer)),
        transfer_(makes_transfer_.make()),
        smoother_(make_smoother(smoother, level_)),
        rounded_(level_.backend(), next.size(), reduction_of(level_.matrix())),
        passes_(level_.backend(), level_.size()),
        residual_(make_memory<scalar>(level_.backend(), transfer_.fine_entries())),
        coarse_b_(make_memory<scalar>(level_.backend(), transfer_.coarse_entries())),
        coarse_x_(make_memory<scalar>(level_.backend(), transfer_.coarse_entries()))
  {
  }

  // Anew, or from what it was.
  void update(bool follows)
  {
    if constexpr (std::is_same_v<Smoother, chebyshev>) {
      if (follows)
        smoother_.follow();
      else
        smoother_.update(level_.make_jacobi());
    } else {
      smoother_.update(level_);
    }
  }

  void visit(auto const& f) const { f(level_, smoother_); }

  void check_smoother() const
  {
    if constexpr (!std::is_same_v<Smoother, gmres_smoother>) check_smoothing(smoother_, level_);
  }

  // x = P b
  template <class Coarser>
  void start(scalar const* b, scalar* x, int kind, Coarser const& next) const
  {
    smoother_.start(b, x);
    finish(b, x, kind, next);
  }

  // The same of a b that make() makes, or make(body), which calls the body for each entry behind it.
  template <class Make, class Coarser>
  void start_behind(Make const& make, scalar const* b, scalar* x, int kind, Coarser const& next) const
  {
    if constexpr (starts_behind<smoother_type, scalar>)
      smoother_.start_behind(make, b, x);
    else
      make(), smoother_.start(b, x);
    finish(b, x, kind, next);
  }

  // x = x + P (b - A x)
  template <class Coarser>
  void improve(scalar const* b, scalar* x, int kind, Coarser const& next) const
  {
    smoother_.improve(b, x);
    finish(b, x, kind, next);
  }

private:
  template <class Coarser>
  void finish(scalar const* b, scalar* x, int kind, Coarser const& next) const
  {
    scalar* const r = residual_.data();
    apply_then(level_.matrix(), passes_, x, r, residual_body<scalar>{b, transfer_.weights(), r});
    auto const restricted = [&](auto const&... first) { transfer_.restrict_weighted(r, coarse_b_.data(), first...); };
    auto const again = [&](auto const* right, auto* solution) {
      if (kind != 0 && next.repeats()) next.improve(right, solution, kind == 1 ? 1 : 0);
    };
    scalar const* const coarse_b = coarse_b_.data();
    if constexpr (std::is_same_v<scalar, typename Next::scalar_type>) {
      next.start_behind(restricted, coarse_b, coarse_x_.data());
      again(coarse_b, coarse_x_.data());
    } else {
      restricted();
      rounded_.run(coarse_b, coarse_x_.data(), [&](auto const* right, auto* solution) {
        next.start(right, solution);
        again(right, solution);
      });
    }
    transfer_.add_prolonged(coarse_x_.data(), r, x);
    smoother_.improve(b, x);
  }

  using smoother_type = decltype(make_smoother(std::declval<Smoother const&>(), std::declval<Level const&>()));

  Level const& level_;
  MakesTransfer makes_transfer_;
  decltype(std::declval<MakesTransfer const&>().make()) transfer_;
  smoother_type smoother_;
  rounded_vectors<typename Next::scalar_type, backend> rounded_;
  pass_runner<backend> passes_;
  mutable memory_of<scalar, backend> residual_, coarse_b_, coarse_x_;
};

// What a cycle does on level I and those below it.
template <int Index, class Levels, class Smoother, class Coarse>
class cycle_from {
  using level_type = level_at<Levels, Index>;
  using next_type = level_at<Levels, Index + 1>;
  using scalar = typename level_type::scalar_type;
  using transfer_type = next_transfer<Levels, Index>;

public:
  cycle_from(Levels const& levels, Smoother const& smoother, Coarse&& coarse, int kind, any_null_space const& space)
      : kind_(kind),
        step_(levels.template at<Index>(), levels.template at<Index + 1>(), smoother,
              transfer_type(levels.template at<Index>(), levels.template at<Index + 1>())),
        next_(levels, smoother, std::move(coarse), kind, space)
  {
    if (!next_.is_symmetric()) step_.check_smoother();
  }

  // x = P b
  void start(scalar const* b, scalar* x) const { step_.start(b, x, kind_, next_); }
  template <class Make>
  void start_behind(Make const& make, scalar const* b, scalar* x) const
  {
    step_.start_behind(make, b, x, kind_, next_);
  }
  // x = x + P (b - A x), by a cycle of some kind.
  void improve(scalar const* b, scalar* x, int kind) const { step_.improve(b, x, kind, next_); }
  static bool repeats() { return true; }
  void update(bool follows)
  {
    step_.update(follows);
    next_.update(follows);
    if (!next_.is_symmetric()) step_.check_smoother();
  }

  template <class Function>
  void for_each_level(Function const& f) const
  {
    step_.visit(f);
    next_.for_each_level(f);
  }

  // Whether the matrix of the last level is.
  bool is_symmetric() const { return next_.is_symmetric(); }
  inner_solves const& coarse_solves() const { return next_.coarse_solves(); }

private:
  int kind_;
  cycle_step<level_type, next_type, Smoother, transfer_type> step_;
  cycle_from<Index + 1, Levels, Smoother, Coarse> next_;
};

// The last level.
template <int Index, class Levels, class Smoother, class Coarse>
  requires(Index + 1 == Levels::count)
class cycle_from<Index, Levels, Smoother, Coarse> {
  using level_type = level_at<Levels, Index>;
  using scalar = typename level_type::scalar_type;

public:
  cycle_from(Levels const& levels, Smoother const& smoother, Coarse&& coarse, int kind, any_null_space const& space)
      : kind_(kind),
        last_(&levels.coarsest()),
        solve_(levels.coarsest(), std::move(coarse)),
        symmetry_(needs_symmetry<Coarse> ? nullptr : new watch_type(levels.coarsest().matrix())),
        is_symmetric_(looks_symmetric()),
        space_(levels.coarsest(), space)
  {
    if constexpr (Levels::on_meshes) {
      level_type const* finer = &levels.last();
      for (auto const& next : levels.meshes()) {
        steps_.push_back(own_pointer<step_type>(new step_type(*finer, next, smoother, step_transfer(*finer, next))));
        if (!is_symmetric_) steps_.back()->check_smoother();
        finer = &next;
      }
    }
  }

  void start(scalar const* b, scalar* x) const { below{*this, 0}.start(b, x); }
  template <class Make>
  void start_behind(Make const& make, scalar const* b, scalar* x) const
  {
    below{*this, 0}.start_behind(make, b, x);
  }
  void improve(scalar const* b, scalar* x, int kind) const { below{*this, 0}.improve(b, x, kind); }
  bool repeats() const { return below{*this, 0}.repeats(); }
  void update(bool follows)
  {
    if constexpr (Levels::on_meshes)
      for (auto& step : steps_) step->update(follows);
    solve_.update(*last_);
    is_symmetric_ = looks_symmetric();
    if constexpr (Levels::on_meshes)
      if (!is_symmetric_)
        for (auto& step : steps_) step->check_smoother();
  }
  template <class Function>
  void for_each_level(Function const& f) const
  {
    if constexpr (Levels::on_meshes)
      for (auto const& step : steps_) step->visit(f);
    f(*last_, solve_);
  }
  bool is_symmetric() const { return is_symmetric_; }
  inner_solves const& coarse_solves() const { return solve_.solves(); }

private:
  using watch_type = symmetry_watch<typename level_type::matrix_type, scalar>;
  using step_transfer = mesh_transfer<level_type>;
  using step_type =
      std::conditional_t<Levels::on_meshes, cycle_step<level_type, level_type, Smoother, step_transfer>, char>;

  // Those of meshes from one on. On the last of all a second solve finds nothing.
  struct below {
    cycle_from const& all;
    std::size_t at;

    bool repeats() const { return at < all.steps_.size(); }
    void start(scalar const* b, scalar* x) const
    {
      if constexpr (Levels::on_meshes)
        if (repeats()) return all.steps_[at]->start(b, x, all.kind_, below{all, at + 1});
      all.space_.around(all.solve_, b, x);
    }
    template <class Make>
    void start_behind(Make const& make, scalar const* b, scalar* x) const
    {
      if constexpr (Levels::on_meshes)
        if (repeats()) return all.steps_[at]->start_behind(make, b, x, all.kind_, below{all, at + 1});
      if constexpr (starts_behind<coarse_solve<level_type, Coarse>, scalar>)
        if (!all.space_.space()) return all.solve_.start_behind(make, b, x);
      make();
      all.space_.around(all.solve_, b, x);
    }
    void improve(scalar const* b, scalar* x, int kind) const
    {
      if constexpr (Levels::on_meshes)
        if (repeats()) return all.steps_[at]->improve(b, x, kind, below{all, at + 1});
      start(b, x);
    }
  };

  // A coarse solver that is for symmetric matrices alone has refused others.
  bool looks_symmetric() const { return symmetry_.empty() || !symmetry_->look().differ; }

  int kind_;
  level_type const* last_;
  coarse_solve<level_type, Coarse> solve_;
  own_pointer<watch_type const> symmetry_;
  bool is_symmetric_;
  last_null_space<level_type> space_;
  std::vector<own_pointer<step_type>> steps_;
};

}  // namespace sumfac::detail
