// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values, gradients and sources at points of quadrilaterals, lines, surfaces and curves, and of other nodes.
#include "points.hpp"

#include <sumfac/backend/checked.hpp>

#include <cmath>
#include <vector>

namespace {

using sumfac::index_t;

// A row of `cells` elements along x, bent where there are more coordinates than directions; one layer along y.
template <sumfac::space Space, class Backend>
struct strip {
  static constexpr int n = Space.degree + 1, directions = Space.directions, coordinates = Space.coordinates;
  static constexpr int size = sumfac::detail::power(n, directions), m = 3, cells = 4;
  static constexpr int mesh_size = sumfac::detail::power(m, directions);

  strip() : set(reference::gauss_lobatto(m))
  {
    for (int e = 0; e < cells; ++e) {
      for (int p = 0; p < size; ++p) table.push_back(p / n * (cells * (n - 1) + 1) + e * (n - 1) + p % n);
      for (int p = 0; p < mesh_size; ++p) {
        double const s = e + (static_cast<double>(set.nodes[static_cast<std::size_t>(p % m)]) + 1) / 2;
        double const t = p / m % m / 2.0;
        double const place[] = {s + 0.1 * s * t, t + 0.2 * std::sin(s), std::cos(s) + t * s};
        for (int c = 0; c < coordinates; ++c) coordinates_of_nodes.push_back(place[c]);
      }
    }
  }
  int nodes() const { return (cells * (n - 1) + 1) * (directions == 2 ? n : 1); }
  auto restriction(Backend const& backend) const
  {
    if constexpr (directions == 2)
      return sumfac::restriction{backend, sumfac::view(table.data(), cells, n, n), nodes()};
    else
      return sumfac::restriction{backend, sumfac::view(table.data(), cells, n), nodes()};
  }
  auto mesh() const
  {
    if constexpr (directions == 2)
      return sumfac::view(coordinates_of_nodes.data(), cells, m, m, coordinates);
    else
      return sumfac::view(coordinates_of_nodes.data(), cells, m, coordinates);
  }

  reference::rule set;
  std::vector<int> table;
  std::vector<double> coordinates_of_nodes;
};

template <sumfac::space Space, class Backend>
void compare(Backend const& backend, reference::rule const& nodes)
{
  using case_type = strip<Space, Backend>;
  constexpr int directions = Space.directions, coordinates = Space.coordinates, count = 50;
  case_type const p;
  support::generator next(4);
  std::vector<int> elements;
  std::vector<double> places;
  for (int i = 0; i < count; ++i) {
    elements.push_back(static_cast<int>(next.bits() % case_type::cells));
    for (int d = 0; d < directions; ++d) places.push_back(next());
  }
  auto const x = support::random<double>(static_cast<std::size_t>(p.nodes()), 2);
  auto const R = p.restriction(backend);
  sumfac::view const place_view(places.data(), count, directions);
  sumfac::evaluator<Space, double, Backend> const at{
      R, sumfac::view(elements.data(), count), place_view, p.mesh(), {}, {.sources = true}};
  std::vector<double> u(count), g(count * directions), slopes(count * coordinates), y(x.size());
  auto const global = checks::global_view(x);
  at.values(global, checks::global_view(u));
  at.reference_gradients(global, sumfac::view(g.data(), count, directions));
  at.gradients(global, sumfac::view(slopes.data(), count, coordinates));
  at.add_sources(checks::global_view(u), checks::global_view(y));

  double squares = 0, product = 0;
  for (std::size_t i = 0; i < x.size(); ++i) product += x[i] * y[i];
  for (std::size_t i = 0; i < count; ++i) {
    squares += u[i] * u[i];
    int const e = elements[i];
    auto const values = [&](int k) {
      return x[static_cast<std::size_t>(p.table[static_cast<std::size_t>(e * case_type::size + k)])];
    };
    reference::place xi{};
    for (int d = 0; d < directions; ++d)
      xi[static_cast<std::size_t>(d)] = places[i * directions + static_cast<std::size_t>(d)];
    CHECK(std::abs(u[i] - static_cast<double>(reference::polynomial_at(nodes, directions, values, xi))) < 1e-13);
    for (int d = 0; d < directions; ++d) {
      auto const expected = static_cast<double>(reference::polynomial_at(nodes, directions, values, xi, d));
      CHECK(std::abs(g[i * directions + static_cast<std::size_t>(d)] - expected) < 1e-12);
      // The gradient times the derivative of the map along d is the derivative of the function along d; and a gradient
      // along a surface has no part across it, which its being a combination of these derivatives says.
      double along = 0;
      for (int c = 0; c < coordinates; ++c) {
        auto const node = [&](int k) {
          return p.coordinates_of_nodes[static_cast<std::size_t>((e * case_type::mesh_size + k) * coordinates + c)];
        };
        along += static_cast<double>(reference::polynomial_at(p.set, directions, node, xi, d)) *
                 slopes[i * coordinates + static_cast<std::size_t>(c)];
      }
      CHECK(std::abs(along - expected) < 1e-12);
    }
    if constexpr (directions == 2 && coordinates == 3) {
      double tangent[2][3];
      for (int d = 0; d < 2; ++d)
        for (int c = 0; c < 3; ++c) {
          auto const node = [&](int k) {
            return p.coordinates_of_nodes[static_cast<std::size_t>((e * case_type::mesh_size + k) * 3 + c)];
          };
          tangent[d][c] = static_cast<double>(reference::polynomial_at(p.set, 2, node, xi, d));
        }
      double across = 0;
      for (int c = 0; c < 3; ++c) {
        int const a = (c + 1) % 3, b = (c + 2) % 3;
        double const normal = tangent[0][a] * tangent[1][b] - tangent[0][b] * tangent[1][a];
        across += slopes[3 * i + static_cast<std::size_t>(c)] * normal;
      }
      CHECK(std::abs(across) < 1e-12);
    }
  }
  CHECK(std::abs(product - squares) < 1e-12 * squares);

  // Gradients go with the inverse of the mesh's size, however small or large that is, to the last digit.
  auto const evaluated = [&](int power) {
    auto other = p;
    for (double& c : other.coordinates_of_nodes) c = std::ldexp(c, power);
    sumfac::evaluator<Space, double, Backend> const there{
        R, sumfac::view(elements.data(), count), place_view, other.mesh(), {}, {.sources = true}};
    std::vector<double> result(count * coordinates);
    there.gradients(global, sumfac::view(result.data(), count, coordinates));
    for (double& slope : result) slope = std::ldexp(slope, power);
    return result;
  };
  for (int const power : {-1000, -333, 333, 1000}) CHECK(evaluated(power) == slopes);
  CHECK_THROWS_WITH(evaluated(-1030), Catch::StartsWith("sumfac::evaluator: the mesh has gradients beyond the numbers "
                                                        "of type double at point 0 of 50 (largest entry"));
}

TEST_CASE("evaluator: spaces of fewer directions, and of other nodes")
{
  sumfac::host const host;
  sumfac::checked const checked;
  compare<sumfac::quadrilateral(3)>(host, reference::gauss_lobatto(4));
  compare<sumfac::quadrilateral(2)>(checked, reference::gauss_lobatto(3));
  compare<sumfac::line(5)>(host, reference::gauss_lobatto(6));
  compare<sumfac::line(2)>(checked, reference::gauss_lobatto(3));
  compare<sumfac::surface(3)>(host, reference::gauss_lobatto(4));
  compare<sumfac::surface(2)>(checked, reference::gauss_lobatto(3));
  compare<sumfac::curve(4, 3)>(host, reference::gauss_lobatto(5));
  compare<sumfac::curve(4, 2)>(host, reference::gauss_lobatto(5));
  compare<sumfac::quadrilateral(3, sumfac::node_placement::gauss)>(host, reference::gauss(4));
  compare<sumfac::quadrilateral(3, sumfac::node_placement::equispaced)>(host, reference::equispaced(4));
  CHECK(checked.finding_count() == 0);
}

}  // namespace
