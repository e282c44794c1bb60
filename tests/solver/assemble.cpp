// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Assembled matrices against the oracle's, and as matrices of solvers.
#include "solves.hpp"

#include <support/larger.hpp>

#include <sumfac/backend/checked.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/gmres.hpp>

namespace {

using checks::global_view, checks::index_t, checks::refused;
using sumfac::interleaving;

// Every entry, those that are not stored as 0; columns are as the oracle's, node * C + c.
template <class Case>
void is_the_oracles(Case const& s, sumfac::csr_matrix<typename Case::scalar> const& m, interleaving way,
                    double fixed = 1)
{
  auto const exact = s.exact.matrix();
  REQUIRE(m.size() == exact.rows);
  std::vector<int> place(static_cast<std::size_t>(exact.rows));
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = static_cast<int>(i);
  auto const at = s.canonical(std::vector<int>(place), way);  // of the oracle's entry i, ours
  double off = 0, largest = 0;
  std::vector<double> row(place.size());
  for (std::size_t i = 0; i < place.size(); ++i) {
    std::fill(row.begin(), row.end(), 0);
    auto const ours = static_cast<std::size_t>(at[i]);
    for (index_t k = m.first()[ours]; k < m.first()[ours + 1]; ++k)
      row[static_cast<std::size_t>(m.columns()[static_cast<std::size_t>(k)])] =
          double(m.values()[static_cast<std::size_t>(k)]);
    for (std::size_t j = 0; j < place.size(); ++j) {
      auto const expected = double(exact(int(i), int(j))) * (i == j && s.exact.constrained()[i] ? fixed : 1);
      off = support::larger(off, std::abs(row[static_cast<std::size_t>(at[j])] - expected));
      largest = support::larger(largest, std::abs(expected));
    }
  }
  INFO("off by " << off << " of " << largest);
  CHECK(off <= (sizeof(typename Case::scalar) == 8 ? 1e-13 : 1e-5) * largest);
}

template <class Operator>
void assembles(interleaving way, bool constrained, reference::integrand<> const& form)
{
  mesh::counts const counts{2, 2, 1};
  auto const numbers = mesh::numbered(counts, Operator::order, 4);
  checks::global_case<Operator> s(counts, numbers, reference::collocated(Operator::order, Operator::components), form);
  s.constrain(constrained ? checks::boundary_marks(numbers, Operator::components) : std::vector<std::uint8_t>{});
  auto const a = s.make();
  for (double const fixed : {1.0, 0.0, 3e7})
    is_the_oracles(s, sumfac::assemble(a, s.restriction({.components_lie = way, .rows = fixed})), way, fixed);
}

template <class Form, int Order, class Backend = sumfac::host, class Scalar = double>
using collocated = sumfac::element_operator<Form, Order, sumfac::gauss_lobatto<Order + 1>, Backend, Scalar>;

TEST_CASE("Matrices are the oracle's")
{
  for (bool const constrained : {false, true}) {
    auto const fastest = interleaving::fastest;
    assembles<collocated<sumfac::laplace, 1>>(fastest, constrained, reference::laplace());
    assembles<collocated<sumfac::laplace, 2>>(fastest, constrained, reference::laplace());
    assembles<collocated<sumfac::laplace, 2, sumfac::host, float>>(fastest, constrained, reference::laplace());
    assembles<collocated<sumfac::laplace, 1, sumfac::checked>>(fastest, constrained, reference::laplace());
    for (auto const way : {interleaving::fastest, interleaving::slowest})
      assembles<collocated<sumfac::vector_laplace<3>, 1>>(way, constrained, reference::laplace());
  }
}

TEST_CASE("Matrices are the same for any number of threads, and multiply as the operator does, in subsets, too")
{
  using laplacian = collocated<sumfac::laplace, 3>;
  auto s = checks::poisson<laplacian>();
  auto const a = s.c.make(s.backend);
  auto const whole = s.c.restriction({}, s.backend);
  std::vector<index_t> const some{1, 4, 5};
  for (auto const& r :
       {whole.subset(0, a.elements()), whole.subset(2, 7), whole.subset(sumfac::view(some.data(), int(some.size())))}) {
    auto const m = sumfac::assemble(a, r);
    auto x = support::random<double>(s.x.size(), 9);
    std::vector<double> y(x.size()), z(x.size()), d(x.size()), f(x.size());
    a.apply(r, global_view(std::as_const(x)), global_view(y));
    m.apply(global_view(std::as_const(x)), global_view(z));
    a.diagonal(r, global_view(d));
    m.diagonal(global_view(f));
    for (std::size_t i = 0; i < y.size(); ++i) {
      CHECK(std::abs(y[i] - z[i]) < 1e-12);
      CHECK(std::abs(d[i] - f[i]) < 1e-12);
    }
    for (int const threads : {2, 5}) {
      auto const again = sumfac::assemble(s.c.make(sumfac::host{threads}), s.c.restriction({}, sumfac::host{threads}));
      auto const first = sumfac::assemble(a, whole);
      CHECK(again.values() == first.values());
      CHECK(again.columns() == first.columns());
    }
  }
}

TEST_CASE("Matrices of meshes that are periodic over one, two and three elements multiply as the operator does")
{
  // Over one element a node is there twice in an element, over two each pair of neighbours has two sides in common.
  auto s = checks::poisson<collocated<sumfac::laplace, 3>>();
  auto const a = s.c.make(s.backend);
  for (mesh::periods const around : {mesh::periods{true, false, false}, {false, true, true}, {true, true, true}}) {
    for (mesh::counts const counts : {mesh::counts{3, 2, 2}, mesh::counts{12, 1, 1}}) {
      auto const numbers = mesh::numbered(counts, 3, 5, around);
      sumfac::view const table(numbers.table.data(), numbers.elements, 4, 4, 4);
      sumfac::restriction const r{s.backend, table, numbers.nodes};
      auto const m = sumfac::assemble(a, r);
      auto const x = support::random<double>(static_cast<std::size_t>(numbers.nodes), 9);
      std::vector<double> y(x.size()), z(x.size());
      a.apply(r, global_view(x), global_view(y));
      m.apply(global_view(x), global_view(z));
      for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] - z[i]) < 1e-12);
    }
  }
}

TEST_CASE("The mean of the free diagonal leaves out the nodes of no element")
{
  auto s = checks::poisson<collocated<sumfac::laplace, 3>>();
  auto const a = s.c.make(s.backend);
  auto const numbers = mesh::numbered({3, 2, 2}, 3, 5);
  sumfac::view const table(numbers.table.data(), numbers.elements, 4, 4, 4);
  sumfac::restriction const all{s.backend, table, numbers.nodes}, more{s.backend, table, numbers.nodes + 7};
  double const mean = sumfac::mean_free_diagonal(sumfac::global_operator{a, all});
  CHECK(mean > 0);
  CHECK(std::abs(sumfac::mean_free_diagonal(sumfac::global_operator{a, more}) - mean) <= 1e-14 * mean);
}

TEST_CASE("An assembled matrix is solved with as the operator is")
{
  using laplacian = collocated<sumfac::laplace, 2>;
  auto s = checks::poisson<laplacian>();
  auto const m = sumfac::assemble(s.c.make(s.backend), s.c.restriction({}, s.backend));
  auto y = s.x;
  CHECK(sumfac::cg(m, global_view(std::as_const(s.b)), global_view(s.x), {.tolerance = 1e-13}));
  CHECK(sumfac::gmres(m, global_view(std::as_const(s.b)), global_view(y), {}, {.tolerance = 1e-13}));
  auto const exact = s.solution();
  for (std::size_t i = 0; i < exact.size(); ++i) {
    CHECK(std::abs(s.x[i] - double(exact[i])) < 1e-9);
    CHECK(std::abs(y[i] - double(exact[i])) < 1e-9);
  }
}

TEST_CASE("Matrices that are none are refused")
{
  using csr = sumfac::csr_matrix<>;
  refused([] { csr({}, {}, {}); }, {"sumfac::csr_matrix: `first` must begin with 0"});
  refused([] { csr({0, 1}, {0}, {1, 2}); }, {"number of values does not match (expected 1, got 2)"});
  refused([] { csr({0, 2}, {0}, {1}); }, {"last entry of `first` does not match (expected 1, got 2)"});
  refused([] { csr({0, 2, 1}, {0}, {1}); }, {"`first` falls or is beyond the entries at row 0 (0, then 2 of 1)"});
  refused([] { csr({0, 1}, {1}, {1}); }, {"a column of row 0 is out of range or does not ascend (got 1, 0 to 0"});
  refused([] { csr({0, 2, 2}, {1, 0}, {1, 2}); }, {"a column of row 0 is out of range or does not ascend (got 0"});
  refused([] { csr({0, 2, 2}, {1, 1}, {1, 2}); }, {"a column of row 0 is out of range or does not ascend (got 1"});
  std::vector<double> x(3), y(2);
  refused(
      [&] {
        csr({0, 1, 2}, {0, 1}, {1, 2}).apply(global_view(x), global_view(y));
      },
      {"sumfac::csr_matrix::apply: extent 0 (entries) of x does not match (expected 2, got 3)"});
  using laplacian = collocated<sumfac::laplace, 2>;
  auto s = checks::poisson<laplacian>();
  auto const numbers = mesh::numbered({1, 1, 1}, 2, 4);
  checks::global_case<laplacian> other({1, 1, 1}, numbers, reference::collocated(2, 1), reference::laplace());
  other.constrain({});
  refused([&] { sumfac::assemble(s.c.make(), other.restriction()); },
          {"sumfac::assemble: number of elements of the restriction does not match"});
}

}  // namespace
