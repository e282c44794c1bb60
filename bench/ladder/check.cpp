// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The reference that the ladder's rungs are checked against, compiled by the host's compiler.
#include "subject.hpp"

#include <support/reference.hpp>
#include <support/tolerance.hpp>

#include <cstddef>

namespace sumfac::ladder {

expectation expected(std::string const& problem, int order, double const* vertices, double const* u)
{
  auto const space = problem.rfind("BP3.5", 0) == 0 ? reference::collocated(order) : reference::on_gauss(order);
  reference::element<> const a(space, reference::equispaced(2), vertices,
                               problem == "BP1.0" ? reference::mass() : reference::stiffness<reference::real>(0.1));
  std::ptrdiff_t const n = order + 1;
  std::vector<reference::real> const input(u, u + n * n * n);
  auto const exact = a.apply(input);
  return {{exact.begin(), exact.end()}, reference::allowed<double>(a, input, order)};
}

}  // namespace sumfac::ladder
