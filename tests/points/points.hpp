// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Evaluators beside the oracle: values, gradients and sources at points, on any backend.
#pragma once

#include <sumfac/points/evaluator.hpp>

#include <dofs/global_vectors.hpp>

#include <support/larger.hpp>
#include <support/mesh.hpp>
#include <support/message_of.hpp>
#include <support/moved.hpp>
#include <support/points.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace checks {

using support::message_of;

inline auto mesh_view(mesh::nodes const& mesh)
{
  return sumfac::view<double const, sumfac::dextents<5>>(mesh.data(), mesh.elements, mesh.nodes_1d, mesh.nodes_1d,
                                                         mesh.nodes_1d, 3);
}

// Points in a mesh's elements, in no order.
struct point_places {
  std::vector<std::int32_t> elements{};
  std::vector<double> places{};  // (P, 3)

  std::size_t size() const { return elements.size(); }
  void add(int e, double x, double y, double z)
  {
    elements.push_back(e);
    places.insert(places.end(), {x, y, z});
  }
  reference::place place(std::size_t i) const { return {places[3 * i], places[3 * i + 1], places[3 * i + 2]}; }
  auto element_view() const
  {
    return sumfac::view<std::int32_t const, sumfac::dextents<1>>(elements.data(), static_cast<index_t>(size()));
  }
  auto place_view() const
  {
    return sumfac::view<double const, sumfac::dextents<2>>(places.data(), static_cast<index_t>(size()), 3);
  }
};

// `count` random points, every third of which is in one element; and the middle, a corner and an edge of some.
inline point_places some_points(int elements, int count, std::uint64_t seed)
{
  support::generator next(seed);
  point_places points;
  for (int i = 0; i < count; ++i) {
    int const e = i % 3 == 0 ? elements / 2 : static_cast<int>(next.bits() % static_cast<std::uint64_t>(elements));
    double const x = next(), y = next(), z = next();
    points.add(e, x, y, z);
    if (i % 20 == 0) points.add(e, 0, 0, 0), points.add(e, -1, 1, -1), points.add(e, 1, y, -1);
  }
  return points;
}

template <int Degree, class Scalar, class Backend>
struct point_case {
  static constexpr int n = Degree + 1;

  point_case(Backend const& here, mesh::counts counts, int components, sumfac::restriction_options const& how,
             bool marked, int count = 60)
      : backend(here),
        shape(mesh::mapped(mesh::box(counts, reference::gauss_lobatto(3)), mesh::smooth{})),
        numbered{mesh::numbered(counts, Degree, 3), components},
        points(some_points(shape.elements, count, 7)),
        way(how.components_lie),
        options(how)
  {
    if (marked)
      for (std::size_t i = 0; i < numbered.size(); ++i) numbered.marks.push_back(i % 5 == 2 ? 1 : 0);
    x = support::random<Scalar>(numbered.size(), 5);
  }

  auto restriction() const { return numbered.template restriction<Scalar>(backend, options); }
  // Component c of x at node p of an element.
  auto values_of(int e, int c) const
  {
    return [this, e, c](int p) {
      auto const node = numbered.numbers.element(e)[p];
      return numbered.constrained(node, c) ? Scalar(0) : x[numbered.entry(way, node, c)];
    };
  }

  Backend backend;
  mesh::nodes shape;
  restricted_mesh numbered;
  point_places points;
  sumfac::interleaving way;
  sumfac::restriction_options options;
  std::vector<Scalar> x;
};

template <class T>
sumfac::view<T, sumfac::dextents<3>> numbers_view(T* data, std::size_t points, int components, int numbers)
{
  return {data, sumfac::dextents<3>(static_cast<index_t>(points), components, numbers)};
}

// Values and both gradients at all points, within what rounding can do.
template <int Degree, class Scalar, class Backend>
void compare_points(point_case<Degree, Scalar, Backend> const& p)
{
  auto const r = p.restriction();
  int const components = p.numbered.components;
  sumfac::evaluator<Degree, Scalar, Backend> const at{r, p.points.element_view(), p.points.place_view(),
                                                      mesh_view(p.shape)};
  std::size_t const count = p.points.size(), numbers = count * static_cast<std::size_t>(components);
  std::vector<Scalar> u(numbers, Scalar(-77)), along(3 * numbers, Scalar(-77)), slopes(3 * numbers, Scalar(-77));
  auto const global = [&](Scalar const* from) {
    return sumfac::view<Scalar const, sumfac::dextents<1>>(from, static_cast<index_t>(p.x.size()));
  };
  support::on_backend(p.backend, p.x, u, [&](Scalar const* from, Scalar* to) {
    if (components == 1)
      at.values(global(from), sumfac::view<Scalar, sumfac::dextents<1>>(to, static_cast<index_t>(count)));
    else
      at.values(global(from), sumfac::view<Scalar, sumfac::dextents<2>>(to, static_cast<index_t>(count), components));
  });
  support::on_backend(p.backend, p.x, along, [&](Scalar const* from, Scalar* to) {
    at.reference_gradients(global(from), numbers_view(to, count, components, 3));
  });
  support::on_backend(p.backend, p.x, slopes, [&](Scalar const* from, Scalar* to) {
    at.gradients(global(from), numbers_view(to, count, components, 3));
  });

  auto const nodes = reference::gauss_lobatto(Degree + 1), mesh_nodes = reference::gauss_lobatto(3);
  constexpr real unit = std::numeric_limits<Scalar>::epsilon() / 2;
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    int const e = p.points.elements[i];
    auto const xi = p.points.place(i);
    reference::place inverse[3];  // row d is the gradient of reference coordinate d
    for (std::size_t d = 0; d < 3; ++d) {
      reference::place unit_vector{};
      unit_vector[d] = 1;
      inverse[d] = reference::physical_gradient(mesh_nodes, p.shape, e, xi, unit_vector);
    }
    for (int c = 0; c < components; ++c) {
      auto const values = p.values_of(e, c);
      std::size_t const entry = i * static_cast<std::size_t>(components) + static_cast<std::size_t>(c);
      auto const note = [&](Scalar got, real expected, real allowed) {
        worst =
            support::larger(worst, static_cast<double>(std::abs(static_cast<real>(got) - expected) / (allowed * unit)));
      };
      note(u[entry], reference::polynomial_at(nodes, 3, values, xi), reference::magnitude_at(nodes, 3, values, xi));
      reference::place g, allowed;
      for (int d = 0; d < 3; ++d) {
        auto const s = static_cast<std::size_t>(d);
        g[s] = reference::polynomial_at(nodes, 3, values, xi, d);
        allowed[s] = reference::magnitude_at(nodes, 3, values, xi, d);
        note(along[3 * entry + s], g[s], allowed[s]);
      }
      for (std::size_t k = 0; k < 3; ++k) {
        // The inverse of a Jacobian of moderate condition, less than 10, is as good as 100 roundings.
        real expected = 0, bound = 0;
        for (std::size_t d = 0; d < 3; ++d) {
          expected += inverse[d][k] * g[d];
          real greatest = 0;
          for (real const entry_of : inverse[d]) greatest = support::larger(greatest, std::abs(entry_of));
          bound += greatest * (allowed[d] + 100 * std::abs(g[d]));
        }
        note(slopes[3 * entry + k], expected, bound);
      }
    }
  }
  INFO("degree " << Degree << ", worst error over what is allowed " << worst);
  CHECK(worst < 1);
  CHECK(worst > 0);
}

// (E x, f) = (x, E^T f), and what is constrained is left alone.
template <int Degree, class Scalar, class Backend>
void compare_sources(point_case<Degree, Scalar, Backend> const& p)
{
  auto const r = p.restriction();
  int const components = p.numbered.components;
  sumfac::evaluator<Degree, Scalar, Backend> const at{
      r, p.points.element_view(), p.points.place_view(), {.sources = true}};
  auto const count = static_cast<index_t>(p.points.size());
  auto const f = support::random<Scalar>(p.points.size() * static_cast<std::size_t>(components), 11);
  std::vector<Scalar> y(p.x.size(), Scalar(3));
  for (int round = 0; round < 2; ++round)
    support::on_backend(p.backend, f, y, [&](Scalar const* from, Scalar* to) {
      at.add_sources(sumfac::view<Scalar const, sumfac::dextents<2>>(from, count, components),
                     sumfac::view<Scalar, sumfac::dextents<1>>(to, static_cast<index_t>(p.x.size())));
    });

  auto const nodes = reference::gauss_lobatto(Degree + 1);
  std::vector<real> expected(p.x.size(), 3), allowed(p.x.size(), 1);
  for (std::size_t i = 0; i < p.points.size(); ++i) {
    int const e = p.points.elements[i];
    for (int c = 0; c < components; ++c)
      for (int k = 0; k < p.numbered.numbers.element_size(); ++k) {
        auto const node = p.numbered.numbers.element(e)[k];
        if (p.numbered.constrained(node, c)) continue;
        auto const entry = p.numbered.entry(p.way, node, c);
        auto const strength =
            static_cast<real>(f[i * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)]);
        auto const only = [&](int other) { return other == k ? strength : real(0); };
        expected[entry] += 2 * strength * reference::basis_function(nodes, 3, k, p.points.place(i));
        allowed[entry] += 2 * reference::magnitude_at(nodes, 3, only, p.points.place(i));
      }
  }
  double worst = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    real const difference = std::abs(static_cast<real>(y[i]) - expected[i]);
    // Up to 30 terms are added to each entry, which is about 10 at most.
    real const bound = (allowed[i] + 300) * std::numeric_limits<Scalar>::epsilon() / 2;
    worst = support::larger(worst, static_cast<double>(difference / bound));
  }
  INFO("degree " << Degree << ", worst error over what is allowed " << worst);
  CHECK(worst < 1);
  CHECK(worst > 0);
}

}  // namespace checks
