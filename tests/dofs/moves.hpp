// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What gather, scatter and scatter_add must do with every table, layout, component and mark: to the last bit.
#pragma once

#include "global_vectors.hpp"

#include <support/moved.hpp>

#include <numeric>

namespace checks {

using sumfac::interleaving, sumfac::scatter;

template <int Components, class Scalar, class Layout>
class local_vector {
  using extents = sumfac::dextents<Components == 1 ? 4 : 5>;
  using mapping = typename Layout::template mapping<extents>;

public:
  local_vector(restricted_mesh const& mesh, Scalar value) : map_(shape(mesh))
  {
    memory_.assign(static_cast<std::size_t>(map_.required_span_size()), value);
  }

  std::vector<Scalar>& memory() { return memory_; }

  // Of these entries, or of a copy of them that lies elsewhere.
  template <class T>
  auto view_at(T* data) const
  {
    return sumfac::view<T, extents, Layout>(data, map_);
  }

  // To and from (E, C, n, n, n), row by row.
  void assign(std::vector<Scalar> const& rows)
  {
    std::size_t next = 0;
    for_each([&](Scalar& x) { x = rows[next++]; });
  }
  std::vector<Scalar> rows()
  {
    std::vector<Scalar> result;
    for_each([&](Scalar& x) { result.push_back(x); });
    return result;
  }

private:
  static extents shape(restricted_mesh const& mesh)
  {
    index_t const n = mesh.numbers.nodes_1d;
    if constexpr (Components == 1)
      return extents(mesh.numbers.elements, n, n, n);
    else
      return extents(mesh.numbers.elements, Components, n, n, n);
  }

  template <class Function>
  void for_each(Function const& f)
  {
    auto const v = view_at(memory_.data());
    index_t const n = v.extent(v.rank() - 1);
    for (index_t e = 0; e < v.extent(0); ++e)
      for (index_t c = 0; c < Components; ++c)
        for (index_t i = 0; i < n * n * n; ++i) {
          if constexpr (Components == 1)
            f(v(e, i / n / n, i / n % n, i % n));
          else
            f(v(e, c, i / n / n, i / n % n, i % n));
        }
  }

  mapping map_;
  std::vector<Scalar> memory_;
};

template <class Scalar>
double sum_of_products(std::vector<Scalar> const& a, std::vector<Scalar> const& b)
{
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// A view of a global vector that lies there.
template <class T>
auto entries_at(restricted_mesh const& mesh, T* data)
{
  return sumfac::view<T, sumfac::dextents<1>>(data, static_cast<index_t>(mesh.size()));
}

// Gather, scatter and scatter_add of a restriction, against the table.
template <int Components, class Layout = sumfac::layout_right, class Scalar, class Backend>
void moves_exactly(restricted_mesh const& mesh, sumfac::restriction<Scalar, Backend> const& r)
{
  auto const way = r.options().components_lie;
  auto const nan = std::numeric_limits<Scalar>::quiet_NaN();
  auto const x = checks::integers<Scalar>(mesh.size(), 1);
  auto const v = checks::integers<Scalar>(mesh.local_size(), 2);

  local_vector<Components, Scalar, Layout> u(mesh, nan), w(mesh, nan);
  support::on_backend(r.backend(), x, u.memory(),
                      [&](Scalar const* from, Scalar* to) { r.gather(entries_at(mesh, from), u.view_at(to)); });
  auto const gathered = u.rows();
  CHECK(gathered == mesh.gathered(x, way));

  w.assign(v);
  auto y = checks::nans<Scalar>(mesh.size());
  support::on_backend(r.backend(), w.memory(), y,
                      [&](Scalar const* from, Scalar* to) { r.scatter(w.view_at(from), entries_at(mesh, to)); });
  CHECK(y == mesh.scattered(v, way));
  CHECK(sum_of_products(x, y) == sum_of_products(gathered, v));  // each is the other's transpose

  auto const before = checks::integers<Scalar>(mesh.size(), 3);
  auto sum = before;
  support::on_backend(r.backend(), w.memory(), sum,
                      [&](Scalar const* from, Scalar* to) { r.scatter_add(w.view_at(from), entries_at(mesh, to)); });
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] -= before[i];
  CHECK(sum == y);
}

template <int Components, class Scalar, class Backend>
void every_way(restricted_mesh mesh, Backend const& backend)
{
  mesh.components = Components;
  for (int const marked : {0, 1, 2}) {
    mesh.marks = marked == 0   ? std::vector<std::uint8_t>{}
                 : marked == 1 ? checks::boundary_marks(mesh.numbers, Components)
                               : checks::random_marks(mesh.numbers.nodes, Components, 5, 9);
    for (auto const way : {interleaving::fastest, interleaving::slowest})
      for (auto const policy : {scatter::deterministic, scatter::atomic}) {
        INFO(Components << " components, marks " << marked << ", "
                        << (way == interleaving::fastest ? "fastest" : "slowest")
                        << (policy == scatter::atomic ? ", atomic" : ", deterministic"));
        sumfac::restriction_options const options{.components_lie = way, .policy = policy};
        moves_exactly<Components>(mesh, mesh.restriction<Scalar, Backend, std::int32_t>(backend, options));
        moves_exactly<Components>(mesh, mesh.restriction<Scalar, Backend, std::int64_t>(backend, options));
      }
  }
}

}  // namespace checks
