// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on global vectors and the oracle's for the same mesh, numbers and constraints.
#pragma once

#include "problems.hpp"

#include <dofs/global_vectors.hpp>

#include <algorithm>
#include <cmath>

namespace checks {

// Curved elements in their own numbers, and what an operator on them must be.
template <class Operator>
class global_case {
  typename Operator::form_type form_;

public:
  using scalar = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  using vector = std::vector<scalar>;
  static constexpr int order = Operator::order, nodes_1d = Operator::nodes_1d, components = Operator::components;

  // Elements mapped from a box; the numbers may be any that have as many elements.
  global_case(mesh::counts counts, mesh::numbering const& numbers, reference::space const& space,
              reference::integrand<> const& form, typename Operator::form_type const& operator_form = {})
      : global_case(mesh::mapped(mesh::box(counts, reference::gauss_lobatto(3)), mesh::smooth{}),
                    reference::gauss_lobatto(3), numbers, space, form, operator_form)
  {
  }

  // Any elements: where their nodes lie in space is nothing to the numbers.
  global_case(mesh::nodes const& elements, reference::rule const& where, mesh::numbering const& numbers,
              reference::space const& space, reference::integrand<> const& form,
              typename Operator::form_type const& operator_form = {})
      : form_(operator_form),
        mesh(elements),
        numbered{numbers, components},
        exact(space, where, mesh, numbers, form),
        x(support::random<scalar>(numbered.size(), static_cast<std::uint64_t>(order + 1)))
  {
  }

  Operator make(backend_type const& backend = {}) const { return {backend, nodes_view(mesh), form_}; }

  template <class Index = std::int64_t>
  auto restriction(sumfac::restriction_options options = {}, backend_type const& backend = {}) const
  {
    options.patch = Operator::tuned.patch;
    return numbered.template restriction<scalar, backend_type, Index>(backend, options);
  }

  // Takes the marks; what A x must be and how far from it, by the oracle, is known from here on.
  void constrain(std::vector<std::uint8_t> const& marks)
  {
    numbered.marks = marks;
    exact.constrain(numbered.constrained_entries(sumfac::interleaving::fastest), reference::constrained_row::identity);
    std::vector<real> const exact_x(x.begin(), x.end());
    y = exact.apply(exact_x);
    diagonal = exact.diagonal();
    allowed = exact.template allowed<scalar>(exact_x);
    allowed_diagonal = exact.template allowed_diagonal<scalar>();
  }

  // From node * C + c, the oracle's order, to the order of a restriction, and back.
  template <class T>
  std::vector<T> laid(std::vector<T> const& values, sumfac::interleaving way) const
  {
    std::vector<T> result(values.size());
    each_entry(way, [&](std::size_t ours, std::size_t theirs) { result[theirs] = values[ours]; });
    return result;
  }
  template <class T>
  std::vector<T> canonical(std::vector<T> const& values, sumfac::interleaving way) const
  {
    std::vector<T> result(values.size());
    each_entry(way, [&](std::size_t ours, std::size_t theirs) { result[ours] = values[theirs]; });
    return result;
  }

  // A x by the library, in the restriction's order, into a vector of NaN: what was there must not matter.
  template <class Restriction>
  vector apply(Operator const& a, Restriction const& r, vector const& laid_x) const
  {
    auto result = nans<scalar>(laid_x.size());
    support::on_backend(a.backend(), laid_x, result,
                        [&](scalar const* from, scalar* to) { a.apply(r, entries_at(from), entries_at(to)); });
    return result;
  }

  // Apply, apply_add and the diagonal of one restriction against the oracle.
  template <class Restriction>
  void compare(Operator const& a, Restriction const& r) const
  {
    auto const way = r.options().components_lie;
    real const fixed = r.options().rows.value;
    auto const in = laid(x, way);
    auto const got = canonical(apply(a, r, in), way);
    compare("A x", got, y, allowed, fixed);

    auto const before = support::random<scalar>(x.size(), 77);
    auto sum = laid(before, way);
    support::on_backend(a.backend(), in, sum,
                        [&](scalar const* from, scalar* to) { a.apply_add(r, entries_at(from), entries_at(to)); });
    compare_sum(canonical(sum, way), before);

    auto d = nans<scalar>(x.size());
    support::on_backend(a.backend(), d, [&](scalar* to) { a.diagonal(r, entries_at(to)); });
    compare("diagonal", canonical(d, way), diagonal, allowed_diagonal, fixed);
  }

  mesh::nodes mesh;
  restricted_mesh numbered;
  reference::global_operator exact;
  vector x;                       // random, in the oracle's order
  std::vector<real> y, diagonal;  // A x; constrained rows are identities
  std::vector<double> allowed, allowed_diagonal;

private:
  template <class T>
  auto entries_at(T* data) const
  {
    return sumfac::view<T, sumfac::dextents<1>>(data, static_cast<index_t>(x.size()));
  }

  template <class Function>
  void each_entry(sumfac::interleaving way, Function const& f) const
  {
    for (std::int64_t node = 0; node < numbered.numbers.nodes; ++node)
      for (int c = 0; c < components; ++c)
        f(static_cast<std::size_t>(node * components + c), numbered.entry(way, node, c));
  }

  // Constrained entries are `fixed` times the oracle's, exactly.
  void compare(char const* what, vector const& got, std::vector<real> const& expected, std::vector<double> const& bound,
               real fixed) const
  {
    REQUIRE(got.size() == expected.size());
    if (got.empty()) return;
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      bool const constrained = exact.constrained()[i];
      real const wanted = constrained ? fixed * expected[i] : expected[i];
      double const error = std::abs(static_cast<double>(static_cast<real>(got[i]) - wanted));
      double const part = error == 0 ? 0 : constrained || !(error == error) ? 1e300 : error / bound[i];
      if (part > worst) worst = part, at = i;
    }
    INFO(what << ", degree " << order << ", entry " << at << " of " << got.size() << ": got "
              << static_cast<double>(got[at]) << ", expected " << static_cast<double>(expected[at]) << ", " << worst
              << " of what is allowed");
    CHECK(worst <= 1);
  }

  // y += A x leaves constrained entries alone, and rounds once more elsewhere.
  void compare_sum(vector const& sum, vector const& before) const
  {
    double worst = 0;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      if (exact.constrained()[i]) {
        CHECK(sum[i] == before[i]);
        continue;
      }
      real const wanted = static_cast<real>(before[i]) + y[i];
      double const error = std::abs(static_cast<double>(static_cast<real>(sum[i]) - wanted));
      // One more rounding for each element's addition, of the sum so far, |before| and A x itself.
      double const size = std::abs(static_cast<double>(before[i])) + std::abs(static_cast<double>(y[i]));
      double const bound = allowed[i] + 9 * size * static_cast<double>(std::numeric_limits<scalar>::epsilon()) / 2;
      worst = std::max(worst, error == error ? error / bound : 1e300);
    }
    INFO("y + A x, degree " << order << ": " << worst << " of what is allowed");
    CHECK(worst <= 1);
  }
};

// Both interleavings, three kinds of rows, both policies, tables of 32 and 64 bits.
template <class Operator>
void every_restriction(global_case<Operator> const& c, typename Operator::backend_type const& backend = {})
{
  auto const a = c.make(backend);
  for (auto const way : {sumfac::interleaving::fastest, sumfac::interleaving::slowest})
    for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic})
      for (sumfac::constrained_rows const rows : {policy == sumfac::scatter::atomic ? 0.25 : 1.0, 0.0}) {
        if (Operator::components == 1 && way == sumfac::interleaving::slowest) continue;
        sumfac::restriction_options const options{.components_lie = way, .policy = policy, .rows = rows};
        INFO((way == sumfac::interleaving::fastest ? "fastest" : "slowest")
             << (policy == sumfac::scatter::atomic ? ", atomic" : ", deterministic"));
        if (rows.value != 0)
          c.compare(a, c.template restriction<std::int32_t>(options, backend));
        else
          c.compare(a, c.template restriction<std::int64_t>(options, backend));
      }
}

// One operator on several meshes, numbers and constraints.
template <class Operator>
void agrees_globally(std::vector<mesh::counts> const& boxes, reference::space const& space,
                     reference::integrand<> const& form, typename Operator::form_type const& operator_form = {},
                     typename Operator::backend_type const& backend = {})
{
  int kind = 0;
  for (auto const box : boxes) {
    auto const numbers = kind == 0   ? mesh::numbered(box, Operator::order, 5)
                         : kind == 1 ? mesh::by_entities(box, Operator::order)
                                     : mesh::numbered(box, Operator::order, 0, {.x = true});
    global_case<Operator> c(box, numbers, space, form, operator_form);
    INFO(box.elements() << " elements, numbers of kind " << kind);
    c.constrain(kind == 0   ? std::vector<std::uint8_t>{}
                : kind == 1 ? random_marks(numbers.nodes, Operator::components, 5, 3)
                            : boundary_marks(numbers, Operator::components));
    every_restriction(c, backend);
    kind = (kind + 1) % 3;
  }
}

}  // namespace checks
