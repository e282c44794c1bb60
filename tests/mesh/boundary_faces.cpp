// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The sides on the boundary of a mesh: how many, where their nodes lie, which way normals point, and their tags.
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/hanging_sides.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <catch2/catch.hpp>
#include <support/mesh.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace {

using reference::real;
using sumfac::element_side, sumfac::index_t;

constexpr std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

// Boxes of hexahedra, or of quadrilaterals where z is 0, of n nodes along each edge; periodic along some directions.
struct box {
  mesh::counts counts;
  int n;
  bool periodic[3] = {};

  int directions() const { return counts.z == 0 ? 2 : 3; }
  int layers() const { return counts.z == 0 ? 1 : n; }
  index_t elements() const { return index_t{counts.x} * counts.y * (counts.z == 0 ? 1 : counts.z); }
  int along(int d) const
  {
    int const cells = d == 0 ? counts.x : d == 1 ? counts.y : counts.z;
    return cells * (n - 1) + (periodic[d] ? 0 : 1);
  }
  index_t nodes() const { return index_t{along(0)} * along(1) * along(2); }
  index_t number(int x, int y, int z) const
  {
    return (index_t{z % along(2)} * along(1) + y % along(1)) * along(0) + x % along(0);
  }
  // f(x, y, z): the places of all nodes of all elements in the grid.
  template <class Function>
  void for_each_node(Function const& f) const
  {
    for (index_t e = 0; e < elements(); ++e)
      for (int k = 0; k < layers(); ++k)
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i) {
            int const cell = static_cast<int>(e);
            f(cell % counts.x * (n - 1) + i, cell / counts.x % counts.y * (n - 1) + j,
              cell / counts.x / counts.y * (n - 1) + k);
          }
  }
  std::vector<std::int32_t> table() const
  {
    std::vector<std::int32_t> numbers;
    for_each_node([&](int x, int y, int z) { numbers.push_back(static_cast<std::int32_t>(number(x, y, z))); });
    return numbers;
  }
  // Bent on the boundary, too; of n = 3, whose nodes are equispaced.
  std::vector<double> curved() const
  {
    std::vector<double> xyz;
    for_each_node([&](int i, int j, int k) {
      double const x = i / 2.0, y = j / 2.0, z = k / 2.0;
      xyz.push_back(3 + x + 0.1 * std::sin(2 * y + 3 * z + x));
      xyz.push_back(y + 0.1 * std::cos(2 * x - z));
      if (counts.z > 0) xyz.push_back(z - 1 + 0.1 * std::sin(x * y + z));
    });
    return xyz;
  }
};

auto table_3d(std::vector<std::int32_t> const& t, box const& b)
{
  return sumfac::view(t.data(), b.elements(), b.n, b.n, b.n);
}
auto table_2d(std::vector<std::int32_t> const& t, box const& b)
{
  return sumfac::view(t.data(), b.elements(), b.n, b.n);
}
std::size_t count(box const& b)
{
  auto const t = b.table();
  return (b.counts.z == 0 ? sumfac::boundary_faces(table_2d(t, b), b.nodes())
                          : sumfac::boundary_faces(table_3d(t, b), b.nodes()))
      .size();
}

// u times a part of the normal, or times x . n where `part` is the number of coordinates.
struct outflow {
  static constexpr auto trial = sumfac::value, test = sumfac::value;

  template <class T>
  struct factors {
    T value;
  };
  template <class T, int Dim, int Coordinates>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, Dim, Coordinates> const& x) const
  {
    auto const n = x.scaled_normal();
    T sum = n[0] * T(0.0);
    for (int c = 0; c < Coordinates; ++c)
      if (part == Coordinates)
        sum = sum + x.position()[c] * n[c];
      else if (part == c)
        sum = n[c];
    return {x.weight() * sum};
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, Dim> apply(factors<T> const& f,
                                                        sumfac::point_values<T, 1, Dim> const& u) const
  {
    return {.value = f.value * u.value};
  }

  int part = 0;
};

// The integral over each face.
template <auto Space, class View>
std::vector<double> outflows(View const& faces, int part)
{
  using op = sumfac::element_operator<outflow, Space, sumfac::gauss<4>>;
  op const A{sumfac::host{}, faces, {part}};
  constexpr int n = op::nodes_1d, size = sumfac::detail::node_box(n, op::directions).all();
  std::vector<double> const u(at(A.elements() * size), 1.0);
  std::vector<double> v(u.size()), sums(at(A.elements()), 0);
  if constexpr (op::directions == 2)
    A.apply(sumfac::view(u.data(), A.elements(), n, n), sumfac::view(v.data(), A.elements(), n, n));
  else
    A.apply(sumfac::view(u.data(), A.elements(), n), sumfac::view(v.data(), A.elements(), n));
  for (std::size_t i = 0; i < v.size(); ++i) sums[i / size] += v[i];
  return sums;
}
template <int Directions>
std::vector<double> outflows_of(std::vector<double> const& places, index_t faces, int part)
{
  if constexpr (Directions == 3)
    return outflows<sumfac::surface(1)>(sumfac::view(places.data(), faces, 3, 3, 3), part);
  else
    return outflows<sumfac::curve(1, 2)>(sumfac::view(places.data(), faces, 3, 2), part);
}

// The volume of an element, by the oracle.
double volume(int directions, double const* element)
{
  int const size = directions == 3 ? 27 : 9;
  reference::flat_element const oracle(directions, directions, reference::gauss_lobatto(3),
                                       std::vector<real>(element, element + directions * size), reference::gauss(4));
  reference::function_space const constants{reference::gauss(1), 1};
  auto const one = [&](auto const&, reference::flat_field u) {
    for (auto& g : u.gradient) std::fill(g.begin(), g.end(), real(0));
    return u;
  };
  return double(oracle.apply(constants, constants, one, {1})[0]);
}

// Sums over a whole boundary, and over all sides of each element.
template <int Directions>
void divergence_theorem(box const& b)
{
  auto const xyz = b.curved();
  auto const t = b.table();
  std::vector<element_side> boundary, all;
  for (index_t e = 0; e < b.elements(); ++e)
    for (int side = 0; side < 2 * Directions; ++side) all.push_back({e, side});
  std::vector<double> on_boundary, on_all;
  if constexpr (Directions == 3) {
    sumfac::view const nodes(xyz.data(), b.elements(), 3, 3, 3, 3);
    boundary = sumfac::boundary_faces(table_3d(t, b), b.nodes());
    on_boundary = sumfac::face_nodes(nodes, boundary), on_all = sumfac::face_nodes(nodes, all);
  } else {
    sumfac::view const nodes(xyz.data(), b.elements(), 3, 3, 2);
    boundary = sumfac::boundary_faces(table_2d(t, b), b.nodes());
    on_boundary = sumfac::face_nodes(nodes, boundary), on_all = sumfac::face_nodes(nodes, all);
  }
  std::vector<double> volumes;
  double whole = 0;
  for (index_t e = 0; e < b.elements(); ++e) {
    volumes.push_back(volume(Directions, &xyz[xyz.size() / at(b.elements()) * at(e)]));
    whole += volumes.back();
  }
  for (int part = 0; part <= Directions; ++part) {
    CAPTURE(part);
    auto const expected = [&](double of) { return part == Directions ? Directions * of : 0; };
    double sum = 0;
    for (double const x : outflows_of<Directions>(on_boundary, static_cast<index_t>(boundary.size()), part)) sum += x;
    CHECK(std::abs(sum - expected(whole)) < 1e-10);
    auto const sides = outflows_of<Directions>(on_all, static_cast<index_t>(all.size()), part);
    for (index_t e = 0; e < b.elements(); ++e) {
      double of_element = 0;
      for (int side = 0; side < 2 * Directions; ++side) of_element += sides[at(e * 2 * Directions + side)];
      CHECK(std::abs(of_element - expected(volumes[at(e)])) < 1e-11);
    }
  }
}

}  // namespace

TEST_CASE("boundary_faces: of boxes")
{
  for (int n : {2, 3, 4}) {
    CAPTURE(n);
    CHECK(count({{2, 3, 4}, n}) == 2 * (2 * 3 + 3 * 4 + 4 * 2));
    CHECK(count({{1, 1, 1}, n}) == 6);
    CHECK(count({{5, 3, 0}, n}) == 2 * (5 + 3));
    CHECK(count({{1, 1, 0}, n}) == 4);
  }
  // In the order of elements and sides: the left one of two quadrilaterals has all but its right side.
  box const b{{2, 1, 0}, 2};
  auto const t = b.table();
  auto const found = sumfac::boundary_faces(table_2d(t, b), b.nodes());
  CHECK(found == std::vector<element_side>{{0, 0}, {0, 2}, {0, 3}, {1, 1}, {1, 2}, {1, 3}});
  CHECK(sumfac::boundary_faces(sumfac::view(t.data(), 0, 2, 2), b.nodes()).empty());
  CHECK(sumfac::face_table(table_2d(t, b), {}).empty());
}

TEST_CASE("boundary_faces: of periodic boxes")
{
  for (int n : {2, 3}) {
    CAPTURE(n);
    CHECK(count({{3, 3, 3}, n, {true, true, true}}) == 0);
    CHECK(count({{3, 4, 0}, n, {true, true, false}}) == 0);
    CHECK(count({{3, 4, 5}, n, {true, false, false}}) == 2 * (3 * 4 + 3 * 5));
    CHECK(count({{1, 3, 0}, n, {true, false, false}}) == 2);
    CHECK(count({{3, 4, 0}, n, {false, true, false}}) == 2 * 4);
  }
  // Two elements around: sides that have the same vertices, and other nodes inside.
  for (int n : {3, 4, 5}) {
    CAPTURE(n);
    CHECK(count({{2, 1, 0}, n, {true, false, false}}) == 4);
    CHECK(count({{2, 2, 0}, n, {true, true, false}}) == 0);
    CHECK(count({{2, 2, 2}, n, {true, true, true}}) == 0);
    CHECK(count({{2, 3, 2}, n, {true, false, true}}) == 2 * 2 * 2);
  }
}

TEST_CASE("boundary_faces: of degree 1 and periodic over one or two elements, a table of degree 2 tells sides apart")
{
  for (box const& b : {box{{2, 1, 0}, 2, {true, false, false}}, box{{1, 2, 0}, 2, {false, true, false}},
                       box{{2, 3, 0}, 2, {true, false, false}}, box{{2, 3, 0}, 2, {true, true, false}},
                       box{{1, 2, 0}, 2, {true, true, false}}, box{{2, 1, 1}, 2, {true, false, false}},
                       box{{2, 2, 2}, 2, {true, true, true}}, box{{2, 3, 2}, 2, {true, false, false}}})
    CHECK_THROWS_WITH(count(b), Catch::Contains("elements 0 and 1 have the same vertices") &&
                                    Catch::Contains("3 elements or more") && Catch::Contains("table of degree 2"));
  for (box const& b : {box{{1, 1, 0}, 2, {true, true, false}}, box{{1, 1, 1}, 2, {true, false, true}}})
    CHECK_THROWS_WITH(count(b), Catch::Contains("more than two elements") && Catch::Contains("table of degree 2"));
  // Over one element in one direction a side is its own other side.
  CHECK(count({{1, 1, 0}, 2, {true, false, false}}) == 2);
  CHECK(count({{1, 2, 1}, 2, {false, false, true}}) == 6);
  // What the message says to do: the sides of degree 2, with the nodes of degree 1.
  for (box b : {box{{2, 1, 0}, 2, {true, false, false}}, box{{2, 1, 0}, 2, {true, true, false}}}) {
    auto const t = b.table();
    box finer = b;
    finer.n = 3;
    auto const t3 = finer.table();
    auto const faces = sumfac::boundary_faces(table_2d(t3, finer), finer.nodes());
    bool const open = !b.periodic[1];
    REQUIRE(faces == (open ? std::vector<element_side>{{0, 2}, {0, 3}, {1, 2}, {1, 3}} : std::vector<element_side>{}));
    auto const nodes = sumfac::face_table(table_2d(t, b), faces);
    CHECK(nodes == (open ? std::vector<index_t>{0, 1, 3, 2, 1, 0, 2, 3} : std::vector<index_t>{}));
  }
  // Two elements that share two sides, or all of them, but have nodes of their own.
  int const doublet[] = {0, 1, 2, 3, 4, 2, 1, 3};
  CHECK(sumfac::boundary_faces(sumfac::view(doublet, 2, 2, 2), 5).size() == 4);
  int const pillow[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 9, 5, 6, 7, 8};
  CHECK(sumfac::boundary_faces(sumfac::view(pillow, 2, 3, 3), 10).empty());
}

TEST_CASE("boundary_faces: an element that is there twice")
{
  for (int const n : {2, 3, 4}) {
    CAPTURE(n);
    box const one{{1, 1, 1}, n}, three{{3, 1, 1}, n};
    auto const sentence = Catch::Contains(n == 2 ? "elements 0 and 1 have the same vertices"
                                                 : "elements 0 and 1 have the same nodes: leave one of them out");
    auto t = one.table();
    auto const element = t;
    for (std::size_t i = element.size(); i-- > 0;) t.push_back(element[i]);  // turned about all axes: mirrored
    CHECK_THROWS_WITH(sumfac::boundary_faces(sumfac::view(t.data(), 2, n, n, n), one.nodes()), sentence);
    auto beside = three.table();
    std::vector<std::int32_t> twice(beside.begin(), beside.begin() + n * n * n);
    twice.insert(twice.end(), beside.begin(), beside.end());
    CHECK_THROWS_WITH(sumfac::boundary_faces(sumfac::view(twice.data(), 4, n, n, n), three.nodes()), sentence);
  }
}

TEST_CASE("boundary_faces: numbers and places are of the same nodes, on the side that it says")
{
  box const b{{2, 3, 2}, 3}, plane{{3, 2, 0}, 3};
  auto const compare = [](box const& of, auto const& table, auto const& nodes) {
    int const coordinates = of.directions();
    auto const places = of.curved();
    auto const t = of.table();
    std::vector<double> by_number(at(of.nodes() * coordinates));
    for (std::size_t i = 0; i < places.size(); ++i)
      by_number[at(t[i / at(coordinates)] * coordinates) + i % at(coordinates)] = places[i];
    auto const faces = sumfac::boundary_faces(table, of.nodes());
    auto const numbers = sumfac::face_table(table, faces);
    auto const found = sumfac::face_nodes(nodes, faces);
    auto const of_face = numbers.size() / faces.size();
    REQUIRE(of_face == (coordinates == 3 ? 9u : 3u));
    REQUIRE(found.size() == numbers.size() * at(coordinates));
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == by_number[at(numbers[i / at(coordinates)] * coordinates) + i % at(coordinates)]);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      int const side = faces[i / of_face].side, d = side / 2;
      index_t const grid[] = {numbers[i] % of.along(0), numbers[i] / of.along(0) % of.along(1),
                              numbers[i] / of.along(0) / of.along(1)};
      CHECK(grid[d] == (side % 2 == 0 ? 0 : of.along(d) - 1));
    }
  };
  auto const t = b.table(), of_plane = plane.table();
  auto const xyz = b.curved(), xy = plane.curved();
  compare(b, table_3d(t, b), sumfac::view(xyz.data(), b.elements(), 3, 3, 3, 3));
  compare(plane, table_2d(of_plane, plane), sumfac::view(xy.data(), plane.elements(), 3, 3, 2));
}

TEST_CASE("boundary_faces: the divergence theorem on curved meshes")
{
  divergence_theorem<3>({{2, 1, 3}, 3});
  divergence_theorem<2>({{3, 2, 0}, 3});
}

TEST_CASE("boundary_faces: tags")
{
  box const b{{2, 2, 2}, 3}, plane{{2, 3, 0}, 2};
  auto const t = b.table(), of_plane = plane.table();
  auto const faces = sumfac::boundary_faces(table_3d(t, b), b.nodes());
  auto const numbers = sumfac::face_table(table_3d(t, b), faces);
  // Every second face, last first, its vertices in an order of its own, and a polygon inside that is no face.
  std::vector<std::int64_t> polygons;
  std::vector<int> tags;
  for (std::size_t f = faces.size(); f-- > 0;) {
    if (f % 2 == 0) continue;
    std::size_t const corners[] = {0, 2, 6, 8};
    for (std::size_t i = 0; i < 4; ++i) polygons.push_back(numbers[9 * f + corners[(i + f) % 4]]);
    tags.push_back(static_cast<int>(100 + f));
  }
  for (int i : {0, 1, 3, 4}) polygons.push_back(b.number(i % 3, i / 3, 2));
  tags.push_back(7);
  auto const q = static_cast<index_t>(tags.size());
  sumfac::view const some(polygons.data(), q, 4);
  auto const found = sumfac::face_tags(table_3d(t, b), b.nodes(), faces, some, sumfac::view(tags.data(), q), -1);
  REQUIRE(found.size() == faces.size());
  for (std::size_t f = 0; f < found.size(); ++f) CHECK(found[f] == (f % 2 == 0 ? -1 : static_cast<int>(100 + f)));

  auto const sides = sumfac::boundary_faces(table_2d(of_plane, plane), plane.nodes());
  int const line[] = {1, 0, 2, 1}, names[] = {5, 6};  // the lower edge, from right to left
  auto const of_lines = sumfac::face_tags(table_2d(of_plane, plane), plane.nodes(), sides, sumfac::view(line, 2, 2),
                                          sumfac::view(names, 2));
  for (std::size_t f = 0; f < sides.size(); ++f)
    CHECK(of_lines[f] == (sides[f] == element_side{0, 2} ? 5 : sides[f] == element_side{1, 2} ? 6 : 0));

  // Around two elements of degree 2 polygons have the same vertices.
  box const ring{{2, 1, 0}, 3, {true, false, false}};
  auto const of_ring = ring.table();
  auto const around = sumfac::boundary_faces(table_2d(of_ring, ring), ring.nodes());
  REQUIRE(around.size() == 4);
  int const below[] = {0, 2, 2, 0}, alike[] = {5, 5};
  auto const ring_tags = [&](index_t count, int const* tags_of) {
    return sumfac::face_tags(table_2d(of_ring, ring), ring.nodes(), around, sumfac::view(below, count, 2),
                             sumfac::view(tags_of, count));
  };
  CHECK_THROWS_WITH(ring_tags(2, names), Catch::Contains("polygons 0 and 1 have the same vertices"));
  CHECK_THROWS_WITH(ring_tags(1, names), Catch::Contains("faces 0 and 2 have the same vertices"));
  CHECK(ring_tags(2, alike) == std::vector<int>{5, 0, 5, 0});

  auto const tag = [&](auto const& lines, auto const& names_of_lines) {
    return sumfac::face_tags(table_2d(of_plane, plane), plane.nodes(), sides, lines, names_of_lines);
  };
  CHECK_THROWS_WITH(tag(sumfac::view(line, 1, 4), sumfac::view(names, 1)),
                    Catch::Contains("vertices") && Catch::Contains("2") && Catch::Contains("4"));
  CHECK_THROWS_WITH(tag(sumfac::view(line, 2, 2), sumfac::view(names, 1)), Catch::Contains("polygons"));
  int const outside[] = {1, 0, 2, 12};
  CHECK_THROWS_WITH(tag(sumfac::view(outside, 2, 2), sumfac::view(names, 2)),
                    Catch::Contains("polygon 1, vertex 1: got 12, 0 to 11 expected"));
}

TEST_CASE("boundary_faces: what cannot be")
{
  // Three quadrilaterals on the edge from node 0 to node 1; the third has it as its upper side.
  int const three[] = {0, 1, 2, 3, 4, 5, 0, 1, 6, 7, 1, 0};
  CHECK_THROWS_WITH(sumfac::boundary_faces(sumfac::view(three, 3, 2, 2), 8),
                    Catch::Contains("more than two elements (side 2 of element 0, 3 of 1, 3 of 2;"));
  box const b{{2, 1, 1}, 2};
  auto t = b.table();
  auto const xyz = std::vector<double>(at(b.elements() * 24));
  sumfac::view const nodes(xyz.data(), b.elements(), 2, 2, 2, 3);
  auto const faces_of = [&](index_t element, int side) { return std::vector<element_side>{{0, 0}, {element, side}}; };
  for (index_t const e : {index_t{-1}, index_t{2}}) {
    auto const text = "got " + std::to_string(e) + ", 0 to 1 expected";
    CHECK_THROWS_WITH(sumfac::face_table(table_3d(t, b), faces_of(e, 0)), Catch::Contains(text));
    CHECK_THROWS_WITH(sumfac::face_nodes(nodes, faces_of(e, 0)), Catch::Contains(text));
  }
  for (int const side : {-1, 6}) {
    auto const text = "no such side (got " + std::to_string(side) + ", 0 to 5 expected";
    CHECK_THROWS_WITH(sumfac::face_table(table_3d(t, b), faces_of(0, side)), Catch::Contains(text));
    CHECK_THROWS_WITH(sumfac::face_nodes(nodes, faces_of(0, side)), Catch::Contains(text));
  }
  t[3] = 12;
  CHECK_THROWS_WITH(sumfac::boundary_faces(table_3d(t, b), b.nodes()), Catch::Contains("out of range"));
}

namespace {

// Blocks of cubes, or squares, side by side along x: block b is from x = b to b + 1, of cells[b] cells along each edge.
// Nodes at one place have one number, but for those of other blocks where `apart` says so.
template <int Directions>
struct blocks {
  static constexpr int m = 3;  // nodes of the mesh's elements, equispaced
  int n;
  std::vector<int> cells;
  bool apart = false;
  index_t elements = 0, nodes = 0;
  std::vector<double> xyz{};
  std::vector<index_t> numbers{};

  template <class Map>
  blocks(int nodes_1d, std::vector<int> const& of_blocks, Map const& map, bool are_apart = false)
      : n(nodes_1d), cells(of_blocks), apart(are_apart)
  {
    std::map<std::tuple<long, long, long, int>, index_t> known;
    for (int b = 0; b < int(cells.size()); ++b) {
      int const along = cells[at(b)], layers = Directions == 3 ? along : 1;
      for (int e = 0; e < along * along * layers; ++e, ++elements) {
        int const cell[3] = {e % along, e / along % along, e / along / along};
        auto const each = [&](int size, auto const& f) {
          for (int p = 0; p < size * size * (Directions == 3 ? size : 1); ++p) {
            int const i[3] = {p % size, p / size % size, p / size / size};
            double x[3];
            for (int d = 0; d < 3; ++d) x[d] = (cell[d] + double(i[d]) / (size - 1)) / along;
            x[0] += b;
            f(x);
          }
        };
        each(n, [&](double const* x) {
          auto const key = [](double a) { return std::lround(a * 1e6); };
          numbers.push_back(known.try_emplace({key(x[0]), key(x[1]), key(x[2]), apart ? b : 0}, nodes).first->second);
          nodes = static_cast<index_t>(known.size());
        });
        each(m, [&](double const* x) {
          auto const place = map(x[0], x[1], Directions == 3 ? x[2] : 0.0);
          for (int d = 0; d < Directions; ++d) xyz.push_back(place[at(d)]);
        });
      }
    }
  }
  auto table() const
  {
    if constexpr (Directions == 3)
      return sumfac::view(numbers.data(), elements, n, n, n);
    else
      return sumfac::view(numbers.data(), elements, n, n);
  }
  auto mesh() const
  {
    if constexpr (Directions == 3)
      return sumfac::view(xyz.data(), elements, m, m, m, 3);
    else
      return sumfac::view(xyz.data(), elements, m, m, 2);
  }
  // Of the sides across x: whether they are between two blocks.
  bool is_between(element_side const& s) const
  {
    index_t first = 0;
    for (std::size_t b = 0; b < cells.size(); ++b) {
      index_t const along = cells[b], all = along * along * (Directions == 3 ? along : 1);
      if (s.element < first + all) {
        index_t const x = (s.element - first) % along;
        return (s.side == 0 && x == 0 && b > 0) || (s.side == 1 && x == along - 1 && b + 1 < cells.size());
      }
      first += all;
    }
    return false;
  }
};

using place_of_node = std::array<double, 3>;
place_of_node straight(double x, double y, double z) { return {x, y, z}; }
// Quadratic in each coordinate, so that small elements lie on large ones.
place_of_node curved(double x, double y, double z)
{
  return {x + 0.2 * y * y - 0.1 * z * z * y, y + 0.1 * x * x - 0.2 * z, z + 0.1 * x * y + 0.2 * y * y};
}

template <int Directions, class Map>
void hangs(std::vector<int> const& cells, Map const& map, bool apart, std::size_t of_mesh)
{
  blocks<Directions> const b(2, cells, map, apart);
  auto const faces = sumfac::boundary_faces(b.table(), b.nodes);
  std::vector<element_side> between;
  for (auto const& s : faces)
    if (b.is_between(s)) between.push_back(s);
  CHECK(faces.size() - between.size() == of_mesh);
  CHECK(sumfac::hanging_sides(b.mesh(), faces) == between);
  if (between.empty())
    CHECK(sumfac::boundary_faces(b.table(), b.nodes, b.mesh()) == faces);
  else
    CHECK_THROWS_WITH(sumfac::boundary_faces(b.table(), b.nodes, b.mesh()),
                      Catch::StartsWith("sumfac::boundary_faces: sides lie on each other and share no nodes (side ") &&
                          Catch::Contains("; " + std::to_string(between.size()) + " such sides, 0 expected)"));
}

}  // namespace

TEST_CASE("hanging_sides: large elements beside small ones, nodes that are not one, and neither")
{
  for (bool const is_curved : {false, true}) {
    CAPTURE(is_curved);
    auto const map = [&](double x, double y, double z) { return is_curved ? curved(x, y, z) : straight(x, y, z); };
    hangs<3>({2, 4, 1}, map, false, 4 * 4 + 4 * 16 + 4 * 1 + 4 + 1);
    hangs<2>({2, 4, 1}, map, false, 4 + 8 + 2 + 2 + 1);
    hangs<2>({2, 3}, map, false, 4 + 6 + 2 + 3);  // sides that are in no other
    hangs<3>({2, 3}, map, false, 16 + 36 + 4 + 9);
    hangs<3>({2, 2}, map, true, 32 + 8);  // a crack
    hangs<3>({2, 2}, map, false, 32 + 8);
    hangs<2>({3, 3}, map, true, 12 + 6);
  }
}

TEST_CASE("hanging_sides: at any scale, and sides that are near each other with an element between them")
{
  for (double const size : {1e-150, 1.0, 1e150})
    for (double const thin : {1.0, 1e-7})
      for (double const far : {0.0, 1e5}) {
        if (far * 1e-10 > thin) continue;  // which coordinates do not tell apart
        CAPTURE(size, thin, far);
        // Thin along x, across the sides that lie on each other, and along y, within them.
        auto const along = [&](double x, double y, double z) {
          return place_of_node{size * (thin * x + 0.3 * y + far), size * (y + far), size * (z - far)};
        };
        auto const within = [&](double x, double y, double z) {
          return place_of_node{size * (x + far), size * (thin * y + 0.2 * x - far), size * (z + far)};
        };
        hangs<3>({1, 2}, along, false, 4 + 16 + 1 + 4), hangs<3>({1, 2}, within, false, 4 + 16 + 1 + 4);
        hangs<3>({2, 2}, along, false, 40), hangs<3>({2, 2}, within, false, 40);
        hangs<2>({1, 2}, along, false, 2 + 4 + 1 + 2), hangs<2>({1, 1}, within, true, 4 + 2);
      }
}

TEST_CASE("boundary_faces: a vertex that lies inside a side of another element")
{
  for (int const n : {3, 5}) {
    blocks<3> const b(n, {1, n - 1}, straight);
    CHECK_THROWS_WITH(sumfac::boundary_faces(b.table(), b.nodes),
                      Catch::Contains("is a vertex of one element and lies inside side 1 of element 0 (0 such nodes"));
    blocks<2> const flat(n, {1, n - 1}, straight);
    CHECK_THROWS_WITH(sumfac::boundary_faces(flat.table(), flat.nodes),
                      Catch::Contains("is a vertex of one element and lies inside side 1 of element 0 (0 such nodes"));
    blocks<2> const whole(n, {2, 2}, straight);
    CHECK(sumfac::boundary_faces(whole.table(), whole.nodes).size() == 12);
  }
}
