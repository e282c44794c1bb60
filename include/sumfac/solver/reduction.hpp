// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How sums over a vector's entries become those of all processes that have a part of it.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET {

// What vector_ops and solvers call after each pass that makes sums: add_up(context, sums, count) replaces this process'
// sums, in the host's memory, by those of all, the same bits for each. Without a function nothing is called.
//
// A matrix on parts of a vector has a member reduction() that returns one; solvers ask it.
struct reduction {
  void (*add_up)(void const* context, double* sums, int count) = nullptr;
  void const* context = nullptr;
};

namespace detail {

// A matrix of vectors of which other processes have parts.
template <class Matrix>
concept matrix_in_parts = requires(Matrix const& a) { reduction(a.reduction()); };

// What a matrix says of it, or that there is one process.
template <class Matrix>
reduction reduction_of(Matrix const& a)
{
  if constexpr (matrix_in_parts<Matrix>)
    return a.reduction();
  else
    return {};
}

}  // namespace detail

}  // namespace sumfac
