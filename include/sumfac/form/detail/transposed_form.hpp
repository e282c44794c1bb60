// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms made of a form: its transpose at each point, and its multiple, as a part of a sum applies it.
#pragma once

#include <sumfac/form/detail/lift.hpp>
#include <sumfac/form/form.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Form, linear in u, as a matrix from what it reads to what it is tested against: its transpose, column by column of
// unit vectors, which the compiler knows.
template <class Form>
struct transposed_form : Form {
  static constexpr evaluation trial = Form::test, test = Form::trial;
  static constexpr int components = test_components_of<Form>, test_components = components_of<Form>;

  SUMFAC_FUNCTION constexpr transposed_form(Form const& form) : Form(form) {}

  static void flops_per_point() = delete;

  template <class Factors, class T, int Dim, class... Inputs>
  SUMFAC_INLINE point_values<T, test_components, Dim> apply(Factors const& f, point_values<T, components, Dim> const& w,
                                                            Inputs const&... inputs) const
  {
    Form const& form = *this;
    return by_columns(w, [&](auto const& unit) SUMFAC_LAMBDA { return form.apply(f, unit, inputs...); });
  }

  // Where the form has it.
  template <class At, class T, int Dim, class... Inputs>
    requires requires(Form const& form, At const& x, point_values<T, test_components, Dim> const& u,
                      Inputs const&... inputs) { form.apply_at(x, u, inputs...); }
  SUMFAC_INLINE point_values<T, test_components, Dim> apply_at(At const& x, point_values<T, components, Dim> const& w,
                                                               Inputs const&... inputs) const
  {
    Form const& form = *this;
    return by_columns(w, [&](auto const& unit) SUMFAC_LAMBDA { return form.apply_at(x, unit, inputs...); });
  }

private:
  template <class T, int Dim, class Column>
  SUMFAC_INLINE static point_values<T, test_components, Dim> by_columns(point_values<T, components, Dim> const& w,
                                                                        Column const& column_of)
  {
    point_values<T, components, Dim> tested = w;
    point_values<T, test_components, Dim> result;
    SUMFAC_UNROLL
    for (int c = 0; c < test_components; ++c) {
      SUMFAC_UNROLL
      for (int a = 0; a <= Dim; ++a) {
        if (!has(test, a == 0 ? value : gradient)) continue;
        point_values<T, test_components, Dim> unit;
        point_entry(unit, c, a) = T(scalar_of<T>(1));
        auto column = column_of(unit);
        T sum(scalar_of<T>(0));
        SUMFAC_UNROLL
        for (int d = 0; d < components; ++d) {
          SUMFAC_UNROLL
          for (int b = 0; b <= Dim; ++b)
            if (has(trial, b == 0 ? value : gradient))
              sum = sum + point_entry(column, d, b) * point_entry(tested, d, b);
        }
        point_entry(result, c, a) = sum;
      }
    }
    return result;
  }
};

// Form's setup and factors are taken as they are; what apply returns is multiplied.
template <class Form>
class scaled_form : public Form {
public:
  SUMFAC_FUNCTION constexpr scaled_form(Form const& form, double scale) : Form(form), scale_(scale) {}

  static void flops_per_point() = delete;

  template <class Factors, class T, int Components, int Dim, class... Inputs>
  SUMFAC_INLINE auto apply(Factors const& f, point_values<T, Components, Dim> const& u, Inputs const&... inputs) const
  {
    Form const& form = *this;
    return scaled(form.apply(f, u, inputs...));
  }

  // Where the form has it.
  template <class At, class T, int Components, int Dim, class... Inputs>
    requires requires(Form const& form, At const& x, point_values<T, Components, Dim> const& u,
                      Inputs const&... inputs) { form.apply_at(x, u, inputs...); }
  SUMFAC_INLINE auto apply_at(At const& x, point_values<T, Components, Dim> const& u, Inputs const&... inputs) const
  {
    Form const& form = *this;
    return scaled(form.apply_at(x, u, inputs...));
  }

private:
  template <class T, int Components, int Dim>
  SUMFAC_INLINE point_values<T, Components, Dim> scaled(point_values<T, Components, Dim> v) const
  {
    auto const by = scalar_of<T>(scale_);
    for_each_entry<Form::test, Components, Dim>([&](int, T& entry) { entry = by * entry; }, v);
    return v;
  }

  double scale_;
};

}  // namespace sumfac::detail
