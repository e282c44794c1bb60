// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Equations of second order for discontinuous functions: the form within elements and that between them.
#pragma once

#include "two_sided_forms.hpp"

#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/weak_faces.hpp>

#include <type_traits>

namespace two_sided {

// Elasticity in the plane, of (lambda, mu) = (2, 1), and its symmetric interior penalties between elements.
constexpr auto elastic = [] {
  using namespace sumfac::weak;
  constexpr trial_function<2> w{};
  constexpr test_function<2> t{};
  return integrate(inner(grad(w) + transpose(grad(w)), grad(t)) + 2 * div(w) * div(t));
}();
constexpr auto penalties = [] {
  using namespace sumfac::weak;
  constexpr trial_function<2> w{};
  constexpr test_function<2> t{};
  auto const pull = [](auto const& f) { return average(grad(f) + transpose(grad(f))) * n + 2 * average(div(f)) * n; };
  return integrate_faces(40 / h * dot(jump(w), jump(t)) - dot(pull(w), jump(t)) - dot(jump(w), pull(t)), fixed());
}();
struct elasticity {
  using within = std::remove_const_t<decltype(elastic)>;
  using between = std::remove_const_t<decltype(penalties)>;
  static within make_within() { return elastic; }
  static between make_between(double) { return penalties; }
};
struct poisson {
  using within = sumfac::laplace;
  using between = interior_penalty;
  static within make_within() { return {}; }
  static between make_between(double penalty) { return {penalty}; }
};

}  // namespace two_sided
