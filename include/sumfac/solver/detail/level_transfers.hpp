// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What multigrid does between a level and the next coarser one, and with the null space of the last one's matrix.
#pragma once

#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/null_space.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// To a level of another degree, in whose numbers this one may not be.
template <class Level, class Next>
class degree_transfer {
  using scalar = typename Level::scalar_type;
  using restriction_type = typename Level::restriction_type;

public:
  degree_transfer(Level const& level, Next const& next) : level_(level), next_(next)
  {
    if constexpr (rounds) rounded_ = restriction_in<scalar>(next.restriction());
  }
  auto make() const
  {
    if constexpr (rounds)
      return level_.make_transfer(next_, *rounded_);
    else
      return level_.make_transfer(next_, next_.restriction());
  }

private:
  // Whether the next level is in other numbers; it then has a restriction in these, and vectors are rounded.
  static constexpr bool rounds = !std::is_same_v<scalar, typename Next::scalar_type>;

  Level const& level_;
  Next const& next_;
  own_pointer<restriction_type const> rounded_;
};

// To the same degree on the mesh that this one's was cut from.
template <class Level>
class mesh_transfer {
public:
  mesh_transfer(Level const& level, level_of_mesh<Level> const& next) : level_(level), next_(next) {}
  auto make() const { return level_.make_transfer_of_children(next_.children(), next_); }

private:
  Level const& level_;
  level_of_mesh<Level> const& next_;
};

// From level Index of levels to the next one.
template <class Levels, int Index>
using next_transfer = std::conditional_t<is_on_coarser_mesh<Levels, Index + 1>, mesh_transfer<level_at<Levels, Index>>,
                                         degree_transfer<level_at<Levels, Index>, level_at<Levels, Index + 1>>>;

// Constants are found anew on the last level, whatever level they were made of; a user's vectors must be that level's.
template <class Level>
class last_null_space {
  using scalar = typename Level::scalar_type;
  using backend = typename Level::backend_type;
  using space_type = null_space<scalar, backend>;

public:
  last_null_space(Level const& level, any_null_space const& given)
      : size_(level.size()), passes_(level.backend(), size_)
  {
    if (!given) return;
    if (given.has_constants()) {
      made_ = own_pointer<space_type const>(new space_type(level.matrix()));
      space_ = *made_;
    } else if (given.template of<scalar, backend>() != nullptr && given.size() == size_) {
      space_ = given;
    } else {
      failf("multigrid",
            "options.null_space has vectors of your own that are not of the last level (%lld entries, "
            "%lld expected, in the last level's numbers): make it of that level's matrix, "
            "null_space{levels.coarsest().matrix(), vectors}",
            static_cast<long long>(given.size()), static_cast<long long>(size_));
    }
    b_ = make_memory<scalar>(level.backend(), size_);
  }

  // Calls solve(b, x), without the space's part of b and of x.
  template <class Solve>
  void around(Solve const& solve, scalar const* b, scalar* x) const
  {
    if (!space_) return solve(b, x);
    passes_.run(size_, axpby_body<scalar>{1, 0, b, b_.data()});
    space_.project(b_.data());
    solve(static_cast<scalar const*>(b_.data()), x);
    space_.project(x);
  }

  any_null_space const& space() const { return space_; }

private:
  index_t size_;
  pass_runner<backend> passes_;
  own_pointer<space_type const> made_;
  any_null_space space_;
  mutable memory_of<scalar, backend> b_;
};

}  // namespace sumfac::detail
