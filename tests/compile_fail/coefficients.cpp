// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Coefficients of forms, and functions of packs in them.
#include "support/fits.hpp"

#include <sumfac/form/given_factors.hpp>
#include <sumfac/operator/bake_off.hpp>

// A coefficient of components whose number is no constant.
// expect: sumfac::mapping: at(view) makes a vector of a coefficient's components, whose number must be a
// errors: 1
namespace coefficient_components {
#if defined(SUMFAC_FITS)
using table = sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent, 2>>;
#else
using table = sumfac::view<double const, sumfac::dextents<2>>;
#endif

template <class T>
T sum(sumfac::vector<T, 2> const& x)
{
  return x[0] + x[1];
}
template <class T>
T sum(T const& x)
{
  return x;
}

struct weighted : sumfac::mass {
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {sum(x.at(weight)) * x.measure()};
  }
  static void apply_at() = delete;
  table weight;
};

void set_up(sumfac::view<double, sumfac::dextents<5>> nodes)
{
  sumfac::element_operator<weighted, 2> const A(sumfac::host{}, nodes);
}
}  // namespace coefficient_components

// A coefficient of integers.
// expect: sumfac::mapping: at(view) takes a coefficient of floating-point numbers
// errors: 1
namespace coefficient_integers {
using table = sumfac::view<fitting<double, int> const, sumfac::dextents<1>>;

struct weighted : sumfac::mass {
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.at(weight) * x.measure()};
  }
  static void apply_at() = delete;
  table weight;
};

void set_up(sumfac::view<double, sumfac::dextents<5>> nodes)
{
  sumfac::element_operator<weighted, 2> const A(sumfac::host{}, nodes);
}
}  // namespace coefficient_integers

// A coefficient by element and something.
// expect: sumfac::mapping: at(view) takes a coefficient of shape (E), (E, K), (E, g, g, g) or (E, g, g, g, K)
// errors: 1
namespace coefficient_wrong_rank {
using table = sumfac::view<double const, sumfac::dextents<fits ? 1 : 3>>;

struct weighted : sumfac::mass {
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.at(weight) * x.measure()};
  }
  static void apply_at() = delete;
  table weight;
};

void set_up(sumfac::view<double, sumfac::dextents<5>> nodes)
{
  sumfac::element_operator<weighted, 2> const A(sumfac::host{}, nodes);
}
}  // namespace coefficient_wrong_rank

// Factors by element and number of the point.
// expect: sumfac::given_factors: the numbers are a view of the wrong rank for these elements: (E, g, g, g, factors)
// errors: 2
namespace given_factors_rank {
using table = sumfac::view<double const, sumfac::dextents<fits ? 5 : 3>>;

void set_up(sumfac::view<double, sumfac::dextents<5>> nodes, table numbers)
{
  sumfac::given_factors const form(sumfac::stiffness{}, numbers);
  using form_type = sumfac::given_factors<sumfac::stiffness, table>;
  sumfac::element_operator<form_type, 2> const A(sumfac::host{}, nodes, form);
}
}  // namespace given_factors_rank

// A form that asks which of two numbers is the greater, which has an answer for each element of a pack.
// expect: sumfac::pack: numbers of several elements are compared at once, which may differ: take
// expect: sumfac::select(a < b, x, y), or min, max and abs
namespace pack_compared {
struct upwind {
  static constexpr auto trial = sumfac::value;
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
#if defined(SUMFAC_FITS)
    return {.value = f.w * sumfac::select(0 < u.value, u.value, 0)};
#else
    return {.value = 0 < u.value ? f.w * u.value : T(0)};
#endif
  }
};

using view4 = sumfac::view<double, sumfac::dextents<4>>;

void call(sumfac::element_operator<upwind, 2> const& A, view4 u, view4 v) { A.apply(u, v); }
}  // namespace pack_compared
