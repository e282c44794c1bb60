// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The forms that weak forms become.
#pragma once

#include <sumfac/form/detail/lift.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/form/point_values.hpp>
#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/lowering.hpp>
#include <sumfac/form/weak/operations.hpp>
#include <sumfac/form/weak/plan.hpp>
#include <sumfac/form/weak/summands.hpp>
#include <sumfac/form/weak/values.hpp>
#include <sumfac/mesh/face_mapping.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::weak {

namespace detail {

// Coefficients numbered from First on, so that those of one type are told apart; such as have no members are the same.
template <class Expression>
inline constexpr int coefficients_in = 0;
template <class FunctionType, int Rank, int Id>
inline constexpr int coefficients_in<function_of_position<FunctionType, Rank, Id>> = 1;
template <class View, int Rank, int Id>
inline constexpr int coefficients_in<table_of_elements<View, Rank, Id>> = 1;
template <class Op, class... Arguments>
inline constexpr int coefficients_in<node<Op, Arguments...>> = (0 + ... + coefficients_in<Arguments>);

template <int First, class Expression>
constexpr auto numbered(Expression const& e)
{
  return e;
}
template <int First, class FunctionType, int Rank, int Id>
constexpr auto numbered(function_of_position<FunctionType, Rank, Id> const& e)
{
  return function_of_position < FunctionType, Rank, std::is_empty_v<FunctionType> ? 0 : First > {{}, e.f};
}
template <int First, class View, int Rank, int Id>
constexpr auto numbered(table_of_elements<View, Rank, Id> const& e)
{
  return table_of_elements<View, Rank, First>{{}, e.view};
}
template <int First, class Op, class Operand>
constexpr auto numbered(node<Op, Operand> const& e)
{
  return make<Op>(numbered<First>(e.a));
}
template <int First, class Op, class Operand, class Other>
constexpr auto numbered(node<Op, Operand, Other> const& e)
{
  return make<Op>(numbered<First>(e.a), numbered<First + coefficients_in<Operand>>(e.b));
}
template <int First, class Op, class Operand, class Other, class Third>
constexpr auto numbered(node<Op, Operand, Other, Third> const& e)
{
  return make<Op>(numbered<First>(e.a), numbered<First + coefficients_in<Operand>>(e.b),
                  numbered<First + coefficients_in<Operand> + coefficients_in<Other>>(e.c));
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
template <class Expression, bool Test>
struct function_in {
  using type = std::conditional_t<(Test ? is_test<Expression> : is_trial<Expression>), Expression, void>;
};
template <class Op, class... Arguments, bool Test>
struct function_in<node<Op, Arguments...>, Test> : first_found<typename function_in<Arguments, Test>::type...> {};
template <class Expression, bool Test>
using function_found = typename function_in<Expression, Test>::type;

// What is read of the trial function (Index -1), or of the given function of an index.
template <int Index, class Expression>
inline constexpr bool is_that = false;
template <int Components, int Name>
inline constexpr bool is_that<-1, trial_function<Components, Name>> = true;
template <int Index, int Components, int Order>
inline constexpr bool is_that<Index, given_function<Index, Components, Order>> = true;
template <int Index, class Expression>
inline constexpr evaluation read_of = is_that<Index, Expression> ? value : evaluation::none;
template <int Index, class FunctionType>
inline constexpr evaluation read_of<Index, node<gradient_of, FunctionType>> =
    is_that<Index, FunctionType> ? gradient : evaluation::none;
template <int Index, class Op, class... Arguments>
inline constexpr evaluation read_of<Index, node<Op, Arguments...>> =
    (evaluation::none | ... | read_of<Index, Arguments>);
template <int Index, class... Summand>
constexpr evaluation read_by(list<Summand...> const*)
{
  return (evaluation::none | ... |
          (read_of<Index, typename Summand::state_type> | read_of<Index, typename Summand::core_type>));
}
template <class... Summand>
constexpr evaluation tested_by(list<Summand...> const*)
{
  return (evaluation::none | ... | (Summand::of_gradient ? gradient : value));
}

// Given functions: as many as the largest index says.
template <class Expression>
inline constexpr int inputs_in = 0;
template <int Index, int Components, int Order>
inline constexpr int inputs_in<given_function<Index, Components, Order>> = Index + 1;
template <class Op, class... Arguments>
inline constexpr int inputs_in<node<Op, Arguments...>> = [] {
  int most = 0;
  ((most = inputs_in<Arguments> > most ? inputs_in<Arguments> : most), ...);
  return most;
}();
template <int Index, class Expression>
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
template <class Summands, class Expression, int Index>
inline constexpr input input_read = [] {
  input result = input_in<Index, Expression>::value;
  result.evaluates = read_by<Index>(static_cast<Summands const*>(nullptr));
  if (result.components == 0) result = {};
  return result;
}();
template <class Summands, class Expression, class Indices>
struct inputs_read;
template <class Summands, class Expression, int... Is>
struct inputs_read<Summands, Expression, std::integer_sequence<int, Is...>> {
  using type = reads<input_read<Summands, Expression, Is>...>;
};

// Whether all summands are numbers times (u, v) or (grad u, grad v), which need of a point measure() and
// metric_times() alone.
template <class Trial, class... Summand>
constexpr bool are_of_geometry(list<Summand...> const*)
{
  return ((is_one<typename Summand::point_type> &&
           (direct_kind<Summand, Trial>() == kind::reaction ||
            (direct_kind<Summand, Trial>() == kind::metric && is_gradient<typename Summand::core_type>))) &&
          ...);
}
// The sum of the numbers of the summands of gradients, or of values; the type 1 where it is one without.
template <bool OfGradient, class... Summand>
constexpr auto numbers_total(list<Summand...> const& summands)
{
  if constexpr (((Summand::of_gradient == OfGradient ? (is_one<typename Summand::factor_type> ? 1 : 2) : 0) + ... +
                 0) == 1) {
    return one{};
  } else {
    double sum = 0;
    for_each(summands, [&]<class Item, int Index>(Item const& s, constant_index<Index>) SUMFAC_LAMBDA {
      if constexpr (Item::of_gradient != OfGradient)
        return;
      else if constexpr (is_one<typename Item::factor_type>)
        sum += 1;
      else
        sum += s.factor.value;
    });
    return number{{}, sum};
  }
}

// u at a point where its gradient is apart.
template <class Value>
struct value_alone {
  Value value;
};

// What a form and an energy have in common.
template <class Integrand, class Trial, int Tested, class Summands>
struct lowered_form {
  using plan = lowered<Trial, Tested, Summands>;
  static constexpr auto read = read_by<-1>(static_cast<Summands const*>(nullptr));
  static constexpr evaluation trial = read == evaluation::none ? value : read;
  static constexpr int components = Trial::components;
  static constexpr bool must_be_given = has_members<Summands>;
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

  // Gives a parameter of the expression another value, from the next application on.
  // **Errors** argument_error for one that is not finite, and for a parameter that the form has not.
  template <int Name>
  constexpr void set(parameter<Name> const& of, double number)
  {
    if (!set_parameter(summands, of, number)) check_parameter(Name);
  }
  // Gives them all the values that another form of this type has.
  constexpr void take_parameters(lowered_form const& from)
  {
    int place = 0;
    for_each_leaf(summands, [&](auto& leaf) {
      if constexpr (is_parameter<std::remove_reference_t<decltype(leaf)>>) {
        int other = 0;
        for_each_leaf(from.summands, [&](auto const& of) {
          if constexpr (is_parameter<std::remove_cvref_t<decltype(of)>>)
            if (other++ == place) leaf.value = of.value;
        });
        ++place;
      }
    });
  }

  void(check)() const { check_numbers(summands); }

  Summands summands;

protected:
  // The point with what it has, for f(point).
  template <int Dim, class T, class Unknown, class Function, class... Inputs>
  SUMFAC_INLINE static auto at_point(T const* numbers, Unknown const& u, Function const& f, Inputs const*... inputs)
  {
    using kept = typename plan::template plan_of<Dim>;
    if constexpr (kept::value.geometry >= 0 && has(read, gradient))
      return at_point_with<Dim>(image_of<kept, Dim>(numbers, u.gradient), numbers, u, f, inputs...);
    else
      return at_point_with<Dim>(nothing{}, numbers, u, f, inputs...);
  }
  template <int Dim, class Image, class T, class Unknown, class Function, class... Inputs>
  SUMFAC_INLINE static auto at_point_with(Image const& image, T const* numbers, Unknown const& u, Function const& f,
                                          Inputs const*... inputs)
  {
    auto const given = listed(inputs...);
    using point =
        state_point<typename plan::template plan_of<Dim>, T, Unknown, Dim, std::remove_const_t<decltype(given)>, Image>;
    using asked = decltype(asked_by<point>(static_cast<Summands const*>(nullptr)));
    return with_repeated(point{numbers, u, given, image}, asked{}, f);
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
  using is_integral = void;
  using base = detail::lowered_form<Integrand, Trial, Test::components, Summands>;
  static constexpr evaluation test = detail::tested_by(static_cast<Summands const*>(nullptr));
  static constexpr int test_components = Test::components;
  static constexpr bool linear = detail::degree<Integrand, detail::trial_bit> == 1;
  // What reads the gradient and is tested by values, as convection, has no symmetry.
  static constexpr bool symmetric = !linear || base::read == evaluation::none || base::read == test;

  template <class T, class Unknown, int Dim, class... Inputs>
  SUMFAC_INLINE point_values<Unknown, Test::components, Dim> apply(
      typename base::template factors<T, Dim> const& f, point_values<Unknown, Trial::components, Dim> const& at_u,
      Inputs const&... inputs) const
  {
    using detail::converted;
    return base::template at_point<Dim>(
        f.numbers, at_u,
        [&](auto const& at) SUMFAC_LAMBDA -> point_values<Unknown, Test::components, Dim> {
          if constexpr (test == (value | gradient))
            return {.value = converted<Unknown>(base::plan::template value<Dim>(this->summands, at)),
                    .gradient = converted<Unknown>(base::plan::template gradient<Dim>(this->summands, at))};
          else if constexpr (test == value)
            return {.value = converted<Unknown>(base::plan::template value<Dim>(this->summands, at))};
          else
            return {.gradient = converted<Unknown>(base::plan::template gradient<Dim>(this->summands, at))};
        },
        &inputs...);
  }

  template <class Point, class Unknown, int Dim>
    requires(detail::are_of_geometry<Trial>(static_cast<Summands const*>(nullptr)))
  SUMFAC_INLINE point_values<Unknown, Test::components, Dim> apply_at(
      Point const& at, point_values<Unknown, Trial::components, Dim> const& at_u) const
  {
    using namespace detail;
    point_values<Unknown, Test::components, Dim> result{};
    auto const times = [](auto const& factor, auto const& of) SUMFAC_LAMBDA {
      if constexpr (is_one<std::remove_cvref_t<decltype(factor)>>)
        return of;
      else
        return scaled(static_cast<scalar_of<Unknown>>(factor.value), of);
    };
    if constexpr (has(test, value))
      result.value = times(numbers_total<false>(this->summands), scaled(at.measure(), at_u.value));
    if constexpr (has(test, gradient)) {
      auto const factor = numbers_total<true>(this->summands);
      SUMFAC_UNROLL
      for (int c = 0; c < Trial::components; ++c) {
        vector<Unknown, Dim> slopes{};
        SUMFAC_UNROLL
        for (int d = 0; d < Dim; ++d) slopes[d] = at_u.gradient.entries[c * Dim + d];
        auto const flux = times(factor, at.metric_times(slopes));
        SUMFAC_UNROLL
        for (int d = 0; d < Dim; ++d) result.gradient.entries[c * Dim + d] = flux[d];
      }
    }
    return result;
  }
};

// The form of an energy, which residual and tangent take.
template <class Integrand, class Trial, class Summands>
struct energy_density : detail::lowered_form<Integrand, Trial, 1, Summands> {
  using is_energy = void;
  using base = detail::lowered_form<Integrand, Trial, 1, Summands>;

  template <class T, class Unknown, int Dim, class... Inputs>
  SUMFAC_FUNCTION Unknown energy(typename base::template factors<T, Dim> const& f,
                                 point_values<Unknown, Trial::components, Dim> const& at_u,
                                 Inputs const&... inputs) const
  {
    return base::template at_point<Dim>(f.numbers, at_u, energy_at<Unknown, Dim>(), &inputs...);
  }

  // Its derivative in u, where that is computed with gradients in the mesh: by these, whose dual numbers need not be
  // products with the inverse Jacobian.
  template <class T, class Unknown, int Dim, class... Inputs>
    requires(!base::plan::template plan_of<Dim>::value.direct && has(base::read, gradient))
  SUMFAC_FUNCTION point_values<Unknown, Trial::components, Dim> derivative(
      typename base::template factors<T, Dim> const& f, point_values<Unknown, Trial::components, Dim> const& at_u,
      Inputs const&... inputs) const
  {
    using namespace detail;
    using kept = typename base::plan::template plan_of<Dim>;
    constexpr int first_slope = has(base::read, value) ? base::components : 0;
    using number = dual<Unknown, sumfac::detail::entries_read<base::read, base::components, Dim>>;
    auto const variables = [](auto const& of, int first) SUMFAC_LAMBDA {
      using shape = shape_of<std::remove_cvref_t<decltype(of)>>;
      if constexpr (shape::rank == 0)
        return number::variable(of, first);
      else
        return with_entries<typename shape::template of<number>>(
            [&](int i) SUMFAC_LAMBDA { return number::variable(of.entries[i], first + i); });
    };
    auto const slopes = variables(image_of<kept, Dim>(f.numbers, at_u.gradient), first_slope);
    auto const values = [&]() SUMFAC_LAMBDA {
      if constexpr (has(base::read, value))
        return variables(at_u.value, 0);
      else
        return nothing{};
    }();
    value_alone<std::remove_const_t<decltype(values)>> const moved{values};
    auto const density =
        base::template at_point_with<Dim>(slopes, f.numbers, moved, energy_at<number, Dim>(), &inputs...);
    auto result = sumfac::detail::derivatives<base::read, base::components, Dim>(density);
    auto const inverse = taken<matrix<T, Dim>>(f.numbers + kept::value.geometry);
    if constexpr (Trial::components == 1)
      result.gradient = times_vector(inverse, result.gradient);
    else
      result.gradient = times_matrix(result.gradient, transposed(inverse));
    return result;
  }

private:
  template <class Unknown, int Dim>
  SUMFAC_INLINE auto energy_at() const
  {
    return [this](auto const& at) SUMFAC_LAMBDA {
      return detail::converted<Unknown>(base::plan::template value<Dim>(this->summands, at));
    };
  }
};

}  // namespace sumfac::weak
