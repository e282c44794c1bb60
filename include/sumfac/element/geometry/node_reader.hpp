// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How kernels read elements that are kept as their nodes, and make the geometry of points of them.
#pragma once

#include <sumfac/form/detail/element_lines.hpp>
#include <sumfac/tensor/sweep.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// The basis of M Gauss-Lobatto nodes and its derivative at a rule's points: a member of a kernel, indexed at run time,
// or as tables of sweeps, which on the host are constants.
template <class Real, class Points, int NodesPerEdge>
struct node_tables {
  using nodes = gauss_lobatto<NodesPerEdge>;
  using entries = table<Real, Points::size, NodesPerEdge>;
  entries values = interpolation<Real, nodes, Points>();
  entries slopes = differentiation<Real, nodes, Points>();

  struct kept {
    static constexpr int rows = Points::size, cols = NodesPerEdge, parity = 0;
    struct places {
      entries const* of;
      SUMFAC_INLINE Real operator()(int r, int c) const { return (*of)(r, c); }
    };
    places full;
  };
#if SUMFAC_ON_DEVICE
  SUMFAC_INLINE kept direct_values() const { return {{&values}}; }
  SUMFAC_INLINE kept direct_slopes() const { return {{&slopes}}; }
#else
  SUMFAC_INLINE auto direct_values() const { return interpolate<Real, nodes, Points>{}; }
  SUMFAC_INLINE auto direct_slopes() const { return differentiate<Real, nodes, Points>{}; }
#endif
};

// A mapping as a point that forms are applied at. The size is one that its weight has been multiplied by, in the place
// of lengths.
template <class T, int Dim, int Coordinates>
struct mapped_point {
  mapping<T, Dim, Coordinates> x;
  T size = static_cast<T>(1);

  SUMFAC_INLINE mapping<T, Dim, Coordinates> const& map() const { return x; }
  SUMFAC_INLINE T measure() const { return x.measure() * (size * size); }
  SUMFAC_INLINE vector<T, Dim> metric_times(vector<T, Dim> const& g) const { return x.metric_times(g); }
};

// Numbers of an element of M^D nodes in C coordinates: the nodes, relative to the first of them and over a power of two
// of their size, as the form needs it; that scale; the first node. Elements of fewer than three directions have all.
template <class Problem, int NodesPerEdge>
struct node_numbers {
  static constexpr int directions = Problem::directions, coordinates = Problem::coordinates;
  static constexpr auto need = directions == 3 ? need_of<typename Problem::form> : geometry_need::map;
  static constexpr bool has_scale = is_scaled(need), has_origin = need == geometry_need::map;
  static constexpr int nodes = coordinates * node_box(NodesPerEdge, directions).all();
  static constexpr int scale = nodes, origin = nodes + (has_scale ? 1 : 0);
  static constexpr int count = origin + (has_origin ? coordinates : 0);

  double value[count];

  // Of nodes relative to the first of them, and that.
  SUMFAC_FUNCTION static node_numbers of(double const* relative, double const* first)
  {
    node_numbers made{};
    double const size = has_scale ? scale_of(relative, nodes) : 1;
    for (int i = 0; i < nodes; ++i) made.value[i] = relative[i] / size;
    if constexpr (has_scale) made.value[scale] = size;
    if constexpr (has_origin)
      for (int c = 0; c < coordinates; ++c) made.value[origin + c] = first[c];
    return made;
  }
  // Of the vertices of a multilinear map.
  SUMFAC_FUNCTION static node_numbers of(trilinear_map<double> const& x)
    requires(NodesPerEdge == 2)
  {
    double relative[nodes], first[coordinates];
    for (int c = 0; c < coordinates; ++c) {
      first[c] = 0;
      for (int term = 0; term < 1 << directions; ++term) first[c] += sign(term, 0) * x.term[term][c];
      for (int vertex = 0; vertex < 1 << directions; ++vertex) {
        double& place = relative[vertex * coordinates + c] = 0;
        for (int term = 1; term < 1 << directions; ++term)
          place += (sign(term, vertex) - sign(term, 0)) * x.term[term][c];
      }
    }
    return of(relative, first);
  }

private:
  // The product of the directions of a term at a vertex, each -1 or 1.
  SUMFAC_FUNCTION static constexpr int sign(int term, int vertex)
  {
    int product = 1;
    for (int d = 0; d < directions; ++d)
      if ((term & ~vertex) >> d & 1) product = -product;
    return product;
  }
};

// Nodes of the elements of a group.
//
// Before the form is applied along lines of points in direction D, the other directions are contracted: of hexahedra
// `a`, the slower of them, then `b`, for all lines of a group in phases of their own; of quadrilaterals y, by each line
// for itself. What remains is contracted at each point.
// **Shapes** (groups, Elements, count, Width): node z, y, x, coordinate; scale; origin.
template <int NodesPerEdge, class Problem, int Width, int Elements>
struct node_reader {
  using number = typename Problem::factor_number;
  using scalar = typename Problem::number;
  using points = typename Problem::points;
  using numbers = node_numbers<Problem, NodesPerEdge>;
  static constexpr int directions = Problem::directions, coordinates = Problem::coordinates;
  static constexpr int m = NodesPerEdge, g = Problem::points_1d, count = numbers::count;
  static constexpr bool is_split = false, reads_factors = false, prepares = directions == 3;
  template <int>
  static constexpr bool makes_planes = false;
  static constexpr index_t group_bytes = 0, pack_bytes = 0;
  static constexpr bool collocated = is_collocated<gauss_lobatto<m>, points>;

  number const* stored = nullptr;
  point_places<scalar, points> places = {};
  node_tables<scalar, points, m> tables = {};
  element_range elements = {};

  template <class Team>
  struct geometry_scratch {
    template <int... Extents>
    using array = typename Team::template shared<typename Team::scalar, Elements, Extents...>;

    array<6, g, m, m> planes;  // x, d/da (of three coordinates each) at points of a: (a, node of b, node of the line)
    array<9, g, g, m> lines;   // x, d/db, d/da: (a, b, node of the line)
  };

  template <int Direction, class Team, class Scratch>
  SUMFAC_INLINE void prepare(Team const& team, Scratch& s, index_t group) const
  {
    using T = typename Team::scalar;
    auto const node = [&](int e, int c, int k, int j, int i) SUMFAC_LAMBDA {
      return number_at<T>(group * Elements + e, 3 * place<Direction>(k, j, i) + c);
    };
    auto const from = [&s](int first) SUMFAC_LAMBDA {
      return [&s, first](int e, int c, int a, int j, int i)
                 SUMFAC_LAMBDA -> decltype(auto) { return s.planes(e, first + c, a, j, i); };
    };
    auto const to = [&s](int first) SUMFAC_LAMBDA {
      return [&s, first](int e, int c, int a, int b, int i, T x) SUMFAC_LAMBDA { s.lines(e, first + c, a, b, i) = x; };
    };
    auto const values = tables.direct_values();
    auto const slopes = tables.direct_slopes();
    team.phase("contract the mesh nodes along the slower direction");
    sweep<axis::z>(team, box<Elements, 3, m, m>{}, values, node, from(0));
    sweep<axis::z>(team, box<Elements, 3, m, m>{}, slopes, node, from(3));
    team.sync();
    team.phase("contract the mesh nodes along the faster direction");
    sweep<axis::y>(team, box<Elements, 3, g, m>{}, values, from(0), to(0));
    sweep<axis::y>(team, box<Elements, 3, g, m>{}, slopes, from(0), to(3));
    sweep<axis::y>(team, box<Elements, 3, g, m>{}, values, from(3), to(6));
    team.sync();
  }

  // The line of points in direction Direction at places a, b of the others; of hexahedra by what prepare() has left.
  template <class T, int Direction, class Scratch>
    requires prepares
  SUMFAC_INLINE auto line(Scratch& s, index_t group, int e, int a, int b) const
  {
    index_t const element = group * Elements + e;
    auto const nodes = [&s, e, a, b](int f, int i) SUMFAC_LAMBDA -> T { return s.lines(e, f, a, b, i); };
    auto const origin = [this, element](int c) SUMFAC_LAMBDA { return number_at<T>(element, numbers::origin + c); };
    return line_of_nodes<T, Direction, decltype(nodes), decltype(origin)>{
        *this, {elements, element * Width, a, b}, places.weights[a] * places.weights[b], scale_at<T>(element), nodes,
        origin};
  }
  template <class T, int Direction>
    requires(!prepares)
  SUMFAC_INLINE auto line(index_t group, int e, int a, int b) const
  {
    return line_of<T, Direction>(group, group, e, a, b);
  }
  // The same where the nodes are those of another group.
  template <class T, int Direction>
    requires(!prepares)
  SUMFAC_INLINE auto line_of(index_t from, index_t group, int e, int, int b) const
  {
    static_assert(Direction == 0, "rows of points alone");
    index_t const element = from * Elements + e;
    row_of_nodes<T> nodes;
    vector<T, coordinates> origin;
    SUMFAC_UNROLL
    for (int c = 0; c < coordinates; ++c) origin[c] = number_at<T>(element, numbers::origin + c);
    SUMFAC_UNROLL
    for (int i = 0; i < m; ++i) SUMFAC_UNROLL
    for (int c = 0; c < coordinates; ++c) {
      if constexpr (directions == 1) {
        nodes.field[c][i] = number_at<T>(element, coordinates * i + c);
      } else {
        T at{}, slope{};
        SUMFAC_UNROLL
        for (int j = 0; j < m; ++j) {
          T const x = number_at<T>(element, coordinates * (j * m + i) + c);
          at = fma(tables.values(b, j), x, at);
          slope = fma(tables.slopes(b, j), x, slope);
        }
        nodes.field[c][i] = at, nodes.field[coordinates + c][i] = slope;
      }
    }
    auto const origin_of = [origin](int c) SUMFAC_LAMBDA { return origin[c]; };
    return line_of_nodes<T, 0, row_of_nodes<T>, decltype(origin_of)>{*this,
                                                                     {elements, (group * Elements + e) * Width, 0, b},
                                                                     directions >= 2 ? places.weights[b] : scalar(1),
                                                                     scale_at<T>(element),
                                                                     nodes,
                                                                     origin_of};
  }

  // The nodes of a group come with its vectors.
  static constexpr int prefetch_lines = Width > 1 ? static_cast<int>((count * Width * sizeof(number) + 63) / 64) : 0;
  SUMFAC_INLINE char const* prefetch_from(index_t group) const
  {
    return reinterpret_cast<char const*>(stored + (group + 1) * (count * Width));
  }

private:
  // Fields at the nodes of a row: coordinates, and their derivatives along y.
  template <class T>
  struct row_of_nodes {
    T field[directions * coordinates][m];
    SUMFAC_INLINE T operator()(int f, int i) const { return field[f][i]; }
  };

  // Called with q: point q. Nodes is called with a field and a node of the line; fields are coordinates, and their
  // derivatives in the faster and in the slower of the other directions.
  template <class T, int Direction, class Nodes, class Origin>
  struct line_of_nodes {
    using point_type = mapped_point<T, directions, coordinates>;

    node_reader const& reader;
    place_on_line<Direction> place;
    scalar weight;
    T scale;  // where the need of the form has one
    Nodes nodes;
    Origin origin;  // likewise

    SUMFAC_INLINE auto operator()(int q) const
    {
      return placed_point<T, point_type, directions>(place(q), geometry_at(q));
    }

  private:
    SUMFAC_INLINE point_type geometry_at(int q) const
    {
      constexpr int slower = Direction == 2 ? 1 : 2, faster = Direction == 0 ? 1 : 0;
      matrix<T, coordinates, directions> jacobian{};
      vector<T, coordinates> position{};
      SUMFAC_UNROLL
      for (int c = 0; c < coordinates; ++c) {
        T slope{};
        SUMFAC_UNROLL
        for (int i = 0; i < m; ++i) slope = fma(reader.tables.slopes(q, i), nodes(c, i), slope);
        jacobian(c, Direction) = slope;
        if constexpr (directions >= 2) jacobian(c, faster) = at_point(q, coordinates + c);
        if constexpr (directions >= 3) jacobian(c, slower) = at_point(q, 2 * coordinates + c);
        if constexpr (numbers::has_origin) position[c] = fma(scale, at_point(q, c), origin(c));
      }
      scalar const of_point = reader.places.weight(q);
      T const one = static_cast<T>(1);
      if constexpr (numbers::need == geometry_need::map)
        return {{jacobian, static_cast<T>(of_point * weight), position, scale}};
      else if constexpr (numbers::need == geometry_need::metric)
        return {{jacobian, of_point * (weight * scale), position, one}, scale};
      else
        return {{jacobian, static_cast<T>(of_point * weight), position, one}};
    }

    SUMFAC_INLINE T at_point(int q, int field) const
    {
      if constexpr (collocated) return nodes(field, q);
      T sum{};
      SUMFAC_UNROLL
      for (int i = 0; i < m; ++i) sum = fma(reader.tables.values(q, i), nodes(field, i), sum);
      return sum;
    }
  };

  // Node at k of the slower, j of the faster other direction and i of the line's own.
  template <int Direction>
  SUMFAC_INLINE static constexpr int place(int k, int j, int i)
  {
    return Direction == 0 ? (k * m + j) * m + i : Direction == 1 ? (k * m + i) * m + j : (i * m + k) * m + j;
  }

  template <class T>
  SUMFAC_INLINE T scale_at(index_t element) const
  {
    if constexpr (numbers::has_scale)
      return number_at<T>(element, numbers::scale);
    else
      return T{};
  }
  template <class T>
  SUMFAC_INLINE T number_at(index_t element, int k) const
  {
    number const* const at = stored + (element * count + k) * Width;
    if constexpr (Width > 1)
      return load_as<T>(at);
    else
      return static_cast<T>(load_constant(at));
  }
};

}  // namespace sumfac::detail
