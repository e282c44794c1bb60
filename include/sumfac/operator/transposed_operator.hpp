// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The transpose of an operator on global vectors, as an operator.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/form/form.hpp>
#include <sumfac/view/vector_argument.hpp>

namespace sumfac::SUMFAC_TARGET {

// A^T, a matrix to solvers as A is, a global_operator. Refers to A, which must live as long.
template <class Matrix>
class transposed_operator {
public:
  using arithmetic_type = typename Matrix::arithmetic_type;  // what A^T x is rounded as
  using scalar_type = typename Matrix::scalar_type;
  using backend_type = typename Matrix::backend_type;
  using from_vector = vector_argument<scalar_type const>;
  using to_vector = vector_argument<scalar_type>;
  static constexpr bool linear = is_linear<Matrix>, symmetric = may_be_symmetric<Matrix>;

  explicit transposed_operator(Matrix const& a) : matrix_(&a) {}
  transposed_operator(Matrix const&&) = delete;

  // y = A^T x, and y = A x.
  void apply(from_vector x, to_vector y) const { matrix_->apply_transposed(x, y); }
  void apply_transposed(from_vector x, to_vector y) const { matrix_->apply(x, y); }
  void diagonal(to_vector d) const { matrix_->diagonal(d); }

  index_t size() const { return matrix_->size(); }
  backend_type const& backend() const { return matrix_->backend(); }
  // By which solvers add up sums over all processes.
  auto reduction() const
    requires requires(Matrix const& a) { a.reduction(); }
  {
    return matrix_->reduction();
  }
  Matrix const& matrix() const { return *matrix_; }

private:
  Matrix const* matrix_;
};

}  // namespace sumfac
