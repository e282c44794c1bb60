// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP3.5 is BP3.0 on Gauss-Lobatto points: the kernel that interpolates, fed with their tables, gives the same vector.
#include "properties.hpp"

#include <sumfac/basis/quadrature.hpp>

namespace {

// The Gauss-Lobatto rule, its ends moved inwards by what no double can see: to the library another set of points.
template <int N>
struct nearly_gauss_lobatto {
  static constexpr int size = N;
  static constexpr auto nodes = [] {
    auto x = sumfac::gauss_lobatto<N>::nodes;
    x[0] += 1e-18L;
    x[N - 1] -= 1e-18L;
    return x;
  }();
  static constexpr auto weights = sumfac::gauss_lobatto<N>::weights;
};

template <int N>
void compare()
{
  using points = nearly_gauss_lobatto<N + 1>;
  static_assert(!sumfac::is_collocated<sumfac::gauss_lobatto<N + 1>, points>);
  using general = sumfac::element_operator<sumfac::stiffness, N, points>;

  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mesh::mapped(mesh::box({2, 1, 1}, where), mesh::smooth{});
  checks::subject<checks::bp35, N, sumfac::host, double> const s(sumfac::host{}, mesh, where);
  general const a(sumfac::host{}, checks::nodes_view(mesh), checks::bp35::form());
  auto const u = support::random<double>(s.size(), N);
  std::vector<double> v(u.size());
  a.apply(checks::vector_view<1>(u.data(), 2, N + 1), checks::vector_view<1>(v.data(), 2, N + 1));
  s.compare("the general kernel", u, v);
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("operator: BP3.5 is the general kernel fed with Gauss-Lobatto tables", "", ((int N), N), 1, 2, 3,
                       4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
{
  compare<N>();
}
