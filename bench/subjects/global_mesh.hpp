// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A box of hexahedra or quadrilaterals, bent by a map, with numbers for its nodes at any degree, made by all threads.
#pragma once

#include "element_mesh.hpp"

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/view/view.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace sumfac::bench {

// Elements are in Morton order, as a code that cares for its caches has them, and of its nodes each has those numbers
// one behind the other that no later element along an axis has; nodes on the last faces of the box come last. Nothing
// of the box is left in the table but that: operators see any mesh of such elements.
template <int Directions>
class box_mesh {
public:
  using sides = std::array<index_t, 3>;

  // 2^s elements, as near a cube or square as powers of two allow. bent: whether they are deformed each in its own way;
  // else they are parallelepipeds or parallelograms.
  explicit box_mesh(int log_elements, bool bent = true)
      : box_mesh(host(), powers_of_two(log_elements),
                 [bent](mesh::position const& x) { return placed<Directions>(x, !bent); })
  {
  }
  // So many elements along each axis, whose vertices `map` takes from the unit cube, or square, to where they are.
  template <class Map>
  box_mesh(host const& threads, sides const& all, Map const& map)
      : threads_(threads), sides_(all), elements_(all[0] * all[1] * (Directions == 3 ? all[2] : 1))
  {
    index_t longest = 1;
    for (std::size_t d = 0; d < Directions; ++d)
      while (longest < sides_[d]) longest *= 2;
    places_.reserve(static_cast<std::size_t>(elements_));
    walk({}, longest);
    make_vertices(map);
  }

  index_t elements() const { return elements_; }
  index_t side(int d) const { return sides_[static_cast<std::size_t>(d)]; }

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
    sumfac::detail::own_vector<std::int32_t> numbers;
    sumfac::detail::own_vector<std::uint8_t> on_boundary;

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

  // What f(position) is at all nodes of a degree, where Gauss and Lobatto's points put them in elements of straight
  // edges.
  template <class Function>
  buffer<double> at_nodes(numbering const& nodes, Function const& f) const;

private:
  static sides powers_of_two(int log_elements)
  {
    sides all{1, 1, 1};
    for (int s = 0; s < log_elements; ++s) all[static_cast<std::size_t>(s % Directions)] *= 2;
    return all;
  }

  // Takes the elements of a cube or square of so many along each axis, those of the box, eighth by eighth.
  void walk(sides const& first, index_t size)
  {
    for (std::size_t d = 0; d < Directions; ++d)
      if (first[d] >= sides_[d]) return;
    if (size == 1) return places_.push_back(first);
    for (int part = 0; part < vertices_of<Directions>; ++part) {
      sides of_part = first;
      for (std::size_t d = 0; d < Directions; ++d) of_part[d] += (part >> d & 1) * (size / 2);
      walk(of_part, size / 2);
    }
  }

  template <class Map>
  void make_vertices(Map const& map)
  {
    constexpr index_t each = coordinates_of_vertices<Directions>;
    vertices_ = buffer<double>(threads_, each * elements_);
    threads_.partition(elements_, [&](index_t first, index_t last) {
      double* out = vertices_.data() + each * first;
      for (index_t e = first; e < last; ++e)
        for (int vertex = 0; vertex < vertices_of<Directions>; ++vertex, out += Directions) {
          auto const& at = places_[static_cast<std::size_t>(e)];
          auto const unit = [&](int d) {
            return double(at[static_cast<std::size_t>(d)] + (vertex >> d & 1)) / double(side(d));
          };
          auto const x = map(mesh::position{unit(0), unit(1), unit(2)});
          for (std::size_t r = 0; r < Directions; ++r) out[r] = x[r];
        }
    });
  }

  host threads_;
  sides sides_{};
  index_t elements_ = 0;
  std::vector<sides> places_;  // x, y, z; z is 0 in a square
  buffer<double> vertices_;
};

using global_mesh = box_mesh<3>;

template <int Directions>
auto box_mesh<Directions>::number_nodes(int order) const -> numbering
{
  constexpr bool solid = Directions == 3;
  index_t const n = order + 1, of_element = solid ? n * n * n : n * n;
  index_t const own = solid ? order * order * order : order * order, layers = solid ? order : 0;
  sides const ends{order * side(0), order * side(1), layers * side(2)};  // the last node along each axis
  numbering result{order + 1, (ends[0] + 1) * (ends[1] + 1) * (ends[2] + 1), {}, {}};
  result.numbers =
      sumfac::detail::own_vector<std::int32_t>::unwritten(static_cast<std::size_t>(elements_ * of_element));
  result.on_boundary = sumfac::detail::own_vector<std::uint8_t>::unwritten(static_cast<std::size_t>(result.nodes));
  buffer<std::int32_t> position(threads_, elements_);  // of an element of the box, x fastest, in this order
  auto const in_box = [this](index_t x, index_t y, index_t z) { return (z * side(1) + y) * side(0) + x; };
  threads_.partition(elements_, [&](index_t first, index_t last) {
    for (index_t e = first; e < last; ++e) {
      auto const& at = places_[static_cast<std::size_t>(e)];
      position[in_box(at[0], at[1], at[2])] = static_cast<std::int32_t>(e);
    }
  });
  index_t const row = ends[0] + 1, on_top = elements_ * own, behind = on_top + (solid ? row * (ends[1] + 1) : 0);
  index_t const right = behind + row * (solid ? ends[2] : 1);
  // Of the node `in` steps from the first one of the element at a place.
  auto const number = [&](sides at, sides in) {
    for (std::size_t d = 0; d < Directions; ++d)
      if (in[d] == order) in[d] = 0, ++at[d];
    index_t const i = at[0] * order + in[0], j = at[1] * order + in[1], k = at[2] * layers + in[2];
    if (solid && at[2] == side(2)) return on_top + j * row + i;
    if (at[1] == side(1)) return behind + k * row + i;
    if (at[0] == side(0)) return right + k * ends[1] + j;
    return position[in_box(at[0], at[1], at[2])] * own + (in[2] * order + in[1]) * order + in[0];
  };
  threads_.partition(elements_, [&](index_t first, index_t last) {
    std::int32_t* out = result.numbers.data() + first * of_element;
    for (index_t e = first; e < last; ++e) {
      auto const& at = places_[static_cast<std::size_t>(e)];
      for (index_t k = 0; k <= layers; ++k)
        for (index_t j = 0; j <= order; ++j)
          for (index_t i = 0; i <= order; ++i) {
            sides const in{i, j, k};
            index_t const node = number(at, in);
            bool outside = false, here = true;  // and no other element has it further to the front
            for (std::size_t d = 0; d < Directions; ++d) {
              index_t const along = at[d] * order + in[d];
              outside = outside || along == 0 || along == ends[d];
              here = here && (in[d] < order || along == ends[d]);
            }
            if (here) result.on_boundary[static_cast<std::size_t>(node)] = outside ? 1 : 0;
            *out++ = static_cast<std::int32_t>(node);
          }
    }
  });
  return result;
}

template <int Directions>
template <class Function>
buffer<double> box_mesh<Directions>::at_nodes(numbering const& nodes, Function const& f) const
{
  static_assert(Directions == 3, "of hexahedra");
  int const n = nodes.nodes_1d, order = n - 1;
  std::vector<double> part;  // of the way along an edge
  for (auto const& x : reference::gauss_lobatto(n).nodes) part.push_back(double((x + 1) / 2));
  buffer<double> result(threads_, nodes.nodes);
  threads_.partition(elements_, [&](index_t first, index_t last) {
    for (index_t e = first; e < last; ++e) {
      auto const& at = places_[static_cast<std::size_t>(e)];
      std::int32_t const* number = nodes.numbers.data() + e * n * n * n;
      for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i, ++number) {
            int const in[] = {i, j, k};
            bool here = true;
            mesh::position x{};
            for (std::size_t d = 0; d < 3; ++d) here = here && (in[d] < order || at[d] + 1 == sides_[d]);
            if (!here) continue;
            for (int vertex = 0; vertex < 8; ++vertex) {
              double share = 1;
              for (int d = 0; d < 3; ++d) {
                double const far = part[static_cast<std::size_t>(in[d])];
                share *= (vertex >> d & 1) != 0 ? far : 1 - far;
              }
              for (std::size_t d = 0; d < 3; ++d) x[d] += share * vertices(e)[3 * vertex + static_cast<int>(d)];
            }
            result[*number] = f(x);
          }
    }
  });
  return result;
}

}  // namespace sumfac::bench
