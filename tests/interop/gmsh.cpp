// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes from small files of Gmsh's: lines, quadrilaterals, surfaces and hexahedra, names, and what is refused where.
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/dofs/joined_spaces.hpp>
#include <sumfac/dofs/mixed_space.hpp>
#include <sumfac/interop/gmsh.hpp>
#include <sumfac/mesh/nesting.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Catch::Matchers::Contains;
using sumfac::function_space;

// Reads a file of this text.
template <int D, int C = D>
sumfac::mesh<D, C> read(std::string const& text)
{
  std::string const name = "gmsh_test.msh";
  std::ofstream(name, std::ios::binary) << text;
  struct removed {
    std::string const& file;
    ~removed() { std::remove(file.c_str()); }
  } const at_end{name};
  return sumfac::gmsh::read<D, C>(name);
}

std::string changed(std::string text, std::string const& from, std::string const& to)
{
  auto const at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

double size_of(auto const& mesh)
{
  return function_space{mesh, 3}.integral([](auto const&) { return 1; });
}

// Two quadrilaterals of order 2, the second one turned; [0, 2] x [0, 1], its right side curved to x = 2.5 in the
// middle; sides in two groups, one without a name.
std::string const quadrilaterals = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
1 7 "inlet"
2 3 "copper plate"
$EndPhysicalNames
$Entities
0 2 1 0
1 0 0 0 0 1 0 1 7 0
2 0 0 0 0 1 0 1 9 0
1 0 0 0 2.5 1 0 1 3 0
$EndEntities
$Nodes
1 15 1 15
2 1 0 15
1
2
3
4
5
6
7
8
9
10
11
12
13
14
15
0 0 0
1 0 0
2 0 0
0 1 0
1 1 0
2 1 0
0.5 0 0
1 0.5 0
0.5 1 0
0 0.5 0
0.5 0.5 0
1.5 0 0
2.5 0.5 0
1.5 1 0
1.625 0.5 0
$EndNodes
$Elements
3 4 1 4
1 1 8 1
1 1 4 10
1 2 8 1
2 3 6 13
2 1 10 2
3 1 2 5 4 7 8 9 10 11
4 3 6 5 2 13 14 8 12 15
$EndElements
)";

TEST_CASE("quadrilaterals of order 2, turned, with names")
{
  auto const mesh = read<2>(quadrilaterals);
  CHECK(mesh.elements() == 2);
  CHECK(mesh.vertices() == 6);
  CHECK(mesh.boundary().size() == 6);
  CHECK(size_of(mesh) == Approx(2 + 0.5 * 2 / 3));
  CHECK(mesh.boundary("inlet") == std::vector<sumfac::element_side>{{0, 0}});
  CHECK(mesh.boundary(9) == mesh.boundary("9"));
  CHECK(function_space{mesh, 2}.on(mesh.boundary(9)).integral([](auto const& x) { return x[0] > 2 ? 1 : 0; }) > 1.1);
  CHECK(mesh.elements("copper plate").size() == 2);
  CHECK(function_space{mesh, 3}.nodes() == 7 * 4);
  CHECK(size_of(read<2, 3>(quadrilaterals)) == Approx(size_of(mesh)));
}

std::string const cube = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
2 4 "top"
$EndPhysicalNames
$Nodes
8
1 0 0 0
2 2 0 0
30 2 1 0
4 0 1 0
5 0 0 1
6 2 0 1
7 2 1 1
8 0 1 1
$EndNodes
$Elements
4
1 15 2 0 1 1
2 3 2 4 1 5 6 7 8
3 5 2 1 1 1 2 30 4 5 6 7 8
4 5 2 2 1 1 2 30 4 5 6 7 8
$EndElements
)";

TEST_CASE("hexahedra of format 2.2, where an element of two groups is there twice")
{
  auto const mesh = read<3>(cube);
  CHECK(mesh.elements() == 1);
  CHECK(size_of(mesh) == Approx(2));
  CHECK(mesh.elements(1) == mesh.elements(2));
  CHECK(mesh.boundary("top") == std::vector<sumfac::element_side>{{0, 5}});
  CHECK_THROWS_WITH(read<3>(changed(cube, "4 5 2 2 1", "4 5 2 1 1")), Contains("elements 0 and 1 have the same nodes"));
  CHECK_THROWS_WITH(read<3>(changed(cube, "4 5 2 2 1", "4 5 2 0 1")), Contains("elements 0 and 1 have the same nodes"));
  CHECK_THROWS_WITH(read<2>(cube), Contains("elements have 3 directions (at most 2 expected): read<3>"));
}

// A square of n x n, as `Transfinite Surface` and `Recombine Surface` make it: its nodes are those of its corners, of
// the curves around it and of the surface, one behind the other.
std::string transfinite_square(int n)
{
  std::vector<std::vector<int>> number(std::size_t(n + 1), std::vector<int>(std::size_t(n + 1)));
  std::string nodes, elements;
  int count = 0, cells = 0;
  auto const add = [&](int i, int j) {
    number[std::size_t(j)][std::size_t(i)] = ++count;
    nodes += std::to_string(count) + " " + std::to_string(double(i) / n) + " " + std::to_string(double(j) / n) + " 0\n";
  };
  auto const at = [&](int i, int j) { return " " + std::to_string(number[std::size_t(j)][std::size_t(i)]); };
  add(0, 0), add(n, 0), add(n, n), add(0, n);
  for (int i = 1; i < n; ++i) add(i, 0);
  for (int j = 1; j < n; ++j) add(n, j);
  for (int i = n - 1; i > 0; --i) add(i, n);
  for (int j = n - 1; j > 0; --j) add(0, j);
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < n; ++j) add(i, j);
  for (int j = n; j > 0; --j) elements += std::to_string(++cells) + " 1 2 7 4" + at(0, j) + at(0, j - 1) + "\n";
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      elements +=
          std::to_string(++cells) + " 3 2 3 1" + at(i, j) + at(i + 1, j) + at(i + 1, j + 1) + at(i, j + 1) + "\n";
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 7 \"inlet\"\n2 3 \"plate\"\n$EndPhysicalNames\n"
         "$Nodes\n" +
         std::to_string(count) + "\n" + nodes + "$EndNodes\n$Elements\n" + std::to_string(cells) + "\n" + elements +
         "$EndElements\n";
}

TEST_CASE("gmsh: a transfinite block has the coarser meshes that it could have been cut from")
{
  auto const read_4 = read<2>(transfinite_square(4));
  REQUIRE(read_4.elements() == 16);
  auto const mesh = with_coarser(read_4);
  auto const* one = &mesh;
  for (std::size_t const side : {4u, 2u, 1u}) {
    REQUIRE(one != nullptr);
    CHECK(one->elements("plate").size() == side * side);
    CHECK(one->boundary("inlet").size() == side);
    auto inlet = one->boundary(7);
    std::sort(inlet.begin(), inlet.end());
    CHECK(inlet == one->boundary([](auto const& x) { return x[0] < 1e-12; }));
    CHECK(size_of(*one) == Approx(1));
    one = one->coarser();
  }
  CHECK(one == nullptr);
  CHECK(with_coarser(read<2>(transfinite_square(3))).coarser() == nullptr);
}

TEST_CASE("lines, in space too, whose sides are points")
{
  std::string const text =
      changed(changed(cube, "2 3 2 4 1 5 6 7 8\n3 5 2 1 1 1 2 30 4 5 6 7 8\n4 5 2 2 1 1 2 30 4 5 6 7 8\n",
                      "2 1 2 1 1 1 2\n3 1 2 1 1 2 30\n4 1 2 1 1 30 7\n"),
              "1 15 2 0 1 1", "1 15 2 5 1 1");
  auto const curve = read<1, 3>(text);
  CHECK(size_of(curve) == Approx(2 + 1 + 1));
  CHECK(curve.boundary().size() == 2);
  CHECK(curve.boundary(5).size() == 1);
  CHECK_THROWS_WITH(read<1>(text), Contains("element 1 has a node with coordinate 1") && Contains("read<1, 3>"));
}

// A row of quadrilaterals of order 1 or 2, three units long, whose ends are one; these in groups 1 and 2, as curves 1
// and 2. Nodes are numbered from left to right, row by row. Of so many cells only some may be quadrilaterals, those of
// order 1 behind them are cut in two triangles.
std::string periodic_row(int cells, int order, bool old, int whole = 99)
{
  whole = std::min(whole, cells);
  int const across = cells * order + 1, rows = order + 1, nodes = across * rows;
  auto const node = [&](int i, int j) { return std::to_string(j * across + i + 1); };
  auto const head = [&](int id, int type, int entity) {  // of an element
    return std::to_string(id) + (old ? " " + std::to_string(type) + " 2 " + std::to_string(entity) + " 1 " : " ");
  };
  std::string text = old ? "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(nodes) + "\n"
                         : "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 2 1 0\n1 0 0 0 0 1 0 1 1 0\n"
                           "2 3 0 0 3 1 0 1 2 0\n1 0 0 0 3 1 0 1 3 0\n$EndEntities\n$Nodes\n1 " +
                               std::to_string(nodes) + " 1 " + std::to_string(nodes) + "\n2 1 0 " +
                               std::to_string(nodes) + "\n";
  for (int i = 1; !old && i <= nodes; ++i) text += std::to_string(i) + "\n";
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < across; ++i)
      text += (old ? node(i, j) + " " : "") + std::to_string(3.0 * i / (across - 1)) + " " +
              std::to_string(double(j) / order) + " 0\n";
  text += "$EndNodes\n$Elements\n" + std::string(old ? "" : "3 ") + std::to_string(2 * cells - whole + 2) +
          (old ? "\n" : " 1 " + std::to_string(cells + 2) + "\n");
  int const line = order == 1 ? 1 : 8, square = order == 1 ? 3 : 10;
  for (int side = 0; side < 2; ++side) {
    int const i = side * (across - 1);
    if (!old) text += "1 " + std::to_string(side + 1) + " " + std::to_string(line) + " 1\n";
    text += head(side + 1, line, side + 1) + node(i, 0) + " " + node(i, order) + (order == 2 ? " " + node(i, 1) : "") +
            "\n";
  }
  if (!old) text += "2 1 " + std::to_string(square) + " " + std::to_string(cells) + "\n";
  int const places[9][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}, {1, 1}};
  for (int e = whole; e < cells; ++e)
    for (int upper = 0; upper < 2; ++upper)
      text +=
          head(2 * e + upper + 3, 2, 3) + node(e, 0) + " " + node(e + 1, upper) + " " + node(e + 1 - upper, 1) + "\n";
  for (int e = 0; e < whole; ++e) {
    text += head(e + 3, square, 3);
    for (int a = 0; a < (order == 1 ? 4 : 9); ++a)
      text += node(e * order + places[a][0] * order / 2, places[a][1] * order / 2) + " ";
    text += "\n";
  }
  text += "$EndElements\n$Periodic\n1\n1 2 1\n" + std::string(old ? "Affine " : "16 ") +
          "1 0 0 3 0 1 0 0 0 0 1 0 0 0 0 1\n" + std::to_string(rows) + "\n";
  for (int j = 0; j < rows; ++j) text += node(across - 1, j) + " " + node(0, j) + "\n";
  return text + "$EndPeriodic\n";
}

TEST_CASE("nodes that a file pairs are one around a period")
{
  for (int const order : {1, 2})
    for (bool const old : {false, true}) {
      INFO("order " << order << (old ? ", format 2.2" : ", format 4.1"));
      int const cells = order == 1 ? 3 : 2;
      auto const text = periodic_row(cells, order, old);
      auto const mesh = read<2>(text);
      CHECK(mesh.elements() == cells);
      CHECK(mesh.vertices() == 2 * cells);
      CHECK(mesh.boundary().size() == std::size_t(2 * cells));
      CHECK(size_of(mesh) == Approx(3));
      CHECK(mesh.boundary(1) == std::vector<sumfac::element_side>{{0, 0}});
      CHECK(mesh.boundary(2) == std::vector<sumfac::element_side>{{cells - 1, 1}});
      function_space const V{mesh, 8};
      CHECK(V.nodes() == 9 * 8 * cells);
      auto const turning = [](auto const& x) { return std::sin(2 * std::acos(-1.0) / 3 * x[0]) * x[1]; };
      CHECK(V.l2_error(V.values(turning), turning) < 1e-4);
      CHECK(V.l2_error(V.values([](auto const& x) { return x[0]; }), [](auto const& x) { return x[0]; }) > 0.1);
      std::string const pair = std::to_string(cells * order + 1) + " 1\n";
      CHECK_THROWS_WITH(read<2>(changed(text, "\n" + pair, "\n" + std::to_string(cells * order + 1) + " 99\n")),
                        Contains("a period has a node that does not exist in section $Periodic, line "));
    }
  CHECK_THROWS_WITH(read<2>(periodic_row(2, 1, false)),
                    Contains("gmsh::read") && Contains("elements 0 and 1 have the "));
  CHECK_THROWS_WITH(read<2>(periodic_row(1, 1, false)), Contains("gmsh::read") && Contains("element 0"));
  CHECK_THROWS_WITH(read<2>(changed(changed(periodic_row(3, 2, false), "\n14 8\n", "\n"), "\n3\n7 1\n", "\n2\n7 1\n")),
                    Contains("element 2 has a side whose vertices $Periodic joins, and not the nodes between them"));
  CHECK_THROWS_WITH(read<2>(changed(periodic_row(3, 1, true), "\n2\n4 1\n", "\n3\n4 1\n")),
                    Contains("in section $Periodic, line 30"));
}

TEST_CASE("nodes that a file pairs are one for triangles, and beside quadrilaterals")
{
  auto const around = [](auto const& mesh) {
    CHECK(mesh.boundary().size() == 6);
    CHECK(mesh.boundary(1).size() == 1);
    CHECK(function_space{mesh, 4}.nodes() == 60);
    function_space const V{mesh, 8};
    auto const turning = [](auto const& x) { return std::sin(2 * std::acos(-1.0) / 3 * x[0]) * x[1]; };
    CHECK(V.l2_error(V.values(turning), turning) < 1e-4);
    CHECK(V.l2_error(V.values([](auto const& x) { return x[0]; }), [](auto const& x) { return x[0]; }) > 0.1);
  };
  auto const by = [](std::string const& text, auto const& reader) {
    std::string const name = "gmsh_periodic_test.msh";
    std::ofstream(name, std::ios::binary) << text;
    struct removed {
      std::string const& file;
      ~removed() { std::remove(file.c_str()); }
    } const at_end{name};
    return reader(name);
  };
  auto const cells = [](std::string const& file) { return sumfac::gmsh::read_cells<2>(file); };
  auto const mixed = [](std::string const& file) { return sumfac::gmsh::read_mixed<2>(file); };
  around(by(periodic_row(3, 1, true, 0), cells));
  around(by(periodic_row(3, 1, true, 1), mixed));
  CHECK_THROWS_WITH(by(periodic_row(2, 1, true, 0), cells),
                    Contains("gmsh::read") &&
                        Contains("around (0.750000, 0.000000, 0.000000) and (2.250000, 0.000000, ") &&
                        Contains("a period is three elements long or more"));
  CHECK_THROWS_WITH(by(periodic_row(2, 1, true, 1), mixed), Contains("a period is three elements long or more"));
  CHECK_THROWS_WITH(by(periodic_row(1, 1, true, 0), cells),
                    Contains("vertices 1 and 0 of element") || Contains("are one"));
}

TEST_CASE("what a file has wrong is said with its line")
{
  auto const refused = [](std::string const& from, std::string const& to, std::string const& sentence) {
    INFO(to);
    CHECK_THROWS_WITH(read<2>(changed(quadrilaterals, from, to)), Contains("gmsh::read") && Contains(sentence));
  };
  refused("4.1 0 8", "4.0 0 8", "its format is '4.0 0 8'");
  refused("2 3 6 13", "2 3 99 13", "an element has a node that does not exist in section $Elements, line 54");
  refused("3 1 2 5 4 7 8 9 10 11", "3 1 2 5 4 7 8 9 10", "the line has too few numbers in section $Elements, line 56");
  refused("2 1 10 2", "2 1 9 2", "elements are of type 9, Triangle");
  refused("2 1 10 2", "2 1 3 2", "the line has too many numbers");
  refused("1 1 8 1", "1 1 1 1", "the line has too many numbers");
  refused("2 3 6 13", "2 3 5 13", "side 1 of group '9' is none of an element's");
  refused("2.5 0.5 0", "2.5 0.5 1", "a node with coordinate 2 at 1.0");
  refused("$Nodes", "$Periodic\n0\n$EndPeriodic\n$Nodes", "'$Nodes' is no section that belongs there");
  refused("4 3 6 5 2 13 14 8 12 15", "4 3 6 5 3 13 14 8 12 15", "are one");
  CHECK_THROWS_WITH(read<2>(quadrilaterals.substr(0, quadrilaterals.size() - 40)), Contains("it is cut off"));
  CHECK_THROWS_WITH(read<1>(cube.substr(0, cube.find("$Elements"))), Contains("it has no lines"));
  CHECK_THROWS_WITH(sumfac::gmsh::read("no/such/file.msh"), Contains("'no/such/file.msh': the file cannot be read"));
}

}  // namespace

TEST_CASE("gmsh: tetrahedra and triangles")
{
  std::string const nodes =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"floor\"\n$EndPhysicalNames\n$Nodes\n11\n"
      "1 0 0 0\n2 2 0 0\n3 0 1 0\n4 0 0 1\n5 1 0 0\n6 1 0.5 0\n7 0 0.5 0\n8 0 0 0.5\n9 0 0.5 0.5\n10 1 0 0.5\n"
      "11 5 5 5\n$EndNodes\n$Elements\n2\n";
  std::string const text = nodes + "1 9 2 7 1 1 3 2 7 6 5\n2 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
  auto const read_cells = [](std::string const& of) {
    std::string const name = "gmsh_cells_test.msh";
    std::ofstream(name, std::ios::binary) << of;
    struct removed {
      std::string const& file;
      ~removed() { std::remove(file.c_str()); }
    } const at_end{name};
    return sumfac::gmsh::read_cells<3>(name);
  };
  auto const mesh = read_cells(text);
  REQUIRE(mesh.elements() == 1);
  CHECK(mesh.nodes_1d() == 3);
  // Each node lies at its place of the lattice.
  for (sumfac::index_t k = 0, p = 0; k <= 2; ++k)
    for (sumfac::index_t j = 0; j <= 2 - k; ++j)
      for (sumfac::index_t i = 0; i <= 2 - k - j; ++i, ++p) {
        CHECK(mesh.nodes()(0, p, 0) == double(i));
        CHECK(mesh.nodes()(0, p, 1) == double(j) / 2);
        CHECK(mesh.nodes()(0, p, 2) == double(k) / 2);
      }
  CHECK(mesh.boundary().size() == 4);
  CHECK(mesh.boundary("floor") == std::vector<sumfac::element_side>{{0, 3}});
  CHECK_THROWS_WITH(read_cells(changed(text, "1 9 2 7 1 1 3 2 7 6 5", "1 9 2 7 1 1 3 11 7 6 5")),
                    Contains("side 0 of group 'floor' is none of an element's"));
  CHECK_THROWS_WITH(
      read_cells(changed(text, "2 11 2 0 1 1 2 3 4 5 6 7 8 9 10", "2 5 2 0 1 1 2 3 4 5 6 7 8")),
      Contains("elements are of type 5, Hexahedron: only tetrahedra and their sides fit") && Contains("line 25"));
  CHECK_THROWS_WITH(
      read_cells(changed(changed(text, "$Elements\n2", "$Elements\n1"), "2 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n", "")),
      Contains("it has no tetrahedra"));
}

TEST_CASE("gmsh: quadrilaterals and triangles of one file, a mesh each")
{
  std::string const name = "gmsh_mixed_test.msh";
  std::ofstream(name, std::ios::binary) << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 7 \"left\"\n1 8 "
                                           "\"right\"\n$EndPhysicalNames\n$Nodes\n6\n"
                                           "1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 "
                                           "0\n$EndNodes\n$Elements\n5\n"
                                           "1 1 2 7 1 4 1\n2 1 2 8 2 3 6\n3 2 2 0 1 2 3 6\n4 3 2 0 1 1 2 5 4\n5 2 2 0 "
                                           "1 2 6 5\n$EndElements\n";
  auto const squares = sumfac::gmsh::read<2>(name, sumfac::gmsh::others::left_out);
  auto const triangles = sumfac::gmsh::read_cells<2>(name, sumfac::gmsh::others::left_out);
  CHECK_THROWS_WITH(sumfac::gmsh::read<2>(name),
                    Contains("type 2, Triangle: only quadrilaterals") && Contains("line 22"));
  CHECK_THROWS_WITH(sumfac::gmsh::read_cells<2>(name),
                    Contains("type 3, Quadrangle: only triangles") && Contains("line 23"));
  // One mesh of both, in which a node of the file is one vertex.
  auto const both = sumfac::gmsh::read_mixed<2>(name);
  CHECK(both.elements() == 3);
  CHECK(both.vertices() == 6);
  CHECK(both.boundary().size() == 6);
  CHECK(both.boundary("left") == std::vector<sumfac::element_side>{{0, 0}});
  CHECK(both.boundary("right") == std::vector<sumfac::element_side>{{1, 0}});
  CHECK(sumfac::function_space(both, 2).nodes() == 15);
  std::remove(name.c_str());
  CHECK(squares.elements() == 1);
  CHECK(triangles.elements() == 2);
  CHECK(squares.boundary("left").size() == 1);
  CHECK(triangles.boundary("right").size() == 1);
  auto const [V, W] = sumfac::joined(sumfac::function_space(squares, 2), sumfac::function_space(triangles, 2));
  CHECK(V.nodes() == 15);
  CHECK(V.integral([](auto const&) { return 1.0; }) + W.integral([](auto const&) { return 1.0; }) == Approx(2));
}

namespace {

// A file of one element of a type and an order, whose nodes are where digits say, as parts of the order.
std::string one_element(int type, int order, std::string const& places)
{
  std::size_t const nodes = places.size() / 3;
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(nodes) + "\n", element;
  for (std::size_t i = 0; i < nodes; ++i) {
    text += std::to_string(i + 1);
    for (std::size_t c = 0; c < 3; ++c) text += " " + std::to_string(double(places[3 * i + c] - '0') / order);
    text += "\n", element += " " + std::to_string(i + 1);
  }
  return text + "$EndNodes\n$Elements\n1\n1 " + std::to_string(type) + " 2 0 1" + element + "\n$EndElements\n";
}

// Nodes lie at the places of a space's.
template <class Mesh>
void is_in_order(Mesh const& mesh, int order)
{
  CHECK(mesh.elements() == 1);
  constexpr bool is_prism = Mesh::shape == sumfac::cell_shape::prism;
  double const* at = mesh.data();
  for (int k = 0; k <= order; ++k)
    for (int j = 0; j <= order - (is_prism ? 0 : k); ++j)
      for (int i = 0; i <= order - (is_prism ? j : j + k); ++i, at += 3) {
        CHECK(at[0] * order == Approx(i).margin(1e-5));
        CHECK(at[1] * order == Approx(j).margin(1e-5));
        CHECK(at[2] * order == Approx(k).margin(1e-5));
      }
  CHECK(at == mesh.data() + mesh.size());
}

}  // namespace

TEST_CASE("gmsh: prisms and tetrahedra of higher order, as Gmsh 4.8 numbers their nodes")
{
  using sumfac::cell_shape, sumfac::gmsh::read_cells;
  std::string const name = "gmsh_order_test.msh";
  auto const file = [&](std::string const& text) { std::ofstream(name, std::ios::binary) << text; };
  file(one_element(30, 4,
                   "000400040004100200300310220130030020010003002001013022"
                   "031103202301110120210101201102011012021112211121111"));
  is_in_order(read_cells<3>(name), 4);
  file(one_element(91, 4,
                   "000400040004404044100200300010020030001002003310220130"
                   "401402403041042043104204304014024034314224134110120210"
                   "114214124101301303103201302203102202011013033031012023"
                   "032021022311131133313221132223312222111113112211213212"
                   "121123122"));
  is_in_order(read_cells<3, 3, cell_shape::prism>(name), 4);
  std::string const without = "000200020002202022100010001110201021102012112";
  file(one_element(13, 2, without + "101011111"));
  is_in_order(read_cells<3, 3, cell_shape::prism>(name), 2);
  // Without the nodes within sides: they lie where the functions of the others have them, also of hexahedra.
  file(one_element(18, 2, without));
  is_in_order(read_cells<3, 3, cell_shape::prism>(name), 2);
  CHECK_THROWS_WITH(read_cells<3>(name), Contains("type 18, Prism: only tetrahedra"));
  CHECK_THROWS_WITH(sumfac::gmsh::read<3>(name), Contains("type 18, Prism: only hexahedra"));
  file(one_element(17, 2, "000200220020002202222022100010001210201120221021102012212122"));
  auto const hexahedron = sumfac::gmsh::read<3>(name);
  for (int p = 0; p < 27; ++p) {
    CHECK(hexahedron.data()[3 * p] == Approx(p % 3 / 2.0));
    CHECK(hexahedron.data()[3 * p + 1] == Approx(p / 3 % 3 / 2.0));
    CHECK(hexahedron.data()[3 * p + 2] == Approx(p / 9 / 2.0));
  }
  file(changed(one_element(18, 2, without), "1 18 2", "1 7 2"));
  CHECK_THROWS_WITH(sumfac::gmsh::read_mixed<3>(name),
                    Contains("type 7, Pyramid") && Contains("prisms and tetrahedra"));
  std::remove(name.c_str());
}
