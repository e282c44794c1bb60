// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Weak forms as they are written: integrate(k * dot(grad(u), grad(v)) + c * u * v) is a form.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/integral.hpp>
#include <sumfac/form/weak/operations.hpp>
#include <sumfac/form/weak/summands.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::weak {

namespace detail {

// Whether an operand may stand there; false of numbers and expressions that have other operators.
template <class... T>
concept written = operands<T...>;

template <class A, class B>
constexpr auto product(A const& a, B const& b)
{
  constexpr int left = as_expression_t<A>::rank, right = as_expression_t<B>::rank;
  if constexpr (left == 2 && right == 1)
    return made<matrix_vector>(a, b);
  else if constexpr (left == 2 && right == 2)
    return made<matrix_matrix>(a, b);
  else if constexpr (left != 0 && right == 0)
    return made<scaling>(b, a);
  else
    return made<scaling>(a, b);
}

}  // namespace detail

template <class A, class B>
  requires detail::written<A, B>
constexpr auto operator+(A const& a, B const& b)
{
  return detail::made<detail::sum>(a, b);
}
template <class A, class B>
  requires detail::written<A, B>
constexpr auto operator-(A const& a, B const& b)
{
  return detail::made<detail::difference>(a, b);
}
template <expression A>
constexpr auto operator-(A const& a)
{
  return detail::made<detail::negation>(a);
}
template <class A, class B>
  requires detail::written<A, B>
constexpr auto operator*(A const& a, B const& b)
{
  return detail::product(a, b);
}
template <class A, class B>
  requires detail::written<A, B>
constexpr auto operator/(A const& a, B const& b)
{
  return detail::made<detail::division>(a, b);
}

// The gradient in the mesh: of u, v or a given function; of several components the matrix (component, coordinate).
template <expression F>
constexpr auto grad(F const& f)
{
  static_assert(detail::is_function<F>, "sumfac::weak: grad(f): f must be a trial, a test or a given function");
  return detail::make<detail::gradient_of>(f);
}
template <class A, class B>
  requires detail::written<A, B>
constexpr auto dot(A const& a, B const& b)
{
  return detail::made<detail::dot_product>(a, b);
}

// A coefficient: a number, a function of the position, or a view by element or point.
template <class F>
constexpr auto coefficient(F const& f)
{
  using namespace detail;
  if constexpr (std::is_arithmetic_v<F> || rank_of_constant<F> != no_rank) {
    return as_expression(f);
  } else if constexpr (is_view<F>) {
    constexpr bool several = F::rank() == 5 || (F::rank() > 1 && F::static_extent(F::rank() - 1) != dynamic_extent);
    return table_of_elements < F, several ? 1 : 0, 0 > {{}, f};
  } else {
    using value = decltype(called(f, vector<double, 3>{}));
    return function_of_position<F, shape_of<value>::rank, 0>{{}, f};
  }
}

namespace detail {

// Coefficients numbered from First on, so that those of one type are told apart; such as have no members are the same.
template <class E>
inline constexpr int coefficients_in = 0;
template <class F, int Rank, int Id>
inline constexpr int coefficients_in<function_of_position<F, Rank, Id>> = 1;
template <class View, int Rank, int Id>
inline constexpr int coefficients_in<table_of_elements<View, Rank, Id>> = 1;
template <class Op, class... Arguments>
inline constexpr int coefficients_in<node<Op, Arguments...>> = (0 + ... + coefficients_in<Arguments>);

template <int First, class E>
constexpr auto numbered(E const& e)
{
  return e;
}
template <int First, class F, int Rank, int Id>
constexpr auto numbered(function_of_position<F, Rank, Id> const& e)
{
  return function_of_position < F, Rank, std::is_empty_v<F> ? 0 : First > {{}, e.f};
}
template <int First, class View, int Rank, int Id>
constexpr auto numbered(table_of_elements<View, Rank, Id> const& e)
{
  return table_of_elements<View, Rank, First>{{}, e.view};
}
template <int First, class Op, class A>
constexpr auto numbered(node<Op, A> const& e)
{
  return make<Op>(numbered<First>(e.a));
}
template <int First, class Op, class A, class B>
constexpr auto numbered(node<Op, A, B> const& e)
{
  return make<Op>(numbered<First>(e.a), numbered<First + coefficients_in<A>>(e.b));
}
template <int First, class Op, class A, class B, class C>
constexpr auto numbered(node<Op, A, B, C> const& e)
{
  return make<Op>(numbered<First>(e.a), numbered<First + coefficients_in<A>>(e.b),
                  numbered<First + coefficients_in<A> + coefficients_in<B>>(e.c));
}

// The trial function in an expression, or void; the test function.
template <class... Found>
struct first_found {
  using type = void;
};
template <class First, class... Rest>
struct first_found<First, Rest...> {
  using type = First;
};
template <class... Rest>
struct first_found<void, Rest...> : first_found<Rest...> {};
template <class E, bool Test>
struct function_in {
  using type = std::conditional_t<(Test ? is_test<E> : is_trial<E>), E, void>;
};
template <class Op, class... Arguments, bool Test>
struct function_in<node<Op, Arguments...>, Test> : first_found<typename function_in<Arguments, Test>::type...> {};
template <class E, bool Test>
using function_found = typename function_in<E, Test>::type;

// What is read of the trial function (Index -1), or of the given function of an index.
template <int Index, class E>
inline constexpr bool is_that = false;
template <int Components, int Name>
inline constexpr bool is_that<-1, trial_function<Components, Name>> = true;
template <int Index, int Components, int Order>
inline constexpr bool is_that<Index, given_function<Index, Components, Order>> = true;
template <int Index, class E>
inline constexpr evaluation read_of = is_that<Index, E> ? value : evaluation::none;
template <int Index, class F>
inline constexpr evaluation read_of<Index, node<gradient_of, F>> = is_that<Index, F> ? gradient : evaluation::none;
template <int Index, class Op, class... Arguments>
inline constexpr evaluation read_of<Index, node<Op, Arguments...>> =
    (evaluation::none | ... | read_of<Index, Arguments>);
template <int Index, class... S>
constexpr evaluation read_by(list<S...> const*)
{
  return (evaluation::none | ... | (read_of<Index, typename S::state_type> | read_of<Index, typename S::core_type>));
}
template <class... S>
constexpr evaluation tested_by(list<S...> const*)
{
  return (evaluation::none | ... | (S::of_gradient ? gradient : value));
}

// Given functions: as many as the largest index says.
template <class E>
inline constexpr int inputs_in = 0;
template <int Index, int Components, int Order>
inline constexpr int inputs_in<given_function<Index, Components, Order>> = Index + 1;
template <class Op, class... Arguments>
inline constexpr int inputs_in<node<Op, Arguments...>> = [] {
  int most = 0;
  ((most = inputs_in<Arguments> > most ? inputs_in<Arguments> : most), ...);
  return most;
}();
template <int Index, class E>
struct input_in {
  static constexpr input value{.components = 0};
};
template <int Index, int Components, int Order>
struct input_in<Index, given_function<Index, Components, Order>> {
  static constexpr input value{.components = Components, .order = Order};
};
template <int Index, class Op, class... Arguments>
struct input_in<Index, node<Op, Arguments...>> {
  static constexpr input value = [] {
    input found{.components = 0};
    ((found = input_in<Index, Arguments>::value.components > 0 ? input_in<Index, Arguments>::value : found), ...);
    return found;
  }();
};
template <class Summands, class E, int Index>
inline constexpr input input_read = [] {
  input result = input_in<Index, E>::value;
  result.evaluates = read_by<Index>(static_cast<Summands const*>(nullptr));
  if (result.components == 0) result = {};
  return result;
}();
template <class Summands, class E, class Indices>
struct inputs_read;
template <class Summands, class E, int... Is>
struct inputs_read<Summands, E, std::integer_sequence<int, Is...>> {
  using type = reads<input_read<Summands, E, Is>...>;
};

// What a form and an energy have in common.
template <class Integrand, class Trial, int Tested, class Summands>
struct lowered_form {
  using plan = lowered<Trial, Tested, Summands>;
  static constexpr auto read = read_by<-1>(static_cast<Summands const*>(nullptr));
  static constexpr evaluation trial = read == evaluation::none ? value : read;
  static constexpr int components = Trial::components;
  using inputs = typename inputs_read<Summands, Integrand, std::make_integer_sequence<int, inputs_in<Integrand>>>::type;

  template <class T, int Dim = 3>
  struct factors {
    T numbers[plan::template plan_of<Dim>::value.count];
  };

  template <class T, int Dim, int Coordinates>
  SUMFAC_INLINE factors<T, Dim> setup(mapping<T, Dim, Coordinates> const& at) const
  {
    factors<T, Dim> f;
    plan::template set_up<Dim>(summands, at, f.numbers);
    return f;
  }
  template <class T, int Dim>
  SUMFAC_INLINE factors<T, Dim> setup(face_mapping<T, Dim> const& at) const
  {
    factors<T, Dim> f;
    plan::template set_up<Dim>(summands, at, f.numbers);
    return f;
  }

  Summands summands;

protected:
  // The point with what it has, for f(point).
  template <int Dim, class T, class U, class Function, class... Inputs>
  SUMFAC_INLINE static auto at_point(T const* numbers, U const& u, Function const& f, Inputs const*... inputs)
  {
    auto const given = listed(inputs...);
    using given_type = std::remove_const_t<decltype(given)>;
    return f(state_point<typename plan::template plan_of<Dim>, T, U, Dim, given_type>{numbers, u, given});
  }
  SUMFAC_INLINE static constexpr list<> listed() { return {}; }
  template <class First, class... Rest>
  SUMFAC_INLINE static constexpr list<First, Rest...> listed(First const& first, Rest const&... rest)
  {
    return {first, listed(rest...)};
  }
};

}  // namespace detail

// The form that integrate makes.
template <class Integrand, class Trial, class Test, class Summands>
struct integral : detail::lowered_form<Integrand, Trial, Test::components, Summands> {
  using base = detail::lowered_form<Integrand, Trial, Test::components, Summands>;
  static constexpr evaluation test = detail::tested_by(static_cast<Summands const*>(nullptr));
  static constexpr int test_components = Test::components;
  static constexpr bool linear = detail::degree<Integrand, detail::trial_bit> == 1;

  template <class T, class U, int Dim, class... Inputs>
  SUMFAC_INLINE point_values<U, Test::components, Dim> apply(typename base::template factors<T, Dim> const& f,
                                                             point_values<U, Trial::components, Dim> const& at_u,
                                                             Inputs const&... inputs) const
  {
    using detail::converted;
    return base::template at_point<Dim>(
        f.numbers, at_u,
        [&](auto const& at) SUMFAC_LAMBDA -> point_values<U, Test::components, Dim> {
          if constexpr (test == (value | gradient))
            return {.value = converted<U>(base::plan::template value<Dim>(this->summands, at)),
                    .gradient = converted<U>(base::plan::template gradient<Dim>(this->summands, at))};
          else if constexpr (test == value)
            return {.value = converted<U>(base::plan::template value<Dim>(this->summands, at))};
          else
            return {.gradient = converted<U>(base::plan::template gradient<Dim>(this->summands, at))};
        },
        &inputs...);
  }
};

namespace detail {

template <class E>
constexpr auto integral_of(E const& e)
{
  auto const integrand = numbered<1>(e);
  auto const summands = pulled(integrand, scaled_core<>{});
  using test = function_found<E, true>;
  using found = function_found<E, false>;
  using trial = std::conditional_t<std::is_void_v<found>, trial_function<test::components>, found>;
  return integral<std::remove_const_t<decltype(integrand)>, trial, test, std::remove_const_t<decltype(summands)>>{
      {summands}};
}

}  // namespace detail

// The form of the integral of an expression of u, v and coefficients that is linear in v.
template <expression E>
constexpr auto integrate(E const& e)
{
  constexpr bool known = E::rank != detail::no_rank;  // else there has been a diagnostic
  constexpr bool is_number = E::rank == 0, is_linear = detail::degree<E, detail::on_test> == 1;
  static_assert(is_number || !known,
                "sumfac::weak::integrate: the integrand is a vector, a matrix or a condition: it "
                "must be a number");
  static_assert(is_linear || !is_number,
                "sumfac::weak::integrate: the integrand is not linear in v: each of its terms must have v, or grad(v), "
                "once as a factor (an energy without v is energy(W))");
  if constexpr (is_number && is_linear)
    return detail::integral_of(e);
  else
    return detail::integral_of(u * v);
}

}  // namespace sumfac::weak
