// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Parts of operators, run by kernels of a test's own, beside what the operators do by launches of theirs.
#pragma once

#include "problems.hpp"

#include <support/larger.hpp>

#include <sumfac/operator/apply_element.hpp>

#include <dofs/global_vectors.hpp>

#include <cmath>

namespace checks {

// Seven curved elements, so that the last group of a team is not full, and vectors on them.
template <class Operator>
struct part_case {
  using scalar = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  static constexpr int n = Operator::nodes_1d, components = Operator::components;
  static constexpr mesh::counts counts{7, 1, 1};

  explicit part_case(backend_type const& backend = {})
      : mesh(mesh::mapped(mesh::box(counts, reference::gauss_lobatto(2)), mesh::smooth{})),
        a(backend, nodes_view(mesh)),
        numbered{mesh::numbered(counts, n - 1, 4), components},
        u(support::random<scalar>(numbered.local_size(), 1)),
        x(support::random<scalar>(numbered.size(), 2)),
        y(support::random<scalar>(numbered.size(), 3))
  {
    numbered.marks = random_marks(numbered.numbers.nodes, components, 4, 5);
  }

  auto restriction(sumfac::scatter policy = sumfac::scatter::atomic) const
  {
    return numbered.restriction<scalar, backend_type, std::int64_t>(a.backend(), {.policy = policy});
  }

  template <class T>
  static auto on_elements(T* data)
  {
    return vector_view<components>(data, 7, n);
  }
  template <class T>
  auto on_nodes(T* data) const
  {
    return sumfac::view<T, sumfac::dextents<1>>(data, static_cast<index_t>(numbered.size()));
  }

  mesh::nodes mesh;
  Operator a;
  restricted_mesh numbered;
  std::vector<scalar> u, x, y;
};

// Sums may be in another order, and products and sums fused elsewhere.
template <class T>
void same_numbers(char const* what, std::vector<T> const& got, std::vector<T> const& expected)
{
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    largest = support::larger(largest, std::abs(double(expected[i])));
    difference = got[i] == got[i] ? std::max(difference, std::abs(double(got[i]) - double(expected[i]))) : HUGE_VAL;
  }
  INFO(what << " is off by " << difference << " of " << largest);
  CHECK(largest > 0);
  CHECK(difference <= 32 * std::numeric_limits<T>::epsilon() * largest);
}

// run(backend, part) calls apply_element() for all groups of the part, and is done when it returns.
template <class Operator, class Run>
void parts_agree(Run const& run, typename Operator::backend_type const& backend = {})
{
  part_case<Operator> const c(backend);
  using scalar = typename Operator::scalar_type;
  auto v = nans<scalar>(c.u.size()), expected = v;
  support::on_backend(backend, c.u, expected,
                      [&](scalar const* from, scalar* to) { c.a.apply(c.on_elements(from), c.on_elements(to)); });
  support::on_backend(backend, c.u, v, [&](scalar const* from, scalar* to) {
    run(backend, sumfac::device::part_of(c.a, c.on_elements(from), c.on_elements(to)));
  });
  same_numbers("v", v, expected);

  if constexpr (!sumfac::runs_on_host<typename Operator::backend_type>) {
    auto const r = c.restriction();
    auto y = c.y, sum = c.y;
    support::on_backend(backend, c.x, sum,
                        [&](scalar const* from, scalar* to) { c.a.apply_add(r, c.on_nodes(from), c.on_nodes(to)); });
    support::on_backend(backend, c.x, y, [&](scalar const* from, scalar* to) {
      run(backend, sumfac::device::part_of(c.a, r, c.on_nodes(from), c.on_nodes(to)));
    });
    same_numbers("y", y, sum);
  }
}

}  // namespace checks
