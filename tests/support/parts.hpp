// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes as the processes of a partition have them: numbers of their own, of which elements need not use all.
#pragma once

#include "numbering.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mesh {

// What one process has of a mesh: some elements, and numbers for their nodes and for some that none of them has.
struct part {
  std::vector<int> elements;
  numbering numbers;
  std::vector<std::int64_t> nodes_of_mesh;  // of each node its number in the whole mesh
};

// These elements; the nodes are theirs and about every third other one, in random order.
inline part part_of(numbering const& all, std::vector<int> const& elements, std::uint64_t seed)
{
  part result{elements, selected(all, elements), {}};
  auto const used = result.numbers.multiplicity();
  support::generator next(seed);
  for (auto const node : shuffled(all.nodes, seed))
    if (used[static_cast<std::size_t>(node)] > 0 || next.bits() % 3 == 0) result.nodes_of_mesh.push_back(node);
  std::vector<std::int64_t> own(static_cast<std::size_t>(all.nodes), -1);
  for (std::size_t i = 0; i < result.nodes_of_mesh.size(); ++i)
    own[static_cast<std::size_t>(result.nodes_of_mesh[i])] = static_cast<std::int64_t>(i);
  for (auto& node : result.numbers.table) node = own[static_cast<std::size_t>(node)];
  result.numbers.nodes = static_cast<std::int64_t>(result.nodes_of_mesh.size());
  result.numbers.boundary.clear();
  for (auto const node : all.boundary)
    if (auto const mine = own[static_cast<std::size_t>(node)]; mine >= 0) result.numbers.boundary.push_back(mine);
  std::sort(result.numbers.boundary.begin(), result.numbers.boundary.end());
  return result;
}

// The mesh in so many parts that share out its elements, and one more that has nodes alone.
inline std::vector<part> cut(numbering const& all, int count, std::uint64_t seed)
{
  std::vector<part> parts;
  for (int k = 0; k <= count; ++k) {
    std::vector<int> elements;
    for (int e = 0; e < all.elements; ++e)
      if (e * count / all.elements == k) elements.push_back(e);
    parts.push_back(part_of(all, elements, seed + static_cast<std::uint64_t>(k)));
  }
  return parts;
}

// The same mesh with numbers that no element has among the others.
inline numbering with_unused(numbering numbers, int unused, std::uint64_t seed)
{
  auto const names = shuffled(numbers.nodes + unused, seed);
  numbers.nodes += unused;
  for (auto* list : {&numbers.table, &numbers.boundary})
    for (auto& node : *list) node = names[static_cast<std::size_t>(node)];
  std::sort(numbers.boundary.begin(), numbers.boundary.end());
  return numbers;
}

}  // namespace mesh
