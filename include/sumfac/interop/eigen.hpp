// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigen's direct solver behind a sparse matrix, for coarse levels. It needs Eigen's headers (Debian: libeigen3-dev).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/error.hpp>
#include <sumfac/geometry/vectors/element_vector.hpp>
#include <sumfac/interop/detail/sparse_solver.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/view/view.hpp>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include <cstddef>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET {

// z = A^-1 r for a symmetric positive definite A, factorized once by Eigen::SimplicialLDLT, in double; r and z are of
// any backend's host memory. Empty rows, as those of nodes without elements, count as rows of the identity.
//
// **Errors** argument_error where A is not positive definite, and for vectors of another length.
class eigen_ldlt {
public:
  template <class Scalar>
  explicit eigen_ldlt(csr_matrix<Scalar> const& a) : size_(a.size())
  {
    detail::fits_int("eigen_ldlt", a);
    std::vector<Eigen::Triplet<double, int>> entries;
    detail::for_each_entry(a, [&](index_t row, index_t column, double x) {
      entries.emplace_back(static_cast<int>(row), static_cast<int>(column), x);
    });
    Eigen::SparseMatrix<double> matrix(static_cast<int>(size_), static_cast<int>(size_));
    matrix.setFromTriplets(entries.begin(), entries.end());
    solver_.compute(matrix);
    bool positive = solver_.info() == Eigen::Success;
    for (int i = 0; positive && i < static_cast<int>(size_); ++i) positive = solver_.vectorD()[i] > 0;
    if (!positive)
      failf("eigen_ldlt", "the matrix is not positive definite (%lld rows)", static_cast<long long>(size_));
  }

  index_t size() const { return size_; }

  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    detail::check_extent("eigen_ldlt::apply", "r", 0, "entries", size_, r.extent(0));
    detail::check_extent("eigen_ldlt::apply", "z", 0, "entries", size_, z.extent(0));
    Eigen::VectorXd right(static_cast<int>(size_));
    for (index_t i = 0; i < size_; ++i) right[static_cast<int>(i)] = static_cast<double>(r(i));
    Eigen::VectorXd const solution = solver_.solve(right);
    for (index_t i = 0; i < size_; ++i) z(i) = static_cast<typename To::value_type>(solution[static_cast<int>(i)]);
  }

private:
  index_t size_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver_;
};

}  // namespace sumfac
