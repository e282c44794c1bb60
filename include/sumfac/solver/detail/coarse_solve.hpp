// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What solves on the last level of multigrid: conjugate gradients, or what a user has.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/reduction.hpp>
#include <sumfac/solver/vector_ops.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::inline SUMFAC_TARGET {

// Conjugate gradients with Jacobi's preconditioner on the last level, to a residual of `tolerance` times the first.
struct coarse_cg {
  double tolerance = 1e-2;
  index_t iterations = 1000;
};

namespace detail {

template <class Level, class Coarse>
class coarse_solve {
  using scalar = typename Level::scalar_type;
  using vector = view<scalar, dextents<1>>;
  using const_vector = view<scalar const, dextents<1>>;

public:
  coarse_solve(Level const& level, Coarse&& coarse) : size_(level.size()), coarse_(std::move(coarse))
  {
    static_assert(called || applied,
                  "sumfac::multigrid: the coarse solver must be a sumfac::coarse_cg, or be called as coarse(r, z) "
                  "const with views of rank 1 of the last level's entries, or be the address of what has apply(r, z) "
                  "const");
    if constexpr (requires { static_cast<index_t>(coarse_->size()); })
      check_equal("multigrid", "size of the coarse solver", size_, static_cast<index_t>(coarse_->size()));
  }

  void operator()(scalar const* b, scalar* x) const
  {
    if constexpr (called)
      coarse_(const_vector(b, size_), vector(x, size_));
    else if constexpr (applied)
      coarse_->apply(const_vector(b, size_), vector(x, size_));
  }

private:
  static constexpr bool called = std::is_invocable_v<Coarse const&, const_vector, vector>;
  static constexpr bool applied = requires(Coarse const& c, const_vector r, vector z) { c->apply(r, z); };

  index_t size_;
  Coarse coarse_;
};

template <class Level>
class coarse_solve<Level, coarse_cg> {
  using scalar = typename Level::scalar_type;
  using backend = typename Level::backend_type;

public:
  coarse_solve(Level const& level, coarse_cg const& options)
      : matrix_(&level.matrix()),
        options_{.iterations = options.iterations, .tolerance = options.tolerance},
        jacobi_(level.make_jacobi()),
        ops_(level.backend(), level.size()),
        workspace_(level.backend(), level.size(), reduction_of(level.matrix()))
  {
  }

  // x of which nothing is a number, where there is none: what the outer solver then says is what is so.
  void operator()(scalar const* b, scalar* x) const
  {
    view<scalar const, dextents<1>> const from(b, matrix_->size());
    view<scalar, dextents<1>> const to(x, matrix_->size());
    if (matrix_->size() == 0 && reduction_of(*matrix_).add_up == nullptr) return;
    ops_.fill(scalar{0}, to);
    if constexpr (std::is_same_v<backend, host>)
      static_cast<void>(merged_cg(*matrix_, from, to, jacobi_, options_, no_monitor{}, workspace_));
    else
      static_cast<void>(cg(*matrix_, from, to, jacobi_, options_, no_monitor{}, workspace_));
  }

private:
  typename Level::matrix_type const* matrix_;
  cg_options options_;
  jacobi<scalar, backend> jacobi_;
  vector_ops<scalar, backend> ops_;
  mutable cg_workspace<scalar, backend> workspace_;
};

}  // namespace detail

}  // namespace sumfac
