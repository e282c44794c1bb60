// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Additive Schwarz on boxes from its formula: dense matrices of overlapping boxes of nodes, solved one by one.
#pragma once

#include "dense.hpp"
#include "mesh.hpp"
#include "numbering.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace reference {

// z = sum over the cells of mesh::box(counts) of E S E' r. A cell's box of nodes is its own and `overlap` layers around
// it, within the mesh and without constrained nodes. S is the inverse of A's rows and columns there, and E the
// identity's columns, but for nodes that are outside the cell in two directions or three: these are unknowns of S that
// E leaves out. Constrained entries of z are those of r.
class schwarz {
public:
  using vector = std::vector<real>;

  // A is the whole matrix, of one component; nodes as mesh::numbered(counts, degree) numbers them, in any order; on
  // rows of quadrilaterals and lines as there, of a box of one cell along the directions that they have not.
  schwarz(table<real> const& a, mesh::counts counts, mesh::numbering const& numbers,
          std::vector<bool> const& constrained, int overlap)
      : a_(a), constrained_(constrained)
  {
    std::array<int, 3> const cells{counts.x, counts.y, counts.z};
    for (std::size_t d = 0; d < 3; ++d) {
      degree_[d] = static_cast<int>(d) < numbers.directions ? numbers.nodes_1d - 1 : 0;
      lines_[d] = cells[d] * degree_[d] + 1;
    }
    node_at_.resize(static_cast<std::size_t>(lines_[0]) * static_cast<std::size_t>(lines_[1]) *
                    static_cast<std::size_t>(lines_[2]));
    for (int e = 0; e < numbers.elements; ++e)
      for (int p = 0; p < numbers.element_size(); ++p) {
        int const n = numbers.nodes_1d;
        std::array<int, 3> const cell{e % counts.x, e / counts.x % counts.y, e / counts.x / counts.y};
        node_at_[place({cell[0] * degree_[0] + p % n, cell[1] * degree_[1] + p / n % n,
                        cell[2] * degree_[2] + p / n / n})] = static_cast<std::size_t>(numbers.element(e)[p]);
      }
    for (int e = 0; e < numbers.elements; ++e)
      boxes_.push_back(box_of({e % counts.x, e / counts.x % counts.y, e / counts.x / counts.y}, overlap));
  }

  // In how many boxes each node is reached.
  std::vector<int> multiplicity() const
  {
    std::vector<int> count(constrained_.size());
    for (box const& b : boxes_)
      for (std::size_t i = 0; i < b.nodes.size(); ++i) count[b.nodes[i]] += b.reached[i] ? 1 : 0;
    return count;
  }

  vector apply(vector const& r) const
  {
    vector z(r.size());
    for (box const& b : boxes_) {
      vector const u = solved(b.matrix, gathered(b, r)).value();
      for (std::size_t i = 0; i < b.nodes.size(); ++i)
        if (b.reached[i]) z[b.nodes[i]] += u[i];
    }
    for (std::size_t i = 0; i < r.size(); ++i)
      if (constrained_[i]) z[i] = r[i];
    return z;
  }

private:
  struct box {
    std::vector<std::size_t> nodes;  // free ones
    std::vector<bool> reached;
    table<real> matrix{0, 0};
  };

  std::size_t place(std::array<int, 3> const& at) const
  {
    return static_cast<std::size_t>((at[2] * lines_[1] + at[1]) * lines_[0] + at[0]);
  }

  static vector gathered(box const& b, vector const& r)
  {
    vector u;
    for (std::size_t i = 0; i < b.nodes.size(); ++i) u.push_back(b.reached[i] ? r[b.nodes[i]] : 0);
    return u;
  }

  box box_of(std::array<int, 3> const& cell, int overlap) const
  {
    box b;
    std::array<int, 3> first, last;
    for (std::size_t d = 0; d < 3; ++d) first[d] = cell[d] * degree_[d], last[d] = first[d] + degree_[d];
    for (int z = first[2] - overlap; z <= last[2] + overlap; ++z)
      for (int y = first[1] - overlap; y <= last[1] + overlap; ++y)
        for (int x = first[0] - overlap; x <= last[0] + overlap; ++x) {
          std::array<int, 3> const at{x, y, z};
          bool inside = true;
          int beside = 0;
          for (std::size_t d = 0; d < 3; ++d) {
            inside = inside && at[d] >= 0 && at[d] < lines_[d];
            beside += at[d] < first[d] || at[d] > last[d] ? 1 : 0;
          }
          if (!inside || constrained_[node_at_[place(at)]]) continue;
          b.nodes.push_back(node_at_[place(at)]);
          b.reached.push_back(beside < 2);
        }
    int const size = static_cast<int>(b.nodes.size());
    b.matrix = table<real>(size, size);
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j)
        b.matrix(i, j) = a_(static_cast<int>(b.nodes[static_cast<std::size_t>(i)]),
                            static_cast<int>(b.nodes[static_cast<std::size_t>(j)]));
    return b;
  }

  table<real> a_;
  std::vector<bool> constrained_;
  std::array<int, 3> degree_{}, lines_{};
  std::vector<std::size_t> node_at_;
  std::vector<box> boxes_;
};

}  // namespace reference
