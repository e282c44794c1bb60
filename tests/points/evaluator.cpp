// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values, gradients and sources at points against the oracle, on the host and on `checked`; and refusals.
#include "points.hpp"

#include <sumfac/backend/checked.hpp>

#include <cmath>
#include <string>

namespace {

using checks::global_view, checks::index_t, checks::point_case, checks::point_places, checks::message_of;

TEST_CASE("evaluator: values and gradients are those of the oracle")
{
  sumfac::host const host{2};
  checks::compare_points(point_case<1, double, sumfac::host>(host, {3, 2, 2}, 1, {}, false));
  checks::compare_points(point_case<2, double, sumfac::host>(host, {2, 2, 2}, 3, {}, true));
  checks::compare_points(
      point_case<3, double, sumfac::host>(host, {2, 1, 2}, 2, {.components_lie = sumfac::interleaving::slowest}, true));
  checks::compare_points(point_case<4, float, sumfac::host>(host, {2, 2, 1}, 1, {}, false));
  checks::compare_points(point_case<6, double, sumfac::host>(host, {2, 1, 1}, 1, {}, false, 20));
  // More points in an element than one segment has.
  checks::compare_points(point_case<2, double, sumfac::host>(host, {1, 1, 2}, 1, {}, false, 400));
}

TEST_CASE("evaluator: the same on checked, which finds nothing")
{
  sumfac::checked const checked;
  checks::compare_points(point_case<1, double, sumfac::checked>(checked, {3, 2, 2}, 2, {}, true));
  checks::compare_points(point_case<2, float, sumfac::checked>(
      checked, {2, 1, 2}, 3, {.components_lie = sumfac::interleaving::slowest}, false, 200));
  checks::compare_points(point_case<3, double, sumfac::checked>(checked, {2, 1, 1}, 1, {}, false));
  CHECK(checked.finding_count() == 0);
}

TEST_CASE("evaluator: sources are the transpose of values")
{
  sumfac::host const host{3};
  checks::compare_sources(point_case<1, double, sumfac::host>(host, {3, 2, 2}, 1, {}, false));
  checks::compare_sources(point_case<2, double, sumfac::host>(host, {2, 2, 2}, 3, {}, true, 200));
  checks::compare_sources(
      point_case<3, float, sumfac::host>(host, {2, 1, 2}, 2, {.components_lie = sumfac::interleaving::slowest}, true));
  sumfac::checked const checked;
  checks::compare_sources(point_case<1, double, sumfac::checked>(checked, {3, 2, 2}, 2, {}, true));
  checks::compare_sources(point_case<2, float, sumfac::checked>(checked, {2, 1, 2}, 1, {}, false, 200));
  CHECK(checked.finding_count() == 0);
}

TEST_CASE("evaluator: the same bits for any number of threads")
{
  auto const results = [](int threads) {
    point_case<2, double, sumfac::host> const p(sumfac::host{threads}, {3, 3, 3}, 1, {}, false, 300);
    auto const r = p.restriction();
    sumfac::evaluator<2> const at{r, p.points.element_view(), p.points.place_view(), {.sources = true}};
    std::vector<double> u(p.points.size()), y(p.x.size());
    at.values(global_view(p.x), global_view(u));
    at.add_sources(global_view(u), global_view(y));
    u.insert(u.end(), y.begin(), y.end());
    return u;
  };
  CHECK(results(1) == results(4));
}

TEST_CASE("evaluator: polynomials of the degree are reproduced at points that are located")
{
  constexpr int degree = 3;
  mesh::counts const counts{3, 2, 4};
  auto const shape = mesh::mapped(mesh::box(counts), mesh::affine{{2, 1, 0.5}, 0.3, 0.1, 0.2, {5, -3, 1}});
  checks::restricted_mesh const numbered{mesh::numbered(counts, degree, 1), 1};
  auto const f = [](double x, double y, double z) { return x * x * y - 2 * y * z * z + x * y * z + z - 4; };
  auto const slope = [](double x, double y, double z, int d) {
    return d == 0 ? 2 * x * y + y * z : d == 1 ? x * x - 2 * z * z + x * z : -4 * y * z + x * y + 1;
  };
  auto const raised = mesh::raised(shape, reference::gauss_lobatto(2), reference::gauss_lobatto(degree + 1));
  std::vector<double> x(numbered.size());
  for (std::size_t i = 0; i < numbered.numbers.table.size(); ++i)
    x[static_cast<std::size_t>(numbered.numbers.table[i])] =
        f(raised.coordinates[3 * i], raised.coordinates[3 * i + 1], raised.coordinates[3 * i + 2]);
  support::generator next(3);
  std::vector<double> points;
  for (int i = 0; i < 100; ++i) {
    auto const at =
        mesh::affine{{2, 1, 0.5}, 0.3, 0.1, 0.2, {5, -3, 1}}({(next() + 1) / 2, (next() + 1) / 2, (next() + 1) / 2});
    points.insert(points.end(), at.begin(), at.end());
  }
  auto const r = numbered.restriction<double>(sumfac::host{});
  sumfac::locator const search{sumfac::host{}, checks::mesh_view(shape)};
  auto const found = search.locate(sumfac::view<double const, sumfac::dextents<2>>(points.data(), 100, 3));
  REQUIRE(found.all_found());
  sumfac::evaluator<degree> const at{r, found, checks::mesh_view(shape)};
  std::vector<double> u(100), g(300);
  at.values(global_view(x), global_view(u));
  at.gradients(global_view(x), sumfac::view<double, sumfac::dextents<2>>(g.data(), 100, 3));
  for (std::size_t i = 0; i < 100; ++i) {
    double const px = points[3 * i], py = points[3 * i + 1], pz = points[3 * i + 2];
    CHECK(std::abs(u[i] - f(px, py, pz)) < 2e-12);
    for (int d = 0; d < 3; ++d) CHECK(std::abs(g[3 * i + static_cast<std::size_t>(d)] - slope(px, py, pz, d)) < 2e-11);
  }
}

TEST_CASE("evaluator: results in any layout, and points that were missed")
{
  point_case<2, double, sumfac::host> p(sumfac::host{}, {2, 2, 2}, 2, {}, false, 30);
  p.points.elements[4] = -1;
  auto const r = p.restriction();
  auto const elements = p.points.element_view();
  auto const places = p.points.place_view();
  CHECK(message_of([&] { sumfac::evaluator<2>(r, elements, places); }).find("point 4: got -1, 0 to 7 expected") !=
        std::string::npos);
  sumfac::evaluator<2> const at{r, elements, places, {.misses = sumfac::point_misses::skip}};
  auto const count = static_cast<index_t>(p.points.size());
  std::vector<double> rows(2 * p.points.size(), -7), columns(2 * p.points.size(), -7);
  at.values(global_view(p.x), sumfac::view<double, sumfac::dextents<2>>(rows.data(), count, 2));
  at.values(global_view(p.x), sumfac::view<double, sumfac::dextents<2>, sumfac::layout_left>(columns.data(), count, 2));
  for (std::size_t i = 0; i < p.points.size(); ++i)
    for (std::size_t c = 0; c < 2; ++c) {
      CHECK(rows[2 * i + c] == columns[c * p.points.size() + i]);
      CHECK((rows[2 * i + c] == -7) == (i == 4));
    }
}

TEST_CASE("evaluator: no points at all")
{
  point_case<2, double, sumfac::host> const p(sumfac::host{}, {2, 2, 2}, 1, {}, false, 0);
  auto const r = p.restriction();
  sumfac::evaluator<2> const at{r,  p.points.element_view(), p.points.place_view(), checks::mesh_view(p.shape),
                                {}, {.sources = true}};
  std::vector<double> nothing;
  auto y = p.x;
  at.values(global_view(p.x), global_view(nothing));
  at.gradients(global_view(p.x), sumfac::view<double, sumfac::dextents<2>>(nullptr, 0, 3));
  at.add_sources(global_view(nothing), global_view(y));
  CHECK(y == p.x);
  CHECK(at.points() == 0);
}

TEST_CASE("evaluator: what does not fit is refused with a diagnostic")
{
  point_case<2, double, sumfac::host> const p(sumfac::host{}, {2, 2, 2}, 1, {}, false, 30);
  auto const r = p.restriction();
  auto const count = static_cast<index_t>(p.points.size());
  auto const made = [&](auto const& change) {
    auto points = p.points;
    change(points);
    return message_of([&] { sumfac::evaluator<2>(r, points.element_view(), points.place_view()); });
  };
  CHECK(made([](point_places& q) { q.elements[3] = 8; }).find("point 3: got 8, 0 to 7 expected") != std::string::npos);
  CHECK(made([](point_places& q) { q.places[7] = 1 + 2e-10; }).find("point 2, direction 1: got 1.0000000002") !=
        std::string::npos);
  CHECK(made([](point_places& q) { q.places[7] = 1 + 0.5e-10; }).empty());
  CHECK(made([](point_places& q) { q.places[6] = std::nan(""); }).find("point 2, direction 0: got nan") !=
        std::string::npos);
  auto fewer = p.points;
  fewer.elements.pop_back();
  CHECK(message_of([&] {
          sumfac::evaluator<2>(r, fewer.element_view(), p.points.place_view());
        }).find("reference coordinates does not match") != std::string::npos);
  CHECK(message_of([&] {
          sumfac::evaluator<3>(r, p.points.element_view(), p.points.place_view());
        }).find("(expected 4, got 3)") != std::string::npos);
  auto const part = r.subset(0, 2);
  CHECK(message_of([&] {
          sumfac::evaluator<2>(part, p.points.element_view(), p.points.place_view());
        }).find("2 of 8 elements are") != std::string::npos);

  sumfac::evaluator<2> const at{r, p.points.element_view(), p.points.place_view()};
  std::vector<double> u(p.points.size()), g(3 * p.points.size()), shorter(p.x.size() - 1);
  auto const gradients = sumfac::view<double, sumfac::dextents<2>>(g.data(), count, 3);
  CHECK(message_of([&] { at.gradients(global_view(p.x), gradients); }).find("the mesh is not known") !=
        std::string::npos);
  CHECK(message_of([&] { at.add_sources(global_view(u), global_view(g)); }).find("does not match") !=
        std::string::npos);
  auto y = p.x;
  CHECK(message_of([&] { at.add_sources(global_view(u), global_view(y)); }).find(".sources = true") !=
        std::string::npos);
  CHECK(message_of([&] { at.values(global_view(shorter), global_view(u)); }).find("does not match") !=
        std::string::npos);
  CHECK(message_of([&] { at.values(global_view(p.x), global_view(g)); }).find("extent 0 (points)") !=
        std::string::npos);
  CHECK(message_of([&] {
          at.values(global_view(y), sumfac::view<double, sumfac::dextents<1>>(y.data(), count));
        }).find("overlap") != std::string::npos);
  sumfac::view<double, sumfac::dextents<1>> const nothing(nullptr, count);
  CHECK(message_of([&] { at.values(global_view(p.x), nothing); }).find("null") != std::string::npos);

  auto const of_four = mesh::box({2, 2, 2}, reference::gauss_lobatto(4));
  auto const four = checks::mesh_view(of_four);
  CHECK(message_of([&] {
          sumfac::evaluator<2>(r, p.points.element_view(), p.points.place_view(), four);
        }).find("sumfac::evaluator: it is not said where the 4 mesh nodes") == 0);

  auto const flipped = mesh::mapped(p.shape, [](mesh::position q) { return mesh::position{-q[0], q[1], q[2]}; });
  std::string text;
  try {
    sumfac::evaluator<2>(r, p.points.element_view(), p.points.place_view(), checks::mesh_view(flipped));
  } catch (sumfac::geometry_error const& error) {
    text = error.what();
  }
  CHECK(text.find("determinant") != std::string::npos);
}

}  // namespace
