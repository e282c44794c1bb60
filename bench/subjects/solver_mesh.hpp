// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of the solver benchmark with their nodes, a known solution on each, its right side and the error.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/config.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/view/view.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sumfac::bench {

// The names of the meshes: cube, kershaw-1, kershaw-0.3, kershaw-0.1, ball.
std::vector<std::string> mesh_names();

// What is solved for: -div grad u = f with u = 0 on the boundary, or u itself from its integrals.
enum class equation { mass, stiffness };

class region;

// Hexahedra along a space-filling curve, their nodes of a degree numbered as elements meet them.
//
// cube: the bent and sheared cube of bench/subjects/global_mesh.hpp, 2^s elements. kershaw-EPS: the unit cube under
// Kershaw's map. Both are trilinear, by their vertices. ball: a cube and six blocks around it, by the nodes of the
// degree.
class solver_mesh {
public:
  // A mesh with about so many nodes.
  solver_mesh(std::string const& name, int order, double nodes);
  ~solver_mesh();

  index_t elements() const { return elements_; }
  index_t count() const { return count_; }
  auto coordinates() const
  {
    index_t const m = geometry_1d_;
    view<double const, dextents<5>> const nodes(coordinates_.data(), elements_, m, m, m, 3);
    return mesh_view(nodes, gauss_lobatto_nodes{});
  }
  auto table() const
  {
    index_t const n = order_ + 1;
    return view<std::int32_t const, dextents<4>>(numbers_.data(), elements_, n, n, n);
  }
  auto marks() const { return view<std::uint8_t const, dextents<1>>(on_boundary_.data(), count_); }

  // The same elements as a mesh; cut from coarser ones as often as the blocks' sides are even, on which nodes are where
  // the region's map has them. Of kershaw-EPS, whose layers are no finer, from none.
  mesh<3> nested() const;

  // Gives node i the number `number[i]`.
  void renumber(std::vector<index_t> const& number);

  // Right sides, by N + 3 Gauss points a direction; components fastest.
  std::vector<double> load(equation what, int components) const;
  // The norm in L2 of the difference of x to the solution, over that of the solution.
  double error(double const* x, int components) const;

private:
  struct piece {
    int index;
    std::array<index_t, 3> sides;
  };
  struct rule_tables;

  void make_box(std::array<index_t, 3> const& sides);
  void make_ball(index_t side, index_t layers);
  template <class Name, class Outside>
  void make_elements(std::vector<piece> const& blocks, std::size_t names, Name const& name, Outside const& outside);
  template <class Function>
  void for_each_point(rule_tables const& rule, Function const& f) const;

  int order_, geometry_1d_ = 2;
  index_t elements_ = 0, count_ = 0;
  std::unique_ptr<region const> region_;
  bool has_layers_;
  std::vector<piece> blocks_;
  std::vector<double> coordinates_;
  std::vector<std::int32_t> numbers_;
  std::vector<std::uint8_t> on_boundary_;
};

}  // namespace sumfac::bench
