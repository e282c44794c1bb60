// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of nodes found by their coordinates: numbers, hanging nodes, functions of a mesh on its refined one.
#pragma once

#include "dense.hpp"
#include "grid.hpp"
#include "rows.hpp"
#include "spaces.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

namespace reference {

// The nodes of a continuous space on a mesh, and where they are.
class unknowns {
public:
  // Nodes at one place are one unknown, numbered as they are met.
  unknowns(grid const& mesh, rule const& nodes) : mesh_(mesh), nodes_(nodes)
  {
    for_each_node([&](place const& x) {
      auto number = find(x);
      if (number < 0) {
        number = static_cast<std::int64_t>(positions_.size());
        add(x, number);
      }
      table_.push_back(number);
    });
  }

  // Numbers of the caller's: table (E, n^D).
  unknowns(grid const& mesh, rule const& nodes, std::vector<std::int64_t> const& table)
      : mesh_(mesh), nodes_(nodes), table_(table)
  {
    std::size_t next = 0;
    for_each_node([&](place const& x) {
      auto const number = table[next++];
      if (find(x) != number) add(x, number);
    });
  }

  grid const& mesh() const { return mesh_; }
  rule const& nodes() const { return nodes_; }
  std::size_t size() const { return positions_.size(); }
  place const& position(std::size_t i) const { return positions_[i]; }
  std::vector<std::int64_t> const& table() const { return table_; }
  int of_element() const { return static_cast<int>(table_.size()) / mesh_.elements(); }
  std::int64_t number(int e, int p) const { return table_[static_cast<std::size_t>(e * of_element() + p)]; }

  // The number of the node at a place, or -1.
  std::int64_t find(place const& x) const
  {
    for (auto at = along_x_.lower_bound(x[0] - tolerance); at != along_x_.end() && at->first < x[0] + tolerance; ++at) {
      place const& y = positions_[static_cast<std::size_t>(at->second)];
      if (std::abs(x[1] - y[1]) < tolerance && std::abs(x[2] - y[2]) < tolerance) return at->second;
    }
    return -1;
  }

private:
  static constexpr real tolerance = 1e-9L;

  template <class Function>
  void for_each_node(Function const& f) const
  {
    int size = 1;
    for (int d = 0; d < mesh_.directions; ++d) size *= nodes_.size();
    for (int e = 0; e < mesh_.elements(); ++e)
      for (int p = 0; p < size; ++p) f(position_of(mesh_, e, place_of(nodes_, mesh_.directions, p)));
  }

  void add(place const& x, std::int64_t number)
  {
    if (positions_.size() <= static_cast<std::size_t>(number)) positions_.resize(static_cast<std::size_t>(number) + 1);
    positions_[static_cast<std::size_t>(number)] = x;
    along_x_.emplace(x[0], number);
  }

  grid mesh_;
  rule nodes_;
  std::vector<std::int64_t> table_;
  std::vector<place> positions_;
  std::multimap<real, std::int64_t> along_x_;
};

// The function of an element at a place, as terms: nodes that are 0 there are left out.
inline std::vector<std::pair<std::size_t, real>> terms_at(unknowns const& space, int e, place const& xi)
{
  std::vector<std::pair<std::size_t, real>> result;
  for (int p = 0; p < space.of_element(); ++p)
    if (real const phi = basis_function(space.nodes(), space.mesh().directions, p, xi); phi != 0)
      result.emplace_back(static_cast<std::size_t>(space.number(e, p)), phi);
  return result;
}

// What makes functions continuous where a side, or an edge, has parts of half its size on it: each node of a part that
// is none of the side's is what the side's function is there.
inline std::vector<equation> hanging_equations(unknowns const& space)
{
  grid const& mesh = space.mesh();
  std::vector<equation> result;
  std::vector<bool> has_one(space.size(), false);
  for (int e = 0; e < mesh.elements(); ++e) {
    std::vector<bool> own(space.size(), false);
    for (int p = 0; p < space.of_element(); ++p) own[static_cast<std::size_t>(space.number(e, p))] = true;
    for (int part = 0; part < 1 << mesh.directions; ++part)
      for (int p = 0; p < space.of_element(); ++p) {
        place const xi = place_of_part(place_of(space.nodes(), mesh.directions, p), part);
        bool on_a_side = false;
        for (std::size_t d = 0; d < static_cast<std::size_t>(mesh.directions); ++d)
          on_a_side = on_a_side || std::abs(xi[d]) == 1;
        if (!on_a_side) continue;
        auto const found = space.find(position_of(mesh, e, xi));
        if (found < 0 || own[static_cast<std::size_t>(found)] || has_one[static_cast<std::size_t>(found)]) continue;
        has_one[static_cast<std::size_t>(found)] = true;
        result.push_back({static_cast<std::size_t>(found), terms_at(space, e, xi)});
      }
  }
  return result;
}

// Functions of the coarser space at the nodes of the finer one (fine, coarse): of a mesh whose marked elements are cut
// into 2^D once, in any order; of one all of whose elements are, or of the same elements.
enum class elements_are { the_same, cut };

inline table<real> prolongation(unknowns const& coarse, unknowns const& fine, std::vector<bool> const& cut)
{
  int const directions = coarse.mesh().directions;
  table<real> result(static_cast<int>(fine.size()), static_cast<int>(coarse.size()));
  std::vector<bool> found(fine.size(), false);
  for (int e = 0; e < coarse.mesh().elements(); ++e)
    for (int part = 0; part < (cut[static_cast<std::size_t>(e)] ? 1 << directions : 1); ++part)
      for (int p = 0; p < fine.of_element(); ++p) {
        place xi = place_of(fine.nodes(), directions, p);
        if (cut[static_cast<std::size_t>(e)]) xi = place_of_part(xi, part);
        auto const row = fine.find(position_of(coarse.mesh(), e, xi));
        if (row < 0) throw std::invalid_argument("a mesh is not the other one, cut");
        if (found[static_cast<std::size_t>(row)]) continue;
        found[static_cast<std::size_t>(row)] = true;
        for (auto const& [column, phi] : terms_at(coarse, e, xi))
          result(static_cast<int>(row), static_cast<int>(column)) = phi;
      }
  for (bool const there : found)
    if (!there) throw std::invalid_argument("a mesh is not the other one, cut");
  return result;
}
inline table<real> prolongation(unknowns const& coarse, unknowns const& fine, elements_are how)
{
  auto const elements = static_cast<std::size_t>(coarse.mesh().elements());
  return prolongation(coarse, fine, std::vector<bool>(elements, how == elements_are::cut));
}

// The matrix of form(x, u), in numbers of unknowns.
template <class Form>
table<real> matrix_of(unknowns const& space, Form const& form)
{
  auto const& mesh = space.mesh();
  int const n = static_cast<int>(space.size()), size = space.of_element();
  table<real> a(n, n);
  function_space const functions{space.nodes(), 1};
  for (int e = 0; e < mesh.elements(); ++e) {
    flat_element const element(mesh.directions, mesh.directions, mesh.where, mesh.nodes_of(e),
                               gauss(space.nodes().size() + 1));
    for (int j = 0; j < size; ++j) {
      std::vector<real> unit(static_cast<std::size_t>(size), 0);
      unit[static_cast<std::size_t>(j)] = 1;
      auto const column = element.apply(functions, functions, form, unit);
      for (int i = 0; i < size; ++i)
        a(static_cast<int>(space.number(e, i)), static_cast<int>(space.number(e, j))) +=
            column[static_cast<std::size_t>(i)];
    }
  }
  return a;
}

}  // namespace reference
