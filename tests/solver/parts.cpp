// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators, diagonals and solves on a part of a mesh, which may be without elements, nodes, or entries that are free.
#include "systems.hpp"

#include <sumfac/backend/checked.hpp>

#include <support/parts.hpp>

namespace {

using namespace checks;
using reference::real;
using sumfac::solve_status;

template <class Backend = sumfac::host>
using stiffness = sumfac::bp3<2, Backend>;

// An operator of degree 2 on any numbers; SPD at the nodes that elements have.
template <class Backend = sumfac::host>
global_case<stiffness<Backend>> case_of(mesh::nodes const& elements, mesh::numbering const& numbers,
                                        std::vector<std::uint8_t> const& marks)
{
  global_case<stiffness<Backend>> c(elements, reference::gauss_lobatto(3), numbers, reference::on_gauss(2),
                                    reference::stiffness(0.1), {.lambda = 0.1});
  c.constrain(marks);
  return c;
}

mesh::nodes curved(mesh::counts counts)
{
  return mesh::mapped(mesh::box(counts, reference::gauss_lobatto(3)), mesh::smooth{});
}

// The oracle's x: rows of nodes that no element has are those of the identity, with `kept` on the right.
template <class Case>
std::vector<real> solution(Case const& c, std::vector<double> const& b, double kept)
{
  auto matrix = c.exact.matrix();
  std::vector<real> right(b.begin(), b.end());
  auto const used = c.numbered.numbers.multiplicity();
  for (std::size_t i = 0; i < right.size(); ++i)
    if (used[i] == 0 && !c.exact.constrained()[i]) {
      matrix(static_cast<int>(i), static_cast<int>(i)) = 1;
      right[i] = kept;
    }
  return reference::solved(matrix, right).value();
}

template <class Case>
std::vector<double> right_side(Case const& c, double at_unused = 0)
{
  auto b = support::random<double>(c.x.size(), 9);
  auto const used = c.numbered.numbers.multiplicity();
  for (std::size_t i = 0; i < b.size(); ++i)
    if (used[i] == 0 && !c.exact.constrained()[i]) b[i] = at_unused;
  return b;
}

enum class solver { plain, merged };

template <class Backend, class Matrix, class Preconditioner>
sumfac::solve_result solve(solver way, Matrix const& l, std::vector<double> const& b, std::vector<double>& x,
                           Preconditioner const& p, sumfac::cg_options const& options)
{
  if constexpr (sumfac::runs_on_host<Backend>)
    if (way == solver::merged) return sumfac::merged_cg(l, global_view(b), global_view(x), p, options);
  return sumfac::cg(l, global_view(b), global_view(x), p, options);
}

// Solves from a guess of `kept` everywhere by every solver, with and without jacobi.
template <class Backend>
void solves(global_case<stiffness<Backend>> const& c, Backend const& backend)
{
  constexpr double kept = 0.75;
  auto const a = c.make(backend);
  auto const b = right_side(c);
  auto const direct = solution(c, b, kept);
  auto const used = c.numbered.numbers.multiplicity();
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic})
    for (index_t const blocks : {1, 3}) {
      if (blocks > 1 && !sumfac::runs_on_host<Backend>) continue;  // the host's
      auto const r = c.restriction({.policy = policy, .blocks = blocks}, backend);
      sumfac::global_operator const l{a, r};
      auto d = nans<double>(b.size());
      l.diagonal(global_view(d));
      sumfac::jacobi<double, Backend> const p(backend, global_view(std::as_const(d)));
      for (std::size_t i = 0; i < d.size(); ++i)
        CHECK(p.inverse()[i] == (used[i] == 0 || c.exact.constrained()[i] ? 1 : 1 / d[i]));
      for (solver const way : {solver::plain, solver::merged})
        for (bool const jacobi : {false, true}) {
          if (way == solver::merged && !sumfac::runs_on_host<Backend>) continue;
          std::vector<double> x(b.size(), kept);
          sumfac::cg_options const options{.iterations = 500, .tolerance = 1e-13};
          auto const result = jacobi ? solve<Backend>(way, l, b, x, p, options)
                                     : solve<Backend>(way, l, b, x, sumfac::no_preconditioner{}, options);
          INFO(result.report() << (jacobi ? ", jacobi" : ""));
          CHECK(result.status == solve_status::converged);
          for (std::size_t i = 0; i < x.size(); ++i) {
            if (used[i] == 0 && !c.exact.constrained()[i]) CHECK(x[i] == kept);
            CHECK(std::abs(static_cast<double>(x[i] - direct[i])) <= 1e-9);
          }
        }
    }
}

// Subsets of nothing add nothing, and write what constrained rows do.
template <class Backend>
void adds_nothing(global_case<stiffness<Backend>> const& c, Backend const& backend)
{
  auto const a = c.make(backend);
  auto const r = c.restriction({.blocks = 2}, backend);
  std::vector<int> const none;
  for (auto const& part : {r.subset(0, 0), r.subset(r.elements(), r.elements()),
                           r.subset(sumfac::view<int const, sumfac::dextents<1>>(none.data(), 0))}) {
    auto y = c.x, written = nans<double>(c.x.size()), d = written;
    std::vector<double> expected(c.x.size()), diagonal(c.x.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (c.exact.constrained()[i]) expected[i] = c.x[i], diagonal[i] = 1;
    a.apply_add(part, global_view(c.x), global_view(y));
    a.apply(part, global_view(c.x), global_view(written));
    a.diagonal(part, global_view(d));
    CHECK(y == c.x);
    CHECK(written == expected);
    CHECK(d == diagonal);
  }
}

template <class Backend>
void works_and_solves(mesh::nodes const& elements, mesh::numbering const& numbers,
                      std::vector<std::uint8_t> const& marks, Backend const& backend)
{
  auto const c = case_of<Backend>(elements, numbers, marks);
  INFO(numbers.elements << " elements, " << numbers.nodes << " nodes");
  every_restriction(c, backend);
  adds_nothing(c, backend);
  solves(c, backend);
}

// No node constrained, some, all.
template <class Backend>
void every_part(Backend const& backend)
{
  mesh::counts const counts{2, 2, 1};
  auto const mesh = curved(counts);
  auto const numbers = mesh::with_unused(mesh::numbered(counts, 2, 4), 13, 6);
  std::vector<std::uint8_t> const all(static_cast<std::size_t>(numbers.nodes), 1);
  works_and_solves(mesh, numbers, {}, backend);
  works_and_solves(mesh, numbers, random_marks(numbers.nodes, 1, 4, 2), backend);
  works_and_solves(mesh, numbers, all, backend);
  for (std::int64_t const nodes : {0, 4}) {
    mesh::numbering const none{0, 3, nodes, {}, {}};
    std::vector<std::uint8_t> some(static_cast<std::size_t>(nodes)), ones(some.size(), 1);
    if (nodes > 0) some[1] = 1;
    for (auto const& marks : {std::vector<std::uint8_t>{}, some, ones})
      works_and_solves(mesh::selected(mesh, {}), none, marks, backend);
  }
}

// The sum of what parts of a mesh do, as processes add it up: a matrix of the whole mesh.
struct matrix_of_parts {
  struct one {
    mesh::part part;
    stiffness<> a;
    sumfac::restriction<> r;
  };
  std::vector<one> parts;
  index_t nodes = 0;
  sumfac::host here{};

  template <class Function>
  void each(Function const& f) const
  {
    for (auto const& p : parts) f(p, static_cast<std::size_t>(p.r.size()));
  }
  template <class X, class Y>
  void apply(X const& x, Y const& y) const
  {
    for (index_t i = 0; i < nodes; ++i) y(i) = 0;
    each([&](one const& p, std::size_t size) {
      std::vector<double> in(size), out = nans<double>(size);
      for (std::size_t i = 0; i < size; ++i) in[i] = x(p.part.nodes_of_mesh[i]);
      p.a.apply(p.r, global_view(std::as_const(in)), global_view(out));
      for (std::size_t i = 0; i < size; ++i) y(p.part.nodes_of_mesh[i]) += out[i];
    });
  }
  template <class D>
  void diagonal(D const& d) const
  {
    for (index_t i = 0; i < nodes; ++i) d(i) = 0;
    each([&](one const& p, std::size_t size) {
      auto out = nans<double>(size);
      p.a.diagonal(p.r, global_view(out));
      for (std::size_t i = 0; i < size; ++i) d(p.part.nodes_of_mesh[i]) += out[i];
    });
  }
  index_t size() const { return nodes; }
  sumfac::host const& backend() const { return here; }
};

}  // namespace

TEST_CASE("parts: operators, diagonals and solves on the host, whatever a part is without")
{
  every_part(sumfac::host{1});
  every_part(sumfac::host{2});
}

TEST_CASE("parts: operators, diagonals and solves on checked, whatever a part is without")
{
  every_part(sumfac::checked{});
}

TEST_CASE("parts: what processes have adds up to the whole, and is solved with")
{
  mesh::counts const counts{3, 2, 2};
  auto const all = mesh::by_entities(counts, 2);
  auto const mesh = curved(counts);
  std::vector<std::uint8_t> const marks = boundary_marks(all, 1);
  auto const whole = case_of<>(mesh, all, marks);
  for (int const count : {2, 3, 4}) {
    matrix_of_parts m{{}, all.nodes};
    for (auto const& part : mesh::cut(all, count, 8)) {
      restricted_mesh own{part.numbers};
      for (auto const node : part.nodes_of_mesh) own.marks.push_back(marks[static_cast<std::size_t>(node)]);
      m.parts.push_back({part,
                         stiffness<>(sumfac::host{2}, nodes_view(mesh::selected(mesh, part.elements)), {.lambda = 0.1}),
                         own.restriction<double, sumfac::host>(sumfac::host{2},
                                                               {.rows = sumfac::constrained_rows::zero, .blocks = 2})});
    }
    auto y = nans<double>(whole.x.size()), d = y;
    m.apply(global_view(whole.x), global_view(y));
    m.diagonal(global_view(d));
    for (std::size_t i = 0; i < y.size(); ++i) {
      bool const free = marks[i] == 0;
      INFO(count << " parts, node " << i);
      CHECK(std::abs(static_cast<double>(y[i] - (free ? whole.y[i] : 0))) <= (free ? whole.allowed[i] : 0));
      CHECK(std::abs(static_cast<double>(d[i] - (free ? whole.diagonal[i] : 0))) <=
            (free ? whole.allowed_diagonal[i] : 0));
    }

    auto b = support::random<double>(y.size(), 3);
    for (std::size_t i = 0; i < b.size(); ++i)
      if (marks[i] != 0) b[i] = 0;
    std::vector<double> x(b.size());
    auto const direct = solution(whole, b, 0);
    auto const result = sumfac::cg(m, global_view(std::as_const(b)), global_view(x),
                                   sumfac::jacobi(sumfac::host{}, global_view(std::as_const(d))),
                                   {.iterations = 500, .tolerance = 1e-13});
    CHECK(result.status == solve_status::converged);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(static_cast<double>(x[i] - direct[i])) <= 1e-9);
  }
}

TEST_CASE("parts: merged solves have the same bits for any number of threads")
{
  mesh::counts const counts{5, 5, 4};
  auto const numbers = mesh::with_unused(mesh::numbered(counts, 2, 4), 600, 6);
  auto const mesh = mesh::jittered(counts, 0.2);
  auto const used = numbers.multiplicity();
  restricted_mesh const numbered{numbers, 1, random_marks(numbers.nodes, 1, 6, 2)};
  auto b = support::random<double>(numbered.size(), 3);
  for (std::size_t i = 0; i < b.size(); ++i)
    if (used[i] == 0 && numbered.marks[i] == 0) b[i] = 0;
  auto const solved = [&](int threads) {
    sumfac::host const backend(threads);
    stiffness<> const a(backend, nodes_view(mesh), {.lambda = 0.1});
    auto const r = numbered.restriction<double, sumfac::host>(backend, {.blocks = 5});
    sumfac::global_operator const l{a, r};
    std::vector<double> x(b.size(), 0.5);
    static_cast<void>(sumfac::merged_cg(l, global_view(b), global_view(x), {.iterations = 25, .tolerance = 0}));
    return x;
  };
  auto const serial = solved(1);
  for (int const threads : {2, 3, 5}) CHECK(solved(threads) == serial);
}

TEST_CASE("parts: b that is not 0 at a node of no element ends a solve by its status")
{
  mesh::counts const counts{3, 3, 2};
  auto const numbers = mesh::with_unused(mesh::numbered(counts, 2), 9, 3);
  auto const c = case_of<>(curved(counts), numbers, {});
  auto const a = c.make();
  auto const r = c.restriction();
  sumfac::global_operator const l{a, r};
  std::vector<double> d(c.x.size());
  l.diagonal(global_view(d));
  sumfac::jacobi const p(sumfac::host{}, global_view(std::as_const(d)));
  for (double const size : {1e-3, 1.0, 1e6}) {
    auto const b = right_side(c, size);
    for (solver const way : {solver::plain, solver::merged})
      for (bool const jacobi : {false, true}) {
        std::vector<double> x(b.size());
        auto const result = jacobi ? solve<sumfac::host>(way, l, b, x, p, {})
                                   : solve<sumfac::host>(way, l, b, x, sumfac::no_preconditioner{}, {});
        INFO(result.report());
        CHECK(result.status == solve_status::diverged);
        CHECK(!static_cast<bool>(result));
        CHECK(result.iterations > 1);
        CHECK(result.residual > result.initial_residual * 0x1p52);
        CHECK(std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); }));
        CHECK(result.report().find(way == solver::plain ? "sumfac::cg: diverged" : "sumfac::merged_cg: diverged") == 0);
        CHECK(result.report().find("nodes of no element") != std::string::npos);
      }
  }
  // Nowhere else: nothing to be reached at all.
  std::vector<double> alone(c.x.size()), x(alone.size());
  auto const used = numbers.multiplicity();
  for (std::size_t i = 0; i < alone.size(); ++i) alone[i] = used[i] == 0 ? 1 : 0;
  for (solver const way : {solver::plain, solver::merged}) {
    CHECK(solve<sumfac::host>(way, l, alone, x, p, {}).status == solve_status::indefinite);
    CHECK(x == std::vector<double>(x.size()));
  }
}
