// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel on faces, of the host and of devices: values and gradients of the elements behind them, the form,
// and the transposes; and how factors of faces are read, of the boundary and between elements.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/vectors/element_vector.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/element/vectors/lane_entries.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/tensor/kept_table.hpp>
#include <sumfac/tensor/sweep.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Where the reference coordinate across a face is 1; what nodes and points of a line's end are.
struct end_point {
  static constexpr int size = 1;
  static constexpr std::array<long double, 1> nodes{1.0L}, weights{1.0L};
};

// The sizes of a problem's faces: `rows` of points and of nodes, 1 where elements are quadrilaterals; what a row has,
// which is one of each where they are lines.
template <class Problem>
struct face_sizes {
  static constexpr int directions = Problem::directions, n = Problem::nodes_1d, g = Problem::points_1d;
  using row_nodes = std::conditional_t<directions == 1, end_point, typename Problem::nodes>;
  using row_points = std::conditional_t<directions == 1, end_point, typename Problem::points>;
  static constexpr int nodes_of_row = directions == 1 ? 1 : n, points_of_row = row_points::size;
  static constexpr int node_rows = node_box(n, directions - 1).y, point_rows = node_box(g, directions - 1).y;
  static constexpr int points_of_face = points_of_row * point_rows, components = Problem::components;
  static constexpr bool has_slopes = Problem::has_slopes, has_fluxes = Problem::has_fluxes;
  static constexpr bool has_y = directions == 3;
  // Whether the value on a face is that of the nodes there.
  static constexpr bool ends_at_node = Problem::nodes::nodes[n - 1] == 1;
  // Whether whole lines of nodes across a face are read, or only the last.
  static constexpr bool reads_lines = has_slopes || !ends_at_node;
};

// Sides and components from these on at the points, of an array (sides, components, 1, rows, g).
template <class Array>
struct plane_of_side {
  Array& array;
  int side, component;
  SUMFAC_INLINE decltype(auto) operator()(int of, int c, int k, int y, int x) const
  {
    return array(side + of, component + c, k, y, x);
  }
};
template <class Array>
SUMFAC_FUNCTION plane_of_side(Array&, int, int) -> plane_of_side<Array>;

// Factors of faces: packs (groups, points, F), a lane for each face; of numbers on devices (faces, F, points).
template <class Problem, class T>
struct face_factor_reader {
  static constexpr int count = Problem::factors_of_point, points = face_sizes<Problem>::points_of_face;
  using point_factors = typename Problem::template factors_at_point<T>;

  T const* stored = nullptr;

  SUMFAC_FUNCTION static index_t place(index_t group, int point, int factor)
  {
    return group * (points * count) + (width_of<T> > 1 ? point * count + factor : factor * points + point);
  }
  SUMFAC_INLINE point_factors operator()(index_t group, int point) const
  {
    point_factors f;
    if constexpr (width_of<T> > 1) {
      std::memcpy(&f, stored + place(group, point, 0), sizeof f);
    } else {
      T numbers[count];
      SUMFAC_UNROLL
      for (int i = 0; i < count; ++i) numbers[i] = stored[place(group, point, i)];
      std::memcpy(&f, numbers, sizeof f);
    }
    return f;
  }
};

// The tables of a problem's faces: along them, and across, to the value and the slope at the end.
template <class Problem, template <class> class Table>
struct face_tables {
  using number = typename Problem::number;
  using nodes = typename Problem::nodes;
  using row_points = typename face_sizes<Problem>::row_points;
  Table<interpolate<number, typename face_sizes<Problem>::row_nodes, row_points>> to_points;
  Table<differentiate<number, row_points>> derivative;
  Table<interpolate<number, nodes, end_point>> end_value;
  Table<differentiate<number, nodes, end_point>> end_slope;
};

// Between the nodes of the elements on Sides sides of faces and the faces' points: of Functions functions, which have
// as many components each; what is tested at the points are the first Tested sides. Elements are turned so that the
// face lies at the end of the last direction, z of hexahedra, y of quadrilaterals and x of lines, along whose faces
// nothing is but a constant.
//
// Across the face each line of nodes becomes a value and a slope, of nodes at the ends the value there; the rest is
// what a quadrilateral's kernel does twice: on the host of one side and component after the other, so that a plane
// stays in the first cache, by a team of several threads of all at once. An index (side, c, 0, r, q) is side, component
// and the point's y and x on the face.
// **Work** per side of hexahedra and component some 4 n^3 + 8 (n^2 g + n g^2) + 8 g^3 flops, and as many for the
// transposes.
template <class Problem, int Sides = 1, int Functions = 1, template <class> class Table = constant_table,
          int Tested = 1>
struct face_evaluation : face_sizes<Problem> {
  using scalar = typename Problem::number;
  using sizes = face_sizes<Problem>;
  using sizes::directions, sizes::n, sizes::g, sizes::node_rows, sizes::point_rows, sizes::components;
  using sizes::ends_at_node, sizes::reads_lines;
  using sizes::nodes_of_row, sizes::points_of_row, sizes::has_slopes, sizes::has_fluxes, sizes::has_y;
  static constexpr int face_directions = greater(directions - 1, 1);
  static constexpr int all_components = Functions * components, most = greater(nodes_of_row, points_of_row);
  static constexpr bool differentiates = has_slopes || has_fluxes;

  face_tables<Problem, Table> tables;

  template <class Team>
  struct scratch {
    template <int... Extents>
    using array = typename Team::template shared<typename Team::scalar, Extents...>;
    template <bool Needed>
    using at_points =
        array<Needed ? Sides : 1, Needed ? all_components : 1, 1, Needed ? point_rows : 1, Needed ? points_of_row : 1>;
    // Sides and components at once, of those read and those tested.
    static constexpr bool all_at_once = Team::threads > 1;
    static constexpr int sides = all_at_once ? Sides : 1, components_of_side = all_at_once ? all_components : 1;
    static constexpr int tested = all_at_once ? Tested : 1, tested_components = all_at_once ? components : 1;

    at_points<true> value;                                               // then what is tested against values
    at_points<differentiates> along, across;                             // derivatives along x of the face, and along
    at_points<differentiates && has_y> beside;                           // the last direction; along y; then fluxes
    array<sides, components_of_side, 2, node_rows, nodes_of_row> trace;  // value and slope at the face's nodes
    array<sides, components_of_side, 1, most, most> between;

    template <class Name>
    void names(Name const& name)
    {
      name("values", value), name("derivatives along x", along), name("derivatives along y", beside);
      name("derivatives across", across), name("nodes", trace), name("between", between);
    }
  };

  // Values and derivatives at the points, where element(side, c, layer, j, i) is an entry of the turned element. A
  // barrier follows.
  template <class Team, class Element>
  SUMFAC_INLINE void to_points(Team const& team, scratch<Team>& s, Element const& element) const
  {
    using T = typename Team::scalar;
    constexpr int sides = scratch<Team>::sides, at_once = scratch<Team>::components_of_side;
    for (int side = 0; side < Sides; side += sides)
      for (int c = 0; c < all_components; c += at_once) {
        team.each(box<sides, at_once, node_rows, nodes_of_row>{}, [&](int of, int of_side, int j, int i) {
          auto const node = [&](int k) SUMFAC_LAMBDA { return element(side + of, c + of_side, k, j, i); };
          if constexpr (reads_lines) {
            auto const line = fetch<T, n>(node);
            s.trace(of, of_side, 0, j, i) = ends_at_node ? line[n - 1] : contract(tables.end_value.forward(), line)[0];
            if constexpr (has_slopes) s.trace(of, of_side, 1, j, i) = contract(tables.end_slope.forward(), line)[0];
          } else {
            s.trace(of, of_side, 0, j, i) = node(n - 1);
          }
        });
        team.sync();
        sweep_all<face_directions, sides, at_once>(team, tables.to_points.forward(), s.trace, s.between,
                                                   plane_of_side{s.value, side, c});
        if constexpr (has_slopes) {
          team.sync();
          sweep_all<face_directions, sides, at_once>(team, tables.to_points.forward(), plane_of{s.trace, 0, 1},
                                                     s.between, plane_of_side{s.across, side, c});
        }
        team.sync();
      }
    if constexpr (has_slopes) {
      sweep<axis::x>(team, box<Sides, all_components, 1, point_rows>{}, tables.derivative.forward(), s.value, s.along);
      if constexpr (has_y)
        sweep<axis::y>(team, box<Sides, all_components, 1, points_of_row>{}, tables.derivative.forward(), s.value,
                       s.beside);
      team.sync();
    }
  }

  // What a form reads at a point of a side, of one of its functions; and what is tested there, in its place.
  template <class Values, class Scratch>
  SUMFAC_INLINE static Values values_at(Scratch& s, int side, int function, int r, int q)
  {
    constexpr auto trial = Problem::form::trial;
    Values u;
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      int const at = function * components + c;
      if constexpr (has(trial, value)) value_of(u, c) = s.value(side, at, 0, r, q);
      if constexpr (has(trial, gradient)) {
        gradient_of(u, c, 0) = s.along(side, at, 0, r, q);
        if constexpr (has_y) gradient_of(u, c, 1) = s.beside(side, at, 0, r, q);
        gradient_of(u, c, directions - 1) = s.across(side, at, 0, r, q);
      }
    }
    return u;
  }
  template <class Values, class Scratch>
  SUMFAC_INLINE static void put_tested(Scratch& s, int side, int r, int q, Values v)
  {
    constexpr auto test = Problem::form::test;
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      if constexpr (has(test, value))
        s.value(side, c, 0, r, q) = value_of(v, c);
      else
        s.value(side, c, 0, r, q) = std::remove_cvref_t<decltype(value_of(v, c))>(scalar(0));
      if constexpr (has(test, gradient)) {
        s.along(side, c, 0, r, q) = gradient_of(v, c, 0);
        if constexpr (has_y) s.beside(side, c, 0, r, q) = gradient_of(v, c, 1);
        s.across(side, c, 0, r, q) = gradient_of(v, c, directions - 1);
      }
    }
  }

  // The transposes: values and fluxes at the points become the nodes' lines, put(side, c, j, i, line), of which those
  // before the first layer that a form reaches are 0.
  static constexpr int first_layer = has_fluxes || !ends_at_node ? 0 : n - 1;
  template <class Team, class Put>
  SUMFAC_INLINE void from_points(Team const& team, scratch<Team>& s, Put const& put) const
  {
    using T = typename Team::scalar;
    constexpr int sides = scratch<Team>::tested, at_once = scratch<Team>::tested_components;
    if constexpr (has_fluxes) {
      sweep<axis::x>(team, box<Tested, components, 1, point_rows>{}, tables.derivative.backward(), s.along,
                     added_to(s.value));
      team.sync();
      if constexpr (has_y) {
        sweep<axis::y>(team, box<Tested, components, 1, points_of_row>{}, tables.derivative.backward(), s.beside,
                       added_to(s.value));
        team.sync();
      }
    }
    for (int side = 0; side < Tested; side += sides)
      for (int c = 0; c < components; c += at_once) {
        sweep_all<face_directions, sides, at_once>(team, tables.to_points.backward(), plane_of_side{s.value, side, c},
                                                   s.between, plane_of{s.trace, 0, 0});
        team.sync();
        if constexpr (has_fluxes) {
          sweep_all<face_directions, sides, at_once>(
              team, tables.to_points.backward(), plane_of_side{s.across, side, c}, s.between, plane_of{s.trace, 0, 1});
          team.sync();
        }
        team.each(box<sides, at_once, node_rows, nodes_of_row>{}, [&](int of, int of_side, int j, int i) {
          auto line = contract(tables.end_value.backward(), pencil<T, 1>{{T(s.trace(of, of_side, 0, j, i))}});
          if constexpr (has_fluxes)
            contract_add(tables.end_slope.backward(), pencil<T, 1>{{T(s.trace(of, of_side, 1, j, i))}}, line);
          put(side + of, c + of_side, j, i, line);
        });
        team.sync();
      }
  }
};

// Faces that a device's team works at once, so that there is a thread for each of some 128 points, and scratch for the
// teams of a multiprocessor; on the host one, whose lanes are a group's faces.
template <class Problem, class T>
inline constexpr int faces_at_once = [] {
  using sizes = face_sizes<Problem>;
  constexpr int most_points = 128, most_bytes = 24 * 1024, most_faces = 16;
  constexpr int items = greater(sizes::points_of_face, sizes::node_rows * sizes::nodes_of_row);
  constexpr int bytes = 7 * items * sizes::components * static_cast<int>(sizeof(T));
  return width_of<T> > 1 ? 1 : greater(1, lesser(lesser(most_points / items, most_bytes / bytes), most_faces));
}();

// Lines of nodes across the faces of a group, where Vectors have them: of packs on the host, by a device's team of
// faces at once of which those behind the last repeat it, and are not written.
template <class Problem, class Vectors, class T>
struct face_lines {
  static constexpr bool on_host = width_of<T> > 1, has_y = Problem::directions == 3;
  static constexpr int n = Problem::nodes_1d;
  static constexpr axis across = has_y ? axis::z : axis::y;

  Vectors vectors;

  template <class Team>
  using scratch = typename Vectors::template scratch<Team>;

  // Called with (face, c, layer, j, i): an entry of u.
  template <class Team, class Scratch>
  SUMFAC_INLINE auto u(Team const& team, Scratch& s, index_t group) const
  {
    if constexpr (on_host)
      return [in = vectors.fetch(team, s.exchanged, group)](int, int c, int k, int j, int i)
                 SUMFAC_LAMBDA { return has_y ? in(c, k, j, i) : in(c, 0, k, i); };
    else
      return [this, group](int face, int c, int k, int j, int i) SUMFAC_LAMBDA {
        return static_cast<T>(vectors.template line_from<across>(vectors.element(group, face), c, j, i)(k));
      };
  }
  // Called with (face, c, j, i, line): writes or adds a line of v; then finish().
  template <class Team, class Scratch>
  SUMFAC_INLINE auto v(Team const& team, Scratch& s, index_t group) const
  {
    if constexpr (on_host)
      return [out = vectors.result(team, s.exchanged, group)](int, int c, int j, int i, pencil<T, n> const& line)
                 SUMFAC_LAMBDA {
                   SUMFAC_UNROLL
                   for (int k = 0; k < n; ++k) (has_y ? out(c, k, j, i) : out(c, 0, k, i)) = line[k];
                 };
    else
      return [lines = vectors.memory(s, group)](int face, int c, int j, int i, pencil<T, n> const& line) SUMFAC_LAMBDA {
        auto const to = lines.template write<across>(face, c, j, i);
        SUMFAC_UNROLL
        for (int k = 0; k < n; ++k) to(k, line[k]);
      };
  }
  template <class Team, class Scratch>
  SUMFAC_INLINE void finish(Team const& team, Scratch& s, index_t group) const
  {
    vectors.finish(team, s.exchanged, group);
  }

  // Where the factors of a face are.
  SUMFAC_INLINE index_t factors_of(index_t group, [[maybe_unused]] int face) const
  {
    if constexpr (on_host)
      return group;
    else
      return vectors.element(group, face);
  }
  SUMFAC_INLINE bool exists([[maybe_unused]] index_t group, [[maybe_unused]] int face) const
  {
    if constexpr (on_host)
      return true;
    else
      return vectors.exists(group, face);
  }
};

// One face's side in packs, or in numbers as many faces as a team works at once; devices and `checked` have the tables
// in the kernel.
template <class Problem, class T, int Faces = faces_at_once<Problem, T>>
using face_evaluation_of = std::conditional_t<(width_of<T> > 1), face_evaluation<Problem>,
                                              face_evaluation<Problem, Faces, 1, kept_table, Faces>>;

// y = A x on the faces of one group, of the elements on one side of them.
template <class Problem, class Vectors, class T>
struct face_kernel : face_evaluation_of<Problem, T> {
  using form_type = typename Problem::form;
  using evaluation = face_evaluation_of<Problem, T>;
  using evaluation::directions, evaluation::point_rows, evaluation::points_of_row, evaluation::components;
  using typename evaluation::scalar;
  using values = point_values<T, components, directions>;
  static constexpr int elements = faces_at_once<Problem, T>;
  static constexpr int threads = [] {
    constexpr int items = greater(evaluation::points_of_face, evaluation::node_rows * evaluation::nodes_of_row);
    return width_of<T> > 1 ? 1 : lesser(256, (elements * items + 31) / 32 * 32);
  }();
  static constexpr int resident_teams = lesser(16, 768 / threads);

  form_type form;
  face_lines<Problem, Vectors, T> lines;
  face_factor_reader<Problem, T> factors;

  template <class Team>
  struct scratch : evaluation::template scratch<Team> {
    SUMFAC_NO_UNIQUE_ADDRESS typename Vectors::template scratch<Team> exchanged;
  };

  template <class Team>
  SUMFAC_INLINE void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    at_points(team, s, group, [&](int face, int r, int q, values tested) SUMFAC_LAMBDA {
      evaluation::put_tested(s, face, r, q, tested);
    });
    team.sync();
    evaluation::from_points(team, s, lines.v(team, s, group));
    lines.finish(team, s, group);
  }

  // put(face, r, q, what the form returns) at the points of a group.
  template <class Team, class Put>
  SUMFAC_INLINE void at_points(Team const& team, scratch<Team>& s, index_t group, Put const& put) const
  {
    evaluation::to_points(team, s, lines.u(team, s, group));
    team.phase("apply the form at the points");
    team.each(box<elements, point_rows, points_of_row>{}, [&](int face, int r, int q) {
      auto const at = factors(lines.factors_of(group, face), r * points_of_row + q);
      put(face, r, q, apply_form(form, at, evaluation::template values_at<values>(s, face, 0, r, q)));
    });
  }
};

// t = what the form's apply() returns as values at the points, (F, C, 1, g, g).
template <class Kernel>
struct face_points_kernel : Kernel {
  element_vector<typename Kernel::scalar> to;

  template <class Team, class Scratch>
  SUMFAC_INLINE void operator()(Team const& team, Scratch& s, index_t group) const
  {
    using T = typename Team::scalar;
    Kernel::at_points(team, s, group, [&](int face, int r, int q, auto tested) SUMFAC_LAMBDA {
      for (int c = 0; c < Kernel::components; ++c)
        lane_entries<T, Kernel::g>{group * Kernel::elements + face}.write(to, c, r * Kernel::g + q,
                                                                          value_of(tested, c));
    });
  }
};

struct no_places {};

// Factors (groups, sides, points, F), of numbers on devices (groups, sides, F, points). On the host sides are one
// behind the other, and those that `places` says have F numbers for all points, to be multiplied by their weights;
// behind those of all groups come those of parts 1, 2, .. of sides that small elements lie behind, from more[side] on.
template <class Problem, class T, bool Parts = (width_of<T> > 1)>
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
  std::conditional_t<Parts, index_t const*, no_places> more{};

  SUMFAC_FUNCTION static index_t place(index_t group, index_t side, int point, int factor)
  {
    return face_factor_reader<Problem, T>::place(group * sides + side, point, factor);
  }
  // The side of those of a side, or of a part of it.
  SUMFAC_INLINE index_t side_of(index_t group, int side, [[maybe_unused]] int part) const
  {
    index_t const all = group * sides + side;
    if constexpr (Parts)
      if (part > 0 && more[all] >= 0) return more[all] + part - 1;
    return all;
  }
  // Called with a point: those of one side, or of a part of it.
  SUMFAC_INLINE auto of_side(index_t group, int side, [[maybe_unused]] int part = 0) const
  {
    if constexpr (width_of<T> > 1) {
      index_t const place = places[side_of(group, side, part)];
      return [first = stored + place / 2, once = place % 2 != 0](int point) SUMFAC_LAMBDA {
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
    } else {
      return [of = face_factor_reader<Problem, T>{stored}, at = side_of(group, side, part)](int point)
                 SUMFAC_LAMBDA { return of(at, point); };
    }
  }
};

}  // namespace sumfac::detail
