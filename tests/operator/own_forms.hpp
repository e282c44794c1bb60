// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms as users write them, with and without apply_at, and what the oracle says of each.
#pragma once

#include <sumfac/form/form.hpp>

#include <support/elasticity.hpp>
#include <support/reference.hpp>

#include <array>
#include <cstddef>

namespace checks {

using reference::real;

// k (1 + x^2 + y z) u: a variable coefficient.
struct reaction {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  template <class T>
  struct factors {
    T w;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    auto const& p = x.position();
    return {(p[0] * p[0] + p[1] * p[2] + T(1.0)) * x.weight() * x.det() * k};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value};
  }
  double k = 1;
};

inline auto reaction_exact(real k)
{
  return [k](reference::point<> const& x, reference::field<> const& u) {
    auto const& p = x.position;
    return reference::field<>{{k * (1 + p[0] * p[0] + p[1] * p[2]) * u.value[0]}, {}};
  };
}

// What the forms below store of a wind b(x).
struct wind_at_points {
  template <class T>
  struct factors {
    T b[3];
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    auto const& p = x.position();
    auto const inverse = x.inverse();
    T const scale = x.weight() * x.det();
    factors<T> f;
    for (int c = 0; c < 3; ++c)
      f.b[c] = scale * (inverse(c, 0) * (p[1] + T(1.0)) - inverse(c, 1) * p[0] + inverse(c, 2) * p[2] * p[0]);
    return f;
  }
};

// The weak form's value takes b(x) . grad u: what is evaluated is not what is tested.
struct advection : wind_at_points {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.b[0] * u.gradient[0] + f.b[1] * u.gradient[1] + f.b[2] * u.gradient[2]};
  }
};

// Its transpose.
struct conservative_advection : wind_at_points {
  static constexpr auto trial = sumfac::value, test = sumfac::gradient;
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    sumfac::point_values<T> v;
    for (int c = 0; c < 3; ++c) v.gradient[c] = f.b[c] * u.value;
    return v;
  }
};

inline std::array<real, 3> wind(reference::point<> const& x)
{
  auto const& p = x.position;
  return {p[1] + 1, -p[0], p[2] * p[0]};
}

inline reference::field<> advected(reference::point<> const& x, reference::field<> const& u)
{
  auto const b = wind(x);
  auto const& g = u.gradient[0];
  return {{b[0] * g[0] + b[1] * g[1] + b[2] * g[2]}, {}};
}

inline reference::field<> conserved(reference::point<> const& x, reference::field<> const& u)
{
  auto const b = wind(x);
  return {{}, {{{b[0] * u.value[0], b[1] * u.value[0], b[2] * u.value[0]}}}};
}

// Two components that the same wind carries, the second one's result in the first one's place and the other way round.
struct crossed_advection : wind_at_points {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  static constexpr int components = 2;
  template <class T>
  sumfac::point_values<T, 2> apply(factors<T> const& f, sumfac::point_values<T, 2> const& u) const
  {
    sumfac::point_values<T, 2> v;
    for (int c = 0; c < 2; ++c)
      v.value[1 - c] = f.b[0] * u.gradient(c, 0) + f.b[1] * u.gradient(c, 1) + f.b[2] * u.gradient(c, 2);
    return v;
  }
};

// Its transpose.
struct crossed_conservative_advection : wind_at_points {
  static constexpr auto trial = sumfac::value, test = sumfac::gradient;
  static constexpr int components = 2;
  template <class T>
  sumfac::point_values<T, 2> apply(factors<T> const& f, sumfac::point_values<T, 2> const& u) const
  {
    sumfac::point_values<T, 2> v;
    for (int c = 0; c < 2; ++c)
      for (int d = 0; d < 3; ++d) v.gradient(1 - c, d) = f.b[d] * u.value[c];
    return v;
  }
};

inline reference::field<> crossed_advected(reference::point<> const& x, reference::field<> const& u)
{
  auto const b = wind(x);
  reference::field<> out;
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t d = 0; d < 3; ++d) out.value[1 - c] += b[d] * u.gradient[c][d];
  return out;
}

inline reference::field<> crossed_conserved(reference::point<> const& x, reference::field<> const& u)
{
  auto const b = wind(x);
  reference::field<> out;
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t d = 0; d < 3; ++d) out.gradient[1 - c][d] = b[d] * u.value[c];
  return out;
}

// All sixteen entries at once, none symmetric: f = c u + b . grad u, F = u a + K grad u.
struct everything {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;
  template <class T>
  struct factors {
    T entries[16];
  };
  // The physical matrix at a position, rows tested (value, x, y, z), columns evaluated.
  template <class T>
  static T physical(int row, int col, T const& x, T const& y)
  {
    return x * T(0.25 * row + 0.5) + y * T(0.125 * col * col) + T(row == col ? 3.0 : 0.5 * (row - 2 * col));
  }
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    auto const& p = x.position();
    auto const inverse = x.inverse();
    T const scale = x.weight() * x.det();
    factors<T> f{};
    // (value, d/dx) = S (value, d/dxi) with S = diag(1, inverse^T), on both sides.
    auto const s = [&](int physical_index, int reference_index) {
      if (physical_index == 0 || reference_index == 0) return T(physical_index == reference_index ? 1.0 : 0.0);
      return inverse(reference_index - 1, physical_index - 1);
    };
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        for (int r = 0; r < 4; ++r)
          for (int c = 0; c < 4; ++c)
            f.entries[4 * a + b] = f.entries[4 * a + b] + scale * s(r, a) * physical(r, c, p[0], p[1]) * s(c, b);
    return f;
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    sumfac::point_values<T> v;
    auto const row = [&](int a) {
      return f.entries[4 * a] * u.value + f.entries[4 * a + 1] * u.gradient[0] + f.entries[4 * a + 2] * u.gradient[1] +
             f.entries[4 * a + 3] * u.gradient[2];
    };
    v.value = row(0);
    for (int c = 0; c < 3; ++c) v.gradient[c] = row(1 + c);
    return v;
  }
};

inline reference::field<> everything_exact(reference::point<> const& x, reference::field<> const& u)
{
  std::array<real, 4> const in{u.value[0], u.gradient[0][0], u.gradient[0][1], u.gradient[0][2]};
  std::array<real, 4> out{};
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      out[static_cast<std::size_t>(r)] +=
          everything::physical<real>(r, c, x.position[0], x.position[1]) * in[static_cast<std::size_t>(c)];
  return {{out[0]}, {{{out[1], out[2], out[3]}}}};
}

using support::elasticity;

inline reference::field<> elasticity_exact(reference::point<> const& x, reference::field<> const& u)
{
  auto const& g = u.gradient;
  reference::field<> out;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t d = 0; d < 3; ++d)
      out.gradient[c][d] =
          (1 + x.position[0]) * (g[c][d] + g[d][c]) + (c == d ? 0.75L * (g[0][0] + g[1][1] + g[2][2]) : 0);
  return out;
}

// c u + k grad u, from the measure and the metric alone: the forms below have apply_at, for kernels that recompute
// geometry.
struct reaction_diffusion {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = trial;
  template <class T>
  struct factors {
    T metric[9], measure;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    factors<T> f{};
    auto const inverse = x.inverse();
    f.measure = x.weight() * x.det();
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for (int r = 0; r < 3; ++r)
          f.metric[3 * a + b] = f.metric[3 * a + b] + f.measure * inverse(a, r) * inverse(b, r);
    return f;
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    sumfac::point_values<T> v;
    v.value = f.measure * u.value * sumfac::scalar_of<T>(c);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        v.gradient[a] = v.gradient[a] + f.metric[3 * a + b] * u.gradient[b] * sumfac::scalar_of<T>(k);
    return v;
  }
  template <class Point, class T>
  sumfac::point_values<T> apply_at(Point const& x, sumfac::point_values<T> const& u) const
  {
    using scalar = sumfac::scalar_of<T>;
    return {.value = scalar(c) * (x.measure() * u.value), .gradient = x.metric_times(scalar(k) * u.gradient)};
  }
  double c = 1, k = 1;
};

inline auto reaction_diffusion_exact(real c, real k)
{
  return [c, k](reference::point<> const&, reference::field<> const& u) {
    auto const& g = u.gradient[0];
    return reference::field<>{{c * u.value[0]}, {{{k * g[0], k * g[1], k * g[2]}}}};
  };
}

// Two species that react and diffuse into each other: neither the values' nor the gradients' matrix is symmetric.
struct two_species {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = trial;
  static constexpr int components = 2;
  template <class T>
  using factors = reaction_diffusion::factors<T>;
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return reaction_diffusion{}.setup(x);
  }
  template <class T>
  sumfac::point_values<T, 2> apply(factors<T> const& f, sumfac::point_values<T, 2> const& u) const
  {
    return mixed(u, f.measure, [&](sumfac::vector<T, 3> const& g) {
      sumfac::vector<T, 3> flux{};
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) flux[a] = flux[a] + f.metric[3 * a + b] * g[b];
      return flux;
    });
  }
  template <class Point, class T>
  sumfac::point_values<T, 2> apply_at(Point const& x, sumfac::point_values<T, 2> const& u) const
  {
    return mixed(u, x.measure(), [&](sumfac::vector<T, 3> const& g) { return x.metric_times(g); });
  }

  static constexpr double reaction[2][2] = {{2, 0.5}, {-1, 0.75}}, diffusion[2][2] = {{1, -0.25}, {0.5, 3}};

private:
  template <class T, class Metric>
  static sumfac::point_values<T, 2> mixed(sumfac::point_values<T, 2> const& u, T const& measure, Metric const& metric)
  {
    using scalar = sumfac::scalar_of<T>;
    sumfac::point_values<T, 2> v;
    for (int c = 0; c < 2; ++c) {
      v.value[c] = measure * (scalar(reaction[c][0]) * u.value[0] + scalar(reaction[c][1]) * u.value[1]);
      sumfac::vector<T, 3> g{};
      for (int d = 0; d < 3; ++d)
        g[d] = scalar(diffusion[c][0]) * u.gradient(0, d) + scalar(diffusion[c][1]) * u.gradient(1, d);
      auto const flux = metric(g);
      for (int d = 0; d < 3; ++d) v.gradient(c, d) = flux[d];
    }
    return v;
  }
};

inline reference::field<> two_species_exact(reference::point<> const&, reference::field<> const& u)
{
  reference::field<> out;
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t b = 0; b < 2; ++b) {
      out.value[c] += two_species::reaction[c][b] * u.value[b];
      for (std::size_t d = 0; d < 3; ++d) out.gradient[c][d] += two_species::diffusion[c][b] * u.gradient[b][d];
    }
  return out;
}

}  // namespace checks
