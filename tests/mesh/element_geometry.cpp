// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tests of mesh/element_geometry.hpp: Jacobians against hand values, closed formulas and the reference.
#include <sumfac/mesh/element_geometry.hpp>

#include <sumfac/backend/host.hpp>
#include <sumfac/view/view.hpp>

#include <catch2/catch.hpp>
#include <support/larger.hpp>
#include <support/mesh.hpp>
#include <support/message_of.hpp>
#include <support/reference.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using position = std::array<double, 3>;
template <class T, class Layout = sumfac::layout_right>
using nodes_view = sumfac::view<T, sumfac::dextents<5>, Layout>;
template <class Points, class T = double const, class Layout = sumfac::layout_right>
struct geometry : sumfac::element_geometry<Points, nodes_view<T, Layout>> {
  template <class Set = sumfac::gauss_lobatto_nodes>
  explicit geometry(nodes_view<T, Layout> const& nodes, Set const& set = {})
      : sumfac::element_geometry<Points, nodes_view<T, Layout>>(nodes, set)
  {
  }
};

constexpr double epsilon = std::numeric_limits<double>::epsilon();

nodes_view<double const> view_of(mesh::nodes const& mesh)
{
  int const m = mesh.nodes_1d;
  return nodes_view<double const>(mesh.data(), mesh.elements, m, m, m, 3);
}

// One quadrature point of one element, in plain numbers.
struct sample {
  double jacobian[3][3], det, weight;
  position where;
};

// All points of all elements, evaluated in T: (E, g, g, g).
template <class T, class Geometry>
std::vector<sample> samples(Geometry const& geometry)
{
  constexpr int g = Geometry::points_1d;
  std::vector<sample> result(static_cast<std::size_t>(geometry.elements() * g * g * g));
  sumfac::index_t const end = geometry.elements();
  auto const lane_of = [](auto const& x, int lane) {
    if constexpr (std::is_same_v<T, double>)
      return static_cast<void>(lane), x;
    else
      return x[lane];
  };
  auto const refused =
      geometry.template visit<T>(0, end, [&](sumfac::index_t e, int s, int r, int q, sumfac::mapping<T> const& x) {
        for (int lane = 0; lane < sumfac::width_of<T> && e + lane < end; ++lane) {
          sample& out = result[static_cast<std::size_t>((((e + lane) * g + s) * g + r) * g + q)];
          for (int a = 0; a < 3; ++a) {
            out.where[static_cast<std::size_t>(a)] = lane_of(x.position()[a], lane);
            for (int b = 0; b < 3; ++b) out.jacobian[a][b] = lane_of(x.jacobian()(a, b), lane);
          }
          out.det = lane_of(x.det(), lane);
          out.weight = lane_of(x.weight(), lane);
        }
      });
  CHECK(refused == end);
  return result;
}

double volume(std::vector<sample> const& points)
{
  double sum = 0;
  for (sample const& x : points) sum += x.weight * x.det;
  return sum;
}

// The largest difference of any entry of any Jacobian to the derivative of the map at reference points of [-1, 1]^3.
template <class Points>
double jacobian_error(std::vector<sample> const& points, std::function<std::array<position, 3>(position)> const& exact)
{
  double largest = 0;
  std::size_t next = 0;
  for (long double const z : Points::nodes)
    for (long double const y : Points::nodes)
      for (long double const x : Points::nodes) {
        auto const j = exact({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
        for (std::size_t a = 0; a < 3; ++a)
          for (std::size_t b = 0; b < 3; ++b)
            largest = support::larger(largest, std::fabs(points[next].jacobian[a][b] - j[a][b]));
        ++next;
      }
  return largest;
}

// One element [-1, 1]^3, its nodes at `where`, mapped.
template <class Map>
mesh::nodes element(reference::rule const& where, Map const& map)
{
  return mesh::mapped(mesh::box({1, 1, 1}, where), [&](position const& x) {
    return map(position{2 * x[0] - 1, 2 * x[1] - 1, 2 * x[2] - 1});
  });
}

// What rounding of coordinates of size 1 does to a Jacobian: the moduli of the tables' rows, over the three directions.
double rounding(reference::rule const& nodes, reference::rule const& points)
{
  auto const largest_row = [](reference::table<reference::real> const& a) {
    long double largest = 0;
    for (int r = 0; r < a.rows; ++r) {
      long double sum = 0;
      for (int c = 0; c < a.cols; ++c) sum += std::fabs(a(r, c));
      largest = std::fmax(largest, sum);
    }
    return static_cast<double>(largest);
  };
  double const value = largest_row(reference::lagrange_values(nodes.nodes, points.nodes));
  double const slope = largest_row(reference::lagrange_derivatives(nodes.nodes, points.nodes));
  return 4 * epsilon * value * value * slope;
}

bool same(std::vector<sample> const& a, std::vector<sample> const& b, double tolerance)
{
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].weight != b[i].weight) return false;
    for (std::size_t r = 0; r < 3; ++r) {
      if (!(std::fabs(a[i].where[r] - b[i].where[r]) <= tolerance)) return false;
      for (std::size_t c = 0; c < 3; ++c)
        if (!(std::fabs(a[i].jacobian[r][c] - b[i].jacobian[r][c]) <= tolerance)) return false;
    }
  }
  return a.size() == b.size();
}

using support::message_of;

template <class Points>
std::string refusal(mesh::nodes const& mesh)
{
  return message_of<sumfac::geometry_error>([&] {
    geometry<Points>(view_of(mesh)).template visit_all<sumfac::pack<double, 4>>(sumfac::host{1}, [](auto const&...) {});
  });
}

}  // namespace

TEST_CASE("the unit cube, scaled and sheared, by hand", "[geometry][element_geometry]")
{
  using points = sumfac::gauss<3>;
  auto const affine = [](mesh::affine const& map) { return mesh::mapped(mesh::box({1, 1, 1}), map); };

  auto const cube = affine({});
  for (sample const& x : samples<double>(geometry<points>(view_of(cube)))) {
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) CHECK(x.jacobian[a][b] == Approx(a == b ? 0.5 : 0).margin(epsilon));
    CHECK(x.det == Approx(0.125).epsilon(4 * epsilon));
  }

  auto const brick = affine({.scale = {2, 4, 8}, .shift = {1, 2, 3}});
  for (sample const& x : samples<double>(geometry<points>(view_of(brick)))) {
    CHECK(x.jacobian[0][0] == Approx(1).epsilon(2 * epsilon));
    CHECK(x.jacobian[1][1] == Approx(2).epsilon(2 * epsilon));
    CHECK(x.jacobian[2][2] == Approx(4).epsilon(2 * epsilon));
    CHECK(x.det == Approx(8).epsilon(4 * epsilon));
  }

  auto const slanted = affine({.shear_xy = 1, .shear_yz = 3});  // x += y, y += 3 z
  for (sample const& x : samples<double>(geometry<points>(view_of(slanted)))) {
    CHECK(x.jacobian[0][1] == Approx(0.5).epsilon(2 * epsilon));
    CHECK(x.jacobian[1][2] == Approx(1.5).epsilon(2 * epsilon));
    CHECK(x.jacobian[1][0] == Approx(0).margin(2 * epsilon));
    CHECK(x.jacobian[2][1] == Approx(0).margin(2 * epsilon));
    CHECK(x.det == Approx(0.125).epsilon(8 * epsilon));
  }
}

TEST_CASE("a rotated cube has a rotation for its Jacobian", "[geometry][element_geometry]")
{
  double const c = std::cos(0.7), s = std::sin(0.7);
  auto const mesh = element(reference::equispaced(2), [&](position const& x) {
    return position{c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]};
  });
  for (sample const& x : samples<double>(geometry<sumfac::gauss_lobatto<4>>(view_of(mesh)))) {
    CHECK(x.jacobian[0][0] == Approx(c).epsilon(4 * epsilon));
    CHECK(x.jacobian[0][1] == Approx(-s).epsilon(4 * epsilon));
    CHECK(x.jacobian[1][0] == Approx(s).epsilon(4 * epsilon));
    CHECK(x.det == Approx(1).epsilon(8 * epsilon));
  }
}

TEST_CASE("points count along z, y, x, with the product of the weights", "[geometry][element_geometry]")
{
  using points = sumfac::gauss<4>;
  auto const mesh = element(reference::equispaced(2), [](position const& x) { return x; });
  auto const all = samples<double>(geometry<points>(view_of(mesh)));
  std::size_t next = 0;
  for (std::size_t q = 0; q < 4; ++q)
    for (std::size_t s = 0; s < 4; ++s)
      for (std::size_t r = 0; r < 4; ++r) {
        sample const& x = all[next++];
        CHECK(x.where[0] == Approx(double(points::nodes[r])).epsilon(4 * epsilon));
        CHECK(x.where[1] == Approx(double(points::nodes[s])).epsilon(4 * epsilon));
        CHECK(x.where[2] == Approx(double(points::nodes[q])).epsilon(4 * epsilon));
        double const weight = double(points::weights[q] * points::weights[s] * points::weights[r]);
        CHECK(x.weight == Approx(weight).epsilon(4 * epsilon));
      }
}

TEST_CASE("a twisted trilinear element by its closed formula", "[geometry][element_geometry]")
{
  // x + a y z, y + b x z, z + c x y + d x y z
  constexpr double a = 0.3, b = -0.2, c = 0.25, d = 0.125;
  auto const twist = [](position const& x) {
    return position{x[0] + a * x[1] * x[2], x[1] + b * x[0] * x[2], x[2] + c * x[0] * x[1] + d * x[0] * x[1] * x[2]};
  };
  auto const exact = [](position const& x) {
    return std::array<position, 3>{
        position{1, a * x[2], a * x[1]}, position{b * x[2], 1, b * x[0]},
        position{c * x[1] + d * x[1] * x[2], c * x[0] + d * x[0] * x[2], 1 + d * x[0] * x[1]}};
  };
  using points = sumfac::gauss<5>;
  for (int m = 2; m <= 5; ++m) {
    auto const mesh = element(reference::gauss_lobatto(m), twist);
    auto const all = samples<double>(geometry<points>(view_of(mesh)));
    CAPTURE(m);
    CHECK(jacobian_error<points>(all, exact) < 32 * epsilon);
    // det = 1 - a b z^2 - a c y^2 - b c x^2 + odd terms, so the volume is 8 (1 - (a b + a c + b c) / 3)
    CHECK(volume(all) == Approx(8 * (1 - (a * b + a * c + b * c) / 3)).epsilon(32 * epsilon));
  }
}

TEST_CASE("curved elements agree with the long-double oracle for every m", "[geometry][element_geometry]")
{
  using points = sumfac::gauss<3>;
  auto const rule = reference::gauss(3);
  for (int m = 2; m <= sumfac::detail::max_mesh_nodes_1d; ++m) {
    CAPTURE(m);
    auto const where = reference::gauss_lobatto(m);
    auto const mesh = mesh::mapped(mesh::box({2, 1, 1}, where), mesh::smooth{});
    auto const all = samples<sumfac::pack<double, 4>>(geometry<points>(view_of(mesh)));
    for (int e = 0; e < mesh.elements; ++e) {
      reference::element<> const oracle({reference::gauss_lobatto(2), rule}, where, mesh.element(e), reference::mass());
      for (std::size_t p = 0; p < 27; ++p) {
        auto const& expected = oracle.points()[p];
        sample const& x = all[static_cast<std::size_t>(e) * 27 + p];
        double const condition = static_cast<double>(expected.condition);
        double error = 0;
        for (std::size_t a = 0; a < 3; ++a) {
          CHECK(std::fabs(x.where[a] - double(expected.position[a])) < 8 * epsilon);
          for (std::size_t b = 0; b < 3; ++b)
            error = support::larger(error, std::fabs(x.jacobian[a][b] - double(expected.jacobian[a][b])));
        }
        CHECK(error < 4 * epsilon * condition);
        CHECK(x.det == Approx(double(expected.det)).epsilon(8 * epsilon * condition));
        CHECK(x.weight == Approx(double(expected.weight)).epsilon(4 * epsilon));
      }
    }
  }
}

TEST_CASE("the Jacobian of a smooth map converges spectrally", "[geometry][element_geometry]")
{
  auto const bend = [](position const& x) {
    return position{x[0] + 0.2 * std::sin(x[1] + x[2]), x[1] * std::exp(0.1 * x[0]), x[2] + 0.1 * std::cos(2 * x[0])};
  };
  auto const exact = [](position const& x) {
    double const c = 0.2 * std::cos(x[1] + x[2]), e = std::exp(0.1 * x[0]);
    return std::array<position, 3>{position{1, c, c}, position{0.1 * x[1] * e, e, 0},
                                   position{-0.2 * std::sin(2 * x[0]), 0, 1}};
  };
  using points = sumfac::gauss<6>;
  double factorial = 1;
  for (int m = 2; m <= 16; ++m) {
    factorial *= m;
    auto const lobatto = element(reference::gauss_lobatto(m), bend), equal = element(reference::equispaced(m), bend);
    double const error = jacobian_error<points>(samples<double>(geometry<points>(view_of(lobatto))), exact);
    geometry<points> const from_equal(view_of(equal), sumfac::equispaced_nodes{});
    double const equal_error = jacobian_error<points>(samples<double>(from_equal), exact);
    // The roughest part is 0.1 cos(2 x): its m-th derivative is 0.1 2^m, the node polynomial is of size 2^-m, and its
    // slope m times that. Equispaced nodes lose two digits at m = 16.
    double const truncation = 0.8 * m / factorial;
    CAPTURE(m, error, equal_error, truncation);
    CHECK(error < truncation + rounding(reference::gauss_lobatto(m), reference::gauss(6)));
    CHECK(equal_error < 50 * truncation + rounding(reference::equispaced(m), reference::gauss(6)));
  }
}

TEST_CASE("Gauss-Lobatto and equispaced nodes of one polynomial map are one geometry", "[geometry][element_geometry]")
{
  auto const cubic = [](position const& x) {
    return position{x[0] + 0.1 * x[1] * x[1] * x[2], x[1] + 0.1 * x[0] * x[0] * x[0], x[2] - 0.1 * x[0] * x[2] * x[2]};
  };
  using points = sumfac::gauss<4>;
  auto const expected = samples<double>(geometry<points>(view_of(element(reference::gauss_lobatto(4), cubic))));
  for (int m = 4; m <= 10; ++m) {
    CAPTURE(m);
    auto const lobatto = element(reference::gauss_lobatto(m), cubic), equal = element(reference::equispaced(m), cubic);
    CHECK(same(samples<double>(geometry<points>(view_of(lobatto))), expected,
               rounding(reference::gauss_lobatto(m), reference::gauss(4))));
    geometry<points> const named(view_of(equal), sumfac::equispaced_nodes{}), misnamed(view_of(equal));
    CHECK(same(samples<double>(named), expected, rounding(reference::equispaced(m), reference::gauss(4))));
    CHECK_FALSE(same(samples<double>(misnamed), expected, 1e-3));
  }
}

TEST_CASE("a node set of the user's own", "[geometry][element_geometry]")
{
  auto const chebyshev = [](int m, long double* nodes) {
    for (int i = 0; i < m; ++i) nodes[i] = -std::cos(3.14159265358979323846L * (2 * i + 1) / (2 * m));
  };
  reference::rule where;
  where.nodes.resize(5);
  chebyshev(5, where.nodes.data());
  auto const mesh = element(where, [](position const& x) { return position{x[0] + 0.1 * x[1] * x[1], x[1], x[2]}; });
  using points = sumfac::gauss<3>;
  auto const all = samples<double>(geometry<points>(view_of(mesh), chebyshev));
  auto const exact = [](position const& x) {
    return std::array<position, 3>{position{1, 0.2 * x[1], 0}, position{0, 1, 0}, position{0, 0, 1}};
  };
  CHECK(jacobian_error<points>(all, exact) < 32 * epsilon);
}

TEST_CASE("a layout is a place to read from and nothing else", "[geometry][element_geometry]")
{
  using points = sumfac::gauss<3>;
  constexpr int elements = 7, m = 4;
  auto const mesh =
      mesh::sampled(mesh::mapped(mesh::box({2, 2, 2}, reference::gauss_lobatto(m)), mesh::smooth{}), elements);
  auto const expected = samples<double>(geometry<points>(view_of(mesh)));
  sumfac::dextents<5> const shape(elements, m, m, m, 3);

  auto const check = [&]<class Layout, class T>(Layout, T, typename Layout::template mapping<sumfac::dextents<5>> map,
                                                double tolerance) {
    std::vector<T> data(static_cast<std::size_t>(map.required_span_size()), std::numeric_limits<T>::quiet_NaN());
    nodes_view<T, Layout> const nodes(data.data(), map);
    auto const source = view_of(mesh);
    for (int e = 0; e < elements; ++e)
      for (int k = 0; k < m; ++k)
        for (int j = 0; j < m; ++j)
          for (int i = 0; i < m; ++i)
            for (int c = 0; c < 3; ++c) nodes(e, k, j, i, c) = static_cast<T>(source(e, k, j, i, c));
    CHECK(same(samples<double>(geometry<points, T, Layout>(nodes)), expected, tolerance));
    nodes_view<T const, Layout> const read_only = nodes;
    auto const packed = samples<sumfac::pack<double, 4>>(geometry<points, T const, Layout>(read_only));
    CHECK(same(packed, expected, tolerance + 8 * epsilon));
  };
  sumfac::index_t const strides[5] = {1000, 210, 50, 12, 2};
  check(sumfac::layout_right{}, double{}, {shape}, 0);
  check(sumfac::layout_left{}, double{}, {shape}, 0);
  check(sumfac::layout_stride{}, double{}, {shape, strides}, 0);
  check(sumfac::layout_interleaved<4>{}, double{}, {shape}, 0);
  check(sumfac::layout_interleaved<8>{}, double{}, {shape}, 0);
  check(sumfac::layout_right{}, float{}, {shape}, 1e-6);
  check(sumfac::layout_interleaved<2>{}, float{}, {shape}, 1e-6);
}

TEMPLATE_TEST_CASE_SIG("every width computes the same", "[geometry][element_geometry]", ((int W), W), 1, 2, 4, 8)
{
  using points = sumfac::gauss_lobatto<4>;
  auto const mesh = mesh::mapped(mesh::box({3, 3, 1}, reference::gauss_lobatto(3)), mesh::smooth{});
  geometry<points> const geometry(view_of(mesh));
  CHECK(same(samples<sumfac::pack<double, W>>(geometry), samples<double>(geometry), 8 * epsilon));
}

TEST_CASE("each point is visited once per group, and the lanes behind the last element repeat it",
          "[geometry][element_geometry]")
{
  using lanes = sumfac::pack<double, 4>;
  auto const mesh = mesh::jittered({3, 3, 2}, 0.2);
  geometry<sumfac::gauss<2>> const geometry(view_of(mesh));
  std::vector<sumfac::index_t> groups;
  auto const refused = geometry.visit<lanes>(1, 7, [&](sumfac::index_t e, int s, int r, int q, auto const& x) {
    CHECK((0 <= q && q < 2 && 0 <= s && s < 2 && 0 <= r && r < 2));
    groups.push_back(e);
    if (e == 5) {
      CHECK(x.det()[1] != x.det()[0]);
      CHECK(x.det()[2] == x.det()[1]);
      CHECK(x.det()[3] == x.det()[1]);
    }
  });
  CHECK(refused == 18);
  CHECK(groups == std::vector<sumfac::index_t>{1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5});
  CHECK(geometry.visit<lanes>(4, 4, [](auto const&...) { FAIL("there is nothing to visit"); }) == 18);
}

TEST_CASE("what lies behind the last element is not read", "[geometry][element_geometry]")
{
  auto mesh = mesh::box({8, 1, 1});
  for (std::size_t i = 24 * 6; i < mesh.coordinates.size(); ++i)
    mesh.coordinates[i] = std::numeric_limits<double>::quiet_NaN();
  geometry<sumfac::gauss<2>> const geometry(nodes_view<double const>(mesh.data(), 6, 2, 2, 2, 3));
  auto const check = [](sumfac::index_t, int, int, int, auto const& x) {
    for (int lane = 0; lane < 4; ++lane) CHECK(x.det()[lane] > 0);
  };
  CHECK_NOTHROW(geometry.visit_all<sumfac::pack<double, 4>>(sumfac::host{1}, check));
}

TEST_CASE("weights times determinants are the volume", "[geometry][element_geometry]")
{
  for (auto const& mesh : {mesh::jittered({3, 3, 3}, 0.2), mesh::box({2, 3, 1}, reference::gauss_lobatto(5)),
                           mesh::mapped(mesh::box({6, 2, 2}), mesh::kershaw{})})
    CHECK(volume(samples<double>(geometry<sumfac::gauss<4>>(view_of(mesh)))) == Approx(1).epsilon(100 * epsilon));
  auto const curved = mesh::mapped(mesh::box({2, 2, 2}, reference::gauss_lobatto(12)), mesh::smooth{});
  CHECK(volume(samples<double>(geometry<sumfac::gauss<18>>(view_of(curved)))) == Approx(1).epsilon(1e-10));
}

TEST_CASE("a mesh far from the origin loses nothing", "[geometry][element_geometry]")
{
  using points = sumfac::gauss<4>;
  auto const twist = [](double far) {
    return [far](position const& x) { return position{far + x[0] + 0.25 * x[1] * x[2], x[1] - far, x[2] + far}; };
  };
  auto const near_points = samples<double>(geometry<points>(view_of(element(reference::equispaced(2), twist(0)))));
  auto const far_points = samples<double>(geometry<points>(view_of(element(reference::equispaced(2), twist(0x1p40)))));
  for (std::size_t i = 0; i < near_points.size(); ++i) {
    CHECK(far_points[i].det == near_points[i].det);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) CHECK(far_points[i].jacobian[a][b] == near_points[i].jacobian[a][b]);
  }
}

TEST_CASE("an inverted element is refused by number, point and value", "[geometry][element_geometry]")
{
  auto mesh = mesh::box({3, 2, 1});
  auto const mirror = [&](int e) {
    for (std::size_t n = 0; n < 8; ++n) mesh.coordinates[static_cast<std::size_t>(e) * 24 + 3 * n] *= -1;
  };
  mirror(5);
  mirror(4);
  // Boxes of 1/3 x 1/2 x 1: the determinant is 1/48 of the reference element's 8.
  CHECK(refusal<sumfac::gauss<3>>(mesh) ==
        "sumfac::element_geometry: element 4 cannot be integrated on (determinant of the Jacobian -0.0208333 at point "
        "(q, r, s) = (0, 0, 0), greater than 0 and finite expected; wrong at 27 of 27 points): list its nodes so that "
        "the directions x (fastest), y, z are right-handed (2 elements are refused: 4, 5)");
  geometry<sumfac::gauss<3>> const geometry(view_of(mesh));
  auto const nothing = [](auto const&...) {};
  CHECK(geometry.visit<sumfac::pack<double, 4>>(0, 6, nothing) == 4);
  CHECK(geometry.visit<sumfac::pack<double, 8>>(0, 6, nothing) == 4);
  CHECK(geometry.visit<double>(0, 6, nothing) == 4);
  CHECK(geometry.visit<double>(5, 6, nothing) == 5);
  CHECK(geometry.visit<double>(0, 4, nothing) == 6);
  CHECK_THROWS_AS(geometry.visit_all<double>(sumfac::host{2}, nothing), sumfac::geometry_error);
}

TEST_CASE("an element without volume is refused as that", "[geometry][element_geometry]")
{
  auto mesh = mesh::box({2, 1, 1});
  for (std::size_t n = 0; n < 8; ++n) mesh.coordinates[24 + 3 * n + 2] = 0.5;
  CHECK(refusal<sumfac::gauss<2>>(mesh) ==
        "sumfac::element_geometry: element 1 cannot be integrated on (determinant of the Jacobian 0 at point (q, r, s) "
        "= (0, 0, 0), greater than 0 and finite expected; wrong at 8 of 8 points): move its nodes apart, or leave it "
        "out: it has no volume");
}

TEST_CASE("the first refused element is named, whichever thread comes first", "[geometry][element_geometry]")
{
  struct third_first_second {
    void partition(sumfac::index_t size, std::function<void(sumfac::index_t, sumfac::index_t)> const& f) const
    {
      REQUIRE(size == 3);
      f(2, 3), f(0, 1), f(1, 2);
    }
  };
  auto mesh = mesh::box({6, 1, 1});
  for (std::size_t const e : {1U, 3U, 5U}) mesh.coordinates[24 * e] = std::numeric_limits<double>::quiet_NaN();
  geometry<sumfac::gauss<2>> const geometry(view_of(mesh));
  auto const message = message_of<sumfac::geometry_error>(
      [&] { geometry.visit_all<sumfac::pack<double, 2>>(third_first_second{}, [](auto const&...) {}); });
  CHECK_THAT(message, Catch::Contains("element 1 cannot be integrated on"));
}

TEST_CASE("all refused elements are counted and the first ten listed, for any number of threads",
          "[geometry][element_geometry]")
{
  auto mesh = mesh::box({40, 1, 1});
  auto const spoil = [&](std::size_t e) { mesh.coordinates[24 * e] = std::numeric_limits<double>::infinity(); };
  auto const expect = [&](std::string const& end) {
    geometry<sumfac::gauss<2>> const geometry(view_of(mesh));
    std::string first;
    for (int const threads : {1, 2, 3, 7, 64}) {
      auto const message = message_of<sumfac::geometry_error>(
          [&] { geometry.visit_all<sumfac::pack<double, 4>>(sumfac::host{threads}, [](auto const&...) {}); });
      INFO(message << " with " << threads << " threads");
      CHECK(message.substr(message.rfind("size") + 4) == end);
      if (first.empty()) first = message;
      CHECK(message == first);
      CHECK(message.find("element 3 cannot") != std::string::npos);
    }
  };
  spoil(3);
  expect("");
  for (std::size_t const e : {39U, 5U, 4U}) spoil(e);
  expect(" (4 elements are refused: 3, 4, 5, 39)");
  for (std::size_t e = 20; e < 26; ++e) spoil(e);
  expect(" (10 elements are refused: 3, 4, 5, 20, 21, 22, 23, 24, 25, 39)");
  for (std::size_t e = 30; e < 39; ++e) spoil(e);
  expect(" (19 elements are refused: 3, 4, 5, 20, 21, 22, 23, 24, 25, 30, ...)");
}

TEST_CASE("a point is named by its places along x, y and z", "[geometry][element_geometry]")
{
  // A corner drawn through the element folds it there alone.
  for (int const corner : {1, 2, 4, 6}) {
    auto mesh = mesh::box({1, 1, 1});
    double const middle = 0.5;
    for (std::size_t c = 0; c < 3; ++c) {
      double& x = mesh.coordinates[static_cast<std::size_t>(corner) * 3 + c];
      x += 0.8 * (middle - x);
    }
    auto const at = [&](int bit) { return std::to_string((corner & bit) != 0 ? 2 : 0); };
    INFO("corner " << corner);
    CHECK_THAT(refusal<sumfac::gauss_lobatto<3>>(mesh),
               Catch::Contains("(q, r, s) = (" + at(1) + ", " + at(2) + ", " + at(4) + "), greater") &&
                   Catch::Contains("wrong at 1 of 27 points"));
  }
}

TEST_CASE("a folded element names the first point at which it folds", "[geometry][element_geometry]")
{
  // det = 1 + 6 x y z: of the 27 points, the four corners with x y z = -1 fold, (0, 0, 0) first.
  auto const fold = [](position const& x) { return position{x[0] + 3 * x[0] * x[0] * x[1] * x[2], x[1], x[2]}; };
  auto const three = element(reference::gauss_lobatto(3), fold), four = element(reference::gauss_lobatto(4), fold);
  CHECK(refusal<sumfac::gauss_lobatto<3>>(three) ==
        "sumfac::element_geometry: element 0 cannot be integrated on (determinant of the Jacobian -5 at point "
        "(q, r, s) = (0, 0, 0), greater than 0 and finite expected; wrong at 4 of 27 points): untangle it, or list its "
        "nodes with x fastest, then y, then z");
  CHECK_THAT(refusal<sumfac::gauss_lobatto<3>>(four), Catch::Contains("name the node set that its nodes"));
}

TEST_CASE("flat and not finite elements are refused", "[geometry][element_geometry]")
{
  auto const flat = mesh::mapped(mesh::box({1, 1, 1}), [](position const& x) { return position{x[0], x[1], 5}; });
  CHECK_THAT(refusal<sumfac::gauss<2>>(flat), Catch::Contains("determinant of the Jacobian 0 at point"));

  for (double const value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (std::size_t place = 0; place < 24; ++place) {
      auto mesh = mesh::box({3, 1, 1});
      mesh.coordinates[24 + place] = value;
      CAPTURE(value, place);
      CHECK_THAT(refusal<sumfac::gauss<2>>(mesh), Catch::Contains("element 1 cannot be integrated on") &&
                                                      Catch::Contains("make its coordinates finite"));
    }

  // A volume beyond the numbers is nothing that geometry has to refuse: forms may ask for less.
  for (double const size : {1e-200, 1e200}) {
    auto const beyond = mesh::mapped(mesh::box({1, 1, 1}), mesh::affine{.scale = {size, size, 10 * size}});
    CHECK(refusal<sumfac::gauss<2>>(beyond) == "");
    auto const mirrored = mesh::mapped(mesh::box({1, 1, 1}), mesh::affine{.scale = {-size, size, size}});
    CHECK_THAT(refusal<sumfac::gauss<2>>(mirrored), Catch::Contains("wrong at 8 of 8 points"));
  }
}

TEST_CASE("shapes that are no mesh nodes are refused with both numbers", "[geometry][element_geometry]")
{
  std::vector<double> const data(17 * 17 * 17 * 3);
  auto const refused = [&](int e, int k, int j, int i, int c, double const* from) {
    return message_of<sumfac::argument_error>(
        [&] { geometry<sumfac::gauss<2>>(nodes_view<double const>(from, e, k, j, i, c)); });
  };
  CHECK(refused(1, 1, 1, 1, 3, data.data()) ==
        "sumfac::element_geometry: extent 1 (nodes per direction) of the mesh nodes does not fit (got 1, 2 to 16 "
        "expected): pass nodes of shape (E, m, m, m, 3)");
  CHECK_THAT(refused(1, 17, 17, 17, 3, data.data()), Catch::Contains("(got 17, 2 to 16 expected)"));
  CHECK_THAT(refused(1, 4, 5, 4, 3, data.data()),
             Catch::Contains("extent 2 (nodes along y)") && Catch::Contains("(expected 4, got 5)"));
  CHECK_THAT(refused(1, 4, 4, 3, 3, data.data()),
             Catch::Contains("extent 3 (nodes along x)") && Catch::Contains("(expected 4, got 3)"));
  CHECK_THAT(refused(1, 4, 4, 4, 2, data.data()),
             Catch::Contains("extent 4 (coordinates)") && Catch::Contains("(expected 3, got 2)"));
  CHECK_THAT(refused(1, 4, 4, 4, 3, nullptr), Catch::Contains("is null"));
  CHECK(refused(0, 4, 4, 4, 3, nullptr) == "");
}

TEST_CASE("no elements are no error", "[geometry][element_geometry]")
{
  geometry<sumfac::gauss<2>> const geometry(nodes_view<double const>(nullptr, 0, 2, 2, 2, 3));
  CHECK(geometry.elements() == 0);
  CHECK_NOTHROW(geometry.visit_all<double>(sumfac::host{}, [](auto const&...) { FAIL("there is nothing to visit"); }));
}

TEST_CASE("several threads may visit one object at once", "[geometry][element_geometry]")
{
  using points = sumfac::gauss<4>;
  auto const mesh = mesh::jittered({4, 4, 4}, 0.2);
  geometry<points> const geometry(view_of(mesh));
  double volumes[2] = {};
  auto const work = [&](int half) {
    sumfac::pack<double, 4> sum{};
    auto const refused = geometry.visit<sumfac::pack<double, 4>>(
        32 * half, 32 * half + 32, [&](sumfac::index_t, int, int, int, auto const& x) { sum += x.weight() * x.det(); });
    if (refused == geometry.elements()) volumes[half] = sum[0] + sum[1] + sum[2] + sum[3];
  };
  std::thread first(work, 0), second(work, 1);
  first.join();
  second.join();
  CHECK(volumes[0] + volumes[1] == Approx(1).epsilon(100 * epsilon));
}
