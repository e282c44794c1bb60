// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors that no cache holds are written past the caches: every entry of them, in every way through an element.
#include "own_forms.hpp"

#include <sumfac/operator/bake_off.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using sumfac::index_t;

constexpr int width = sumfac::native_width<double>;
using interleaved = sumfac::layout_interleaved<width>;

// Boxes, each of its own size.
std::vector<double> boxes(index_t elements)
{
  std::vector<double> x;
  for (index_t e = 0; e < elements; ++e)
    for (int vertex = 0; vertex < 8; ++vertex)
      for (int c = 0; c < 3; ++c) x.push_back((vertex >> c & 1) != 0 ? 1 + 0.1 * double((e + c) % 7) : 0);
  return x;
}

// Largest difference of A u written past the caches from A u where a vector is of plain rows and few elements.
template <class Operator>
void writes_all()
{
  constexpr int n = Operator::nodes_1d;
  using e_vector = sumfac::extents<sumfac::dynamic_extent, n, n, n>;
  index_t const cache = sumfac::detail::cache_bytes();
  if (cache > index_t{256} << 20) {
    WARN("not tested: the caches of this machine hold " << (cache >> 20) << " MiB");
    return;
  }
  index_t const period = 7 * width;  // after which the boxes repeat
  index_t const elements = (cache / (2 * n * n * n * 8) / period + 2) * period;
  auto const all_boxes = boxes(elements), few_boxes = boxes(period);
  using mesh = sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent, 2, 2, 2, 3>>;
  Operator const large(sumfac::host{}, mesh(all_boxes.data(), elements));
  Operator const small(sumfac::host{}, mesh(few_boxes.data(), period));
  REQUIRE(large.work().bytes() > cache);

  index_t const nodes = n * n * n;
  sumfac::buffer<double> u(elements * nodes), u_in_rows(elements * nodes), v(elements * nodes);
  sumfac::buffer<double> some_u(period * nodes), some_v(period * nodes);
  sumfac::view<double, e_vector, interleaved> const lanes_u(u.data(), elements), lanes_v(v.data(), elements);
  sumfac::view<double, e_vector> const rows_u(some_u.data(), period), rows_v(some_v.data(), period);
  sumfac::view<double, e_vector> const all_rows_u(u_in_rows.data(), elements);
  auto const each_node = [](index_t count, auto const& f) {
    for (index_t e = 0; e < count; ++e)
      for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i) f(e, k, j, i);
  };
  auto const value = [&](index_t e, int k, int j, int i) { return std::sin(double(e % period) + 3 * k + 5 * j + i); };
  each_node(elements,
            [&](index_t e, int k, int j, int i) { lanes_u(e, k, j, i) = all_rows_u(e, k, j, i) = value(e, k, j, i); });
  each_node(period, [&](index_t e, int k, int j, int i) { rows_u(e, k, j, i) = value(e, k, j, i); });
  small.apply(rows_u, rows_v);
  // The same arithmetic in the same order: the same bits.
  auto const is_written = [&](auto const& all_u) {
    for (double& x : v) x = std::numeric_limits<double>::quiet_NaN();
    large.apply(all_u, lanes_v);
    index_t wrong = 0;
    each_node(elements, [&](index_t e, int k, int j, int i) {
      wrong += lanes_v(e, k, j, i) == rows_v(e % period, k, j, i) ? 0 : 1;
    });
    CHECK(wrong == 0);
  };
  is_written(lanes_u);
  is_written(all_rows_u);
}

}  // namespace

TEST_CASE("streamed vectors are complete: mass at the nodes")
{
  writes_all<sumfac::element_operator<sumfac::mass, 3, sumfac::gauss_lobatto<4>>>();
}

TEST_CASE("streamed vectors are complete: mass at Gauss points") { writes_all<sumfac::bp1<3>>(); }

TEST_CASE("streamed vectors are complete: stiffness at the nodes") { writes_all<sumfac::bp35<3>>(); }

TEST_CASE("streamed vectors are complete: stiffness at Gauss points") { writes_all<sumfac::bp3<3>>(); }

TEST_CASE("streamed vectors are complete: forms whose gradients are evaluated or tested, not both")
{
  using checks::advection, checks::conservative_advection;
  writes_all<sumfac::element_operator<advection, 3, sumfac::gauss_lobatto<4>>>();
  writes_all<sumfac::element_operator<advection, 2, sumfac::gauss_lobatto<3>>>();
  writes_all<sumfac::element_operator<advection, 3, sumfac::gauss<5>>>();
  writes_all<sumfac::element_operator<conservative_advection, 3, sumfac::gauss_lobatto<4>>>();
  writes_all<sumfac::element_operator<conservative_advection, 2, sumfac::gauss_lobatto<3>>>();
}
