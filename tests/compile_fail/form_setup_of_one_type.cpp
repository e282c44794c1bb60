// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form whose setup is for double alone, where the host sets up packs.
// expect: sumfac::form: setup(mapping<T>) const must be a template of T
#include <sumfac/operator/bake_off.hpp>

struct reaction {
  static constexpr auto trial = sumfac::value;
  static constexpr auto test = sumfac::value;

  template <class T>
  struct factors {
    T w;
  };

#if defined(SUMFAC_FITS)
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
#else
  factors<double> setup(sumfac::mapping<double> const& x) const
#endif
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
