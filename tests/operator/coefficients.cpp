// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Coefficients by element and by point in layouts, subsets and orders of elements, where a mesh is split: as factors
// of stored elements, and read by the kernels of others.
#include "coefficients.hpp"

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/mesh/element_order.hpp>

#include <catch2/catch.hpp>

namespace {

using policy = sumfac::split;
constexpr int width = sumfac::native_width<double>;

}  // namespace

TEST_CASE("coefficients: layouts")
{
  checks::tables_agree<policy, sumfac::host, sumfac::layout_left>();
  checks::tables_agree<policy, sumfac::host, sumfac::layout_interleaved<width>>();
  checks::tables_agree<policy, sumfac::host, sumfac::layout_interleaved<3>>();
}

namespace {

// On 13 elements, each with nodes of its own, so that global vectors are E-vectors.
constexpr int order = 2, n = order + 1, g = order + 2, size = n * n * n, elements = 13;
using numbers_type = checks::tables<sumfac::layout_right, g, sumfac::host, false>;
using form_type = checks::tabulated<numbers_type::views>;
using operator_type = sumfac::element_operator<form_type, order, sumfac::gauss<g>, sumfac::host, double, policy>;

auto view_of(std::vector<double> const& x) { return sumfac::view(x.data(), static_cast<checks::index_t>(x.size())); }
auto view_of(std::vector<double>& x) { return sumfac::view(x.data(), static_cast<checks::index_t>(x.size())); }

}  // namespace

TEST_CASE("coefficients: in subsets, and by any number of threads")
{
  auto const mesh = checks::mesh_for<policy>(elements, reference::gauss_lobatto(3));
  std::vector<int> table(elements * size);
  for (int i = 0; i < elements * size; ++i) table[std::size_t(i)] = i;
  auto const u = support::random<double>(table.size(), 3);
  std::vector<double> whole(u.size());
  for (int const threads : {1, 2, 3}) {
    sumfac::host const backend(threads);
    numbers_type const numbers(backend, elements);
    operator_type const a(backend, checks::nodes_view(mesh), {numbers.get()});
    std::vector<double> v(u.size());
    a.apply(checks::vector_view<1>(u.data(), elements, n), checks::vector_view<1>(v.data(), elements, n));
    if (threads == 1) whole = v;
    CHECK(v == whole);
    sumfac::restriction const all{backend, sumfac::view(table.data(), elements, n, n, n), elements * size};
    std::vector<double> y(u.size());
    a.apply(all, view_of(u), view_of(y));
    CHECK(y == whole);
    std::vector<int> const some{3, 5, 6, 12};
    a.apply(all.subset(sumfac::view(some.data(), 4)), view_of(u), view_of(y));
    for (int e = 0; e < elements; ++e)
      for (int i = 0; i < size; ++i) {
        auto const at = static_cast<std::size_t>(e * size + i);
        CHECK(y[at] == (e == 3 || e == 5 || e == 6 || e == 12 ? whole[at] : 0));
      }
  }
}

TEST_CASE("coefficients: in an order of elements, brought into it as the nodes are")
{
  using checks::index_t;
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = checks::mesh_for<policy>(elements, where);
  auto const sorted_by = sumfac::element_order::like_by_like(checks::nodes_view(mesh), {}, 1e-12, 2);
  mesh::nodes sorted = mesh;
  sorted_by.apply(checks::nodes_view(mesh),
                  sumfac::view<double, sumfac::dextents<5>>(sorted.coordinates.data(), elements, 3, 3, 3, 3));
  numbers_type const numbers(sumfac::host{}, elements);
  auto tables = numbers.get();
  std::vector<std::vector<double>> kept;
  auto const sort = [&]<class View>(View& of) {
    kept.emplace_back(static_cast<std::size_t>(of.size()));
    sumfac::view<double, typename View::extents_type> const to(kept.back().data(), of.mapping());
    sorted_by.apply(of, to);
    of = to;
  };
  sort(tables.by_element), sort(tables.pair), sort(tables.by_point), sort(tables.pairs);
  tables.by_point_again = tables.by_point;
  operator_type const a(sumfac::host{}, checks::nodes_view(sorted), {tables});
  auto const o = checks::observe(a, {});
  for (int place = 0; place < elements; ++place) {
    auto const e = sorted_by.element_at(place);
    reference::element<> const oracle(reference::on_gauss(order), where, mesh.element(static_cast<int>(e)),
                                      checks::tabulated_on(e, g));
    auto const u = o.part(o.u, place);
    checks::check_near("A u", checks::distance(o.part(o.v, place), oracle.apply(u)),
                       reference::allowed<double>(oracle, u, order));
  }
}
