// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel of inverse mass matrices: to the points by the inverse tables, a division, and back.
#pragma once

#include <sumfac/element/vectors/lane_entries.hpp>
#include <sumfac/tensor/kept_table.hpp>
#include <sumfac/tensor/sweep.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// v = M^-1 u of one group's elements, where M = I^T D I with a square table I: P D^-1 P^T with P = I^-1, which takes
// values at the points to values at the nodes.
// **Shapes** mass (E, points), the diagonal D; u and v E-vectors of so many components, which may be the same.
// **Work** per element and component 4 D n^(D + 1) flops and a division at each point.
template <class Problem, class T>
struct inverse_mass_kernel {
  using scalar = scalar_of<T>;
  static constexpr int directions = Problem::directions, n = Problem::nodes_1d;
  static constexpr node_box box_of_nodes{n, directions};
  static constexpr int rows_y = box_of_nodes.y, rows_z = box_of_nodes.z, nodes = box_of_nodes.all();
  static constexpr int threads = n * rows_y;
  using to_nodes = interpolate<scalar, typename Problem::points, typename Problem::nodes>;

  element_vector<scalar const> u, mass;
  element_vector<scalar> v;
  int components;
  std::conditional_t<(width_of<T> > 1), constant_table<to_nodes>, kept_table<to_nodes>> table;

  template <class Team>
  struct scratch {
    typename Team::template shared<typename Team::scalar, 1, 1, rows_z, rows_y, n> values, between;
  };

  template <class Team>
  SUMFAC_INLINE void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    using nodes_of_element = box<1, 1, rows_z, rows_y, n>;
    lane_entries<T, n> const lanes{group};
    for (int c = 0; c < components; ++c) {
      team.each(nodes_of_element{}, [&](int, int, int k, int j, int i) {
        s.values(0, 0, k, j, i) = lanes.read(u, c, (k * n + j) * n + i);
      });
      team.sync();
      if constexpr (!Problem::collocated) {
        sweep_all<directions>(team, table.backward(), s.values, s.between, s.values);
        team.sync();
      }
      team.each(nodes_of_element{}, [&](int, int, int k, int j, int i) {
        s.values(0, 0, k, j, i) = s.values(0, 0, k, j, i) / lanes.read(mass, 0, (k * n + j) * n + i);
      });
      team.sync();
      if constexpr (!Problem::collocated) {
        sweep_all<directions>(team, table.forward(), s.values, s.between, s.values);
        team.sync();
      }
      team.each(nodes_of_element{}, [&](int, int, int k, int j, int i) {
        lanes.write(v, c, (k * n + j) * n + i, s.values(0, 0, k, j, i));
      });
      team.sync();
    }
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
