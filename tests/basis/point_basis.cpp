// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values and slopes of tensor-product polynomials at any place, in one, two and three directions, against the oracle.
#include <sumfac/basis/detail/point_basis.hpp>
#include <sumfac/basis/quadrature.hpp>

#include <support/larger.hpp>
#include <support/points.hpp>
#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using reference::real;

template <class T, int Directions, int Nodes1d>
void compare()
{
  namespace detail = sumfac::detail;
  using scalar = sumfac::scalar_of<T>;
  constexpr int size = detail::power(Nodes1d, Directions);
  auto const u = support::random<scalar>(size, 3);
  auto const nodes = reference::gauss_lobatto(Nodes1d);
  detail::basis_constants<scalar, sumfac::gauss_lobatto<Nodes1d>> const constants;
  detail::node_row<scalar> const row{u.data()};
  support::generator next(8);
  real worst = 0;
  for (int i = 0; i < 20; ++i) {
    // Some places are nodes' own.
    sumfac::vector<T, Directions> xi;
    reference::place places[sumfac::width_of<T>];
    for (int lane = 0; lane < sumfac::width_of<T>; ++lane)
      for (int d = 0; d < Directions; ++d) {
        scalar const x = i < 3 ? constants.nodes[(i + d + lane) % Nodes1d] : static_cast<scalar>(next());
        places[lane][static_cast<std::size_t>(d)] = static_cast<real>(x);
        if constexpr (sumfac::width_of<T> == 1)
          xi[d] = x;
        else
          xi[d].set(lane, x);
      }
    detail::basis_at<T, Directions, Nodes1d> basis;
    basis.set_values(constants, Nodes1d, xi);
    T const value = detail::value_at<Directions - 1>(basis, Nodes1d, row);
    basis.set_slopes(constants, Nodes1d, xi);
    auto const all = detail::gradient_at<Directions - 1>(basis, Nodes1d, row);
    for (int lane = 0; lane < sumfac::width_of<T>; ++lane) {
      auto const lane_of = [&](T const& x) {
        if constexpr (sumfac::width_of<T> == 1)
          return static_cast<real>(x);
        else
          return static_cast<real>(x[lane]);
      };
      auto const values = [&](int p) { return u[static_cast<std::size_t>(p)]; };
      auto const note = [&](T const& got, int slope) {
        real const expected = reference::polynomial_at(nodes, Directions, values, places[lane], slope);
        real const allowed = reference::magnitude_at(nodes, Directions, values, places[lane], slope);
        worst = support::larger(worst,
                                std::abs(lane_of(got) - expected) / (allowed * std::numeric_limits<scalar>::epsilon()));
      };
      note(value, -1), note(all[0], -1);
      for (int d = 0; d < Directions; ++d) note(all[d + 1], d);
    }
  }
  INFO(Directions << " directions, " << Nodes1d << " nodes: " << static_cast<double>(worst));
  CHECK(static_cast<double>(worst) < 0.5);
}

TEST_CASE("point_basis: polynomials at any place, and their slopes")
{
  compare<double, 1, 2>();
  compare<double, 1, 9>();
  compare<double, 1, 32>();
  compare<double, 2, 3>();
  compare<double, 2, 8>();
  compare<double, 3, 4>();
  compare<float, 3, 3>();
  compare<float, 2, 16>();
  compare<sumfac::pack<double, 4>, 1, 5>();
  compare<sumfac::pack<double, 4>, 2, 4>();
  compare<sumfac::pack<float, 8>, 3, 3>();
}

}  // namespace
