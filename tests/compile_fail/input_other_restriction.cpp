// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A field through a restriction of float for an operator on double.
// expect: sumfac::field: the restriction must be of the operator's scalar type and backend
// errors: 1
#include <sumfac/operator/element_operator.hpp>

#if defined(SUMFAC_FITS)
using scalar = double;
#else
using scalar = float;
#endif

struct weighing {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  using inputs = sumfac::reads<sumfac::input{}>;

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
                                sumfac::point_values<T> const& a) const
  {
    return {.value = f.w * a.value * u.value};
  }
};

using weighing_operator = sumfac::element_operator<weighing, 2>;

void call(weighing_operator& A, sumfac::restriction<scalar> const& R, sumfac::view<double, sumfac::dextents<1>> a)
{
  A.linearize(sumfac::field(R, a));
}
