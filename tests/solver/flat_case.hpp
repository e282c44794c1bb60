// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of lines and quadrilaterals, in the plane and in space, with numbers of nodes, and problems on them.
#pragma once

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <dofs/global_vectors.hpp>

#include <support/numbering.hpp>
#include <support/random.hpp>
#include <support/rules.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace checks {

// A patch, (0, 1) or (0, 1)^2, is mapped into space and cut into cells; nodes at one place are one node, in random
// order. Elements are numbered patch by patch, x fastest.
struct patchwork {
  int coordinates, mesh_nodes_1d;
  std::vector<double> shape;                  // (E, m, m, C), (E, m, C)
  std::vector<std::array<double, 3>> places;  // of the nodes
  mesh::numbering numbers;

  // map(patch, s, t) is the place in space.
  template <class Map>
  patchwork(int directions, int of_coordinates, int patches, std::array<int, 2> cells, int degree, int m,
            Map const& map, std::uint64_t seed = 3)
      : coordinates(of_coordinates), mesh_nodes_1d(m)
  {
    numbers.directions = directions, numbers.nodes_1d = degree + 1;
    int const rows = directions == 2 ? cells[1] : 1;
    auto const nodes = reference::gauss_lobatto(degree + 1).nodes, of_mesh = reference::gauss_lobatto(m).nodes;
    for (int patch = 0; patch < patches; ++patch)
      for (int e = 0; e < cells[0] * rows; ++e, ++numbers.elements) {
        auto const at = [&](auto const& points, int i, int j) {
          double const s = (e % cells[0] + (1 + double(points[std::size_t(i)])) / 2) / cells[0];
          double const t = (e / cells[0] + (1 + double(points[std::size_t(j)])) / 2) / rows;
          return map(patch, s, t);
        };
        for (int j = 0; j < (directions == 2 ? m : 1); ++j)
          for (int i = 0; i < m; ++i)
            for (int c = 0; c < coordinates; ++c) shape.push_back(at(of_mesh, i, j)[std::size_t(c)]);
        for (int j = 0; j < (directions == 2 ? degree + 1 : 1); ++j)
          for (int i = 0; i <= degree; ++i) add_node(at(nodes, i, j));
      }
    auto const names = mesh::shuffled(numbers.nodes, seed);
    for (auto& node : numbers.table) node = names[std::size_t(node)];
    auto const in_order = places;
    for (std::size_t i = 0; i < places.size(); ++i) places[std::size_t(names[i])] = in_order[i];
  }

  std::size_t size() const { return places.size(); }

private:
  void add_node(std::array<double, 3> const& x)
  {
    auto const rounded = [](double a) { return std::lround(a * 1e9); };
    auto const key = std::make_tuple(rounded(x[0]), rounded(x[1]), rounded(x[2]));
    auto const [found, is_new] = known_.try_emplace(key, numbers.nodes);
    if (is_new) ++numbers.nodes, places.push_back(x);
    numbers.table.push_back(found->second);
  }
  std::map<std::tuple<long, long, long>, std::int64_t> known_;
};

// The mesh's nodes and a table as the library takes them.
template <int Directions>
auto nodes_view(patchwork const& mesh)
{
  int const m = mesh.mesh_nodes_1d;
  sumfac::gauss_lobatto_nodes const set;
  using view = sumfac::view<double const, sumfac::dextents<Directions + 2>>;
  if constexpr (Directions == 2)
    return sumfac::mesh_view(view(mesh.shape.data(), mesh.numbers.elements, m, m, mesh.coordinates), set);
  else
    return sumfac::mesh_view(view(mesh.shape.data(), mesh.numbers.elements, m, mesh.coordinates), set);
}
template <int Directions>
auto table_view(mesh::numbering const& numbers)
{
  int const n = numbers.nodes_1d;
  using view = sumfac::view<std::int64_t const, sumfac::dextents<Directions + 1>>;
  if constexpr (Directions == 2)
    return view(numbers.table.data(), numbers.elements, n, n);
  else
    return view(numbers.table.data(), numbers.elements, n);
}
template <int Directions, class Scalar = double, class Backend = sumfac::host>
auto restriction_of(mesh::numbering const& numbers, std::vector<std::uint8_t> const& marks, Backend const& backend = {},
                    sumfac::restriction_options const& options = {})
{
  sumfac::view<std::uint8_t const, sumfac::dextents<2>> const marked(marks.data(), numbers.nodes, options.components);
  if (marks.empty())
    return sumfac::restriction<Scalar, Backend>(backend, table_view<Directions>(numbers), numbers.nodes, options);
  return sumfac::restriction<Scalar, Backend>(backend, table_view<Directions>(numbers), numbers.nodes, marked, options);
}

// An operator on a mesh, fixed where `is_fixed` says of a place, and a right side that is 0 there.
template <class Operator>
struct flat_problem {
  using scalar = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  static constexpr int directions = Operator::directions, components = Operator::components;

  template <class Fixed>
  flat_problem(patchwork const& of, Fixed const& is_fixed, typename Operator::form_type const& form = {},
               sumfac::restriction_options options = {}, backend_type const& here = {})
      : backend(here),
        mesh(of),
        a(backend, nodes(), form),
        r(make_restriction(is_fixed, options)),
        b(support::random<scalar>(marks.size(), 5))
  {
    for (std::size_t i = 0; i < b.size(); ++i)
      if (marks[i] != 0) b[i] = 0;
  }

  auto nodes() const { return nodes_view<directions>(mesh); }

  backend_type backend;
  patchwork mesh;
  std::vector<std::uint8_t> marks;  // (nodes, C)
  Operator a;
  sumfac::restriction<scalar, backend_type> r;
  std::vector<scalar> b;

private:
  template <class Fixed>
  auto make_restriction(Fixed const& is_fixed, sumfac::restriction_options options)
  {
    for (auto const& x : mesh.places)
      for (int c = 0; c < components; ++c) marks.push_back(is_fixed(x, c) ? 1 : 0);
    options.components = components;
    return restriction_of<directions, scalar>(mesh.numbers, marks, backend, options);
  }
};

// (0, 1)^2 on which the maps below are: sheared with curved sides within, Kershaw's.
using place = std::array<double, 3>;

inline patchwork square(std::array<int, 2> cells, int degree, place (*map)(double, double))
{
  return {2, 2, 1, cells, degree, 4, [map](int, double s, double t) { return map(s, t); }};
}
constexpr double shear = 0.4;
inline place sheared(double s, double t)
{
  double const pi = 3.14159265358979323846, bump = 0.05 * std::sin(pi * s) * std::sin(pi * t), y = t - bump;
  return {s + bump + shear * y, y, 0};
}
inline place kershaw(double s, double t)
{
  auto const x = mesh::kershaw{}({s, t, 0});
  return {x[0], x[1], 0};
}
// The rims of both.
inline bool is_rim(double x, double y)
{
  auto const is_end = [](double a) { return std::abs(a) < 1e-9 || std::abs(a - 1) < 1e-9; };
  return is_end(x) || is_end(y);
}
inline bool is_rim_of_sheared(place const& x, int) { return is_rim(x[0] - shear * x[1], x[1]); }
inline bool is_rim_of_kershaw(place const& x, int) { return is_rim(x[0], x[1]); }

// A grid of boxes of many sizes.
inline place stretched(double s, double t) { return {s * (0.6 + 0.4 * s), 2 * t * t + t, 0}; }

// The unit sphere: a cube's six faces, blown up.
inline patchwork sphere(int cells, int degree)
{
  return {2, 3, 6, {cells, cells}, degree, 4, [](int side, double s, double t) {
            double const a = std::tan(0.25 * 3.14159265358979323846 * (2 * s - 1));
            double const b = std::tan(0.25 * 3.14159265358979323846 * (2 * t - 1));
            double const to = (side % 2 == 0 ? -1 : 1) / std::sqrt(1 + a * a + b * b);
            place x{};
            x[std::size_t(side / 2)] = to;
            x[std::size_t((side / 2 + 1) % 3)] = a * std::abs(to);
            x[std::size_t((side / 2 + 2) % 3)] = b * to;
            return x;
          }};
}

}  // namespace checks
