// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel of forms of two sides: element by element, all sides of each and what lies behind them.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/vectors/element_vector.hpp>
#include <sumfac/dofs/vectors/lane_transfer.hpp>
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
#include <sumfac/tensor/kept_table.hpp>

#include <array>
#include <cstddef>
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

  turned_steps() = default;
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

// Entries of elements turned onto a side: packs of a group's elements, or the numbers of one where it lies.
template <class T>
struct turned_entries {
  T const* first = nullptr;
  index_t component = 0;
  turned_steps steps{};

  SUMFAC_INLINE T operator()(int c, int k, int j, int i) const { return first[c * component + steps(k, j, i)]; }
};

struct no_places {};

// What other processes have sent of the elements behind sides: nothing, where one process has the mesh; or items, of
// each component after component, an element or the nodes on one side of it, in its own order. Elements from number
// `first` on are items.
struct no_ghosts {};
template <class Scalar, int Functions>
struct ghost_items {
  index_t first = 0;
  Scalar const* data[Functions] = {};
};

struct every_lane {
  SUMFAC_INLINE bool operator()(int) const { return true; }
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

// Factors (groups, sides, points, F), of numbers on devices (groups, sides, F, points). On the host sides are one
// behind the other, and those that `places` says have F numbers for all points, to be multiplied by their weights.
template <class Problem, class T>
struct interior_factor_reader {
  static constexpr int count = Problem::factors_of_point, points = face_sizes<Problem>::points_of_face;
  static constexpr int sides = 2 * Problem::directions, g = face_sizes<Problem>::points_of_row;
  using rule = typename face_sizes<Problem>::row_points;
  using scalar = typename Problem::number;
  using point_factors = typename Problem::template factors_at_point<T>;
  static constexpr std::array<scalar, points> weights = [] {
    std::array<scalar, points> of_points{};
    for (std::size_t p = 0; p < points; ++p)
      of_points[p] = static_cast<scalar>(rule::weights[p % g] * (Problem::directions == 3 ? rule::weights[p / g] : 1));
    return of_points;
  }();

  T const* stored = nullptr;
  std::conditional_t<(width_of<T> > 1), index_t const*, no_places> places{};

  SUMFAC_FUNCTION static index_t place(index_t group, int side, int point, int factor)
  {
    index_t const of_side = (group * sides + side) * (points * count);
    return of_side + (width_of<T> > 1 ? point * count + factor : factor * points + point);
  }
  // Called with a point: those of one side.
  SUMFAC_INLINE auto of_side(index_t group, int side) const
  {
    if constexpr (width_of<T> > 1)
      return [first = stored + places[group * sides + side] / 2,
              once = places[group * sides + side] % 2 != 0](int point) SUMFAC_LAMBDA {
        point_factors f;
        if (once) {
          T numbers[count];
          SUMFAC_UNROLL
          for (int i = 0; i < count; ++i) numbers[i] = first[i] * weights[static_cast<std::size_t>(point)];
          std::memcpy(&f, numbers, sizeof f);
        } else {
          std::memcpy(&f, first + point * count, sizeof f);
        }
        return f;
      };
    else
      return [this, group, side](int point) SUMFAC_LAMBDA {
        T numbers[count];
        SUMFAC_UNROLL
        for (int i = 0; i < count; ++i) numbers[i] = stored[place(group, side, point, i)];
        point_factors f;
        std::memcpy(&f, numbers, sizeof f);
        return f;
      };
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
template <class Problem, class T, class Ghosts = no_ghosts>
struct interior_kernel : interior_evaluation<Problem, T> {
  using form_type = typename Problem::form;
  static constexpr int functions = 1 + inputs_of<form_type>::count;
  using evaluation = interior_evaluation<Problem, T>;
  using evaluation::components, evaluation::first_layer, evaluation::has_y;
  using evaluation::directions, evaluation::n, evaluation::g, evaluation::point_rows, evaluation::node_rows;
  using evaluation::nodes_of_row, evaluation::points_of_row;
  using typename evaluation::scalar;
  using values = point_values<T, components, directions>;
  static constexpr int width = width_of<T>, sides = 2 * directions, nodes = Problem::nodes_of_element;
  static constexpr int threads = greater(n * node_rows, g* point_rows);
  static constexpr bool closed = has_exterior_state<form_type, T, directions>, on_host = width > 1;
  static constexpr node_box box_of_nodes{n, directions};
  static constexpr int nodes_of_item = evaluation::reads_lines ? nodes : nodes / n;

  form_type form;
  element_vector<scalar const> u[functions];
  element_vector<scalar> v;
  bool adds;
  face_neighbour const* behind;  // (E, sides)
  interior_factor_reader<Problem, T> factors;
  SUMFAC_NO_UNIQUE_ADDRESS Ghosts ghosts{};
  turned_sides<directions> turned = make_turned_sides<directions>();

  struct none {};
  template <class Team>
  struct packs_behind {
    typename Team::template shared<typename Team::scalar, functions * components, nodes> other;
  };
  template <class Team>
  struct side_scratch : evaluation::template scratch<Team> {
    SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<on_host, packs_behind<Team>, none> behind;
  };
  template <class Team>
  struct scratch : side_scratch<Team> {
    typename Team::template shared<typename Team::scalar, components, nodes> sum;
    SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<on_host, packs_behind<Team>, none> own;
  };

  template <class Team>
  SUMFAC_INLINE void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    auto const sum = [&s](int c, int p) SUMFAC_LAMBDA -> decltype(auto) { return s.sum(c, p); };
    if constexpr (on_host) {
      lane_transfer<scalar, width> const results(v, group * width, components, box_of_nodes);
      if (adds)
        results.gather(s.sum.entries);
      else
        for (T& x : s.sum.entries) x = T{};
      for (int f = 0; f < functions; ++f)
        lane_transfer<scalar const, width>(u[f], group * width, components, box_of_nodes)
            .gather(s.own.other.entries + f * components * nodes);
      add_sides(team, s, group, s.own.other.entries, sum);
      results.scatter(s.sum.entries, nullptr, false);
    } else {
      lane_entries<T, n> const lanes{group};
      team.each(box<components, nodes>{}, [&](int c, int p) { s.sum(c, p) = adds ? lanes.read(v, c, p) : T{}; });
      team.sync();
      add_sides(team, s, group, nullptr, sum);
      team.each(box<components, nodes>{}, [&](int c, int p) { lanes.write(v, c, p, s.sum(c, p)); });
    }
  }

  // Adds to sum(c, node) what all sides give. On the host `packs` has the entries of all functions of the group's
  // elements.
  template <class Team, class Sum>
  SUMFAC_INLINE void add_sides(Team const& team, side_scratch<Team>& s, index_t group, T const* packs,
                               Sum const& sum) const
  {
    for (int side = 0; side < sides; ++side) add_side(team, s, group, side, packs, sum);
  }

  // What lies behind a side of a group's elements, and whether anything is to be done there; whether there is an
  // element behind each of them, and all are seen from the same side; or, as choose() tells, in which lanes.
  struct neighbours {
    using condition = decltype(lanes_where<T>(every_lane{}));
    face_neighbour of[width];
    condition has_other, first;
    bool any, alike;

    SUMFAC_INLINE void choose()
    {
      has_other = lanes_where<T>([&](int l) { return of[l].element >= 0; });
      first = lanes_where<T>([&](int l) { return of[l].first; });
    }
  };
  SUMFAC_INLINE neighbours behind_of(index_t group, int side) const
  {
    neighbours found;
    index_t one_is_alone = 0, all_are_alone = -1;  // the signs
    int seen_first = 0;
    for (int l = 0; l < width; ++l) {
      auto const& other = found.of[l] = behind[lane_entries<T, n>{group}.element(v, l) * sides + side];
      one_is_alone |= other.element, all_are_alone &= other.element;
      seen_first += other.first;
    }
    found.any = closed || all_are_alone >= 0;
    found.alike = one_is_alone >= 0 && seen_first % width == 0;
    return found;
  }

  // The form at a point, as the element itself has it, of its own values there and those behind it.
  template <class Factors>
  SUMFAC_INLINE values at_point(Factors const& at, values const (&own)[functions], values (&other)[functions],
                                neighbours const& beside) const
  {
    constexpr auto trial = form_type::trial, test = form_type::test;
    both_sides<values> of[functions];
    if constexpr (closed && functions == 1)
      other[0] = chosen_values<trial>(beside.has_other, other[0], form.exterior(at, own[0]));
    if constexpr (closed && functions == 2) {
      other[0] = chosen_values<trial>(beside.has_other, other[0], form.exterior(at, own[0], own[1]));
      other[1] = chosen_values<trial>(beside.has_other, other[1], form.exterior(at, own[1]));
    }
    SUMFAC_UNROLL
    for (int f = 0; f < functions; ++f)
      of[f] = {chosen_values<trial>(beside.first, own[f], other[f]),
               chosen_values<trial>(beside.first, other[f], own[f])};
    values result;
    if constexpr (functions == 1) {
      auto const both = form.apply(at, of[0].in, of[0].out);
      result = chosen_values<test>(beside.first, both.in, both.out);
    } else {
      auto const both = form.apply(at, of[0].in, of[0].out, of[1].in, of[1].out);
      result = chosen_values<test>(beside.first, both.in, both.out);
    }
    if constexpr (!closed) result = chosen_values<test>(beside.has_other, result, values{});
    return result;
  }

private:
  // What a side gives to its elements.
  template <class Team, class Sum>
  SUMFAC_INLINE void add_side(Team const& team, side_scratch<Team>& s, index_t group, int side,
                              [[maybe_unused]] T const* packs, Sum const& sum) const
  {
    auto beside = behind_of(group, side);
    if (!beside.any) return;
    struct {
      turned_entries<T> of[2];
    } element[functions];
    SUMFAC_UNROLL
    for (int f = 0; f < functions; ++f) {
      if constexpr (on_host) {
        element[f].of[0] = in_packs(packs + f * components * nodes, turned(side, 0));
        element[f].of[1] =
            packs_behind_side(s.behind.other.entries + f * components * nodes, f, beside, group, element[f].of[0]);
      } else {
        auto const& other = beside.of[0];
        bool const alone = other.element < 0;
        element[f].of[0] = in_memory(u[f], group, turned(side, 0));
        element[f].of[1] = behind_side(f, alone ? group : other.element, other.side,
                                       alone ? turned(side, 0) : turned(other.side, other.turn));
      }
    }
    evaluation::to_points(team, s, [&](int of, int c, int k, int j, int i) SUMFAC_LAMBDA {
      return element[functions == 1 ? 0 : c / components].of[of](functions == 1 ? c : c % components, k, j, i);
    });
    auto const at_points = [&]() SUMFAC_LAMBDA {
      beside.choose();
      auto const of_point = factors.of_side(group, side);
      team.each(box<point_rows, points_of_row>{}, [&](int r, int q) {
        auto const at = of_point(r * points_of_row + q);
        values own[functions], other[functions];
        SUMFAC_UNROLL
        for (int f = 0; f < functions; ++f) own[f] = get(s, 0, f, r, q), other[f] = get(s, 1, f, r, q);
        put(s, r, q, at_point(at, own, other, beside));
      });
    };
    if constexpr (on_host)
      beside.alike ? at_points_alike(team, s, group, side, beside.of[0].first) : at_points();
    else
      at_points();
    team.sync();
    turned_steps const steps(turned(side, 0), directions, n, {1, n, n * n});
    evaluation::from_points(team, s, [&](int c, int j, int i, auto const& line) SUMFAC_LAMBDA {
      SUMFAC_UNROLL
      for (int k = first_layer; k < n; ++k) sum(c, static_cast<int>(steps(k, j, i))) += line[k];
    });
  }

  // The form at the points where all lanes have an element behind the side, and see it alike. With all that it calls in
  // it: what a form takes and gives stays in registers.
  template <class Team>
  [[gnu::flatten]] void at_points_alike(Team const& team, side_scratch<Team>& s, index_t group, int side,
                                        bool first) const
  {
    int const in = first ? 0 : 1, out = first ? 1 : 0;
    auto const of_point = factors.of_side(group, side);
    team.each(box<point_rows, points_of_row>{}, [&](int r, int q) {
      auto const at = of_point(r * points_of_row + q);
      both_sides<values> both;
      if constexpr (functions == 1)
        both = form.apply(at, get(s, in, 0, r, q), get(s, out, 0, r, q));
      else
        both = form.apply(at, get(s, in, 0, r, q), get(s, out, 0, r, q), get(s, in, 1, r, q), get(s, out, 1, r, q));
      put(s, r, q, first ? both.in : both.out);
    });
  }

  SUMFAC_INLINE static turned_entries<T> in_packs(T const* packs, turned_axes const& at)
  {
    return {packs, nodes, {at, directions, n, {1, n, n * n}}};
  }
  SUMFAC_INLINE static turned_entries<scalar> in_memory(element_vector<scalar const> const& of, index_t e,
                                                        turned_axes const& at)
  {
    return {of.data + of.offset(e), of.stride_c, {at, directions, n, {of.stride_i, of.stride_j, of.stride_k}}};
  }

  // Element e of `function`, turned, whose side of that number the face is; where another process has it, what that has
  // sent.
  SUMFAC_INLINE turned_entries<scalar> behind_side(int function, index_t e, [[maybe_unused]] int side,
                                                   turned_axes const& at) const
  {
    if constexpr (!std::is_same_v<Ghosts, no_ghosts>)
      if (e >= ghosts.first) {
        index_t apart[3] = {}, next = 1;
        for (int a = 0; a < directions; ++a) {
          if (!evaluation::reads_lines && a == side / 2) continue;
          apart[a] = next, next *= n;
        }
        return {ghosts.data[function] + (e - ghosts.first) * (components * nodes_of_item),
                nodes_of_item,
                {at, directions, n, apart}};
      }
    return in_memory(u[function], e, at);
  }

  // The elements behind a side as packs: whole and in their own order, where the form reads all of them and all are
  // turned alike; else turned, of which `to` has what the form reads. An element that nothing lies behind repeats
  // itself, and what is computed with it is not used.
  SUMFAC_INLINE turned_entries<T> packs_behind_side(T* to, int function, neighbours const& beside, index_t group,
                                                    turned_entries<T> const& own) const
  {
    index_t element[width];
    int some = -1;
    bool alike = true;
    for (int l = 0; l < width; ++l) {
      auto const& other = beside.of[l];
      element[l] = other.element < 0 ? lane_entries<T, n>{group}.element(v, l) : other.element;
      if (other.element < 0) continue;
      if (some < 0) some = l;
      alike = alike && other.side == beside.of[some].side && other.turn == beside.of[some].turn;
      if constexpr (!std::is_same_v<Ghosts, no_ghosts>) alike = alike && other.element < ghosts.first;
    }
    if (some < 0) return own;
    auto const axes_of = [&](int l) -> turned_axes const& {
      auto const& other = beside.of[beside.of[l].element < 0 ? some : l];
      return turned(other.side, other.turn);
    };
    if (alike && evaluation::reads_lines) {
      lane_transfer<scalar const, width>(u[function], element, components, box_of_nodes).gather(to);
      return in_packs(to, axes_of(some));
    }
    scalar* const numbers = reinterpret_cast<scalar*>(to);
    constexpr index_t row = nodes_of_row, layer = index_t{node_rows} * row;
    for (int l = 0; l < width; ++l) {
      auto const of = behind_side(function, element[l], beside.of[l].side, axes_of(l));
      for (int c = 0; c < components; ++c)
        for (int k = evaluation::reads_lines ? 0 : n - 1; k < n; ++k)
          for (int j = 0; j < node_rows; ++j)
            for (int i = 0; i < nodes_of_row; ++i)
              numbers[(c * nodes + k * layer + j * row + i) * width + l] = of(c, k, j, i);
    }
    turned_steps steps = own.steps;
    steps.first = 0, steps.layer = layer, steps.beside = row, steps.along = 1;
    return {to, nodes, steps};
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
