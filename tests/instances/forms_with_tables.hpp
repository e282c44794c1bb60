// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A kind of forms with coefficients by element and by point, of every shape, on hexahedra.
#pragma once

#include "forms.hpp"

#include <sumfac/view/view.hpp>

#include <type_traits>

namespace instances {

// Tables: one number an element, two of them, one a point, two of them; entry c of point p of element e.
inline double table_entry(int shape, sumfac::index_t e, int p, int c)
{
  unsigned const place = shape < 2 ? 0 : static_cast<unsigned>(p * 7) + static_cast<unsigned>(p / 5);
  unsigned const mixed =
      (static_cast<unsigned>(e) * 2654435761u >> 7) ^ (place + static_cast<unsigned>(shape * 97 + c * 3));
  return 1 + static_cast<double>(mixed % 16) / 16;
}

// (D grad u, grad v) + (r u, v) with numbers D and r from all tables.
template <int Points>
struct tabulated_form {
  static constexpr auto trial = value | gradient, test = value | gradient;
  static constexpr sumfac::index_t all = sumfac::dynamic_extent;
  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> diffusion;
    T reaction;
  };
  // Diffusion, reaction.
  template <class Point>
  SUMFAC_FUNCTION auto both(Point const& x) const
  {
    auto const p = x.at(pair), q = x.at(pairs);
    auto const k = x.at(by_element) * x.at(by_point);
    return sumfac::vector<std::remove_cvref_t<decltype(k)>, 2>{k + p[0] * q[1], x.at(by_point_again) + p[1] * q[0]};
  }
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(mapping<T> const& x) const
  {
    auto const c = both(x);
    return {c[0] * x.metric(), c[1] * x.measure()};
  }
  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& u) const
  {
    return {.value = f.reaction * u.value, .gradient = f.diffusion * u.gradient};
  }

  sumfac::view<double const, sumfac::extents<all>> by_element;
  sumfac::view<double const, sumfac::extents<all, 2>> pair;
  sumfac::view<double const, sumfac::extents<all, Points, Points, Points>> by_point;
  sumfac::view<double const, sumfac::dextents<4>> by_point_again;  // the same with extents known at run time
  sumfac::view<double const, sumfac::extents<all, Points, Points, Points, 2>> pairs;
};

// The same without factors.
template <int Points>
struct tabulated_at_form : tabulated_form<Points> {
  template <class Point, class T>
  SUMFAC_FUNCTION point_values<T> apply_at(Point const& x, point_values<T> const& u) const
  {
    auto const c = this->both(x);
    return {.value = (c[1] * x.measure()) * u.value, .gradient = c[0] * x.metric_times(u.gradient)};
  }
};

template <class Form, int Points>
struct kind_of_tables : kind<Form, true> {
  // The numbers, which the form only refers to.
  struct tables {
    explicit tables(int elements) : count(elements)
    {
      for (int shape = 0; shape < 4; ++shape)
        for (int e = 0; e < elements; ++e)
          for (int p = 0; p < (shape < 2 ? 1 : Points * Points * Points); ++p)
            for (int c = 0; c < 1 + shape % 2; ++c) numbers[shape].push_back(table_entry(shape, e, p, c));
    }
    Form form() const
    {
      Form f;
      f.by_element = decltype(f.by_element)(numbers[0].data(), count);
      f.pair = decltype(f.pair)(numbers[1].data(), count);
      f.by_point = decltype(f.by_point)(numbers[2].data(), count);
      f.by_point_again = f.by_point;
      f.pairs = decltype(f.pairs)(numbers[3].data(), count);
      return f;
    }
    int count;
    vector numbers[4];
  };

  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto const entry = [&](int shape, int c) { return real(table_entry(shape, at.element, at.number, c)); };
      real const diffusion = entry(0, 0) * entry(2, 0) + entry(1, 0) * entry(3, 1);
      real const reaction = entry(2, 0) + entry(1, 1) * entry(3, 0);
      auto v = u;
      v.value[0] *= reaction;
      for (real& g : v.gradient[0]) g *= diffusion;
      return v;
    };
  }
};
using tabulated_at_3 = kind_of_tables<tabulated_at_form<3>, 3>;
using tabulated_4 = kind_of_tables<tabulated_form<4>, 4>;
using tabulated_at_4 = kind_of_tables<tabulated_at_form<4>, 4>;

}  // namespace instances
