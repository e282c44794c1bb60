// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values, gradients and sources at points of quadrilaterals, lines, surfaces and curves, and of other nodes; points
// found in triangles, tetrahedra and prisms, and what functions are there.
#include "../operator/cells.hpp"
#include "points.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/dofs/function_space.hpp>

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

// A box of triangles, tetrahedra or prisms, bent by a polynomial of degree 2, which mesh nodes of that degree have.
template <sumfac::space Space>
struct bent_cells {
  static constexpr int directions = Space.directions;
  static constexpr bool prisms = Space.shape == sumfac::cell_shape::prism;
  static constexpr int vertices = prisms ? 6 : directions + 1, in_sum = prisms ? 2 : directions;
  using mesh_type = sumfac::cell_mesh<directions, directions, Space.shape>;
  using place = sumfac::vector<double, directions>;
  using jacobian = sumfac::matrix<double, directions>;

  checks::box_of_cells box{Space, 2};
  double bend = 0.2;

  int elements() const { return static_cast<int>(box.table.size()) / vertices; }
  int vertex(int e, int v) const { return box.table[static_cast<std::size_t>(e * vertices + v)]; }
  double corner(int e, int v, int c) const
  {
    return box.points[static_cast<std::size_t>(vertex(e, v) * directions + c)];
  }

  // Where a place of an element is in the box, and the derivative of that.
  jacobian edges(int e) const
  {
    jacobian j;
    for (int c = 0; c < directions; ++c)
      for (int d = 0; d < directions; ++d)
        j(c, d) = d < in_sum ? corner(e, d + 1, c) - corner(e, 0, c) : (corner(e, 3, c) - corner(e, 0, c)) / 2;
    return j;
  }
  place in_box(int e, place xi) const
  {
    if (prisms) xi[directions - 1] += 1;
    place x = edges(e) * xi;
    for (int c = 0; c < directions; ++c) x[c] += corner(e, 0, c);
    return x;
  }
  place bent(place const& x) const
  {
    if constexpr (directions == 2)
      return {x[0] + bend * x[1] * x[1], x[1] - bend * x[0] * x[1]};
    else
      return {x[0] + bend * x[1] * x[2], x[1] - bend * x[0] * x[0], x[2] + bend * x[0] * x[1]};
  }
  jacobian slopes_of_bent(place const& x) const
  {
    if constexpr (directions == 2)
      return {1, 2 * bend * x[1], -bend * x[1], 1 - bend * x[0]};
    else
      return {1, bend * x[2], bend * x[1], -2 * bend * x[0], 1, 0, bend * x[1], bend * x[0], 1};
  }

  // All but one element, or all.
  mesh_type mesh(int left_out = -1) const
  {
    std::vector<double> nodes;
    std::vector<int> table;
    for (int e = 0; e < elements(); ++e) {
      if (e == left_out) continue;
      for (int v = 0; v < vertices; ++v) table.push_back(vertex(e, v));
      for (int k = 0; k <= (directions == 3 ? 2 : 0); ++k)
        for (int j = 0; j <= (prisms ? 2 : 2 - k); ++j)
          for (int i = 0; i <= (prisms ? 2 - j : 2 - k - j); ++i) {
            double const at[] = {i / 2.0, j / 2.0, prisms ? k - 1 : k / 2.0};
            place xi;
            for (int d = 0; d < directions; ++d) xi[d] = at[d];
            place const x = bent(in_box(e, xi));
            nodes.insert(nodes.end(), x.entries, x.entries + directions);
          }
    }
    index_t const count = static_cast<index_t>(table.size()) / vertices;
    index_t const size = static_cast<index_t>(nodes.size()) / (count * directions);
    return {sumfac::view(nodes.data(), count, size, index_t{directions}), sumfac::view(table.data(), count, vertices),
            static_cast<index_t>(box.points.size()) / directions};
  }

  // The lowest element that has these vertices.
  int lowest(std::vector<int> const& which) const
  {
    for (int e = 0; e < elements(); ++e) {
      auto const* const own = &box.table[static_cast<std::size_t>(e * vertices)];
      if (std::all_of(which.begin(), which.end(), [&](int v) { return std::count(own, own + vertices, v) > 0; }))
        return e;
    }
    return -1;
  }
};

struct planted_points {
  std::vector<int> elements{};
  std::vector<double> places{}, points{};

  template <class Cells>
  void add(Cells const& cells, int e, typename Cells::place const& xi)
  {
    elements.push_back(e);
    auto const x = cells.bent(cells.in_box(e, xi));
    places.insert(places.end(), xi.entries, xi.entries + Cells::directions);
    points.insert(points.end(), x.entries, x.entries + Cells::directions);
  }
};
auto rows_of(std::vector<double> const& numbers, int directions)
{
  return sumfac::view(numbers.data(), static_cast<index_t>(numbers.size()) / directions, directions);
}

template <class Cells>
planted_points inside(Cells const& cells, int of_element)
{
  planted_points all;
  support::generator next(8);
  for (int i = 0; i < of_element * cells.elements(); ++i) {
    typename Cells::place xi;
    double sum = next() + 1.001;
    for (int d = 0; d < Cells::in_sum; ++d) xi[d] = next() + 1.001, sum += xi[d];
    for (int d = 0; d < Cells::directions; ++d) xi[d] = d < Cells::in_sum ? xi[d] / sum : next();
    all.add(cells, i % cells.elements(), xi);
  }
  return all;
}

template <sumfac::space Space>
void find_in_cells()
{
  using cells_type = bent_cells<Space>;
  constexpr int directions = Space.directions;
  for (double const bend : {0.0, 0.2}) {
    cells_type const cells{.bend = bend};
    CAPTURE(directions, cells.prisms, bend);
    auto const all = inside(cells, 20);
    auto const mesh = cells.mesh();
    sumfac::locator const where{sumfac::host{2}, mesh};
    auto const found = where.locate(rows_of(all.points, directions));
    REQUIRE(found.all_found());
    for (std::size_t i = 0; i < all.elements.size(); ++i) {
      CHECK(found.elements()(index_t(i)) == all.elements[i]);
      for (int d = 0; d < directions; ++d)
        CHECK(std::abs(found.coordinates()(index_t(i), d) - all.places[i * directions + std::size_t(d)]) < 1e-12);
    }

    // Vertices, and the middle of a side: of the lowest element, from wherever they are looked at.
    planted_points shared;
    std::vector<int> expected;
    for (int e = 0; e < cells.elements(); ++e) {
      typename cells_type::place at{};
      if (cells.prisms) at[directions - 1] = -1;
      shared.add(cells, e, at);
      expected.push_back(cells.lowest({cells.vertex(e, 0)}));
      std::vector<int> side{cells.vertex(e, 0)};
      for (int v = 1; v < directions; ++v) at[v - 1] = 1.0 / directions, side.push_back(cells.vertex(e, v));
      shared.add(cells, e, at);
      expected.push_back(cells.lowest(side));
    }
    auto const of_all = where.locate(rows_of(shared.points, directions));
    CHECK(of_all.beyond() < 1e-10);
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(of_all.elements()(index_t(i)) == expected[i]);

    // What is in the boxes of elements, but not in them.
    auto const holed = cells.mesh(3);
    sumfac::locator const beside{sumfac::host{}, holed};
    auto const left = beside.locate(rows_of(all.points, directions));
    for (std::size_t i = 0; i < all.elements.size(); ++i) {
      int const e = all.elements[i];
      CHECK(left.elements()(index_t(i)) == (e == 3 ? -1 : e < 3 ? e : e - 1));
    }
    std::vector<double> outside(directions, 0.5);
    outside[0] = 1.3;
    CHECK(where.locate(rows_of(outside, directions)).misses().extent(0) == 1);
  }
}

TEST_CASE("locator: points of triangles, tetrahedra and prisms, straight and curved")
{
  find_in_cells<sumfac::triangle(1)>();
  find_in_cells<sumfac::tetrahedron(1)>();
  find_in_cells<sumfac::prism(1)>();
}

TEST_CASE("locator: tetrahedra far from the origin, of extreme sizes, and a tolerance")
{
  std::vector<double> const corners{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  std::vector<int> const table{0, 1, 2, 3, 1, 2, 3, 4};
  struct {
    double offset, size;
  } const moved[] = {{1e6, 1e-3}, {0, 1e-250}, {0, 1e250}};
  for (auto const& [offset, size] : moved) {
    auto points = corners;
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = offset * double(i % 3 + 1) + size * points[i] / 3;
    sumfac::cell_mesh<3> const mesh(rows_of(points, 3), sumfac::view(table.data(), 2, 4));
    auto const found = sumfac::locator{sumfac::host{}, mesh}.locate(rows_of(points, 3));
    INFO(found.report());
    CHECK(found.all_found());
    CHECK(found.elements()(4) == 1);
  }

  // 4e-3 beyond each side of the first.
  std::vector<double> const beside{-4e-3, 0.3, 0.3, 0.3, -4e-3, 0.3, 0.3, 0.3, -4e-3, 0.3, 0.3, 0.404};
  sumfac::cell_mesh<3> const one(rows_of(corners, 3), sumfac::view(table.data(), 1, 4));
  for (double const tolerance : {3.99e-3, 4.01e-3}) {
    sumfac::locator const where{sumfac::host{}, one, sumfac::unsaid_nodes{}, {.tolerance = tolerance}};
    auto const found = where.locate(rows_of(beside, 3));
    CHECK(found.misses().extent(0) == (tolerance < 4e-3 ? 4 : 0));
    CHECK(std::abs(found.beyond() - (tolerance < 4e-3 ? 0 : 4e-3)) < 1e-15);
  }
}

// A polynomial of degree 2 is one of degree 4 in reference coordinates.
template <sumfac::space Space>
void evaluate_in_cells()
{
  constexpr int directions = Space.directions;
  bent_cells<Space> const cells;
  CAPTURE(directions, cells.prisms);
  using place = typename bent_cells<Space>::place;
  auto const f = [](place const& x) { return 1 + x[0] * x[1] - 2 * x[1] * x[1] + x[directions - 1]; };
  auto const all = inside(cells, 3);
  auto const count = static_cast<index_t>(all.elements.size());
  auto const mesh = cells.mesh();
  sumfac::function_space const V{mesh, Space.degree, {.nodes = Space.nodes}};
  std::vector<double> const x = V.values(f);
  std::vector<double> u(all.elements.size()), g(u.size() * directions), slopes(g.size());
  std::vector<std::vector<double>> sums;
  for (int const threads : {1, 2}) {
    auto const R = V.restriction(sumfac::host{threads});
    auto const found = sumfac::locator{sumfac::host{threads}, mesh}.locate(rows_of(all.points, directions));
    sumfac::evaluator<Space> const at{R, found, mesh, {}, {.sources = true}};
    at.values(checks::global_view(x), checks::global_view(u));
    at.reference_gradients(checks::global_view(x), sumfac::view(g.data(), count, directions));
    at.gradients(checks::global_view(x), sumfac::view(slopes.data(), count, directions));
    std::vector<double> y(x.size());
    at.add_sources(checks::global_view(u), checks::global_view(y));
    sums.push_back(y);
  }
  CHECK(sums[0] == sums[1]);
  double squares = 0, product = 0;
  for (std::size_t i = 0; i < x.size(); ++i) product += x[i] * sums[0][i];
  for (std::size_t i = 0; i < u.size(); ++i) {
    place xi, at;
    for (int d = 0; d < directions; ++d)
      xi[d] = all.places[i * directions + std::size_t(d)], at[d] = all.points[i * directions + std::size_t(d)];
    place slope{};
    slope[0] = at[1], slope[1] = at[0] - 4 * at[1], slope[directions - 1] += 1;
    auto const straight = cells.in_box(all.elements[i], xi);
    place const along = transpose(cells.slopes_of_bent(straight) * cells.edges(all.elements[i])) * slope;
    CHECK(std::abs(u[i] - f(at)) < 1e-13);
    for (int d = 0; d < directions; ++d) {
      CHECK(std::abs(slopes[i * directions + std::size_t(d)] - slope[d]) < 1e-12);
      CHECK(std::abs(g[i * directions + std::size_t(d)] - along[d]) < 1e-12);
    }
    squares += u[i] * u[i];
  }
  CHECK(std::abs(product - squares) < 1e-13 * squares);
}

TEST_CASE("evaluator: values, gradients and sources in triangles, tetrahedra and prisms")
{
  evaluate_in_cells<sumfac::triangle(4)>();
  evaluate_in_cells<sumfac::tetrahedron(4, sumfac::node_placement::equispaced)>();
  evaluate_in_cells<sumfac::prism(4)>();
}

// z = 1 + 2 x - y: the gradient of x, (1, 0, 0), less its part along (2, -1, -1).
TEST_CASE("evaluator: triangles in space, and places that are refused")
{
  std::vector<double> const points{0, 0, 1, 1, 0, 3, 0, 1, 0, 1, 1, 2};
  std::vector<int> const table{0, 1, 2, 3, 2, 1}, elements{1, 0};
  std::vector<double> places{0.25, 0.5, 0.125, 0.75}, u(4), g(12);
  sumfac::cell_mesh<2, 3> const mesh(sumfac::view(points.data(), 4, 3), sumfac::view(table.data(), 2, 3));
  sumfac::function_space const V{mesh, 2, {.components = 2}};
  auto const R = V.restriction(sumfac::host{});
  auto const x = V.values([](auto const& at) { return sumfac::vector<double, 2>{at[0], 1}; });
  auto const make = [&] {
    return sumfac::evaluator<sumfac::surface_triangle(2)>{R, sumfac::view(elements.data(), 2), rows_of(places, 2),
                                                          mesh};
  };
  auto const at = make();
  at.values(checks::global_view(x), sumfac::view(u.data(), 2, 2));
  at.gradients(checks::global_view(x), sumfac::view(g.data(), 2, 2, 3));
  double const expected[] = {0.75, 1, 0.125, 1}, slope[] = {1.0 / 3, 1.0 / 3, 1.0 / 3, 0, 0, 0};
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(u[i] - expected[i]) < 1e-15);
  for (std::size_t i = 0; i < 12; ++i) CHECK(std::abs(g[i] - slope[i % 6]) < 1e-14);

  using checks::message_of;
  places[3] = 1;
  CHECK(message_of(make) ==
        "sumfac::evaluator: the reference coordinates of a point are outside of the element (point "
        "1: the first 2 are 1.125 in sum, 0 to 1 expected, 1e-10 beyond them at most)");
  places[2] = -0.5;
  CHECK(message_of(make) ==
        "sumfac::evaluator: a reference coordinate is outside of the element (point 1, direction "
        "0: got -0.5, 0 to 1 expected, 1e-10 beyond them at most)");
  using too_many = sumfac::evaluator<sumfac::surface_triangle(3)>;
  CHECK(message_of([&] {
          too_many{R, sumfac::view(elements.data(), 2), rows_of(places, 2)};
        }) ==
        "sumfac::evaluator: number of nodes of an element of the restriction does not match (expected 10, got 6)");
}

}  // namespace
