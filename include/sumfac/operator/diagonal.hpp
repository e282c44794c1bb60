// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The diagonal of element matrices by sum factorization, for any form.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/tables.hpp>
#include <sumfac/contract/direction.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/pack.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace sumfac::detail {

// The transpose of the entrywise product of two tables of the same nodes and points: from the points to the nodes.
template <class A, class B>
struct product_to_nodes {
  static constexpr int rows = A::cols, cols = A::rows, parity = A::parity * B::parity;
  static constexpr auto full = [] {
    auto product = transpose(A::full);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < cols; ++c) product.value[r][c] *= B::full(c, r);
    return product;
  }();
  static constexpr auto halves = make_even_odd < parity == 0 ? 1 : parity > (full);
};

// The derivatives at the points of the polynomial through the nodes.
template <class T, class Nodes, class Points>
struct slopes_at_points {
  static constexpr int rows = Points::size, cols = Nodes::size;
  static constexpr int parity = is_symmetric<Nodes> && is_symmetric<Points> ? -1 : 0;
  static constexpr auto full = differentiation<T, Nodes, Points>();
};

// d_i = sum over points and pairs (a, b) of M_ab phi_a,i phi_b,i, where phi_0 is the basis function, phi_1..3 are its
// reference derivatives, and the form's 4 x 4 matrix M at the point is found by applying it to unit vectors.
//
// Along each direction a pair is the product of two values, of a value and a slope, or of two slopes. Pairs that have
// what is left to contract in common are added up first: of a form's 6 or 10 pairs 6 or 9 are left behind z, 3 behind
// y.
// Number is what the form may be applied to besides double: packs on the host, of several unit vectors at once.
// At::operator()(e, z, y, x, f) calls f with what apply_form takes at a point of element e.
// **Work** for gradients 2 (6 n g^3 + 6 n^2 g^2 + 3 n^3 g) flops per component, halved by even-odd tables; in double,
// as many elements at a time as a register has lanes.
template <class Form, class Nodes, class Points, class Number, class At>
class element_diagonal {
public:
  static constexpr int n = Nodes::size, g = Points::size;
  static constexpr int components = components_of<Form>, width = native_width<double>;
  using packed = pack<double, width>;

  element_diagonal(Form const& form, At at) : form_(form), at_(std::move(at)) {}

  // The diagonals (C, n, n, n) of elements e .. e + count - 1, at most `width`, one in each lane; this thread's until
  // it asks for the next.
  packed const* compute(index_t e, int count) const
  {
    auto& work = *::new (thread_scratch(sizeof(workspace))) workspace;
    fill_matrix(work, e, count);
    for (int c = 0; c < components; ++c) contract_pairs(work, c);
    return work.diagonal;
  }

private:
  static constexpr int pairs = 10;  // (a, b) with a <= b, in this order

  struct workspace {
    packed matrix[components * pairs * g * g * g];  // M_ab + M_ba at the points
    bool used[components * pairs];                  // where a pair is not zero at all points
    packed planes[9 * n * g * g];                   // behind z, by the products left in y and x
    packed lines[3 * n * n * g];                    // behind y, by that left in x
    packed diagonal[components * n * n * n];
  };

  static constexpr int pair_of(int a, int b) { return a < b ? pair_of(b, a) : b * (7 - b) / 2 + a; }
  static constexpr bool in_test(int a) { return has(Form::test, a == 0 ? value : gradient); }
  static constexpr bool in_trial(int b) { return has(Form::trial, b == 0 ? value : gradient); }

  // 0, 1 or 2 slopes that a pair multiplies along a direction: x is 1.
  static constexpr int slopes(int a, int b, int direction) { return int{a == direction} + int{b == direction}; }

  using values = interpolate<double, Nodes, Points>;
  using derivatives = slopes_at_points<double, Nodes, Points>;
  template <int Slopes>
  using product = product_to_nodes<std::conditional_t<(Slopes > 0), derivatives, values>,
                                   std::conditional_t<(Slopes > 1), derivatives, values>>;

  void fill_matrix(workspace& work, index_t e, int count) const;
  void contract_pairs(workspace& work, int c) const;

  // in (outer, g, inner) to out (outer, n, inner), added to what is there.
  template <int Outer, int Inner>
  static void contract_product(int slopes, packed const* in, packed* out);
  template <int Outer, int Inner, class Table>
  static void contract_by(Table table, packed const* in, packed* out);

  // m[a][b] = M_ab of component c at a point; entries that the form does not have are left alone.
  template <class Point>
  void form_matrix(Point const& here, int c, double (&m)[4][4]) const;

  template <class T>
  static T& entry(point_values<T, components>& u, int c, int a)
  {
    return a == 0 ? value_of(u, c) : gradient_of(u, c, a - 1);
  }

  Form form_;
  At at_;
};

template <class Form, class Nodes, class Points, class Number, class At>
void element_diagonal<Form, Nodes, Points, Number, At>::fill_matrix(workspace& work, index_t e, int count) const
{
  constexpr int points = g * g * g;
  bool used[components * pairs] = {};
  if (count < width) std::fill(work.matrix, work.matrix + components * pairs * points, packed{});
  for (int lane = 0; lane < count; ++lane)
    for (int z = 0, point = 0; z < g; ++z)
      for (int y = 0; y < g; ++y)
        for (int x = 0; x < g; ++x, ++point)
          at_(e + lane, z, y, x, [&](auto const& here) {
            SUMFAC_UNROLL
            for (int c = 0; c < components; ++c) {
              double m[4][4] = {};
              form_matrix(here, c, m);
              SUMFAC_UNROLL
              for (int b = 0; b < 4; ++b)
                SUMFAC_UNROLL
                for (int a = b; a < 4; ++a) {
                  if (!(in_test(a) && in_trial(b)) && !(in_test(b) && in_trial(a))) continue;
                  int const pair = c * pairs + pair_of(a, b);
                  double const sum = a == b ? m[a][a] : m[a][b] + m[b][a];
                  work.matrix[pair * points + point].set(lane, sum);
                  used[pair] = used[pair] | (sum != 0);
                }
            }
          });
  std::copy(used, used + components * pairs, work.used);
}

template <class Form, class Nodes, class Points, class Number, class At>
template <class Point>
void element_diagonal<Form, Nodes, Points, Number, At>::form_matrix(Point const& here, int c,
                                                                         double (&m)[4][4]) const
{
  if constexpr (width_of<Number> > 1 && std::is_same_v<Point, typename Form::template factors<double>>) {
    typename Form::template factors<Number> factors;
    constexpr int count = int{sizeof(Point) / sizeof(double)}, lanes = width_of<Number>;
    double number[count];
    Number same[count];
    std::memcpy(number, &here, sizeof here);
    for (int i = 0; i < count; ++i) same[i] = Number(number[i]);
    std::memcpy(&factors, same, sizeof factors);
    for (int first = 0; first < 4; first += lanes) {  // unit vectors side by side
      int const end = std::min(4, first + lanes);
      point_values<Number, components> unit{};
      for (int b = first; b < end; ++b) entry(unit, c, b).set(b - first, 1);
      auto tested = form_.apply(factors, unit);
      SUMFAC_UNROLL
      for (int a = 0; a < 4; ++a)
        SUMFAC_UNROLL
        for (int b = first; b < end; ++b)
          if (in_test(a) && in_trial(b)) m[a][b] = entry(tested, c, a)[b - first];
    }
  } else {
    for (int b = 0; b < 4; ++b) {
      if (!in_trial(b)) continue;
      point_values<double, components> unit{};
      entry(unit, c, b) = 1;
      auto tested = apply_form(form_, here, unit);
      for (int a = 0; a < 4; ++a)
        if (in_test(a)) m[a][b] = entry(tested, c, a);
    }
  }
}

template <class Form, class Nodes, class Points, class Number, class At>
void element_diagonal<Form, Nodes, Points, Number, At>::contract_pairs(workspace& work, int c) const
{
  bool in_planes[9] = {}, in_lines[3] = {};
  auto const begin = [](bool& begun, packed* first, int size) {
    if (!begun) std::fill(first, first + size, packed{});
    begun = true;
    return first;
  };
  for (int b = 0; b < 4; ++b)
    for (int a = b; a < 4; ++a) {
      int const pair = c * pairs + pair_of(a, b), left = 3 * slopes(a, b, 2) + slopes(a, b, 1);
      if (!work.used[pair]) continue;
      packed* const planes = begin(in_planes[left], work.planes + left * n * g * g, n * g * g);
      contract_product<1, g * g>(slopes(a, b, 3), work.matrix + pair * g * g * g, planes);
    }
  for (int left = 0; left < 9; ++left) {
    if (!in_planes[left]) continue;
    packed* const lines = begin(in_lines[left % 3], work.lines + left % 3 * n * n * g, n * n * g);
    contract_product<n, g>(left / 3, work.planes + left * n * g * g, lines);
  }
  packed* const diagonal = work.diagonal + c * n * n * n;
  std::fill(diagonal, diagonal + n * n * n, packed{});
  for (int left = 0; left < 3; ++left)
    if (in_lines[left]) contract_product<n * n, 1>(left, work.lines + left * n * n * g, diagonal);
}

template <class Form, class Nodes, class Points, class Number, class At>
template <int Outer, int Inner>
void element_diagonal<Form, Nodes, Points, Number, At>::contract_product(int slopes, packed const* in, packed* out)
{
  if (slopes == 0)
    contract_by<Outer, Inner>(product<0>{}, in, out);
  else if (slopes == 1)
    contract_by<Outer, Inner>(product<1>{}, in, out);
  else
    contract_by<Outer, Inner>(product<2>{}, in, out);
}

template <class Form, class Nodes, class Points, class Number, class At>
template <int Outer, int Inner, class Table>
void element_diagonal<Form, Nodes, Points, Number, At>::contract_by(Table table, packed const* in, packed* out)
{
  for (int o = 0; o < Outer; ++o, in += g * Inner, out += n * Inner)
    for (int p = 0; p < Inner; ++p) {
      auto const line = fetch<packed, g>([&](int q) SUMFAC_LAMBDA { return in[q * Inner + p]; });
      contract(table, line, [&](int i, packed x) SUMFAC_LAMBDA { out[i * Inner + p] += x; });
    }
}

}  // namespace sumfac::detail
