// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on global vectors and conjugate gradients, all in a device's memory, against the oracle. `device_backend`
// is the backend that the including file names.
#pragma once

#include <operator/constraints.hpp>
#include <operator/global_case.hpp>
#include <operator/global_precisions.hpp>
#include <solver/solves.hpp>
#include <support/larger.hpp>
#include <support/parts.hpp>

using checks::agrees_globally;

TEST_CASE("device: global vectors")
{
  std::vector<mesh::counts> const two{{3, 1, 1}, {2, 2, 1}}, three{{3, 1, 1}, {2, 2, 1}, {3, 1, 1}};
  agrees_globally<sumfac::bp1<3, device_backend>>(three, reference::on_gauss(3), reference::mass());
  agrees_globally<sumfac::bp35<2, device_backend>>(two, reference::collocated(2), reference::stiffness(0.3),
                                                   {.lambda = 0.3});
  agrees_globally<sumfac::bp4<2, device_backend>>(two, reference::on_gauss(2, 3), reference::laplace());
  agrees_globally<sumfac::bp2<1, device_backend, float>>(two, reference::on_gauss(1, 3), reference::mass());
}

TEST_CASE("device: sums that teams make of patches of neighbours")
{
  using sumfac::tuned, sumfac::tuning, sumfac::variant;
  constexpr tuning cubes{.elements = 2, .padding = 1, .patch = 4},
      slices{.way = variant::slices, .planes = 2, .patch = 8};
  using one = sumfac::bp5<2, device_backend, tuned<cubes>>;
  using three = sumfac::bp4<1, device_backend, tuned<slices>>;
  std::vector<mesh::counts> const boxes{{3, 3, 2}, {2, 2, 1}, {3, 1, 1}};
  agrees_globally<one>(boxes, reference::collocated(2), reference::laplace());
  agrees_globally<three>(boxes, reference::on_gauss(1, 3), reference::laplace());
  checks::follows_the_oracle(checks::poisson<one>());
}

TEST_CASE("device: equations between unknowns are C^T A C")
{
  using sumfac::interleaving, sumfac::scatter;
  std::uint64_t seed = 0;
  constexpr sumfac::tuning patched{.elements = 2, .padding = 1, .patch = 4};
  checks::agrees_with_rows<sumfac::bp5<2, device_backend, sumfac::tuned<patched>>>(
      {5, 3, 1}, reference::collocated(2), reference::laplace(), ++seed, {.patch = 4});
  for (auto const policy : {scatter::deterministic, scatter::atomic}) {
    checks::agrees_with_rows<sumfac::bp5<2, device_backend>>({5, 3, 1}, reference::collocated(2), reference::laplace(),
                                                             ++seed, {.policy = policy, .rows = 0.25});
    for (auto const way : {interleaving::fastest, interleaving::slowest})
      checks::agrees_with_rows<sumfac::bp6<1, device_backend>>({9, 1, 1}, reference::collocated(1, 3),
                                                               reference::laplace(), ++seed,
                                                               {.components_lie = way, .policy = policy});
  }
}

TEST_CASE("device: parts of a mesh, without elements, without nodes, without entries that are free")
{
  using operator_type = sumfac::bp5<2, device_backend>;
  mesh::counts const box{2, 2, 1}, no_box{0, 0, 0};
  auto const works = [](mesh::counts counts, mesh::numbering const& numbers, std::vector<std::uint8_t> const& marks) {
    checks::global_case<operator_type> c(counts, numbers, reference::collocated(2), reference::laplace());
    c.constrain(marks);
    INFO(numbers.elements << " elements, " << numbers.nodes << " nodes");
    checks::every_restriction(c);
  };
  auto const numbers = mesh::with_unused(mesh::numbered(box, 2, 4), 13, 6);
  works(box, numbers, {});
  works(box, numbers, checks::random_marks(numbers.nodes, 1, 4, 2));
  works(box, numbers, std::vector<std::uint8_t>(static_cast<std::size_t>(numbers.nodes), 1));
  works(no_box, {0, 3, 0, {}, {}}, {});
  works(no_box, {0, 3, 300, {}, {}}, {});
  works(no_box, {0, 3, 300, {}, {}}, checks::random_marks(300, 1, 4, 2));

  checks::system<operator_type> s(box, numbers, reference::collocated(2), reference::laplace(), true);
  auto const used = numbers.multiplicity();
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i] == 0) s.b[i] = 0, s.exact_b[i] = 0, s.c.diagonal[i] = 1;  // as jacobi has it
  s.x.assign(s.b.size(), 0);
  for (bool const jacobi : {false, true}) {
    checks::history heard;
    std::fill(s.x.begin(), s.x.end(), 0);
    auto const result = checks::solve(s, jacobi, {.iterations = 4, .tolerance = 0, .check_every = 1}, heard.monitor());
    INFO(result.report());
    checks::follows<double>(s, jacobi, heard, s.x);
  }

  for (std::int64_t const nodes : {0, 4}) {
    mesh::numbering const none{0, 3, nodes, {}, nodes > 0 ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{}};
    checks::system<operator_type> t(no_box, none, reference::collocated(2), reference::laplace(), nodes > 0);
    for (std::size_t i = 0; i < t.b.size(); ++i) t.b[i] = i == 1 ? 3 : 0, t.x[i] = 7;
    for (bool const jacobi : {false, true}) {
      auto const result = checks::solve(t, jacobi, {.tolerance = 1e-12});
      CHECK(result.status == sumfac::solve_status::converged);
      CHECK(t.x == (nodes > 0 ? std::vector<double>{7, 3, 7, 7} : std::vector<double>{}));
    }
  }
}

TEST_CASE("device: every residual of conjugate gradients is the oracle's")
{
  checks::follows_the_oracle(checks::poisson<sumfac::bp5<2, device_backend>>());
  checks::follows_the_oracle(checks::mass<sumfac::bp2<2, device_backend>>());
}

TEST_CASE("device: the solution is the direct solver's")
{
  checks::finds_the_solution(checks::poisson<sumfac::bp5<2, device_backend>>());
}

namespace {

// Jacobi as a user would write it.
struct own_jacobi {
  using vector = sumfac::view<double, sumfac::dextents<1>>;
  using const_vector = sumfac::view<double const, sumfac::dextents<1>>;

  sumfac::vector_ops<double, device_backend> const& ops;
  const_vector inverse;

  void apply(const_vector r, vector z) const { ops.multiply(inverse, r, z); }
  checks::index_t size() const { return inverse.extent(0); }
};

}  // namespace

TEST_CASE("device: a preconditioner of the user's own, however seldom the residual is looked at")
{
  auto s = checks::poisson<sumfac::bp5<2, device_backend>>();
  auto const a = s.c.make(s.backend);
  auto const r = s.c.restriction({}, s.backend);
  sumfac::global_operator const l{a, r};
  auto const size = static_cast<checks::index_t>(s.b.size());
  sumfac::vector_ops<double, device_backend> const ops(s.backend, size);
  auto const on = [&]<class T>(T* data) { return sumfac::view<T, sumfac::dextents<1>>(data, size); };
  auto const direct = s.solution();
  for (checks::index_t const look : {1, 8, 1000}) {
    sumfac::cg_options const options{.iterations = 500, .tolerance = 1e-13, .check_every = look};
    sumfac::solve_result by_factors, by_itself;
    std::vector<double> d(s.b.size());
    support::on_backend(s.backend, s.b, s.x, [&](double const* b, double* x) {
      support::on_backend(s.backend, d, [&](double* diagonal) {
        l.diagonal(on(diagonal));
        sumfac::jacobi const factors(s.backend, on(static_cast<double const*>(diagonal)));
        ops.fill(0, on(x));
        by_factors = sumfac::cg(l, on(b), on(x), factors, options);
        ops.fill(0, on(x));
        by_itself = sumfac::cg(l, on(b), on(x), own_jacobi{ops, on(factors.inverse())}, options);
      });
    });
    INFO("a look every " << look << " iterations");
    CHECK(by_itself.status == sumfac::solve_status::converged);
    CHECK(std::abs(by_itself.iterations - by_factors.iterations) <= 1);  // rounding
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < direct.size(); ++i) {
      largest = support::larger(largest, std::abs(static_cast<double>(direct[i])));
      difference = support::larger(difference, std::abs(s.x[i] - static_cast<double>(direct[i])));
    }
    CHECK(difference <= 1e-11 * largest);
  }
}

TEMPLATE_TEST_CASE("device: global vectors that are converted", "", sumfac::low_high, sumfac::high_low)
{
  using bake_off_5 = sumfac::bp5<2, device_backend, TestType>;
  checks::mixes_globally<bake_off_5>({{3, 1, 1}, {2, 2, 1}, {3, 2, 1}}, reference::collocated(2), reference::laplace());
  checks::follows_the_oracle<float>(checks::poisson<bake_off_5>());
}
