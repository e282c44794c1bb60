// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP3: the stiffness matrix, N + 2 Gauss points, the boundary constrained.
#include "bake_off_entries.hpp"

namespace {

struct problem {
  static constexpr char const* name = "BP3";
  static constexpr bool constrained = true;
  static constexpr bool bent = true;
  template <int Order>
  using operator_type = sumfac::element_operator<sumfac::laplace, Order>;
};

sumfac::bench::solve_entries<problem> const entries;

}  // namespace
