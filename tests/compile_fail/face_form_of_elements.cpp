// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form of elements where one of faces is asked for.
// expect: sumfac::face_operator: the form's setup must take a face_mapping<T, Dim> and return its factors
#include <sumfac/operator/face_operator.hpp>

struct reaction {
  static constexpr auto trial = sumfac::value;
  static constexpr auto test = sumfac::value;

  template <class T>
  struct factors {
    T w;
  };

#if defined(SUMFAC_FITS)
  template <class T>
  factors<T> setup(sumfac::face_mapping<T> const& x) const
#else
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
#endif
  {
    return {x.measure()};
  }

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value};
  }
};

int nodes()
{
  return sumfac::face_operator<reaction, 2>::nodes_1d;
}
