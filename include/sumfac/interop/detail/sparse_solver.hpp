// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What sparse matrices become before solvers of other libraries get them.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/solver/assemble.hpp>

#include <cstddef>
#include <limits>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Libraries count in int.
template <class Scalar>
void fits_int(char const* where, csr_matrix<Scalar> const& a)
{
  auto const entries = static_cast<index_t>(a.values().size());
  constexpr auto most = std::numeric_limits<int>::max SUMFAC_NO_MACRO();
  if (a.size() >= most || entries >= most)
    failf(where, "the matrix is too large (%lld rows, %lld entries, less than %d expected)",
          static_cast<long long>(a.size()), static_cast<long long>(entries), most);
}

// Calls f(row, column, double) for all entries, and for the diagonal of rows that have none.
template <class Scalar, class Function>
void for_each_entry(csr_matrix<Scalar> const& a, Function const& f)
{
  for (index_t row = 0; row < a.size(); ++row) {
    auto const first = static_cast<std::size_t>(a.first()[static_cast<std::size_t>(row)]);
    auto const last = static_cast<std::size_t>(a.first()[static_cast<std::size_t>(row) + 1]);
    if (first == last) f(row, row, 1.0);
    for (std::size_t i = first; i < last; ++i) f(row, a.columns()[i], static_cast<double>(a.values()[i]));
  }
}

}  // namespace sumfac::detail
