// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Evaluators allocate nothing after their first application.
#include "points.hpp"

#include <support/allocations.hpp>

TEST_CASE("evaluator: nothing is allocated after the first application")
{
  checks::point_case<2, double, sumfac::host> const p(sumfac::host{1}, {3, 3, 3}, 1, {}, true, 300);
  auto const r = p.restriction();
  auto const count = static_cast<sumfac::index_t>(p.points.size());
  sumfac::evaluator<2> const at{r,  p.points.element_view(), p.points.place_view(), checks::mesh_view(p.shape),
                                {}, {.sources = true}};
  std::vector<double> u(p.points.size()), g(3 * u.size()), y(p.x.size());
  auto const apply = [&] {
    at.values(checks::global_view(p.x), checks::global_view(u));
    at.gradients(checks::global_view(p.x), sumfac::view<double, sumfac::dextents<2>>(g.data(), count, 3));
    at.reference_gradients(checks::global_view(p.x), sumfac::view<double, sumfac::dextents<2>>(g.data(), count, 3));
    at.add_sources(checks::global_view(u), checks::global_view(y));
  };
  long const before_first = allocations;
  apply();
  long const after_first = allocations;
  apply();
  apply();
  CHECK(allocations == after_first);
  CHECK(after_first > before_first);  // the threads' own memory: the count sees what there is
}
