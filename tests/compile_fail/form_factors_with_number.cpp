// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Factors with a member that hides where double would be padded anyway.
// expect: sumfac::form: factors<T> holds something else than T: store the rest in the form itself
#include <sumfac/operator/bake_off.hpp>

struct reaction {
  static constexpr auto trial = sumfac::value;
  static constexpr auto test = sumfac::value;

  template <class T>
  struct factors {
    T w;
#if !defined(SUMFAC_FITS)
    int material;
#endif
  };

  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    factors<T> f{};
    f.w = x.weight() * x.det();
    return f;
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
