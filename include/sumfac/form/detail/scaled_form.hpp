// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form times a number that may change between two calls: what a part of a sum applies.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/form/detail/lift.hpp>
#include <sumfac/form/form.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

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
