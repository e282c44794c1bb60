// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Kinds of forms whose components are coupled, or others than those that they are tested against.
#pragma once

#include "forms.hpp"

#include <support/elasticity.hpp>
#include <support/measured.hpp>

namespace instances {

// Two species that react and diffuse into each other, from the measure and the metric alone: neither the values' nor
// the gradients' matrix is symmetric.
struct species_form {
  static constexpr auto trial = value | gradient, test = trial;
  static constexpr int components = 2;
  template <class T, int Dim>
  struct factors {
    sumfac::symmetric<T, Dim> metric;
    T measure;
  };
  template <class T, int Dim, int Coordinates>
  SUMFAC_FUNCTION factors<T, Dim> setup(mapping<T, Dim, Coordinates> const& x) const
  {
    return {x.metric(), x.measure()};
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 2, Dim> apply(factors<T, Dim> const& f, point_values<T, 2, Dim> const& u) const
  {
    return mixed(u, f.measure, [&](sumfac::vector<T, Dim> const& g) SUMFAC_LAMBDA { return f.metric * g; });
  }
  template <class Point, class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 2, Dim> apply_at(Point const& x, point_values<T, 2, Dim> const& u) const
  {
    return mixed(u, x.measure(), [&](sumfac::vector<T, Dim> const& g) SUMFAC_LAMBDA { return x.metric_times(g); });
  }
  SUMFAC_FUNCTION static constexpr double reaction(int c, int b) { return c == 0 ? (b == 0 ? 2 : 0.5) : b - 0.75; }
  SUMFAC_FUNCTION static constexpr double diffusion(int c, int b)
  {
    return c == 0 ? (b == 0 ? 1 : -0.25) : (b == 0 ? 0.5 : 3);
  }

private:
  template <class T, int Dim, class Metric>
  SUMFAC_FUNCTION static point_values<T, 2, Dim> mixed(point_values<T, 2, Dim> const& u, T const& measure,
                                                       Metric const& metric)
  {
    using scalar = sumfac::scalar_of<T>;
    point_values<T, 2, Dim> v{};
    for (int c = 0; c < 2; ++c) {
      v.value[c] = measure * (scalar(reaction(c, 0)) * u.value[0] + scalar(reaction(c, 1)) * u.value[1]);
      sumfac::vector<T, Dim> g{};
      for (int d = 0; d < Dim; ++d)
        g[d] = scalar(diffusion(c, 0)) * u.gradient(0, d) + scalar(diffusion(c, 1)) * u.gradient(1, d);
      auto const flux = metric(g);
      for (int d = 0; d < Dim; ++d) v.gradient(c, d) = flux[d];
    }
    return v;
  }
};
struct species : kind<species_form> {
  static integrand exact()
  {
    return [](place const&, flat_field const& u) {
      auto v = zero_as(u);
      for (int c = 0; c < 2; ++c)
        for (int b = 0; b < 2; ++b) {
          auto const to = static_cast<std::size_t>(c), from = static_cast<std::size_t>(b);
          v.value[to] += species_form::reaction(c, b) * u.value[from];
          for (std::size_t r = 0; r < v.gradient[to].size(); ++r)
            v.gradient[to][r] += species_form::diffusion(c, b) * u.gradient[from][r];
        }
      return v;
    };
  }
};

struct elasticity : kind<support::elasticity, true> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_as(u);
      auto const& g = u.gradient;
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t d = 0; d < 3; ++d)
          v.gradient[c][d] =
              (1 + at.position[0]) * (g[c][d] + g[d][c]) + (c == d ? 0.75L * (g[0][0] + g[1][1] + g[2][2]) : 0);
      return v;
    };
  }
};

// (q, div u), of as many components as directions.
template <int Dim>
struct divergence_form {
  static constexpr auto trial = gradient, test = value;
  static constexpr int components = Dim, test_components = 1;
  template <class T>
  struct factors {
    sumfac::matrix<T, Dim> inverse;  // times the measure
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(mapping<T, Dim> const& x) const
  {
    return {x.weight() * x.adjugate()};
  }
  template <class T>
  SUMFAC_FUNCTION point_values<T, 1, Dim> apply(factors<T> const& f, point_values<T, Dim, Dim> const& u) const
  {
    T sum = u.gradient(0, 0) * f.inverse(0, 0);
    for (int c = 0; c < Dim; ++c)
      for (int d = c == 0 ? 1 : 0; d < Dim; ++d) sum = sum + u.gradient(c, d) * f.inverse(d, c);
    return {.value = sum};
  }
};
template <int Dim>
struct divergence_in : kind<divergence_form<Dim>> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_of(1, at.position.size());
      for (std::size_t c = 0; c < Dim; ++c) v.value[0] += u.gradient[c][c];
      return v;
    };
  }
};
using divergence = divergence_in<3>;
using divergence_in_the_plane = divergence_in<2>;

// Values of two components tested by three: (u_0 + 2 u_1, v_0) + (u_1, v_1) - (u_0, v_2).
struct pairing_form : support::measured {
  static constexpr auto trial = value, test = value;
  static constexpr int components = 2, test_components = 3;
  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 3, Dim> apply(factors<T> const& f, point_values<T, 2, Dim> const& u) const
  {
    point_values<T, 3, Dim> v{};
    v.value[0] = f.measure * (u.value[0] + u.value[1] + u.value[1]);
    v.value[1] = f.measure * u.value[1];
    v.value[2] = -(f.measure * u.value[0]);
    return v;
  }
};
struct pairing : kind<pairing_form> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_of(3, at.position.size());
      v.value = {u.value[0] + 2 * u.value[1], u.value[1], -u.value[0]};
      return v;
    };
  }
};

}  // namespace instances
