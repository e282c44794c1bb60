// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where values of a function space are given.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/mesh/boundary_faces.hpp>

#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// Sides where values are given: those of all components, or of one.
struct fixed_sides {
  fixed_sides(std::vector<element_side> of, int of_component = -1) : sides(std::move(of)), component(of_component) {}

  std::vector<element_side> sides;
  int component;  // -1: all

  // For spaces.
  void check_all(int components, index_t elements, int sides_of_element) const
  {
    if (component < -1 || component >= components)
      failf("function_space", "a component that is fixed does not exist (got %d, 0 to %d expected, or -1: all)",
            component, components - 1);
    for (element_side const& at : sides) detail::check_side("function_space", at, elements, sides_of_element);
  }
};

}  // namespace sumfac
