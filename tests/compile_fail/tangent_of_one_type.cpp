// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The tangent of a form that computes in double alone.
// expect: sumfac::tangent: the form's apply cannot be called with sumfac::dual numbers
#include <sumfac/form/tangent.hpp>

struct rigid {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  static constexpr bool linear = false;
  template <class T>
  struct factors {
    T measure;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure()};
  }
  sumfac::point_values<double> apply(factors<double> const& f, sumfac::point_values<double> const& u) const
  {
    return {.value = f.measure * u.value * u.value};
  }
};

sumfac::point_values<double> f(sumfac::tangent<rigid> const& form, sumfac::point_values<double> const& w)
{
  return form.apply({1}, w, w);
}
