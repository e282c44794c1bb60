// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A box of 2^s elements cut among 2^p processes in parts of one shape: what one process has of it.
#pragma once

#include <sumfac/sumfac.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sumfac::bench {

// So many twos along x, y, z, as even as can be, z the longest.
inline std::array<int, 3> even_box(int log) { return {log / 3, (log + 1) / 3, (log + 2) / 3}; }

// Of the box of 2^(log_elements + log_processes) elements, of which each process has 2^log_elements. Nodes between two
// parts belong to the lower one along each direction. Owned nodes come first, then the ghosts; elements with ghosts
// are the last ones.
struct part_of_box {
  int order;
  std::array<int, 3> elements_of{}, parts{}, here{};  // elements of this part, parts of the box, this one's place
  std::int64_t owned = 0;
  std::vector<double> vertices;         // (E, 2, 2, 2, 3)
  std::vector<std::int32_t> table;      // (E, n, n, n)
  std::vector<unsigned char> boundary;  // (nodes): not 0 on the surface of the box
  std::vector<int> owner;               // (nodes)
  std::vector<std::int64_t> number;     // (nodes): in the whole box
  std::int64_t at_ghosts = 0;           // elements

  part_of_box(int degree, int log_elements, int log_processes, int rank) : order(degree)
  {
    auto const box = even_box(log_elements + log_processes);
    std::array<int, 3> cuts{};
    for (int left = log_processes; left > 0; --left) {  // the longest direction of a part is cut, z first
      int longest = 2;
      for (int const d : {1, 0})
        if (box[at(d)] - cuts[at(d)] > box[at(longest)] - cuts[at(longest)]) longest = d;
      ++cuts[at(longest)];
    }
    for (int d = 0, rest = rank; d < 3; ++d) {
      parts[at(d)] = 1 << cuts[at(d)];
      elements_of[at(d)] = 1 << (box[at(d)] - cuts[at(d)]);
      here[at(d)] = rest % parts[at(d)];
      rest /= parts[at(d)];
    }
    add_nodes();
    for (bool const ghosts : {false, true}) add_elements(ghosts);
  }

  std::int64_t elements() const { return static_cast<std::int64_t>(table.size()) / nodes_of_element(); }
  std::int64_t nodes() const { return static_cast<std::int64_t>(owner.size()); }

private:
  static std::size_t at(int d) { return static_cast<std::size_t>(d); }
  std::int64_t nodes_of_element() const { return std::int64_t(order + 1) * (order + 1) * (order + 1); }
  int points(int d) const { return elements_of[at(d)] * order + 1; }

  template <class Function>
  void each_node(Function const& f) const
  {
    for (int k = 0; k < points(2); ++k)
      for (int j = 0; j < points(1); ++j)
        for (int i = 0; i < points(0); ++i) f(std::array<int, 3>{i, j, k});
  }

  void add_nodes()
  {
    local_.resize(static_cast<std::size_t>(points(0)) * static_cast<std::size_t>(points(1)) *
                  static_cast<std::size_t>(points(2)));
    for (bool const own : {true, false}) {
      each_node([&](std::array<int, 3> const& x) {
        std::array<int, 3> place = here;
        std::int64_t whole = 0;
        bool outside = false, mine = true;
        for (int d = 2; d >= 0; --d) {
          int const size = (points(d) - 1) * parts[at(d)] + 1, line = here[at(d)] * (points(d) - 1) + x[at(d)];
          if (x[at(d)] == 0 && here[at(d)] > 0) --place[at(d)], mine = false;
          outside = outside || line == 0 || line == size - 1;
          whole = whole * size + line;
        }
        if (mine != own) return;
        local_[index(x)] = static_cast<std::int32_t>(owner.size());
        owner.push_back(place[0] + parts[0] * (place[1] + parts[1] * place[2]));
        number.push_back(whole);
        boundary.push_back(outside ? 1 : 0);
      });
      if (own) owned = nodes();
    }
  }

  void add_elements(bool ghosts)
  {
    for (int z = 0; z < elements_of[2]; ++z)
      for (int y = 0; y < elements_of[1]; ++y)
        for (int x = 0; x < elements_of[0]; ++x) {
          std::array<int, 3> const e{x, y, z};
          bool touches = false;
          for (int d = 0; d < 3; ++d) touches = touches || (e[at(d)] == 0 && here[at(d)] > 0);
          if (touches == ghosts) add_element(e);
        }
    if (!ghosts) at_ghosts = std::int64_t(elements_of[0]) * elements_of[1] * elements_of[2] - elements();
  }

  void add_element(std::array<int, 3> const& e)
  {
    for (int vertex = 0; vertex < 8; ++vertex)
      for (int d = 0; d < 3; ++d) {
        int const side = (vertex >> d) & 1, all = elements_of[at(d)] * parts[at(d)];
        vertices.push_back(double(here[at(d)] * elements_of[at(d)] + e[at(d)] + side) / all);
      }
    for (int k = 0; k <= order; ++k)
      for (int j = 0; j <= order; ++j)
        for (int i = 0; i <= order; ++i)
          table.push_back(local_[index({e[0] * order + i, e[1] * order + j, e[2] * order + k})]);
  }

  std::size_t index(std::array<int, 3> const& x) const
  {
    return (static_cast<std::size_t>(x[2]) * static_cast<std::size_t>(points(1)) + static_cast<std::size_t>(x[1])) *
               static_cast<std::size_t>(points(0)) +
           static_cast<std::size_t>(x[0]);
  }

  std::vector<std::int32_t> local_;
};

}  // namespace sumfac::bench
