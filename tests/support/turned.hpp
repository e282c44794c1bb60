// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes whose elements stand in any order and are turned each in its own way, as arrays of somebody's.
#pragma once

#include <sumfac/mesh/mesh.hpp>

#include <support/random.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace support {

template <int D>
using place = std::array<int, D>;  // x first

// Where the node at a place of a turned element was before, of n along each edge: directions change places, and some
// run backwards, but what was right-handed stays so.
template <int D>
struct turn {
  place<D> from{};
  place<D> backwards{};

  explicit turn(unsigned code)
  {
    auto const at = [](int i) { return static_cast<std::size_t>(i); };
    for (int d = 0; d < D; ++d) from[at(d)] = d;
    for (; code % 7 > 0; code -= 1) std::next_permutation(from.begin(), from.end());
    int sign = 1;
    for (int d = 0; d < D; ++d)
      for (int b = 0; b < d; ++b) sign = from[at(b)] > from[at(d)] ? -sign : sign;
    for (int d = 0; d < D; ++d) {
      backwards[at(d)] = d == D - 1 ? (sign < 0) : static_cast<int>(code >> (3 + d) & 1);
      sign = backwards[at(d)] ? -sign : sign;
    }
  }
  place<D> before(place<D> const& i, int n) const
  {
    place<D> was{};
    for (std::size_t d = 0; d < D; ++d) was[static_cast<std::size_t>(from[d])] = backwards[d] ? n - 1 - i[d] : i[d];
    return was;
  }
};

template <int D>
place<D> place_of(sumfac::index_t p, int n)
{
  place<D> i{};
  for (std::size_t d = 0; d < D; ++d, p /= n) i[d] = static_cast<int>(p % n);
  return i;
}
template <int D>
sumfac::index_t index_of(place<D> const& i, int n)
{
  sumfac::index_t p = 0;
  for (std::size_t d = D; d-- > 0;) p = p * n + i[d];
  return p;
}
constexpr sumfac::index_t power(sumfac::index_t n, int d) { return d == 0 ? 1 : n * power(n, d - 1); }

// A view (E, n, n, n), or of fewer directions, with more indices behind.
template <int D, class T, class... Rest>
auto element_view(T* data, sumfac::index_t elements, int n, Rest... rest)
{
  if constexpr (D == 3)
    return sumfac::view(data, elements, n, n, n, rest...);
  else if constexpr (D == 2)
    return sumfac::view(data, elements, n, n, rest...);
  else
    return sumfac::view(data, elements, n, rest...);
}

// A mesh's elements turned: nodes, and numbers of nodes of a degree; with a seed in random order.
template <int D, int C = D>
struct turned_mesh {
  sumfac::mesh<D, C> straight;
  int m;
  std::vector<sumfac::index_t> order;  // which element stands at a place
  std::vector<turn<D>> turns;          // by place
  std::vector<double> nodes;

  explicit turned_mesh(sumfac::mesh<D, C> const& of, std::uint64_t seed = 0) : straight(of), m(of.nodes_1d())
  {
    generator random(seed);
    for (sumfac::index_t e = 0; e < of.elements(); ++e) order.push_back(e);
    for (std::size_t i = order.size(); seed > 0 && i-- > 1;) std::swap(order[i], order[random.bits() % (i + 1)]);
    for (sumfac::index_t e = 0; e < of.elements(); ++e)
      turns.emplace_back(seed > 0 ? static_cast<unsigned>(random.bits() >> 40)
                                  : static_cast<unsigned>(e * 2654435761u >> 5));
    nodes = turned<C>(of.data(), m);
  }

  // What the mesh's elements have at n^D places of each, C numbers at each.
  template <int Numbers, class T>
  std::vector<T> turned(T const* of, int n) const
  {
    std::vector<T> result;
    sumfac::index_t const count = power(n, D);
    for (std::size_t e = 0; e < order.size(); ++e)
      for (sumfac::index_t p = 0; p < count; ++p)
        for (int c = 0; c < Numbers; ++c)
          result.push_back(
              of[(order[e] * count + index_of<D>(turns[e].before(place_of<D>(p, n), n), n)) * Numbers + c]);
    return result;
  }
  std::vector<int> table(int degree) const
  {
    sumfac::detail::own_vector<std::int32_t> numbers;
    straight.number_nodes(degree, numbers);
    return turned<1>(numbers.data(), degree + 1);
  }
  auto view_of_nodes() const
  {
    return sumfac::mesh_view(element_view<D>(nodes.data(), straight.elements(), m, C), straight.node_set());
  }
  // Vertices are one where they coincide, or where they are in the mesh.
  sumfac::mesh<D, C> by_places() const { return sumfac::mesh<D, C>::copy_of(view_of_nodes()); }
  sumfac::mesh<D, C> by_table() const
  {
    auto const numbers = table(2);
    return sumfac::mesh<D, C>::copy_of(view_of_nodes(), element_view<D>(numbers.data(), straight.elements(), 3));
  }
};

}  // namespace support
