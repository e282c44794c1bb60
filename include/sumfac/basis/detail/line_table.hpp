// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tables of sizes known at run time, along each direction of an array: for what is set up once, at any degree.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/lagrange.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// Values and slopes, at some points of [-1, 1], of the polynomials through some nodes.
struct line_table {
  int points, nodes;
  own_vector<double> values, slopes;  // (points, nodes)

  line_table(own_vector<long double> const& at, own_vector<long double> const& of)
      : points(static_cast<int>(at.size())),
        nodes(static_cast<int>(of.size())),
        values(at.size() * of.size()),
        slopes(at.size() * of.size())
  {
    own_vector<long double> weights(of.size()), value(of.size()), slope(of.size());
    lagrange_weights(of.data(), nodes, weights.data());
    for (std::size_t q = 0; q < at.size(); ++q) {
      lagrange_derivatives(of.data(), weights.data(), nodes, at[q], value.data(), slope.data());
      for (std::size_t i = 0; i < of.size(); ++i) {
        values[q * of.size() + i] = static_cast<double>(value[i]);
        slopes[q * of.size() + i] = static_cast<double>(slope[i]);
      }
    }
  }
  // Of point q, (nodes).
  double const* values_at(int q) const { return values.data() + q * nodes; }
  double const* slopes_at(int q) const { return slopes.data() + q * nodes; }
};

// Applies a table along each direction of arrays (z, y, x, components); one object a thread, for its memory.
class box_contraction {
public:
  box_contraction(line_table const& table, int directions, int components)
      : table_(table), directions_(directions), components_(components)
  {
    std::size_t most = static_cast<std::size_t>(components);
    for (int d = 0; d < directions; ++d)
      most *= static_cast<std::size_t>(table.points > table.nodes ? table.points : table.nodes);
    for (auto& memory : work_) memory.resize(most);
  }

  // Values at the points of what has these values at the nodes, or its slopes along one direction, x being 0.
  double const* at_points(double const* nodes, int slope = -1)
  {
    double const* from = nodes;
    for (int d = 0; d < directions_; ++d) {
      auto const& a = d == slope ? table_.slopes : table_.values;
      from = along(d, from, table_.points, table_.nodes, [&](int q, int i) { return a[at(q, i)]; });
    }
    return from;
  }
  // The transpose of the values: sums over points, for each node.
  double const* at_nodes(double const* points)
  {
    double const* from = points;
    for (int d = 0; d < directions_; ++d)
      from = along(d, from, table_.nodes, table_.points, [&](int i, int q) { return table_.values[at(q, i)]; });
    return from;
  }

private:
  std::size_t at(int q, int i) const { return static_cast<std::size_t>(q * table_.nodes + i); }

  template <class Entry>
  double const* along(int d, double const* from, int rows, int cols, Entry const& entry)
  {
    index_t inner = components_, outer = 1;
    for (int before = 0; before < d; ++before) inner *= rows;
    for (int behind = d + 1; behind < directions_; ++behind) outer *= cols;
    double* const to = work_[d % 2].data();
    for (index_t o = 0; o < outer; ++o)
      for (int r = 0; r < rows; ++r)
        for (index_t i = 0; i < inner; ++i) {
          double sum = 0;
          for (int c = 0; c < cols; ++c) sum += entry(r, c) * from[(o * cols + c) * inner + i];
          to[(o * rows + r) * inner + i] = sum;
        }
    return to;
  }

  line_table const& table_;
  int directions_, components_;
  own_vector<double> work_[2];
};

}  // namespace sumfac::detail
