// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Elements kept as a few numbers, from which kernels make the geometry of points: as their nodes, of any number of
// directions, for `isoparametric`, and where elements have fewer than three directions for all policies that keep no
// factors; as maps, for `affine` and `trilinear`.
#pragma once

#include <sumfac/element/geometry/map_reader.hpp>
#include <sumfac/element/geometry/node_reader.hpp>
#include <sumfac/element/geometry/number_range.hpp>
#include <sumfac/element/geometry/setup_numbers.hpp>
#include <sumfac/element/work.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Calls take(e, relative, first) for all elements of a mesh, on threads: with their nodes, of which elements with fewer
// get more, direction by direction, until there are `kept` of Gauss and Lobatto's in each, relative to the first, and
// that. Elements are of the nodes' directions and so many coordinates.
//
// **Errors** argument_error for more nodes.
template <int Directions, class Threads, class Nodes, class Set, class Take>
void raise_nodes(Threads const& threads, Nodes const& nodes, Set const& set, int kept, int coordinates,
                 Take const& take)
{
  int const m = static_cast<int>(nodes.extent(1));
  if (m > kept)
    failf("isoparametric",
          "the mesh has more nodes per direction than the policy keeps (got %d, at most %d expected): "
          "write sumfac::isoparametric<%d>",
          m, kept, m);
  long double places[max_mesh_nodes_1d], barycentric[max_mesh_nodes_1d];
  set(m, places);
  lagrange_weights(places, m, barycentric);
  long double of_kept[max_points], weights[max_points];
  make_gauss_lobatto(kept, of_kept, weights);
  long double raise[max_points][max_mesh_nodes_1d];  // the kernel's differences enlarge what raising rounds off
  for (int q = 0; q < kept; ++q) lagrange_values(places, barycentric, m, of_kept[q], raise[q]);
  auto const all = static_cast<std::size_t>(coordinates * node_box(kept, Directions).all());
  threads.partition(nodes.extent(0), [&](index_t begin, index_t end) {
    own_vector<double> numbers(all);
    own_vector<long double> sums(2 * all);
    long double *from = sums.data(), *to = from + all;
    for (index_t e = begin; e < end; ++e) {
      double first[3] = {};
      for (int c = 0; c < coordinates; ++c) first[c] = static_cast<double>(mesh_node(nodes, e, 0, 0, 0, c));
      node_box const of_mesh(m, Directions);
      long double* x = from;
      for (int k = 0; k < of_mesh.z; ++k)
        for (int j = 0; j < of_mesh.y; ++j)
          for (int i = 0; i < of_mesh.x; ++i)
            for (int c = 0; c < coordinates; ++c)
              *x++ = static_cast<long double>(mesh_node(nodes, e, k, j, i, c)) - static_cast<long double>(first[c]);
      // Along x, whose nodes are `inner` numbers apart, then y, then z.
      int outer = of_mesh.rows(), inner = coordinates;
      for (int d = 0; d < Directions; ++d, outer /= m, inner *= kept) {
        for (int o = 0; o < outer; ++o)
          for (int q = 0; q < kept; ++q)
            for (int i = 0; i < inner; ++i) {
              long double sum = 0;
              for (int k = 0; k < m; ++k) sum += raise[q][k] * from[(o * m + k) * inner + i];
              to[(o * kept + q) * inner + i] = sum;
            }
        std::swap(from, to);
      }
      for (std::size_t i = 0; i < all; ++i) numbers[i] = static_cast<double>(from[i]);
      take(e, numbers.data(), first);
    }
  });
}

// M^D Gauss-Lobatto nodes an element, as node_numbers has them, for Policy: isoparametric<M>, or affine and trilinear,
// which stand for M = 2.
template <class Policy, int NodesPerEdge, class Problem, class Backend, int Elements = 1>
class mapped_elements : public element_numbers<Problem, Backend, node_numbers<Problem, NodesPerEdge>::count, Elements> {
  using form = typename Problem::form;
  using points = typename Problem::points;
  using numbers_of = node_numbers<Problem, NodesPerEdge>;
  static constexpr int m_kept = NodesPerEdge, directions = Problem::directions, coordinates = Problem::coordinates;

public:
  using mapped_elements::element_numbers::count, mapped_elements::element_numbers::packed;
  using reader = node_reader<m_kept, Problem, mapped_elements::element_numbers::width, packed ? 1 : Elements>;

  // Takes all elements of a mesh of at most M nodes per direction, which the same polynomials interpolate, or those
  // that are near what Policy puts in their place.
  //
  // **Errors** argument_error for more nodes; geometry_error for elements that are farther from it.
  template <class Mesh, class Place>
  void set_up(Mesh const& mesh, form const& f, Place const&)
  {
    check_points<Problem, Policy>(mesh, f);
    this->resize(mesh.threads, mesh.elements());
    if constexpr (is_isoparametric<Policy>)
      raise_all(mesh.threads, mesh.nodes, mesh.node_set);
    else
      set_shapes<Policy>(mesh.threads, mesh.shapes(), *this);
  }

  // Takes one element of some: the multilinear map of its vertices.
  void set(index_t e, index_t elements, trilinear_map<double> const& x)
    requires(m_kept == 2)
  {
    this->set_numbers(e, elements, numbers_of::of(x).value);
  }

  // read(backend)(e, z, y, x, f): calls f with point (z, y, x) of element e, in double; the host can read it. The nodes
  // are contracted direction by direction.
  auto read(Backend const& backend) const
  {
    return [number = this->read_numbers(backend)](index_t e, int z, int y, int x, auto const& f) {
      static constexpr node_tables<double, points, m_kept> tables{};
      static constexpr point_places<double, points> places{};
      int const at[] = {x, y, z};
      double fields[1 + directions][numbers_of::nodes / m_kept];  // coordinates, their derivatives
      double weight = 1;
      for (int d = directions - 1, rest = numbers_of::nodes / m_kept; d >= 0; --d, rest /= m_kept) {
        auto const sum = [&](auto const& row, int field, int i) {
          double s = 0;
          for (int k = 0; k < m_kept; ++k)
            s += row(at[d], k) * (d == directions - 1 ? number(e, k * rest + i) : fields[field][k * rest + i]);
          return s;
        };
        for (int i = 0; i < rest; ++i) {
          fields[1 + d][i] = sum(tables.slopes, 0, i);
          fields[0][i] = sum(tables.values, 0, i);
          for (int done = d + 1; done < directions; ++done) fields[1 + done][i] = sum(tables.values, 1 + done, i);
        }
        weight *= places.weights[at[d]];
      }
      double const scale = numbers_of::has_scale ? number(e, numbers_of::scale) : 1;
      matrix<double, coordinates, directions> jacobian{};
      vector<double, coordinates> position{};
      for (int c = 0; c < coordinates; ++c) {
        for (int d = 0; d < directions; ++d) jacobian(c, d) = fields[1 + d][c];
        position[c] = numbers_of::has_origin ? fma(scale, fields[0][c], number(e, numbers_of::origin + c)) : 0;
      }
      f(mapped_point<double, directions, coordinates>{{jacobian, weight, position, scale}});
    };
  }

  // The contractions, and what applying the form to a mapping costs above applying it to factors.
  index_t geometry_flops(form const& f, index_t elements) const
  {
    constexpr index_t g = Problem::points_1d, m = m_kept;
    constexpr bool collocated = is_collocated<gauss_lobatto<m_kept>, points>;
    index_t flops = 0, lines = node_box(m_kept, directions).all();
    for (int fields = 2; fields <= directions; ++fields) {
      lines = lines / m * g;
      flops += lines * 2 * m * fields * coordinates;
    }
    constexpr index_t sums = 1 + (collocated ? 0 : directions - 1 + (numbers_of::has_origin ? 1 : 0));
    index_t const of_point = 2 * m * coordinates * sums + mapping_flops<directions, coordinates>(f);
    return elements * (flops + Problem::points_of_element * of_point);
  }

private:
  template <class Threads, class Nodes, class Set>
  void raise_all(Threads const& threads, Nodes const& nodes, Set const& set)
  {
    index_t const elements = nodes.extent(0);
    raise_nodes<directions>(threads, nodes, set, m_kept, coordinates,
                            [&](index_t e, double const* relative, double const* first) {
                              this->set_numbers(e, elements, numbers_of::of(relative, first).value);
                            });
  }
};

// The maps of affine and trilinear elements, as Policy and the need of the form have them.
template <class Policy, class Problem, class Backend, int Elements = 1>
class element_maps
    : public element_numbers<Problem, Backend,
                             element_lines<Policy, need_of<typename Problem::form>>::template map<double>::count,
                             Elements> {
  using form = typename Problem::form;
  using points = typename Problem::points;
  using number = typename Problem::number;

public:
  using lines = element_lines<Policy, need_of<form>>;
  using element_maps::element_numbers::count, element_maps::element_numbers::packed;

  using reader = map_reader<Policy, Problem, element_maps::element_numbers::width, packed ? 1 : Elements>;

  // Takes all elements of a mesh, which must be near what Policy puts in their place.
  template <class Mesh, class Place>
  void set_up(Mesh const& mesh, form const& f, Place const&)
  {
    check_points<Problem, Policy>(mesh, f);
    this->resize(mesh.threads, mesh.elements());
    set_shapes<Policy>(mesh.threads, mesh.shapes(), *this);
    if constexpr (!Problem::is_tensor) {
      places_.resize(mesh.threads, 4 * points::size);
      for (std::size_t q = 0; q < std::size_t{points::size}; ++q) {
        for (std::size_t d = 0; d < 3; ++d)
          places_[static_cast<index_t>(4 * q + d)] = static_cast<number>(points::points[q][d]);
        places_[static_cast<index_t>(4 * q + 3)] = static_cast<number>(points::weights[q]);
      }
    }
  }

  void commit(Backend const& backend)
  {
    element_maps::element_numbers::commit(backend);
    if constexpr (!Problem::is_tensor) places_.commit(backend);
  }

  // Where kernels read the places of points.
  typename reader::places_type places() const
  {
    if constexpr (Problem::is_tensor)
      return {};
    else
      return {places_.data()};
  }

  void set(index_t e, index_t elements, trilinear_map<double> const& x)
  {
    auto const map = lines::template map<double>::of(x);
    double numbers[count];
    std::memcpy(numbers, &map, sizeof map);
    this->set_numbers(e, elements, numbers);
  }

  // read(backend)(e, z, y, x, f): calls f with point (z, y, x) of element e, in double; the host can read it.
  auto read(Backend const& backend) const
  {
    return [number = this->read_numbers(backend)](index_t e, int z, int y, int x, auto const& f) {
      double numbers[count];
      for (int k = 0; k < count; ++k) numbers[k] = number(e, k);
      typename lines::template map<double> map_of_e;
      std::memcpy(&map_of_e, numbers, sizeof map_of_e);
      if constexpr (!Problem::is_tensor) {
        double at[4] = {0, 0, 0, static_cast<double>(points::weights[static_cast<std::size_t>(x)])};
        for (std::size_t d = 0; d < 3; ++d) at[d] = static_cast<double>(points::points[static_cast<std::size_t>(x)][d]);
        return f(typename points_of_cell<double, decltype(map_of_e), int>::point{map_of_e, at});
      } else {
        static constexpr point_places<double, points> places{};
        auto const line = lines::template line<0, double>(map_of_e, places.nodes[y], places.nodes[z],
                                                          places.weights[y] * places.weights[z]);
        f(line.at(places.nodes[x], places.weights[x]));
      }
    };
  }

  index_t geometry_flops(form const& f, index_t elements) const
  {
    constexpr index_t g = Problem::points_1d, lines_of_element = Problem::is_tensor ? g * g : 1;
    return elements * detail::geometry_flops<lines, std::is_same_v<Policy, affine>>(f, g, lines_of_element);
  }

private:
  setup_numbers<number, Backend> places_;  // of points that are no products of lines
};

}  // namespace sumfac::detail
