// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The null space of the matrix on multigrid's last level, which right sides and solutions there are taken without.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/null_space.hpp>
#include <sumfac/solver/vector_ops.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

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
