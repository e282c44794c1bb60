// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Inputs as global vectors through restrictions of their own, kept at the points or given at the call.
#include "inputs.hpp"

#include <sumfac/backend/checked.hpp>

#include <geometry/global_vectors.hpp>

namespace {

using namespace checks;
using sumfac::interleaving, sumfac::scatter;

// One input of Components components and degree Order.
template <int Components, int Order>
struct summed : with_metric {
  static constexpr auto trial = gradient, test = gradient;
  using inputs = sumfac::reads<sumfac::input{.components = Components, .evaluates = value | gradient, .order = Order}>;

  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& u,
                                        point_values<T, Components> const& a) const
  {
    if constexpr (Components == 1)
      return {.gradient = a.value * (f.metric * u.gradient) + (f.measure * u.gradient[1]) * a.gradient};
    else
      return {.gradient = (a.value[0] + a.gradient(1, 2) * a.value[Components - 1]) * (f.metric * u.gradient)};
  }
};

double greatest_distance(auto const& a, auto const& b)
{
  double greatest = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double const d = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    greatest = d > greatest || d != d ? d : greatest;
    size = std::max(size, std::abs(static_cast<double>(b[i])));
  }
  return greatest / size;
}

// What apply() makes of the field as an E-vector it makes of it as a global vector: kept, or given at the call.
template <int Components, int Order, class Backend, class Scalar, class Policy>
void same_from_global_vectors(interleaving way, std::vector<std::uint8_t> const& marks_of_field, Backend const& backend)
{
  constexpr int degree = 2, m = (Order == 0 ? degree : Order) + 1;
  using form = summed<Components, Order>;
  using subject = sumfac::element_operator<form, degree, sumfac::gauss<4>, Backend, Scalar, Policy>;
  using scalar = typename subject::scalar_type;
  mesh::counts const counts{3, 3, 2};
  auto const mesh = mesh::box(counts);
  subject kept(backend, nodes_view(mesh));
  subject const fresh(backend, nodes_view(mesh));

  auto const numbers = mesh::numbered(counts, degree, 5);
  restricted_mesh const of_u{numbers, 1, random_marks(numbers.nodes, 1, 5, 3)};
  restricted_mesh const of_field{mesh::numbered(counts, m - 1, 7), Components, marks_of_field};
  auto const r = of_u.template restriction<scalar>(backend, {.blocks = 3});
  auto const r_field = of_field.template restriction<scalar>(backend, {.components_lie = way, .blocks = 2});

  auto const x = support::random<scalar>(of_u.size(), 1);
  auto t = support::random<scalar>(of_field.size(), 2);
  for (scalar& at : t) at = (3 + at) / 2;
  auto const gathered = of_field.gathered(t, way);
  auto const e_vector = vector_view<Components>(gathered.data(), mesh.elements, m);

  std::vector<scalar> expected(x.size()), got(x.size()), sum(x.size());
  kept.linearize(sumfac::field(e_vector));
  kept.apply(r, global_view(x), global_view(expected));
  kept.linearize(r_field, global_view(t));
  kept.apply(r, global_view(x), global_view(got));
  CHECK(got == expected);

  double const allowed = 64 * static_cast<double>(std::numeric_limits<scalar>::epsilon());
  auto const at_call = sumfac::field(r_field, global_view(t));
  fresh.apply(r, global_view(x), global_view(got), at_call);
  CHECK(greatest_distance(got, expected) <= allowed);
  auto const once = got;
  fresh.apply(r, global_view(x), global_view(got), sumfac::field(e_vector));
  CHECK(got == once);
  fresh.apply_add(r, global_view(x), global_view(got), at_call);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = of_u.marks[i] != 0 ? once[i] : 2 * once[i];
  CHECK(greatest_distance(got, sum) <= allowed);

  // Of subsets, whose field is of all elements.
  auto const first = r.subset(0, 7), second = r.subset(7, mesh.elements);
  fresh.apply(first, global_view(x), global_view(got), at_call);
  fresh.apply_add(second, global_view(x), global_view(got), at_call);
  CHECK(greatest_distance(got, once) <= allowed);
  kept.apply(first, global_view(x), global_view(got));
  kept.apply_add(second, global_view(x), global_view(got));
  CHECK(greatest_distance(got, expected) <= allowed);
}

template <int Components, int Order, class Backend = sumfac::host, class Scalar = double,
          class Policy = sumfac::stored>
void same_from_global_vectors(Backend const& backend = {})
{
  constexpr int degree = Order == 0 ? 2 : Order;
  auto const nodes = mesh::numbered({3, 3, 2}, degree).nodes;
  for (auto const way : {interleaving::fastest, interleaving::slowest}) {
    same_from_global_vectors<Components, Order, Backend, Scalar, Policy>(way, {}, backend);
    same_from_global_vectors<Components, Order, Backend, Scalar, Policy>(way, random_marks(nodes, Components, 4, 3),
                                                                         backend);
  }
}

}  // namespace

TEST_CASE("inputs: global vectors through restrictions of their own")
{
  same_from_global_vectors<1, 0>();
  same_from_global_vectors<1, 1>(sumfac::host{3});
  same_from_global_vectors<2, 3>();
  same_from_global_vectors<3, 0, sumfac::host, double, sumfac::trilinear>();
  same_from_global_vectors<2, 1, sumfac::host, float>();
}

TEST_CASE("inputs: global vectors in two precisions")
{
  same_from_global_vectors<2, 0, sumfac::host, sumfac::low_high>();
  same_from_global_vectors<1, 1, sumfac::host, sumfac::precision<float, float, double>>();
}

TEST_CASE("inputs: global vectors on the watched device")
{
  same_from_global_vectors<2, 1, sumfac::checked>();
}
