// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which sides of a mesh's boundary lie on others of them.
#pragma once

#include <sumfac/mesh/locate/element_boxes.hpp>
#include <sumfac/mesh/locate/mesh_map.hpp>
#include <sumfac/mesh/locate/reference_element.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// Sides as surfaces or curves, whose points are sought on others.
//
// **Shapes** sides (F, m, m, 3) or (F, m, 2); heights (F), of the elements behind them.
// **Work** for each side five points, or three, by Newton's method on the sides whose boxes hold them.
template <class Sides, class Set>
class lying_sides {
  static constexpr int directions = mesh_access<Sides>::directions, coordinates = directions + 1;
  using map_type = element_map<directions, coordinates>;
  using place = vector<double, directions>;
  using point = vector<double, coordinates>;

public:
  lying_sides(Sides const& sides, Set const& set, own_vector<double> const& heights, double tolerance)
      : mesh_{sides},
        side_(mesh_.nodes_1d(), set),
        other_(side_),
        tolerance_(tolerance),
        sizes_(heights),
        grid_(boxes())
  {
  }

  // For each side one that it lies on, or that lies on it, or -1: points away from edges, to within the tolerance of
  // the smaller of the two and of the elements behind them, so that those of a thin element are apart.
  own_vector<index_t> find()
  {
    constexpr int count = directions == 2 ? 5 : 3;
    own_vector<index_t> found(static_cast<std::size_t>(mesh_.elements()), -1);
    for (index_t f = 0; f < mesh_.elements(); ++f) {
      side_.load(mesh_, f);
      for (int i = 0; i < count; ++i) {
        place xi{};  // the centre, and places halfway to the vertices
        for (int d = 0; d < directions && i > 0; ++d) xi[d] = (i - 1) >> d & 1 ? 0.5 : -0.5;
        point const x = side_.place_of(side_(xi).position);
        grid_.any_of(x, [&](index_t other) {
          if (other == f || !lies_on(x, other, sizes_[static_cast<std::size_t>(f)])) return false;
          found[static_cast<std::size_t>(f)] = other;
          if (found[static_cast<std::size_t>(other)] < 0) found[static_cast<std::size_t>(other)] = f;
          return true;
        });
      }
    }
    return found;
  }

private:
  // The boxes of sides, with some room for those that are curved; the sizes of sides become those of smaller ones.
  own_vector<element_box<coordinates>> boxes()
  {
    own_vector<element_box<coordinates>> all(static_cast<std::size_t>(mesh_.elements()));
    for (index_t f = 0; f < mesh_.elements(); ++f) {
      auto& box = all[static_cast<std::size_t>(f)];
      mesh_.for_each_node(f, [&](int p, auto const& at) {
        for (int c = 0; c < coordinates; ++c) {
          if (p == 0 || at(c) < box.low[c]) box.low[c] = at(c);
          if (p == 0 || at(c) > box.high[c]) box.high[c] = at(c);
        }
      });
      double size = 0;
      for (int c = 0; c < coordinates; ++c) size += box.high[c] - box.low[c];
      for (int c = 0; c < coordinates; ++c) {
        double const margin = 0.1 * size + 6 * mesh_.rounding * greatest_modulus(point{box.low[c], box.high[c]});
        box.low[c] -= margin, box.high[c] += margin;
      }
      if (auto& of = sizes_[static_cast<std::size_t>(f)]; size < of) of = size;
    }
    return all;
  }

  bool lies_on(point const& x, index_t other, double size)
  {
    other_.load(mesh_, other);
    point const relative = other_.relative(x);
    place xi{};
    for (int i = 0; i < 30; ++i) {
      auto const at = other_(xi);
      point const missing = relative - at.position;
      place const step = inverted_jacobian<coordinates, directions>(at.jacobian).inverse * missing;
      if (!(greatest_modulus(step) < 1e15)) return false;  // a side without area
      if (greatest_modulus(step) > 1e-9) {
        place const next = reference_element<directions, cell_shape::lines>::not_far(xi + step);
        if (greatest_modulus(next - xi) == 0) return false;
        xi = next;
        continue;
      }
      double const of_other = sizes_[static_cast<std::size_t>(other)], least = of_other < size ? of_other : size;
      double const reach = tolerance_ * least + 6 * mesh_.rounding * greatest_modulus(other_.largest());
      return greatest_modulus(xi) <= 1 + 1e-6 && greatest_modulus(missing) * other_.scale() <= reach;
    }
    return false;
  }

  mesh_access<Sides> mesh_;
  map_type side_, other_;
  double tolerance_;
  own_vector<double> sizes_;
  box_grid<coordinates> grid_;
};

}  // namespace sumfac::detail
