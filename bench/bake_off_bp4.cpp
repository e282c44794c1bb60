// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP4: the stiffness matrix of three components, N + 2 Gauss points, the boundary constrained.
#include "bake_off_entries.hpp"

namespace {

struct problem {
  static constexpr char const* name = "BP4";
  static constexpr bool constrained = true;
  static constexpr bool bent = true;
  template <int Order>
  using operator_type = sumfac::bp4<Order>;
};

sumfac::bench::solve_entries<problem> const entries;

}  // namespace
