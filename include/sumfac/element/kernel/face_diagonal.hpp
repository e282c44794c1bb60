// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The diagonal of a form on faces, a group of them at a time.
#pragma once

#include <sumfac/element/kernel/face_kernel.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// At a point the form is a matrix between a node's value and derivatives, in the order value, x, y, z; each of these is
// a product of a node's table along each direction.
//
// **Work** per face and component some 16 n g^2 (n^2 + g) multiply-adds.
template <class Problem>
struct face_diagonal : face_sizes<Problem> {
  using sizes = face_sizes<Problem>;
  using sizes::directions, sizes::n, sizes::g, sizes::node_rows, sizes::point_rows, sizes::components;
  using scalar = typename Problem::number;
  using packed = pack<scalar, native_width<scalar>>;
  using values = point_values<packed, components, directions>;
  static constexpr bool has_y = directions == 3;

  typename Problem::form form;
  face_factor_reader<Problem, packed> factors;

  // to (C, n, n, n).
  void compute(index_t group, packed* to) const
  {
    for (int i = 0; i < Problem::entries_of_element; ++i) to[i] = packed{};
    for (int r = 0; r < point_rows; ++r)
      for (int q = 0; q < g; ++q) {
        auto const at = factors(group, r * g + q);
        for (int c = 0; c < components; ++c)
          for (int b = 0; b <= directions; ++b) {
            if (!has(Problem::form::trial, b == 0 ? value : gradient)) continue;
            values unit;
            point_entry(unit, c, b) = packed(scalar(1));
            auto column = apply_form(form, at, unit);
            for (int a = 0; a <= directions; ++a)
              if (has(Problem::form::test, a == 0 ? value : gradient))
                add(to + c * Problem::nodes_of_element, r, q, a, b, point_entry(column, c, a));
          }
      }
  }

private:
  using nodes = typename Problem::nodes;
  using rule = typename Problem::points;
  static constexpr auto along_values = interpolation<scalar, nodes, rule>();
  static constexpr auto along_slopes = differentiation<scalar, nodes, rule>();
  static constexpr auto end_values = interpolation<scalar, nodes, end_point>();
  static constexpr auto end_slopes = differentiation<scalar, nodes, end_point>();

  // What entry `a` of a node's function is along a direction of the face, and across it.
  static scalar on_face(int a, int direction, int point, int at)
  {
    return a == direction + 1 ? along_slopes(point, at) : along_values(point, at);
  }
  static scalar across(int a, int at) { return a == directions ? end_slopes(0, at) : end_values(0, at); }

  void add(packed* to, int r, int q, int a, int b, packed const& entry) const
  {
    for (int k = 0; k < n; ++k) {
      scalar const z = across(a, k) * across(b, k);
      if (z == 0) continue;
      for (int j = 0; j < node_rows; ++j) {
        scalar const y = has_y ? z * on_face(a, 1, r, j) * on_face(b, 1, r, j) : z;
        for (int i = 0; i < n; ++i)
          to[(k * node_rows + j) * n + i] += entry * (y * on_face(a, 0, q, i) * on_face(b, 0, q, i));
      }
    }
  }
};

}  // namespace sumfac::detail
