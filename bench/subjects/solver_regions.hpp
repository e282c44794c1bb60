// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The regions of the solver benchmark: maps of the unit cube, and solutions that vanish on the boundary. C++17, for the
// peers' sake.
#pragma once

#include <support/mesh.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace sumfac::bench {

using point = std::array<double, 3>;

// A region's map, and the solution that is known on it. A block is the unit cube to its map.
class region {
public:
  virtual ~region() = default;
  virtual point position(int block, point const& x) const = 0;
  // The solution of a component, and -div grad of it.
  virtual double solution(int component, point const& x) const = 0;
  virtual double source(int component, point const& x) const = 0;
};

// A box, its coordinates sheared: u is a product of s(t) = sin(k pi t) exp(c t) along each of them, which no symmetry
// spares any eigenvector. Components have the same factors along other directions.
class sheared_box : public region {
public:
  explicit sheared_box(::mesh::affine const& shear) : shear_(shear)
  {
    // Rows: the gradients of the straight coordinates.
    double const b = 1 / shear.scale[1], c = 1 / shear.scale[2];
    double const rows[3][3] = {{1 / shear.scale[0], -shear.shear_xy / shear.scale[0],
                                (shear.shear_xy * shear.shear_yz - shear.shear_xz) / shear.scale[0]},
                               {0, b, -b * shear.shear_yz},
                               {0, 0, c}};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        gradients_[i][j] = rows[i][j];
        metric_[i][j] = rows[i][0] * rows[j][0] + rows[i][1] * rows[j][1] + rows[i][2] * rows[j][2];
      }
  }

  double solution(int component, point const& x) const override
  {
    auto const s = factors(component, x);
    return s[0].value * s[1].value * s[2].value;
  }
  double source(int component, point const& x) const override
  {
    auto const s = factors(component, x);
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        double product = metric_[i][j];
        for (std::size_t d = 0; d < 3; ++d)
          product *= d != i && d != j ? s[d].value : i == j ? s[d].second : s[d].first;
        sum -= product;
      }
    return sum;
  }

protected:
  point sheared(point const& x) const { return shear_(x); }

private:
  struct factor {
    double value, first, second;
  };
  std::array<factor, 3> factors(int component, point const& x) const
  {
    constexpr double pi = 3.14159265358979323846, waves[] = {2, 3, 1}, growths[] = {0.7, -0.5, 0.3};
    std::array<factor, 3> s{};
    for (std::size_t d = 0; d < 3; ++d) {
      auto const which = (d + static_cast<std::size_t>(component)) % 3;
      double const t = gradients_[d][0] * x[0] + gradients_[d][1] * x[1] + gradients_[d][2] * x[2];
      double const k = waves[which] * pi, c = growths[which], grown = std::exp(c * t);
      double const sine = std::sin(k * t) * grown, cosine = std::cos(k * t) * grown;
      s[d] = {sine, k * cosine + c * sine, (c * c - k * k) * sine + 2 * c * k * cosine};
    }
    return s;
  }

  ::mesh::affine shear_;
  std::array<std::array<double, 3>, 3> gradients_{}, metric_{};
};

// The bake-off's deformed cube.
class smooth_cube : public sheared_box {
public:
  smooth_cube() : sheared_box(::mesh::affine{{1, 1.1, 0.9}, 0.2, 0.1, 0.15, {}}) {}  // x += 0.2 y + 0.1 z, y += 0.15 z
  point position(int, point const& x) const override { return sheared(bend_(x)); }

private:
  ::mesh::smooth bend_;
};

class kershaw_cube : public sheared_box {
public:
  explicit kershaw_cube(double eps) : sheared_box(::mesh::affine{}), bend_{eps, eps} {}
  point position(int, point const& x) const override { return bend_(x); }

private:
  ::mesh::kershaw bend_;
};

// The unit ball: block 0 is a rounded cube inside, block 1 + 2 d + s lies on its face across direction d on side s, its
// z leading outwards. u = (1 - |x|^2) sin(k . x + phase).
class round_ball : public region {
public:
  point position(int block, point const& x) const override
  {
    if (block == 0) return inside({2 * x[0] - 1, 2 * x[1] - 1, 2 * x[2] - 1});
    auto const d = static_cast<std::size_t>((block - 1) / 2);
    bool const far = block % 2 == 0;
    point c{};
    c[d] = far ? 1 : -1;
    c[(d + 1) % 3] = 2 * x[far ? 0 : 1] - 1;
    c[(d + 2) % 3] = 2 * x[far ? 1 : 0] - 1;
    point const from = inside(c), to = on_sphere(c);
    point result{};
    for (std::size_t r = 0; r < 3; ++r) result[r] = from[r] + x[2] * (to[r] - from[r]);
    return result;
  }
  double solution(int component, point const& x) const override
  {
    return (1 - dot(x, x)) * std::sin(dot(wave, x) + 1 + component);
  }
  double source(int component, point const& x) const override
  {
    double const phase = dot(wave, x) + 1 + component, sine = std::sin(phase);
    return 6 * sine + 4 * dot(wave, x) * std::cos(phase) + (1 - dot(x, x)) * dot(wave, wave) * sine;
  }

private:
  static constexpr point wave{4, 2, 3};

  static double dot(point const& a, point const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  // The cube (-1, 1)^3 to the unit ball, its surface to the sphere.
  static point on_sphere(point const& c)
  {
    double const x = c[0] * c[0], y = c[1] * c[1], z = c[2] * c[2];
    return {c[0] * std::sqrt(1 - y / 2 - z / 2 + y * z / 3), c[1] * std::sqrt(1 - z / 2 - x / 2 + z * x / 3),
            c[2] * std::sqrt(1 - x / 2 - y / 2 + x * y / 3)};
  }
  static point inside(point const& c)
  {
    constexpr double half = 0.5, round = 0.4;
    point const s = on_sphere(c);
    point result{};
    for (std::size_t r = 0; r < 3; ++r) result[r] = half * ((1 - round) * c[r] + round * s[r]);
    return result;
  }
};

}  // namespace sumfac::bench
