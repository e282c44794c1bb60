// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a form is: the physics of one quadrature point.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/form/detail/point_inputs.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/form/point_values.hpp>
#include <sumfac/math/functions.hpp>
#include <sumfac/mesh/mapping.hpp>

#include <concepts>
#include <cstring>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// Components of a form's function: its `components`, or 1 where it names none.
template <class Form>
inline constexpr int components_of = [] {
  if constexpr (requires { Form::components; })
    return int{Form::components};
  else
    return 1;
}();

// Components of what it is tested against: its `test_components`, or as many.
template <class Form>
inline constexpr int test_components_of = [] {
  if constexpr (requires { Form::test_components; })
    return int{Form::test_components};
  else
    return components_of<Form>;
}();

// Whether apply is linear in u: false where a form says so by `static constexpr bool linear = false`. What needs a
// matrix, diagonals and solvers, refuses such a form. Operators and matrices of one's own may say it, too.
template <class Form>
inline constexpr bool is_linear = [] {
  if constexpr (requires { typename std::bool_constant<Form::linear>; })
    return bool{Form::linear};
  else
    return true;
}();

// Whether an operator must be given its form: true where that says so by `static constexpr bool must_be_given = true`,
// as a weak form does whose numbers or coefficients its type does not tell.
template <class Form>
inline constexpr bool must_be_given = [] {
  if constexpr (requires { typename std::bool_constant<Form::must_be_given>; })
    return bool{Form::must_be_given};
  else
    return false;
}();

namespace detail {

// How many functions a form is of that it works each for itself, as several<> does; and the form of one.
template <class Form>
struct functions_apart {
  static constexpr int count = 1;
  using form = Form;
};

// The form of an operator that is given none.
template <class Form>
Form form_by_default()
{
  static_assert(!must_be_given<Form>,
                "sumfac::element_operator, face_operator, interior_operator: the form has numbers or coefficients that "
                "its type does not tell: pass it behind the mesh, A{backend, mesh, form}");
  return Form{};
}

}  // namespace detail

// Whether a form, an operator or a matrix may be symmetric: false where it says so by `static constexpr bool symmetric
// = false`. Solvers of symmetric matrices refuse such ones.
template <class Form>
inline constexpr bool may_be_symmetric = [] {
  if constexpr (requires { typename std::bool_constant<Form::symmetric>; })
    return bool{Form::symmetric};
  else
    return true;
}();

namespace detail {

template <class Form, class T, int Directions>
concept factors_of_directions = requires { typename Form::template factors<T, Directions>; };

template <class Form, class T, int Directions>
struct factors_on {};
template <class Form, class T, int Directions>
  requires(!factors_of_directions<Form, T, Directions>) && requires { typename Form::template factors<T>; }
struct factors_on<Form, T, Directions> {
  using type = typename Form::template factors<T>;
};
template <class Form, class T, int Directions>
  requires factors_of_directions<Form, T, Directions>
struct factors_on<Form, T, Directions> {
  using type = typename Form::template factors<T, Directions>;
};

}  // namespace detail

// What a form stores at a quadrature point of an element of so many directions: its factors<T, Directions> where they
// depend on these, else factors<T>.
template <class Form, class T, int Directions = 3>
using factors_at = typename detail::factors_on<Form, T, Directions>::type;

// Numbers that a form stores at each quadrature point.
template <class Form, int Directions = 3>
inline constexpr int factors_of = int{sizeof(factors_at<Form, double, Directions>) / sizeof(double)};

namespace detail {

template <class Pointer>
inline constexpr bool points_to_constant = false;
template <class T>
inline constexpr bool points_to_constant<T const*> = true;

template <class Form>
concept has_trial = requires {
  { Form::trial } -> std::convertible_to<evaluation>;
};
template <class Form>
concept has_test = requires {
  { Form::test } -> std::convertible_to<evaluation>;
};

// Whether Form has the constant, for all its objects, which the compiler knows. (clang++ 16 crashes where what the
// constant converts to is asked for inside the lambda.)
template <class Form>
inline constexpr bool names_trial = [] {
  if constexpr (has_trial<Form> && requires { &Form::trial; })
    return points_to_constant<decltype(&Form::trial)>;
  else
    return has_trial<Form>;
}();
template <class Form>
inline constexpr bool names_test = [] {
  if constexpr (has_test<Form> && requires { &Form::test; })
    return points_to_constant<decltype(&Form::test)>;
  else
    return has_test<Form>;
}();

}  // namespace detail

namespace detail {

// Whether a form's inputs, where it has any, are named as they must be.
template <class Form>
inline constexpr bool names_inputs = [] {
  if constexpr (requires { typename Form::inputs; })
    return is_reads<typename Form::inputs>;
  else
    return true;
}();

// What calls of a form's apply are possible in numbers T, with its inputs behind u.
template <class Form, class T, int Directions = 3, int Coordinates = Directions, class Inputs = inputs_of<Form>>
struct form_calls;
template <class Form, class T, int Directions, int Coordinates, input... Inputs>
struct form_calls<Form, T, Directions, Coordinates, reads<Inputs...>> {
  using factors = factors_at<Form, T, Directions>;
  using values = point_values<T, components_of<Form>, Directions>;
  using tested = point_values<T, test_components_of<Form>, Directions>;

  static constexpr bool apply =
      requires(Form& f, factors const& g, values const& u,
               point_values<T, Inputs.components, Directions> const&... inputs) { f.apply(g, u, inputs...); };
  static constexpr bool const_apply =
      requires(Form const& f, factors const& g, values const& u,
               point_values<T, Inputs.components, Directions> const&... inputs) { f.apply(g, u, inputs...); };
  static constexpr bool right_apply = requires(Form const& f, factors const& g, values const& u,
                                               point_values<T, Inputs.components, Directions> const&... inputs) {
    { f.apply(g, u, inputs...) } -> std::same_as<tested>;
  };
  static constexpr bool apply_at =
      requires(Form const& f, mapping<T, Directions, Coordinates> const& x, values const& u,
               point_values<T, Inputs.components, Directions> const&... inputs) {
        { f.apply_at(x, u, inputs...) } -> std::same_as<tested>;
      };
};

}  // namespace detail

// A bilinear form, pulled back to the reference element:
//   trial, test            what apply reads of u, and what its result is tested against (value, gradient or both)
//   components             of u and of the result, 1 where absent
//   test_components        of the result, where it has others than u: for two spaces
//   linear                 false where apply is not linear in u: it is then applied, and nothing else
//   factors<T>             an aggregate of T alone: what one point of the mesh contributes
//   setup(mapping<T>)      -> factors<T>; reads its argument and the form, and writes nothing: it is called in any
//                          order, by several threads, more than once per point, and in the kernel where geometry is
//                          recomputed
//   inputs                 other functions that it reads at the points, as reads<...>: apply has them behind u
//   apply(factors<T>, point_values<T, components>) -> point_values<T, components>
//   apply_at(x, point_values<T, components>), where present: the same without factors, for kernels that recompute
//                          geometry; x offers measure() and metric_times(reference gradient), as a mapping does, each
//                          policy's own way
//
// On lines and quadrilaterals mappings are mapping<T, Dim, Coordinates>, and values point_values<T, components, Dim>; a
// form for several of them is a template of these, and of factors<T, Dim>, where they depend on it.
template <class Form, int Directions = 3, int Coordinates = Directions>
concept form = requires(Form const& f, mapping<double, Directions, Coordinates> const& x) {
  requires detail::names_trial<Form> && detail::names_test<Form>;
  { f.setup(x) } -> std::same_as<factors_at<Form, double, Directions>>;
  requires detail::form_calls<Form, double, Directions, Coordinates>::right_apply;
};

namespace detail {

template <class Form, class T, int Directions, int Coordinates>
constexpr bool check_promises()
{
  constexpr bool is_energy = !names_test<Form> && requires { typename Form::is_energy; };
  static_assert(!is_energy,
                "sumfac::form: an energy is none: operators are of residual<Energy> and of tangent<residual<Energy>>");
  static_assert(names_trial<Form>,
                "sumfac::form: no constant trial: say what apply reads of u (sumfac::value, sumfac::gradient or both)");
  static_assert(names_test<Form> || is_energy,
                "sumfac::form: no constant test: say what the result is tested against (sumfac::value, "
                "sumfac::gradient or both)");
  static_assert(
      !requires { Form::linear; } || requires { typename std::bool_constant<Form::linear>; },
      "sumfac::form: linear must be a static constexpr bool: false says that apply is not linear in u");
  static_assert(
      requires { typename factors_at<Form, double, Directions>; },
      "sumfac::form: no member template factors<T>: write an aggregate of T for what a point stores");
  if constexpr (requires { typename factors_at<Form, double, Directions>; }) {
    using factors = factors_at<Form, double, Directions>;
    using mapping_type = mapping<double, Directions, Coordinates>;
    // A T of three bytes leaves room for no padding, so that a foreign member shows.
    struct three_bytes {
      char bytes[3];
    };
    static_assert(std::is_trivially_copyable_v<factors> && sizeof(factors) % sizeof(double) == 0 &&
                      sizeof(factors_at<Form, float, Directions>) * 2 == sizeof(factors) &&
                      sizeof(factors_at<Form, three_bytes, Directions>) * 8 == sizeof(factors) * 3,
                  "sumfac::form: factors<T> holds something else than T: store the rest in the form itself");
    using calls = form_calls<Form, double, Directions, Coordinates>;
    constexpr bool has_setup = requires(Form& f, mapping_type const& x) { f.setup(x); };
    constexpr bool const_setup = requires(Form const& f, mapping_type const& x) { f.setup(x); };
    constexpr bool right_setup = requires(Form const& f, mapping_type const& x) {
      { f.setup(x) } -> std::same_as<factors>;
    };
    static_assert(has_setup,
                  "sumfac::form: setup(mapping<T>) const -> factors<T> cannot be called for T = double: there is none, "
                  "or it takes something else");
    static_assert(const_setup || !has_setup, "sumfac::form: setup(mapping<T>) is not const");
    static_assert(right_setup || !const_setup, "sumfac::form: setup(mapping<T>) const must return factors<T>");
    static_assert(names_inputs<Form>,
                  "sumfac::form: inputs must be a sumfac::reads<sumfac::input{...}...>: an input for each of the other "
                  "functions that the form reads at the points");
    static_assert(calls::apply || inputs_of<Form>::count == 0 || is_energy,
                  "sumfac::form: the form names inputs: apply takes them behind u, a point_values<T, C> for each input "
                  "of C components");
    static_assert(calls::apply || inputs_of<Form>::count > 0 || is_energy,
                  "sumfac::form: apply(factors<T>, point_values<T, components>) const -> point_values<T, components> "
                  "cannot be called for T = double: there is none, or it takes something else");
    static_assert(calls::const_apply || !calls::apply,
                  "sumfac::form: apply(factors<T>, point_values<T, components>) is not const");
    static_assert(calls::right_apply || !calls::const_apply,
                  "sumfac::form: apply(factors<T>, point_values<T, components>) const must return "
                  "point_values<T, components>");
    if constexpr (form<Form, Directions, Coordinates>) {
      constexpr bool sets_any = requires(Form const& f, mapping<T, Directions, Coordinates> const& x) { f.setup(x); };
      constexpr bool applies_any = form_calls<Form, T, Directions, Coordinates>::const_apply;
      static_assert(sets_any,
                    "sumfac::form: setup(mapping<T>) const must be a template of T, for it is called with "
                    "sumfac::pack and float, too");
      static_assert(applies_any,
                    "sumfac::form: apply(factors<T>, point_values<T, components>) const must be a template of T, for "
                    "it is called with sumfac::pack and float, too");
      return sets_any && applies_any;
    }
  }
  return false;
}

// What a form's apply calls where it is made of another one, and whether that has an energy in the place of apply.
template <class Form>
struct made_of {
  using type = Form;
  static constexpr bool has_energy = false;
};

// Directions of the elements that the numbers of a given_factors are for; 0 of other forms, and where none are given.
template <class Form>
inline constexpr int directions_given = 0;

// Whether Form is one for hexahedra, and not for the elements that it is taken for.
template <class Form, int Directions, int Coordinates>
inline constexpr bool is_for_others =
    (Directions != 3 || Coordinates != 3) && form<Form> && !form<Form, Directions, Coordinates>;

}  // namespace detail

// One readable diagnostic for each promise that Form does not keep; the first thing an operator asks, which applies it
// to numbers of type T, packs on the host.
template <class Form, class T = double, int Directions = 3, int Coordinates = Directions>
constexpr bool check_form()
{
  constexpr bool of_others = detail::directions_given<Form> != 0 && detail::directions_given<Form> != Directions;
  static_assert(!of_others,
                "sumfac::given_factors: the numbers are a view of the wrong rank for these elements: "
                "(E, g, g, g, factors) of hexahedra, (E, g, g, factors) of quadrilaterals and surfaces, "
                "(E, g, factors) of lines and curves are expected");
  static_assert(!detail::is_for_others<Form, Directions, Coordinates>,
                "sumfac::form: the form is written for hexahedra alone: let setup take a mapping<T, Dim, "
                "Coordinates>, apply a point_values<T, components, Dim>, and factors<T, Dim> depend on Dim where they "
                "do");
  if constexpr (of_others || detail::is_for_others<Form, Directions, Coordinates>)
    return false;
  else
    return detail::check_promises<Form, T, Directions, Coordinates>();
}

// Whether Form has apply_at: it then needs of a point what measure() and metric_times() say, and no factors.
template <class Form, int Directions = 3, int Coordinates = Directions>
concept applies_to_points = detail::form_calls<Form, double, Directions, Coordinates>::apply_at;

namespace detail {

// Coordinates of the mesh at a point, or as many as directions where it does not say.
template <class At, int Dim>
inline constexpr int coordinates_at = [] {
  if constexpr (requires { At::coordinates; })
    return int{At::coordinates};
  else
    return Dim;
}();

template <class Form, class At, class T, int Components, int Dim, class... Inputs>
SUMFAC_INLINE point_values<T, test_components_of<Form>, Dim> call_form(Form const& form, At const& at,
                                                                       point_values<T, Components, Dim> const& u,
                                                                       Inputs const&... inputs)
{
  if constexpr (std::is_same_v<At, factors_at<Form, T, Dim>>)
    return form.apply(at, u, inputs...);
  else if constexpr (applies_to_points<Form, Dim, coordinates_at<At, Dim>>)
    return form.apply_at(at, u, inputs...);
  else
    return form.apply(form.setup(at.map()), u, inputs...);
}

// The form at a point of which either the factors are known or the geometry.
template <class Form, class At, class T, int Components, int Dim>
SUMFAC_INLINE point_values<T, test_components_of<Form>, Dim> apply_form(Form const& form, At const& at,
                                                                        point_values<T, Components, Dim> const& u)
{
  if constexpr (has_inputs<At>)
    return at.inputs.pass_to([&](auto const&... inputs) SUMFAC_LAMBDA { return call_form(form, at.at, u, inputs...); });
  else
    return call_form(form, at, u);
}

// Calls f(i, lane, number) for every number of a point's factors.
template <class T, class Factors, class Function>
void for_each_number(Factors const& factors, Function f)
{
  constexpr int count = int{sizeof(Factors) / sizeof(T)};
  T numbers[count];
  std::memcpy(numbers, &factors, sizeof factors);
  for (int i = 0; i < count; ++i) {
    if constexpr (width_of<T> == 1)
      f(i, 0, numbers[i]);
    else
      for (int lane = 0; lane < width_of<T>; ++lane) f(i, lane, numbers[i][lane]);
  }
}

}  // namespace detail

}  // namespace sumfac
