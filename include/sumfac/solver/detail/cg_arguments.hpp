// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sentences for arguments that solvers cannot take.
#pragma once

#include <sumfac/operator/detail/form_checks.hpp>
#include <sumfac/operator/detail/team_sweep.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/preconditioner.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// The type of a view's entries; double for what is no view, which is refused elsewhere.
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
inline constexpr bool applies_to = std::is_same_v<member_or<scalar_in_matrix, Matrix, Scalar>, Scalar>;

template <class Preconditioner, class Scalar>
inline constexpr bool is_preconditioner =
    requires(Preconditioner const& p) { factors_of_preconditioner<Scalar>("", p, index_t{}); };

template <class... Others>
inline constexpr bool has_options = (std::is_same_v<std::remove_cvref_t<Others>, cg_options> || ...);

// Throws what is wrong with the arguments of a solve of A x = b; `workspace` is the length of its vectors.
template <class Scalar, class Backend, class Matrix, class Right, class Solution, class Options>
void check_arguments_of_solve(char const* name, Matrix const& a, Right const& b, Solution const& x, index_t workspace,
                              Options const& options)
{
  check_equal(name, "length of b", a.size(), b.extent(0));
  check_equal(name, "length of x", a.size(), x.extent(0));
  check_equal(name, "length of the workspace", a.size(), workspace);
  check_vectors(name, "b", b, a.size(), "x", x, a.size());
  if (options.iterations < 0)
    failf(name, "the number of iterations is negative (got %lld, at least 0 expected)",
          static_cast<long long>(options.iterations));
  if (!(options.tolerance >= 0)) failf(name, "the tolerance is not positive or 0 (got %g)", options.tolerance);
  if (!(options.absolute >= 0)) failf(name, "the absolute tolerance is not positive or 0 (got %g)", options.absolute);
  if (options.check_every < 1)
    failf(name, "the iterations between two looks, options.check_every, are below 1 (got %lld, at least 1 expected)",
          static_cast<long long>(options.check_every));
  if constexpr (checks_forms && !is_device<Backend> && checks_linearity<Matrix>) a.check_linear();
  options.null_space.template check_fits<Scalar, Backend>(name, a.size());
}

// How solve() ends, with what the solves inside of the preconditioner came to meanwhile.
template <class Preconditioner, class Solve>
solve_result with_inner_solves(Preconditioner const& p, Solve const& solve)
{
  if constexpr (requires { inner_solves(p.coarse_solves()); }) {
    inner_solves const before = p.coarse_solves();
    solve_result result = solve();
    result.inner = p.coarse_solves();
    result.inner.count -= before.count, result.inner.failed -= before.failed;
    return result;
  } else {
    return solve();
  }
}

// Whether a solver can take arguments of these types, with a diagnostic for what it cannot.
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

// The same of solvers for symmetric matrices alone.
template <class Matrix, class... Others>
constexpr bool check_symmetric_solver()
{
  constexpr bool symmetric = may_be_symmetric<Matrix>;
  static_assert(symmetric,
                "sumfac::solver: A says `symmetric = false`, and this solver is for symmetric matrices alone: solve by "
                "sumfac::gmres");
  if constexpr (symmetric)
    return check_solver<Matrix, Others...>();
  else
    return false;
}

// A matrix with whose sweep over elements merged_cg merges, or beside which it makes passes of its own.
template <class Matrix>
concept merges = matrix_in_parts<Matrix> || is_sum_matrix<Matrix> || is_element_operator<element_operator_of<Matrix>>;

template <class Matrix, class Right, class Solution, class Preconditioner, class Monitor, class Scalar>
constexpr bool check_merged_cg()
{
  constexpr bool scalars = std::is_same_v<typename Matrix::scalar_type, Scalar>;
  constexpr bool by_factors = !applies_itself<Preconditioner, Scalar>;
  constexpr bool sweeps = merges<Matrix>;
  static_assert(sweeps,
                "sumfac::merged_cg: A must be of a sumfac::element_operator; the one that a tuned_operator has "
                "chosen is in its visit()");
  static_assert(scalars, "sumfac::merged_cg: the workspace must be of the operator's scalar type");
  static_assert(by_factors,
                "sumfac::merged_cg: only factors are merged with the sweep, no_preconditioner or "
                "sumfac::jacobi: solve with a preconditioner of your own by sumfac::cg");
  if constexpr (sweeps && scalars && by_factors)
    return check_symmetric_solver<Matrix, Right, Solution, Preconditioner, Monitor, Scalar>();
  else
    return false;
}

}  // namespace sumfac::detail
