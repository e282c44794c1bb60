// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// First guesses from the solutions before: for one matrix and right sides that follow each other, as steps in time do.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/detail/cg_arguments.hpp>
#include <sumfac/solver/detail/krylov.hpp>

namespace sumfac::SUMFAC_TARGET {

// guess(b, x) makes x the combination of earlier solutions that is nearest to that of A x = b in A's norm; add(A, x)
// takes the solution in. For a symmetric positive definite A that stays the same.
//
// Solutions are kept A-orthonormal, up to `most`; when they are that many, it begins anew from the next.
// **Shapes** b, x: global vectors of `size` entries, in the backend's memory.
// **Work** guess: 2 passes a kept solution; add: one application of A and 2 passes a kept solution.
// **Errors** argument_error for lengths and null, `most` below 1.
// **Source** Fischer 1998, doi:10.1016/S0045-7825(98)00012-7.
template <class Scalar = double, class Backend = host>
class guess_history {
public:
  guess_history(Backend const& backend, index_t size, int most = 8, reduction const& of_all = {})
      : most_(checked(most)), vectors_(backend, size, index_t{most_} + 2, of_all)
  {
  }

  void guess(vector_argument<Scalar const> right, vector_argument<Scalar> solution)
  {
    auto const b = right.entries;
    auto const x = solution.entries;
    detail::check_vectors("guess_history::guess", "b", b, size(), "x", x, size());
    ops().fill(Scalar(0), x);
    of_guess_ = 0;
    for (int i = 0; i < kept_; ++i) {
      Scalar const part = ops().dot(vectors_[i], b);
      ops().axpy(part, vectors_[i], x);
      of_guess_ += static_cast<double>(part) * static_cast<double>(part);
    }
    ops().copy(x, vectors_[most_]);
    has_guess_ = true;
  }

  // A must be the matrix of all solutions that are kept.
  template <class Matrix>
  void add(Matrix const& a, vector_argument<Scalar const> solution)
  {
    constexpr bool matrix = detail::is_matrix<Matrix, Scalar>;
    static_assert(matrix, "sumfac::guess_history: A must have apply(x, y) const, size() and backend()");
    if constexpr (matrix) {
      auto const x = solution.entries;
      check_equal("guess_history::add", "size of A", size(), static_cast<index_t>(a.size()));
      detail::check_extent("guess_history::add", "x", 0, "entries", size(), x.extent(0));
      check_data("guess_history::add", "x", x.data(), size());
      if (kept_ == most_) clear();
      // What is new of x: the guess lies in the space of those kept.
      auto const fresh = vectors_[kept_], product = vectors_[index_t{most_} + 1];
      ops().copy(x, fresh);
      if (has_guess_ && kept_ > 0) ops().axpy(Scalar(-1), vectors_[most_], fresh);
      a.apply(view<Scalar const, dextents<1>>(fresh.data(), vectors_.size()), product);
      auto const square = static_cast<double>(ops().dot(fresh, product));
      double rest = square;
      for (int i = 0; i < kept_; ++i) {
        Scalar const part = ops().dot(vectors_[i], product);
        ops().axpy(-part, vectors_[i], fresh);
        rest -= static_cast<double>(part) * static_cast<double>(part);
      }
      // Where nothing new is left but rounding, or what the solver left over, it is not kept; nor what is no number.
      constexpr double least = sizeof(Scalar) == sizeof(double) ? 1e-16 : 1e-8;
      if (rest > 1e-4 * square && rest > least * (has_guess_ ? of_guess_ : 0) && 1 / rest > 0) {
        ops().scale(static_cast<Scalar>(1 / __builtin_sqrt(rest)), fresh);
        ++kept_;
      }
      has_guess_ = false;
    }
  }

  // Forgets all: where A becomes another one.
  void clear() { kept_ = 0, has_guess_ = false; }
  int kept() const { return kept_; }
  index_t size() const { return vectors_.size(); }

private:
  static int checked(int most)
  {
    if (most < 1) failf("guess_history", "it keeps less than one solution (got %d, at least 1 expected)", most);
    return most;
  }

  auto const& ops() const { return vectors_.ops; }

  int most_, kept_ = 0;
  bool has_guess_ = false;  // whether the last one was not used yet; and the square of its norm
  double of_guess_ = 0;
  detail::krylov_vectors<Scalar, Backend> vectors_;
};

template <class Backend>
guess_history(Backend const&, index_t, int = 8, reduction const& = {}) -> guess_history<double, Backend>;

}  // namespace sumfac
