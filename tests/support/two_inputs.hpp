// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form with two inputs, t, and w of degree 1, of which it reads the gradient, too.
#pragma once

#include <sumfac/form/form.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/mesh/mapping.hpp>

namespace support {

struct two_inputs {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  static constexpr bool linear = true;
  using inputs = sumfac::reads<sumfac::input{}, sumfac::input{1, sumfac::value | sumfac::gradient, 1}>;
  template <class T>
  struct factors {
    T measure;
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure()};
  }
  template <class T>
  SUMFAC_INLINE sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u,
                                              sumfac::point_values<T> const& t, sumfac::point_values<T> const& w) const
  {
    sumfac::point_values<T> tested{};
    tested.value = f.measure * (t.value + w.value * w.gradient[0]) * u.value;
    return tested;
  }
};

}  // namespace support
