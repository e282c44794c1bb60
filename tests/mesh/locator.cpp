// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Points found in the elements of straight and curved meshes, points that are in none, and refusals.
#include <sumfac/mesh/locator.hpp>
#include <sumfac/view/view.hpp>

#include <support/larger.hpp>
#include <support/mesh.hpp>
#include <support/message_of.hpp>
#include <support/points.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace {

using sumfac::index_t, reference::real;

using support::message_of;

template <class Set = sumfac::gauss_lobatto_nodes>
auto mesh_view(mesh::nodes const& m, Set const& set = {})
{
  using view = sumfac::view<double const, sumfac::dextents<5>>;
  return sumfac::mesh_view(view(m.data(), m.elements, m.nodes_1d, m.nodes_1d, m.nodes_1d, 3), set);
}

auto point_view(std::vector<double> const& points, int directions = 3)
{
  auto const count = static_cast<index_t>(points.size()) / directions;
  return sumfac::view<double const, sumfac::dextents<2>>(points.data(), count, directions);
}

struct planted {
  std::vector<int> elements{};
  std::vector<double> points{};
};

// Points of random places of random elements, rounded.
planted plant(mesh::nodes const& mesh, reference::rule const& nodes, int count)
{
  support::generator next(5);
  planted all;
  for (int i = 0; i < count; ++i) {
    int const e = static_cast<int>(next.bits() % static_cast<std::uint64_t>(mesh.elements));
    reference::place const xi{next(), next(), next()};
    all.elements.push_back(e);
    for (real const x : reference::mapped_place(nodes, mesh, e, xi)) all.points.push_back(static_cast<double>(x));
  }
  return all;
}

// Whether the found places lead back to the points, by the oracle's map, to 1e-13 of the numbers' size; and whether
// they are where they were planted.
template <class Found>
void compare(planted const& all, mesh::nodes const& mesh, reference::rule const& nodes, Found const& found)
{
  INFO(found.report());
  REQUIRE(found.all_found());
  real furthest = 0, size = 1;
  int elsewhere = 0;
  for (std::size_t i = 0; i < all.elements.size(); ++i) {
    auto const at = static_cast<index_t>(i);
    auto const e = static_cast<int>(found.elements()(at));
    elsewhere += e != all.elements[i];
    auto const x = reference::mapped_place(
        nodes, mesh, e, {found.coordinates()(at, 0), found.coordinates()(at, 1), found.coordinates()(at, 2)});
    for (std::size_t c = 0; c < 3; ++c) {
      furthest = support::larger(furthest, std::abs(x[c] - static_cast<real>(all.points[3 * i + c])));
      size = support::larger(size, std::abs(static_cast<real>(all.points[3 * i + c])));
    }
  }
  CHECK(elsewhere == 0);
  CHECK(static_cast<double>(furthest / size) < 1e-13);
}

TEST_CASE("locator: a located point's map returns to its coordinates")
{
  for (int const m : {2, 3, 4, 6})
    for (bool const lobatto : {true, false}) {
      INFO(m << " nodes per direction, " << (lobatto ? "Gauss-Lobatto" : "equispaced"));
      auto const nodes = lobatto ? reference::gauss_lobatto(m) : reference::equispaced(m);
      auto const mesh = mesh::mapped(mesh::box({3, 4, 2}, nodes), mesh::smooth{0.1});
      auto const all = plant(mesh, nodes, 200);
      auto const with = [&](auto const& view) {
        compare(all, mesh, nodes, sumfac::locator(sumfac::host{2}, view).locate(point_view(all.points)));
      };
      if (lobatto)
        with(mesh_view(mesh));
      else
        with(mesh_view(mesh, sumfac::equispaced_nodes{}));
    }
}

TEST_CASE("locator: thin, slanted elements, few curved ones, and a mesh far from the origin")
{
  auto const two = reference::gauss_lobatto(2), five = reference::gauss_lobatto(5);
  auto const slanted = mesh::mapped(mesh::box({6, 4, 4}, two), mesh::kershaw{});
  auto const far = mesh::mapped(slanted, mesh::affine{{1, 1, 1}, 0, 0, 0, {1e6, -2e6, 3e5}});
  auto const curved = mesh::mapped(mesh::box({1, 1, 1}, five), mesh::smooth{0.1});
  for (auto const& [shape, nodes] : {std::pair(slanted, two), std::pair(far, two), std::pair(curved, five)}) {
    auto const all = plant(shape, nodes, 300);
    compare(all, shape, nodes, sumfac::locator(sumfac::host{}, mesh_view(shape)).locate(point_view(all.points)));
  }
}

// Newton's method has to go round a bend: from the centre it does so for the first, and misses a seventh of the points
// of the second, which it finds from the nearest node.
TEST_CASE("locator: an element bent by a right angle and more")
{
  auto const nodes = reference::gauss_lobatto(7);
  for (double const bend : {2.5, 4.5}) {
    auto const bent = mesh::mapped(mesh::box({1, 1, 1}, nodes), [bend](mesh::position x) {
      double const angle = bend * x[0], radius = 1 + x[1];
      return mesh::position{radius * std::sin(angle), radius * std::cos(angle), x[2]};
    });
    auto const all = plant(bent, nodes, 300);
    compare(all, bent, nodes, sumfac::locator(sumfac::host{}, mesh_view(bent)).locate(point_view(all.points)));
  }
}

TEST_CASE("locator: points in no element are reported")
{
  auto const nodes = reference::gauss_lobatto(3);
  auto const whole = mesh::mapped(mesh::box({3, 3, 3}, nodes), mesh::smooth{});
  std::vector<int> kept;
  for (int e = 0; e < 27; ++e)
    if (e != 13) kept.push_back(e);
  auto const holed = mesh::selected(whole, kept);
  auto all = plant(holed, nodes, 30);
  auto const middle = reference::mapped_place(nodes, whole, 13, {0.1L, 0.2L, -0.3L});
  // One in the hole, ones outside of all: near, far, and of no size that a box has.
  std::vector<std::vector<double>> const nowhere{
      {static_cast<double>(middle[0]), static_cast<double>(middle[1]), static_cast<double>(middle[2])},
      {1 + 1e-6, 0.5, 0.5},
      {-3, 0.5, 0.5},
      {1e300, -1e300, 0}};
  for (std::size_t k = 0; k < nowhere.size(); ++k)
    std::copy(nowhere[k].begin(), nowhere[k].end(), all.points.begin() + static_cast<std::ptrdiff_t>(3 * (7 * k + 2)));
  auto const found = sumfac::locator(sumfac::host{2}, mesh_view(holed)).locate(point_view(all.points));
  REQUIRE(found.misses().extent(0) == 4);
  for (index_t k = 0; k < 4; ++k) {
    CHECK(found.misses()(k) == 7 * k + 2);
    CHECK(found.elements()(7 * k + 2) == -1);
  }
  CHECK_FALSE(found.all_found());
  CHECK(found.report() == "26 of 30 points found; in no element: 2, 9, 16, 23");
}

TEST_CASE("locator: points on shared faces belong to the element of the lowest number, for any number of threads")
{
  auto const nodes = reference::gauss_lobatto(2);
  auto const mesh = mesh::box({4, 4, 4}, nodes);
  std::vector<double> points;
  std::vector<index_t> expected;
  for (int k = 0; k <= 4; ++k)
    for (int j = 0; j <= 4; ++j)
      for (int i = 0; i <= 4; ++i) {
        points.insert(points.end(), {i / 4.0, j / 4.0, k / 4.0});
        auto const below = [](int at) { return std::max(at - 1, 0); };
        expected.push_back((below(k) * 4 + below(j)) * 4 + below(i));
      }
  for (int const threads : {1, 3}) {
    auto const found = sumfac::locator(sumfac::host{threads}, mesh_view(mesh)).locate(point_view(points));
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(found.elements()(static_cast<index_t>(i)) == expected[i]);
  }
  // The same elements in another order.
  std::vector<int> backwards;
  for (int e = 63; e >= 0; --e) backwards.push_back(e);
  auto const turned = mesh::selected(mesh, backwards);
  auto const found = sumfac::locator(sumfac::host{2}, mesh_view(turned)).locate(point_view(points));
  CHECK(found.elements()(124) == 0);
  CHECK(found.elements()(62) == 63 - (2 * 16 + 2 * 4 + 2));
}

// A mesh in numbers of type T, points in numbers of type P: all of `inside` are found, and none of `outside`.
template <class T, class P = T>
void all_and_none(mesh::nodes const& mesh, std::vector<double> const& inside, std::vector<double> const& outside)
{
  std::vector<T> const numbers(mesh.coordinates.begin(), mesh.coordinates.end());
  int const m = mesh.nodes_1d;
  sumfac::view const nodes(numbers.data(), mesh.elements, m, m, m, 3);
  sumfac::locator const search(sumfac::host{2}, nodes, sumfac::gauss_lobatto_nodes{});
  auto const found = [&](std::vector<double> const& places) {
    std::vector<P> const rounded(places.begin(), places.end());
    return search.locate(sumfac::view(rounded.data(), static_cast<index_t>(places.size()) / 3, 3));
  };
  auto const within = found(inside);
  INFO(within.report());
  CHECK(within.all_found());
  CHECK(within.beyond() <= 0.01);
  CHECK(found(outside).misses().extent(0) == static_cast<index_t>(outside.size()) / 3);
}
// Its own nodes, points of all faces of its elements, rounded; and points a twentieth of an edge above and below.
void own_nodes(mesh::nodes const& mesh, mesh::counts const& counts, bool in_float)
{
  auto const nodes = reference::gauss_lobatto(mesh.nodes_1d);
  CAPTURE(mesh.nodes_1d, in_float, mesh.coordinates[0], mesh.coordinates[2], mesh.coordinates.back());
  auto inside = mesh.coordinates;
  std::vector<double> outside;
  support::generator next(8);
  int const layer = counts.x * counts.y;
  for (int e = 0; e < mesh.elements; ++e)
    for (std::size_t side = 0; side < 6; ++side) {
      reference::place xi{next(), next(), next()};
      xi[side / 2] = side % 2 == 0 ? -1 : 1;
      for (real const x : reference::mapped_place(nodes, mesh, e, xi)) inside.push_back(static_cast<double>(x));
      if (side < 4 || (side == 4 ? e >= layer : e < mesh.elements - layer)) continue;
      xi[2] *= 1.1L;
      for (real const x : reference::mapped_place(nodes, mesh, e, xi)) outside.push_back(static_cast<double>(x));
    }
  if (in_float) {
    all_and_none<float>(mesh, inside, outside);
    all_and_none<double, float>(mesh, inside, outside);
  } else {
    all_and_none<double>(mesh, inside, outside);
  }
}

TEST_CASE("locator: a mesh's own nodes are found, however thin, far, small or large its elements are")
{
  mesh::counts const counts{3, 2, 2};
  auto const bent = [&](int m, double aspect, double size, double far) {
    return mesh::mapped(mesh::box(counts, reference::gauss_lobatto(m)), [=](mesh::position x) {
      double const z = 0.3 * std::sin(3 * x[0]) * std::cos(2 * x[1]) + x[2] / aspect;
      return mesh::position{size * (x[0] + 0.1 * std::sin(2 * x[1]) + far), size * (x[1] - far), size * (z + far / 3)};
    });
  };
  for (int const m : {2, 4}) {
    for (double const aspect : {1.0, 1e4, 1e6, 1e8}) own_nodes(bent(m, aspect, 1, 0), counts, false);
    for (double const aspect : {1.0, 1e2, 1e3}) own_nodes(bent(m, aspect, 1, 0), counts, true);
    for (double const far : {1e3, 1e7, 1e10}) own_nodes(bent(m, 1, 1, far), counts, false);
    own_nodes(bent(m, 1, 1, 1e3), counts, true);
    for (double const size : {1e-280, 1e-150, 1e-30, 1e30, 1e150, 1e280}) own_nodes(bent(m, 1, size, 2), counts, false);
    for (double const size : {1e-30, 1e-20, 1e20, 1e30}) own_nodes(bent(m, 1, size, 2), counts, true);
    own_nodes(bent(m, 1e4, 1e-150, 1e3), counts, false);
  }
  for (double const size : {1e-300, 1e300}) try {
      sumfac::locator(sumfac::host{}, mesh_view(bent(2, 1, size, 0)));
      FAIL("no geometry_error");
    } catch (sumfac::geometry_error const& error) {
      std::string const message = error.what();
      INFO(message);
      CHECK(message.find("sumfac::locator: element 0 is beyond the numbers of type double (size ") == 0);
      CHECK(message.find(size < 1 ? "e-300, " : "e+300, ") != std::string::npos);
      CHECK(message.find("1.03e-289 to 9.75e+288 expected): scale the mesh") != std::string::npos);
    }
}

TEST_CASE("locator: so are those in the plane and on a line")
{
  for (double const far : {0.0, 1e7})
    for (double const thin : {1.0, 1e-7})
      for (double const size : {1e-150, 1.0, 1e150}) {
        CAPTURE(far, thin, size);
        std::vector<double> plane, line, above;
        for (int e = 0; e < 5; ++e)
          for (int p = 0; p < 9; ++p) {
            double const s = 1 + e + p % 3 / 2.0, t = 1 + p / 3 / 2.0;
            auto const put = [&](std::vector<double>& to, double height) {
              to.push_back(size * (s + far)), to.push_back(size * (0.2 * std::sin(s) + thin * (t + height) + far));
            };
            put(plane, 0);
            if (far * 1e-9 < thin && p % 3 == 1 && p / 3 == 2) put(above, 0.1);
            if (p < 3) line.push_back(size * (thin * s + far));
          }
        sumfac::view const squares(plane.data(), 5, 3, 3, 2);
        sumfac::locator const in_plane(sumfac::host{}, squares);
        CHECK(in_plane.locate(point_view(plane, 2)).all_found());
        CHECK(in_plane.locate(point_view(above, 2)).misses().extent(0) == static_cast<index_t>(above.size()) / 2);
        sumfac::view const segments(line.data(), 5, 3, 1);
        sumfac::locator const on_line(sumfac::host{}, segments);
        CHECK(on_line.locate(point_view(line, 1)).all_found());
        std::vector<double> const behind{size * (6.2 * thin + far), size * (0.8 * thin + far)};
        if (far * 1e-9 < thin) CHECK(on_line.locate(point_view(behind, 1)).misses().extent(0) == 2);
      }
}

TEST_CASE("locator: the tolerance is that of reference coordinates")
{
  auto const mesh = mesh::box({1, 1, 1});
  std::vector<double> const points{1 + 1e-4, 0.5, 0.5, 0.5, -1e-6, 0.5};
  auto const strict = sumfac::locator(sumfac::host{}, mesh_view(mesh)).locate(point_view(points));
  CHECK(strict.report() == "0 of 2 points found; in no element: 0, 1");
  sumfac::locator const wide(sumfac::host{}, mesh_view(mesh), sumfac::gauss_lobatto_nodes{}, {.tolerance = 1e-3});
  CHECK(wide.locate(point_view(points)).all_found());
  sumfac::locator const between(sumfac::host{}, mesh_view(mesh), sumfac::gauss_lobatto_nodes{}, {.tolerance = 1e-5});
  CHECK(between.locate(point_view(points)).report() == "1 of 2 points found; in no element: 0");
  // The first point is beyond 1 by 2e-4.
  sumfac::locator const just(sumfac::host{}, mesh_view(mesh), sumfac::gauss_lobatto_nodes{}, {.tolerance = 2.01e-4});
  sumfac::locator const not_quite(sumfac::host{}, mesh_view(mesh), sumfac::gauss_lobatto_nodes{},
                                  {.tolerance = 1.99e-4});
  CHECK(just.locate(point_view(points)).all_found());
  CHECK(not_quite.locate(point_view(points)).misses().extent(0) == 1);
}

TEST_CASE("locator: boxes hold curved elements, and are not much larger")
{
  for (int const m : {2, 3, 5, 9}) {
    auto const nodes = reference::gauss_lobatto(m);
    auto const mesh = mesh::mapped(mesh::box({2, 2, 2}, nodes), mesh::smooth{0.1});
    auto const view = mesh_view(mesh).nodes();
    constexpr auto lines = sumfac::cell_shape::lines;
    auto const access = sumfac::detail::access_to<3, lines>("", view, sumfac::gauss_lobatto_nodes{}, 3);
    auto const boxes = sumfac::detail::boxes_of(sumfac::host{}, access, 1e-10);
    for (int e = 0; e < mesh.elements; ++e) {
      auto const& box = boxes[static_cast<std::size_t>(e)];
      mesh::position low{9, 9, 9}, high{-9, -9, -9};
      for (int p = 0; p < 1000; ++p) {
        reference::place const xi{(p % 10 - 4.5L) / 4.5L, (p / 10 % 10 - 4.5L) / 4.5L, (p / 100 - 4.5L) / 4.5L};
        auto const x = reference::mapped_place(nodes, mesh, e, xi);
        for (std::size_t c = 0; c < 3; ++c) {
          low[c] = std::min(low[c], static_cast<double>(x[c]));
          high[c] = std::max(high[c], static_cast<double>(x[c]));
        }
      }
      for (int c = 0; c < 3; ++c) {
        auto const at = static_cast<std::size_t>(c);
        CHECK(box.low[c] <= low[at]);
        CHECK(box.high[c] >= high[at]);
        CHECK(box.high[c] - box.low[c] < 1.5 * (high[at] - low[at]));
      }
    }
  }
}

TEST_CASE("locator: in two directions and in one")
{
  // A ring of 8 x 2 curved quadrilaterals, m = 4.
  constexpr int m = 4, around = 8, out = 2;
  auto const nodes = reference::gauss_lobatto(m);
  std::vector<double> ring;
  for (int e = 0; e < around * out; ++e)
    for (int p = 0; p < m * m; ++p) {
      double const s = e % around + (static_cast<double>(nodes.nodes[static_cast<std::size_t>(p % m)]) + 1) / 2;
      double const t = e / around + (static_cast<double>(nodes.nodes[static_cast<std::size_t>(p / m)]) + 1) / 2;
      double const angle = -2 * 3.14159265358979323846 * s / around;
      ring.push_back((1 + t / 2) * std::cos(angle)), ring.push_back((1 + t / 2) * std::sin(angle));
    }
  std::vector<double> points;
  std::vector<index_t> elements;
  support::generator next(9);
  for (int i = 0; i < 200; ++i) {
    auto const e = static_cast<int>(next.bits() % (around * out));
    reference::place const xi{next(), next(), 0};
    elements.push_back(e);
    for (int c = 0; c < 2; ++c)
      points.push_back(static_cast<double>(reference::polynomial_at(
          nodes, 2, [&](int p) { return ring[static_cast<std::size_t>(2 * (e * m * m + p) + c)]; }, xi)));
  }
  points.insert(points.end(), {0, 0});
  sumfac::view<double const, sumfac::dextents<4>> const quadrilaterals(ring.data(), around * out, m, m, 2);
  sumfac::locator const in_ring(sumfac::host{}, quadrilaterals, sumfac::gauss_lobatto_nodes{});
  auto const found = in_ring.locate(point_view(points, 2));
  CHECK(found.report() == "200 of 201 points found; in no element: 200");
  for (std::size_t i = 0; i < elements.size(); ++i) CHECK(found.elements()(static_cast<index_t>(i)) == elements[i]);

  std::vector<double> const line{0, 1, 3, 3, 5, 6};  // two elements of three nodes
  std::vector<double> const on_line{0.5, 3, 5.5, 6.5};
  sumfac::view<double const, sumfac::dextents<3>> const segments(line.data(), 2, 3, 1);
  auto const along = sumfac::locator(sumfac::host{}, segments).locate(point_view(on_line, 1));
  CHECK(along.report() == "3 of 4 points found; in no element: 3");
  CHECK(along.elements()(1) == 0);
  CHECK(along.elements()(2) == 1);
}

TEST_CASE("locator: what does not fit is refused with a diagnostic")
{
  auto mesh = mesh::box({2, 1, 1});
  sumfac::locator const search(sumfac::host{}, mesh_view(mesh));
  std::vector<double> points{0.5, 0.5, 0.5, 0.1, std::nan(""), 0.5};
  CHECK(message_of([&] { search.locate(point_view(points)); }).find("point 1 of 2") != std::string::npos);
  points[4] = std::numeric_limits<double>::infinity();
  CHECK(message_of([&] { search.locate(point_view(points)); }).find("point 1 of 2") != std::string::npos);
  CHECK(message_of([&] { search.locate(point_view(points, 2)); }).find("(expected 3, got 2)") != std::string::npos);
  sumfac::view<double const, sumfac::dextents<2>> const nothing(nullptr, 5, 3);
  CHECK(message_of([&] { search.locate(nothing); }).find("null") != std::string::npos);
  CHECK(search.locate(point_view({})).all_found());
  CHECK(message_of([&] {
          sumfac::locator(sumfac::host{}, mesh_view(mesh), sumfac::gauss_lobatto_nodes{}, {.tolerance = 0.5});
        }).find("got 0.5, 0 to 0.01 expected") != std::string::npos);
  mesh.coordinates[30] = std::nan("");
  CHECK(message_of([&] { sumfac::locator(sumfac::host{}, mesh_view(mesh)); }).find("element 1 of 2") !=
        std::string::npos);
  sumfac::view<double const, sumfac::dextents<5>> const wrong(mesh.data(), 2, 2, 2, 3, 3);
  CHECK(message_of([&] { sumfac::locator(sumfac::host{}, wrong); }).find("(expected 2, got 3)") != std::string::npos);
  sumfac::view<double const, sumfac::dextents<5>> const none(nullptr, 0, 2, 2, 2, 3);
  points[4] = 0.5;
  CHECK(sumfac::locator(sumfac::host{}, none).locate(point_view(points)).misses().extent(0) == 2);
}

}  // namespace
