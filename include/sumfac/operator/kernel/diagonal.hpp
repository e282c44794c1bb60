// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The diagonal of element matrices by sum factorization, for any form.
#pragma once

#include <sumfac/basis/detail/tables.hpp>
#include <sumfac/basis/lagrange.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/operator/kernel/point_form.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::inline SUMFAC_TARGET::detail {

// d_i = sum over points and pairs (a, b) of M_ab phi_a,i phi_b,i, where phi_0 is the basis function, phi_1..3 are its
// reference derivatives, as many as there are directions, and the form's 4 x 4 matrix M at the point is found by
// applying it to unit vectors.
//
// Along each direction a pair is the product of two values, of a value and a slope, or of two slopes. Pairs that have
// what is left to contract in common are added up first: of a form's 6 or 10 pairs 6 are left behind z, 3 behind y.
// Number is what the form may be applied to besides double: packs on the host, of several unit vectors at once.
// At::operator()(e, z, y, x, f) calls f with what apply_form takes at a point of element e.
// **Work** for gradients 2 (6 n g^3 + 6 n^2 g^2 + 3 n^3 g) flops per component, in double, as many elements at a time
// as a register has lanes. Not a hot path: a few times what applying the operator takes.
template <class Problem, class Number, class At>
class element_diagonal {
public:
  using form_type = typename Problem::form;
  static constexpr int n = Problem::nodes_1d, g = Problem::quads_1d, directions = Problem::directions;
  static constexpr int components = Problem::components, width = native_width<double>;
  using packed = pack<double, width>;

  element_diagonal(form_type const& form, At at) : form_(form), at_(std::move(at)) {}

private:
  static constexpr int units = 1 + directions;                   // a value and derivatives
  static constexpr int pairs = units * (units + 1) / 2;          // (a, b) with a >= b, in this order
  static constexpr int nodes = Problem::nodes_of_element, points = Problem::points_of_element;
  static constexpr int plane_size = Problem::nodes_z * Problem::quads_y * g;
  static constexpr int line_size = Problem::nodes_z * Problem::nodes_y * g;
  static constexpr int sums_yx = 6;  // products left to contract in y and x, two slopes at most
  static constexpr int sums_x = 3;   // and in x

public:
  class workspace {
    friend element_diagonal;
    packed matrix[components * pairs * points];  // M_ab + M_ba at the points, or M_aa
    bool used[components * pairs];               // where that is not zero at all points
    packed planes[sums_yx * plane_size];
    packed lines[sums_x * line_size];
    packed diagonal[components * nodes];
  };
  // One on the heap, not initialized.
  class own_workspace {
  public:
    own_workspace() : numbers_(new workspace) {}
    own_workspace(own_workspace const&) = delete;
    own_workspace& operator=(own_workspace const&) = delete;
    ~own_workspace() { delete numbers_; }

    workspace& operator*() const { return *numbers_; }

  private:
    workspace* numbers_;
  };
  static own_workspace make_workspace() { return {}; }

  // The diagonals (C, n, n, n) of elements e .. e + count - 1, at most `width`, one in each lane, in the workspace.
  packed const* compute(workspace& work, index_t e, int count) const
  {
    fill_matrix(work, e, count);
    for (int c = 0; c < components; ++c) contract_pairs(work, c);
    return work.diagonal;
  }

private:
  static constexpr int pair_of(int a, int b) { return a < b ? pair_of(b, a) : b * (2 * units - 1 - b) / 2 + a; }
  static constexpr bool in_test(int a) { return has(form_type::test, a == 0 ? value : gradient); }
  static constexpr bool in_trial(int b) { return has(form_type::trial, b == 0 ? value : gradient); }

  // Place of what so many slopes are left to multiply in y and x.
  static constexpr int sum_of(int y, int x) { return y * (7 - y) / 2 + x; }

  // 0, 1 or 2 slopes that a pair multiplies along a direction: x is 1.
  static constexpr int slopes(int a, int b, int direction) { return int{a == direction} + int{b == direction}; }

  // To node i from point q, what is multiplied along a direction, by the number of slopes.
  static constexpr table<double, n, g> product(bool first, bool second)
  {
    using node_set = typename Problem::nodes;
    using rule = typename Problem::points;
    constexpr auto values = interpolation<double, node_set, rule>(), slopes = differentiation<double, node_set, rule>();
    table<double, n, g> entries{};
    for (int i = 0; i < n; ++i)
      for (int q = 0; q < g; ++q)
        entries.value[i][q] = (first ? slopes : values)(q, i) * (second ? slopes : values)(q, i);
    return entries;
  }
  static constexpr table<double, n, g> products[3] = {product(false, false), product(true, false), product(true, true)};

  void fill_matrix(workspace& work, index_t e, int count) const;
  void contract_pairs(workspace& work, int c) const;

  // in (outer, g, inner) to out (outer, n, inner), added to what is there, along a direction: 3 is z. Along one that
  // elements have not there is nothing to contract.
  template <int Direction, int Outer, int Inner>
  static void contract_product(int slopes, packed const* in, packed* out);

  // m[a][b] = M_ab of component c at a point; entries that the form does not have are left alone.
  template <class Point>
  void form_matrix(Point const& here, int c, double (&m)[units][units]) const;

  template <class T>
  static T& entry(point_values<T, components, directions>& u, int c, int a)
  {
    return a == 0 ? value_of(u, c) : gradient_of(u, c, a - 1);
  }

  form_type form_;
  At at_;
};

template <class Problem, class Number, class At>
void element_diagonal<Problem, Number, At>::fill_matrix(workspace& work, index_t e, int count) const
{
  bool used[components * pairs] = {};
  if (count < width) fill(work.matrix, work.matrix + components * pairs * points, packed{});
  for (int lane = 0; lane < count; ++lane)
    for (int z = 0, point = 0; z < Problem::quads_z; ++z)
      for (int y = 0; y < Problem::quads_y; ++y)
        for (int x = 0; x < g; ++x, ++point)
          at_(e + lane, z, y, x, [&](auto const& here) {
            SUMFAC_UNROLL
            for (int c = 0; c < components; ++c) {
              double m[units][units] = {};
              form_matrix(here, c, m);
              SUMFAC_UNROLL
              for (int b = 0; b < units; ++b)
                SUMFAC_UNROLL
                for (int a = b; a < units; ++a) {
                  if (!(in_test(a) && in_trial(b)) && !(in_test(b) && in_trial(a))) continue;
                  int const pair = c * pairs + pair_of(a, b);
                  double const sum = a == b ? m[a][a] : m[a][b] + m[b][a];
                  work.matrix[pair * points + point].set(lane, sum);
                  used[pair] = used[pair] | (sum != 0);
                }
            }
          });
  for (int i = 0; i < components * pairs; ++i) work.used[i] = used[i];
}

template <class Problem, class Number, class At>
template <class Point>
void element_diagonal<Problem, Number, At>::form_matrix(Point const& here, int c, double (&m)[units][units]) const
{
  if constexpr (width_of<Number> > 1 && std::is_same_v<Point, factors_at<form_type, double, directions>>) {
    auto const factors = in_all_lanes<factors_at<form_type, Number, directions>, Number>(here);
    constexpr int side_by_side = lesser(units, width_of<Number>);
    for (int first = 0; first < units; first += side_by_side) {
      point_values<Number, components, directions> unit{};
      SUMFAC_UNROLL
      for (int l = 0; l < side_by_side; ++l)
        if (first + l < units) entry(unit, c, first + l).set(l, 1);
      auto tested = form_.apply(factors, unit);
      SUMFAC_UNROLL
      for (int a = 0; a < units; ++a)
        SUMFAC_UNROLL
        for (int l = 0; l < side_by_side; ++l)
          if (first + l < units && in_test(a) && in_trial(first + l)) m[a][first + l] = entry(tested, c, a)[l];
    }
  } else {
    for (int b = 0; b < units; ++b) {
      if (!in_trial(b)) continue;
      point_values<double, components, directions> unit{};
      entry(unit, c, b) = 1;
      auto tested = apply_form(form_, here, unit);
      for (int a = 0; a < units; ++a)
        if (in_test(a)) m[a][b] = entry(tested, c, a);
    }
  }
}

template <class Problem, class Number, class At>
void element_diagonal<Problem, Number, At>::contract_pairs(workspace& work, int c) const
{
  bool in_planes[sums_yx] = {}, in_lines[sums_x] = {};
  auto const begin = [](bool& begun, packed* first, int size) {
    if (!begun) fill(first, first + size, packed{});
    begun = true;
    return first;
  };
  for (int b = 0; b < units; ++b)
    for (int a = b; a < units; ++a) {
      int const pair = c * pairs + pair_of(a, b), left = sum_of(slopes(a, b, 2), slopes(a, b, 1));
      if (!work.used[pair]) continue;
      packed* const planes = begin(in_planes[left], work.planes + left * plane_size, plane_size);
      contract_product<3, 1, Problem::quads_y * g>(slopes(a, b, 3), work.matrix + pair * points, planes);
    }
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x + y < 3; ++x) {
      int const left = sum_of(y, x);
      if (!in_planes[left]) continue;
      packed* const lines = begin(in_lines[x], work.lines + x * line_size, line_size);
      contract_product<2, Problem::nodes_z, g>(y, work.planes + left * plane_size, lines);
    }
  packed* const diagonal = work.diagonal + c * nodes;
  fill(diagonal, diagonal + nodes, packed{});
  for (int x = 0; x < sums_x; ++x)
    if (in_lines[x])
      contract_product<1, Problem::nodes_z * Problem::nodes_y, 1>(x, work.lines + x * line_size, diagonal);
}

template <class Problem, class Number, class At>
template <int Direction, int Outer, int Inner>
void element_diagonal<Problem, Number, At>::contract_product(int slopes, packed const* in, packed* out)
{
  if constexpr (Direction > directions) {
    static_cast<void>(slopes);
    for (int p = 0; p < Outer * Inner; ++p) out[p] += in[p];
  } else {
    auto const& table = products[slopes];
    for (int o = 0; o < Outer; ++o, in += g * Inner, out += n * Inner)
      for (int p = 0; p < Inner; ++p)
        for (int i = 0; i < n; ++i) {
          packed sum = out[i * Inner + p];
          for (int q = 0; q < g; ++q) sum += table(i, q) * in[q * Inner + p];
          out[i * Inner + p] = sum;
        }
  }
}

}  // namespace sumfac::detail
