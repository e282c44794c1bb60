// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP2: the mass matrix of three components, N + 2 Gauss points.
#include "bake_off_entries.hpp"

namespace {

struct problem {
  static constexpr char const* name = "BP2";
  static constexpr bool constrained = false;
  static constexpr bool bent = true;
  template <int Order>
  using operator_type = sumfac::bp2<Order>;
};

sumfac::bench::solve_entries<problem> const entries;

}  // namespace
