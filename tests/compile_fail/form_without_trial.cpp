// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form that does not say what it reads of u.
// expect: sumfac::form: no constant trial: say what apply reads of u
#include <sumfac/operator/bake_off.hpp>

struct reaction {
#if defined(SUMFAC_FITS)
  static constexpr auto trial = sumfac::value;
#endif
  static constexpr auto test = sumfac::value;

  template <class T>
  struct factors {
    T w;
  };

  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.weight() * x.det()};
  }

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value};
  }
};

using reaction_operator = sumfac::element_operator<reaction, 2>;

int nodes()
{
  return reaction_operator::nodes_1d;
}
