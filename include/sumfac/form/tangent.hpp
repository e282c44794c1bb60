// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms made of others by dual numbers: the tangent of one that is not linear, and the residual of an energy.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/form/both_sides.hpp>
#include <sumfac/form/detail/lift.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/inputs.hpp>

namespace sumfac::SUMFAC_TARGET {

// The derivative of Form's apply in u along w, a linear form in w. Its first input is u, those of Form follow; factors,
// setup, check and members are Form's own.
//
// Where Form's apply, or apply_at, takes the factors in another number type than u, they are passed as they are; else
// as dual numbers, whose zeros are computed with.
// **Work** that of Form in dual numbers with one derivative: two to three times its own.
template <class Form>
struct tangent : Form {
  static constexpr bool linear = true;
  static constexpr int components = components_of<Form>;
  using inputs =
      detail::joined_inputs<reads<input{.components = components_of<Form>, .evaluates = Form::trial}>, inputs_of<Form>>;

  tangent() = default;
  SUMFAC_FUNCTION constexpr tangent(Form const& form) : Form(form) {}

  // Operations are counted: those that Form declares are its own.
  static void flops_per_point() = delete;

  template <class T, int Dim, class... Inputs>
  SUMFAC_INLINE point_values<T, components, Dim> apply(factors_at<Form, T, Dim> const& f,
                                                       point_values<T, components, Dim> const& w,
                                                       point_values<T, components, Dim> const& u,
                                                       Inputs const&... others) const
  {
    Form const& form = *this;
    auto const moved = detail::moved<Form::trial>(u, w);
    if constexpr (requires { form.apply(f, moved, others...); }) {
      return detail::slopes<Form::test>(form.apply(f, moved, others...));
    } else {
      constexpr bool takes_duals = detail::applied_to<Form, dual<T>, Dim, Inputs...>;
      static_assert(takes_duals,
                    "sumfac::tangent: the form's apply cannot be called with sumfac::dual numbers: write it as a "
                    "template of the number type, or the derivative as a form of its own");
      if constexpr (takes_duals)
        return detail::slopes<Form::test>(
            form.apply(detail::lifted_factors<Form, dual<T>, T, Dim>(f), moved, detail::lifted<dual<T>>(others)...));
      else
        return w;
    }
  }

  // Of a form of two sides: the same of both, and what stands for `out` on the boundary.
  template <class T, int Dim>
    requires form_of_two_sides<Form, Dim>
  SUMFAC_INLINE both_sides<point_values<T, components, Dim>> apply(factors_at<Form, T, Dim> const& f,
                                                                   point_values<T, components, Dim> const& w_in,
                                                                   point_values<T, components, Dim> const& w_out,
                                                                   point_values<T, components, Dim> const& u_in,
                                                                   point_values<T, components, Dim> const& u_out) const
  {
    Form const& form = *this;
    auto const tested = form.apply(detail::lifted_factors<Form, dual<T>, T, Dim>(f),
                                   detail::moved<Form::trial>(u_in, w_in), detail::moved<Form::trial>(u_out, w_out));
    return {detail::slopes<Form::test>(tested.in), detail::slopes<Form::test>(tested.out)};
  }
  template <class T, int Dim>
    requires form_of_two_sides<Form, Dim> && detail::has_exterior_state<Form, T, Dim>
  SUMFAC_INLINE point_values<T, components, Dim> exterior(factors_at<Form, T, Dim> const& f,
                                                          point_values<T, components, Dim> const& w,
                                                          point_values<T, components, Dim> const& u) const
  {
    Form const& form = *this;
    return detail::slopes<Form::trial>(
        form.exterior(detail::lifted_factors<Form, dual<T>, T, Dim>(f), detail::moved<Form::trial>(u, w)));
  }
  template <class T, int Dim>
    requires form_of_two_sides<Form, Dim> && detail::has_exterior_state<Form, T, Dim>
  SUMFAC_INLINE point_values<T, components, Dim> exterior(factors_at<Form, T, Dim> const& f,
                                                          point_values<T, components, Dim> const& u) const
  {
    Form const& form = *this;
    return form.exterior(f, u);
  }

  template <class Point, class T, int Dim, class... Inputs>
    requires detail::applied_at<Form, detail::lifted_point<Point>, dual<T>, Dim, Inputs...> ||
             detail::applied_at<Form, detail::lifted_point<Point>, dual<T>, Dim,
                                detail::lifted_type<dual<T>, Inputs>...>
  SUMFAC_INLINE point_values<T, components, Dim> apply_at(Point const& x, point_values<T, components, Dim> const& w,
                                                          point_values<T, components, Dim> const& u,
                                                          Inputs const&... others) const
  {
    using point = detail::lifted_point<Point>;
    Form const& form = *this;
    auto const moved = detail::moved<Form::trial>(u, w);
    if constexpr (detail::applied_at<Form, point, dual<T>, Dim, Inputs...>)
      return detail::slopes<Form::test>(form.apply_at(point{x}, moved, others...));
    else
      return detail::slopes<Form::test>(form.apply_at(point{x}, moved, detail::lifted<dual<T>>(others)...));
  }
};

// The form of an energy: apply is the derivative of `energy` in what it reads of u, which `trial` says.
//
// Energy is a form with `template <class T> T energy(factors<T>, point_values<T, components>, inputs...) const`, the
// energy that the point stands for, where others have test and apply. tangent<residual<Energy>> takes the second
// derivatives.
// **Work** that of energy in dual numbers with as many derivatives as entries are read: 9 of three components'
// gradient.
template <class Energy>
struct residual : Energy {
  static_assert(
      !requires { typename Energy::is_integral; },
      "sumfac::residual: the form has no energy(factors<T>, point_values<T, components>, inputs...) const: "
      "integrate(a) has a tangent as it is, and energy(W) a residual");
  static constexpr evaluation test = Energy::trial;
  static constexpr bool linear = false;
  static constexpr int components = components_of<Energy>;

  residual() = default;
  SUMFAC_FUNCTION constexpr residual(Energy const& energy) : Energy(energy) {}

  template <class Factors, class T, int Dim, class... Inputs>
    requires detail::factors_below<Energy, Factors, T, Dim>
  SUMFAC_INLINE point_values<T, components, Dim> apply(Factors const& f, point_values<T, components, Dim> const& u,
                                                       Inputs const&... others) const
  {
    using number = dual<T, detail::entries_read<Energy::trial, components, Dim>>;
    Energy const& form = *this;
    if constexpr (requires { form.derivative(f, u, others...); }) {  // a weak form's, in fewer operations
      return form.derivative(f, u, others...);
    } else if constexpr (detail::has_energy_at<Energy, Factors,
                                               detail::lifted_type<number, point_values<T, components, Dim>>,
                                               Inputs...>) {
      return detail::derivatives<Energy::trial, components, Dim>(
          form.energy(f, detail::variables<Energy::trial, number>(u), others...));
    } else {
      constexpr bool takes_duals = detail::has_energy<Energy, number, Dim, Inputs...>;
      static_assert(takes_duals,
                    "sumfac::residual: the form has no energy(factors<T>, point_values<T, components>, inputs...) "
                    "const -> T that can be called with sumfac::dual numbers");
      if constexpr (takes_duals)
        return detail::derivatives<Energy::trial, components, Dim>(
            form.energy(detail::lifted_factors<Energy, number, detail::number_of<Energy, Factors, T, Dim>, Dim>(f),
                        detail::variables<Energy::trial, number>(u), detail::lifted<number>(others)...));
      else
        return u;
    }
  }
};

namespace detail {

template <class Form>
struct made_of<tangent<Form>> : made_of<Form> {};
template <class Energy>
struct made_of<residual<Energy>> {
  using type = Energy;
  static constexpr bool has_energy = true;
};

}  // namespace detail

}  // namespace sumfac
