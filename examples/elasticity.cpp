// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form of three components that are coupled: linear elasticity.
#include "elasticity_form.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr int order = 2, n = order + 1;

// u' A u for the displacement u = G x of one sheared element.
template <class Scalar, class Geometry>
double energy(double const (&G)[3][3])
{
  double const vertices[] = {0, 0, 0,    2, 0, 0,    0.5, 1, 0,    2.5, 1, 0,
                             0, 0.5, 1,  2, 0.5, 1,  0.5, 1.5, 1,  2.5, 1.5, 1};
  sumfac::view nodes(vertices, 1, 2, 2, 2, 3);
  sumfac::host backend;
  // [operator]
  sumfac::element_operator<elasticity, order, Scalar, Geometry> A{backend, nodes, {.lambda = 3, .mu = 2}};
  std::vector<Scalar> u_data(3 * n * n * n), v_data(u_data.size());
  sumfac::view u(u_data.data(), 1, 3, n, n, n);                  // (E, C, z, y, x)
  sumfac::view v(v_data.data(), 1, 3, n, n, n);
  // [operator]
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        double const xi = i / 2.0, eta = j / 2.0, zeta = k / 2.0;
        double const at[3] = {2 * xi + 0.5 * eta, eta + 0.5 * zeta, zeta};
        for (int c = 0; c < 3; ++c)
          u(0, c, k, j, i) = static_cast<Scalar>(G[c][0] * at[0] + G[c][1] * at[1] + G[c][2] * at[2]);
      }
  A.apply(u, v);
  double sum = 0;
  for (std::size_t p = 0; p < u_data.size(); ++p) sum += double(u_data[p]) * double(v_data[p]);
  return sum;
}

bool is_right(char const* what, double value, double expected, double tolerance)
{
  std::printf("%-20s u' A u = %.9f (%.0f)\n", what, value, expected);
  return std::abs(value - expected) < tolerance;
}

}  // namespace

int main()
{
  // The volume is 2: 2 (lambda (div u)^2 + 2 mu |symmetric part of G|^2).
  double const stretch[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}};   // 2 (3 + 4)
  double const shear[3][3] = {{0, 1, 0}, {0, 0, 0}, {0, 0, 0}};     // 2 (4 / 2)
  double const rotation[3][3] = {{0, 1, 0}, {-1, 0, 2}, {0, -2, 0}};
  bool right = is_right("stretch", energy<double, sumfac::stored>(stretch), 14, 1e-12);
  right &= is_right("shear", energy<double, sumfac::stored>(shear), 4, 1e-12);
  right &= is_right("rotation", energy<double, sumfac::stored>(rotation), 0, 1e-12);
  right &= is_right("stretch, f32 affine", energy<float, sumfac::affine>(stretch), 14, 1e-4);
  right &= is_right("shear, f32 trilinear", energy<float, sumfac::trilinear>(shear), 4, 1e-4);
  return right ? 0 : 1;
}
