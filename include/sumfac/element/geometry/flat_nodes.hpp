// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The policies that keep no factors, on quadrilaterals, lines, surfaces and curves: an element's nodes, M in each
// direction.
#pragma once

#include <sumfac/backend/detail/global_memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/element/geometry/element_nodes.hpp>
#include <sumfac/element/geometry/number_range.hpp>
#include <sumfac/element/geometry/setup_numbers.hpp>
#include <sumfac/element/work.hpp>
#include <sumfac/error.hpp>
#include <sumfac/math/detail/atomic.hpp>
#include <sumfac/math/detail/power_of_two.hpp>
#include <sumfac/mesh/mapping.hpp>
#include <sumfac/mesh/maps/element_shapes.hpp>
#include <sumfac/mesh/maps/point_places.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/mesh/policy.hpp>

#include <limits>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Numbers of an element of M^D nodes in C coordinates: the nodes, relative to the first of them and over a power of two
// of their size; that scale; the first node.
template <int NodesPerEdge, int Directions, int Coordinates>
struct flat_numbers {
  static constexpr int nodes = node_box(NodesPerEdge, Directions).all();
  static constexpr int scale = Coordinates * nodes, origin = scale + 1, count = origin + Coordinates;
};

// A point as apply_form takes it, by its mapping, which has what forms ask of points.
template <class Mapping>
struct flat_point : Mapping {
  SUMFAC_INLINE explicit flat_point(Mapping const& x) : Mapping(x) {}
  SUMFAC_INLINE Mapping const& map() const { return *this; }
};

// Nodes of the elements of a group; a line of points contracts them along y, and each of its points along x.
//
// **Shapes** (groups, Elements, count, Width): node y, x, coordinate; scale; origin.
template <int NodesPerEdge, class Problem, int Width, int Elements>
struct flat_reader {
  using number = typename Problem::factor_number;
  using scalar = typename Problem::number;
  using points = typename Problem::points;
  static constexpr int m = NodesPerEdge, directions = Problem::directions, coordinates = Problem::coordinates;
  using numbers = flat_numbers<m, directions, coordinates>;
  static constexpr bool is_split = false, reads_factors = false, prepares = false;
  template <int>
  static constexpr bool makes_planes = false;
  static constexpr index_t group_bytes = 0, pack_bytes = 0;
  static constexpr int count = numbers::count;
  template <class T>
  using mapping_type = mapping<T, directions, coordinates>;

  number const* stored = nullptr;
  point_places<scalar, points> places = {};
  node_tables<scalar, points, m> tables = {};
  element_range elements = {};

  // A row of points: at the nodes along x, the place and its y derivative.
  template <class T>
  struct line_of_nodes {
    flat_reader const& reader;
    place_on_line<0> place;
    T scale, weight;
    vector<T, coordinates> origin, at[m], along_y[m];

    SUMFAC_INLINE auto operator()(int q) const
    {
      vector<T, coordinates> position{};
      matrix<T, coordinates, directions> jacobian{};
      SUMFAC_UNROLL
      for (int i = 0; i < m; ++i) {
        scalar const l = reader.tables.values(q, i), dl = reader.tables.slopes(q, i);
        SUMFAC_UNROLL
        for (int c = 0; c < coordinates; ++c) {
          position[c] = fma(l, at[i][c], position[c]);
          jacobian(c, 0) = fma(dl, at[i][c], jacobian(c, 0));
          if constexpr (directions >= 2) jacobian(c, 1) = fma(l, along_y[i][c], jacobian(c, 1));
        }
      }
      SUMFAC_UNROLL
      for (int c = 0; c < coordinates; ++c) position[c] = fma(scale, position[c], origin[c]);
      T const of_point = static_cast<T>(reader.places.weight(q)) * weight;
      return flat_point<mapping_type<T>>(mapping_type<T>(jacobian, of_point, position, scale, place(q)));
    }
  };

  template <class T, int Direction>
  SUMFAC_INLINE line_of_nodes<T> line(index_t group, int e, int a, int b) const
  {
    return line_of<T, Direction>(group, group, e, a, b);
  }
  // The same where the nodes are those of another group.
  template <class T, int Direction>
  SUMFAC_INLINE line_of_nodes<T> line_of(index_t from, index_t group, int e, int, int b) const
  {
    static_assert(Direction == 0, "rows of points alone");
    index_t const element = from * Elements + e;
    place_on_line<0> const place{elements, (group * Elements + e) * Width, 0, b};
    line_of_nodes<T> line{*this,
                          place,
                          number_at<T>(element, numbers::scale),
                          static_cast<T>(directions >= 2 ? places.weights[b] : scalar(1)),
                          {},
                          {},
                          {}};
    SUMFAC_UNROLL
    for (int c = 0; c < coordinates; ++c) line.origin[c] = number_at<T>(element, numbers::origin + c);
    SUMFAC_UNROLL
    for (int i = 0; i < m; ++i) {
      SUMFAC_UNROLL
      for (int c = 0; c < coordinates; ++c) {
        if constexpr (directions == 1) {
          line.at[i][c] = number_at<T>(element, coordinates * i + c);
        } else {
          T at{}, slope{};
          SUMFAC_UNROLL
          for (int j = 0; j < m; ++j) {
            T const x = number_at<T>(element, coordinates * (j * m + i) + c);
            at = fma(tables.values(b, j), x, at);
            slope = fma(tables.slopes(b, j), x, slope);
          }
          line.at[i][c] = at, line.along_y[i][c] = slope;
        }
      }
    }
    return line;
  }

  // The nodes of a group come with its vectors.
  static constexpr int prefetch_lines = Width > 1 ? static_cast<int>((count * Width * sizeof(number) + 63) / 64) : 0;
  SUMFAC_INLINE char const* prefetch_from(index_t group) const
  {
    return reinterpret_cast<char const*>(stored + (group + 1) * (count * Width));
  }

private:
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

// An element's nodes in `to` as polynomials of M nodes per direction have them, those of its first node first.
//
// **Shapes** raise (M, m): the mesh's basis at the M nodes; to (M, M, C) or (M, C).
template <int NodesPerEdge, int Directions, int Coordinates, class Nodes>
void raise_nodes(Nodes const& nodes, index_t e, int m, long double const (*raise)[max_mesh_nodes_1d],
                 double const (&origin)[Coordinates], double* to)
{
  node_box const box(NodesPerEdge, Directions);
  for (int y = 0; y < box.y; ++y)
    for (int x = 0; x < box.x; ++x)
      for (int c = 0; c < Coordinates; ++c) {
        long double sum = 0;
        for (int j = 0; j < (Directions == 2 ? m : 1); ++j)
          for (int i = 0; i < m; ++i) {
            long double const weight = raise[x][i] * (Directions == 2 ? raise[y][j] : 1.0L);
            if constexpr (Directions == 2)
              sum += weight * (static_cast<long double>(nodes(e, j, i, c)) - origin[c]);
            else
              sum += weight * (static_cast<long double>(nodes(e, i, c)) - origin[c]);
          }
        *to++ = static_cast<double>(sum);
      }
}

// What is kept of flat elements by Policy: isoparametric<M>, or affine and trilinear, which stand for M = 2.
template <class Policy, int NodesPerEdge, class Problem, class Backend, int Elements = 1>
class flat_nodes
    : public element_numbers<Problem, Backend,
                             flat_numbers<NodesPerEdge, Problem::directions, Problem::coordinates>::count, Elements> {
  using form = typename Problem::form;
  static constexpr int m_kept = NodesPerEdge, directions = Problem::directions, coordinates = Problem::coordinates;
  using numbers_of = flat_numbers<m_kept, directions, coordinates>;

public:
  using flat_nodes::element_numbers::count, flat_nodes::element_numbers::packed;
  using reader = flat_reader<m_kept, Problem, flat_nodes::element_numbers::width, packed ? 1 : Elements>;

  // Takes all elements of a mesh, of at most M nodes per direction, or near what Policy puts in their place.
  //
  // **Errors** argument_error for more nodes; geometry_error for elements that are farther from it.
  template <class Mesh, class Place>
  void set_up(Mesh const& mesh, form const& f, Place const&)
  {
    check_points<Problem, Policy>(mesh, f);
    this->resize(mesh.threads, mesh.elements());
    auto const& nodes = mesh.nodes;
    int const m = static_cast<int>(nodes.extent(1));
    if (is_isoparametric<Policy> && m > m_kept)
      failf("isoparametric",
            "the mesh has more nodes per direction than the policy keeps (got %d, at most %d expected): "
            "write sumfac::isoparametric<%d>",
            m, m_kept, m);
    long double places[max_mesh_nodes_1d], barycentric[max_mesh_nodes_1d], raise[m_kept][max_mesh_nodes_1d];
    long double lower[max_mesh_nodes_1d][m_kept], ends[m_kept], of_ends[m_kept];
    mesh.node_set(m, places);
    lagrange_weights(places, m, barycentric);
    for (int q = 0; q < m_kept; ++q) {
      ends[q] = gauss_lobatto<m_kept>::nodes[static_cast<std::size_t>(q)];
      lagrange_values(places, barycentric, m, ends[q], raise[q]);
    }
    lagrange_weights(ends, m_kept, of_ends);
    for (int i = 0; i < m; ++i) lagrange_values(ends, of_ends, m_kept, places[i], lower[i]);
    auto const take = [&](index_t e, double(&origin)[coordinates], double* numbers) {
      for (int c = 0; c < coordinates; ++c) origin[c] = coordinate(nodes, e, 0, 0, c);
      raise_nodes<m_kept, directions, coordinates>(nodes, e, m, raise, origin, numbers);
    };
    first_of_all refused(mesh.elements());
    mesh.threads.partition(mesh.elements(), [&](index_t first, index_t last) {
      own_vector<double> numbers(static_cast<std::size_t>(count));
      double origin[coordinates];
      for (index_t e = first; e < last; ++e) {
        take(e, origin, numbers.data());
        if constexpr (!is_isoparametric<Policy>)
          if (!(defect_of(nodes, e, numbers.data(), origin, lower) <= mesh.tolerance)) return refused.keep(e);
        keep(e, mesh.elements(), numbers.data(), origin);
      }
    });
    if (refused.index() == mesh.elements()) return;
    double origin[coordinates], numbers[count];
    take(refused.index(), origin, numbers);
    refuse_shape(std::is_same_v<Policy, affine> ? "affine" : "trilinear", refused.index(),
                 defect_of(nodes, refused.index(), numbers, origin, lower), mesh.tolerance, "");
  }

  // Takes one element of some: the bilinear map of its vertices.
  void set(index_t e, index_t elements, trilinear_map<double> const& x)
    requires(m_kept == 2)
  {
    double numbers[count], origin[coordinates];
    auto const term = [&](int bits, int c) { return x.term[bits][c]; };
    for (int c = 0; c < coordinates; ++c) {
      origin[c] = term(0, c) - term(1, c) - term(2, c) + term(3, c);
      for (int vertex = 0; vertex < (directions == 2 ? 4 : 2); ++vertex) {
        double const along_x = vertex % 2 == 1 ? term(1, c) - term(3, c) : 0;
        double const along_y = vertex / 2 == 1 ? term(2, c) - term(3, c) : 0, both = vertex == 3 ? 2 * term(3, c) : 0;
        numbers[vertex * coordinates + c] = 2 * (along_x + along_y + both);
      }
    }
    keep(e, elements, numbers, origin);
  }

  // read(backend)(e, z, y, x, f): calls f with point (y, x) of element e, in double; the host can read it.
  auto read(Backend const& backend) const
  {
    return [number = this->read_numbers(backend)](index_t e, int, int y, int x, auto const& f) {
      static constexpr node_tables<double, typename Problem::points, m_kept> tables{};
      static constexpr point_places<double, typename Problem::points> places{};
      matrix<double, coordinates, directions> jacobian{};
      vector<double, coordinates> position{};
      node_box const box(m_kept, directions);
      for (int j = 0, at = 0; j < box.y; ++j)
        for (int i = 0; i < box.x; ++i)
          for (int c = 0; c < coordinates; ++c, ++at) {
            double const in = number(e, at), ly = directions == 2 ? tables.values(y, j) : 1.0;
            jacobian(c, 0) += in * tables.slopes(x, i) * ly;
            if constexpr (directions == 2) jacobian(c, 1) += in * tables.values(x, i) * tables.slopes(y, j);
            position[c] += in * tables.values(x, i) * ly;
          }
      double const scale = number(e, numbers_of::scale);
      for (int c = 0; c < coordinates; ++c) position[c] = fma(scale, position[c], number(e, numbers_of::origin + c));
      double const weight = places.weights[x] * (directions == 2 ? places.weights[y] : 1.0);
      using mapping_type = mapping<double, directions, coordinates>;
      f(flat_point<mapping_type>(mapping_type(jacobian, weight, position, scale)));
    };
  }

  // The contractions, and what applying the form to a mapping costs above applying it to factors.
  index_t geometry_flops(form const& f, index_t elements) const
  {
    constexpr index_t points = Problem::points_of_element, rows = Problem::points_y;
    constexpr index_t of_row = directions == 2 ? 4 * coordinates * m_kept * m_kept : 0;
    constexpr index_t of_point = 2 * coordinates * (1 + directions) * m_kept;
    return elements * (rows * of_row + points * (of_point + mapping_flops<directions, coordinates>(f)));
  }

private:
  // Takes the nodes of an element, relative to the first, and that.
  void keep(index_t e, index_t elements, double* numbers, double const (&origin)[coordinates])
  {
    double const scale = scale_of(numbers, numbers_of::scale);
    for (int i = 0; i < numbers_of::scale; ++i) numbers[i] /= scale;
    numbers[numbers_of::scale] = scale;
    for (int c = 0; c < coordinates; ++c) numbers[numbers_of::origin + c] = origin[c];
    this->set_numbers(e, elements, numbers);
  }

  // How far an element is from what Policy puts in its place, as a fraction of its size, beyond the rounding of its
  // coordinates.
  template <class Nodes>
  static double defect_of(Nodes const& nodes, index_t e, double const* kept, double const (&origin)[coordinates],
                          long double const (*lower)[m_kept])
  {
    int const m = static_cast<int>(nodes.extent(1));
    double low[coordinates] = {}, high[coordinates] = {}, most = 0, largest = 0;
    for (int j = 0; j < (directions == 2 ? m : 1); ++j)
      for (int i = 0; i < m; ++i) {
        double square = 0;
        for (int c = 0; c < coordinates; ++c) {
          double const at = coordinate(nodes, e, j, i, c);
          long double of_policy = 0;
          for (int y = 0, k = c; y < (directions == 2 ? 2 : 1); ++y)
            for (int x = 0; x < 2; ++x, k += coordinates)
              of_policy += lower[i][x] * (directions == 2 ? lower[j][y] : 1.0L) * kept[k];
          double const distance = at - origin[c] - static_cast<double>(of_policy);
          square += distance * distance;
          low[c] = __builtin_fmin(low[c], at - origin[c]), high[c] = __builtin_fmax(high[c], at - origin[c]);
          largest = __builtin_fmax(largest, __builtin_fabs(at));
        }
        most = __builtin_fmax(most, __builtin_sqrt(square));
      }
    double size = 0, twist = 0;
    for (int c = 0; c < coordinates; ++c) {
      size += (high[c] - low[c]) * (high[c] - low[c]);
      if constexpr (directions == 2) {
        double const t = kept[c] - kept[coordinates + c] - kept[2 * coordinates + c] + kept[3 * coordinates + c];
        twist += t * t / 16;
      }
    }
    if (std::is_same_v<Policy, affine>) most = __builtin_fmax(most, __builtin_sqrt(twist));
    size = __builtin_sqrt(size);
    using entry = std::remove_const_t<typename Nodes::element_type>;
    double const rounding = 8 * double{std::numeric_limits<entry>::epsilon()} * largest / size;
    return most / size - rounding;
  }
  template <class Nodes>
  static double coordinate(Nodes const& nodes, index_t e, [[maybe_unused]] int j, int i, int c)
  {
    if constexpr (directions == 2)
      return static_cast<double>(nodes(e, j, i, c));
    else
      return static_cast<double>(nodes(e, i, c));
  }
};

}  // namespace sumfac::detail
