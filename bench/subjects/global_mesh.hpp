// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A box of 2^s deformed hexahedra or quadrilaterals, as near a cube or square as powers of two allow, with numbers for
// its nodes at any degree.
#pragma once

#include "element_mesh.hpp"

#include <sumfac/backend/buffer.hpp>
#include <sumfac/config.hpp>
#include <sumfac/view/view.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace sumfac::bench {

// Elements are in Morton order, as a code that cares for its caches has them, and nodes are numbered as elements meet
// them. Nothing of the box is left in the table but that: operators see any mesh of such elements.
template <int Directions>
class box_mesh {
public:
  // bent: whether elements are deformed each in its own way; else they are parallelepipeds or parallelograms.
  explicit box_mesh(int log_elements, bool bent = true)
  {
    for (int s = 0; s < log_elements; ++s) ++log_sides_[static_cast<std::size_t>(s % Directions)];
    elements_ = index_t{1} << log_elements;
    places_.resize(static_cast<std::size_t>(elements_));
    for (index_t e = 0; e < elements_; ++e) places_[static_cast<std::size_t>(e)] = place(e);
    make_vertices(bent);
  }

  index_t elements() const { return elements_; }
  index_t side(int d) const { return index_t{1} << log_sides_[static_cast<std::size_t>(d)]; }

  auto vertices() const
  {
    if constexpr (Directions == 3)
      return view<double const, dextents<5>>(vertices_.data(), elements_, 2, 2, 2, 3);
    else
      return view<double const, dextents<4>>(vertices_.data(), elements_, 2, 2, 2);
  }
  double const* vertices(index_t element) const
  {
    return vertices_.data() + coordinates_of_vertices<Directions> * element;
  }

  // Nodes of the mesh at a degree: the table (E, n, n, n) or (E, n, n), and which are on the boundary of the box.
  struct numbering {
    int nodes_1d;
    index_t nodes = 0;
    std::vector<std::int32_t> numbers;
    std::vector<std::uint8_t> on_boundary;

    auto table() const
    {
      index_t const n = nodes_1d, all = static_cast<index_t>(numbers.size());
      if constexpr (Directions == 3)
        return view<std::int32_t const, dextents<4>>(numbers.data(), all / (n * n * n), n, n, n);
      else
        return view<std::int32_t const, dextents<3>>(numbers.data(), all / (n * n), n, n);
    }
    auto marks() const { return view<std::uint8_t const, dextents<1>>(on_boundary.data(), nodes); }

    // Gives node i the number `number[i]`.
    void renumber(std::vector<index_t> const& number)
    {
      for (auto& node : numbers) node = static_cast<std::int32_t>(number[static_cast<std::size_t>(node)]);
      auto const old = on_boundary;
      for (std::size_t i = 0; i < old.size(); ++i) on_boundary[static_cast<std::size_t>(number[i])] = old[i];
    }
  };

  numbering number_nodes(int order) const;

private:
  // x, y, z of an element of the box; z is 0 in a square.
  std::array<index_t, 3> place(index_t e) const
  {
    std::array<index_t, 3> at{};
    std::array<int, 3> bit{};
    for (int d = 0; e != 0; d = (d + 1) % Directions) {
      auto const direction = static_cast<std::size_t>(d);
      if (bit[direction] >= log_sides_[direction]) continue;
      at[direction] |= (e & 1) << bit[direction]++;
      e >>= 1;
    }
    return at;
  }

  void make_vertices(bool bent)
  {
    vertices_ = buffer<double>(coordinates_of_vertices<Directions> * elements_);
    double* out = vertices_.data();
    for (auto const& at : places_)
      for (int vertex = 0; vertex < vertices_of<Directions>; ++vertex, out += Directions) {
        auto const unit = [&](int d) {
          return double(at[static_cast<std::size_t>(d)] + (vertex >> d & 1)) / double(side(d));
        };
        auto const x = placed<Directions>({unit(0), unit(1), unit(2)}, !bent);
        for (std::size_t r = 0; r < Directions; ++r) out[r] = x[r];
      }
  }

  std::array<int, 3> log_sides_{};
  index_t elements_ = 0;
  std::vector<std::array<index_t, 3>> places_;  // x, y, z
  buffer<double> vertices_;
};

using global_mesh = box_mesh<3>;

template <int Directions>
auto box_mesh<Directions>::number_nodes(int order) const -> numbering
{
  index_t const n = order + 1, of_element = Directions == 3 ? n * n * n : n * n;
  index_t const layers = Directions == 3 ? order : 0;  // of nodes along z, from one face of an element to the other
  std::array<index_t, 3> const points{order * side(0) + 1, order * side(1) + 1, layers * side(2) + 1};
  numbering result{order + 1, points[0] * points[1] * points[2], {}, {}};
  result.numbers.resize(static_cast<std::size_t>(elements_ * of_element));
  result.on_boundary.resize(static_cast<std::size_t>(result.nodes));
  std::vector<std::int32_t> number_of(static_cast<std::size_t>(result.nodes), -1);
  std::int32_t next = 0;
  auto* out = result.numbers.data();
  for (auto const& at : places_)
    for (index_t k = at[2] * layers; k <= (at[2] + 1) * layers; ++k)
      for (index_t j = at[1] * order; j <= (at[1] + 1) * order; ++j)
        for (index_t i = at[0] * order; i <= (at[0] + 1) * order; ++i) {
          std::int32_t& number = number_of[static_cast<std::size_t>((k * points[1] + j) * points[0] + i)];
          if (number < 0) {
            number = next++;
            bool outside = i == 0 || j == 0 || i + 1 == points[0] || j + 1 == points[1];
            if constexpr (Directions == 3) outside = outside || k == 0 || k + 1 == points[2];
            result.on_boundary[static_cast<std::size_t>(number)] = outside ? 1 : 0;
          }
          *out++ = number;
        }
  return result;
}

}  // namespace sumfac::bench
