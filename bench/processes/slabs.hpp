// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The unit cube in cubes, cut in slabs along z: what each process has of it, and the numbers of its nodes.
#pragma once

#include <sumfac/sumfac.hpp>

#include <cstdint>
#include <vector>

// Planes of nodes between two slabs belong to the lower one. Owned nodes come first, plane after plane, then the
// ghosts: the lowest plane of each slab but the first. A process may have no layer of elements, and then no nodes.
struct slabs {
  int order, cells;         // degree, cells per direction of the cube
  int first = 0, last = 0;  // layers of elements of this process: first .. last - 1
  std::int64_t owned = 0;
  std::vector<double> vertices;         // (E, 2, 2, 2, 3)
  std::vector<std::int32_t> table;      // (E, n, n, n)
  std::vector<unsigned char> boundary;  // (nodes): not 0 on the surface of the cube
  std::vector<int> owner;               // (nodes)
  std::vector<std::int64_t> number;     // (nodes): in the whole cube

  slabs(int degree, int cells_1d, int rank, int processes)
      : order(degree), cells(cells_1d), first(layer_of(rank, processes)), last(layer_of(rank + 1, processes))
  {
    int below = rank - 1;  // the process that owns the lowest plane
    while (below >= 0 && layer_of(below, processes) == first) --below;
    bool const has_ghosts = last > first && first > 0;
    for (int k = first * order + (first > 0 ? 1 : 0); last > first && k <= last * order; ++k) add_plane(k, rank);
    owned = static_cast<std::int64_t>(owner.size());
    if (has_ghosts) add_plane(first * order, below);
    for (int e = 0; e < elements(); ++e) add_element(e % cells, e / cells % cells, first + e / cells / cells);
  }

  int elements() const { return cells * cells * (last - first); }
  int points() const { return cells * order + 1; }  // nodes along an edge of the cube
  std::int64_t nodes() const { return static_cast<std::int64_t>(owner.size()); }

  // A node's place in the cube.
  double coordinate(std::int64_t node, int direction, std::vector<double> const& points_of_cell) const
  {
    std::int64_t const at = number[std::size_t(node)], m = points();
    int const line = int(direction == 0 ? at % m : direction == 1 ? at / m % m : at / m / m);
    int const cell = line == cells * order ? cells - 1 : line / order;
    return (cell + points_of_cell[std::size_t(line - cell * order)]) / cells;
  }

private:
  int layer_of(int rank, int processes) const { return int(std::int64_t(cells) * rank / processes); }

  void add_plane(int k, int of)
  {
    auto const outside = [this](int i) { return i == 0 || i == points() - 1; };
    for (int j = 0; j < points(); ++j)
      for (int i = 0; i < points(); ++i) {
        owner.push_back(of);
        number.push_back((std::int64_t(k) * points() + j) * points() + i);
        boundary.push_back(outside(k) || outside(j) || outside(i) ? 1 : 0);
      }
  }

  void add_element(int x, int y, int z)
  {
    for (int vertex = 0; vertex < 8; ++vertex) {
      vertices.push_back((x + vertex % 2) / double(cells));
      vertices.push_back((y + vertex / 2 % 2) / double(cells));
      vertices.push_back((z + vertex / 4) / double(cells));
    }
    std::int64_t const plane = std::int64_t(points()) * points();
    for (int k = z * order; k <= (z + 1) * order; ++k) {
      std::int64_t const lowest = first * order + (first > 0 ? 1 : 0);
      std::int64_t const start = k < lowest ? owned : (k - lowest) * plane;
      for (int j = y * order; j <= (y + 1) * order; ++j)
        for (int i = x * order; i <= (x + 1) * order; ++i)
          table.push_back(std::int32_t(start + std::int64_t(j) * points() + i));
    }
  }
};
