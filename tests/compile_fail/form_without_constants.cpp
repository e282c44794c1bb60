// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form each object of which says by itself what it reads.
// expect: sumfac::form: no constant trial: say what apply reads of u
// expect: sumfac::form: no constant test: say what the result is tested against
#include <sumfac/operator/bake_off.hpp>

struct reaction {
#if defined(SUMFAC_FITS)
  static constexpr
#endif
      sumfac::evaluation trial = sumfac::value,
                         test = sumfac::value;

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
