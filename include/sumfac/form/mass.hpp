// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The mass form (u, v) of BP1, and of BP2 with several components.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/form/form.hpp>

namespace sumfac::SUMFAC_TARGET {

// (u, v): one factor a point, the weight times the Jacobian's determinant, shared by all components.
template <int Components = 1>
struct vector_mass {
  static constexpr auto trial = value, test = value;
  static constexpr int components = Components;

  template <class T>
  struct factors {
    T measure;
  };

  static constexpr index_t flops_per_point(bool) { return Components; }

  template <class T, int Dim, int Coordinates>
  SUMFAC_INLINE factors<T> setup(mapping<T, Dim, Coordinates> const& x) const
  {
    return {x.weight() * x.det()};
  }

  template <class T, int Dim>
  SUMFAC_INLINE point_values<T, Components, Dim> apply(factors<T> const& f,
                                                       point_values<T, Components, Dim> const& u) const
  {
    return {.value = f.measure * u.value};
  }

  template <class Point, class T, int Dim>
  SUMFAC_INLINE point_values<T, Components, Dim> apply_at(Point const& x,
                                                          point_values<T, Components, Dim> const& u) const
  {
    return {.value = x.measure() * u.value};
  }
};

using mass = vector_mass<1>;

}  // namespace sumfac
