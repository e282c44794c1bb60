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
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/view/view.hpp>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET {

struct eigen_ldlt_options {
  detail::any_null_space null_space = {};  // of a singular matrix
};

// z = A^-1 r for a symmetric positive definite A, factorized once by Eigen::SimplicialLDLT, in double; r and z are of
// any backend's host memory. Empty rows, as those of nodes without elements, count as rows of the identity.
//
// A singular A, as of a Neumann problem, takes options.null_space, a sumfac::null_space of the level's or the sparse
// matrix: z is then the shortest z that solves A z = r without r's part in the space.
// **Errors** argument_error where A is not symmetric or not positive definite, for a pivot that is nothing but rounding
// of the row's diagonal, and for vectors of another length.
class eigen_ldlt {
public:
  template <class Scalar>
  explicit eigen_ldlt(csr_matrix<Scalar> const& a, eigen_ldlt_options const& options = {})
      : size_(a.size()), null_space_(here_, options.null_space, a.size())
  {
    detail::fits_int(here_, a);
    std::vector<unsigned char> left(static_cast<std::size_t>(size_));
    for (std::size_t const row : null_space_.rows_to_leave()) {
      left[row] = 1;
      rows_left_.push_back(static_cast<int>(row));
    }
    std::vector<Eigen::Triplet<double, int>> entries;
    detail::for_each_entry(a, [&](index_t row, index_t column, double x) {
      bool const leave = left[static_cast<std::size_t>(row)] + left[static_cast<std::size_t>(column)] > 0;
      if (!leave || row == column) entries.emplace_back(static_cast<int>(row), static_cast<int>(column), x);
    });
    Eigen::SparseMatrix<double> matrix(static_cast<int>(size_), static_cast<int>(size_));
    matrix.setFromTriplets(entries.begin(), entries.end());
    check_symmetry(matrix, 1000 * static_cast<double>(std::numeric_limits<Scalar>::epsilon()));
    solver_.compute(matrix);
    check_pivots(matrix);
  }

  index_t size() const { return size_; }

  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    detail::check_extent("eigen_ldlt::apply", "r", 0, "entries", size_, r.extent(0));
    detail::check_extent("eigen_ldlt::apply", "z", 0, "entries", size_, z.extent(0));
    Eigen::VectorXd right(static_cast<int>(size_));
    for (index_t i = 0; i < size_; ++i) right[static_cast<int>(i)] = static_cast<double>(r(i));
    null_space_.project(right);
    for (int const row : rows_left_) right[row] = 0;
    Eigen::VectorXd solution = solver_.solve(right);
    null_space_.project(solution);
    for (index_t i = 0; i < size_; ++i) z(i) = static_cast<typename To::value_type>(solution[static_cast<int>(i)]);
  }

private:
  static constexpr auto here_ = "eigen_ldlt";

  // Only the lower triangle is read.
  void check_symmetry(Eigen::SparseMatrix<double> const& a, double rounding) const
  {
    Eigen::SparseMatrix<double> const transposed = a.transpose();
    Eigen::VectorXd const d = a.diagonal();
    for (int column = 0; column < a.outerSize(); ++column) {
      Eigen::SparseMatrix<double>::InnerIterator one(a, column), two(transposed, column);
      for (; one && two; ++one, ++two) {
        auto const row = one.row();
        double const allowed = rounding * std::sqrt(std::abs(d[row] * d[column]));
        if (row != two.row() || !(std::abs(one.value() - two.value()) <= allowed))
          failf(here_, "the matrix is not symmetric (row %lld, column %lld: %.8g and %.8g): take a solver of others, "
                       "as sumfac::coarse_gmres",
                static_cast<long long>(row), static_cast<long long>(column), one.value(), two.value());
      }
    }
  }

  void check_pivots(Eigen::SparseMatrix<double> const& a) const
  {
    // Of the diagonal: below it is rounding of what was subtracted. The last pivot of a matrix of n rows with the least
    // eigenvalue e is n e where its vector has entries of one size.
    double const least = 8 * std::numeric_limits<double>::epsilon() * static_cast<double>(size_ > 64 ? size_ : 64);
    auto const row_of = solver_.permutationPinv().indices();
    auto const pivots = solver_.vectorD();
    for (int i = 0; i < static_cast<int>(size_); ++i) {
      int const row = row_of.size() == 0 ? i : row_of[i];
      double const pivot = pivots[i], diagonal = a.coeff(row, row);
      if (!(pivot > -least * diagonal))
        failf(here_, "the matrix is not positive definite (pivot %g in row %d, whose diagonal is %g)", pivot, row,
              diagonal);
      if (!(pivot > least * diagonal))
        failf(here_, "the matrix is singular (pivot %g in row %d, whose diagonal is %g, more than %g of that "
                     "expected): where nothing is constrained, say so by options.null_space, a sumfac::null_space of "
                     "the matrix",
              pivot, row, diagonal, least);
    }
  }

  index_t size_;
  detail::sparse_null_space null_space_;
  std::vector<int> rows_left_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver_;
};

}  // namespace sumfac
