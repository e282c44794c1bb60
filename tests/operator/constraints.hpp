// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on meshes with random equations between unknowns, against C^T A C as dense matrices.
#pragma once

#include "global_case.hpp"

#include <sumfac/dofs/constraints.hpp>
#include <sumfac/operator/global_operator.hpp>

namespace checks {

// Random rows, with chains, between components and with marked terms, and what they say as a dense matrix: row i of C
// is what unknown i is of the free ones.
struct random_constraints {
  sumfac::constraints rows;
  std::vector<std::uint8_t> marks;
  std::vector<bool> has_row;
  std::vector<double> values;
  std::vector<std::vector<real>> c, unmarked;  // the second with marked unknowns as they are

  random_constraints(std::int64_t nodes, int components, std::uint64_t seed)
  {
    support::generator next(seed);
    auto const size = static_cast<std::size_t>(nodes * components);
    marks.assign(size, 0), has_row.assign(size, false), values.assign(size, 0);
    c.assign(size, std::vector<real>(size, 0)), unmarked = c;
    // From the last on, so that what terms stand for is known.
    for (std::size_t i = size; i-- > 0;) {
      auto const kind = next.bits() % 8;
      if (kind == 0) {
        marks[i] = 1, unmarked[i][i] = 1;
      } else if (kind < 3 && i + 1 < size) {
        std::vector<sumfac::constraint_term> terms;
        auto const count = next.bits() % 5;
        double const value = next();
        real sum = value;
        for (std::uint64_t t = 0; t < count; ++t) {
          auto const j = i + 1 + next.bits() % (size - i - 1);
          double const weight = next();
          terms.push_back({static_cast<index_t>(j) / components, weight, static_cast<int>(j) % components});
          for (std::size_t k = 0; k < size; ++k) c[i][k] += weight * c[j][k], unmarked[i][k] += weight * unmarked[j][k];
          sum += has_row[j] ? weight * values[j] : 0;
        }
        rows.add_component(static_cast<index_t>(i) / components, static_cast<int>(i) % components, terms, value);
        has_row[i] = true, values[i] = static_cast<double>(sum);
      } else {
        c[i][i] = unmarked[i][i] = 1;
      }
    }
  }

  bool constrained(std::size_t i) const { return marks[i] != 0 || has_row[i]; }

  // C^T a C.
  std::vector<std::vector<real>> around(reference::table<real> const& a) const
  {
    std::size_t const size = c.size();
    std::vector<std::vector<real>> half(size, std::vector<real>(size, 0)), whole = half;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        if (real const entry = a(static_cast<int>(i), static_cast<int>(j)); entry != 0)
          for (std::size_t k = 0; k < size; ++k) half[i][k] += entry * c[j][k];
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t l = 0; l < size; ++l)
        if (c[i][l] != 0)
          for (std::size_t k = 0; k < size; ++k) whole[l][k] += c[i][l] * half[i][k];
    return whole;
  }
};

// Application, added or not, transposed, in parts, and the diagonal.
template <class Operator>
void agrees_with_rows(mesh::counts counts, reference::space const& space, reference::integrand<> const& form,
                      std::uint64_t seed, sumfac::restriction_options options = {},
                      typename Operator::backend_type const& backend = {})
{
  using scalar = typename Operator::scalar_type;
  auto const numbers = mesh::numbered(counts, Operator::order, seed);
  global_case<Operator> const s(counts, numbers, space, form);
  random_constraints const with(numbers.nodes, Operator::components, seed);
  auto const exact = with.around(s.exact.matrix());
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
  std::vector<real> y(size), d(size);
  double largest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    d[i] = with.constrained(i) ? fixed : exact[i][i];
    y[i] = with.constrained(i) ? fixed * s.x[i] : 0;
    real moduli = 0;
    for (std::size_t j = 0; j < size; ++j)
      y[i] += exact[i][j] * static_cast<real>(s.x[j]), moduli += std::abs(exact[i][j]);
    largest = std::max(largest, static_cast<double>(moduli));
  }
  double const bound = 100 * eps * largest;
  auto const compare = [&](char const* what, std::vector<scalar> const& got, std::vector<real> const& wanted,
                           bool zero) {
    auto const ours = s.canonical(got, way);
    double worst = 0;
    for (std::size_t i = 0; i < size; ++i) {
      real const expected = zero && with.constrained(i) ? 0 : wanted[i];
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
  for (std::size_t i = 0; i < size; ++i) {
    if (!with.has_row[i]) CHECK(ours[i] == s.x[i]);
    real sum = with.values[i];
    for (std::size_t j = 0; j < size; ++j) sum += with.unmarked[i][j] * static_cast<real>(s.x[j]);
    if (with.has_row[i]) CHECK(std::abs(static_cast<double>(ours[i] - sum)) <= bound);
  }
}

}  // namespace checks
