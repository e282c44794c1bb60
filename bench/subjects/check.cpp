// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The comparison with the tests' reference, compiled by the host's compiler. Of sumfac it takes config.hpp alone:
// bench/trees links it with the headers of two trees.
#include "check.hpp"

#include <support/mesh.hpp>
#include <support/reference.hpp>
#include <support/tolerance.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sumfac::bench {

namespace {

reference::integrand<> integrand_of(integral form)
{
  if (form == integral::mass) return reference::mass();
  return form == integral::stiffness ? reference::laplace() : reference::stiffness<reference::real>(0.1);
}

reference::space space_of(oracle const& what)
{
  return what.collocated ? reference::collocated(what.order) : reference::on_gauss(what.order);
}

// The nodes that the kernel makes the geometry from, whose number bounds its rounding, are the vertices; of curved
// elements what those are raised to, seen from the first as the kernel sees them.
reference::element<> element_of(oracle const& what, double const* vertices)
{
  auto const corners = reference::equispaced(2);
  if (!what.curved) return {space_of(what), corners, vertices, integrand_of(what.form)};
  mesh::nodes element{1, 2, {vertices, vertices + 24}};
  for (std::size_t i = 0; i < 24; ++i) element.coordinates[i] -= vertices[i % 3];
  auto const nodes = reference::gauss_lobatto(what.order + 1);
  auto const raised = mesh::raised(element, corners, nodes);
  return {space_of(what), nodes, raised.data(), integrand_of(what.form)};
}

// On the hexahedron of height 1 above the quadrilateral, where u is the same at all heights, the integrals are those of
// the quadrilateral, shared among the nodes above each other: their sums are right, and so are those of their errors.
expectation expected_on_quadrilateral(oracle const& what, double const* vertices, double const* u)
{
  std::vector<double> above;
  for (int vertex = 0; vertex < 8; ++vertex)
    above.insert(above.end(), {vertices[vertex % 4 * 2], vertices[vertex % 4 * 2 + 1], double(vertex / 4)});
  std::size_t const n = static_cast<std::size_t>(what.order) + 1, nodes = n * n;
  std::vector<double> everywhere;
  for (std::size_t k = 0; k < n; ++k) everywhere.insert(everywhere.end(), u, u + nodes);
  auto hexahedron = what;
  hexahedron.directions = 3;
  auto const of_all = expected(hexahedron, above.data(), everywhere.data());
  expectation sums{std::vector<long double>(nodes), double(n) * of_all.allowed};
  for (std::size_t i = 0; i < of_all.v.size(); ++i) sums.v[i % nodes] += of_all.v[i];
  return sums;
}

double larger(double largest, double difference)
{
  return std::max(largest, difference == difference ? difference : HUGE_VAL);
}

}  // namespace

double expectation::error_of(double const* v_of_element) const
{
  double largest = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    largest = larger(largest, static_cast<double>(std::abs(static_cast<long double>(v_of_element[i]) - v[i])));
  return largest / allowed;
}

double distance(double const* a, double const* b, index_t size)
{
  double largest = 0;
  for (index_t i = 0; i < size; ++i) largest = larger(largest, std::abs(a[i] - b[i]));
  return largest;
}

expectation expected(oracle const& what, double const* vertices, double const* u)
{
  if (what.directions == 2) return expected_on_quadrilateral(what, vertices, u);
  auto const a = element_of(what, vertices);
  std::vector<reference::real> const input(u, u + a.size());
  return {a.apply(input), what.single ? reference::allowed<float>(a, input, what.order)
                                      : reference::allowed<double>(a, input, what.order)};
}

}  // namespace sumfac::bench
