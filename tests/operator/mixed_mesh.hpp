// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes that mix affine, trilinear and general elements in any order.
#pragma once

#include <support/random.hpp>
#include <support/shapes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace mesh {

// Elements as the letters say: a(ffine), t(rilinear), g(eneral).
inline nodes mixed(std::string const& kinds, reference::rule const& where)
{
  auto const count = static_cast<int>(kinds.size());
  auto const affine = parallelepipeds(count, where, 3);
  auto const trilinear = sampled(jittered({3, 3, 3}, 0.2, where), count);
  auto const general = sampled(mapped(box({3, 2, 2}, where), smooth{}), count);
  nodes result{count, where.size(), {}};
  for (int e = 0; e < count; ++e) {
    auto const kind = kinds[static_cast<std::size_t>(e)];
    auto const& from = kind == 'a' ? affine : kind == 't' ? trilinear : general;
    result.coordinates.insert(result.coordinates.end(), from.element(e), from.element(e) + from.element_size());
  }
  return result;
}

// Letters in random order, each as likely as it is frequent in `from`.
inline std::string random_kinds(int count, std::uint64_t seed, std::string const& from = "aatg")
{
  support::generator next(seed);
  std::string kinds;
  for (int e = 0; e < count; ++e) kinds.push_back(from[(next.bits() >> 20) % from.size()]);
  return kinds;
}

}  // namespace mesh
