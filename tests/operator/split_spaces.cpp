// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of straight and curved quadrilaterals and lines: classes, orders, and each element run as what it allows.
#include "spaces.hpp"

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/mesh/classify.hpp>
#include <sumfac/mesh/element_order.hpp>

#include <cstdint>
#include <string>

namespace {

using backend = sumfac::host;
using sumfac::curve, sumfac::geometry_class, sumfac::line, sumfac::quadrilateral, sumfac::surface;

template <class Form, auto Space, class Points, class Geometry>
using on = sumfac::element_operator<Form, Space, Points, backend, double, Geometry>;

// Elements of 3^D nodes as the letters say: a(ffine), t(rilinear), g(eneral).
checks::flat_mesh mixed(std::string const& kinds, int directions, int coordinates)
{
  auto const count = static_cast<int>(kinds.size());
  checks::flat_mesh mesh(count, directions, coordinates, 3, 0);
  checks::flat_mesh const bent(count, directions, coordinates, 3, 0.05);
  auto const size = mesh.numbers.size() / kinds.size();
  for (std::size_t e = 0; e < kinds.size(); ++e) {
    auto const of_element = mesh.numbers.begin() + std::ptrdiff_t(e * size);
    if (kinds[e] == 'g')
      std::copy_n(bent.numbers.begin() + std::ptrdiff_t(e * size), size, of_element);
    else if (kinds[e] == 't')  // the vertex where x and y are greatest moves, and what is beside it half and a quarter
      for (int node = 0; node < 9; ++node)
        of_element[std::ptrdiff_t(node * coordinates)] += 0.4 * (node % 3 / 2.0) * (node / 3 / 2.0);
  }
  return mesh;
}

geometry_class class_of(char kind)
{
  return kind == 'a' ? geometry_class::affine : kind == 't' ? geometry_class::trilinear : geometry_class::general;
}

std::string const many = "aaatgaaaattttttttttggatgatgggaaaaaaaaaaaaaattaggtttaaa";

template <int Directions, int Coordinates>
void classifies(std::string const& kinds)
{
  auto const mesh = mixed(kinds, Directions, Coordinates);
  auto const nodes = checks::nodes_view<Directions, Coordinates>(mesh);
  auto const classes = sumfac::classify(nodes);
  REQUIRE(classes.size() == kinds.size());
  for (std::size_t e = 0; e < kinds.size(); ++e) {
    CAPTURE(Directions, Coordinates, e);
    CHECK(classes[e] == class_of(kinds[e]));
  }
  for (auto const c : sumfac::classify(nodes, sumfac::gauss_lobatto_nodes{}, 1.0)) CHECK(c == geometry_class::affine);
}

}  // namespace

TEST_CASE("split on flat elements: every element by what it allows")
{
  classifies<2, 2>(many);
  classifies<2, 3>(many);
  classifies<1, 1>("agaagg");
  classifies<1, 2>("agaagg");
  classifies<1, 3>("agaagg");
}

TEST_CASE("split on flat elements: bad meshes are refused")
{
  checks::flat_mesh const mesh(2, 2, 2, 3, 0);
  sumfac::view const of_four(mesh.numbers.data(), 1, 3, 3, 4);
  CHECK_THROWS_WITH(sumfac::classify(of_four), Catch::Contains("extent 3 (coordinates) of the mesh nodes") &&
                                                   Catch::Contains("4") && Catch::Contains("2"));
  auto broken = mesh;
  broken.numbers[18 + 4] = std::numeric_limits<double>::quiet_NaN();
  CHECK(sumfac::classify(checks::nodes_view<2, 2>(broken)) ==
        std::vector{geometry_class::affine, geometry_class::general});
}

TEST_CASE("split on flat elements: beside the oracle")
{
  using sumfac::split;
  for (std::string const& kinds : {many, std::string("gta"), std::string("ttttg"), std::string("ggggg")}) {
    checks::agrees<on<sumfac::stiffness, quadrilateral(2), sumfac::gauss<4>, split>>(
        mixed(kinds, 2, 2), checks::stiffness(1), {.lambda = 1});
    checks::agrees<on<sumfac::mass, surface(2), sumfac::gauss<4>, split>>(mixed(kinds, 2, 3), checks::mass());
  }
  checks::agrees<on<sumfac::stiffness, line(3), sumfac::gauss_lobatto<4>, split>>(mixed("agaaggaaagaaa", 1, 1),
                                                                                  checks::stiffness(1), {.lambda = 1});
  checks::agrees<on<sumfac::mass, curve(2, 2), sumfac::gauss<4>, split>>(mixed("gaaag", 1, 2), checks::mass());
}

TEST_CASE("split on flat elements: in order, elements run as what they are")
{
  using on_split = on<sumfac::laplace, quadrilateral(3), sumfac::gauss<5>, sumfac::split>;
  std::string kinds;
  for (int i = 0; i < 8; ++i) kinds += many;
  auto const mesh = mixed(kinds, 2, 2);
  auto const nodes = checks::nodes_view<2, 2>(mesh);
  auto const order = sumfac::element_order::like_by_like(nodes);
  auto sorted = mesh;
  sumfac::view const to(sorted.numbers.data(), mesh.elements, 3, 3, 2);
  order.apply(sumfac::view(mesh.numbers.data(), mesh.elements, 3, 3, 2), to);
  on_split const in_order{backend{}, checks::nodes_view<2, 2>(sorted)}, as_given{backend{}, nodes};
  auto const found = in_order.classes();
  auto const counted = [&](char kind) { return sumfac::index_t(std::count(kinds.begin(), kinds.end(), kind)); };
  // But for the groups at the borders between runs.
  CHECK(found.general < counted('g') + 64);
  CHECK(found.general >= counted('g'));
  CHECK(as_given.classes().general > found.general);
  CHECK(in_order.work().bytes() < as_given.work().bytes());

  constexpr int n = 4;
  auto const u = support::random<double>(std::size_t(mesh.elements * n * n), 2);
  std::vector<double> v(u.size()), of_u(u.size()), of_v(u.size()), back(u.size());
  auto const in = [&](std::vector<double> const& x) { return checks::e_vector<2, n, 1>(x.data(), mesh.elements); };
  auto const out = [&](std::vector<double>& x) { return checks::e_vector<2, n, 1>(x.data(), mesh.elements); };
  as_given.apply(in(u), out(v));
  order.apply(in(u), out(of_u));
  in_order.apply(in(of_u), out(of_v));
  order.undo(in(of_v), out(back));
  for (std::size_t i = 0; i < u.size(); ++i) CHECK(std::abs(back[i] - v[i]) <= 1e-12);
}

TEST_CASE("split on flat elements: parts of a mesh on global vectors add up")
{
  // A strip of quadrilaterals side by side, of any shapes: what is added up is what the table says.
  constexpr int order = 2, n = order + 1;
  auto const mesh = mixed(many, 2, 2);
  int const elements = mesh.elements, along = elements * order + 1;
  std::vector<std::int32_t> table;
  for (int e = 0; e < elements; ++e)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) table.push_back(j * along + e * order + i);
  backend const here;
  sumfac::index_t const nodes = n * along;
  sumfac::restriction<double, backend> const R{here, sumfac::view(table.data(), elements, n, n), nodes};
  on<sumfac::stiffness, quadrilateral(order), sumfac::gauss<4>, sumfac::split> const A{here,
                                                                                       checks::nodes_view<2, 2>(mesh)};
  auto x = support::random<double>(std::size_t(nodes), 6);
  std::vector<double> whole(x.size()), parts(x.size(), std::numeric_limits<double>::quiet_NaN());
  auto const global = [&](std::vector<double>& v) { return sumfac::view(v.data(), nodes); };
  A.apply(R, global(x), global(whole));
  std::vector<std::int32_t> first, rest;
  for (int e = 0; e < elements; ++e) (e % 5 < 2 ? first : rest).push_back(e);
  auto const part = [&](std::vector<std::int32_t> const& list) {
    return R.subset(sumfac::view(list.data(), sumfac::index_t(list.size())));
  };
  A.apply(part(first), global(x), global(parts));
  A.apply_add(part(rest), global(x), global(parts));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(parts[i] - whole[i]) <= 1e-12);
  A.apply(R.subset(0, 7), global(x), global(parts));
  A.apply_add(R.subset(7, elements), global(x), global(parts));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(parts[i] - whole[i]) <= 1e-12);
}
