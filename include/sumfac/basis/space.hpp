// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A space of polynomials on an element, as a plain value: what an operator's functions are made of.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

#include <concepts>
#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET {

// Polynomials of degree `degree` in each direction of a hexahedron, by their values at its Gauss-Lobatto nodes.
struct space {
  int degree;
  int directions;  // of the reference element

  // A number stands for the hexahedron's space of that degree.
  SUMFAC_FUNCTION constexpr space(int of_degree, int of_directions = 3)
      : degree(of_degree), directions(of_directions)
  {
  }

  friend constexpr bool operator==(space const&, space const&) = default;
};

// A space, or the number that stands for one: what element_operator takes.
template <class T>
concept space_like = std::same_as<std::remove_cv_t<T>, space> || std::integral<T>;

// The number itself, so that element_operator<mass, 3> and element_operator<mass, hexahedron(3)> are one type.
SUMFAC_FUNCTION constexpr int hexahedron(int degree) { return degree; }

namespace detail {

// The space that an operator is told; what is none stands aside as degree 1, so that nothing else is said of it.
template <auto Space>
inline constexpr space space_of = 1;
template <auto Space>
  requires space_like<decltype(Space)>
inline constexpr space space_of<Space> = static_cast<space>(Space);

template <auto Space>
inline constexpr int degree_of = space_of<Space>.degree;

}  // namespace detail

}  // namespace sumfac
