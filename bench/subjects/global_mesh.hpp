// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A box of 2^s deformed hexahedra, as near a cube as powers of two allow, with numbers for its nodes at any degree.
#pragma once

#include <support/mesh.hpp>

#include <sumfac/backend/buffer.hpp>
#include <sumfac/config.hpp>
#include <sumfac/view/view.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace sumfac::bench {

// Elements are in Morton order, as a code that cares for its caches has them, and nodes are numbered as elements meet
// them. Nothing of the box is left in the table but that: operators see any mesh of hexahedra.
class global_mesh {
public:
  // bent: whether elements are deformed each in its own way; else they are parallelepipeds.
  explicit global_mesh(int log_elements, bool bent = true)
  {
    for (int s = 0; s < log_elements; ++s) ++log_sides_[static_cast<std::size_t>(s % 3)];
    elements_ = index_t{1} << log_elements;
    places_.resize(static_cast<std::size_t>(elements_));
    for (index_t e = 0; e < elements_; ++e) places_[static_cast<std::size_t>(e)] = place(e);
    make_vertices(bent);
  }

  index_t elements() const { return elements_; }
  index_t side(int d) const { return index_t{1} << log_sides_[static_cast<std::size_t>(d)]; }

  auto vertices() const { return view<double const, dextents<5>>(vertices_.data(), elements_, 2, 2, 2, 3); }

  // Nodes of the mesh at a degree: the table (E, n, n, n), and which are on the boundary of the box.
  struct numbering {
    int nodes_1d;
    index_t nodes = 0;
    std::vector<std::int32_t> numbers;
    std::vector<std::uint8_t> on_boundary;

    auto table() const
    {
      index_t const n = nodes_1d, elements = static_cast<index_t>(numbers.size()) / (n * n * n);
      return view<std::int32_t const, dextents<4>>(numbers.data(), elements, n, n, n);
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
  // x, y, z of an element of the box.
  std::array<index_t, 3> place(index_t e) const
  {
    std::array<index_t, 3> at{};
    std::array<int, 3> bit{};
    for (int d = 0; e != 0; d = (d + 1) % 3) {
      auto const direction = static_cast<std::size_t>(d);
      if (bit[direction] >= log_sides_[direction]) continue;
      at[direction] |= (e & 1) << bit[direction]++;
      e >>= 1;
    }
    return at;
  }

  void make_vertices(bool bent)
  {
    mesh::smooth const bend;
    mesh::affine const shear{.scale = {1, 1.1, 0.9}, .shear_xy = 0.2, .shear_xz = 0.1, .shear_yz = 0.15};
    vertices_ = buffer<double>(24 * elements_);
    double* out = vertices_.data();
    for (auto const& at : places_)
      for (int vertex = 0; vertex < 8; ++vertex, out += 3) {
        auto const unit = [&](int d) {
          return double(at[static_cast<std::size_t>(d)] + (vertex >> d & 1)) / double(side(d));
        };
        mesh::position const box{unit(0), unit(1), unit(2)}, x = shear(bent ? bend(box) : box);
        for (std::size_t r = 0; r < 3; ++r) out[r] = x[r];
      }
  }

  std::array<int, 3> log_sides_{};
  index_t elements_ = 0;
  std::vector<std::array<index_t, 3>> places_;  // x, y, z
  buffer<double> vertices_;
};

inline global_mesh::numbering global_mesh::number_nodes(int order) const
{
  index_t const n = order + 1;
  std::array<index_t, 3> const points{order * side(0) + 1, order * side(1) + 1, order * side(2) + 1};
  numbering result{order + 1, points[0] * points[1] * points[2], {}, {}};
  result.numbers.resize(static_cast<std::size_t>(elements_ * n * n * n));
  result.on_boundary.resize(static_cast<std::size_t>(result.nodes));
  std::vector<std::int32_t> number_of(static_cast<std::size_t>(result.nodes), -1);
  std::int32_t next = 0;
  auto* out = result.numbers.data();
  for (auto const& at : places_)
    for (index_t k = at[2] * order; k <= (at[2] + 1) * order; ++k)
      for (index_t j = at[1] * order; j <= (at[1] + 1) * order; ++j)
        for (index_t i = at[0] * order; i <= (at[0] + 1) * order; ++i) {
          std::int32_t& number = number_of[static_cast<std::size_t>((k * points[1] + j) * points[0] + i)];
          if (number < 0) {
            number = next++;
            bool const outside =
                i == 0 || j == 0 || k == 0 || i + 1 == points[0] || j + 1 == points[1] || k + 1 == points[2];
            result.on_boundary[static_cast<std::size_t>(number)] = outside ? 1 : 0;
          }
          *out++ = number;
        }
  return result;
}

}  // namespace sumfac::bench
