// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A box cut into triangles, tetrahedra or prisms, of straight or bent edges, and what teams compute on it.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/mesh/cell_mesh.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/view/view.hpp>

#include <catch2/catch.hpp>
#include <support/moved.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <type_traits>
#include <vector>

namespace checks {

// The vertices of the elements that [0, 1]^D cut into `cells` along each direction consists of, (E, V, D).
inline std::vector<double> vertices_of_box(sumfac::space const& of, int cells)
{
  using table = std::vector<std::vector<int>>;  // corners of a cube, a bit for each direction
  table const triangles = {{0, 1, 3}, {0, 3, 2}};
  table const tetrahedra = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  table const prisms = {{0, 1, 3, 4, 5, 7}, {0, 3, 2, 4, 7, 6}};
  table const& parts = of.directions == 2 ? triangles : of.shape == sumfac::cell_shape::prism ? prisms : tetrahedra;
  std::vector<double> numbers;
  for (int k = 0; k < (of.directions == 3 ? cells : 1); ++k)
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i)
        for (auto const& part : parts)
          for (int const corner : part) {
            int const at[] = {i, j, k};
            for (int d = 0; d < of.directions; ++d) numbers.push_back(double(at[d] + (corner >> d & 1)) / cells);
          }
  return numbers;
}

// Where the nodes of a space lie on these elements, (E, P, D), each moved by `move`.
template <class Move>
std::vector<double> nodes_of_box(sumfac::space const& of, int cells, Move const& move)
{
  std::vector<double> const vertices = vertices_of_box(of, cells);
  sumfac::space straight = of;
  straight.degree = 1;
  auto const basis = sumfac::detail::basis_of(of), corners = sumfac::detail::basis_of(straight);
  auto const count = std::size_t(corners.size()), d = std::size_t(of.directions);
  std::vector<double> numbers;
  std::vector<long double> values(count), gradients(count * d);
  for (std::size_t e = 0; e < vertices.size() / (count * d); ++e)
    for (int p = 0; p < basis.size(); ++p) {
      long double at[3] = {};
      for (int a = 0; a < of.directions; ++a) at[a] = basis.node(p, a);
      corners.evaluate(at, values.data(), gradients.data());
      double x[3] = {};
      for (std::size_t c = 0; c < d; ++c)
        for (std::size_t v = 0; v < count; ++v) x[c] += double(values[v]) * vertices[(e * count + v) * d + c];
      move(x);
      numbers.insert(numbers.end(), x, x + d);
    }
  return numbers;
}

inline auto const straight = [](double*) {};

using cell_nodes = sumfac::view<double const, sumfac::dextents<3>>;
inline cell_nodes nodes_view(std::vector<double> const& numbers, int nodes, int coordinates)
{
  return cell_nodes(numbers.data(), sumfac::index_t(numbers.size()) / (nodes * coordinates), nodes, coordinates);
}

// Such elements as a mesh, every other one turned, so that sides meet in all ways.
struct box_of_cells {
  std::vector<double> points;
  std::vector<int> table;
  int vertices, coordinates;

  box_of_cells(sumfac::space const& of, int cells)
      : vertices(sumfac::detail::sides_of_cell(of.shape, of.directions).vertices), coordinates(of.directions)
  {
    std::map<std::vector<long>, int> known;
    auto const places = vertices_of_box(of, cells);
    for (std::size_t i = 0; i < places.size(); i += std::size_t(coordinates)) {
      std::vector<long> key;
      for (int c = 0; c < coordinates; ++c) key.push_back(std::lround(1000 * places[i + std::size_t(c)]));
      auto const [found, is_new] = known.emplace(key, int(known.size()));
      table.push_back(found->second);
      if (is_new) points.insert(points.end(), &places[i], &places[i] + coordinates);
    }
    for (std::size_t e = 0; e < table.size() / std::size_t(vertices); ++e) {
      int* const own = &table[e * std::size_t(vertices)];
      for (std::size_t turn = 0; turn < e % 3; ++turn) {  // three vertices around, of prisms in both triangles
        int const first = own[0];
        own[0] = own[1], own[1] = own[2], own[2] = first;
        if (vertices < 6) continue;
        int const upper = own[3];
        own[3] = own[4], own[4] = own[5], own[5] = upper;
      }
    }
  }
  template <class Mesh>
  Mesh mesh() const
  {
    return {sumfac::view(points.data(), sumfac::index_t(points.size()) / coordinates, coordinates),
            sumfac::view(table.data(), sumfac::index_t(table.size()) / vertices, vertices)};
  }
};

// (v, b . grad u) + (grad v, c u): no symmetry, value and gradient on either side.
struct drift {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::gradient;

  template <class T, int Dim>
  struct factors {
    T measure;
    sumfac::vector<T, Dim> wind;
  };
  template <class T, int Dim>
  SUMFAC_FUNCTION factors<T, Dim> setup(sumfac::mapping<T, Dim> const& x) const
  {
    factors<T, Dim> f{x.measure(), {}};
    auto const inverse = x.inverse();
    for (int d = 0; d < Dim; ++d) f.wind[d] = f.measure * (inverse(d, 0) + T(0.5) * inverse(d, 1));
    return f;
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, Dim> apply(factors<T, Dim> const& f,
                                                        sumfac::point_values<T, 1, Dim> const& u) const
  {
    sumfac::point_values<T, 1, Dim> v{};
    for (int d = 0; d < Dim; ++d) v.gradient[d] = f.wind[d] * (u.value + u.gradient[0]);
    return v;
  }
};

// ((1 + u^2 + |grad u|^2) grad u, grad v) + (u^3, v)
struct hardening {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;
  static constexpr bool linear = false;

  template <class T, int Dim>
  struct factors {
    sumfac::symmetric<T, Dim> metric;
    T measure;
  };
  template <class T, int Dim, int Coordinates>
  SUMFAC_FUNCTION factors<T, Dim> setup(sumfac::mapping<T, Dim, Coordinates> const& x) const
  {
    return {x.metric(), x.measure()};
  }
  template <class T, class U, int Dim>
  SUMFAC_FUNCTION sumfac::point_values<U, 1, Dim> apply(factors<T, Dim> const& f,
                                                        sumfac::point_values<U, 1, Dim> const& u) const
  {
    auto const flux = f.metric * u.gradient;
    U const square = u.value * u.value, steepness = dot(u.gradient, flux) * (sumfac::scalar_of<T>(1) / f.measure);
    return {.value = f.measure * (square * u.value), .gradient = (sumfac::scalar_of<T>(1) + square + steepness) * flux};
  }
};
// Tables of elements of D directions, of sizes that are known at run time alone.
inline constexpr sumfac::space of_any_size(int directions)
{
  return sumfac::tabulated(sumfac::dynamic, sumfac::dynamic, directions);
}
// The functions of a space, and of its map, at the points of a rule, as such tables.
template <class Points>
sumfac::tabulated_basis as_tables(sumfac::space const& of, sumfac::space const& map)
{
  std::vector<double> numbers[4], weights;
  auto const put = [](sumfac::space const& functions, auto const& point, auto& values, auto& gradients) {
    auto const basis = sumfac::detail::basis_of(functions);
    std::vector<long double> v(static_cast<std::size_t>(basis.size()));
    std::vector<long double> g(v.size() * std::size_t(functions.directions));
    basis.evaluate(point.data(), v.data(), g.data());
    values.insert(values.end(), v.begin(), v.end()), gradients.insert(gradients.end(), g.begin(), g.end());
  };
  for (std::size_t q = 0; q < std::size_t(Points::size); ++q) {
    put(of, Points::points[q], numbers[0], numbers[1]), put(map, Points::points[q], numbers[2], numbers[3]);
    weights.push_back(double(Points::weights[q]));
  }
  int const q = Points::size, p = sumfac::detail::functions_of_cell(of), m = sumfac::detail::functions_of_cell(map);
  int const d = of.directions;
  return {sumfac::view(numbers[0].data(), q, p), sumfac::view(numbers[1].data(), q, p, d),
          sumfac::view(weights.data(), q), sumfac::view(numbers[2].data(), q, m),
          sumfac::view(numbers[3].data(), q, m, d)};
}

// Tables by matrices, of so many elements a team.
template <int Elements>
using by_matrices = sumfac::tuned<sumfac::tuning{.way = sumfac::variant::matrices, .elements = Elements}>;

// By the teams of a device, or of `checked`, what packs of the host compute, on elements that are bent where factors
// are stored, of so many cells a direction; transposed, the diagonal, and on global vectors. The host's factors are
// stored, those of the backend of Geometry and Options; its functions may be tables whose sizes are known at run time
// alone.
template <class Form, sumfac::space Space, class Scalar, class Backend, class Geometry = sumfac::stored,
          sumfac::space OfTeams = Space, class... Options>
void agrees_on_teams(Form const& form = {}, int cells = 1)
{
  using sumfac::index_t;
  constexpr index_t p = sumfac::detail::functions_of_cell(Space), components = sumfac::components_of<Form>;
  sumfac::space map = Space;
  map.degree = 2;
  double const bend = std::is_same_v<Geometry, sumfac::stored> ? 0.1 : 0;
  auto const places = nodes_of_box(map, cells, [&](double* x) { x[0] += 0.1 * x[1] + bend * x[1] * x[1]; });
  auto const nodes = nodes_view(places, sumfac::detail::functions_of_cell(map), Space.coordinates);
  sumfac::host const by_packs;
  Backend const by_teams;
  sumfac::element_operator<Form, Space, Scalar> a{by_packs, nodes, form};
  auto b = [&] {
    using result = sumfac::element_operator<Form, OfTeams, Scalar, Backend, Geometry, Options...>;
    if constexpr (OfTeams == Space)
      return result(by_teams, nodes, form);
    else
      return result(by_teams, nodes, as_tables<typename decltype(a)::points_type>(Space, map), form);
  }();
  index_t const elements = a.elements(), count = elements * p;
  std::vector<Scalar> u(std::size_t(count * components));
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = Scalar(std::sin(double(7 * i)));
  auto const as_view = [&](auto* x) {
    if constexpr (components == 1)
      return sumfac::view(x, elements, p);
    else
      return sumfac::view(x, elements, components, p);
  };
  auto const compare = [&](std::size_t size, auto const& how) {
    std::vector<Scalar> const from(u.begin(), u.begin() + std::ptrdiff_t(size));
    std::vector<Scalar> one(size), other(size);
    how(by_packs, a, from.data(), one.data());
    support::on_backend(by_teams, from, other, [&](Scalar const* x, Scalar* y) { how(by_teams, b, x, y); });
    double const near = sizeof(Scalar) == 4 ? 1e-4 : 1e-12;
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(other[i] == Approx(one[i]).epsilon(near).margin(near));
    CHECK(std::any_of(one.begin(), one.end(), [](Scalar x) { return x != 0; }));
  };
  std::vector<int> table;
  for (int i = 0; i < count; ++i) table.push_back(i / 2);  // neighbours share nodes
  index_t const shared = (count + 1) / 2;
  if constexpr (sumfac::inputs_of<Form>::count > 0) {
    auto const keep = [&](auto const& backend, auto& of, Scalar const* x) {
      sumfac::restriction<Scalar, std::remove_cvref_t<decltype(backend)>> const r{
          backend, sumfac::view(table.data(), elements, p), shared, {.components = components}};
      of.linearize(r, sumfac::view(x, r.size()));
    };
    std::vector<Scalar> const state(u.begin(), u.begin() + std::ptrdiff_t(shared * components));
    std::vector<Scalar> unused(1);
    keep(by_packs, a, state.data());
    support::on_backend(by_teams, state, unused, [&](Scalar const* x, Scalar*) { keep(by_teams, b, x); });
  }
  compare(u.size(), [&](auto const&, auto const& of, auto* x, auto* y) { of.apply(as_view(x), as_view(y)); });
  if constexpr (sumfac::inputs_of<Form>::count == 1 && sumfac::detail::is_device<Backend> &&
                std::remove_cvref_t<decltype(b)>::nodes_1d != sumfac::dynamic)
    compare(u.size(), [&](auto const&, auto const& of, auto* x, auto* y) {
      of.apply(as_view(x), as_view(y), sumfac::field(as_view(x)));
    });
  compare(u.size(),
          [&](auto const&, auto const& of, auto* x, auto* y) { of.apply_transposed(as_view(x), as_view(y)); });
  compare(u.size(), [&](auto const&, auto const& of, auto*, auto* y) { of.diagonal(as_view(y)); });
  compare(std::size_t(shared * components), [&](auto const& backend, auto const& of, auto* x, auto* y) {
    sumfac::restriction<Scalar, std::remove_cvref_t<decltype(backend)>> const r{
        backend, sumfac::view(table.data(), elements, p), shared, {.components = components}};
    of.apply(r, sumfac::view(x, r.size()), sumfac::view(y, r.size()));
  });
}

}  // namespace checks
