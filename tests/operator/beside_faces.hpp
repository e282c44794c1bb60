// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on faces between elements beside the oracle, on elements that are bent and turned.
#pragma once

#include <sumfac/mesh/mesh.hpp>
#include <sumfac/operator/interior_operator.hpp>

#include <catch2/catch.hpp>
#include <support/faces.hpp>
#include <support/larger.hpp>
#include <support/moved.hpp>
#include <support/random.hpp>
#include <support/tolerance.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace beside_faces {

using reference::real;
using sumfac::index_t;

constexpr std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

template <int Directions, class T>
auto elements_of(T* v, index_t elements, int n)
{
  if constexpr (Directions == 3)
    return sumfac::view(v, elements, n, n, n);
  else if constexpr (Directions == 2)
    return sumfac::view(v, elements, n, n);
  else
    return sumfac::view(v, elements, n);
}
// Mesh nodes (E, 3, .., 3, D).
template <int Directions>
auto mesh_nodes_of(double const* nodes, index_t elements)
{
  if constexpr (Directions == 3)
    return sumfac::view(nodes, elements, 3, 3, 3, 3);
  else if constexpr (Directions == 2)
    return sumfac::view(nodes, elements, 3, 3, 2);
  else
    return sumfac::view(nodes, elements, 3, 1);
}
template <int Directions, class T>
auto elements_of(std::vector<T>& v, index_t elements, int n)
{
  return elements_of<Directions>(v.data(), elements, n);
}

// A block whose elements are bent, and each turned in a way of its own; lines, of which nodes are moved.
inline reference::grid turned_block(int directions)
{
  std::vector<int> const cells[] = {{5}, {3, 2}, {2, 2, 1}};
  auto mesh = reference::box_grid(
      cells[directions - 1], reference::gauss_lobatto(3), [directions](std::array<double, 3> const& x) {
        double const moved = directions == 1 ? 3 * x[0] : x[1] + 0.4 * x[2];
        return std::array<double, 3>{x[0] + 0.1 * std::sin(moved), x[1] + 0.1 * std::sin(x[0] - 0.3 * x[2]),
                                     x[2] + 0.1 * std::sin(x[0] + x[1])};
      });
  auto const ways = reference::turns(directions);
  for (int e = 0; e < mesh.elements(); ++e) mesh = reference::turned(mesh, e, ways[at(7 * e + 3) % ways.size()]);
  return mesh;
}

// One whose first element is cut, bent and each turned, in one of many ways.
inline reference::grid hanging_block(int directions, int way)
{
  std::vector<int> const cells[] = {{}, {2, 2}, {2, 1, 1}};
  auto const block = reference::box_grid(cells[directions - 1], reference::gauss_lobatto(3), [](auto const& x) {
    return std::array<double, 3>{2 * x[0] + 0.2 * std::sin(x[1] + 0.4 * x[2]),
                                 2 * x[1] + 0.2 * std::sin(x[0] - 0.3 * x[2]), 2 * x[2] + 0.2 * std::sin(x[0] + x[1])};
  });
  std::vector<bool> cut(at(block.elements()), false);
  cut[0] = true;
  auto mesh = reference::cut(block, cut);
  auto const ways = reference::turns(directions);
  for (int e = 0; e < mesh.elements(); ++e)
    mesh = reference::turned(mesh, e, ways[at(5 * way * e + way) % ways.size()]);
  return mesh;
}

// An operator beside the oracle's sums over faces.
template <class Operator, class Add>
void agrees(reference::rule const& nodes, reference::rule const& points, Add const& add,
            typename Operator::form_type const& form = {},
            reference::grid const& mesh = turned_block(Operator::directions))
{
  using scalar = typename Operator::scalar_type;
  constexpr int directions = Operator::directions, components = Operator::components;
  auto const elements = index_t{mesh.elements()};
  auto pairs = reference::interior_faces(mesh);
  for (auto const& part : reference::hanging_faces(mesh)) pairs.push_back(part);
  reference::face_sums sums(mesh, {nodes, components}, points);
  add(sums, pairs, reference::boundary_sides(mesh, pairs));

  sumfac::mesh<directions> const known{mesh_nodes_of<directions>(mesh.nodes.data(), elements)};
  Operator const F{typename Operator::backend_type{}, known, form};
  REQUIRE(known.interior_faces().faces() == static_cast<index_t>(pairs.size()));
  auto const u = support::random<scalar>(at(sums.size()), 5);
  auto v = support::random<scalar>(u.size(), 6);
  constexpr int n = Operator::nodes_1d;
  auto const shaped = [&](auto* x) {
    if constexpr (components == 1)
      return elements_of<directions>(x, elements, n);
    else if constexpr (directions == 3)
      return sumfac::view(x, elements, components, n, n, n);
    else if constexpr (directions == 2)
      return sumfac::view(x, elements, components, n, n);
    else
      return sumfac::view(x, elements, components, n);
  };
  support::on_backend(F.backend(), u, v, [&](scalar const* from, scalar* to) { F.apply(shaped(from), shaped(to)); });
  auto const check = [&](std::vector<scalar> const& got, auto const& expected) {
    double most = 0, size = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      most = support::larger(most, std::abs(double(real(got[i]) - expected[i])));
      size = support::larger(size, std::abs(double(expected[i])));
    }
    CHECK(most <= 16 * reference::tolerance<scalar>(Operator::order) * size);
    CHECK(size > 0.1);
  };
  check(v, sums.apply({u.begin(), u.end()}));
  auto const matrix = sums.matrix();
  std::vector<real> diagonal;
  for (int i = 0; i < sums.size(); ++i) diagonal.push_back(matrix(i, i));
  support::on_backend(F.backend(), u, v, [&](scalar const*, scalar* to) { F.diagonal(shaped(to)); });
  check(v, diagonal);
  support::on_backend(F.backend(), u, v, [&](scalar const*, scalar* to) { F.diagonal_add(shaped(to)); });
  for (scalar& twice : v) twice /= 2;
  check(v, diagonal);
}

}  // namespace beside_faces
