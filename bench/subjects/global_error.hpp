// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the reference adds up on a global vector, at the nodes of one element of a box, and how far a result is from it.
#pragma once

#include "check.hpp"
#include "global_mesh.hpp"
#include "problems.hpp"

#include <sumfac/config.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace sumfac::bench {

// The largest error of y = A x at the nodes of an element, over the allowed one: from all elements that touch it. x(i),
// y(i): entries of the vectors.
template <class Problem, int Directions, class Mesh, class X, class Y>
double global_error(Mesh const& mesh, typename Mesh::numbering const& numbers, index_t element, X const& x, Y const& y,
                    bool single = false)
{
  constexpr int components = Problem::form::components;
  int const n = numbers.nodes_1d, nodes = n * n * (Directions == 3 ? n : 1), order = n - 1;
  auto const number_of = [&](index_t e, int node) {
    return numbers.numbers[static_cast<std::size_t>(e * nodes + node)];
  };
  auto const for_corners = [&](index_t e, auto const& f) {
    for (int corner = 0; corner < vertices_of<Directions>; ++corner)
      f(number_of(e, (((corner >> 2) * n + (corner >> 1 & 1)) * n + (corner & 1)) * order));
  };
  std::set<std::int32_t> corners;
  for_corners(element, [&](std::int32_t node) { corners.insert(node); });
  std::map<index_t, std::pair<long double, double>> sums;  // of an entry: what it must be, and the error allowed
  oracle const what{integral_of<Problem>(), order, Problem::collocated, single, false, Directions};
  for (index_t e = 0; e < mesh.elements(); ++e) {
    bool touches = false;
    for_corners(e, [&](std::int32_t node) { touches = touches || corners.count(node) > 0; });
    for (int c = 0; touches && c < components; ++c) {
      auto const entry = [&](int i) { return index_t{number_of(e, i)} * components + c; };
      std::vector<double> u;
      for (int i = 0; i < nodes; ++i) u.push_back(x(entry(i)));
      auto const right = expected(what, mesh.vertices(e), u.data());
      for (int i = 0; i < nodes; ++i) {
        auto& [sum, allowed] = sums[entry(i)];
        sum += right.v[static_cast<std::size_t>(i)];
        allowed += right.allowed;
      }
    }
  }
  double largest = 0;
  for (int i = 0; i < nodes; ++i)
    for (int c = 0; c < components; ++c) {
      auto const node = number_of(element, i);
      if (Problem::constrained && numbers.on_boundary[static_cast<std::size_t>(node)] != 0) continue;
      auto const& [right, allowed] = sums.at(index_t{node} * components + c);
      auto const is = static_cast<long double>(y(index_t{node} * components + c));
      auto const off = static_cast<double>(std::abs(is - right));
      largest = std::max(largest, off == off ? off / allowed : HUGE_VAL);
    }
  return largest;
}

}  // namespace sumfac::bench
