// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What faces between elements keep, on any backend: turned neighbours get the same, fluxes are conserved, free streams
// stay; and inverse masses.
#pragma once

#include <operator/beside_faces.hpp>
#include <operator/two_sided_forms.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/mesh/interior_faces.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/interior_operator.hpp>
#include <sumfac/operator/inverse_mass.hpp>
#include <support/larger.hpp>
#include <support/moved.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace beside_faces {

// v = F u of a vector without a shape.
template <class Operator, class T>
std::vector<T> applied(Operator const& F, std::vector<T> const& u, bool adds = false)
{
  auto v = support::random<T>(u.size(), 77);
  auto const shaped = [&](auto* x) { return elements_of<Operator::directions>(x, F.elements(), Operator::nodes_1d); };
  support::on_backend(F.backend(), u, v, [&](T const* from, T* to) {
    if (adds)
      F.apply_add(shaped(from), shaped(to));
    else
      F.apply(shaped(from), shaped(to));
  });
  return v;
}

template <class T>
double difference(std::vector<T> const& a, std::vector<T> const& b)
{
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = support::larger(most, std::abs(double(a[i]) - double(b[i])));
  return most;
}
template <class T>
double inner(std::vector<T> const& a, std::vector<T> const& b)
{
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * double(b[i]);
  return sum;
}

// Two elements side by side, bent, either of them numbered from any of its vertices along any of its directions.
template <int Directions>
struct turned_pair {
  static constexpr int m = 3;
  std::vector<double> xyz;
  std::vector<int> table;   // of its nodes, those of the first element, turned or not, first
  std::vector<int> origin;  // for each node of each element its place where nothing is turned

  // Axis d of the turned element e is axis to[d] of the element, backwards where sign[d] < 0.
  struct turn {
    std::array<int, 3> to{0, 1, 2}, sign{1, 1, 1};
  };
  explicit turned_pair(turn const& first, turn const& second)
  {
    int const depth = Directions == 3 ? m : 1;
    for (int e = 0; e < 2; ++e) {
      turn const& t = e == 0 ? first : second;
      for (int k = 0; k < depth; ++k)
        for (int j = 0; j < m; ++j)
          for (int i = 0; i < m; ++i) {
            int const turned[3] = {i, j, k};
            int own[3] = {0, 0, 0};
            for (std::size_t d = 0; d < Directions; ++d) own[t.to[d]] = t.sign[d] < 0 ? m - 1 - turned[d] : turned[d];
            int const x = own[0] + e * (m - 1);
            table.push_back((own[2] * m + own[1]) * (2 * m - 1) + x);
            origin.push_back((own[2] * m + own[1]) * m + own[0]);
            double const at[3] = {x / 2.0, own[1] / 2.0, own[2] / 2.0};
            xyz.push_back(at[0] + 0.1 * at[1] * at[2] + 0.05 * at[1] * at[1]);
            xyz.push_back(at[1] * (1 + 0.2 * at[0]) + 0.1 * at[2]);
            if (Directions == 3) xyz.push_back(at[2] + 0.1 * at[0] * at[1]);
          }
    }
  }
  auto nodes() const { return mesh_nodes_of<Directions>(xyz.data(), 2); }
  sumfac::face_pairs pairs()
  {
    return sumfac::interior_faces(elements_of<Directions>(table.data(), 2, m), index_t{Directions == 3 ? 45 : 15});
  }
  // All ways to number an element that keep it right-handed.
  static std::vector<turn> turns()
  {
    std::vector<turn> all;
    std::array<int, 3> to{0, 1, 2};
    do {
      int const even = (to[1] - to[0] + 3) % 3 == 1 ? 1 : -1;
      for (int signs = 0; signs < 8; ++signs) {
        turn t{to, {1 - 2 * (signs & 1), 1 - (signs & 2), 1 - (signs & 4) / 2}};
        if (Directions == 2 && (to[2] != 2 || t.sign[2] < 0)) continue;
        if (even * t.sign[0] * t.sign[1] * t.sign[2] > 0) all.push_back(t);
      }
    } while (std::next_permutation(to.begin(), to.end()));
    return all;
  }
};

// However elements are turned, nodes get the same.
template <int Directions, class Backend, class Form>
void turns_alike(Form const& form)
{
  using pair = turned_pair<Directions>;
  constexpr std::size_t size = Directions == 3 ? 27 : 9;
  using interior = sumfac::interior_operator<Form, sumfac::space(2, Directions), Backend>;
  auto const turns = pair::turns();
  REQUIRE(turns.size() == (Directions == 3 ? 24 : 4));
  auto const base = support::random<double>(2 * size, 4);
  std::vector<double> expected;
  std::array<bool, 6> sides{};
  std::array<bool, 8> seen{};
  for (std::size_t one = 0; one < turns.size(); ++one)
    for (std::size_t two = one % 13; two < turns.size(); two += one == 0 ? 1 : 13) {
      pair mesh(turns[one], turns[two]);
      auto const pairs = mesh.pairs();
      REQUIRE(pairs.faces() == 1);
      for (int s = 0; s < 2 * Directions; ++s)
        if (auto const& behind = pairs.behind(0, s); behind.element >= 0)
          sides[at(s)] = true, seen[at(behind.turn)] = true;
      interior const F{Backend{}, mesh.nodes(), pairs, form};
      std::vector<double> u(2 * size), ordered(2 * size);
      for (std::size_t i = 0; i < u.size(); ++i) u[i] = base[i / size * size + at(mesh.origin[i])];
      auto const v = applied(F, u);
      for (std::size_t i = 0; i < u.size(); ++i) ordered[i / size * size + at(mesh.origin[i])] = v[i];
      if (expected.empty()) expected = ordered;
      CAPTURE(one, two);
      REQUIRE(difference(ordered, expected) < 1e-12);
    }
  CHECK(inner(expected, expected) > 0.1);
  CHECK(std::count(sides.begin(), sides.end(), true) == 2 * Directions);
  // Right-handed elements see each other in a mirror.
  CHECK(std::count(seen.begin(), seen.end(), true) == (Directions == 3 ? 4 : 1));
}

// A function of the place at all nodes of a degree's elements, to each of which something is added of its own.
inline std::vector<double> at_nodes(reference::grid const& mesh, int degree, double (*f)(reference::place const&),
                                    double of_element = 0)
{
  auto const nodes = reference::gauss_lobatto(degree + 1);
  std::vector<double> values;
  for (int e = 0; e < mesh.elements(); ++e)
    for (int i = 0; i < (mesh.directions == 3 ? (degree + 1) * (degree + 1) : degree + 1) * (degree + 1); ++i)
      values.push_back(of_element * e + f(reference::position_of(mesh, e, place_of(nodes, mesh.directions, i))));
  return values;
}

// Whether a face of a small and a large element is the same however these are turned: what functions of the place give.
template <int Directions, class Backend>
void hangs_alike()
{
  using interior = sumfac::interior_operator<two_sided::interior_penalty, sumfac::space(2, Directions), Backend>;
  auto const mesh = hanging_block(Directions, 0);
  auto const wave = [](reference::place const& x) { return double(std::sin(3 * x[0] + 2 * x[1] + x[2])); };
  auto const other = [](reference::place const& x) { return double(std::cos(x[0] - 2 * x[1] + 3 * x[2])); };
  int const large = 1 << Directions;
  std::array<bool, 8> seen{}, parts{};
  double expected = 0;
  auto const ways = reference::turns(Directions);
  for (int const e : {large, 1, large - 1})
    for (std::size_t way = 0; way < ways.size(); way += e == large ? 1 : 7) {
      auto const turned = reference::turned(mesh, e, ways[way]);
      sumfac::mesh<Directions> const known{mesh_nodes_of<Directions>(turned.nodes.data(), turned.elements())};
      auto const pairs = known.interior_faces();
      for (int s = 0; s < 2 * Directions; ++s)
        for (int p = 0; p < pairs.parts_of_side() && pairs.behind(large, s).divided >= 0; ++p) {
          auto const& small = pairs.part(large, s, p);
          seen[at(small.turn)] = parts[at(pairs.behind(small.element, small.side).part)] = true;
        }
      interior const F{Backend{}, known};
      double const got = inner(applied(F, at_nodes(turned, 2, wave, 0.3)), at_nodes(turned, 2, other, -0.1));
      if (expected == 0) expected = got;
      REQUIRE(got == Approx(expected).epsilon(1e-11));
    }
  CHECK(std::abs(expected) > 0.1);
  CHECK(std::count(seen.begin(), seen.end(), true) == (Directions == 3 ? 4 : 1));
  CHECK(std::count(parts.begin(), parts.end(), true) == 1 << (Directions - 1));
}

// A box of cells^3, cells^2 or cells that is periodic along all directions, bent all the same.
template <int Directions>
struct periodic_box {
  static constexpr int m = 3, cells = 3;
  index_t elements = Directions == 3 ? 27 : Directions == 2 ? 9 : 3, nodes = elements;
  std::vector<double> xyz;
  std::vector<int> table;

  periodic_box()
  {
    double const wave = 2 * 3.14159265358979323846 / cells;
    for (int e = 0; e < elements; ++e) {
      int const cell[3] = {e % cells, e / cells % cells, e / cells / cells};
      for (int k = 0; k < (Directions == 3 ? m : 1); ++k)
        for (int j = 0; j < (Directions > 1 ? m : 1); ++j)
          for (int i = 0; i < m; ++i) {
            double const x = cell[0] + i / 2.0, y = cell[1] + j / 2.0, z = cell[2] + k / 2.0;
            xyz.push_back(x + 0.1 * std::sin(wave * (Directions > 1 ? y : x)) + 0.05 * std::sin(wave * z));
            if (Directions > 1) xyz.push_back(y + 0.1 * std::sin(wave * x));
            if (Directions == 3) xyz.push_back(z + 0.1 * std::sin(wave * (x + y)));
          }
      for (int k = 0; k < (Directions == 3 ? 2 : 1); ++k)
        for (int j = 0; j < (Directions > 1 ? 2 : 1); ++j)
          for (int i = 0; i < 2; ++i)
            table.push_back((((cell[2] + k) % cells) * cells + (cell[1] + j) % cells) * cells + (cell[0] + i) % cells);
    }
  }
  auto mesh() const { return mesh_nodes_of<Directions>(xyz.data(), elements); }
  sumfac::face_pairs pairs()
  {
    return sumfac::interior_faces(elements_of<Directions>(table.data(), elements, 2), nodes);
  }
};

// What flows out of an element flows into others, and what is constant stays so.
template <int Directions, int N, class Backend>
void keeps_free_stream()
{
  constexpr auto space = sumfac::space(N, Directions);
  periodic_box<Directions> box;
  auto const pairs = box.pairs();
  REQUIRE(pairs.faces() == Directions * box.elements);
  Backend const backend;
  sumfac::interior_operator<two_sided::upwind, space, Backend> const F{backend, box.mesh(), pairs};
  sumfac::element_operator<two_sided::advection, space, Backend> const A{backend, box.mesh()};
  auto const size = at(box.elements * sumfac::detail::node_box(N + 1, Directions).all());
  auto const u = support::random<double>(size, 3);
  std::vector<double> const one(size, 1);
  auto const of_u = applied(F, u);
  CHECK(std::abs(inner(one, of_u)) < 1e-11);
  CHECK(inner(of_u, of_u) > 0.1);
  CHECK(applied(F, u) == of_u);

  auto v = support::random<double>(size, 5);
  support::on_backend(backend, one, v, [&](double const* from, double* to) {
    A.apply(elements_of<Directions>(from, box.elements, N + 1), elements_of<Directions>(to, box.elements, N + 1));
  });
  CHECK(inner(v, v) > 0.01);
  support::on_backend(backend, one, v, [&](double const* from, double* to) {
    F.apply_add(elements_of<Directions>(from, box.elements, N + 1), elements_of<Directions>(to, box.elements, N + 1));
  });
  for (double const x : v) REQUIRE(std::abs(x) < 1e-13);
}

// M^-1 M u = u, and M of the same points.
template <class Inverse>
void inverts()
{
  constexpr int n = Inverse::nodes_1d, directions = Inverse::directions;
  using scalar = typename Inverse::scalar_type;
  using backend = typename Inverse::backend_type;
  constexpr auto space = sumfac::space(n - 1, directions);
  auto const mesh = turned_block(directions);
  auto const elements = index_t{mesh.elements()};
  auto const nodes = mesh_nodes_of<directions>(mesh.nodes.data(), elements);
  backend const on;
  sumfac::element_operator<sumfac::mass, space, typename Inverse::points_type, scalar, backend> const M{on, nodes};
  Inverse const inverse{on, nodes};
  auto const u = support::random<scalar>(at(elements) * at(sumfac::detail::node_box(n, directions).all()), 8);
  auto v = support::random<scalar>(u.size(), 9);
  auto const shaped = [&](auto* x) { return elements_of<directions>(x, elements, n); };
  support::on_backend(on, u, v, [&](scalar const* from, scalar* to) { M.apply(shaped(from), shaped(to)); });
  CHECK(difference(u, v) > 0.1);
  support::on_backend(on, v,
                      [&](scalar* both) { inverse.apply(shaped(static_cast<scalar const*>(both)), shaped(both)); });
  CHECK(difference(u, v) < 500 * double(std::numeric_limits<scalar>::epsilon()));
}

}  // namespace beside_faces
