// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator between two spaces, with the restriction of one.
// expect: sumfac::element_operator: the operator is between two spaces
// errors: 1
#include <sumfac/operator/element_operator.hpp>

struct mean {
  static constexpr auto trial = sumfac::value, test = sumfac::value;

  template <class T>
  struct factors {
    T measure;
  };

  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure()};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.measure * u.value};
  }
};

using pair = sumfac::element_operator<mean, sumfac::spaces{.trial = 2, .test = 1}>;
using vector = sumfac::view<double, sumfac::dextents<1>>;

void apply(pair const& A, sumfac::restriction<double> const& r_test, sumfac::restriction<double> const& r_trial,
           vector x, vector y)
{
#if defined(SUMFAC_FITS)
  A.apply(r_test, r_trial, x, y);
#else
  static_cast<void>(r_test);
  A.apply(r_trial, x, y);
#endif
}
