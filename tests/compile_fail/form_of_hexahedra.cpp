// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form that is written for hexahedra, on quadrilaterals.
// expect: sumfac::form: the form is written for hexahedra alone
// errors: 2
#include <sumfac/operator/element_operator.hpp>

struct weighed {
  static constexpr auto trial = sumfac::value, test = sumfac::value;

  template <class T>
  struct factors {
    T measure;
  };

#if defined(SUMFAC_FITS)
  template <class T, int Dim>
  factors<T> setup(sumfac::mapping<T, Dim> const& x) const
  {
    return {x.measure()};
  }
  template <class T, int Dim>
  sumfac::point_values<T, 1, Dim> apply(factors<T> const& f, sumfac::point_values<T, 1, Dim> const& u) const
  {
    return {.value = f.measure * u.value};
  }
#else
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
#endif
};

int nodes()
{
  return sumfac::element_operator<weighed, sumfac::quadrilateral(2)>::nodes_1d;
}
