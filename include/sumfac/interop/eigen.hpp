// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigen's direct solver behind a sparse matrix, for coarse levels. It needs Eigen's headers (Debian: libeigen3-dev).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/interop/detail/sparse_solver.hpp>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

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
class eigen_ldlt : public detail::sparse_solver {
public:
  template <class Scalar>
  explicit eigen_ldlt(csr_matrix<Scalar> const& a, eigen_ldlt_options const& options = {})
      : sparse_solver(here_, a.size(), options.null_space), rows_left_(rows_to_leave())
  {
    detail::matrix_of_int entries(here_, a);
    std::vector<unsigned char> left(static_cast<std::size_t>(size()));
    for (std::size_t const row : rows_left_) left[row] = 1;
    entries.for_each([&](int row, int column, double& x) {
      if (row != column && left[static_cast<std::size_t>(row)] + left[static_cast<std::size_t>(column)] > 0) x = 0;
    });
    // Row by row what Eigen has column by column: the transpose, which is the matrix itself.
    using const_matrix = Eigen::SparseMatrix<double> const;
    const_matrix matrix = Eigen::Map<const_matrix>(entries.rows(), entries.rows(), entries.first.back(),
                                                   entries.first.data(), entries.columns.data(), entries.values.data());
    check_symmetry(matrix, 1000 * static_cast<double>(std::numeric_limits<Scalar>::epsilon()));
    solver_.compute(matrix);
    check_pivots(matrix);
  }

  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    apply_with("eigen_ldlt::apply", r, z, [this](std::vector<double>& x) {
      for (std::size_t const row : rows_left_) x[row] = 0;
      Eigen::Map<Eigen::VectorXd> entries(x.data(), static_cast<int>(x.size()));
      Eigen::VectorXd const solution = solver_.solve(entries);
      entries = solution;
    });
  }

private:
  static constexpr auto here_ = "eigen_ldlt";

  // Only one triangle is read.
  void check_symmetry(Eigen::SparseMatrix<double> const& transposed, double rounding) const
  {
    Eigen::SparseMatrix<double> const a = transposed.transpose();
    Eigen::VectorXd const d = a.diagonal();
    for (int column = 0; column < a.outerSize(); ++column) {
      Eigen::SparseMatrix<double>::InnerIterator one(a, column), two(transposed, column);
      for (; one && two; ++one, ++two) {
        auto const row = one.row();
        double const allowed = rounding * std::sqrt(std::abs(d[row] * d[column]));
        if (row != two.row() || !(std::abs(one.value() - two.value()) <= allowed))
          failf(here_,
                "the matrix is not symmetric (row %lld, column %lld: %.8g and %.8g): take a solver of others, "
                "as sumfac::coarse_gmres",
                static_cast<long long>(row), static_cast<long long>(column), one.value(), two.value());
      }
    }
  }

  void check_pivots(Eigen::SparseMatrix<double> const& a) const
  {
    // Of the diagonal: below it is rounding of what was subtracted. The last pivot of a matrix of n rows with the least
    // eigenvalue e is n e where its vector has entries of one size.
    double const least = 8 * std::numeric_limits<double>::epsilon() * static_cast<double>(size() > 64 ? size() : 64);
    auto const row_of = solver_.permutationPinv().indices();
    auto const pivots = solver_.vectorD();
    for (int i = 0; i < static_cast<int>(size()); ++i) {
      int const row = row_of.size() == 0 ? i : row_of[i];
      double const pivot = pivots[i], diagonal = a.coeff(row, row);
      if (!(pivot > -least * diagonal))
        failf(here_, "the matrix is not positive definite (pivot %g in row %d, whose diagonal is %g)", pivot, row,
              diagonal);
      if (!(pivot > least * diagonal))
        failf(here_,
              "the matrix is singular (pivot %g in row %d, whose diagonal is %g, more than %g of that "
              "expected): where nothing is constrained, say so by options.null_space, a sumfac::null_space of "
              "the matrix",
              pivot, row, diagonal, least);
    }
  }

  std::vector<std::size_t> rows_left_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver_;
};

}  // namespace sumfac
