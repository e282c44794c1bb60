// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Expressions on the two sides of a face, and the form of two sides that they become.
#pragma once

#include <sumfac/form/both_sides.hpp>
#include <sumfac/form/point_values.hpp>
#include <sumfac/form/weak/evaluate.hpp>
#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/lowering.hpp>
#include <sumfac/form/weak/operations.hpp>
#include <sumfac/form/weak/values.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::weak {

namespace detail {

// A leaf, or a gradient, as the element on side 0, `in`, or 1 has it.
template <int Side, class Of>
struct on_side : leaf {
  static constexpr int rank = Of::rank;
  static constexpr unsigned uses = Of::uses;
  Of of;
};
template <int Side, class Of>
inline constexpr bool has_members<on_side<Side, Of>> = has_members<Of>;
template <class Expression>
inline constexpr bool is_on_side = false;
template <int Side, class Of>
inline constexpr bool is_on_side<on_side<Side, Of>> = true;

// How far both elements reach behind the face: the harmonic mean.
struct face_height : leaf {
  static constexpr int rank = 0;
  static constexpr unsigned uses = on_point;
};

// What is the same on both sides.
template <class Expression>
inline constexpr bool is_of_face = is_number<Expression> || is_on_side<Expression> ||
                                   std::is_same_v<Expression, normal> || std::is_same_v<Expression, face_height>;
template <int Name>
inline constexpr bool is_of_face<parameter<Name>> = true;

// An expression on a side: each leaf of it is.
template <int Side, class Expression>
constexpr auto sided(Expression const& e)
{
  if constexpr (is_of_face<Expression>)
    return e;
  else if constexpr (std::is_base_of_v<leaf, Expression> || is_gradient<Expression>)
    return on_side<Side, Expression>{{}, e};
  else if constexpr (requires { e.c; })
    return make<typename operation_of<Expression>::type>(sided<Side>(e.a), sided<Side>(e.b), sided<Side>(e.c));
  else if constexpr (requires { e.b; })
    return make<typename operation_of<Expression>::type>(sided<Side>(e.a), sided<Side>(e.b));
  else
    return make<typename operation_of<Expression>::type>(sided<Side>(e.a));
}

// Components of the trial functions, or test functions, on sides in an expression; what is read of them. 0 and none of
// those that are on no side.
template <bool Test, class Expression>
struct sided_function {
  static constexpr int components = 0;
  static constexpr evaluation reads = evaluation::none;
};
template <bool Test, int Side, class Of>
struct sided_function<Test, on_side<Side, Of>> {
  static constexpr bool is_that = Test ? is_test<Of> : is_trial<Of>;
  static constexpr int components = [] {
    if constexpr (is_that)
      return Of::components;
    else
      return 0;
  }();
  static constexpr evaluation reads = is_that ? value : evaluation::none;
};
template <bool Test, int Side, class Of>
struct sided_function<Test, on_side<Side, node<gradient_of, Of>>> {
  static constexpr int components = sided_function<Test, on_side<Side, Of>>::components;
  static constexpr evaluation reads = components > 0 ? gradient : evaluation::none;
};
template <bool Test, class Op, class... Arguments>
struct sided_function<Test, node<Op, Arguments...>> {
  static constexpr int components = [] {
    int most = 0;
    ((most = sided_function<Test, Arguments>::components > most ? sided_function<Test, Arguments>::components : most),
     ...);
    return most;
  }();
  static constexpr evaluation reads = (evaluation::none | ... | sided_function<Test, Arguments>::reads);
};

// Whether it has a function of the kind on a side that is another than Function.
template <bool Test, class Function, class Expression>
inline constexpr bool has_another = false;
template <bool Test, class Function, int Side, class Of>
inline constexpr bool has_another<Test, Function, on_side<Side, Of>> =
    (Test ? is_test<Of> : is_trial<Of>)&&!std::is_same_v<Of, Function>;
template <bool Test, class Function, int Side, class Of>
inline constexpr bool has_another<Test, Function, on_side<Side, node<gradient_of, Of>>> =
    has_another<Test, Function, on_side<Side, Of>>;
template <bool Test, class Function, class Op, class... Arguments>
inline constexpr bool has_another<Test, Function, node<Op, Arguments...>> =
    (has_another<Test, Function, Arguments> || ...);
// Whether there is one function of the kind at most: none other than the first one found.
template <bool Test, class All, class Expression>
inline constexpr bool has_one = true;
template <bool Test, class All, int Side, class Of>
inline constexpr bool has_one<Test, All, on_side<Side, Of>> =
    !(Test ? is_test<Of> : is_trial<Of>) || !has_another<Test, Of, All>;
template <bool Test, class All, int Side, class Of>
inline constexpr bool has_one<Test, All, on_side<Side, node<gradient_of, Of>>> = has_one<Test, All, on_side<Side, Of>>;
template <bool Test, class All, class Op, class... Arguments>
inline constexpr bool has_one<Test, All, node<Op, Arguments...>> = (has_one<Test, All, Arguments> && ...);

// Whether all functions are on a side.
template <class Expression>
inline constexpr bool has_sides = !is_function<Expression>;
template <class Op, class... Arguments>
inline constexpr bool has_sides<node<Op, Arguments...>> = (has_sides<Arguments> && ...);

// Numbers that are kept of coefficients, and places.
template <class Expression, int Dim>
inline constexpr int coefficient_numbers = 0;
template <int Side, class Of, int Dim>
  requires(is_of_point<Of> && !is_number<Of>)
inline constexpr int coefficient_numbers<on_side<Side, Of>, Dim> = numbers_of<Of, Dim>;
template <class Op, class... Arguments, int Dim>
inline constexpr int coefficient_numbers<node<Op, Arguments...>, Dim> = (0 + ... + coefficient_numbers<Arguments, Dim>);

#if SUMFAC_HAS_HOST
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_table(index_t elements, index_t element)
{
  failf("weak::coefficient",
        "a view by element has fewer entries than the mesh "
        "has elements (extent 0 is %lld, more than %lld expected)",
        static_cast<long long>(elements), static_cast<long long>(element));
}
#endif

// A point of a face, for coefficients: functions of the position, and views by element.
template <class Mapping>
struct side_mapping {
  using value_type = typename Mapping::value_type;
  static constexpr int coordinates = Mapping::dimension;
  Mapping const& x;
  SUMFAC_INLINE constexpr auto position() const { return x.position(); }
  template <class View>
    requires(View::rank() == 1 || (View::rank() == 2 && View::static_extent(1) != dynamic_extent))
  SUMFAC_INLINE constexpr auto at(View const& of_elements) const
  {
#if !SUMFAC_ON_DEVICE || defined(SUMFAC_EMULATED_DEVICE)
    if (x.element() >= of_elements.extent(0)) refuse_table(of_elements.extent(0), x.element());
#endif
    if constexpr (View::rank() == 1) {
      return value_type(of_elements(x.element()));
    } else {
      vector<value_type, static_cast<int>(View::static_extent(1))> result{};
      for (int c = 0; c < result.size; ++c) result[c] = value_type(of_elements(x.element(), c));
      return result;
    }
  }
};

// Writes them from place First on.
template <int First, class Expression, class T, int Dim>
SUMFAC_INLINE void keep_coefficients(Expression const&, both_sides<face_mapping<T, Dim>> const&, T*)
{
}
template <int First, int Side, class Of, class T, int Dim>
SUMFAC_INLINE void keep_coefficients(on_side<Side, Of> const& e, both_sides<face_mapping<T, Dim>> const& x, T* numbers)
{
  if constexpr (coefficient_numbers<on_side<Side, Of>, Dim> > 0) {
    // Beyond the boundary is what is before it.
    face_mapping<T, Dim> const& at = Side == 0 || x.out.element() < 0 ? x.in : x.out;
    side_mapping<face_mapping<T, Dim>> const of_element{at};
    put<false>(numbers + First, mesh_point<side_mapping<face_mapping<T, Dim>>>{of_element}.template value<0>(e.of));
  }
}
template <int First, class Op, class... Arguments, class T, int Dim>
SUMFAC_INLINE void keep_coefficients(node<Op, Arguments...> const& e, both_sides<face_mapping<T, Dim>> const& x,
                                     T* numbers)
{
  keep_coefficients<First>(e.a, x, numbers);
  if constexpr (requires { e.b; }) {
    constexpr int second = First + coefficient_numbers<std::remove_cvref_t<decltype(e.a)>, Dim>;
    keep_coefficients<second>(e.b, x, numbers);
    if constexpr (requires { e.c; })
      keep_coefficients<second + coefficient_numbers<std::remove_cvref_t<decltype(e.b)>, Dim>>(e.c, x, numbers);
  }
}

// A point of a face, of numbers that are kept of it, u on both sides, and v as variables.
template <class Form, class T, class Unknown, int Dim>
struct two_sided_point {
  using scalar = scalar_of<T>;
  static constexpr int coordinates = Dim;
  template <class Expression>
  static constexpr bool knows = std::is_base_of_v<leaf, Expression> && !is_number<Expression>;
  template <class Expression>
  static constexpr int kept = coefficient_numbers<Expression, Dim>;
  using values = point_values<Unknown, Form::components, Dim>;
  using variable = typename Form::template variable<Unknown, Dim>;

  T const* numbers;
  values u[2];  // gradients in the mesh

  template <int First, class Expression>
  SUMFAC_INLINE constexpr auto value(Expression const& e) const
  {
    return of<First>(e);
  }

private:
  using places = typename Form::template places<Dim>;

  template <int First>
  SUMFAC_INLINE constexpr auto of(normal const&) const
  {
    return taken<vector<double, Dim>>(numbers + places::normal);
  }
  template <int First>
  SUMFAC_INLINE constexpr auto of(face_height const&) const
  {
    return numbers[places::height];
  }
  template <int First, int Name>
  SUMFAC_INLINE constexpr auto of(parameter<Name> const& e) const
  {
    return static_cast<scalar>(e.value);
  }
  template <int First, int Side, class Of>
  SUMFAC_INLINE constexpr auto of(on_side<Side, Of> const&) const
  {
    if constexpr (is_trial<Of>) {
      return u[Side].value;
    } else if constexpr (is_test<Of>) {
      return variables<vector<variable, Form::components>, variable>(places::template value_of<Side>);
    } else if constexpr (is_gradient<Of>) {
      if constexpr (sided_function<false, on_side<Side, Of>>::components > 0)
        return u[Side].gradient;
      else
        return variables<matrix<variable, Form::components, Dim>, vector<variable, Dim>>(
            places::template gradient_of<Side>);
    } else {
      return taken<typename shape_at<Of, Dim>::template of<double>>(numbers + places::coefficients + First);
    }
  }
  // Of one component, or several: variables from the first on.
  template <class Several, class One>
  SUMFAC_INLINE static constexpr auto variables(int first)
  {
    using result_type = std::conditional_t<Form::components == 1, One, Several>;
    auto const one = [&](variable& x, int i) SUMFAC_LAMBDA {
      x = variable{};
      x.derivatives[first + i] = Unknown(scalar_of<Unknown>(1));
    };
    result_type result{};
    if constexpr (std::is_same_v<result_type, variable>) {
      one(result, 0);
    } else {
      SUMFAC_UNROLL
      for (int i = 0; i < result_type::size; ++i) one(result.entries[i], i);
    }
    return result;
  }
};

struct no_boundary {};
struct zero_boundary {};

// Whether it is what fixed() makes, of a function of so many components.
template <class Boundary, int Components>
inline constexpr bool is_boundary = std::is_same_v<Boundary, no_boundary> || std::is_same_v<Boundary, zero_boundary>;
template <expression Boundary, int Components>
inline constexpr bool is_boundary<Boundary, Components> =
    Boundary::rank == no_rank ||
    (Boundary::rank == (Components > 1 ? 1 : 0) && degree<Boundary, on_test> == 0 && degree<Boundary, trial_bit> == 0);

}  // namespace detail

// The form of two sides that integrate_faces makes. v enters as variables, in which the integrand is linear: their
// derivatives are what is tested against values and gradients of either side.
template <class Integrand, class Boundary>
struct face_integral {
  using of_trial = detail::sided_function<false, Integrand>;
  using of_test = detail::sided_function<true, Integrand>;
  static constexpr evaluation trial = of_trial::reads == evaluation::none ? value : of_trial::reads;
  static constexpr evaluation test = of_test::reads;
  static constexpr int components = of_test::components;
  static constexpr bool must_be_given = detail::has_members<Integrand> || detail::has_members<Boundary>;
  static constexpr bool linear =
      detail::degree<Integrand, detail::trial_bit> == 1 &&
      (std::is_same_v<Boundary, detail::no_boundary> || std::is_same_v<Boundary, detail::zero_boundary>);

  // Where the numbers of a point are, and the variables of a side.
  template <int Dim>
  struct places {
    static constexpr bool has_gradients = has(trial | test, gradient);
    static constexpr int values = has(test, value) ? components : 0;
    static constexpr int gradients = has(test, gradient) ? components * Dim : 0;
    template <int Side>
    static constexpr int value_of = Side * (values + gradients);
    template <int Side>
    static constexpr int gradient_of = value_of<Side> + values;
    static constexpr int variables = 2 * (values + gradients);
    static constexpr int measure = 0, height = 1, normal = 2, inverse = normal + Dim;  // of `in`, then of `out`
    static constexpr int coefficients = inverse + (has_gradients ? 2 * Dim * Dim : 0);
    static constexpr int boundary = coefficients + detail::coefficient_numbers<Integrand, Dim>;
    static constexpr int count = boundary + detail::coefficient_numbers<Boundary, Dim>;
  };
  template <class Unknown, int Dim>
  using variable = dual<Unknown, places<Dim>::variables>;

  template <class T, int Dim = 3>
  struct factors {
    T numbers[places<Dim>::count];
  };

  template <class T, int Dim>
  SUMFAC_INLINE factors<T, Dim> setup(both_sides<face_mapping<T, Dim>> const& face) const
  {
    using at = places<Dim>;
    factors<T, Dim> f{};
    f.numbers[at::measure] = face.in.measure();
    f.numbers[at::height] = T(2) / (T(1) / face.in.height() + T(1) / face.out.height());
    detail::put<false>(f.numbers + at::normal, face.in.normal());
    if constexpr (at::has_gradients) {
      detail::put<false>(f.numbers + at::inverse, face.in.inverse());
      detail::put<false>(f.numbers + at::inverse + Dim * Dim, face.out.inverse());
    }
    detail::keep_coefficients<at::coefficients>(integrand, face, f.numbers);
    if constexpr (detail::coefficient_numbers<Boundary, Dim> > 0)
      detail::keep_coefficients<at::boundary>(boundary, face, f.numbers);
    return f;
  }

  template <class T, class Unknown, int Dim>
  SUMFAC_INLINE both_sides<point_values<Unknown, components, Dim>> apply(
      factors<T, Dim> const& f, point_values<Unknown, components, Dim> const& in,
      point_values<Unknown, components, Dim> const& out) const
  {
    using at = places<Dim>;
    detail::two_sided_point<face_integral, T, Unknown, Dim> const point{f.numbers,
                                                                        {in_mesh<0>(f, in), in_mesh<1>(f, out)}};
    variable<Unknown, Dim> const in_v = detail::evaluated<0>(integrand, point);
    T const measure = f.numbers[at::measure];
    return {tested<0>(f, in_v, measure), tested<1>(f, in_v, measure)};
  }

  template <class T, class Unknown, int Dim>
    requires(!std::is_same_v<Boundary, detail::no_boundary>)
  SUMFAC_INLINE point_values<Unknown, components, Dim> exterior(factors<T, Dim> const& f,
                                                                point_values<Unknown, components, Dim> const& in) const
  {
    auto out = continued(in);
    out.value = out.value * scalar_of<Unknown>(-1);
    if constexpr (!std::is_same_v<Boundary, detail::zero_boundary>) {
      using at = places<Dim>;
      detail::two_sided_point<face_integral, T, Unknown, Dim> const point{f.numbers, {in, in}};
      constexpr int first = at::boundary - at::coefficients;
      out.value =
          detail::plus(out.value, detail::scaled(scalar_of<Unknown>(2), detail::evaluated<first>(boundary, point)));
    }
    return out;
  }

  // Gives a parameter another value, from the next application on.
  // **Errors** argument_error for one that is not finite, and for a parameter that the form has not.
  template <int Name>
  constexpr void set(parameter<Name> const& of, double number)
  {
    bool const within = detail::set_parameter(integrand, of, number);
    bool const on_boundary = detail::set_parameter(boundary, of, number);
    if (!within && !on_boundary) detail::check_parameter(Name);
  }

  void(check)() const
  {
    detail::check_numbers(integrand);
    detail::check_numbers(boundary);
  }

  Integrand integrand;
  Boundary boundary;

private:
  // u with its gradient in the mesh, or what is tested against that in the reference element.
  template <int Side, class T, class Unknown, int Dim>
  SUMFAC_INLINE static auto in_mesh(factors<T, Dim> const& f, point_values<Unknown, components, Dim> state)
  {
    if constexpr (has(trial, gradient)) {
      auto const inverse = detail::taken<matrix<T, Dim>>(f.numbers + places<Dim>::inverse + Side * Dim * Dim);
      if constexpr (components == 1)
        state.gradient = detail::times_vector(detail::transposed(inverse), state.gradient);
      else
        state.gradient = detail::times_matrix(state.gradient, inverse);
    }
    return state;
  }
  template <int Side, class T, class Unknown, int Dim>
  SUMFAC_INLINE static auto tested(factors<T, Dim> const& f, variable<Unknown, Dim> const& in_v, T const& measure)
  {
    using at = places<Dim>;
    point_values<Unknown, components, Dim> result;
    if constexpr (has(test, value)) {
      Unknown values[components];
      for (int c = 0; c < components; ++c) values[c] = measure * in_v.derivatives[at::template value_of<Side> + c];
      if constexpr (components == 1)
        result.value = values[0];
      else
        for (int c = 0; c < components; ++c) result.value[c] = values[c];
    }
    if constexpr (has(test, gradient)) {
      auto const inverse = detail::taken<matrix<T, Dim>>(f.numbers + at::inverse + Side * Dim * Dim);
      SUMFAC_UNROLL
      for (int c = 0; c < components; ++c) {
        SUMFAC_UNROLL
        for (int d = 0; d < Dim; ++d) {
          auto sum = inverse(d, 0) * in_v.derivatives[at::template gradient_of<Side> + c * Dim];
          SUMFAC_UNROLL
          for (int e = 1; e < Dim; ++e)
            sum = sum + inverse(d, e) * in_v.derivatives[at::template gradient_of<Side> + c * Dim + e];
          result.gradient.entries[c * Dim + d] = measure * sum;
        }
      }
    }
    return result;
  }
};

}  // namespace sumfac::weak
