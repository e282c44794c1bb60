// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks' mesh, and the reference that devices are checked against, compiled by the host's compiler.
#include "../mesh.hpp"
#include "subject.hpp"

#include <support/reference.hpp>
#include <support/tolerance.hpp>

#include <algorithm>
#include <cmath>

namespace sumfac::bench {

std::vector<double> mesh_vertices(index_t elements)
{
  auto const mesh = hexahedra(host{}, elements);
  return {mesh.coordinates.begin(), mesh.coordinates.end()};
}

double element_error(std::string const& problem, bool single, int order, double const* vertices, double const* u,
                     double const* v)
{
  auto const space = problem == "BP3.5" ? reference::collocated(order) : reference::on_gauss(order);
  reference::element<> const a(space, reference::equispaced(2), vertices,
                               problem == "BP1.0" ? reference::mass() : reference::stiffness<reference::real>(0.1));
  auto const nodes = static_cast<std::ptrdiff_t>((order + 1) * (order + 1) * (order + 1));
  std::vector<reference::real> const input(u, u + nodes);
  auto const expected = a.apply(input);
  double difference = 0;
  for (std::ptrdiff_t i = 0; i < nodes; ++i) {
    auto const d = static_cast<double>(std::abs(static_cast<reference::real>(v[i]) -
                                                expected[static_cast<std::size_t>(i)]));
    difference = std::max(difference, d == d ? d : HUGE_VAL);
  }
  return difference /
         (single ? reference::allowed<float>(a, input, order) : reference::allowed<double>(a, input, order));
}

}  // namespace sumfac::bench
