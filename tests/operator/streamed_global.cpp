// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on global vectors that no cache holds: what is asked for ahead of its use must not change what they do.
#include "own_forms.hpp"

#include <support/larger.hpp>

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/element/vectors/footprint.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

using sumfac::index_t;
using sumfac::detail::footprint;

// A box of side^3 elements with nodes in rows: the table (E, n, n, n). Elements are boxes, each of its own size.
struct box {
  index_t side, n;
  std::vector<std::int32_t> table;
  std::vector<double> vertices;

  box(index_t side_of_it, index_t nodes_1d) : side(side_of_it), n(nodes_1d)
  {
    for (index_t e = 0; e < elements(); ++e) {
      index_t const corner[] = {e % side, e / side % side, e / side / side};
      for (index_t p = 0; p < n * n * n; ++p) {
        index_t const i = corner[0] * (n - 1) + p % n, j = corner[1] * (n - 1) + p / n % n;
        index_t const k = corner[2] * (n - 1) + p / n / n;
        table.push_back(static_cast<std::int32_t>((k * row() + j) * row() + i));
      }
      for (int vertex = 0; vertex < 8; ++vertex)
        for (int c = 0; c < 3; ++c) vertices.push_back((vertex >> c & 1) != 0 ? 1 + 0.1 * double((e + c) % 7) : 0);
    }
  }

  index_t elements() const { return side * side * side; }
  index_t row() const { return side * (n - 1) + 1; }
  index_t nodes() const { return row() * row() * row(); }
};

// y = A x in one sweep must be what gathering, applying and scattering E-vectors give.
template <class Operator>
void agrees_with_e_vectors(double tolerance, sumfac::interleaving components_lie = sumfac::interleaving::fastest)
{
  constexpr int n = Operator::nodes_1d, components = Operator::components;
  using scalar = typename Operator::scalar_type;
  index_t const cache = sumfac::detail::cache_bytes();
  if (cache > index_t{128} << 20) {
    WARN("not tested: the caches of this machine hold " << (cache >> 20) << " MiB");
    return;
  }
  index_t const element_bytes = 2 * components * n * n * n * 8 + n * n * n * 4;
  auto const side = static_cast<index_t>(std::cbrt(double(cache) / double(element_bytes))) + 2;
  box const mesh(side, n);
  using vertices = sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent, 2, 2, 2, 3>>;
  Operator const a(sumfac::host{}, vertices(mesh.vertices.data(), mesh.elements()));
  REQUIRE(sumfac::detail::footprint_of(static_cast<index_t>(a.work().bytes())) == sumfac::detail::footprint::in_memory);

  using table = sumfac::view<std::int32_t const, sumfac::extents<sumfac::dynamic_extent, n, n, n>>;
  sumfac::restriction<scalar> const r(sumfac::host{}, table(mesh.table.data(), mesh.elements()), mesh.nodes(),
                                      {.components = components, .components_lie = components_lie});
  index_t const size = mesh.nodes() * components;
  std::vector<scalar> x, y(static_cast<std::size_t>(size), std::numeric_limits<scalar>::quiet_NaN()), z(y);
  for (index_t i = 0; i < size; ++i) x.push_back(static_cast<scalar>(std::sin(double(i % 1009))));
  using vector = sumfac::view<scalar, sumfac::dextents<1>>;
  a.apply(r, vector(x.data(), size), vector(y.data(), size));

  auto const e_size = static_cast<std::size_t>(mesh.elements() * components * n * n * n);
  std::vector<scalar> u(e_size), v(e_size);
  using shape = std::conditional_t<components == 1, sumfac::extents<sumfac::dynamic_extent, n, n, n>,
                                   sumfac::extents<sumfac::dynamic_extent, components, n, n, n>>;
  sumfac::view<scalar, shape> const all_u(u.data(), mesh.elements()), all_v(v.data(), mesh.elements());
  r.gather(vector(x.data(), size), all_u);
  a.apply(all_u, all_v);
  r.scatter(all_v, vector(z.data(), size));

  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double const d = std::abs(double(y[i]) - double(z[i]));
    largest = support::larger(largest, std::abs(double(z[i])));
    difference = std::max(difference, d == d ? d : HUGE_VAL);
  }
  CHECK(largest > 0);
  CHECK(difference <= tolerance * largest);
}

}  // namespace

TEST_CASE("global vectors in memory: stiffness at the nodes") { agrees_with_e_vectors<sumfac::bp5<3>>(1e-14); }

TEST_CASE("global vectors in memory: forms whose gradients are evaluated or tested, not both")
{
  using nodes = sumfac::gauss_lobatto<4>;
  agrees_with_e_vectors<sumfac::element_operator<checks::advection, 3, nodes>>(1e-13);
  agrees_with_e_vectors<sumfac::element_operator<checks::conservative_advection, 3, nodes>>(1e-13);
}

TEST_CASE("global vectors in memory: mass of three components, in both orders")
{
  agrees_with_e_vectors<sumfac::bp2<2>>(1e-14);
  agrees_with_e_vectors<sumfac::bp2<2>>(1e-14, sumfac::interleaving::slowest);
}

TEST_CASE("global vectors in memory: wider and narrower than the arithmetic")
{
  using wide = sumfac::precision<double, float, float>;
  using narrow = sumfac::precision<float, double, double>;
  agrees_with_e_vectors<sumfac::element_operator<sumfac::mass, 3, sumfac::gauss<5>, sumfac::host, wide>>(1e-6);
  agrees_with_e_vectors<sumfac::element_operator<sumfac::mass, 3, sumfac::gauss<5>, sumfac::host, narrow>>(1e-6);
}

TEST_CASE("an operator's footprint is compared with the caches")
{
  index_t const cache = sumfac::detail::cache_bytes();
  CHECK(sumfac::detail::footprint_of(0) == sumfac::detail::footprint::in_caches);
  CHECK(sumfac::detail::footprint_of(cache / 2) == sumfac::detail::footprint::in_caches);
  CHECK(sumfac::detail::footprint_of(cache / 2 + 1) == sumfac::detail::footprint::near_caches);
  CHECK(sumfac::detail::footprint_of(cache) == sumfac::detail::footprint::near_caches);
  CHECK(sumfac::detail::footprint_of(cache + 1) == sumfac::detail::footprint::in_memory);
}
