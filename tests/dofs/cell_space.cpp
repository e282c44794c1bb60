// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of triangles, tetrahedra and prisms, and the numbers of nodes on them, however elements are turned.
#include "../operator/cells.hpp"

#include <sumfac/dofs/cell_space.hpp>
#include <sumfac/mesh/cell_mesh.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <set>

namespace {

struct box_of_cells {
  std::vector<double> points;
  std::vector<int> table;
  int vertices, coordinates;

  // Every other element turned, so that sides meet in all ways.
  box_of_cells(sumfac::space const& of, int cells)
      : vertices(sumfac::detail::sides_of_cell(of.shape, of.directions).vertices), coordinates(of.directions)
  {
    std::map<std::vector<long>, int> known;
    auto const places = checks::vertices_of_box(of, cells);
    for (std::size_t i = 0; i < places.size(); i += std::size_t(coordinates)) {
      std::vector<long> key;
      for (int c = 0; c < coordinates; ++c) key.push_back(std::lround(1000 * places[i + std::size_t(c)]));
      auto const [found, is_new] = known.emplace(key, int(known.size()));
      table.push_back(found->second);
      if (is_new) points.insert(points.end(), &places[i], &places[i] + coordinates);
    }
    for (std::size_t e = 0; e < table.size() / std::size_t(vertices); ++e) {
      int* const own = &table[e * std::size_t(vertices)];
      for (std::size_t turn = 0; turn < e % 3; ++turn) {  // three vertices around, of prisms in both triangles
        int const first = own[0];
        own[0] = own[1], own[1] = own[2], own[2] = first;
        if (vertices < 6) continue;
        int const upper = own[3];
        own[3] = own[4], own[4] = own[5], own[5] = upper;
      }
    }
  }
  sumfac::cell_mesh mesh(sumfac::cell_shape shape) const
  {
    return {shape, sumfac::view(points.data(), sumfac::index_t(points.size()) / coordinates, coordinates),
            sumfac::view(table.data(), sumfac::index_t(table.size()) / vertices, vertices)};
  }
};

// One number for each place, one place for each number; fixed is what lies on the boundary.
void numbers_places(sumfac::space const& of, sumfac::index_t expected)
{
  constexpr int cells = 2;
  auto const mesh = box_of_cells(of, cells).mesh(of.shape);
  sumfac::cell_space const v(mesh, of.degree, mesh.boundary());
  CAPTURE(int(of.shape), of.directions, of.degree);
  CHECK(v.nodes() == expected);
  CHECK(v.nodes_of_element() == sumfac::detail::functions_of_cell(of));
  auto const places = v.positions();
  auto const d = std::size_t(of.directions);
  std::set<std::vector<long>> seen;
  for (sumfac::index_t i = 0; i < v.nodes(); ++i) {
    std::vector<long> key;
    bool outside = false;
    for (std::size_t c = 0; c < d; ++c) {
      double const x = places[std::size_t(i) * d + c];
      key.push_back(std::lround(1e6 * x));
      outside = outside || x < 1e-9 || x > 1 - 1e-9;
    }
    seen.insert(key);
    CHECK(v.is_fixed(i) == outside);
  }
  CHECK(sumfac::index_t(seen.size()) == v.nodes());
  // Each element's own nodes lie where their numbers say.
  sumfac::space corners = of;
  corners.degree = 1;
  auto const nodes = sumfac::detail::basis_of(of), map = sumfac::detail::basis_of(corners);
  std::vector<long double> values(std::size_t(map.size())), gradients(std::size_t(map.size()) * d);
  for (sumfac::index_t e = 0; e < mesh.elements(); ++e)
    for (int p = 0; p < nodes.size(); ++p) {
      long double xi[3] = {};
      for (int a = 0; a < of.directions; ++a) xi[a] = nodes.node(p, a);
      map.evaluate(xi, values.data(), gradients.data());
      for (std::size_t c = 0; c < d; ++c) {
        long double x = 0;
        for (std::size_t k = 0; k < values.size(); ++k)
          x += values[k] * mesh.nodes()(e, sumfac::index_t(k), sumfac::index_t(c));
        CHECK(places[std::size_t(v.table()(e, p)) * d + c] == Approx(double(x)).margin(1e-12));
      }
    }
}

}  // namespace

TEST_CASE("cell_space: nodes are one where they meet")
{
  numbers_places(sumfac::triangle(1), 9);
  numbers_places(sumfac::triangle(4), 81);
  numbers_places(sumfac::tetrahedron(2), 125);
  numbers_places(sumfac::tetrahedron(4), 729);
  numbers_places(sumfac::prism(3), 343);
}

TEST_CASE("cell_space: what does not fit is refused")
{
  box_of_cells box(sumfac::tetrahedron(1), 1);
  auto const mesh = box.mesh(sumfac::cell_shape::simplex);
  CHECK(mesh.boundary().size() == 12);
  CHECK_THROWS_WITH(sumfac::cell_space(mesh, 16), Catch::Contains("got 16, 1 to 15 expected"));
  CHECK_THROWS_WITH(sumfac::cell_space(mesh, 2, {{6, 0}}), Catch::Contains("element 6, side 0; there are 6 elements"));
  CHECK_THROWS_WITH(mesh.boundary("inlet"), Catch::Contains("no sides have the name 'inlet'"));
  CHECK(mesh.named({"inlet", 0, {{0, 1}}}).boundary("inlet").size() == 1);
  box.table[5] = 8;
  CHECK_THROWS_WITH(box.mesh(sumfac::cell_shape::simplex), Catch::Contains("element 1, vertex 1: got 8, 0 to 7 "
                                                                           "expected"));
  box.table = {0, 1, 3, 7, 0, 1, 3, 4, 0, 1, 3, 5};
  CHECK_THROWS_WITH(box.mesh(sumfac::cell_shape::simplex), Catch::Contains("a side is one of 3 elements"));
  CHECK_THROWS_WITH(box.mesh(sumfac::cell_shape::prism), Catch::Contains("got 4; 3, 6, ..."));
}
