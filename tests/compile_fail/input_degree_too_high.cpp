// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An input of a degree that the points are too few for.
// expect: sumfac::input: too few points per direction for the input's degree (quads_1d >= order + 1)
// errors: 1
#include <sumfac/operator/element_operator.hpp>

struct weighing {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  using inputs = sumfac::reads<sumfac::input{.components = 1,
#if defined(SUMFAC_FITS)
                                     .order = 3
#else
                                     .order = 4
#endif
                                     }>;

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

using vector = sumfac::view<double, sumfac::dextents<4>>;

void call(weighing_operator& A, vector a)
{
  A.linearize(a);
}
