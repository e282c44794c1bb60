// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on faces between elements beside the oracle, on elements that are bent and turned.
#pragma once

#include <sumfac/mesh/mesh.hpp>
#include <sumfac/operator/interior_operator.hpp>

#include <catch2/catch.hpp>
#include <support/faces.hpp>
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
auto elements_of(std::vector<T>& v, index_t elements, int n)
{
  if constexpr (Directions == 3)
    return sumfac::view(v.data(), elements, n, n, n);
  else
    return sumfac::view(v.data(), elements, n, n);
}

// A block whose elements are bent, and each turned in a way of its own.
inline reference::grid turned_block(int directions)
{
  auto mesh = reference::box_grid(directions == 3 ? std::vector<int>{2, 2, 1} : std::vector<int>{3, 2},
                                  reference::gauss_lobatto(3), [](std::array<double, 3> const& x) {
                                    return std::array<double, 3>{x[0] + 0.1 * std::sin(x[1] + 0.4 * x[2]),
                                                                 x[1] + 0.1 * std::sin(x[0] - 0.3 * x[2]),
                                                                 x[2] + 0.1 * std::sin(x[0] + x[1])};
                                  });
  auto const ways = reference::turns(directions);
  for (int e = 0; e < mesh.elements(); ++e) mesh = reference::turned(mesh, e, ways[at(7 * e + 3) % ways.size()]);
  return mesh;
}

// An operator beside the oracle's sums over faces.
template <class Operator, class Add>
void agrees(reference::rule const& nodes, reference::rule const& points, Add const& add,
            typename Operator::form_type const& form = {})
{
  using scalar = typename Operator::scalar_type;
  constexpr int directions = Operator::directions, components = Operator::components;
  auto const mesh = turned_block(directions);
  auto const elements = index_t{mesh.elements()};
  auto const pairs = reference::interior_faces(mesh);
  reference::face_sums sums(mesh, {nodes, components}, points);
  add(sums, pairs, reference::boundary_sides(mesh, pairs));

  sumfac::mesh const known = [&] {
    if constexpr (directions == 3)
      return sumfac::mesh{sumfac::view(mesh.nodes.data(), elements, 3, 3, 3, 3)};
    else
      return sumfac::mesh{sumfac::view(mesh.nodes.data(), elements, 3, 3, 2)};
  }();
  Operator const F{sumfac::host{}, known, form};
  REQUIRE(known.interior_faces().faces() == static_cast<index_t>(pairs.size()));
  auto u = support::random<scalar>(at(sums.size()), 5);
  auto v = support::random<scalar>(u.size(), 6);
  constexpr int n = Operator::nodes_1d;
  auto const shaped = [&](std::vector<scalar>& x) {
    if constexpr (components == 1)
      return elements_of<directions>(x, elements, n);
    else if constexpr (directions == 3)
      return sumfac::view(x.data(), elements, components, n, n, n);
    else
      return sumfac::view(x.data(), elements, components, n, n);
  };
  F.apply(shaped(u), shaped(v));
  auto const expected = sums.apply({u.begin(), u.end()});
  double most = 0, size = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    most = std::max(most, std::abs(double(real(v[i]) - expected[i])));
    size = std::max(size, std::abs(double(expected[i])));
  }
  CHECK(most <= 16 * reference::tolerance<scalar>(Operator::order) * size);
  CHECK(size > 0.1);
}

}  // namespace beside_faces
