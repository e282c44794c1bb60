// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The policy `isoparametric`: the nodes of curved elements, contracted by three sweeps before the form.
#pragma once

#include <sumfac/backend/detail/global_memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/basis/detail/tables.hpp>
#include <sumfac/basis/lagrange.hpp>
#include <sumfac/element/geometry/number_range.hpp>
#include <sumfac/element/geometry/setup_numbers.hpp>
#include <sumfac/element/work.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/detail/element_lines.hpp>
#include <sumfac/math/detail/power_of_two.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/mesh/mapping.hpp>
#include <sumfac/mesh/maps/point_places.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

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
  static constexpr int g = Problem::points_1d, count = numbers::count;
  static constexpr bool collocated = is_collocated<gauss_lobatto<NodesPerEdge>, points>;

  number const* stored = nullptr;
  point_places<scalar, points> places = {};
  node_tables<scalar, points, NodesPerEdge> tables = {};
  element_range elements = {};

  template <class Team>
  struct geometry_scratch {
    template <int... Extents>
    using array = typename Team::template shared<typename Team::scalar, Elements, Extents...>;

    array<6, g, NodesPerEdge, NodesPerEdge>
        planes;  // x, d/da (of three coordinates each) at points of a: (a, node of b, node of the line)
    array<9, g, g, NodesPerEdge> lines;  // x, d/db, d/da: (a, b, node of the line)
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

    SUMFAC_INLINE auto operator()(int q) const
    {
      auto const place = place_on_line<Direction>{reader.elements, element * Width, a, b};
      return placed_point<T, mapped_point<T>>(place(q), geometry_at(q));
    }

    SUMFAC_INLINE mapped_point<T> geometry_at(int q) const
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
  static constexpr int prefetch_lines = Width > 1 ? static_cast<int>((count * Width * sizeof(number) + 63) / 64) : 0;
  SUMFAC_INLINE char const* prefetch_from(index_t group) const
  {
    return reinterpret_cast<char const*>(stored + (group + 1) * (count * Width));
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

// M^3 Gauss-Lobatto nodes an element, as node_numbers has them.
template <int NodesPerEdge, class Problem, class Backend, int Elements = 1>
class element_nodes
    : public element_numbers<Problem, Backend, node_numbers<need_of<typename Problem::form>, NodesPerEdge>::count,
                             Elements> {
  using form = typename Problem::form;
  using points = typename Problem::points;
  using numbers_of = node_numbers<need_of<form>, NodesPerEdge>;

public:
  using element_nodes::element_numbers::count, element_nodes::element_numbers::packed;

  using reader = node_reader<NodesPerEdge, Problem, element_nodes::element_numbers::width, packed ? 1 : Elements>;

  // Takes all elements of a mesh of m <= NodesPerEdge nodes per direction, which the same polynomials interpolate.
  //
  // **Errors** argument_error for more.
  template <class Mesh, class Place>
  void set_up(Mesh const& mesh, form const& f, Place const&)
  {
    check_points<Problem, isoparametric<NodesPerEdge>>(mesh, f);
    this->resize(mesh.threads, mesh.elements());
    set_all(mesh.threads, mesh.nodes, mesh.node_set);
  }

private:
  template <class Threads, class Nodes, class Set>
  void set_all(Threads const& threads, Nodes const& nodes, Set const& set);

public:
  // read(backend)(e, z, y, x, f): calls f with point (z, y, x) of element e, in double; the host can read it.
  auto read(Backend const& backend) const
  {
    return [number = this->read_numbers(backend)](index_t e, int z, int y, int x, auto const& f) {
      static constexpr node_tables<double, points, NodesPerEdge> tables{};
      static constexpr point_places<double, points> places{};
      double const scale = is_scaled(need_of<form>) ? number(e, numbers_of::scale) : 1;
      matrix<double, 3> jacobian{};
      vector<double, 3> position{};
      for (int k = 0, at = 0; k < NodesPerEdge; ++k)
        for (int j = 0; j < NodesPerEdge; ++j)
          for (int i = 0; i < NodesPerEdge; ++i)
            for (int c = 0; c < 3; ++c, ++at) {
              double const in = number(e, at), lx = tables.values(x, i), ly = tables.values(y, j);
              double const lz = tables.values(z, k);
              jacobian(c, 0) += in * tables.slopes(x, i) * ly * lz;
              jacobian(c, 1) += in * lx * tables.slopes(y, j) * lz;
              jacobian(c, 2) += in * lx * ly * tables.slopes(z, k);
              position[c] += in * lx * ly * lz;
            }
      if constexpr (need_of<form> == geometry_need::map)
        for (int c = 0; c < 3; ++c) position[c] = fma(scale, position[c], number(e, numbers_of::origin + c));
      double const weight = places.weights[x] * places.weights[y] * places.weights[z];
      f(mapped_point<double>{{jacobian, weight, position, scale}});
    };
  }

  // The contractions, and what applying the form to a mapping costs above applying it to factors.
  index_t geometry_flops(form const& f, index_t elements) const
  {
    constexpr index_t g = Problem::points_1d, m = NodesPerEdge;
    constexpr index_t sums = (need_of<form> == geometry_need::map ? 3 : 0) + 6;
    constexpr index_t at_point = 6 * m + (is_collocated<gauss_lobatto<NodesPerEdge>, points> ? 0 : 2 * m * sums);
    index_t const of_points = g * g * g * (at_point + mapping_flops(f));
    return elements * (12 * g * m * m * m + 18 * g * g * m * m + of_points);
  }

private:
  void scale_and_set(index_t e, index_t elements, own_vector<double>& numbers, double const (&origin)[3])
  {
    if constexpr (is_scaled(need_of<form>)) {
      double const scale = scale_of(numbers.data(), numbers_of::nodes);
      for (int i = 0; i < numbers_of::nodes; ++i) numbers[static_cast<std::size_t>(i)] /= scale;
      numbers[numbers_of::scale] = scale;
    }
    if constexpr (need_of<form> == geometry_need::map)
      for (int c = 0; c < 3; ++c) numbers[static_cast<std::size_t>(numbers_of::origin + c)] = origin[c];
    this->set_numbers(e, elements, numbers.data());
  }
};

template <int NodesPerEdge, class Problem, class Backend, int Elements>
template <class Threads, class Nodes, class Set>
void element_nodes<NodesPerEdge, Problem, Backend, Elements>::set_all(Threads const& threads, Nodes const& nodes,
                                                                      Set const& set)
{
  int const m = static_cast<int>(nodes.extent(1));
  if (m > NodesPerEdge)
    failf("isoparametric",
          "the mesh has more nodes per direction than the policy keeps (got %d, at most %d expected): "
          "write sumfac::isoparametric<%d>",
          m, NodesPerEdge, m);
  long double places[max_mesh_nodes_1d], barycentric[max_mesh_nodes_1d], values[max_mesh_nodes_1d];
  set(m, places);
  lagrange_weights(places, m, barycentric);
  long double raise[NodesPerEdge][max_mesh_nodes_1d];  // the kernel's differences enlarge what raising rounds off
  for (int q = 0; q < NodesPerEdge; ++q) {
    lagrange_values(places, barycentric, m, gauss_lobatto<NodesPerEdge>::nodes[static_cast<std::size_t>(q)], values);
    for (int i = 0; i < m; ++i) raise[q][i] = values[i];
  }
  index_t const elements = nodes.extent(0);
  threads.partition(elements, [&](index_t first, index_t last) {
    detail::own_vector<double> numbers(static_cast<std::size_t>(count));
    for (index_t e = first; e < last; ++e) {
      double origin[3];
      for (int c = 0; c < 3; ++c) origin[c] = static_cast<double>(nodes(e, 0, 0, 0, c));
      for (int c = 0; c < 3; ++c) {
        for (int q = 0; q < NodesPerEdge * NodesPerEdge * NodesPerEdge; ++q) {
          long double sum = 0;
          for (int k = 0; k < m; ++k)
            for (int j = 0; j < m; ++j) {
              long double const weight =
                  raise[q / (NodesPerEdge * NodesPerEdge)][k] * raise[q / NodesPerEdge % NodesPerEdge][j];
              if (weight == 0) continue;
              for (int i = 0; i < m; ++i)
                sum +=
                    weight * raise[q % NodesPerEdge][i] * (static_cast<long double>(nodes(e, k, j, i, c)) - origin[c]);
            }
          numbers[static_cast<std::size_t>(3 * q + c)] = static_cast<double>(sum);
        }
      }
      scale_and_set(e, elements, numbers, origin);
    }
  });
}

}  // namespace sumfac::detail
