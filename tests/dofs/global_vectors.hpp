// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tables, marks and global vectors to feed to restrictions, and the entries of a vector by node and component.
#pragma once

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/view/view.hpp>

#include <support/global.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

namespace checks {

using reference::real;
using sumfac::index_t;

// A view of an element-to-node table: (E, n, n, n).
template <class Index>
auto table_view(std::vector<Index> const& table, int elements, int n)
{
  return sumfac::view<Index const, sumfac::dextents<4>>(table.data(), elements, n, n, n);
}

// A view of a global vector.
template <class T>
auto global_view(std::vector<T>& x)
{
  return sumfac::view<T, sumfac::dextents<1>>(x.data(), static_cast<index_t>(x.size()));
}
template <class T>
auto global_view(std::vector<T> const& x)
{
  return sumfac::view<T const, sumfac::dextents<1>>(x.data(), static_cast<index_t>(x.size()));
}

// Everything that decides what a restriction must do, and nothing of how.
struct restricted_mesh {
  mesh::numbering numbers;
  int components = 1;
  std::vector<std::uint8_t> marks{};  // (nodes, C), nonzero where constrained; empty: nowhere

  std::size_t size() const { return static_cast<std::size_t>(numbers.nodes) * static_cast<std::size_t>(components); }
  std::size_t element_size() const
  {
    return static_cast<std::size_t>(components) * static_cast<std::size_t>(numbers.element_size());
  }
  std::size_t local_size() const { return static_cast<std::size_t>(numbers.elements) * element_size(); }

  bool constrained(std::int64_t node, int c) const
  {
    return !marks.empty() && marks[static_cast<std::size_t>(node * components + c)] != 0;
  }

  // Where component c of a node stands in a vector.
  std::size_t entry(sumfac::interleaving way, std::int64_t node, int c) const
  {
    return static_cast<std::size_t>(way == sumfac::interleaving::fastest ? node * components + c
                                                                         : c * numbers.nodes + node);
  }

  // Calls f(place in the E-vector (E, C, n, n, n), place in the global vector, whether constrained).
  template <class Function>
  void for_each_place(sumfac::interleaving way, Function const& f) const
  {
    std::size_t local = 0;
    for (int e = 0; e < numbers.elements; ++e)
      for (int c = 0; c < components; ++c)
        for (int i = 0; i < numbers.element_size(); ++i, ++local) {
          std::int64_t const node = numbers.element(e)[i];
          f(local, entry(way, node, c), constrained(node, c));
        }
  }

  // Which entries of a vector are constrained.
  std::vector<bool> constrained_entries(sumfac::interleaving way) const
  {
    std::vector<bool> result(size());
    for (std::int64_t node = 0; node < numbers.nodes; ++node)
      for (int c = 0; c < components; ++c) result[entry(way, node, c)] = constrained(node, c);
    return result;
  }

  template <class T>
  std::vector<T> gathered(std::vector<T> const& x, sumfac::interleaving way) const
  {
    std::vector<T> u(local_size());
    for_each_place(way,
                   [&](std::size_t local, std::size_t global, bool fixed) { u[local] = fixed ? T(0) : x[global]; });
    return u;
  }

  template <class T>
  std::vector<T> scattered(std::vector<T> const& v, sumfac::interleaving way) const
  {
    std::vector<T> y(size());
    for_each_place(way,
                   [&](std::size_t local, std::size_t global, bool fixed) { y[global] += fixed ? T(0) : v[local]; });
    return y;
  }

  // The restriction as the library builds it, from a table of Index.
  template <class Scalar, class Backend, class Index = std::int64_t>
  auto restriction(Backend const& backend, sumfac::restriction_options options = {}) const
  {
    options.components = components;
    auto const table = numbers.table_of<Index>();
    auto const view = table_view(table, numbers.elements, numbers.nodes_1d);
    if (marks.empty()) return sumfac::restriction<Scalar, Backend>(backend, view, numbers.nodes, options);
    sumfac::view<std::uint8_t const, sumfac::dextents<2>> const marked(marks.data(), numbers.nodes, components);
    return sumfac::restriction<Scalar, Backend>(backend, view, numbers.nodes, marked, options);
  }
};

// About one in `every` entries constrained, at random and not all.
inline std::vector<std::uint8_t> random_marks(std::int64_t nodes, int components, int every, std::uint64_t seed)
{
  support::generator next(seed);
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(nodes * components));
  for (auto& mark : marks)
    mark = next.bits() % static_cast<unsigned>(every) == 0 ? static_cast<std::uint8_t>(1 + next.bits() % 255) : 0;
  marks[next.bits() % marks.size()] = 0;
  return marks;
}

// All components of a box's boundary.
inline std::vector<std::uint8_t> boundary_marks(mesh::numbering const& numbers, int components)
{
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(numbers.nodes * components));
  for (auto const node : numbers.boundary)
    for (int c = 0; c < components; ++c) marks[static_cast<std::size_t>(node * components + c)] = 1;
  return marks;
}

// A table such as no mesh has: runs of numbers and single ones, nodes that an element has several times.
inline mesh::numbering random_numbers(int n, int elements, std::uint64_t seed)
{
  support::generator next(seed + 1000);
  auto const below = [&next](int m) { return static_cast<int>(next.bits() % static_cast<unsigned>(m)); };
  mesh::numbering numbers{elements, n, 0, {}, {}};
  int const size = elements * n * n * n, spread = 1 + below(size);
  while (static_cast<int>(numbers.table.size()) < size) {
    std::int64_t const begin = below(spread);
    int const run = below(3) == 0 ? 1 : n, copies = 1 + below(2);
    for (int copy = 0; copy < copies; ++copy)
      for (int i = 0; i < run; ++i) numbers.table.push_back(begin + i);
  }
  numbers.table.resize(static_cast<std::size_t>(size));
  // Numbers without gaps.
  auto used = numbers.table;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (auto& node : numbers.table) node = std::lower_bound(used.begin(), used.end(), node) - used.begin();
  numbers.nodes = static_cast<std::int64_t>(used.size());
  return numbers;
}

// Small integers: their sums are exact in every order.
template <class T>
std::vector<T> integers(std::size_t size, std::uint64_t seed)
{
  support::generator next(seed);
  std::vector<T> result(size);
  for (T& x : result) x = static_cast<T>(static_cast<int>(next.bits() % 2001) - 1000);
  return result;
}

template <class T>
std::vector<T> nans(std::size_t size)
{
  return std::vector<T>(size, std::numeric_limits<T>::quiet_NaN());
}

// The message of the Error that f throws, which holds all the parts.
template <class Error = sumfac::argument_error, class Function>
std::string refused(Function const& f, std::initializer_list<std::string> parts)
{
  try {
    f();
  } catch (Error const& error) {
    std::string const message = error.what();
    INFO(message);
    CHECK(message.find("sumfac::") == 0);
    for (std::string const& part : parts) {
      INFO("should say '" << part << "'");
      CHECK(message.find(part) != std::string::npos);
    }
    return message;
  }
  FAIL("no error, but one was expected that says '" << *parts.begin() << "'");
  return {};
}

}  // namespace checks
