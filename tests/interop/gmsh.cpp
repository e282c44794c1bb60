// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes from small files of Gmsh's: lines, quadrilaterals, surfaces and hexahedra, names, and what is refused where.
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/interop/gmsh.hpp>

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>

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
  refused("$Nodes", "$Periodic\n0\n$EndPeriodic\n$Nodes", "it has a section $Periodic, which is not read");
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
  CHECK_THROWS_WITH(read_cells(changed(text, "1 9 2 7 1 1 3 2 7 6 5", "1 9 2 7 1 1 3 11 7 6 5")), Contains("side 0 of "
                                                                                                           "group "
                                                                                                           "'floor' is "
                                                                                                           "none of an "
                                                                                                           "element'"
                                                                                                           "s"));
  CHECK_THROWS_WITH(read_cells(changed(text, "2 11 2 0 1 1 2 3 4 5 6 7 8 9 10", "2 5 2 0 1 1 2 3 4 5 6 7 8")),
                    Contains("only triangles, tetrahedra and lines of order 1 and 2 fit") && Contains("line 25"));
  CHECK_THROWS_WITH(
      read_cells(changed(changed(text, "$Elements\n2", "$Elements\n1"), "2 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n", "")),
      Contains("it has no tetrahedra"));
}
