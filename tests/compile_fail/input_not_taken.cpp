// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form that names an input and does not take it.
// expect: sumfac::form: the form names inputs: apply takes them behind u, a point_values<T, C> for each
// errors: 2
#include <sumfac/operator/element_operator.hpp>

struct weighing {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
#if !defined(SUMFAC_FITS)
  using inputs = sumfac::reads<sumfac::input{}>;
#endif

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
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value};
  }
};

using weighing_operator = sumfac::element_operator<weighing, 2>;

int nodes()
{
  return weighing_operator::nodes_1d;
}
