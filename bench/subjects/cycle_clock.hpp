// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where a multigrid cycle's time goes: a clock, and a smoother and a coarse solver that tell it when they work.
#pragma once

#include "../report/timing.hpp"

#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::bench {

// Seconds of a level in all cycles of a solve. down: the residual and its restriction to the next level; up: the
// prolongation from there. Vectors that are rounded on the way between numbers count to where they go.
struct level_seconds {
  int order = 0;
  double smoother = 0, down = 0, up = 0;
};

struct cycle_seconds {
  std::vector<level_seconds> levels;  // but the last, which is `coarse`
  double coarse = 0, all = 0;
  index_t coarse_iterations = 0, cycles = 0;
};

// What happens next ends what was before it: each stretch of time has one owner.
class cycle_clock {
public:
  // `orders`: degrees of all levels; on a device `wait` waits for it, so that it is done what the clock reads.
  explicit cycle_clock(std::vector<int> const& orders, std::function<void()> wait = {}) : wait_(std::move(wait))
  {
    for (std::size_t i = 0; i + 1 < orders.size(); ++i) parts_.levels.push_back({orders[i]});
  }

  std::size_t level_of(int order) const
  {
    std::size_t at = 0;
    while (parts_.levels[at].order != order) ++at;
    return at;
  }

  void begin_cycle() { began_ = last_ = moment(); }
  void begin_smoother(std::size_t level, bool downwards)
  {
    if (!downwards)
      take(parts_.levels[level].up);
    else if (level > 0)
      take(parts_.levels[level - 1].down);
    else
      last_ = moment();  // r was rounded, if anything
  }
  void end_smoother(std::size_t level) { take(parts_.levels[level].smoother); }
  void begin_coarse() { take(parts_.levels.back().down); }
  void end_coarse(index_t iterations)
  {
    take(parts_.coarse);
    parts_.coarse_iterations += iterations;
  }
  void end_cycle()
  {
    parts_.all += moment() - began_;
    ++parts_.cycles;
  }

  void reset()
  {
    for (auto& level : parts_.levels) level = {level.order};
    parts_.coarse = parts_.all = 0;
    parts_.coarse_iterations = parts_.cycles = 0;
  }
  cycle_seconds const& seconds() const { return parts_; }

private:
  double moment() const
  {
    if (wait_) wait_();
    return now();
  }
  void take(double& part)
  {
    double const here = moment();
    part += here - last_;
    last_ = here;
  }

  std::function<void()> wait_;
  cycle_seconds parts_;
  double began_ = 0, last_ = 0;
};

// A smoother of multigrid, a chebyshev or what has make(level), that tells the clock.
template <class Smoother>
struct clocked_smoother {
  Smoother smoother;
  cycle_clock* clock;

  template <class Level>
  auto make(Level const& level) const
  {
    if constexpr (std::is_same_v<Smoother, chebyshev>)
      return clocked(chebyshev_smoother(level.matrix(), level.make_jacobi(), smoother), level);
    else
      return clocked(smoother.make(level), level);
  }

private:
  template <class Made>
  struct of_level {
    Made made;
    cycle_clock* clock;
    std::size_t level;

    template <class Number>
    void start(Number const* b, Number* x) const
    {
      clock->begin_smoother(level, true);
      made.start(b, x);
      clock->end_smoother(level);
    }
    template <class Number>
    void improve(Number const* b, Number* x) const
    {
      clock->begin_smoother(level, false);
      made.improve(b, x);
      clock->end_smoother(level);
    }
  };

  template <class Made, class Level>
  of_level<Made> clocked(Made made, Level const&) const
  {
    return {std::move(made), clock, clock->level_of(Level::order)};
  }
};

// coarse_cg, with the clock told and iterations counted.
template <class Level>
class clocked_coarse_cg {
  using scalar = typename Level::scalar_type;

public:
  clocked_coarse_cg(Level const& level, coarse_cg const& options, cycle_clock* clock)
      : state_(std::make_shared<state>(level)), options_(options), clock_(clock)
  {
  }

  template <class From, class To>
  void operator()(From const& r, To const& z) const
  {
    clock_->begin_coarse();
    for (index_t i = 0; i < z.extent(0); ++i) z(i) = 0;
    cg_options const options{.iterations = options_.iterations, .tolerance = options_.tolerance};
    auto const result = merged_cg(state_->matrix, r, z, state_->inverse, options, no_monitor{}, state_->workspace);
    clock_->end_coarse(result.iterations);
  }

private:
  struct state {
    typename Level::matrix_type matrix;  // refers to what the levels own
    jacobi<scalar> inverse;
    cg_workspace<scalar> workspace;
    explicit state(Level const& level)
        : matrix(level.matrix()), inverse(level.make_jacobi()), workspace(level.backend(), level.size())
    {
    }
  };

  std::shared_ptr<state> state_;
  coarse_cg options_;
  cycle_clock* clock_;
};

}  // namespace sumfac::bench
