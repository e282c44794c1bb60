// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of curved elements that kernels recompute geometry from.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/detail/tables.hpp>
#include <sumfac/basis/lagrange.hpp>
#include <sumfac/error.hpp>
#include <sumfac/geometry/mesh_nodes.hpp>
#include <sumfac/math/detail/power_of_two.hpp>
#include <sumfac/operator/geometry/element_maps.hpp>
#include <sumfac/operator/geometry/node_reader.hpp>
#include <sumfac/operator/geometry/number_range.hpp>
#include <sumfac/operator/work.hpp>


namespace sumfac::inline SUMFAC_TARGET::detail {

// M^3 Gauss-Lobatto nodes an element, as node_numbers has them.
template <int NodesPerEdge, class Problem, class Backend, int Elements = 1>
class element_nodes : public element_numbers<Problem, Backend,
                                             node_numbers<need_of<typename Problem::form>, NodesPerEdge>::count,
                                             Elements> {
  using form = typename Problem::form;
  using points = typename Problem::points;
  using numbers_of = node_numbers<need_of<form>, NodesPerEdge>;

public:
  using element_nodes::element_numbers::element_numbers;
  using element_nodes::element_numbers::count, element_nodes::element_numbers::packed;

  using reader = node_reader<NodesPerEdge, Problem, element_nodes::element_numbers::width, packed ? 1 : Elements>;

  // Takes all elements of a mesh of m <= NodesPerEdge nodes per direction, which the same polynomials interpolate.
  //
  // **Errors** argument_error for more.
  template <class Mesh, class Place>
  void set_up(Mesh const& mesh, form const& f, Place const&)
  {
    check_points<Problem, isoparametric<NodesPerEdge>>(mesh, f);
    *this = element_nodes(mesh.threads, mesh.elements());
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
    constexpr index_t g = Problem::quads_1d, m = NodesPerEdge;
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
    failf("isoparametric", "the mesh has more nodes per direction than the policy keeps (got %d, at most %d expected): "
          "write sumfac::isoparametric<%d>", m, NodesPerEdge, m);
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
