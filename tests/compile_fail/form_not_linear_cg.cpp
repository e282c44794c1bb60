// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients with a form that is not linear.
// expect: sumfac::solver: A says `linear = false`: solvers solve linear systems alone
// errors: 1
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/merged_cg.hpp>

struct reaction {
#if !defined(SUMFAC_FITS)
  static constexpr bool linear = false;
#endif
  static constexpr auto trial = sumfac::value;
  static constexpr auto test = sumfac::value;

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
    return {.value = f.w * u.value * u.value};
  }
};

using reaction_operator = sumfac::element_operator<reaction, 2>;

void call(sumfac::global_operator<reaction_operator, sumfac::restriction<>> const& L,
          sumfac::view<double const, sumfac::dextents<1>> b, sumfac::view<double, sumfac::dextents<1>> x)
{
  sumfac::cg(L, b, x);
}
