// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What expressions are at a point: of the mesh, in setup; of the mesh and of functions, in apply.
#pragma once

#include <sumfac/form/point_values.hpp>
#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/operations.hpp>
#include <sumfac/form/weak/summands.hpp>
#include <sumfac/form/weak/values.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::weak::detail {

// A function of the position: of a vector, of coordinates, or of plain numbers, one lane after the other.
template <class Function, class T, int Coordinates, int... Is>
SUMFAC_INLINE constexpr auto called(Function const& f, vector<T, Coordinates> const& x,
                                    std::integer_sequence<int, Is...>)
{
  if constexpr (requires { f(x); }) {
    return f(x);
  } else if constexpr (requires { f(x[Is]...); }) {
    return f(x[Is]...);
  } else {
    constexpr bool fits = requires { f(scalar_of<T>(Is)...); };
    static_assert(fits,
                  "sumfac::weak::coefficient(f): f(position) does not compile on this mesh: f takes another number of "
                  "coordinates, or calls std::sin(x), where packs need `using std::sin;` and sin(x)");
    if constexpr (fits)
      return lane_by_lane(f, x[Is]...);
    else
      return x[0];
  }
}
template <class Function, class T, int Coordinates>
SUMFAC_INLINE constexpr auto called(Function const& f, vector<T, Coordinates> const& x)
{
  return called(f, x, std::make_integer_sequence<int, Coordinates>{});
}

// Its rank, where it can be called at all: in three, two or one coordinates.
template <class Function, int Coordinates = 3>
constexpr int rank_of_function()
{
  using T = double;
  if constexpr (requires(Function const& f, vector<T, Coordinates> const& x) { f(x); })
    return shape_of<decltype(std::declval<Function const&>()(vector<T, Coordinates>{}))>::rank;
  else if constexpr (Coordinates > 1)
    return std::is_invocable_v<Function const&, T, T, T> ? 0 : rank_of_function<Function, Coordinates - 1>();
  else
    return std::is_invocable_v<Function const&, T, T> || std::is_invocable_v<Function const&, T> ? 0 : no_rank;
}

// What an expression is at a point, which has `value(leaf)` for leaves, and for whole expressions that it `knows`.
// First is the place, among the numbers that are kept of the point, of the first one of e.
template <int First, class Expression, class Point>
SUMFAC_INLINE constexpr decltype(auto) evaluated([[maybe_unused]] Expression const& e, Point const& at)
{
  using scalar = typename Point::scalar;
  constexpr int dimension = Point::coordinates;
  if constexpr (Point::template knows<Expression>) {
    return at.template value<First>(e);
  } else if constexpr (is_one<Expression>) {
    return scalar(1);
  } else if constexpr (std::is_same_v<Expression, number>) {
    return static_cast<scalar>(e.value);
  } else if constexpr (std::is_same_v<Expression, identity_matrix>) {
    return scaled_identity<scalar, dimension>{{scalar(1)}};
  } else if constexpr (requires { Expression::is_constant; }) {
    return each([](auto const& entry) SUMFAC_LAMBDA { return static_cast<scalar>(entry); }, e.value);
  } else {
    return evaluated_node<First>(e, at);
  }
}
template <int First, class Op, class Operand, class Point>
SUMFAC_INLINE constexpr auto evaluated_node(node<Op, Operand> const& e, Point const& at)
{
  return Op::apply(evaluated<First>(e.a, at));
}
template <int First, class Op, class Operand, class Other, class Point>
SUMFAC_INLINE constexpr auto evaluated_node(node<Op, Operand, Other> const& e, Point const& at)
{
  constexpr int second = First + Point::template kept<Operand>;
  return Op::apply(evaluated<First>(e.a, at), evaluated<second>(e.b, at));
}
template <int First, class Op, class Operand, class Other, class Third, class Point>
SUMFAC_INLINE constexpr auto evaluated_node(node<Op, Operand, Other, Third> const& e, Point const& at)
{
  constexpr int second = First + Point::template kept<Operand>, third = second + Point::template kept<Other>;
  return Op::apply(evaluated<First>(e.a, at), evaluated<second>(e.b, at), evaluated<third>(e.c, at));
}
template <int Coordinates>
struct shape_point;
template <int First, int Row, int Col, class Argument, int Size, class Point>
SUMFAC_INLINE constexpr auto evaluated_node(unit<Row, Col, Argument, Size> const&, Point const&)
{
  using scalar = typename Point::scalar;
  using like =
      decltype(evaluated<0>(std::declval<Argument const&>(), std::declval<shape_point<Point::coordinates> const&>()));
  typename shape_of<like>::template of<scalar> result{};
  if constexpr (require_entry<Row, Col, Size, like>())
    result.entries[Col < 0 ? Row : Row * shape_of<like>::cols + Col] = scalar(1);
  return result;
}

// A point of no mesh, for what types and sizes are.
template <int Coordinates>
struct shape_point {
  using scalar = double;
  static constexpr int coordinates = Coordinates;
  template <class Expression>
  static constexpr bool knows = is_function<Expression> || is_gradient<Expression> ||
                                (std::is_base_of_v<leaf, Expression> && !is_number<Expression>);
  template <class Expression>
  static constexpr int kept = 0;

  template <int, class Expression>
  SUMFAC_FUNCTION constexpr auto value(Expression const& e) const
  {
    return of(e);
  }

private:
  SUMFAC_FUNCTION static constexpr auto of(position const&) { return vector<double, Coordinates>{}; }
  SUMFAC_FUNCTION static constexpr auto of(normal const&) { return vector<double, Coordinates>{}; }
  template <int Name>
  static constexpr double of(parameter<Name> const&)
  {
    return 0;
  }
  template <class Function, int Rank, int Id>
  SUMFAC_FUNCTION static constexpr auto of(function_of_position<Function, Rank, Id> const& e)
  {
    return called(e.f, vector<double, Coordinates>{});
  }
  template <class View, int Rank, int Id>
  SUMFAC_FUNCTION static constexpr auto of(table_of_elements<View, Rank, Id> const&)
  {
    if constexpr (Rank == 0)
      return double{};
    else
      return vector<double, static_cast<int>(View::static_extent(View::rank() - 1))>{};
  }
  template <class Expression>
    requires is_function<Expression>
  SUMFAC_FUNCTION static constexpr auto of(Expression const&)
  {
    if constexpr (Expression::components == 1)
      return double{};
    else
      return vector<double, Expression::components>{};
  }
  template <class FunctionType>
  SUMFAC_FUNCTION static constexpr auto of(node<gradient_of, FunctionType> const&)
  {
    if constexpr (FunctionType::components == 1)
      return vector<double, Coordinates>{};
    else
      return matrix<double, FunctionType::components, Coordinates>{};
  }
};
template <class Expression, int Coordinates>
using shape_at = shape_of<decltype(evaluated<0>(std::declval<Expression const&>(),
                                                std::declval<shape_point<Coordinates> const&>()))>;
template <class Expression, int Coordinates>
inline constexpr int numbers_of = [] {
  if constexpr (shape_at<Expression, Coordinates>::rank == 0)
    return 1;
  else
    return shape_at<Expression, Coordinates>::template of<double>::size;
}();

// A point of the mesh: a mapping, or one of a face.
template <class Mapping>
struct mesh_point {
  using T = typename Mapping::value_type;
  using scalar = scalar_of<T>;
  static constexpr int coordinates = Mapping::coordinates;
  template <class Expression>
  static constexpr bool knows = std::is_base_of_v<leaf, Expression> && !is_number<Expression>;
  template <class Expression>
  static constexpr int kept = 0;

  Mapping const& x;

  template <int, class Expression>
  SUMFAC_INLINE constexpr auto value(Expression const& e) const
  {
    return of(e);
  }

private:
  SUMFAC_INLINE constexpr auto of(position const&) const { return x.position(); }
  SUMFAC_INLINE constexpr auto of(normal const&) const
  {
    constexpr bool has_normal = requires(Mapping const& m) { m.normal(); };
    static_assert(has_normal, "sumfac::weak: n, the normal, is of surfaces, curves and faces: elements have none");
    if constexpr (has_normal)
      return x.normal();
    else
      return x.position();
  }
  template <class Function, int Rank, int Id>
  SUMFAC_INLINE constexpr auto of(function_of_position<Function, Rank, Id> const& e) const
  {
    return called(e.f, x.position());
  }
  template <class View, int Rank, int Id>
  SUMFAC_INLINE constexpr auto of(table_of_elements<View, Rank, Id> const& e) const
  {
    constexpr bool is_read = requires(Mapping const& m) { m.at(e.view); };
    static_assert(is_read,
                  "sumfac::weak::coefficient: a view by element or point is read on elements, of surfaces, too, and "
                  "not "
                  "by a face_operator: there it must be a function of the position");
    if constexpr (is_read)
      return x.at(e.view);
    else
      return scalar{};
  }
};

// Whether a functional of gradients needs no gradient in the mesh: dot(grad a, grad b), inner(grad a, grad b).
template <class Expression>
inline constexpr bool is_metric = false;
template <class Op, class Operand, class Other>
inline constexpr bool is_metric<node<Op, Operand, Other>> =
    (std::is_same_v<Op, dot_product> || std::is_same_v<Op, inner_product>)&&is_gradient<Operand> && is_gradient<Other>;

// Numbers that are kept of e, an expression of state, in coordinates Dim: what of it is of the point alone, and, where
// gradients stay in the reference element (Direct), what functionals of them are pulled back to. No metric is counted.
template <class Expression, bool Direct, int Dim>
struct kept_of;
template <class Expression, bool Direct, int Dim>
inline constexpr int kept_in = [] {
  if constexpr (is_number<Expression>)
    return 0;
  else if constexpr (is_of_point<Expression>)
    return numbers_of<Expression, Dim>;
  else
    return kept_of<Expression, Direct, Dim>::value;
}();
// The gradient in a directional expression, and its coefficient.
template <class Expression>
struct gradient_in;
template <class Op, class Operand, class Other>
struct gradient_in<node<Op, Operand, Other>> {
  using type = std::conditional_t<is_gradient<Operand>, Operand, Other>;
};
template <class Op, class Operand>
struct gradient_in<node<Op, Operand>> {
  using type = Operand;
};

template <class Expression, int Dim>
inline constexpr int directional_numbers =
    is_node<Expression, matrix_vector> ? Dim : numbers_of<typename gradient_in<Expression>::type, Dim>;

template <class Expression, bool Direct, int Dim>
struct kept_of {
  static constexpr int value = 0;
};
template <class Op, class... Arguments, bool Direct, int Dim>
struct kept_of<node<Op, Arguments...>, Direct, Dim> {
  static constexpr int value = [] {
    if constexpr (Direct && is_directional<node<Op, Arguments...>>)
      return directional_numbers<node<Op, Arguments...>, Dim>;
    else
      return (0 + ... + kept_in<Arguments, Direct, Dim>);
  }();
};
// Whether e can be computed with gradients in the reference element alone, and whether that needs the metric.
template <class Expression>
inline constexpr bool is_direct = !is_gradient<Expression>;
template <class Op, class... Arguments>
inline constexpr bool is_direct<node<Op, Arguments...>> =
    is_directional<node<Op, Arguments...>> || is_metric<node<Op, Arguments...>> ||
    (!is_gradient<node<Op, Arguments...>> && (is_direct<Arguments> && ...));
template <class Expression>
inline constexpr bool has_metric = false;
template <class Op, class... Arguments>
inline constexpr bool has_metric<node<Op, Arguments...>> =
    is_metric<node<Op, Arguments...>> || (!is_directional<node<Op, Arguments...>> && (has_metric<Arguments> || ...));

// What a directional expression's gradient is contracted with, in the mesh: a vector, or a matrix.
template <class Expression, class Point>
SUMFAC_INLINE constexpr auto coefficient_in(Expression const& e, Point const& at)
{
  if constexpr (requires { e.b; }) {
    static_cast<void>(
        sizeof(typename shape_at<Expression, Point::coordinates>::template of<char>));  // which is looked at
    if constexpr (is_gradient<std::remove_cvref_t<decltype(e.a)>>)
      return evaluated<0>(e.b, at);
    else
      return evaluated<0>(e.a, at);
  } else if constexpr (is_node<Expression, trace_of_matrix>) {
    static_cast<void>(trace_of_matrix::apply(
        typename shape_at<typename gradient_in<Expression>::type, Point::coordinates>::template of<int>{}));
    return scaled_identity<typename Point::scalar, Point::coordinates>{{typename Point::scalar(1)}};
  } else {
    return entry_unit(e, at);
  }
}
template <int Row, int Col, int Size, class Argument, class Point>
SUMFAC_INLINE constexpr auto entry_unit(node<entry<Row, Col, Size>, Argument> const&, Point const& at)
{
  return evaluated_node<0>(unit<Row, Col, Argument, Size>{}, at);
}

}  // namespace sumfac::weak::detail
