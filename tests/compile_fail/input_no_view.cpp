// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A field that is no view.
// expect: sumfac::field: it must be a sumfac::view, an E-vector, or a restriction and a global vector: field(R, x)
// errors: 1
#include <sumfac/operator/element_operator.hpp>

#include <vector>

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
using vector = std::vector<double>;
#endif

void call(weighing_operator& A, vector const& a)
{
  A.linearize(sumfac::field(a));
}
