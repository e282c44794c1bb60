// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A box cut into triangles, tetrahedra or prisms, of straight or bent edges, and polynomials on it.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <vector>

namespace checks {

// The vertices of the elements that [0, 1]^D cut into `cells` along each direction consists of, (E, V, D).
inline std::vector<double> vertices_of_box(sumfac::space const& of, int cells)
{
  using table = std::vector<std::vector<int>>;  // corners of a cube, a bit for each direction
  table const triangles = {{0, 1, 3}, {0, 3, 2}};
  table const tetrahedra = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  table const prisms = {{0, 1, 3, 4, 5, 7}, {0, 3, 2, 4, 7, 6}};
  table const& parts = of.directions == 2 ? triangles : of.shape == sumfac::cell_shape::prism ? prisms : tetrahedra;
  std::vector<double> numbers;
  for (int k = 0; k < (of.directions == 3 ? cells : 1); ++k)
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i)
        for (auto const& part : parts)
          for (int const corner : part) {
            int const at[] = {i, j, k};
            for (int d = 0; d < of.directions; ++d) numbers.push_back(double(at[d] + (corner >> d & 1)) / cells);
          }
  return numbers;
}

// Where the nodes of a space lie on these elements, (E, P, D), each moved by `move`.
template <class Move>
std::vector<double> nodes_of_box(sumfac::space const& of, int cells, Move const& move)
{
  std::vector<double> const vertices = vertices_of_box(of, cells);
  sumfac::space straight = of;
  straight.degree = 1;
  auto const basis = sumfac::detail::basis_of(of), corners = sumfac::detail::basis_of(straight);
  auto const count = std::size_t(corners.size()), d = std::size_t(of.directions);
  std::vector<double> numbers;
  std::vector<long double> values(count), gradients(count * d);
  for (std::size_t e = 0; e < vertices.size() / (count * d); ++e)
    for (int p = 0; p < basis.size(); ++p) {
      long double at[3] = {};
      for (int a = 0; a < of.directions; ++a) at[a] = basis.node(p, a);
      corners.evaluate(at, values.data(), gradients.data());
      double x[3] = {};
      for (std::size_t c = 0; c < d; ++c)
        for (std::size_t v = 0; v < count; ++v) x[c] += double(values[v]) * vertices[(e * count + v) * d + c];
      move(x);
      numbers.insert(numbers.end(), x, x + d);
    }
  return numbers;
}

inline auto const straight = [](double*) {};

using cell_nodes = sumfac::view<double const, sumfac::dextents<3>>;
inline cell_nodes nodes_view(std::vector<double> const& numbers, int nodes, int coordinates)
{
  return cell_nodes(numbers.data(), sumfac::index_t(numbers.size()) / (nodes * coordinates), nodes, coordinates);
}

}  // namespace checks
