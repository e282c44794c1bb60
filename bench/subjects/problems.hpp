// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The problems that are measured, the numbers and geometries that they are measured in, and lists of both.
#pragma once

#include "check.hpp"

#include <sumfac/operator/bake_off.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::bench {

namespace problems {

template <class Form>
struct on_gauss {
  using form = Form;
  template <int Order>
  using points = gauss<Order + 2>;
  static constexpr bool collocated = false;
};

template <class Form>
struct on_nodes {
  using form = Form;
  template <int Order>
  using points = gauss_lobatto<Order + 1>;
  static constexpr bool collocated = true;
};

// Of the ladder paper, on E-vectors.
struct bp1_0 : on_gauss<mass> {
  static constexpr char const* name = "BP1.0";
};
struct bp3_0 : on_gauss<stiffness> {
  static constexpr char const* name = "BP3.0";
};
struct bp3_5 : on_nodes<stiffness> {
  static constexpr char const* name = "BP3.5";
};

// Of the bake-off, on global vectors; constrained: u is zero on the boundary.
struct bp1 : on_gauss<mass> {
  static constexpr char const* name = "BP1";
  static constexpr bool constrained = false;
};
struct bp2 : on_gauss<vector_mass<3>> {
  static constexpr char const* name = "BP2";
  static constexpr bool constrained = false;
};
struct bp3 : on_gauss<laplace> {
  static constexpr char const* name = "BP3";
  static constexpr bool constrained = true;
};
struct bp4 : on_gauss<vector_laplace<3>> {
  static constexpr char const* name = "BP4";
  static constexpr bool constrained = true;
};
struct bp5 : on_nodes<laplace> {
  static constexpr char const* name = "BP5";
  static constexpr bool constrained = true;
};
struct bp6 : on_nodes<vector_laplace<3>> {
  static constexpr char const* name = "BP6";
  static constexpr bool constrained = true;
};

}  // namespace problems

// What of a problem the reference must know.
template <class Problem>
constexpr integral integral_of()
{
  using form = typename Problem::form;
  if constexpr (std::is_same_v<form, mass> || std::is_same_v<form, vector_mass<3>>)
    return integral::mass;
  else if constexpr (std::is_same_v<form, stiffness>)
    return integral::screened;
  else
    return integral::stiffness;
}

// Kinds of numbers and geometry, as names of subjects have them, and the highest degree of a problem compiled for each.
namespace kinds {

struct f64 {
  static constexpr char const *scalar = "f64", *geometry = "stored";
  using numbers = double;
  using policy = stored;
  template <class Problem>
  static constexpr int last = 15;
};
struct f32 : f64 {
  static constexpr char const* scalar = "f32";
  using numbers = float;
};

struct recomputed : f64 {
  template <class Problem>
  static constexpr int last = 11;
};
struct narrow : recomputed {
  static constexpr char const* geometry = "narrow";
  using numbers = precision<double, float, double>;
};
struct affine : recomputed {
  static constexpr char const* geometry = "affine";
  using policy = sumfac::affine;
};
struct trilinear : recomputed {
  static constexpr char const* geometry = "trilinear";
  using policy = sumfac::trilinear;
};
struct isoparametric : f64 {
  static constexpr char const* geometry = "isoparametric";
  using policy = sumfac::isoparametric<>;
  template <class Problem>
  static constexpr int last = integral_of<Problem>() == integral::mass ? 0 : 8;
};

}  // namespace kinds

// What an operator on elements of so many directions takes for a degree.
template <int Order, int Directions>
inline constexpr int space_on = Order;
template <int Order>
inline constexpr space space_on<Order, 2> = quadrilateral(Order);

// Numbers that a form stores of a point.
template <class Form, int Directions>
inline constexpr int factors_on = factors_of<Form>;
template <class Form>
inline constexpr int factors_on<Form, 2> = factors_of<Form, 2>;

template <class... Types>
struct list {};

// What is counted on `checked` and climbed by the ladders.
using element_problems = list<problems::bp1_0, problems::bp3_0, problems::bp3_5>;

template <int... Orders>
using order_list = std::integer_sequence<int, Orders...>;

// 1, 2, .. Last
template <int Last>
constexpr auto up_to()
{
  return []<int... Is>(std::integer_sequence<int, Is...>) {
    return order_list<(Is + 1)...>{};
  }(std::make_integer_sequence<int, Last>{});
}

// Degrees of a multigrid: a half, rounded up, of the one before, down to Last.
template <int Order, int Last = 1, int... Before>
constexpr auto halved()
{
  if constexpr (Order <= Last)
    return order_list<Before..., Order>{};
  else
    return halved<(Order + 1) / 2, Last, Before..., Order>();
}

}  // namespace sumfac::bench
