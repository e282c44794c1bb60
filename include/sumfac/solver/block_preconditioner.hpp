// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Preconditioners of two unknowns, made of one for each.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/operator/block_operator.hpp>
#include <sumfac/solver/detail/matrix_sweep.hpp>
#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::SUMFAC_TARGET {

// z_1 = P r_1, z_2 = Q r_2: for MINRES, where P and Q are symmetric positive definite. For [A B^T; B C] P is next to
// the inverse of A, as multigrid, and Q next to that of B A^-1 B^T - C, as jacobi of a mass matrix for Stokes'
// equations. Both have apply(r, z) const. Refers to all three, which must live as long.
template <class Blocks, class First, class Second>
class block_diagonal {
public:
  using from_vector = typename Blocks::from_vector;
  using to_vector = typename Blocks::to_vector;

  block_diagonal(Blocks const& a, First const& p, Second const& q) : blocks_(&a), first_(&p), second_(&q) {}

  void apply(from_vector r, to_vector z) const
  {
    detail::check_vectors("block_diagonal::apply", "r", r.entries, size(), "z", z.entries, size());
    first_->apply(blocks_->first(r.entries), blocks_->first(z.entries));
    second_->apply(blocks_->second(r.entries), blocks_->second(z.entries));
  }
  index_t size() const { return blocks_->size(); }

private:
  Blocks const* blocks_;
  First const* first_;
  Second const* second_;
};

// z_2 = -Q r_2, z_1 = P (r_1 - B' z_2), the inverse of the upper triangle of [A B'; B C] where P is A's and Q that of
// B A^-1 B' - C: for GMRES, in a third of block_diagonal's iterations or less. Refers to all three, which must live as
// long. It has work memory: one call at a time may use it.
// **Work** that of P, Q and B', and two passes over vectors.
template <class Blocks, class First, class Second>
class block_triangular {
public:
  using scalar_type = typename Blocks::scalar_type;
  using backend_type = typename Blocks::backend_type;
  using from_vector = typename Blocks::from_vector;
  using to_vector = typename Blocks::to_vector;

  block_triangular(Blocks const& a, First const& p, Second const& q)
      : blocks_(&a),
        first_(&p),
        second_(&q),
        passes_(a.backend(), a.size()),
        residual_(detail::make_memory<scalar_type>(a.backend(), a.upper_block().rows()))
  {
  }

  void apply(from_vector r, to_vector z) const
  {
    detail::check_vectors("block_triangular::apply", "r", r.entries, size(), "z", z.entries, size());
    detail::sole_use const sole(owner_, "block_triangular");
    auto const z_1 = blocks_->first(z.entries), z_2 = blocks_->second(z.entries);
    index_t const count = z_1.extent(0);
    view<scalar_type, dextents<1>> const residual(residual_.data(), count);
    second_->apply(blocks_->second(r.entries), z_2);
    passes_.run(z_2.extent(0), detail::axpby_body<scalar_type>{-1, 0, z_2.data(), z_2.data()});
    blocks_->upper_block().apply(z_2, residual);
    passes_.run(count, detail::residual_body<scalar_type>{blocks_->first(r.entries).data(), nullptr, residual.data()});
    first_->apply(residual, z_1);
  }
  index_t size() const { return blocks_->size(); }

private:
  Blocks const* blocks_;
  First const* first_;
  Second const* second_;
  detail::pass_runner<backend_type> passes_;
  mutable detail::memory_of<scalar_type, backend_type> residual_;
  detail::work_owner owner_;
};

}  // namespace sumfac
