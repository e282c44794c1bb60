// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How kernels come by the geometry of curved elements from their nodes: three sweeps of contractions before the form.
#pragma once

#include <sumfac/backend/detail/global_memory.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/basis/detail/tables.hpp>
#include <sumfac/form/detail/element_lines.hpp>
#include <sumfac/geometry/mapping.hpp>
#include <sumfac/geometry/maps/point_places.hpp>
#include <sumfac/math/pack.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// The basis of M Gauss-Lobatto nodes and its derivative at a rule's points: a member of a kernel, indexed at run time.
template <class Real, class Points, int NodesPerEdge>
struct node_tables {
  table<Real, Points::size, NodesPerEdge> values = interpolation<Real, gauss_lobatto<NodesPerEdge>, Points>();
  table<Real, Points::size, NodesPerEdge> slopes = differentiation<Real, gauss_lobatto<NodesPerEdge>, Points>();
};

// A mapping as a point that forms are applied at. The size is one that its weight has been multiplied by, in the place
// of lengths.
template <class T>
struct mapped_point {
  mapping<T> x;
  T size = static_cast<T>(1);

  SUMFAC_INLINE mapping<T> const& map() const { return x; }
  SUMFAC_INLINE T measure() const { return x.measure() * (size * size); }
  SUMFAC_INLINE vector<T, 3> metric_times(vector<T, 3> const& g) const { return x.metric_times(g); }
};

// Numbers of an element of M^3 nodes: the nodes, relative to the first of them and over a power of two of their size,
// as the form needs it; that scale; the first node.
template <geometry_need Need, int NodesPerEdge>
struct node_numbers {
  static constexpr int nodes = 3 * NodesPerEdge * NodesPerEdge * NodesPerEdge;
  static constexpr int scale = nodes, origin = nodes + (is_scaled(Need) ? 1 : 0);
  static constexpr int count = origin + (Need == geometry_need::map ? 3 : 0);
};

// Nodes of the elements of a group.
//
// Before the form is applied along lines of points in direction D, the other two directions are contracted: `a`, the
// slower of them, then `b`. What remains is contracted at each point.
// **Shapes** (groups, Elements, count, Width): node z, y, x, coordinate; scale; origin.
template <int NodesPerEdge, class Problem, int Width, int Elements>
struct node_reader {
  using number = typename Problem::factor_number;
  using scalar = typename Problem::number;
  using points = typename Problem::points;
  using numbers = node_numbers<need_of<typename Problem::form>, NodesPerEdge>;
  static constexpr auto need = need_of<typename Problem::form>;
  static constexpr bool is_split = false, reads_factors = false, prepares = true;
  template <int>
  static constexpr bool makes_planes = false;
  static constexpr index_t group_bytes = 0, pack_bytes = 0;
  static constexpr int g = Problem::quads_1d, count = numbers::count;
  static constexpr bool collocated = is_collocated<gauss_lobatto<NodesPerEdge>, points>;

  number const* stored = nullptr;
  point_places<scalar, points> places = {};
  node_tables<scalar, points, NodesPerEdge> tables = {};

  template <class Team>
  struct geometry_scratch {
    template <int... Extents>
    using array = typename Team::template shared<typename Team::scalar, Elements, Extents...>;

    array<6, g, NodesPerEdge, NodesPerEdge>
        planes;  // x, d/da (of three coordinates each) at points of a: (a, node of b, node of the line)
    array<9, g, g, NodesPerEdge> lines;   // x, d/db, d/da: (a, b, node of the line)
  };

  template <int Direction, class Team, class Scratch>
  SUMFAC_INLINE void prepare(Team const& team, Scratch& s, index_t group) const
  {
    using T = typename Team::scalar;
    team.phase("contract the mesh nodes along the slower direction");
    team.each(box<Elements, g, NodesPerEdge, NodesPerEdge>{}, [&](int e, int a, int j, int i) {
      for (int c = 0; c < 3; ++c) {
        T at_a{}, slope{};
        for (int k = 0; k < NodesPerEdge; ++k) {
          T const x = coordinate<T>(group * Elements + e, 3 * place<Direction>(k, j, i) + c);
          at_a = fma(tables.values(a, k), x, at_a);
          slope = fma(tables.slopes(a, k), x, slope);
        }
        s.planes(e, c, a, j, i) = at_a;
        s.planes(e, 3 + c, a, j, i) = slope;
      }
    });
    team.sync();
    team.phase("contract the mesh nodes along the faster direction");
    team.each(box<Elements, g, g, NodesPerEdge>{}, [&](int e, int a, int b, int i) {
      for (int c = 0; c < 3; ++c) {
        T at_b{}, along_b{}, along_a{};
        for (int j = 0; j < NodesPerEdge; ++j) {
          T const x = s.planes(e, c, a, j, i), slope = s.planes(e, 3 + c, a, j, i);
          at_b = fma(tables.values(b, j), x, at_b);
          along_b = fma(tables.slopes(b, j), x, along_b);
          along_a = fma(tables.values(b, j), slope, along_a);
        }
        s.lines(e, c, a, b, i) = at_b;
        s.lines(e, 3 + c, a, b, i) = along_b;
        s.lines(e, 6 + c, a, b, i) = along_a;
      }
    });
    team.sync();
  }

  template <class T, int Direction, class Scratch>
  struct line_of_nodes {
    node_reader const& reader;
    Scratch& s;
    index_t element;
    int e, a, b;
    scalar weight;
    T scale;  // where the need of the form has one

    SUMFAC_INLINE mapped_point<T> operator()(int q) const
    {
      constexpr int slower = Direction == 2 ? 1 : 2, faster = Direction == 0 ? 1 : 0;
      matrix<T, 3> jacobian{};
      vector<T, 3> position{};
      for (int c = 0; c < 3; ++c) {
        T slope{};
        for (int i = 0; i < NodesPerEdge; ++i)
          slope = fma(reader.tables.slopes(q, i), T(s.lines(e, c, a, b, i)), slope);
        jacobian(c, Direction) = slope;
        jacobian(c, faster) = at_point(q, 3 + c);
        jacobian(c, slower) = at_point(q, 6 + c);
        if constexpr (need == geometry_need::map)
          position[c] = fma(scale, at_point(q, c), reader.template coordinate<T>(element, numbers::origin + c));
      }
      T const one = static_cast<T>(1);
      if constexpr (need == geometry_need::map)
        return {{jacobian, static_cast<T>(reader.places.weight(q) * weight), position, scale}};
      else if constexpr (need == geometry_need::metric)
        return {{jacobian, reader.places.weight(q) * (weight * scale), position, one}, scale};
      else
        return {{jacobian, static_cast<T>(reader.places.weight(q) * weight), position, one}};
    }

    SUMFAC_INLINE T at_point(int q, int field) const
    {
      if constexpr (collocated) return s.lines(e, field, a, b, q);
      T sum{};
      for (int i = 0; i < NodesPerEdge; ++i) sum = fma(reader.tables.values(q, i), T(s.lines(e, field, a, b, i)), sum);
      return sum;
    }
  };

  template <class T, int Direction, class Scratch>
  SUMFAC_INLINE line_of_nodes<T, Direction, Scratch> line(Scratch& s, index_t group, int e, int a, int b) const
  {
    index_t const element = group * Elements + e;
    T scale{};
    if constexpr (is_scaled(need)) scale = coordinate<T>(element, numbers::scale);
    return {*this, s, element, e, a, b, places.weights[a] * places.weights[b], scale};
  }

  // The nodes of a group come with its vectors.
  static constexpr int lines_ahead = Width > 1 ? static_cast<int>((count * Width * sizeof(number) + 63) / 64) : 0;
  SUMFAC_INLINE char const* ahead_of(index_t group) const
  {
    return reinterpret_cast<char const*>(stored + (group + 1) * (count * Width));
  }

  template <class Team>
  SUMFAC_INLINE void prefetch_factors(Team const&, index_t) const
  {
  }

private:
  // Node at k of the slower, j of the faster other direction and i of the line's own.
  template <int Direction>
  SUMFAC_INLINE static constexpr int place(int k, int j, int i)
  {
    return Direction == 0   ? (k * NodesPerEdge + j) * NodesPerEdge + i
           : Direction == 1 ? (k * NodesPerEdge + i) * NodesPerEdge + j
                            : (i * NodesPerEdge + k) * NodesPerEdge + j;
  }

  template <class T>
  SUMFAC_INLINE T coordinate(index_t element, int k) const
  {
    number const* const at = stored + (element * count + k) * Width;
    if constexpr (Width > 1)
      return load_as<T>(at);
    else
      return static_cast<T>(load_constant(at));
  }
};

}  // namespace sumfac::detail
