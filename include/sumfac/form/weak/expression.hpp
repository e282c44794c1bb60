// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What weak forms are written of: functions, coefficients, numbers, and what is made of them.
#pragma once

#include <sumfac/error.hpp>
#include <sumfac/math/small.hpp>
#include <sumfac/view/view.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::weak {

namespace detail {

struct expression_base {
  // Is none: entries are component<i>(a).
  template <class Index>
  constexpr auto operator[](Index const& i) const;
};

// What an expression depends on.
inline constexpr unsigned on_point = 1, on_state = 2, on_trial = 4 | on_state, on_test = 8, wrong = 16;

// Ranks: 0 of numbers, 1 of vectors, 2 of matrices, of_condition of comparisons, no_rank of what is wrong.
inline constexpr int of_condition = 10, no_rank = -1;

struct leaf : expression_base {};

// What stands for something that has had a diagnostic.
struct refused : leaf {
  static constexpr int rank = no_rank;
  static constexpr unsigned uses = 0;
};
template <class Index>
constexpr auto expression_base::operator[](Index const&) const
{
  static_assert(std::is_void_v<Index>,
                "sumfac::weak: a[i]: entries are component<i>(a), of matrices component<i, j>(a)");
  return refused{};
}

struct number : leaf {
  static constexpr int rank = 0;
  static constexpr unsigned uses = 0;
  double value;
};
template <class Value, int Rank>
struct constant : leaf {
  static constexpr bool is_constant = true;
  static constexpr int rank = Rank;
  static constexpr unsigned uses = 0;
  Value value;
};
struct identity_matrix : leaf {
  static constexpr int rank = 2;
  static constexpr unsigned uses = 0;
};
struct position : leaf {
  static constexpr int rank = 1;
  static constexpr unsigned uses = on_point;
};
struct normal : leaf {
  static constexpr int rank = 1;
  static constexpr unsigned uses = on_point;
};
// Id tells coefficients of one form apart, which may be of one type; 0 before they are numbered.
template <class Function, int Rank, int Id>
struct function_of_position : leaf {
  static constexpr int id = Id;
  static constexpr bool is_shared = Id > 0 || std::is_empty_v<Function>;
  static constexpr int rank = Rank;
  static constexpr unsigned uses = on_point;
  Function f;
};
template <class View, int Rank, int Id>
struct table_of_elements : leaf {
  static constexpr int id = Id;
  static constexpr bool is_shared = Id > 0;
  static constexpr int rank = Rank;
  static constexpr unsigned uses = on_point;
  View view;
};

// An operation upon its arguments.
template <class Op, class... Arguments>
struct node;
template <class Op, class Operand>
struct node<Op, Operand> : expression_base {
  static constexpr int rank = Operand::rank == no_rank ? no_rank : Op::rank(Operand::rank);
  static constexpr unsigned uses = Operand::uses;
  Operand a;
};
template <class Op, class Operand, class Other>
struct node<Op, Operand, Other> : expression_base {
  static constexpr int rank =
      Operand::rank == no_rank || Other::rank == no_rank ? no_rank : Op::rank(Operand::rank, Other::rank);
  static constexpr unsigned uses = Operand::uses | Other::uses;
  Operand a;
  Other b;
};
template <class Op, class Operand, class Other, class Third>
struct node<Op, Operand, Other, Third> : expression_base {
  static constexpr int rank = Operand::rank == no_rank || Other::rank == no_rank || Third::rank == no_rank
                                  ? no_rank
                                  : Op::rank(Operand::rank, Other::rank, Third::rank);
  static constexpr unsigned uses = Operand::uses | Other::uses | Third::uses;
  Operand a;
  Other b;
  Third c;
};

template <class Op, class... Arguments>
constexpr node<Op, Arguments...> make(Arguments const&... arguments)
{
  return {{}, arguments...};
}

}  // namespace detail

// The concept of what a weak form is written of.
template <class Expression>
concept expression = std::derived_from<Expression, detail::expression_base>;

// The function that is sought, and what it is tested by, of so many components; those of other names are others.
template <int Components = 1, int Name = 0>
struct trial_function : detail::leaf {
  static constexpr int components = Components, rank = Components == 1 ? 0 : 1;
  static constexpr unsigned uses = detail::on_trial;
};
template <int Components = 1, int Name = 0>
struct test_function : detail::leaf {
  static constexpr int components = Components, rank = Components == 1 ? 0 : 1;
  static constexpr unsigned uses = detail::on_test;
};

// A function that is given: the one that stands in place Index of linearize's fields, or of a call's. Of the operator's
// degree where Order is 0.
template <int Index = 0, int Components = 1, int Order = 0>
struct given_function : detail::leaf {
  static constexpr int index = Index, components = Components, order = Order, rank = Components == 1 ? 0 : 1;
  static constexpr unsigned uses = detail::on_state;
};

// A number that may change without the factors being made again: by `A.form().set(dt, 0.1)`.
template <int Name = 0>
struct parameter : detail::leaf {
  static constexpr int rank = 0;
  static constexpr unsigned uses = detail::on_state;

  parameter() = default;
  constexpr explicit parameter(double number) : value(number) {}

  double value = 0;
};

// Trial and test functions of one component: two unknowns are u and p, tested by v and q.
inline constexpr trial_function<> u{};
inline constexpr trial_function<1, 1> p{};
inline constexpr test_function<> v{};
inline constexpr test_function<1, 1> q{};

// Where a point lies in the mesh, and the normal there, of surfaces and faces.
inline constexpr detail::position x{};
inline constexpr detail::normal n{};
// The identity, of as many rows as the mesh has coordinates.
inline constexpr detail::identity_matrix identity{};

namespace detail {

template <class Expression>
inline constexpr bool is_trial = false;
template <int Components, int Name>
inline constexpr bool is_trial<trial_function<Components, Name>> = true;
template <class Expression>
inline constexpr bool is_test = false;
template <int Components, int Name>
inline constexpr bool is_test<test_function<Components, Name>> = true;
template <class Expression>
inline constexpr bool is_given = false;
template <int Index, int Components, int Order>
inline constexpr bool is_given<given_function<Index, Components, Order>> = true;
template <class Expression>
inline constexpr bool is_function = is_trial<Expression> || is_test<Expression> || is_given<Expression>;

template <class Expression>
inline constexpr bool is_parameter = false;
template <int Name>
inline constexpr bool is_parameter<parameter<Name>> = true;

// Operation of a node, void of leaves.
template <class Expression>
struct operation_of {
  using type = void;
};
template <class Op, class... Arguments>
struct operation_of<node<Op, Arguments...>> {
  using type = Op;
};
template <class Expression, class Op>
inline constexpr bool is_node = std::is_same_v<typename operation_of<Expression>::type, Op>;

// Whether it is of numbers alone; of these and of the point alone.
template <class Expression>
inline constexpr bool is_number = Expression::uses == 0;
template <class Expression>
inline constexpr bool is_of_point = (Expression::uses & ~on_point) == 0;

// What is written in an expression's place: numbers, vectors and matrices of numbers, expressions.
template <class T>
inline constexpr int rank_of_constant = no_rank;
template <std::floating_point T, int Rows>
inline constexpr int rank_of_constant<vector<T, Rows>> = 1;
template <std::floating_point T, int Rows, int Cols>
inline constexpr int rank_of_constant<matrix<T, Rows, Cols>> = 2;
template <std::floating_point T, int Rows>
inline constexpr int rank_of_constant<symmetric<T, Rows>> = 2;

template <class T>
concept operand = expression<T> || std::is_arithmetic_v<T> || rank_of_constant<T> != no_rank;
// Of what is neither, as a bare function of the position, as_expression says so.
template <class... T>
concept operands = ((operand<T> || std::is_class_v<T>)&&...) && (expression<T> || ...);

template <class T>
constexpr auto as_expression(T const& e)
{
  if constexpr (expression<T>) {
    return e;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return number{{}, static_cast<double>(e)};
  } else if constexpr (operand<T>) {
    return constant<T, rank_of_constant<T>>{{}, e};
  } else {
    static_assert(operand<T>,
                  "sumfac::weak: a function of the position, or a view, is a factor as coefficient(f), a vector of "
                  "numbers is a sumfac::vector");
    return refused{};
  }
}
template <class T>
using as_expression_t = decltype(as_expression(std::declval<T const&>()));

// Whether an expression has numbers, or coefficients, that its type does not tell.
template <class Expression>
inline constexpr bool has_members = !std::is_empty_v<Expression>;
template <class Function, int Rank, int Id>
inline constexpr bool has_members<function_of_position<Function, Rank, Id>> = !std::is_empty_v<Function>;
template <class Op, class... Arguments>
inline constexpr bool has_members<node<Op, Arguments...>> = (has_members<Arguments> || ...);

// f(leaf) for the leaves that have members, of expressions and of lists of summands.
template <class Expression, class Function>
constexpr void for_each_leaf([[maybe_unused]] Expression& e, Function const& f)
{
  if constexpr (std::is_empty_v<Expression>) {
    return;
  } else if constexpr (std::is_base_of_v<leaf, Expression>) {
    f(e);
  } else if constexpr (requires { e.core; }) {
    for_each_leaf(e.factor, f);
    for_each_leaf(e.point, f);
    for_each_leaf(e.state, f);
    for_each_leaf(e.core, f);
  } else if constexpr (requires { e.first; }) {
    for_each_leaf(e.first, f);
    for_each_leaf(e.rest, f);
  } else {
    for_each_leaf(e.a, f);
    if constexpr (requires { e.b; }) for_each_leaf(e.b, f);
    if constexpr (requires { e.c; }) for_each_leaf(e.c, f);
  }
}

// Throws for a number that is not finite: of the expression itself, of its vectors and matrices, a parameter's.
inline void check_number(double number)
{
  if (number - number != 0)
    failf("weak", "a number of the form is not finite (got %g): pass finite numbers as coefficients", number);
}
inline void check_parameter(int name) { failf("weak", "set(parameter<%d>): the form has no such parameter", name); }
// Whether e has the parameter, which gets this value.
template <class Expression, int Name>
constexpr bool set_parameter(Expression& e, parameter<Name> const&, double number)
{
  if (number - number != 0) check_number(number);
  bool found = false;
  for_each_leaf(e, [&](auto& leaf) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(leaf)>, parameter<Name>>) {
      leaf.value = number;
      found = true;
    }
  });
  return found;
}
template <class Expression>
void check_numbers(Expression const& e)
{
  for_each_leaf(e, [](auto const& leaf) {
    if constexpr (requires { leaf.value.entries; })
      for (auto const entry : leaf.value.entries) check_number(static_cast<double>(entry));
    else if constexpr (requires { leaf.value; })
      check_number(leaf.value);
  });
}

}  // namespace detail

}  // namespace sumfac::weak
