// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form whose inputs are no sumfac::reads.
// expect: sumfac::form: inputs must be a sumfac::reads<sumfac::input{...}...>: an input for each of the other
// errors: 2
#include <sumfac/operator/element_operator.hpp>

struct weighing {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
#if defined(SUMFAC_FITS)
  using inputs = sumfac::reads<sumfac::input{}>;
#else
  using inputs = double;
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
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u, auto const&... a) const
  {
    return {.value = f.w * (a.value * ... * f.w) * u.value};
  }
};

using weighing_operator = sumfac::element_operator<weighing, 2>;

int nodes()
{
  return weighing_operator::nodes_1d;
}
