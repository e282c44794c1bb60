// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A field of float for an operator on double.
// expect: sumfac::field: a field must be a sumfac::view of the operator's scalar type
// errors: 1
#include <sumfac/operator/element_operator.hpp>

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

#if defined(SUMFAC_FITS)
using vector = sumfac::view<double, sumfac::dextents<4>>;
#else
using vector = sumfac::view<float, sumfac::dextents<4>>;
#endif

void call(weighing_operator& A, vector a)
{
  A.linearize(a);
}
