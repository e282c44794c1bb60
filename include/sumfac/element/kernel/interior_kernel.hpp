// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel of forms of two sides: element by element, all sides of each and what lies behind them.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/vectors/element_vector.hpp>
#include <sumfac/element/kernel/face_kernel.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/element/vectors/lane_entries.hpp>
#include <sumfac/form/both_sides.hpp>
#include <sumfac/form/detail/lift.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/functions.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/mesh/interior_faces.hpp>
#include <sumfac/mesh/maps/element_group.hpp>
#include <sumfac/tensor/kept_table.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// How sides of elements are turned, for all sides and turns.
template <int Directions>
struct turned_sides {
  static constexpr int turns = turns_of_side(Directions);
  turned_axes axes[2 * Directions * turns];

  SUMFAC_FUNCTION constexpr turned_axes const& operator()(int side, int turn) const
  {
    return axes[side * turns + turn];
  }
};
template <int Directions>
constexpr turned_sides<Directions> make_turned_sides()
{
  turned_sides<Directions> all{};
  for (int side = 0; side < 2 * Directions; ++side)
    for (int turn = 0; turn < turned_sides<Directions>::turns; ++turn)
      all.axes[side * turned_sides<Directions>::turns + turn] = turned_axes(Directions, side, turn);
  return all;
}

// Entries of one element turned onto a side, by their distance from each other.
struct turned_steps {
  index_t first = 0, along = 0, beside = 0, layer = 0;

  // Of n nodes along each edge, which are that far apart along x, y, z.
  SUMFAC_FUNCTION turned_steps(turned_axes const& at, int directions, int n, index_t const (&apart)[3])
  {
    index_t step[3] = {};
    for (int a = 0; a < 3; ++a) {
      first += at.first[a] * (n - 1) * apart[a];
      for (int d = 0; d < directions; ++d) step[d] += at.step[d][a] * apart[a];
    }
    along = step[0], beside = directions == 3 ? step[1] : 0, layer = step[directions - 1];
  }
  SUMFAC_INLINE index_t operator()(int k, int j, int i) const { return first + k * layer + j * beside + i * along; }
};

// Entries of a lane's element each, turned: of T, a pack or a number.
template <class T>
struct turned_elements {
  static constexpr int width = width_of<T>;
  using number = scalar_of<T>;

  number const* first[width];
  index_t along[width], beside[width], layer[width], component;

  SUMFAC_INLINE void set(int lane, element_vector<number const> const& u, index_t e, turned_axes const& at,
                         int directions, int n)
  {
    turned_steps const steps(at, directions, n, {u.stride_i, u.stride_j, u.stride_k});
    first[lane] = u.data + u.offset(e) + steps.first;
    along[lane] = steps.along, beside[lane] = steps.beside, layer[lane] = steps.layer;
    component = u.stride_c;
  }
  SUMFAC_INLINE T operator()(int c, int k, int j, int i) const
  {
    if constexpr (width == 1) {
      return first[0][c * component + k * layer[0] + j * beside[0] + i * along[0]];
    } else {
      T x;
      SUMFAC_UNROLL
      for (int l = 0; l < width; ++l) x.set(l, first[l][c * component + k * layer[l] + j * beside[l] + i * along[l]]);
      return x;
    }
  }
};

// A truth for each lane of T.
template <class T, class Function>
SUMFAC_INLINE auto lanes_where(Function const& is)
{
  if constexpr (width_of<T> == 1) {
    return static_cast<bool>(is(0));
  } else {
    T x;
    for (int l = 0; l < width_of<T>; ++l) x.set(l, is(l) ? scalar_of<T>(1) : scalar_of<T>(0));
    return x > scalar_of<T>(0);
  }
}

// x where the condition holds, else y, of the entries that Reads names.
template <evaluation Reads, class Condition, class T, int Components, int Dim>
SUMFAC_INLINE point_values<T, Components, Dim> chosen_values(Condition const& where,
                                                             point_values<T, Components, Dim> const& x,
                                                             point_values<T, Components, Dim> const& y)
{
  point_values<T, Components, Dim> result;
  for_each_entry<Reads, Components, Dim>(
      [&](int, T& to, T const& a, T const& b) SUMFAC_LAMBDA { to = select(where, a, b); }, result, x, y);
  return result;
}

// Factors (groups, sides, points, F), of numbers on devices (groups, sides, F, points).
template <class Problem, class T>
struct interior_factor_reader {
  static constexpr int count = Problem::factors_of_point, points = face_sizes<Problem>::points_of_face;
  static constexpr int sides = 2 * Problem::directions;
  using point_factors = typename Problem::template factors_at_point<T>;

  T const* stored = nullptr;

  SUMFAC_FUNCTION static index_t place(index_t group, int side, int point, int factor)
  {
    index_t const of_side = (group * sides + side) * (points * count);
    return of_side + (width_of<T> > 1 ? point * count + factor : factor * points + point);
  }
  SUMFAC_INLINE point_factors operator()(index_t group, int side, int point) const
  {
    T numbers[count];
    SUMFAC_UNROLL
    for (int i = 0; i < count; ++i) numbers[i] = stored[place(group, side, point, i)];
    point_factors f;
    std::memcpy(&f, numbers, sizeof f);
    return f;
  }
};

// Both sides of faces, of all functions that a form reads; devices and `checked` have the tables in the kernel.
template <class Problem, class T, template <class> class Table>
using two_sided_evaluation = face_evaluation<Problem, 2, 1 + inputs_of<typename Problem::form>::count, Table>;
template <class Problem, class T>
using interior_evaluation = std::conditional_t<(width_of<T> > 1), two_sided_evaluation<Problem, T, constant_table>,
                                               two_sided_evaluation<Problem, T, kept_table>>;

// v = F u, or v + F u, on E-vectors of one group's elements: of each its sides one after the other, with what lies
// behind them. So v is written once, by whoever has the element, and sums have one order.
//
// A face is evaluated from both of its elements, each of which keeps its own part. Functions are u and, of a tangent,
// the state behind it.
template <class Problem, class T>
struct interior_kernel : interior_evaluation<Problem, T> {
  using form_type = typename Problem::form;
  static constexpr int functions = 1 + inputs_of<form_type>::count;
  using evaluation = interior_evaluation<Problem, T>;
  using evaluation::components, evaluation::first_layer, evaluation::has_y;
  using evaluation::directions, evaluation::n, evaluation::g, evaluation::point_rows, evaluation::node_rows;
  using typename evaluation::scalar;
  using values = point_values<T, components, directions>;
  static constexpr int width = width_of<T>, sides = 2 * directions, nodes = Problem::nodes_of_element;
  static constexpr int threads = greater(n * node_rows, g* point_rows);
  static constexpr bool closed = has_exterior_state<form_type, T, directions>;

  form_type form;
  element_vector<scalar const> u[functions];
  element_vector<scalar> v;
  bool adds;
  face_neighbour const* behind;  // (E, sides)
  interior_factor_reader<Problem, T> factors;
  turned_sides<directions> turned = make_turned_sides<directions>();

  template <class Team>
  struct scratch : evaluation::template scratch<Team> {
    typename Team::template shared<typename Team::scalar, components, nodes> sum;
  };

  template <class Team>
  SUMFAC_INLINE void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    lane_entries<T, n> const lanes{group};
    team.each(box<components, nodes>{}, [&](int c, int p) { s.sum(c, p) = adds ? lanes.read(v, c, p) : T{}; });
    team.sync();
    for (int side = 0; side < sides; ++side) add_side(team, s, group, side);
    team.each(box<components, nodes>{}, [&](int c, int p) { lanes.write(v, c, p, s.sum(c, p)); });
  }

private:
  // What a side gives to its elements.
  template <class Team>
  SUMFAC_INLINE void add_side(Team const& team, scratch<Team>& s, index_t group, int side) const
  {
    turned_elements<T> element[functions][2];
    face_neighbour other[width];
    bool any = closed;
    for (int l = 0; l < width; ++l) {
      index_t const e = lane_entries<T, n>{group}.element(v, l);
      other[l] = behind[e * sides + side];
      bool const alone = other[l].element < 0;
      any = any || !alone;
      for (int f = 0; f < functions; ++f) {
        element[f][0].set(l, u[f], e, turned(side, 0), directions, n);
        element[f][1].set(l, u[f], alone ? e : other[l].element,
                          alone ? turned(side, 0) : turned(other[l].side, other[l].turn), directions, n);
      }
    }
    if (!any) return;
    auto const has_other = lanes_where<T>([&](int l) { return other[l].element >= 0; });
    auto const first = lanes_where<T>([&](int l) { return other[l].first; });
    evaluation::to_points(team, s, [&](int of, int c, int k, int j, int i) SUMFAC_LAMBDA {
      return element[functions == 1 ? 0 : c / components][of](functions == 1 ? c : c % components, k, j, i);
    });
    team.each(box<point_rows, g>{}, [&](int r, int q) {
      auto const at = factors(group, side, r * g + q);
      put(s, r, q, apply(at, s, r, q, has_other, first));
    });
    team.sync();
    turned_steps const steps(turned(side, 0), directions, n, {1, n, n * n});
    evaluation::from_points(team, s, [&](int c, int j, int i, auto const& line) SUMFAC_LAMBDA {
      SUMFAC_UNROLL
      for (int k = first_layer; k < n; ++k) s.sum(c, static_cast<int>(steps(k, j, i))) += line[k];
    });
  }

  // The form at a point, as the element itself has it.
  template <class Factors, class Scratch, class Condition>
  SUMFAC_INLINE values apply(Factors const& at, Scratch& s, int r, int q, Condition const& has_other,
                             Condition const& first) const
  {
    constexpr auto trial = form_type::trial, test = form_type::test;
    both_sides<values> of[functions];
    values own[functions], other[functions];
    SUMFAC_UNROLL
    for (int f = 0; f < functions; ++f) own[f] = get(s, 0, f, r, q), other[f] = get(s, 1, f, r, q);
    if constexpr (closed && functions == 1)
      other[0] = chosen_values<trial>(has_other, other[0], form.exterior(at, own[0]));
    if constexpr (closed && functions == 2) {
      other[0] = chosen_values<trial>(has_other, other[0], form.exterior(at, own[0], own[1]));
      other[1] = chosen_values<trial>(has_other, other[1], form.exterior(at, own[1]));
    }
    SUMFAC_UNROLL
    for (int f = 0; f < functions; ++f)
      of[f] = {chosen_values<trial>(first, own[f], other[f]), chosen_values<trial>(first, other[f], own[f])};
    values result;
    if constexpr (functions == 1) {
      auto const both = form.apply(at, of[0].in, of[0].out);
      result = chosen_values<test>(first, both.in, both.out);
    } else {
      auto const both = form.apply(at, of[0].in, of[0].out, of[1].in, of[1].out);
      result = chosen_values<test>(first, both.in, both.out);
    }
    if constexpr (!closed) result = chosen_values<test>(has_other, result, values{});
    return result;
  }

  template <class Scratch>
  SUMFAC_INLINE static values get(Scratch const& s, int side, int function, int r, int q)
  {
    values u;
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      int const at = function * components + c;
      if constexpr (has(form_type::trial, value)) value_of(u, c) = s.value(side, at, 0, r, q);
      if constexpr (has(form_type::trial, gradient)) {
        gradient_of(u, c, 0) = s.along(side, at, 0, r, q);
        if constexpr (has_y) gradient_of(u, c, 1) = s.beside(side, at, 0, r, q);
        gradient_of(u, c, directions - 1) = s.across(side, at, 0, r, q);
      }
    }
    return u;
  }
  template <class Scratch>
  SUMFAC_INLINE static void put(Scratch& s, int r, int q, values v)
  {
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      if constexpr (has(form_type::test, value))
        s.value(0, c, 0, r, q) = value_of(v, c);
      else
        s.value(0, c, 0, r, q) = T(0);
      if constexpr (has(form_type::test, gradient)) {
        s.along(0, c, 0, r, q) = gradient_of(v, c, 0);
        if constexpr (has_y) s.beside(0, c, 0, r, q) = gradient_of(v, c, 1);
        s.across(0, c, 0, r, q) = gradient_of(v, c, directions - 1);
      }
    }
  }
};

}  // namespace sumfac::detail
