// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form of the user's own: diffusion with a coefficient that varies in space, plus a reaction.

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

// [form]
struct diffusion_reaction {
  static constexpr auto trial = sumfac::value | sumfac::gradient;
  static constexpr auto test = sumfac::value | sumfac::gradient;

  template <class T>
  struct factors {                      // what a point of the mesh stores: seven numbers
    sumfac::symmetric<T, 3> diffusion;
    T reaction;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    using number = sumfac::scalar_of<T>;  // double or float: T is that, or a pack of it
    T const kappa = number(1) + number(0.5) * x.position()[0];
    return {kappa * sumfac::pulled_back_metric(x), number(k) * x.measure()};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.reaction * u.value, .gradient = f.diffusion * u.gradient};
  }

  double k = 1;
};
// [form]

// [functions]
// (rho u, v) with rho = sqrt(1 + y) exp(z)
struct layered_mass {
  static constexpr auto trial = sumfac::value, test = sumfac::value;

  template <class T>
  struct factors {
    T measure;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    using std::exp, std::sqrt;  // of numbers; those of packs are found by their type
    using number = sumfac::scalar_of<T>;
    T const root = sqrt(number(1) + x.position()[1]);
    return {root * exp(x.position()[2]) * x.measure()};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.measure * u.value};
  }
};
// [functions]

namespace {

// u' R u for u = x at the nodes: the integral of (1 + x / 2) |grad x|^2 + k x^2, 5/4 + k/3 over the unit cube.
template <class Operator>
double energy(Operator const& R)
{
  using scalar = typename Operator::scalar_type;
  constexpr int n = Operator::nodes_1d;
  std::vector<scalar> u_data, v_data(n * n * n);
  for (int kj = 0; kj < n * n; ++kj)
    for (long double x : sumfac::gauss_lobatto<n>::nodes) u_data.push_back(static_cast<scalar>((1 + x) / 2));
  R.apply(sumfac::view(u_data.data(), 1, n, n, n), sumfac::view(v_data.data(), 1, n, n, n));
  double sum = 0;
  for (std::size_t p = 0; p < u_data.size(); ++p) sum += double(u_data[p]) * double(v_data[p]);
  return sum;
}

// The form with other numbers, another policy of geometry or another backend.
template <class Scalar, class Geometry, class Backend>
double energy_of(Backend const& backend, sumfac::mesh<3> const& cube)
{
  return energy(sumfac::element_operator<diffusion_reaction, 2, Backend, Scalar, Geometry>{backend, cube, {.k = 2}});
}

// u' M u for u = 1: the integral of rho.
template <class Scalar, class Geometry>
double mass_of(sumfac::mesh<3> const& cube)
{
  sumfac::host backend;
  sumfac::element_operator<layered_mass, 4, Scalar, Geometry> M{backend, cube};
  std::vector<Scalar> u(5 * 5 * 5, 1), v(5 * 5 * 5);
  M.apply(sumfac::view(u.data(), 1, 5, 5, 5), sumfac::view(v.data(), 1, 5, 5, 5));
  double sum = 0;
  for (Scalar x : v) sum += double(x);
  return M.work().flops > 0 ? sum : 0;
}

bool is_right(char const* what, double value, double expected, double tolerance)
{
  std::printf("%-32s %.12g (%.12g)\n", what, value, expected);
  return std::abs(value - expected) < tolerance;
}

}  // namespace

int main()
{
  sumfac::mesh const cube = sumfac::box_mesh({1, 1, 1});
  sumfac::host backend;
  sumfac::checked watched;

  // [operator]
  sumfac::element_operator<diffusion_reaction, 5, sumfac::gauss<7>> R{backend, cube, {.k = 2}};
  // [operator]

  double const expected = 23.0 / 12;
  bool right = is_right("double, stored", energy(R), expected, 1e-12);
  right &= is_right("float, stored", energy_of<float, sumfac::stored>(backend, cube), expected, 1e-5);
  right &= is_right("float, trilinear", energy_of<float, sumfac::trilinear>(backend, cube), expected, 1e-5);
  right &= is_right("high_low, affine", energy_of<sumfac::high_low, sumfac::affine>(backend, cube), expected, 1e-5);
  right &= is_right("float, isoparametric, checked", energy_of<float, sumfac::isoparametric<2>>(watched, cube),
                    expected, 1e-5);
  double const mass = (std::sqrt(8.0) - 1) / 1.5 * (std::exp(1.0) - 1);
  right &= is_right("mass, double, stored", mass_of<double, sumfac::stored>(cube), mass, 1e-9);
  right &= is_right("mass, float, trilinear", mass_of<float, sumfac::trilinear>(cube), mass, 1e-5);
  return right ? 0 : 1;
}
