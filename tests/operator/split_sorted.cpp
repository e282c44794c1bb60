// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Mixed elements sorted like by like: what split runs them as, and the same results as on the mesh as it was.
#include "beside_stored.hpp"
#include "mixed_mesh.hpp"
#include "sorted_mesh.hpp"

#include <array>
#include <string>
#include <vector>

namespace {

using checks::sorted, sumfac::element_order, sumfac::host, sumfac::index_t, sumfac::split;

std::string times(int count, std::string const& text)
{
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

using bake_off_35 = sumfac::bp35<2, host, double, split>;
using narrow_mass = sumfac::bp1<3, host, float, split>;

template <class Operator = bake_off_35>
void classes_are(std::string const& kinds, std::array<index_t, 3> const& as_is, std::array<index_t, 3> const& in_order)
{
  INFO(kinds);
  auto const mesh = mesh::mixed(kinds, reference::gauss_lobatto(3));
  auto const classes = [](mesh::nodes const& nodes) {
    auto const c = Operator(host{}, checks::nodes_view(nodes)).classes();
    return std::array<index_t, 3>{c.affine, c.trilinear, c.general};
  };
  CHECK(classes(mesh) == as_is);
  CHECK(classes(sorted(mesh, element_order::like_by_like(checks::nodes_view(mesh)))) == in_order);
}

// What observe() sees of an operator, had it the mesh's own order: A u and the diagonal, interleaved in between.
template <class Operator>
checks::observed observe_sorted(Operator const& a, element_order const& order)
{
  using scalar = typename Operator::scalar_type;
  constexpr int n = Operator::nodes_1d, width = 4;
  index_t const count = a.elements();
  auto const size = static_cast<std::size_t>(count * n * n * n), room = size + width * n * n * n;
  auto const u = support::random<scalar>(size, n);
  std::vector<scalar> there(room), result(room), v(size), d(size);
  using packed = sumfac::view<scalar, sumfac::dextents<4>, sumfac::layout_interleaved<width>>;
  sumfac::dextents<4> const shape(count, n, n, n);
  order.apply(checks::vector_view<1>(u.data(), count, n), packed(there.data(), shape));
  a.apply(packed(there.data(), shape), packed(result.data(), shape));
  order.undo(packed(result.data(), shape), checks::vector_view<1>(v.data(), count, n));
  a.diagonal(packed(there.data(), shape));
  order.undo(packed(there.data(), shape), checks::vector_view<1>(d.data(), count, n));
  auto const real_numbers = [](std::vector<scalar> const& x) { return std::vector<checks::real>(x.begin(), x.end()); };
  return {Operator::order, n, 1, real_numbers(u), real_numbers(v), real_numbers(d), {}};
}

// The stored operator on the mesh as it is, and split on the sorted one.
template <class Operator>
void agrees_sorted(std::string const& kinds, reference::space const& space, reference::integrand<> const& form,
                   typename Operator::form_type const& own_form = {})
{
  using scalar = typename Operator::scalar_type;
  using stored_operator = sumfac::element_operator<typename Operator::form_type, Operator::order,
                                                   typename Operator::points_type, host, scalar>;
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mesh::mixed(kinds, where);
  auto const order = element_order::like_by_like(checks::nodes_view(mesh));
  auto const there = sorted(mesh, order);
  Operator const a(typename Operator::backend_type{}, checks::nodes_view(there), own_form);
  checks::compare_observed<scalar>(observe_sorted(a, order),
                                   checks::observe(stored_operator(host{}, checks::nodes_view(mesh), own_form), {}),
                                   mesh, where, space, form);
}

}  // namespace

TEST_CASE("split, sorted: each element is run as what it is")
{
  if (sumfac::native_width<double> > 2) {
    classes_are(times(128, "ag"), {0, 0, 256}, {128, 0, 128});
    classes_are(times(80, "atg"), {0, 0, 240}, {80, 80, 80});
    classes_are(times(128, "at"), {0, 256, 0}, {128, 128, 0});
    classes_are<narrow_mass>(times(80, "atg"), {0, 0, 240}, {80, 80, 80});
  }
  // Of fewer elements than a run some share a pack, one for each two classes.
  if (sumfac::native_width<double> == 4) classes_are(times(7, "atg"), {0, 0, 21}, {4, 8, 9});
}

TEST_CASE("split, sorted: the results are those of the mesh as it was")
{
  auto const random = mesh::random_kinds(170, 4);
  auto const space = reference::collocated(2);
  auto const form = reference::stiffness(0.3);
  agrees_sorted<bake_off_35>(times(90, "ag"), space, form, {.lambda = 0.3});
  agrees_sorted<bake_off_35>(random, space, form, {.lambda = 0.3});
  agrees_sorted<narrow_mass>(random, reference::on_gauss(3), reference::mass());
}
