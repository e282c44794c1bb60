// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions, points and bytes of an element of an operator: as the compiler knows them, or as they are at run time.
#pragma once

#include <sumfac/form/form.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

template <class Problem>
struct element_counts {
  SUMFAC_NO_UNIQUE_ADDRESS typename Problem::sizes_type sizes = {};  // what the compiler does not know

  // Functions of a component, and points; of these those along a direction where there are such.
  int functions() const { return known_or(Problem::trial_side::nodes_of_element, sizes.functions); }
  int points() const { return known_or(Problem::points_of_element, sizes.points); }
  int points_1d() const { return known_or(Problem::points_1d, sizes.points); }
  // Entries of an E-vector.
  template <class Side>
  index_t entries() const
  {
    return known_or(Side::entries_of_element, Side::components * sizes.functions);
  }
  // Bytes of u and v; and of the inputs of a form that are kept at the points.
  index_t vector_bytes() const
  {
    index_t const of_u = entries<typename Problem::trial_side>(), of_v = entries<typename Problem::test_side>();
    return index_t{sizeof(typename Problem::vector_number)} * (of_u + of_v);
  }
  index_t kept_bytes() const
  {
    constexpr index_t of_point = numbers_of(inputs_of<typename Problem::form>{}, Problem::directions);
    return index_t{sizeof(typename Problem::factor_number)} * of_point * points();
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
