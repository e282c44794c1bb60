// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes as objects: what elements share however they are turned, boundaries and their names, refinement, refusals.
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/refined.hpp>

#include <catch2/catch.hpp>

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

template <int D>
using place = std::array<int, D>;  // x first

// Where the node at a place of a turned element was before, of n along each edge: directions change places, and some
// run backwards, but what was right-handed stays so.
template <int D>
struct turn {
  place<D> from{};
  place<D> backwards{};

  explicit turn(unsigned code)
  {
    for (int d = 0; d < D; ++d) from[at(d)] = d;
    for (; code % 7 > 0; code -= 1) std::next_permutation(from.begin(), from.end());
    int sign = 1;
    for (int d = 0; d < D; ++d)
      for (int b = 0; b < d; ++b) sign = from[at(b)] > from[at(d)] ? -sign : sign;
    for (int d = 0; d < D; ++d) {
      backwards[at(d)] = d == D - 1 ? (sign < 0) : static_cast<int>(code >> (3 + d) & 1);
      sign = backwards[at(d)] ? -sign : sign;
    }
  }
  place<D> before(place<D> const& i, int n) const
  {
    place<D> was{};
    for (int d = 0; d < D; ++d) was[at(from[at(d)])] = backwards[at(d)] ? n - 1 - i[at(d)] : i[at(d)];
    return was;
  }
};

template <int D>
place<D> place_of(index_t p, int n)
{
  place<D> i{};
  for (int d = 0; d < D; ++d, p /= n) i[at(d)] = static_cast<int>(p % n);
  return i;
}
template <int D>
index_t index_of(place<D> const& i, int n)
{
  index_t p = 0;
  for (int d = D; d-- > 0;) p = p * n + i[at(d)];
  return p;
}
constexpr index_t power(index_t n, int d) { return d == 0 ? 1 : n * power(n, d - 1); }

// A view (E, n, n, n), or of fewer directions, with more indices behind.
template <int D, class T, class... Rest>
auto element_view(T* data, index_t elements, int n, Rest... rest)
{
  if constexpr (D == 3)
    return sumfac::view(data, elements, n, n, n, rest...);
  else if constexpr (D == 2)
    return sumfac::view(data, elements, n, n, rest...);
  else
    return sumfac::view(data, elements, n, rest...);
}

// A bent box whose elements are turned each in its own way: nodes and vertices, and the nodes of a degree.
template <int D>
struct turned_box {
  sumfac::mesh<D> straight;
  int m;
  std::vector<double> nodes;
  std::vector<int> vertices;
  std::vector<turn<D>> turns;

  explicit turned_box(sumfac::mesh<D> const& box) : straight(box), m(box.nodes_1d())
  {
    index_t const count = power(m, D);
    for (index_t e = 0; e < box.elements(); ++e) {
      turns.emplace_back(static_cast<unsigned>(e * 2654435761u >> 5));
      for (index_t p = 0; p < count; ++p)
        for (int c = 0; c < D; ++c)
          nodes.push_back(box.data()[(e * count + index_of<D>(turns.back().before(place_of<D>(p, m), m), m)) * D + c]);
      for (index_t v = 0; v < 1 << D; ++v)
        vertices.push_back(static_cast<int>(box.element_parts().vertex(
            e, static_cast<int>(index_of<D>(turns.back().before(place_of<D>(v, 2), 2), 2)))));
    }
  }
  auto view_of_nodes() const
  {
    return sumfac::mesh_view(element_view<D>(nodes.data(), straight.elements(), m, D), sumfac::gauss_lobatto_nodes{});
  }
  auto view_of_vertices() const { return element_view<D>(vertices.data(), straight.elements(), 2); }
};

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
  turned_box<D> const box(sumfac::box_mesh(cells, bent<D>, 3));
  sumfac::mesh const by_table{box.view_of_nodes(), box.view_of_vertices()};
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
