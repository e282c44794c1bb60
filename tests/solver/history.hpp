// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a solver's monitor heard, and a dense matrix as a user's own.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>

#include <cstddef>
#include <vector>

namespace checks {

struct history {
  std::vector<sumfac::index_t> iterations;
  std::vector<double> residuals;

  auto monitor()
  {
    return [this](sumfac::index_t iteration, double residual) {
      iterations.push_back(iteration);
      residuals.push_back(residual);
    };
  }
};

// A user's own operator, or preconditioner: a dense matrix, row by row.
struct dense_operator {
  std::vector<double> entries;
  sumfac::index_t rows;
  sumfac::host here{};

  template <class X, class Y>
  void apply(X const& x, Y const& y) const
  {
    for (sumfac::index_t r = 0; r < rows; ++r) {
      y(r) = 0;
      for (sumfac::index_t c = 0; c < rows; ++c) y(r) += entries[static_cast<std::size_t>(r * rows + c)] * x(c);
    }
  }
  sumfac::index_t size() const { return rows; }
  sumfac::host const& backend() const { return here; }
};

}  // namespace checks
