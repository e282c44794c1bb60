// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on meshes with random equations between unknowns, against C^T A C as dense matrices.
#pragma once

#include "global_case.hpp"

#include <sumfac/dofs/constraints.hpp>
#include <sumfac/operator/global_operator.hpp>

#include <support/rows.hpp>

namespace checks {

// Random rows, with chains and between components; of those without terms some are marks.
struct random_constraints {
  sumfac::constraints rows;
  std::vector<std::uint8_t> marks;
  reference::expansion exact, unmarked;  // the second with marked unknowns as they are
};

inline random_constraints make_constraints(std::size_t size, int components, std::uint64_t seed)
{
  auto equations = reference::random_equations(size, size / 3, seed);
  std::vector<reference::equation> others;
  sumfac::constraints rows;
  std::vector<std::uint8_t> marks(size, 0);
  for (auto& row : equations) {
    if (row.terms.empty() && row.unknown % 2 == 0) {
      marks[row.unknown] = 1, row.b = 0;
      continue;
    }
    others.push_back(row);
    std::vector<sumfac::constraint_term> terms;
    for (auto const& [at, weight] : row.terms)
      terms.push_back(
          {static_cast<index_t>(at) / components, static_cast<double>(weight), static_cast<int>(at) % components});
    rows.add_component(static_cast<index_t>(row.unknown) / components, static_cast<int>(row.unknown) % components,
                       terms, static_cast<double>(row.b));
  }
  return {rows, marks, reference::expansion(size, equations), reference::expansion(size, others)};
}

// Application, added or not, transposed, in parts, and the diagonal.
template <class Operator>
void agrees_with_rows(mesh::counts counts, reference::space const& space, reference::integrand<> const& form,
                      std::uint64_t seed, sumfac::restriction_options options = {},
                      typename Operator::backend_type const& backend = {})
{
  using scalar = typename Operator::scalar_type;
  auto const numbers = mesh::numbered(counts, Operator::order, seed);
  global_case<Operator> const s(counts, numbers, space, form);
  auto const with = make_constraints(s.x.size(), Operator::components, seed);
  auto const exact = with.exact.reduced(s.exact.matrix(), reference::constrained_row::zero);
  auto const a = s.make(backend);
  options.components = Operator::components;
  auto const list = numbers.template table_of<std::int32_t>();
  sumfac::view<std::uint8_t const, sumfac::dextents<2>> const marks(with.marks.data(), numbers.nodes,
                                                                    Operator::components);
  sumfac::restriction<scalar, typename Operator::backend_type> const r(
      backend, table_view(list, numbers.elements, numbers.nodes_1d), numbers.nodes, marks, with.rows, options);
  auto const way = options.components_lie;
  double const fixed = options.rows.value, eps = std::numeric_limits<scalar>::epsilon();
  auto const x = s.laid(s.x, way);
  std::size_t const size = x.size();
  auto y = reference::product(exact, std::vector<real>(s.x.begin(), s.x.end()));
  std::vector<real> d(size);
  real largest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    d[i] = exact(static_cast<int>(i), static_cast<int>(i));
    if (!with.exact.is_free(i)) d[i] = fixed, y[i] = fixed * s.x[i];
    real moduli = 0;
    for (std::size_t j = 0; j < size; ++j) moduli += std::abs(exact(static_cast<int>(i), static_cast<int>(j)));
    largest = std::max(largest, moduli);
  }
  double const bound = 100 * eps * static_cast<double>(largest);
  auto const compare = [&](char const* what, std::vector<scalar> const& got, std::vector<real> const& wanted,
                           bool zero) {
    auto const ours = s.canonical(got, way);
    double worst = 0;
    for (std::size_t i = 0; i < size; ++i) {
      real const expected = zero && !with.exact.is_free(i) ? 0 : wanted[i];
      double const error = std::abs(static_cast<double>(ours[i] - expected));
      worst = std::max(worst, error == error ? error : 1e300);
    }
    INFO(what << ": off by " << worst << ", " << bound << " allowed");
    CHECK(worst <= bound);
  };
  auto const entries = [&](auto* data) { return sumfac::view(data, static_cast<index_t>(size)); };
  auto const run = [&](std::vector<scalar> out, auto const& f) {
    support::on_backend(backend, x, out, [&](scalar const* from, scalar* to) { f(entries(from), entries(to)); });
    return out;
  };
  auto const nothing = nans<scalar>(size);
  compare("A x", run(nothing, [&](auto from, auto to) { a.apply(r, from, to); }), y, false);
  compare("A^T x", run(nothing, [&](auto from, auto to) { a.apply_transposed(r, from, to); }), y, false);
  compare("0 + A x", run(std::vector<scalar>(size, 0), [&](auto from, auto to) { a.apply_add(r, from, to); }), y, true);
  compare("diagonal", run(nothing, [&](auto, auto to) { a.diagonal(r, to); }), d, false);
  // In two parts, whose sums are those of the whole.
  auto const first = r.subset(0, 2), rest = r.subset(2, a.elements());
  auto const parts = run(nothing, [&](auto from, auto to) {
    a.apply(first, from, to);
    a.apply_add(rest, from, to);
  });
  compare("A x in parts", parts, y, false);
  // What the rows say of x, with their values; x as it is elsewhere.
  auto distributed = x;
  support::on_backend(backend, distributed, [&](scalar* to) { r.distribute(entries(to)); });
  auto const ours = s.canonical(distributed, way);
  auto const said = with.unmarked.distributed(std::vector<real>(s.x.begin(), s.x.end()), true);
  for (std::size_t i = 0; i < size; ++i)
    CHECK(std::abs(static_cast<double>(ours[i] - said[i])) <= (with.unmarked.is_free(i) ? 0 : bound));
}

}  // namespace checks
