// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a weak form became, in words: the numbers that it keeps, what it reads, and its operations.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/element/work.hpp>
#include <sumfac/form/weak.hpp>

#include <cstdio>
#include <string>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::weak {

namespace detail {

inline std::string in_words(double x)
{
  char text[32];
  std::snprintf(text, sizeof text, "%g", x);
  return text;
}

// An expression as it is written.
template <class Expression>
std::string written(Expression const& e)
{
  if constexpr (std::is_same_v<Expression, number>)
    return in_words(e.value);
  else if constexpr (is_trial<Expression>)
    return "u";
  else if constexpr (is_given<Expression>)
    return "given_" + std::to_string(Expression::index);
  else if constexpr (std::is_same_v<Expression, position>)
    return "x";
  else if constexpr (std::is_same_v<Expression, normal>)
    return "n";
  else if constexpr (std::is_same_v<Expression, identity_matrix>)
    return "identity";
  else if constexpr (requires { Expression::id; })
    return std::string(requires { e.f; } ? "k(x)" : "k(e)") +
           (Expression::id > 0 ? "_" + std::to_string(Expression::id) : "");
  else if constexpr (requires { Expression::is_constant; })
    return "constant";
  else if constexpr (requires { e.value; })
    return "parameter";
  else if constexpr (requires { e.a; })
    return written_node(e);
  else
    return "unit";
}
template <class Op, class... Arguments>
std::string written_node(node<Op, Arguments...> const& e)
{
  std::string const name = Op::name, a = written(e.a);
  if constexpr (sizeof...(Arguments) == 1)
    return name + "(" + a + ")";
  else if constexpr (sizeof...(Arguments) == 3)
    return name + "(" + a + ", " + written(e.b) + ", " + written(e.c) + ")";
  else if (name[0] == '*' || name[0] == '/')
    return a + " " + name + " " + written(e.b);
  else if (name[0] >= 'a' && name[0] <= 'z')
    return name + "(" + a + ", " + written(e.b) + ")";
  else
    return "(" + a + " " + name + " " + written(e.b) + ")";
}

// A summand, and what is done with it.
template <class Summand>
std::string written_summand(Summand const& s)
{
  std::string text;
  auto const add = [&](std::string const& factor) { text += text.empty() ? factor : " * " + factor; };
  if constexpr (!is_one<typename Summand::factor_type>) add(in_words(s.factor.value));
  if constexpr (!is_one<typename Summand::point_type>) add(written(s.point));
  if constexpr (!is_one<typename Summand::state_type>) add(written(s.state));
  if constexpr (!is_one<typename Summand::core_type>) add(written(s.core));
  return text.empty() ? "1" : text;
}
inline char const* what_is_done(kind k)
{
  switch (k) {
    case kind::load_value: return "kept with the weight";
    case kind::load_gradient: return "kept with the weight, pulled back";
    case kind::upwind: return "kept with the weight, pulled back; times u";
    case kind::reaction: return "kept with the weight; times u";
    case kind::advection: return "kept with the weight, pulled back; times grad(u)";
    case kind::metric: return "kept with the weight and the metric; times grad(u)";
    case kind::own_core: return "its core kept with the weight, pulled back; the rest computed";
    case kind::own_metric: return "its metric kept with the weight; the rest computed";
    case kind::slope: return "computed, with the metric, times a weight";
    default: return "computed, times a weight";
  }
}
inline std::string written_evaluation(evaluation e)
{
  return e == (value | gradient) ? "value and gradient" : e == value ? "value" : "gradient";
}

}  // namespace detail

// What a weak form, or an energy, became on elements of Dim directions: its terms and what is done with each, the
// numbers that are kept of a point, what is read, and the operations of a point.
template <int Dim = 3, class Form>
std::string describe(Form const& form)
{
  using namespace detail;
  using plan = typename Form::plan::template plan_of<Dim>;
  constexpr bool is_energy = requires { typename Form::is_energy; };
  std::string text = is_energy ? "energy" : is_linear<Form> ? "form, linear in u" : "form, not linear in u";
  text += ", " + std::to_string(Dim) + (Dim == 1 ? " direction: " : " directions: ");
  text += std::to_string(plan::value.count) + (plan::value.count == 1 ? " number" : " numbers") + " of a point";
  if (plan::value.geometry >= 0) text += plan::value.direct ? ", the metric first" : ", the inverse Jacobian first";
  text += "\n";
  for_each(form.summands, [&]<class Summand, int Integral>(Summand const& s, constant_index<Integral>) {
    text += "  " + written_summand(s) +
            (is_energy              ? ""
             : Summand::of_gradient ? " : grad(v)"
                                    : " : v") +
            "   " + what_is_done(plan::value.kinds[Integral]) + "\n";
  });
  text += "  reads " + written_evaluation(Form::trial) + " of u";
  if constexpr (Form::inputs::count > 0)
    text += " and of " + std::to_string(Form::inputs::count) + " given function" + (Form::inputs::count > 1 ? "s" : "");
  if constexpr (!is_energy)
    text += "; " + std::to_string(sumfac::detail::operations_with_factors<Dim>(form)) + " operations at a point";
  return text + "\n";
}

}  // namespace sumfac::weak
