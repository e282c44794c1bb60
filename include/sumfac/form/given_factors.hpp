// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form whose factors are the user's own numbers, given for every point.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/form/form.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

template <class Numbers>
constexpr bool are_factors()
{
  if constexpr (is_view<Numbers>)
    return Numbers::rank() >= 3 && Numbers::rank() <= 5 && std::is_floating_point_v<typename Numbers::value_type>;
  else
    return false;
}

}  // namespace detail

// Form with factors from a view in place of those that its setup makes: number i of a point's factors, counted in the
// order of the aggregate, is entry i. All else is Form's own.
//
// With geometry `stored` the host reads the view when an operator is made, or updated; else the kernel does.
// **Shapes** numbers (E, g, g, g, factors), of any layout: element, the point's indices z, y, x, the factor; on
// quadrilaterals and surfaces (E, g, g, factors), on lines and curves (E, g, factors).
// **Errors** (compile time) another rank, entries that are no floating-point numbers; (run time) those of coefficients.
template <class Form, class Numbers>
struct given_factors : Form {
  static constexpr bool fits = detail::are_factors<Numbers>();

  Numbers numbers;

  SUMFAC_FUNCTION constexpr given_factors() { demand_factors(); }
  SUMFAC_FUNCTION constexpr given_factors(Form const& form, Numbers const& given) : Form(form), numbers(given)
  {
    demand_factors();
  }

  template <class T, int Dim, int Coordinates>
  SUMFAC_FUNCTION factors_at<Form, T, Dim> setup(mapping<T, Dim, Coordinates> const& x) const
  {
    factors_at<Form, T, Dim> f{};
    if constexpr (detail::directions_given<given_factors> == Dim) {
      constexpr int count = factors_of<Form, Dim>;
      T of_point[count];
      SUMFAC_UNROLL
      for (int i = 0; i < count; ++i)
        of_point[i] = detail::coefficient_at<T, Dim>(numbers, detail::places::of(x), i, count);
      std::memcpy(&f, of_point, sizeof f);
    }
    return f;
  }

  // Form's is of the geometry alone.
  static void apply_at() = delete;

private:
  // A class in which an assertion fails has no members to clang++.
  SUMFAC_FUNCTION static constexpr void demand_factors()
  {
    static_assert(fits,
                  "sumfac::given_factors: numbers must be a sumfac::view of rank 5, (E, g, g, g, factors), of "
                  "floating-point numbers; of rank 4 on quadrilaterals, (E, g, g, factors), 3 on lines");
  }
};

template <class Form, class Numbers>
given_factors(Form const&, Numbers const&) -> given_factors<Form, Numbers>;

namespace detail {

template <class Form, class Numbers>
  requires(are_factors<Numbers>())
inline constexpr int directions_given<given_factors<Form, Numbers>> = static_cast<int>(Numbers::rank()) - 2;

template <class Form, class Numbers>
struct made_of<given_factors<Form, Numbers>> : made_of<Form> {};

}  // namespace detail

}  // namespace sumfac
