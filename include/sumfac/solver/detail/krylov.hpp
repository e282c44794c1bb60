// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What GMRES and MINRES have in common: the matrix, the preconditioner, their arguments, and how a solve ends.
#pragma once

#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/cg_arguments.hpp>
#include <sumfac/solver/detail/failures.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// So many vectors of a length, side by side, with the operations on them.
template <class Scalar, class Backend>
class krylov_vectors {
public:
  using vector = view<Scalar, dextents<1>>;

  krylov_vectors(Backend const& backend, index_t size, index_t count, reduction const& of_all = {})
      : ops(backend, size, of_all),
        passes(backend, size, of_all),
        size_(size),
        entries_(make_memory<Scalar>(backend, size * count))
  {
    for (index_t i = 0; i < count; ++i) places_.push_back(i);
  }

  vector operator[](index_t i) { return vector(entries_.data() + places_[static_cast<std::size_t>(i)] * size_, size_); }
  // Vector i is the one that was j, and the other way round.
  void exchange(index_t i, index_t j)
  {
    std::swap(places_[static_cast<std::size_t>(i)], places_[static_cast<std::size_t>(j)]);
  }
  index_t size() const { return size_; }

  vector_ops<Scalar, Backend> ops;
  pass_runner<Backend> passes;  // of devices' own
  work_owner owner;

private:
  index_t size_;
  own_vector<index_t> places_;
  memory_of<Scalar, Backend> entries_;
};

// One solve of A x = b: what every method of it does the same way.
template <class Matrix, class Scalar, class Backend, class Preconditioner>
class krylov_solve {
public:
  using vectors_type = krylov_vectors<Scalar, Backend>;
  using vector = typename vectors_type::vector;
  using const_vector = view<Scalar const, dextents<1>>;
  using values = vector_ops<Scalar, Backend>;

  krylov_solve(char const* name, Matrix const& a, Preconditioner const& p, vectors_type& vectors)
      : a_(a), p_(p), v_(vectors), sole_(vectors.owner, name, "the workspace")
  {
    result_.solver = name;
  }

protected:
  // Throws what is wrong with the arguments.
  template <class Right, class Solution, class Options>
  void check_arguments(Right const& b, Solution const& x, Options const& options)
  {
    char const* const name = result_.solver;
    check_arguments_of_solve<Scalar, Backend>(name, a_, b, x, v_.size(), options);
    factors_ = factors_of_preconditioner<Scalar>(name, p_, a_.size());
    space_ = options.null_space;
    space_.project(x.data());
    result_.fixed_count = options.tolerance == 0 && options.absolute == 0;
  }

  // Whether z = P r is r itself.
  static constexpr bool is_identity = std::is_same_v<Preconditioner, no_preconditioner>;

  void precondition(const_vector const& r, vector const& z) const
  {
    if constexpr (applies_itself<Preconditioner, Scalar>)
      p_.apply(r, z);
    else if constexpr (is_identity)
      ops().copy(r, z);
    else
      ops().multiply(const_vector(factors_, a_.size()), r, z);
    space_.project(z.data());
  }

  // y = A x, without what rounding leaves of it in the null space.
  void apply(const_vector const& x, vector const& y) const
  {
    a_.apply(x, y);
    space_.project(y.data());
  }

  // r = b - A x; 0 where that is nothing but what a part in the null space has left.
  template <class Right, class Solution>
  void residual(Right const& b, Solution const& x, vector const& r) const
  {
    a_.apply(const_vector(x.data(), a_.size()), r);
    ops().axpby(Scalar(1), b, Scalar(-1), r);
    if (!space_) return;
    auto const whole = static_cast<double>(ops().norm(r));
    space_.project(r.data());
    if (static_cast<double>(ops().norm(r)) <= any_null_space::left<Scalar> * whole) ops().fill(Scalar(0), r);
  }

  // Ends the solve: x is asked whether it is of numbers, and a solve that failed whether constants are free, for which
  // vectors v and w are not needed any more.
  template <class Solution>
  solve_result end(solve_status status, Solution const& x, index_t v, index_t w)
  {
    space_.project(x.data());
    if (status != solve_status::not_finite && !is_number(static_cast<double>(ops().norm(x))))
      status = solve_status::not_finite;
    result_.status = status;
    if (!space_ && matrix_matters(result_)) {
      pass_runner<Backend> const passes(a_.backend(), a_.size(), reduction_of(a_));
      auto sums = make_memory<double>(a_.backend(), most_sums);
      find_cause(result_, a_, passes, v_[v].data(), v_[w].data(), sums.data(), false, false);
    }
    return result_;
  }

  // The status of a solve whose own residual is small enough and whose b - A x is `size`, not small enough.
  solve_status stagnated(double recursion, double size)
  {
    result_.recursion = recursion;
    result_.residual = size;
    return solve_status::stagnated;
  }

  static bool is_number(double x) { return x - x == 0; }

  values const& ops() const { return v_.ops; }

  Matrix const& a_;
  Preconditioner const& p_;
  vectors_type& v_;
  sole_use sole_;
  Scalar const* factors_ = nullptr;
  any_null_space space_;
  solve_result result_;
};

}  // namespace sumfac::detail
