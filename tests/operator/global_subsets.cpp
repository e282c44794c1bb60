// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Parts of the elements, worked one after the other, add up to the whole; tables such as no mesh has; threads.
#include "global_case.hpp"

namespace {

using checks::global_case, checks::global_view, checks::index_t;
using sumfac::interleaving, sumfac::scatter;

// y = A x in parts: the first by apply, the others by apply_add.
template <class Operator, class Restriction>
void add_up(global_case<Operator> const& c, Operator const& a, std::vector<Restriction> const& parts)
{
  auto const way = parts[0].options().components_lie;
  double const fixed = parts[0].options().rows.value;
  auto const x = c.laid(c.x, way);
  auto y = checks::nans<typename Operator::scalar_type>(x.size());
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (i == 0)
      a.apply(parts[i], global_view(x), global_view(y));
    else
      a.apply_add(parts[i], global_view(x), global_view(y));
  y = c.canonical(y, way);
  for (std::size_t i = 0; i < y.size(); ++i)
    if (c.exact.constrained()[i]) {
      CHECK(y[i] == fixed * c.x[i]);
    } else {
      INFO("entry " << i);
      CHECK(std::abs(static_cast<double>(static_cast<reference::real>(y[i]) - c.y[i])) <= c.allowed[i]);
    }
}

template <class Operator>
void in_parts(mesh::numbering const& numbers, mesh::counts counts, reference::space const& space,
              reference::integrand<> const& form, int every)
{
  global_case<Operator> c(counts, numbers, space, form);
  c.constrain(every == 0 ? std::vector<std::uint8_t>{}
                         : checks::random_marks(numbers.nodes, Operator::components, every, 4));
  index_t const e = numbers.elements;
  auto const a = c.make();
  for (sumfac::constrained_rows const rows : {0.25, 0.0})
    for (auto const policy : {scatter::deterministic, scatter::atomic}) {
      auto const r = c.restriction({.policy = policy, .rows = rows, .blocks = 3});
      using restriction = std::decay_t<decltype(r)>;

      std::vector<restriction> ranges;
      for (index_t const cut : {index_t{0}, index_t{1}, e / 2, e - 1})
        ranges.push_back(r.subset(cut, cut == 0 ? 1 : cut == 1 ? e / 2 : cut == e - 1 ? e : e - 1));
      add_up(c, a, ranges);

      // Every third element, shuffled: 32-bit and 64-bit lists.
      std::vector<restriction> lists;
      for (index_t part = 0; part < 3; ++part) {
        std::vector<std::int64_t> wide;
        for (index_t i = e - 1 - part; i >= 0; i -= 3) wide.insert(i % 2 == 0 ? wide.begin() : wide.end(), i);
        std::vector<std::int32_t> const narrow(wide.begin(), wide.end());
        auto const size = static_cast<index_t>(wide.size());
        if (part == 1)
          lists.push_back(r.subset(sumfac::view<std::int32_t const, sumfac::dextents<1>>(narrow.data(), size)));
        else
          lists.push_back(r.subset(sumfac::view<std::int64_t const, sumfac::dextents<1>>(wide.data(), size)));
      }
      add_up(c, a, lists);

      // An empty part writes zeros (and identities), and adds nothing.
      std::vector<restriction> with_empty;
      with_empty.push_back(r.subset(2, 2));
      with_empty.push_back(r.subset(0, e));
      with_empty.push_back(r.subset(e, e));
      add_up(c, a, with_empty);
    }
}

template <class Operator>
void same_for_any_number_of_threads(int degree, mesh::counts counts)
{
  using scalar = typename Operator::scalar_type;
  auto const mesh = mesh::jittered(counts, 0.2);
  for (bool const shuffled : {false, true}) {
    checks::restricted_mesh numbered{mesh::numbered(counts, degree, shuffled ? 3 : 0), Operator::components};
    numbered.marks = checks::boundary_marks(numbered.numbers, Operator::components);
    auto const x = support::random<scalar>(numbered.size(), 4);
    auto const applied = [&](int threads, index_t blocks) {
      sumfac::host const backend(threads);
      Operator const a(backend, checks::nodes_view(mesh));
      auto const r = numbered.template restriction<scalar, sumfac::host>(backend, {.blocks = blocks});
      auto y = checks::nans<scalar>(x.size());
      a.apply(r, global_view(x), global_view(y));
      auto d = checks::nans<scalar>(x.size());
      a.diagonal(r, global_view(d));
      auto again = y;
      a.apply_add(r, global_view(x), global_view(again));
      y.insert(y.end(), d.begin(), d.end());
      y.insert(y.end(), again.begin(), again.end());
      return y;
    };
    for (index_t const blocks : {0, 5, 64}) {
      auto const serial = applied(1, blocks);
      for (int const threads : {1, 2, 3, 5}) {
        INFO("degree " << degree << ", " << threads << " threads, " << blocks << " blocks");
        CHECK(applied(threads, blocks) == serial);
      }
    }
  }
}

}  // namespace

TEST_CASE("global vectors: parts of the elements add up to the whole")
{
  mesh::counts const counts{3, 3, 2};
  in_parts<sumfac::bp3<2>>(mesh::by_entities(counts, 2), counts, reference::on_gauss(2), reference::stiffness(0.1), 5);
  in_parts<sumfac::bp3<2>>(mesh::numbered(counts, 2), counts, reference::on_gauss(2), reference::stiffness(0.1), 0);
  in_parts<sumfac::bp2<1>>(mesh::numbered(counts, 1, 3), counts, reference::on_gauss(1, 3), reference::mass(), 4);
}

TEST_CASE("global vectors: bit for bit the same for any number of threads, and in every run")
{
  same_for_any_number_of_threads<sumfac::bp3<2>>(2, {9, 8, 7});
  same_for_any_number_of_threads<sumfac::bp2<1>>(1, {12, 11, 5});
}

TEST_CASE("global vectors: atomic additions of several threads stay within rounding")
{
  mesh::counts const counts{4, 4, 3};
  auto const numbers = mesh::numbered(counts, 2, 6);
  global_case<sumfac::bp3<2>> c(counts, numbers, reference::on_gauss(2), reference::stiffness(0.1));
  c.constrain(checks::boundary_marks(numbers, 1));
  for (int const threads : {2, 3, 5})
    for (index_t const blocks : {0, 16})
      for (int repeat = 0; repeat < 5; ++repeat) {
        sumfac::host const backend(threads);
        c.compare(c.make(backend), c.restriction({.policy = scatter::atomic, .blocks = blocks}, backend));
      }
}

// Two sums of the same terms in different orders; terms are those of the operator on E-vectors.
TEST_CASE("global vectors: tables such as no mesh has")
{
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    checks::restricted_mesh numbered{checks::random_numbers(3, 1 + static_cast<int>(seed % 21), seed)};
    auto const mesh = mesh::sampled(mesh::jittered({3, 3, 3}, 0.2), numbered.numbers.elements);
    if (seed % 3 != 0) numbered.marks = checks::random_marks(numbered.numbers.nodes, 1, 4, seed);
    sumfac::host const backend(1 + static_cast<int>(seed % 3));
    sumfac::bp3<2> const a(backend, checks::nodes_view(mesh));
    auto const r = numbered.restriction<double, sumfac::host>(
        backend,
        {.policy = seed % 2 == 0 ? scatter::deterministic : scatter::atomic, .blocks = static_cast<index_t>(seed % 7)});
    auto const x = support::random<double>(numbered.size(), seed);
    auto const u = numbered.gathered(x, interleaving::fastest);
    std::vector<double> v(u.size());
    a.apply(checks::vector_view<1>(u.data(), a.elements(), 3), checks::vector_view<1>(v.data(), a.elements(), 3));
    std::vector<reference::real> sum(x.size()), moduli(x.size());
    std::vector<int> terms(x.size());
    numbered.for_each_place(interleaving::fastest, [&](std::size_t local, std::size_t global, bool fixed) {
      sum[global] += fixed ? 0 : v[local];
      moduli[global] += fixed ? 0 : std::abs(v[local]);
      ++terms[global];
    });
    auto y = checks::nans<double>(x.size());
    a.apply(r, global_view(x), global_view(y));
    INFO("seed " << seed << ", " << numbered.numbers.elements << " elements, " << numbered.numbers.nodes << " nodes");
    for (std::size_t i = 0; i < y.size(); ++i) {
      bool const fixed = numbered.constrained(static_cast<std::int64_t>(i), 0);
      auto const bound = static_cast<double>(moduli[i]) * terms[i] * 0x1p-53;
      double const wanted = fixed ? x[i] : static_cast<double>(sum[i]);
      INFO("node " << i << " of " << terms[i] << " terms");
      CHECK(std::abs(y[i] - wanted) <= (fixed ? 0 : bound + std::abs(wanted) * 0x1p-53));
    }
  }
}

TEST_CASE("global vectors: what stands at constrained entries of x reaches no other entry, not even if it is no number")
{
  mesh::counts const counts{3, 2, 1};
  auto const numbers = mesh::by_entities(counts, 2);
  global_case<sumfac::bp3<2>> c(counts, numbers, reference::on_gauss(2), reference::stiffness(0.1));
  c.constrain(checks::random_marks(numbers.nodes, 1, 4, 3));
  auto const a = c.make();
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    auto const r = c.restriction({.policy = policy, .rows = sumfac::constrained_rows::zero});
    auto const y = c.apply(a, r, c.x);
    auto with_nan = c.x;
    for (std::size_t i = 0; i < with_nan.size(); ++i)
      if (c.exact.constrained()[i]) with_nan[i] = std::numeric_limits<double>::quiet_NaN();
    auto const again = c.apply(a, r, with_nan);
    for (std::size_t i = 0; i < y.size(); ++i) {
      INFO("entry " << i);
      CHECK(std::abs(again[i] - y[i]) <= 2 * c.allowed[i]);
    }
  }
}

TEST_CASE("global vectors: the operator on a subset without a node writes zero there")
{
  mesh::counts const counts{3, 1, 1};
  auto const numbers = mesh::numbered(counts, 2);
  global_case<sumfac::bp3<2>> c(counts, numbers, reference::on_gauss(2), reference::stiffness(0.1));
  c.constrain({});
  auto const a = c.make();
  auto const r = c.restriction();
  auto const first = r.subset(0, 1);
  auto const y = c.apply(a, first, c.x);
  auto d = checks::nans<double>(c.x.size());
  a.diagonal(first, global_view(d));
  for (int x = 0; x < 7; ++x)
    for (int row = 0; row < 9; ++row) {
      auto const i = static_cast<std::size_t>(7 * row + x);
      CHECK((y[i] == 0) == (x > 2));
      CHECK((d[i] == 0) == (x > 2));
    }
}
