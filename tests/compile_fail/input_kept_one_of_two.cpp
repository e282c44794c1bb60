// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One field to be kept for a form with two inputs.
// expect: sumfac::element_operator: linearize takes a field for each of the form's inputs
// errors: 1
#include <sumfac/operator/element_operator.hpp>

struct weighing {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  using inputs = sumfac::reads<sumfac::input{}, sumfac::input{.components = 3}>;

  template <class T>
  struct factors {
    T w;
  };

  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure()};
  }

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u,
                                sumfac::point_values<T> const& a, sumfac::point_values<T, 3> const& b) const
  {
    return {.value = f.w * a.value * b.value[2] * u.value};
  }
};

using weighing_operator = sumfac::element_operator<weighing, 2>;

using vector = sumfac::view<double, sumfac::dextents<4>>;
using vectors = sumfac::view<double, sumfac::dextents<5>>;

void call(weighing_operator& A, vector a, vectors b)
{
#if defined(SUMFAC_FITS)
  A.linearize(sumfac::field(a), sumfac::field(b));
#else
  static_cast<void>(b);
  A.linearize(sumfac::field(a));
#endif
}
