// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Kinds of forms of one argument: the library's own and such as users write, each with what the oracle integrates.
#pragma once

#include "oracle.hpp"

#include <sumfac/form/mass.hpp>
#include <sumfac/form/stiffness.hpp>

namespace instances {

using sumfac::gradient, sumfac::mapping, sumfac::point_values, sumfac::value;

// Nothing in each component and coordinate.
inline flat_field zero_of(std::size_t components, std::size_t coordinates)
{
  return {std::vector<real>(components, 0),
          std::vector<std::vector<real>>(components, std::vector<real>(coordinates, 0))};
}
inline flat_field zero_as(flat_field const& u) { return zero_of(u.value.size(), u.gradient[0].size()); }

// A kind has `form`, the same at run time by made(), exact(), whether it is symmetric, and the least and the greatest
// power of an element's size that it grows by, where elements may have other sizes.
template <class Form, int Low, int High>
struct kind_of_size {
  using form = Form;
  static constexpr bool symmetric = true;
  static constexpr int low_power = Low, high_power = High;
  static Form made() { return {}; }
};
template <class Form, bool Symmetric = false>
struct kind : kind_of_size<Form, 0, 0> {
  static constexpr bool symmetric = Symmetric;
};

inline integrand values_alone()
{
  return [](place const&, flat_field const& u) { return flat_field{u.value, zero_as(u).gradient}; };
}
inline integrand slopes_alone(real lambda)
{
  return [lambda](place const&, flat_field const& u) {
    flat_field v = u;
    for (real& x : v.value) x *= lambda;
    return v;
  };
}

struct mass : kind_of_size<sumfac::mass, 3, 3> {
  static integrand exact() { return values_alone(); }
};
struct mass_of_3 : kind_of_size<sumfac::vector_mass<3>, 3, 3> {
  static integrand exact() { return values_alone(); }
};
struct laplace : kind_of_size<sumfac::laplace, 1, 1> {
  static integrand exact() { return slopes_alone(0); }
};
struct laplace_of_2 : kind_of_size<sumfac::vector_laplace<2>, 1, 1> {
  static integrand exact() { return slopes_alone(0); }
};
struct laplace_of_3 : kind_of_size<sumfac::vector_laplace<3>, 1, 1> {
  static integrand exact() { return slopes_alone(0); }
};
struct stiffness : kind_of_size<sumfac::stiffness, 1, 3> {
  static sumfac::stiffness made() { return {.lambda = 0.3}; }
  static integrand exact() { return slopes_alone(0.3); }
};

// (grad u, grad v) by pulled_back_metric and without apply_at.
struct own_laplace_form {
  static constexpr auto trial = gradient, test = gradient;
  template <class T, int Dim>
  struct factors {
    sumfac::symmetric<T, Dim> metric;
  };
  template <class T, int Dim, int Coordinates>
  SUMFAC_FUNCTION factors<T, Dim> setup(mapping<T, Dim, Coordinates> const& x) const
  {
    return {sumfac::pulled_back_metric(x)};
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 1, Dim> apply(factors<T, Dim> const& f, point_values<T, 1, Dim> const& u) const
  {
    return {.gradient = f.metric * u.gradient};
  }
};
struct own_laplace : kind_of_size<own_laplace_form, 1, 1> {
  static integrand exact() { return slopes_alone(0); }
};

// 2.5 (1 + x^2 + x z) u, z the last coordinate: a variable coefficient.
struct reaction_form {
  static constexpr auto trial = value, test = value;
  template <class T>
  struct factors {
    T w;
  };
  template <class T, int Dim, int Coordinates>
  SUMFAC_FUNCTION factors<T> setup(mapping<T, Dim, Coordinates> const& x) const
  {
    auto const& p = x.position();
    return {(p[0] * p[0] + p[0] * p[Coordinates - 1] + T(1.0)) * x.measure() * k};
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 1, Dim> apply(factors<T> const& f, point_values<T, 1, Dim> const& u) const
  {
    return {.value = f.w * u.value};
  }
  double k = 2.5;
};
struct reaction : kind<reaction_form, true> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_as(u);
      real const x = at.position.front(), z = at.position.back();
      v.value[0] = 2.5L * (1 + x * x + x * z) * u.value[0];
      return v;
    };
  }
};

// A wind b(x) in the reference element, times the measure.
struct wind_at_points {
  template <class T, int Dim>
  struct factors {
    T b[Dim];
  };
  template <class T, int Dim, int Coordinates>
  SUMFAC_FUNCTION factors<T, Dim> setup(mapping<T, Dim, Coordinates> const& x) const
  {
    auto const& p = x.position();
    auto const inverse = x.inverse();
    factors<T, Dim> f{};
    for (int d = 0; d < Dim; ++d) {
      for (int c = 0; c < Coordinates; ++c) {
        auto const first = sumfac::scalar_of<T>(1.0 - 0.75 * c);
        f.b[d] = f.b[d] + inverse(d, c) * (p[c] * T(0.5) + T(first));
      }
      f.b[d] = f.b[d] * x.measure();
    }
    return f;
  }
};
inline real wind(place const& at, std::size_t c) { return at.position[c] / 2 + 1 - real(0.75) * real(c); }

// Two components that the wind carries, the second one's result in the first one's place and the other way round: what
// is evaluated is not what is tested.
struct advection_form : wind_at_points {
  static constexpr auto trial = gradient, test = value;
  static constexpr int components = 2;
  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 2, Dim> apply(factors<T, Dim> const& f, point_values<T, 2, Dim> const& u) const
  {
    point_values<T, 2, Dim> v{};
    for (int c = 0; c < 2; ++c)
      for (int d = 0; d < Dim; ++d) v.value[1 - c] = v.value[1 - c] + f.b[d] * u.gradient(c, d);
    return v;
  }
};
struct advection : kind<advection_form> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_as(u);
      for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t r = 0; r < at.position.size(); ++r) v.value[1 - c] += wind(at, r) * u.gradient[c][r];
      return v;
    };
  }
};

// The transpose's kind, of one component: values evaluated, gradients tested.
struct conservation_form : wind_at_points {
  static constexpr auto trial = value, test = gradient;
  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 1, Dim> apply(factors<T, Dim> const& f, point_values<T, 1, Dim> const& u) const
  {
    point_values<T, 1, Dim> v{};
    for (int d = 0; d < Dim; ++d) v.gradient[d] = f.b[d] * u.value;
    return v;
  }
};
struct conservation : kind<conservation_form> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_as(u);
      for (std::size_t r = 0; r < at.position.size(); ++r) v.gradient[0][r] = wind(at, r) * u.value[0];
      return v;
    };
  }
};

// All entries of values and slopes at once, none symmetric.
struct everything_form {
  static constexpr auto trial = value | gradient, test = value | gradient;
  template <class T, int Dim>
  struct factors {
    T entries[(1 + Dim) * (1 + Dim)];
  };
  // The physical matrix at a position, rows tested (value, x, y, z), columns evaluated.
  template <class T>
  SUMFAC_FUNCTION static T physical(int row, int col, T const& x, T const& y)
  {
    using scalar = sumfac::scalar_of<T>;
    return x * T(scalar(0.25 * row + 0.5)) + y * T(scalar(0.125 * col * col)) +
           T(scalar(row == col ? 3.0 : 0.5 * (row - 2 * col)));
  }
  template <class T, int Dim, int Coordinates>
  SUMFAC_FUNCTION factors<T, Dim> setup(mapping<T, Dim, Coordinates> const& x) const
  {
    auto const& p = x.position();
    auto const inverse = x.inverse();
    factors<T, Dim> f{};
    auto const s = [&](int physical_index, int reference_index) {
      if (physical_index == 0 || reference_index == 0) return T(physical_index == reference_index ? 1.0 : 0.0);
      return inverse(reference_index - 1, physical_index - 1);
    };
    for (int a = 0; a <= Dim; ++a)
      for (int b = 0; b <= Dim; ++b) {
        T& entry = f.entries[(1 + Dim) * a + b];
        for (int r = 0; r <= Coordinates; ++r)
          for (int c = 0; c <= Coordinates; ++c)
            entry = entry + x.measure() * s(r, a) * physical(r, c, p[0], p[Coordinates - 1]) * s(c, b);
      }
    return f;
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 1, Dim> apply(factors<T, Dim> const& f, point_values<T, 1, Dim> const& u) const
  {
    point_values<T, 1, Dim> v;
    auto const row = [&](int a) {
      T sum = f.entries[(1 + Dim) * a] * u.value;
      for (int d = 0; d < Dim; ++d) sum = sum + f.entries[(1 + Dim) * a + 1 + d] * u.gradient[d];
      return sum;
    };
    v.value = row(0);
    for (int d = 0; d < Dim; ++d) v.gradient[d] = row(1 + d);
    return v;
  }
};
struct everything : kind<everything_form> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_as(u);
      int const size = 1 + static_cast<int>(at.position.size());
      auto const entry = [](auto& of, int i) -> auto& {
        return i == 0 ? of.value[0] : of.gradient[0][static_cast<std::size_t>(i - 1)];
      };
      for (int r = 0; r < size; ++r)
        for (int c = 0; c < size; ++c)
          entry(v, r) += everything_form::physical<real>(r, c, at.position.front(), at.position.back()) * entry(u, c);
      return v;
    };
  }
};

}  // namespace instances
