// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sentences for arguments that solvers cannot take.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/operator/detail/team_sweep.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/view/vector_argument.hpp>
#include <sumfac/view/view.hpp>

#include <limits>
#include <type_traits>
#include <utility>

namespace sumfac::inline SUMFAC_TARGET::detail {

// The entries of a view; of what is none, which is refused, double.
template <class View>
struct entries {
  using type = double;
};
template <class T, class Extents, class Layout>
struct entries<view<T, Extents, Layout>> {
  using type = std::remove_cv_t<T>;
};
template <class Vector>
using entries_of = typename entries<vector_view_of<Vector>>::type;

// Whether Matrix applies to vectors of that scalar, as far as it says so.
template <class Matrix, class Scalar>
inline constexpr bool applies_to = [] {
  if constexpr (requires { typename Matrix::scalar_type; })
    return std::is_same_v<typename Matrix::scalar_type, Scalar>;
  else
    return true;
}();

// Whether a matrix says what numbers it computes in: by its element operator, or by a type of its own for that.
template <class Matrix>
inline constexpr bool knows_rounding =
    requires { typename Matrix::arithmetic_type; } || requires(Matrix const& a) { a.element_operator(); };

// How A x is rounded: as the arithmetic of an element operator is; a matrix of one's own may work in float inside.
template <class Matrix, class Scalar>
constexpr double rounding_of()
{
  if constexpr (requires { typename Matrix::arithmetic_type; }) {
    if (sizeof(Scalar) + sizeof(typename Matrix::arithmetic_type) == 16)
      return static_cast<double>(std::numeric_limits<double>::epsilon());
  }
  if constexpr (requires(Matrix const& a) { a.element_operator(); }) {
    using element = std::remove_cvref_t<decltype(std::declval<Matrix const&>().element_operator())>;
    if constexpr (requires {
                    typename element::arithmetic_type;
                    typename element::factor_type;
                  })
      if (sizeof(Scalar) + sizeof(typename element::arithmetic_type) + sizeof(typename element::factor_type) == 24)
        return static_cast<double>(std::numeric_limits<double>::epsilon());
  }
  return static_cast<double>(std::numeric_limits<float>::epsilon());
}

// The same, where a matrix of one's own that says nothing is believed to compute in the numbers of its vectors.
template <class Matrix, class Scalar>
constexpr double likely_rounding_of()
{
  if constexpr (knows_rounding<Matrix>)
    return rounding_of<Matrix, Scalar>();
  else
    return static_cast<double>(std::numeric_limits<Scalar>::epsilon());
}

template <class Matrix, class Scalar>
inline constexpr bool is_matrix = requires(Matrix const& a, view<Scalar const, dextents<1>> const& x,
                                           view<Scalar, dextents<1>> const& y)
{
  a.apply(x, y);
  static_cast<index_t>(a.size());
  requires std::is_class_v<std::remove_cvref_t<decltype(a.backend())>>;
};

template <class Preconditioner, class Scalar>
inline constexpr bool is_preconditioner = requires(Preconditioner const& p)
{
  factors_of_preconditioner<Scalar>("", p, index_t{});
};

template <class... Others>
inline constexpr bool has_options = (std::is_same_v<std::remove_cvref_t<Others>, cg_options> || ...);

// How solve() ends, with what the solves inside of the preconditioner came to meanwhile.
template <class Preconditioner, class Solve>
cg_result with_inner_solves(Preconditioner const& p, Solve const& solve)
{
  if constexpr (requires { inner_solves(p.coarse_solves()); }) {
    inner_solves const before = p.coarse_solves();
    cg_result result = solve();
    result.inner = p.coarse_solves();
    result.inner.count -= before.count, result.inner.failed -= before.failed;
    return result;
  } else {
    return solve();
  }
}

// Whether a solver can take arguments of these types, with a sentence for what it cannot.
template <class Matrix, class Right, class Solution, class Preconditioner, class Monitor, class Scalar>
constexpr bool check_solver()
{
  constexpr bool matrix = is_matrix<Matrix, Scalar>;
  using right = vector_view_of<Right>;
  using solution = vector_view_of<Solution>;
  constexpr bool vectors = is_view_of<right, Scalar> && is_writable_view_of<solution, Scalar>;
  constexpr bool contiguous = is_vector_view<right> && is_vector_view<solution>;
  constexpr bool scalars = applies_to<Matrix, Scalar>;
  constexpr bool factors = is_preconditioner<Preconditioner, Scalar>;
  constexpr bool monitor = std::is_invocable_v<Monitor&, index_t, double>;
  static_assert(matrix,
                "sumfac::solver: A must have apply(x, y) const, for views of rank 1 and layout_right of x's scalar "
                "type, size() and backend(): sumfac::global_operator{A, R} has, made of an element operator and "
                "a restriction");
  constexpr bool linear = is_linear<Matrix>;
  static_assert(linear,
                "sumfac::solver: A says `linear = false`: solvers solve linear systems alone: solve with its "
                "sumfac::tangent, Newton's step");
  static_assert(vectors,
                "sumfac::solver: b and x must be sumfac::view of the workspace's scalar type, or arrays of it, as "
                "std::vector, and x must not be const");
  static_assert(contiguous || !vectors, "sumfac::solver: b and x must be contiguous: views of rank 1 and layout_right");
  static_assert(scalars || !vectors, "sumfac::solver: b and x must have entries of A's scalar type");
  static_assert(factors || !vectors,
                "sumfac::solver: the preconditioner must be sumfac::no_preconditioner, a sumfac::jacobi of b's scalar "
                "type, or have apply(r, z) const, for views of rank 1 and layout_right of b's scalar type; options "
                "stand behind it");
  static_assert(monitor,
                "sumfac::solver: behind the options stands a monitor, which is called with (iteration, residual); a "
                "preconditioner stands before them");
  return matrix && linear && vectors && contiguous && scalars && factors && monitor;
}

template <class Matrix, class Right, class Solution, class Preconditioner, class Monitor, class Scalar>
constexpr bool check_merged_cg()
{
  constexpr bool scalars = std::is_same_v<typename Matrix::scalar_type, Scalar>;
  constexpr bool by_factors = !applies_itself<Preconditioner, Scalar>;
  using element = std::remove_cvref_t<decltype(std::declval<Matrix>().element_operator())>;
  constexpr bool sweeps = is_element_operator<element> || requires(Matrix const& a) { a.reduction(); };
  static_assert(sweeps, "sumfac::merged_cg: A must be of a sumfac::element_operator; the one that a tuned_operator has "
                        "chosen is in its visit()");
  static_assert(scalars, "sumfac::merged_cg: the workspace must be of the operator's scalar type");
  static_assert(by_factors, "sumfac::merged_cg: only factors are merged with the sweep, no_preconditioner or "
                            "sumfac::jacobi: solve with a preconditioner of your own by sumfac::cg");
  if constexpr (sweeps && scalars && by_factors)
    return check_solver<Matrix, Right, Solution, Preconditioner, Monitor, Scalar>();
  else
    return false;
}

}  // namespace sumfac::detail
