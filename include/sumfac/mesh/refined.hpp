// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh whose elements are those of another one, cut along their curves.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/detail/line_table.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/mesh/mesh.hpp>

#include <cstddef>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// Each element of a mesh cut into 2^D, `times` times, along the curves that it has; names of sides and elements stay.
//
// The result has the meshes that it was cut from, fine.coarser() and so on down to `coarse`, which multigrid's levels
// go on with: they share their memory, or have copies of nodes that are somebody else's.
template <int Directions, int Coordinates>
mesh<Directions, Coordinates> refined(mesh<Directions, Coordinates> const& coarse, int times = 1);

template <int Directions, int Coordinates>
auto mesh<Directions, Coordinates>::with_own_nodes() const -> mesh
{
  mesh result(*this);
  if (!data_->nodes.empty() || this->empty()) return result;
  contents own{{}, data_->parts, data_->boundary, data_->hanging, {}};
  own.nodes.reserve(static_cast<std::size_t>(this->size()));
  for (index_t i = 0; i < this->size(); ++i) own.nodes.push_back(this->data()[i]);
  static_cast<nodes_type&>(result) = view_of(own.nodes.data(), elements(), nodes_1d(), this->node_set());
  result.data_ = detail::shared<contents>(std::move(own));
  return result;
}

template <int Directions, int Coordinates>
mesh<Directions, Coordinates> refined(mesh<Directions, Coordinates> const& coarse, int times)
{
  if (times < 0) failf("refined", "a mesh cannot be cut a negative number of times (got %d)", times);
  if (times == 0) return coarse;
  using result = mesh<Directions, Coordinates>;
  using number = typename result::number;
  constexpr int children = 1 << Directions;
  int const m = coarse.nodes_1d();
  detail::own_vector<long double> places(static_cast<std::size_t>(m)), halves;
  coarse.node_set()(m, places.data());
  for (int half = -1; half <= 1; half += 2)
    for (long double const place : places) halves.push_back((place + half) / 2);
  detail::line_table const table(halves, places);
  detail::box_contraction contraction(table, Directions, Coordinates);
  detail::own_vector<double> nodes;
  nodes.reserve(static_cast<std::size_t>(children * coarse.size()));
  detail::own_vector<number> vertices;
  auto const& of_element = coarse.element_parts();
  for (index_t e = 0; e < coarse.elements(); ++e) {
    double const* const fine = contraction.at_points(coarse.node(e, 0, 0, 0));
    for (int child = 0; child < children; ++child) {
      int const x = child & 1, y = child >> 1 & 1, z = child >> 2;
      detail::for_each_place<Directions>(m, [&](int k, int j, int i) {
        double const* const at = fine + (((z * m + k) * 2 * m + y * m + j) * 2 * m + x * m + i) * Coordinates;
        for (int c = 0; c < Coordinates; ++c) nodes.push_back(at[c]);
      });
      detail::for_each_place<Directions>(
          2, [&](int k, int j, int i) { vertices.push_back(of_element(e, ((z + k) * 3 + y + j) * 3 + x + i)); });
    }
  }
  // Vertices of the finer mesh are all parts of the coarser one; where that hangs, some parts have one in the middle.
  auto const whole = [&] {
    index_t const count = coarse.elements() * children;
    if (coarse.hanging().empty())
      return result(std::move(nodes), count, coarse.node_set(), m, vertices, of_element.count());
    return result::copy_of(mesh_view(
        detail::element_view<Directions>(std::as_const(nodes).data(), count, m, Coordinates), coarse.node_set()));
  };
  result fine = whole();
  for (auto const& [name, tag, members] : coarse.sides_) {
    named_sides finer{name, tag};
    for (element_side const& at : members)
      for (int child = 0; child < children; ++child)
        if ((child >> at.side / 2 & 1) == at.side % 2)
          finer.members.push_back({at.element * children + child, at.side});
    fine.sides_.push_back(finer);
  }
  for (auto const& [name, tag, members] : coarse.elements_) {
    named_elements finer{name, tag};
    for (index_t const e : members)
      for (int child = 0; child < children; ++child) finer.members.push_back(e * children + child);
    fine.elements_.push_back(finer);
  }
  fine.data_.edit().coarser = detail::own_pointer<result const>(new result(coarse.with_own_nodes()));
  return refined(fine, times - 1);
}

}  // namespace sumfac
