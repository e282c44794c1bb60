// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Subsets of elements by range and by list act on their elements alone; and some tables by device kernels.
#include "moves.hpp"

#include <sumfac/backend/checked.hpp>

namespace {

using namespace checks;

// Gather, scatter and scatter_add of a part of the elements.
template <class Scalar, class Backend>
void acts_on(restricted_mesh const& mesh, sumfac::restriction<Scalar, Backend> const& part,
             std::vector<int> const& elements)
{
  auto const way = part.options().components_lie;
  CHECK(part.elements() == mesh.numbers.elements);
  CHECK(part.size() == static_cast<index_t>(mesh.size()));
  std::vector<bool> inside(static_cast<std::size_t>(mesh.numbers.elements));
  for (int const e : elements) inside[static_cast<std::size_t>(e)] = true;
  auto const x = integers<Scalar>(mesh.size(), 1);
  auto v = integers<Scalar>(mesh.local_size(), 2);
  auto expected = mesh.gathered(x, way), u = v;
  for (std::size_t i = 0; i < u.size(); ++i)
    if (!inside[i / mesh.element_size()]) expected[i] = u[i];
  int const n = mesh.numbers.nodes_1d;
  auto const view_of = [&](auto& values) {
    return sumfac::view(values.data(), mesh.numbers.elements, mesh.components, n, n, n);
  };
  part.gather(global_view(x), view_of(u));
  CHECK(u == expected);

  // Numbers outside the subset must not even be read.
  auto with_zeros = v;
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!inside[i / mesh.element_size()]) {
      v[i] = std::numeric_limits<Scalar>::quiet_NaN();
      with_zeros[i] = 0;
    }
  auto y = nans<Scalar>(mesh.size());
  part.scatter(view_of(std::as_const(v)), global_view(y));
  CHECK(y == mesh.scattered(with_zeros, way));
  auto sum = x;
  part.scatter_add(view_of(std::as_const(v)), global_view(sum));
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] -= x[i];
  CHECK(sum == y);
}

template <class Backend>
void every_subset(restricted_mesh const& mesh, Backend const& backend, sumfac::restriction_options const& options)
{
  auto const r = mesh.restriction<double, Backend>(backend, options);
  int const e = mesh.numbers.elements;
  for (auto const& [first, last] : std::vector<std::pair<int, int>>{{0, e}, {0, 1}, {e - 1, e}, {3, 7}, {5, 5}}) {
    std::vector<int> elements(static_cast<std::size_t>(last - first));
    std::iota(elements.begin(), elements.end(), first);
    INFO("elements " << first << " to " << last << " of " << e);
    acts_on(mesh, r.subset(first, last), elements);
  }
  for (auto const& list : std::vector<std::vector<int>>{{}, {4}, {9, 2, 5, 0, 11}, {11, 10, 9, 8, 7, 6, 5}}) {
    std::vector<std::int64_t> const wide(list.begin(), list.end());
    auto const count = static_cast<index_t>(list.size());
    acts_on(mesh, r.subset(sumfac::view<int const, sumfac::dextents<1>>(list.data(), count)), list);
    acts_on(mesh, r.subset(sumfac::view<std::int64_t const, sumfac::dextents<1>>(wide.data(), count)), list);
  }
}

}  // namespace

TEST_CASE("restriction: some tables on checked")
{
  for (int degree : {1, 3}) {
    every_way<1, double>({mesh::numbered({3, 2, 1}, degree, 7)}, sumfac::checked{});
    every_way<3, float>({mesh::by_entities({2, 2, 1}, degree)}, sumfac::checked{});
    every_way<1, double>({mesh::numbered({2, 1, 1}, degree, 0, {true, true, true})}, sumfac::checked{});
  }
}

TEST_CASE("restriction: subsets by range and by list act on their elements alone")
{
  auto const numbers = mesh::by_entities({3, 2, 2}, 2);
  restricted_mesh const mesh{numbers, 2, random_marks(numbers.nodes, 2, 5, 4)};
  for (auto const way : {interleaving::fastest, interleaving::slowest})
    for (auto const policy : {scatter::deterministic, scatter::atomic}) {
      every_subset(mesh, sumfac::host{2}, {.components_lie = way, .policy = policy, .blocks = 3});
      every_subset(mesh, sumfac::checked{}, {.components_lie = way, .policy = policy});
    }
}
