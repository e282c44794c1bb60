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
  auto const sheared = [](auto const& x) {
    return sumfac::vector<double, 3>{2 * x[0] + 0.5 * x[1], x[1] + 0.5 * x[2], x[2]};
  };
  sumfac::mesh const box = sumfac::box_mesh({1, 1, 1}, sheared, order);
  sumfac::host backend;
  // [operator]
  sumfac::element_operator<elasticity, order, Scalar, Geometry> A{backend, box, {.lambda = 3, .mu = 2}};
  std::vector<Scalar> u_data(3 * n * n * n), v_data(u_data.size());
  sumfac::view u(u_data.data(), 1, 3, n, n, n);                  // (E, C, z, y, x)
  sumfac::view v(v_data.data(), 1, 3, n, n, n);
  // [operator]
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c)
          for (int d = 0; d < 3; ++d) u(0, c, k, j, i) += static_cast<Scalar>(G[c][d] * box(0, k, j, i, d));
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
