// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The modes of lines: S' M S = I and S' K S = diag, in every lane; what is uncoupled stays apart.
#include <sumfac/math/pack.hpp>
#include <sumfac/solver/detail/line_modes.hpp>

#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <cmath>

namespace {

template <class T>
double lane_of(T const& x, int lane)
{
  if constexpr (sumfac::width_of<T> == 1)
    return static_cast<double>(x);
  else
    return static_cast<double>(x[lane]);
}
template <class T>
void set_lane(T& x, int lane, double value)
{
  if constexpr (sumfac::width_of<T> == 1)
    x = static_cast<T>(value);
  else
    x.set(lane, static_cast<sumfac::scalar_of<T>>(value));
}

// K = B' B and M = C' C + 1 in each lane, at random; the last row and column of both apart from the others.
template <class T, int Size>
void check_modes(double tolerance)
{
  support::generator next(Size);
  static sumfac::detail::line_matrices<T, Size> line;
  constexpr int width = sumfac::width_of<T>;
  for (int lane = 0; lane < width; ++lane) {
    double b[Size][Size], c[Size][Size];
    for (int i = 0; i < Size; ++i)
      for (int j = 0; j < Size; ++j) b[i][j] = next(), c[i][j] = next();
    for (int i = 0; i < Size; ++i)
      for (int j = 0; j < Size; ++j) {
        double k = 0, m = i == j ? 1 : 0;
        for (int q = 0; q < Size; ++q) k += (1 + 10 * lane) * b[q][i] * b[q][j], m += c[q][i] * c[q][j];
        bool const apart = (i == Size - 1) != (j == Size - 1);
        set_lane(line.stiffness[i][j], lane, apart ? 0 : k);
        set_lane(line.mass[i][j], lane, apart ? 0 : m);
      }
  }
  auto const given = line;
  auto const modes = line.modes();
  for (int lane = 0; lane < width; ++lane) {
    double greatest = 0;
    for (int m = 0; m < Size; ++m) greatest = std::fmax(greatest, lane_of(modes.values[m], lane));
    for (int m = 0; m < Size; ++m)
      for (int l = 0; l < Size; ++l) {
        double mass = 0, stiffness = 0;
        for (int i = 0; i < Size; ++i)
          for (int j = 0; j < Size; ++j) {
            double const both = lane_of(modes.vectors[i][m], lane) * lane_of(modes.vectors[j][l], lane);
            mass += both * lane_of(given.mass[i][j], lane), stiffness += both * lane_of(given.stiffness[i][j], lane);
          }
        CHECK(std::abs(mass - (m == l)) <= tolerance);
        CHECK(std::abs(stiffness - (m == l) * lane_of(modes.values[m], lane)) <= tolerance * greatest);
      }
    for (int i = 0; i < Size - 1; ++i) {
      CHECK(lane_of(modes.vectors[i][Size - 1], lane) == 0);
      CHECK(lane_of(modes.vectors[Size - 1][i], lane) == 0);
    }
  }
}

}  // namespace

TEST_CASE("line modes: of random lines of 2 to 18 nodes, in packs and numbers, double and float")
{
  using packed = sumfac::pack<double, sumfac::native_width<double>>;
  check_modes<packed, 2>(1e-13);
  check_modes<packed, 5>(1e-13);
  check_modes<packed, 18>(1e-12);
  check_modes<double, 10>(1e-13);
  check_modes<float, 6>(1e-5);
}
