// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel of forms of two sides: element by element, all sides of each and what lies behind them.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/vectors/element_vector.hpp>
#include <sumfac/dofs/vectors/lane_transfer.hpp>
#include <sumfac/element/kernel/face_kernel.hpp>
#include <sumfac/element/kernel/face_team.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/element/kernel/side_halves.hpp>
#include <sumfac/element/vectors/lane_entries.hpp>
#include <sumfac/form/both_sides.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/mesh/interior_faces.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Both sides of faces, of all functions that a form reads; devices and `checked` have the tables in the kernel.
template <class Problem, class T, bool Parts, int MostBytes,
          int Functions = 1 + inputs_of<typename Problem::form>::count>
using interior_evaluation = std::conditional_t<(width_of<T> > 1), face_evaluation<Problem, 2, Functions>,
                                               face_team_evaluation<Problem, Functions, Parts, MostBytes>>;

// v = F u, or v + F u, on E-vectors of one group's elements: of each its sides, with what lies behind them; one after
// the other on the host, by a device's team as many at once as face_team_evaluation has. So v is written once, by
// whoever has the element, and sums have one order.
//
// A face is evaluated from both of its elements, each of which keeps its own part. Functions are u and, of a tangent,
// the state behind it. With Parts sides may be parts of larger ones, or have smaller ones behind them, each of which is
// worked as a side is: so on the host, and on devices by a kernel of its own on the elements that have such sides.
template <class Problem, class T, class Ghosts = no_ghosts, bool Parts = (width_of<T> > 1),
          int MostBytes = usual_side_bytes>
struct interior_kernel : interior_evaluation<Problem, T, Parts && (Problem::directions > 1), MostBytes> {
  using form_type = typename Problem::form;
  static constexpr int functions = 1 + inputs_of<form_type>::count;
  static constexpr bool may_hang = Parts && Problem::directions > 1;
  using evaluation = interior_evaluation<Problem, T, may_hang, MostBytes>;
  using evaluation::components, evaluation::has_y, evaluation::directions, evaluation::n;
  using evaluation::nodes_of_row, evaluation::points_of_row, evaluation::node_rows, evaluation::point_rows;
  using typename evaluation::scalar;
  using values = point_values<T, components, directions>;
  static constexpr int width = width_of<T>, sides = 2 * directions, nodes = Problem::nodes_of_element;
  static constexpr bool closed = has_exterior_state<form_type, T, directions>, on_host = width > 1;
  static constexpr int threads = [] {
    if constexpr (on_host)
      return 1;
    else
      return evaluation::threads;
  }();
  static constexpr int parts_of_side = 1 << (directions - 1), first_read = evaluation::reads_lines ? 0 : n - 1;
  using halves = side_halves<typename Problem::nodes, T, directions>;
  static constexpr node_box box_of_nodes{n, directions};
  static constexpr int nodes_of_item = evaluation::reads_lines ? nodes : nodes / n;

  form_type form;
  element_vector<scalar const> u[functions];
  element_vector<scalar> v;
  bool adds;
  face_neighbour const *behind, *of_parts;  // (E, sides), and behind those of large elements (divided, parts of a side)
  interior_factor_reader<Problem, T, Parts> factors;
  SUMFAC_NO_UNIQUE_ADDRESS Ghosts ghosts{};
  turned_sides<directions> turned = make_turned_sides<directions>();

  template <class Team>
  struct packs_of {
    typename Team::template shared<typename Team::scalar, functions * components, nodes> of;
  };
  template <class Team>
  struct side_scratch : evaluation::template scratch<Team> {
    packs_of<Team> behind, part;  // what lies behind a side, and parts of large elements
  };
  template <class Team>
  struct pack_scratch : side_scratch<Team> {
    typename Team::template shared<typename Team::scalar, components, nodes> sum;
    packs_of<Team> own;
  };
  template <class Team>
  using scratch = std::conditional_t<on_host, pack_scratch<Team>, typename evaluation::template scratch<Team>>;

  template <class Team>
  SUMFAC_INLINE void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    if constexpr (on_host) {
      lane_transfer<scalar, width> const results(v, group * width, components, box_of_nodes);
      if (adds)
        results.gather(s.sum.entries);
      else
        for (T& x : s.sum.entries) x = T{};
      for (int f = 0; f < functions; ++f)
        lane_transfer<scalar const, width>(u[f], group * width, components, box_of_nodes)
            .gather(s.own.of.entries + f * components * nodes);
      add_sides(team, s, group, s.own.of.entries,
                [&s](int c, int p) SUMFAC_LAMBDA -> decltype(auto) { return s.sum(c, p); });
      results.scatter(s.sum.entries, nullptr, false);
    } else {
      evaluation::keep_ends(team, s);
      work_sides(team, s, group, own_in_memory{});
    }
  }

  // By a device's team that has kept ends: v of an element, with what all its sides give.
  template <class Team, class Scratch, class Own>
  SUMFAC_INLINE void work_sides(Team const& team, Scratch& s, index_t element, Own const& own) const
  {
    constexpr int batches = sides / evaluation::at_once;
    for (int first = 0; first < sides; first += evaluation::at_once)
      for (int part = 0, parts = team_parts(element, first); part < parts; ++part) {
        team_points(team, s, element, first, part, own);
        [&]<int... Batch>(std::integer_sequence<int, Batch...>) SUMFAC_LAMBDA {
          (team_nodes<Batch * evaluation::at_once>(team, s, element, first, part, own), ...);
        }(std::make_integer_sequence<int, batches>{});
      }
  }

  // On the host: adds to sum(c, node) what all sides give, where `packs` has the entries of all functions of the
  // group's elements.
  template <class Team, class Sum>
  SUMFAC_INLINE void add_sides(Team const& team, side_scratch<Team>& s, index_t group, T const* packs,
                               Sum const& sum) const
  {
    for (int side = 0; side < sides; ++side) add_side(team, s, group, side, packs, sum);
  }

  // What lies behind a side of a group's elements, or behind a part of it, and whether anything is to be done there;
  // whether there is an element behind each of them, and all are seen from the same side; or, as choose() tells, in
  // which lanes. `large` are those of which a part is before small elements, `behind` those behind which large ones
  // lie.
  struct no_lanes {};
  struct neighbours {
    using condition = decltype(lanes_where<T>(every_lane{}));
    face_neighbour of[width];
    condition has_other, first;
    bool any, alike;
    std::conditional_t<may_hang, part_lanes, no_lanes> large{}, behind{};

    SUMFAC_INLINE void choose()
    {
      has_other = lanes_where<T>([&](int l) { return of[l].element >= 0; });
      first = lanes_where<T>([&](int l) { return of[l].first; });
    }
    // Parts of the side, of which each is worked: those of lanes that are not large are all in the first one.
    SUMFAC_INLINE int parts() const
    {
      if constexpr (may_hang) return large.lanes != 0 ? parts_of_side : 1;
      return 1;
    }
  };
  SUMFAC_INLINE neighbours behind_of(index_t group, int side, [[maybe_unused]] int part = 0) const
  {
    neighbours found;
    index_t one_is_alone = 0, all_are_alone = -1;  // the signs
    int seen_first = 0;
    for (int l = 0; l < width; ++l) {
      auto& other = found.of[l] = behind[lane_entries<T, n>{group}.element(v, l) * sides + side];
      if constexpr (may_hang)
        if (part > 0 || (other.part & other.divided) >= 0) note_hanging(found, l, part);
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
  // By a device's team: parts that sides `first` and following have, of which each is worked.
  SUMFAC_INLINE int team_parts([[maybe_unused]] index_t group, [[maybe_unused]] int first) const
  {
    if constexpr (may_hang)
      for (int i = 0; i < evaluation::at_once; ++i)
        if (is_large(group, first + i)) return parts_of_side;
    return 1;
  }
  SUMFAC_INLINE bool is_large(index_t group, int side) const { return behind[group * sides + side].divided >= 0; }

  // Of these sides, or of a part of the large ones: what is tested at their points becomes numbers of their nodes.
  template <class Team, class Scratch, class Own>
  SUMFAC_INLINE void team_points(Team const& team, Scratch& s, index_t group, int first, [[maybe_unused]] int part,
                                 Own const& in_team) const
  {
    constexpr int together = evaluation::at_once, points = evaluation::points_of_face;
    constexpr int count = Problem::factors_of_point;
    using reader = decltype(factors);
    team.phase("find what lies behind the sides");
    team.each(box<functions, 2, together>{}, [&](int f, int of, int i) {
      if constexpr (Own::in_scratch)
        if (of == 0) {
          turned_steps const steps(turned(first + i, 0), directions, n, {1, Own::row, Own::layer});
          s.lines(f, of, i) = {nullptr, steps.first, steps.layer, steps.beside, steps.along};
          return;
        }
      face_neighbour const* at = behind + (group * sides + first + i);
      [[maybe_unused]] int seen = -1;
      if constexpr (may_hang)
        if (at->divided >= 0) at = of_parts + (index_t{at->divided} * parts_of_side + part), seen = part;
      auto const& other = *at;
      bool const own = of == 0 || other.element < 0;
      auto const from = own ? in_memory(u[f], group, turned(first + i, 0))
                            : behind_side(f, other.element, other.side, turned(other.side, other.turn));
      lines_on_side<scalar> const lines{from.first + from.steps.first, from.component, from.steps.layer,
                                        from.steps.beside, from.steps.along};
      if constexpr (may_hang)
        s.lines(f, of, i) = typename evaluation::lines_type{lines, own ? seen : int{other.part}};
      else
        s.lines(f, of, i) = lines;
    });
    if constexpr (evaluation::copies_factors) {
      team.each(box<together, points>{}, [&](int i, int p) {
        scalar const* const at = factors.stored + reader::place(0, factors.side_of(group, first + i, part), p, 0);
        SUMFAC_UNROLL
        for (int k = 0; k < count; ++k) team.copy_ahead(at + k * points, s.factors, k, i, p);
      });
      team.end_copies();
    }
    evaluation::to_points(team, s, in_team);
    team.phase("apply the form at the points");
    if constexpr (evaluation::copies_factors) team.template await_copies<0>();
    team.each(box<together, points>{}, [&](int i, int p) {
      auto beside = behind_of(group, first + i, part);
      beside.choose();
      int const r = p / points_of_row, q = p % points_of_row;
      values own[functions], other[functions];
      SUMFAC_UNROLL
      for (int f = 0; f < functions; ++f)
        own[f] = evaluation::template values_at<values>(s, 0, i, f, r, q),
        other[f] = evaluation::template values_at<values>(s, 1, i, f, r, q);
      auto const tested = [&](auto const& at) SUMFAC_LAMBDA {
        values result = at_point(at, own, other, beside);
        if constexpr (may_hang)
          if (part > 0 && !is_large(group, first + i)) result = values{};
        evaluation::put_tested(s, i, r, q, result);
      };
      if constexpr (evaluation::copies_factors) {
        T numbers[count];
        SUMFAC_UNROLL
        for (int k = 0; k < count; ++k) numbers[k] = s.factors(k, i, p);
        typename reader::point_factors at;
        std::memcpy(&at, numbers, sizeof at);
        tested(at);
      } else {
        tested(factors.of_side(group, first + i, part)(p));
      }
    });
    evaluation::from_points(team, s);
  }

  // Writes the element's nodes, with what sides First and following give, where it is their turn; those in scratch to
  // memory with the last ones.
  template <int First, class Team, class Scratch, class Own>
  SUMFAC_INLINE void team_nodes(Team const& team, Scratch& s, index_t group, int first, int part,
                                [[maybe_unused]] Own const& own) const
  {
    if (first != First) return;
    team.phase("add to the nodes");
    constexpr int last = directions - 1;
    index_t const stride[3] = {v.stride_i, v.stride_j, v.stride_k};
    team.each(box<components, node_rows, nodes_of_row>{}, [&](int c, int y, int x) {
      scalar* const to = v.data + v.offset(group) + c * v.stride_c + (directions == 3 ? y * v.stride_j : 0) +
                         (directions > 1 ? x * v.stride_i : 0);
      pencil<T, n> line{};
      if constexpr (Own::in_scratch) {
        SUMFAC_UNROLL
        for (int z = 0; z < n; ++z) line[z] = own.sum(c, z, y, x);
      } else if (adds || First > 0 || part > 0) {
        SUMFAC_UNROLL
        for (int z = 0; z < n; ++z) line[z] = to[z * stride[last]];
      }
      evaluation::template add_to_line<First>(s, c, y, x, line);
      if constexpr (Own::in_scratch && First + evaluation::at_once < sides) {
        SUMFAC_UNROLL
        for (int z = 0; z < n; ++z) own.set_sum(c, z, y, x, line[z]);
      } else {
        SUMFAC_UNROLL
        for (int z = 0; z < n; ++z) to[z * stride[last]] = line[z];
      }
    });
  }

  // On the host: what a side gives to its elements; where some are large, part after part.
  template <class Team, class Sum>
  SUMFAC_INLINE void add_side(Team const& team, side_scratch<Team>& s, index_t group, int side, T const* packs,
                              Sum const& sum) const
  {
    for (int part = 0, parts = 1; part < parts; ++part) {
      auto beside = behind_of(group, side, part);
      parts = beside.parts();
      if (beside.any) add_part(team, s, group, side, part, beside, packs, sum);
    }
  }
  template <class Team, class Sum>
  SUMFAC_INLINE void add_part(Team const& team, side_scratch<Team>& s, index_t group, int side, int part,
                              neighbours& beside, T const* packs, Sum const& sum) const
  {
    struct {
      turned_entries<T> of[2];
    } element[functions];
    SUMFAC_UNROLL
    for (int f = 0; f < functions; ++f) {
      element[f].of[0] = in_packs(packs + f * components * nodes, turned(side, 0));
      element[f].of[1] =
          packs_behind_side(s.behind.of.entries + f * components * nodes, f, beside, group, element[f].of[0]);
      if constexpr (may_hang)
        if (beside.large.lanes != 0)
          element[f].of[0] = halves::part_of(s.part.of.entries + f * components * nodes, beside.large, element[f].of[0],
                                             components, first_read);
    }
    evaluation::to_points(team, s, [&](int of, int c, int k, int j, int i) SUMFAC_LAMBDA {
      return element[functions == 1 ? 0 : c / components].of[of](functions == 1 ? c : c % components, k, j, i);
    });
    auto const at_points = [&]() SUMFAC_LAMBDA {
      beside.choose();
      auto const of_point = factors.of_side(group, side, part);
      team.each(box<point_rows, points_of_row>{}, [&](int r, int q) {
        auto const at = of_point(r * points_of_row + q);
        values own[functions], other[functions];
        SUMFAC_UNROLL
        for (int f = 0; f < functions; ++f) own[f] = get(s, 0, f, r, q), other[f] = get(s, 1, f, r, q);
        evaluation::put_tested(s, 0, r, q, at_point(at, own, other, beside));
      });
    };
    beside.alike ? at_points_alike(team, s, group, side, part, beside.of[0].first) : at_points();
    team.sync();
    turned_steps const steps(turned(side, 0), directions, n, {1, n, n * n});
    turned_steps place = steps;
    T* to = &sum(0, 0);
    if constexpr (may_hang)
      if (beside.large.lanes != 0) {
        to = s.part.of.entries, place = halves::in_order();
        for (int i = 0; i < components * nodes; ++i) to[i] = T{};
      }
    evaluation::from_points(team, s, [&](int, int c, int j, int i, auto const& line) SUMFAC_LAMBDA {
      SUMFAC_UNROLL
      for (int k = evaluation::first_layer; k < n; ++k) to[c * nodes + static_cast<int>(place(k, j, i))] += line[k];
    });
    if constexpr (may_hang)
      if (beside.large.lanes != 0)
        halves::add_part(to, beside.large, part, steps, &sum(0, 0), components, evaluation::first_layer);
  }

  // The form at the points where all lanes have an element behind the side, and see it alike. With all that it calls in
  // it: what a form takes and gives stays in registers.
  template <class Team>
  [[gnu::flatten]] void at_points_alike(Team const& team, side_scratch<Team>& s, index_t group, int side, int part,
                                        bool first) const
  {
    int const in = first ? 0 : 1, out = first ? 1 : 0;
    auto const of_point = factors.of_side(group, side, part);
    team.each(box<point_rows, points_of_row>{}, [&](int r, int q) {
      auto const at = of_point(r * points_of_row + q);
      both_sides<values> both;
      if constexpr (functions == 1)
        both = form.apply(at, get(s, in, 0, r, q), get(s, out, 0, r, q));
      else
        both = form.apply(at, get(s, in, 0, r, q), get(s, out, 0, r, q), get(s, in, 1, r, q), get(s, out, 1, r, q));
      evaluation::put_tested(s, 0, r, q, first ? both.in : both.out);
    });
  }

  // What lies behind a part of a side in a lane: of an element that has no small ones there, what lies behind the side,
  // in the first part.
  SUMFAC_INLINE void note_hanging(neighbours& found, int lane, int part) const
  {
    auto& other = found.of[lane];
    if (other.divided >= 0) {
      found.large.add(lane, part);
      other = of_parts[index_t{other.divided} * parts_of_side + part];
    } else if (part > 0) {
      other = {};
    } else {
      found.behind.add(lane, other.part);
    }
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
    bool is_behind = false;  // whether any is large
    if constexpr (may_hang) is_behind = beside.behind.lanes != 0;
    if (alike && evaluation::reads_lines && !is_behind) {
      lane_transfer<scalar const, width>(u[function], element, components, box_of_nodes).gather(to);
      return in_packs(to, axes_of(some));
    }
    scalar* const numbers = reinterpret_cast<scalar*>(to);
    constexpr index_t row = nodes_of_row, layer = index_t{node_rows} * row;
    for (int l = 0; l < width; ++l) {
      auto const of = behind_side(function, element[l], beside.of[l].side, axes_of(l));
      for (int c = 0; c < components; ++c)
        for (int k = first_read; k < n; ++k)
          for (int j = 0; j < node_rows; ++j)
            for (int i = 0; i < nodes_of_row; ++i)
              numbers[(c * nodes + k * layer + j * row + i) * width + l] = of(c, k, j, i);
    }
    if constexpr (may_hang)
      if (is_behind) halves::apply(beside.behind, to, components, first_read);
    return {to, nodes, halves::in_order()};
  }

  template <class Scratch>
  SUMFAC_INLINE static values get(Scratch const& s, int side, int function, int r, int q)
  {
    return evaluation::template values_at<values>(s, side, function, r, q);
  }
};

}  // namespace sumfac::detail
