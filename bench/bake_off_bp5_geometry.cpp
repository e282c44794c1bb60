// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP5 with factors computed where they are needed: trilinear elements from their vertices, and parallelepipeds.
#include "bake_off_entries.hpp"

namespace {

struct trilinear_problem {
  static constexpr char const* name = "BP5-trilinear";
  static constexpr bool constrained = true;
  static constexpr bool bent = true;
  template <int Order>
  using operator_type = sumfac::bp5<Order, sumfac::host, double, sumfac::trilinear>;
};

struct affine_problem {
  static constexpr char const* name = "BP5-affine";
  static constexpr bool constrained = true;
  static constexpr bool bent = false;
  template <int Order>
  using operator_type = sumfac::bp5<Order, sumfac::host, double, sumfac::affine>;
};

sumfac::bench::solve_entries<trilinear_problem> const trilinear_entries;
sumfac::bench::solve_entries<affine_problem> const affine_entries;

}  // namespace
