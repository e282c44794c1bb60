// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What solvers ask a matrix: its numbers, its backend, how A x is rounded, and which entries a node has.
#pragma once

#include <sumfac/dofs/halo.hpp>

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// The entries of vectors that a matrix says it applies to, else double.
template <class Matrix>
using scalar_in_matrix = typename Matrix::scalar_type;
template <class Matrix>
using scalar_of_matrix = member_or<scalar_in_matrix, Matrix, double>;

template <class Matrix>
using backend_of_matrix = std::remove_cvref_t<decltype(std::declval<Matrix const&>().backend())>;

template <class Matrix, class Scalar>
inline constexpr bool is_matrix =
    requires(Matrix const& a, view<Scalar const, dextents<1>> const& x, view<Scalar, dextents<1>> const& y) {
      a.apply(x, y);
      static_cast<index_t>(a.size());
      requires std::is_class_v<std::remove_cvref_t<decltype(a.backend())>>;
    };

// A matrix that says what numbers A x is rounded as, as global_operator does.
template <class Matrix>
concept says_arithmetic = requires { typename Matrix::arithmetic_type; };

// How A x is rounded; a matrix of one's own that does not say may work in float inside.
template <class Matrix, class Scalar>
constexpr double rounding_of()
{
  if constexpr (says_arithmetic<Matrix>)
    if (sizeof(Scalar) + sizeof(typename Matrix::arithmetic_type) == 16)
      return static_cast<double>(std::numeric_limits<double>::epsilon());
  return static_cast<double>(std::numeric_limits<float>::epsilon());
}

// The same, where such a matrix is believed to compute in the numbers of its vectors.
template <class Matrix, class Scalar>
constexpr double likely_rounding_of()
{
  if constexpr (says_arithmetic<Matrix>)
    return rounding_of<Matrix, Scalar>();
  else
    return static_cast<double>(std::numeric_limits<Scalar>::epsilon());
}

// A matrix that throws where it is seen not to be linear.
template <class Matrix>
concept checks_linearity = requires(Matrix const& a) { a.check_linear(); };

// A sum of operators on global vectors: see operator/sum.hpp.
template <class Matrix>
concept is_sum_matrix = Matrix::terms > 0;

// The operator of one that is made of an element operator.
template <class Matrix>
using element_operator_of = std::remove_cvref_t<decltype(std::declval<Matrix const&>().element_operator())>;

// A matrix of the nodes of a restriction, as global_operator is; in parts it has those that this process owns.
template <class Matrix>
concept has_restriction = requires(Matrix const& a) {
  { a.restriction().components() } -> std::convertible_to<int>;
  { a.restriction().options().components_lie } -> std::convertible_to<interleaving>;
};

// The entries of its vectors; without a restriction each is a node.
template <class Matrix>
entry_order entries_of_matrix(Matrix const& a)
{
  if constexpr (has_restriction<Matrix>)
    return {a.size() / a.restriction().components(), a.restriction().components(),
            a.restriction().options().components_lie};
  else
    return {a.size()};
}

// What a matrix says of sums over all processes, or that there is one.
template <class Matrix>
reduction reduction_of(Matrix const& a)
{
  if constexpr (matrix_in_parts<Matrix>)
    return a.reduction();
  else
    return {};
}

}  // namespace sumfac::detail
