// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes as objects: what elements share however they are turned, boundaries and their names, refinement, refusals.
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/nesting.hpp>
#include <sumfac/mesh/refined.hpp>

#include <catch2/catch.hpp>

#include <support/turned.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

namespace {

using Catch::Matchers::Contains;
using sumfac::index_t;

constexpr std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

using support::element_view, support::power, support::turned_mesh;

template <int D>
auto bent(sumfac::vector<double, D> x)
{
  if constexpr (D >= 2) x[0] += 0.1 * std::sin(2 * x[1]) + 0.05 * x[1] * x[1];
  if constexpr (D == 3) x[2] += 0.1 * x[0] * x[1];
  return x;
}

// Nodes have one number where they are in one place, and only there, whichever way elements are turned: by brute force.
template <int D>
void check_numbers(sumfac::mesh<D> const& mesh, int degree)
{
  sumfac::function_space const V{mesh, degree};
  index_t const count = power(degree + 1, D);
  auto const places = V.positions();
  // The same on a mesh whose elements share nothing.
  std::vector<int> apart(at(mesh.elements() << D));
  for (std::size_t i = 0; i < apart.size(); ++i) apart[i] = static_cast<int>(i);
  sumfac::mesh<D> const loose{mesh.nodes(), element_view<D>(apart.data(), mesh.elements(), 2)};
  sumfac::function_space const each{loose, degree};
  REQUIRE(each.nodes() == mesh.elements() * count);
  auto const own = each.positions();
  std::set<std::array<long, D>> different;
  for (index_t i = 0; i < mesh.elements() * count; ++i) {
    std::array<long, D> rounded{};
    for (int d = 0; d < D; ++d) {
      double const x = own[at(each.table().data()[i] * D + d)];
      REQUIRE(std::abs(x - places[at(V.table().data()[i] * D + d)]) < 1e-12);
      rounded[at(d)] = std::lround(x * 1e9);
    }
    different.insert(rounded);
  }
  REQUIRE(static_cast<index_t>(different.size()) == V.nodes());
}

template <int D>
void check_turned(int const (&cells)[D])
{
  turned_mesh<D> const box(sumfac::box_mesh(cells, bent<D>, 3));
  auto const vertices = box.table(1);
  sumfac::mesh const by_table{box.view_of_nodes(), element_view<D>(vertices.data(), box.straight.elements(), 2)};
  sumfac::mesh const by_places{box.view_of_nodes()};
  CHECK(by_table.vertices() == box.straight.vertices());
  CHECK(by_places.vertices() == box.straight.vertices());
  CHECK(by_table.data() == box.nodes.data());  // not copied
  CHECK(by_table.boundary().size() == box.straight.boundary().size());
  CHECK(by_places.boundary() == by_table.boundary());
  auto const once = refined(by_table);
  CHECK(once.boundary().size() == box.straight.boundary().size() << (D - 1));
  for (int degree = 1; degree <= 5; ++degree) {
    check_numbers<D>(by_table, degree);
    check_numbers<D>(by_places, degree);
  }
  check_numbers<D>(once, 2);
}

TEST_CASE("nodes of any degree have one number where elements share them")
{
  check_turned({3});
  check_turned({3, 2});
  check_turned({2, 3, 2});
}

TEST_CASE("a periodic mesh is as its table says")
{
  // Squares around a cylinder of `around` elements, two high; tables of degree 1 and 2.
  auto const mesh_of = [](int around, int degree) {
    std::vector<double> nodes;
    std::vector<int> table;
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < around; ++x) {
        for (int v = 0; v < 4; ++v) nodes.insert(nodes.end(), {double(x + v % 2), double(y + v / 2)});
        for (int j = 0; j <= degree; ++j)
          for (int i = 0; i <= degree; ++i)
            table.push_back((y * degree + j) * around * degree + (x * degree + i) % (around * degree));
      }
    return sumfac::mesh{sumfac::view(nodes.data(), 2 * around, 2, 2, 2),
                        sumfac::view(table.data(), 2 * around, degree + 1, degree + 1)}
        .boundary()
        .size();
  };
  CHECK(mesh_of(3, 1) == 6);
  CHECK(mesh_of(2, 2) == 4);
  CHECK_THROWS_WITH(mesh_of(2, 1), Contains("have the same vertices"));
  CHECK_THROWS_WITH(mesh_of(1, 2), Contains("are one"));
  std::vector<double> const nodes{0, 1, 1, 2};
  std::vector<int> const ring{0, 1, 1, 0};
  sumfac::mesh<1> const line{sumfac::view(nodes.data(), 2, 2, 1), sumfac::view(ring.data(), 2, 2)};
  CHECK(line.boundary().empty());
  CHECK(sumfac::function_space{line, 4}.nodes() == 8);
}

TEST_CASE("sides have names, tags and places")
{
  sumfac::mesh const box = sumfac::box_mesh({2, 3, 4}, bent<3>);
  CHECK(box.boundary().size() == 2 * (6 + 8 + 12));
  CHECK(box.boundary("x1") == box.boundary(1));
  CHECK(box.boundary("x1").size() == 12);
  CHECK(box.boundary([](auto const& x) { return x[1] < 1e-12; }) == box.boundary("y0"));
  auto const named = box.named("inlet", [](auto const& x) { return x[1] < 1e-12; }).named("inlet", box.boundary("x0"));
  CHECK(named.boundary("inlet").size() == 8 + 12);
  CHECK(refined(named).boundary("inlet").size() == 4 * 20);
  CHECK(refined(named.named(sumfac::named_elements{"copper", 7, {3, 5}}), 2).elements(7).size() == 2 * 64);
  CHECK(box.boundary().size() == sumfac::mesh{box}.boundary().size());
  CHECK_THROWS_WITH(box.boundary("inlet"), Contains("mesh::boundary") && Contains("'inlet'") && Contains("'x0' (0)"));
  CHECK_THROWS_WITH(box.boundary(9), Contains("tag 9"));
  CHECK_THROWS_WITH(box.elements("copper"), Contains("none have one"));
  CHECK_THROWS_WITH(box.boundary([](auto const& x) { return x[1] < -1; }), Contains("no side is where"));
  CHECK_THROWS_WITH(box.named("far", std::vector<sumfac::element_side>{{24, 0}}), Contains("got 24, 0 to 23"));
  CHECK_THROWS_WITH(box.named(sumfac::named_elements{"far", 0, {-1}}), Contains("got -1, 0 to 23"));
}

TEST_CASE("sides are a mesh of their own")
{
  sumfac::mesh const box = sumfac::box_mesh({2, 3, 4}, bent<3>);
  auto const hull = box.sides(box.boundary());
  CHECK(hull.elements() == 52);
  CHECK(hull.boundary().empty());
  auto const top = box.sides(box.boundary("z1"));
  CHECK(top.vertices() == 12);
  CHECK(top.boundary().size() == 2 * (2 + 3));
  CHECK(top.sides(top.boundary()).elements() == 10);
  sumfac::mesh const flat = sumfac::box_mesh({3, 3});
  CHECK(flat.sides(flat.boundary()).boundary().empty());
}

TEST_CASE("views of other layouts and numbers are copied")
{
  sumfac::mesh const box = sumfac::box_mesh({3, 2}, bent<2>, 2);
  std::vector<float> coarse(at(box.size()));
  sumfac::view<float, sumfac::dextents<4>, sumfac::layout_left> const left(coarse.data(), 6, 3, 3, 2);
  for (index_t e = 0; e < 6; ++e)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        for (int c = 0; c < 2; ++c) left(e, j, i, c) = static_cast<float>(box(e, j, i, c));
  sumfac::mesh const copied{left};
  CHECK(copied.vertices() == box.vertices());
  CHECK(std::abs(copied(5, 2, 1, 0) - box(5, 2, 1, 0)) < 1e-6);
}

TEST_CASE("refinement keeps curves")
{
  // A quarter of a ring: its area is that of the polynomials, and nodes of the finer mesh lie on these.
  auto const ring = [](sumfac::vector<double, 2> const& x) {
    return sumfac::vector<double, 2>{(1 + x[0]) * std::cos(1.5 * x[1]), (1 + x[0]) * std::sin(1.5 * x[1])};
  };
  sumfac::mesh const coarse = sumfac::box_mesh({1, 2}, ring, 5);
  auto const one = [](auto const&) { return 1; };
  double const area = sumfac::function_space{coarse, 8}.integral(one);
  CHECK(std::abs(area - 1.5 * 1.5) < 1e-6);
  CHECK(std::abs(sumfac::function_space{refined(coarse, 2), 8}.integral(one) - area) < 1e-13);
}

TEST_CASE("a process' elements are a mesh, and know the coarser ones as far down as parts stay together")
{
  auto const around = [](auto at) {
    at[1] += at[0] * at[0] / 5;
    return at;
  };
  auto const fine = sumfac::refined(sumfac::box_mesh({3, 2}, around), 2);
  std::vector<int> process;
  for (int e = 0; e < 96; ++e) process.push_back(e / 16 % 2);
  auto const own = fine.of_process(process, 1);
  REQUIRE(own.elements() == 48);
  REQUIRE(own.coarser() != nullptr);
  REQUIRE(own.coarser()->coarser() != nullptr);
  CHECK(own.coarser()->coarser()->coarser() == nullptr);
  auto const* of = &own;
  auto const* all = &fine;
  for (int parts = 16; parts > 0; parts /= 4, of = of->coarser(), all = all->coarser()) {
    CAPTURE(parts);
    REQUIRE(of->elements() == 3 * parts);
    for (index_t i = 0; i < of->size(); ++i) {  // every other square of the coarsest mesh
      index_t const each = of->size() / of->elements(), e = i / each;
      REQUIRE(of->data()[i] == all->data()[(2 * (e / parts) * parts + parts + e % parts) * each + i % each]);
    }
    if (parts == 1) break;
    auto const& first = of->first_parts();
    REQUIRE(index_t(first.size()) == of->coarser()->elements() + 1);
    for (std::size_t e = 0; e < first.size(); ++e) REQUIRE(first[e] == index_t(4 * e));
  }
  CHECK(fine.of_process(process, 2).elements() == 0);
  CHECK(fine.of_process(process, 2).coarser()->coarser()->elements() == 0);
  process[3] = 1;  // a square of the finest mesh alone
  CHECK(fine.of_process(process, 1).coarser() == nullptr);
  process = std::vector<int>(96, 0);
  for (std::size_t e = 0; e < 4; ++e) process[e] = 1;  // one of the mesh between
  CHECK(fine.of_process(process, 1).coarser()->elements() == 1);
  CHECK(fine.of_process(process, 1).coarser()->coarser() == nullptr);
  CHECK_THROWS_WITH(fine.of_process({0, 1}, 0), Catch::Matchers::Contains("2") && Catch::Matchers::Contains("96"));
}

// The places of an element's nodes, sorted: the same however it is turned.
template <int D, int C>
std::vector<std::array<double, C>> places_of_nodes(sumfac::mesh<D, C> const& mesh, index_t e)
{
  index_t const each = mesh.size() / mesh.elements();
  std::vector<std::array<double, C>> places(at(each / C));
  for (index_t i = 0; i < each; ++i) places[at(i / C)][at(i % C)] = mesh.data()[e * each + i];
  std::sort(places.begin(), places.end());
  return places;
}

// Coarser meshes that are found: cut, each becomes the one that it was found in, node by node and side by side.
template <int D, int C>
void check_nesting(sumfac::mesh<D, C> const& of, int times, double tolerance = 1e-12)
{
  sumfac::nesting const found{of};
  CAPTURE(D, C, found.report());
  REQUIRE(found.count() == times);
  auto const& mesh = found.mesh();
  REQUIRE(mesh.elements() == of.elements());
  std::vector<bool> is_there(at(of.elements()), false);
  for (index_t e = 0; e < of.elements(); ++e) {
    is_there[at(found.order().element_at(e))] = true;
    REQUIRE(places_of_nodes(mesh, e) == places_of_nodes(of, found.order().element_at(e)));
  }
  REQUIRE(std::count(is_there.begin(), is_there.end(), true) == of.elements());
  REQUIRE(mesh.vertices() == of.vertices());
  for (int degree : {1, 3})
    REQUIRE(sumfac::function_space{mesh, degree}.nodes() == sumfac::function_space{of, degree}.nodes());
  std::vector<double> turned(at(of.size()));
  found.turn(element_view<D>(of.data(), of.elements(), of.nodes_1d(), C),
             element_view<D>(turned.data(), of.elements(), of.nodes_1d(), C));
  REQUIRE(std::equal(turned.begin(), turned.end(), mesh.data()));
  auto sides = of.boundary();
  for (auto& side : sides) side = found.side(side);
  std::sort(sides.begin(), sides.end());
  REQUIRE(sides == mesh.boundary());
  auto const* fine = &mesh;
  for (auto const* one = mesh.coarser(); one != nullptr; fine = one, one = one->coarser()) {
    auto const cut = refined(*one);
    REQUIRE(cut.size() == fine->size());
    for (index_t i = 0; i < cut.size(); ++i) REQUIRE(std::abs(cut.data()[i] - fine->data()[i]) <= tolerance);
    REQUIRE(cut.vertices() == fine->vertices());
    REQUIRE(cut.boundary() == fine->boundary());
    REQUIRE(cut.first_parts() == fine->first_parts());
  }
}

// Blocks side by side around an edge, the first of `count` behind the last.
sumfac::mesh<3> fan(int count)
{
  std::vector<double> nodes;
  auto const add = [&](double radius, double angle, double z) {
    nodes.insert(nodes.end(), {radius * std::cos(angle), radius * std::sin(angle), z});
  };
  double const step = std::acos(-1.0) / count;
  for (int block = 0; block < count; ++block)
    for (double z : {0, 1}) {
      add(0, 0, z), add(1, 2 * block * step, z);
      add(1, (2 * block + 2) * step, z), add(1.2, (2 * block + 1) * step, z);
    }
  return sumfac::mesh<3>::copy_of(sumfac::view(nodes.data(), count, 2, 2, 2, 3));
}

// Squares, 0 at `across` and at `up` again.
sumfac::mesh<2> torus(int across, int up)
{
  std::vector<double> nodes;
  std::vector<int> table;
  for (int y = 0; y < up; ++y)
    for (int x = 0; x < across; ++x) {
      for (int v = 0; v < 4; ++v) nodes.insert(nodes.end(), {double(x + v % 2), double(y + v / 2)});
      for (int j = 0; j <= 2; ++j)
        for (int i = 0; i <= 2; ++i) table.push_back((2 * y + j) % (2 * up) * 2 * across + (2 * x + i) % (2 * across));
    }
  return sumfac::mesh<2>::copy_of(sumfac::view(nodes.data(), across * up, 2, 2, 2),
                                  sumfac::view(table.data(), across * up, 3, 3));
}

TEST_CASE("coarser meshes are found, however elements stand and are turned")
{
  using sumfac::box_mesh;
  check_nesting(box_mesh({4, 8, 12}), 2);
  check_nesting(turned_mesh<3>(refined(box_mesh({2, 1, 3}, bent<3>, 3), 2), 1).by_places(), 2);
  check_nesting(turned_mesh<3>(refined(box_mesh({1, 1, 1}, bent<3>, 2), 2), 2).by_table(), 2);
  check_nesting(turned_mesh<2>(refined(box_mesh({3, 5}, bent<2>, 4), 3), 3).by_table(), 3);
  check_nesting(turned_mesh<1>(refined(box_mesh({3}), 2), 4).by_places(), 2);
  // Other than four blocks around an edge; around vertices of a surface that is closed.
  for (int count : {3, 5, 6}) check_nesting(turned_mesh<3>(refined(fan(count), 2), 5).by_places(), 2);
  sumfac::mesh const cube = box_mesh({1, 1, 1});
  check_nesting(turned_mesh<2, 3>(refined(cube.sides(cube.boundary()), 3), 6).by_places(), 3);
  // Periods: elements are not joined across, and end where one would be its own neighbour.
  for (std::uint64_t const seed : {7u, 8u, 9u}) {
    check_nesting(turned_mesh<2>(refined(torus(3, 5), 2), seed).by_table(), 2);
    check_nesting(turned_mesh<2>(refined(torus(2, 2), 1), seed).by_table(), 1);
  }
  // A strip of Moebius', and a torus in space, on which pairs may begin anywhere; larger ones have other curves.
  constexpr double two_pi = 6.283185307179586;
  using flat = sumfac::vector<double, 2>;
  using place = sumfac::vector<double, 3>;
  auto const strip = [](flat const& x) {
    double const a = two_pi * x[0], h = x[1] - 0.5, r = 2 + h * std::cos(a / 2);
    return place{r * std::cos(a), r * std::sin(a), h * std::sin(a / 2)};
  };
  auto const ring = [](flat const& x) {
    double const a = two_pi * x[0], b = two_pi * x[1], r = 2 + 0.5 * std::cos(b);
    return place{r * std::cos(a), r * std::sin(a), 0.5 * std::sin(b)};
  };
  for (std::uint64_t const seed : {10u, 11u, 12u}) {
    auto const once = sumfac::mesh<2, 3>::copy_of(box_mesh({8, 4}, strip, 2).nodes());
    REQUIRE(once.boundary().size() == 16);
    check_nesting(turned_mesh<2, 3>(once, seed).by_places(), 2, 10);
    auto const closed = sumfac::mesh<2, 3>::copy_of(box_mesh({12, 8}, ring, 3).nodes());
    REQUIRE(closed.boundary().empty());
    check_nesting(turned_mesh<2, 3>(closed, seed).by_places(), 2, 10);
  }
}

TEST_CASE("coarser meshes have the names that all parts of an element or a side have")
{
  auto const box =
      sumfac::box_mesh({8, 4, 4}, bent<3>, 1).named(sumfac::named_elements{"copper", 7, [] {
                                                                             std::vector<index_t> left;
                                                                             for (index_t e = 0; e < 128; ++e)
                                                                               if (e % 8 < 4) left.push_back(e);
                                                                             return left;
                                                                           }()});
  sumfac::nesting const found{box};
  REQUIRE(found.count() == 2);
  CHECK_THAT(found.report(), Contains("128, 16, 2 elements; no coarser mesh: ") && Contains("direction 1"));
  auto const* mesh = &found.mesh();
  for (std::size_t const parts : {64u, 8u, 1u}) {
    REQUIRE(mesh != nullptr);
    REQUIRE(mesh->elements(7).size() == parts);
    for (index_t const e : mesh->elements("copper"))
      for (int v = 0; v < 8; ++v) CHECK(mesh->vertex_at(e, v)[0] < 0.5 + 0.2);
    for (char const* name : {"x0", "x1", "y0", "y1", "z0", "z1"}) {
      CAPTURE(parts, name);
      REQUIRE(mesh->boundary(name).size() == (parts == 64 ? 16 : parts == 8 ? 4 : 1) * (name[0] == 'x' ? 1 : 2));
    }
    mesh = mesh->coarser();
  }
  CHECK(mesh == nullptr);
  // A name that ends in the middle of a larger element, or of its side, or lies within one.
  auto const stops = [](sumfac::mesh<2> const& named, int count) {
    sumfac::nesting const here{named};
    CHECK(here.count() == count);
    CHECK_THAT(here.report(), Contains("would have the name 'wire' (3)"));
  };
  auto const flat = sumfac::box_mesh({4, 4});
  stops(flat.named(sumfac::named_elements{"wire", 3, {0, 1, 4}}), 0);
  stops(flat.named(sumfac::named_elements{"wire", 3, {0, 1, 4, 5}}), 1);
  stops(flat.named(sumfac::named_sides{"wire", 3, {{0, 2}}}), 0);
  stops(flat.named(sumfac::named_sides{"wire", 3, {{0, 2}, {1, 2}}}), 1);
  stops(flat.named(sumfac::named_sides{"wire", 3, {{0, 1}, {1, 0}, {4, 1}, {5, 0}}}), 0);
  stops(flat.named(sumfac::named_sides{"wire", 3, {{1, 1}, {2, 0}, {5, 1}, {6, 0}}}), 1);
}

TEST_CASE("what elements have follows, and a mesh without coarser ones stays as it is")
{
  turned_mesh<3> const box(refined(sumfac::box_mesh({2, 1, 1}, bent<3>, 2)), 3);
  auto const of = box.by_places();
  sumfac::nesting const found{of};
  REQUIRE(found.count() == 1);
  // A table of one's own: the nodes of degree 2 lie where those of the mesh's own table do.
  auto const table = box.table(2);
  std::vector<int> now(table.size());
  found.turn(element_view<3>(table.data(), 16, 3), element_view<3>(now.data(), 16, 3));
  sumfac::function_space const V{found.mesh(), 2};
  std::vector<int> of_node(at(V.nodes()), -1);
  for (std::size_t i = 0; i < now.size(); ++i) {
    int& known = of_node[at(V.table().data()[i])];
    if (known < 0) known = now[i];
    REQUIRE(known == now[i]);
  }
  CHECK(std::set<int>(of_node.begin(), of_node.end()).size() == of_node.size());
  std::vector<float> heat(16), heat_now(16);
  for (std::size_t e = 0; e < 16; ++e) heat[e] = static_cast<float>(e);
  found.order().apply(sumfac::view(heat.data(), 16), sumfac::view(heat_now.data(), 16));
  for (index_t e = 0; e < 16; ++e) CHECK(heat_now[at(found.order().place_of(e))] == static_cast<float>(e));
  CHECK_THROWS_WITH(found.turn(sumfac::view(table.data(), 16, 3, 9, 1), sumfac::view(now.data(), 16, 3, 9, 1)),
                    Contains("nesting::turn"));
  CHECK_THROWS_WITH(found.side({16, 0}), Contains("nesting::side"));
  // Of a part of it.
  std::vector<int> process(16, 0);
  for (std::size_t e = 8; e < 16; ++e) process[e] = 1;
  REQUIRE(found.mesh().of_process(process, 1).coarser() != nullptr);
  CHECK(found.mesh().of_process(process, 1).coarser()->elements() == 1);

  auto const none = [](auto const& mesh, std::string const& why) {
    sumfac::nesting const here{mesh};
    CHECK(here.count() == 0);
    CHECK(here.mesh().data() == mesh.data());
    CHECK(here.mesh().coarser() == nullptr);
    CHECK_THAT(here.report(),
               Contains(std::to_string(mesh.elements()) + " elements; no coarser mesh: ") && Contains(why));
    for (index_t e = 0; e < mesh.elements(); ++e) CHECK(here.order().element_at(e) == e);
    if (mesh.elements() > 0) CHECK(here.side({mesh.elements() - 1, 1}) == sumfac::element_side{mesh.elements() - 1, 1});
  };
  none(sumfac::box_mesh({4, 3, 2}), "elements in a row with element 8, along its direction 1, are no pairs");
  none(sumfac::box_mesh({1, 1}), "along its direction 0");
  none(fan(3), "are no pairs");
  none(sumfac::box_mesh({1, 1, 1}).sides(sumfac::box_mesh({1, 1, 1}).boundary()), "are no pairs");
  none(torus(2, 2), "its own neighbour");
  auto const turned_by = [](double angle) {
    return [angle](sumfac::vector<double, 2> const& x) {
      return sumfac::vector<double, 2>{(1 + x[0]) * std::cos(angle * x[1]), (1 + x[0]) * std::sin(angle * x[1])};
    };
  };
  none(sumfac::box_mesh({2, 2}, turned_by(5), 1), "folded");
  none(sumfac::box_mesh({2, 2}, turned_by(std::acos(-1.0)), 1), "flat");
  auto const uneven = [](int m, long double* nodes) {
    for (int i = 0; i < m; ++i) nodes[i] = i == 0 ? -1 : i == m - 1 ? 1 : 0.2L * static_cast<long double>(i);
  };
  auto const straight = sumfac::box_mesh({2, 2}, bent<2>, 2);
  none(sumfac::mesh{element_view<2>(straight.data(), 4, 3, 2), uneven}, "differently from both ends");
  // One that knows as many keeps them, one that hangs has those that it was cut from; more are found.
  auto const cut = refined(sumfac::box_mesh({3, 2}), 2);
  CHECK(sumfac::nesting{cut}.mesh().data() == cut.data());
  CHECK(sumfac::nesting{refined(sumfac::box_mesh({4, 4}), 2)}.count() == 4);
  auto const hangs = refine(sumfac::box_mesh({2, 2}), {0});
  sumfac::nesting const as_it_was{hangs};
  CHECK(as_it_was.count() == 1);
  CHECK_THAT(as_it_was.report(), Contains("7, 4 elements") && Contains("hangs"));
  CHECK(with_coarser(sumfac::box_mesh({4, 4})).coarser()->coarser()->coarser() == nullptr);
}

TEST_CASE("bad meshes are refused before anything is set up")
{
  sumfac::mesh const box = sumfac::box_mesh({2, 1}, bent<2>, 4);
  auto const plain = element_view<2>(box.data(), 2, 5, 2);
  CHECK_THROWS_WITH(sumfac::mesh{plain}, Contains("it is not said where the 5 mesh nodes of an edge lie"));
  std::vector<int> table{0, 1, 2, 3, 1, 4, 3, 5};
  auto const set = sumfac::gauss_lobatto_nodes{};
  auto const numbers = [&] { return sumfac::view(table.data(), 2, 2, 2); };
  CHECK((sumfac::mesh{plain, set, numbers()}.boundary().size()) == 6);
  table[5] = -4;
  CHECK_THROWS_WITH((sumfac::mesh{plain, set, numbers()}), Contains("element 1, node (k, j, i) = (0, 0, 1): got -4"));
  table[5] = 1;
  CHECK_THROWS_WITH((sumfac::mesh{plain, set, numbers()}), Contains("vertices 0 and 1 of element 1 are one"));
  CHECK_THROWS_WITH((sumfac::mesh{plain, set, sumfac::view(table.data(), 1, 2, 2)}), Contains("expected 2, got 1"));
  std::vector<double> nodes{0, 0, 1, 0, 0, 1, 1, 1};
  CHECK_THROWS_WITH((sumfac::mesh{sumfac::view(nodes.data(), 1, 2, 2, 2), sumfac::unsaid_nodes{}, 0.5}),
                    Contains("tolerance"));
  nodes[2] = 0;
  CHECK_THROWS_WITH((sumfac::mesh{sumfac::view(nodes.data(), 1, 2, 2, 2)}), Contains("vertices 0 and 1 of element 0"));
  nodes[2] = std::nan("");
  CHECK_THROWS_WITH((sumfac::mesh{sumfac::view(nodes.data(), 1, 2, 2, 2)}), Contains("element 0 is not finite"));
  auto const to_nowhere = [](sumfac::vector<double, 2> x) {
    if (x[0] > 0.6) x[1] = NAN;
    return x;
  };
  CHECK_THROWS_WITH(sumfac::box_mesh({2, 1}).moved(to_nowhere),
                    Contains("mesh::moved: a coordinate of element 1 is not finite"));
  CHECK_THROWS_WITH(sumfac::box_mesh({2, 1}, to_nowhere, 1), Contains("mesh: a coordinate of element 1 is not finite"));
  std::vector<double> const fan{0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 2, 1, 2, 0, 0, 1, 0, 0, 3, 1, 3};
  CHECK_THROWS_WITH((sumfac::mesh{sumfac::view(fan.data(), 3, 2, 2, 2)}),
                    Contains("side 2 of element 0, 2 of 1, 2 of 2"));
  CHECK_THROWS_WITH(sumfac::box_mesh({2, 0}), Contains("direction 1"));
  CHECK_THROWS_WITH(sumfac::box_mesh({2, 2}, bent<2>, 16), Contains("got 16, 1 to 15"));
}

}  // namespace
