// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP5: the stiffness matrix, points at the nodes, the boundary constrained.
#include "bake_off_entries.hpp"

namespace {

struct problem {
  static constexpr char const* name = "BP5";
  static constexpr bool constrained = true;
  static constexpr bool bent = true;
  template <int Order>
  using operator_type = sumfac::bp5<Order>;
};

sumfac::bench::solve_entries<problem> const entries;

}  // namespace
