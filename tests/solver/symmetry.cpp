// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A solve that fails says so where the matrix is not symmetric, and never says it of one that is.
#include "systems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/precision.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <string>

namespace {

using checks::global_view, checks::index_t;
using sumfac::solve_status;

// mass + wind . grad u: no solver's symmetric matrix.
struct wind {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value;
  template <class T>
  struct factors {
    sumfac::vector<T, 3> b;
    T measure;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    auto const inverse = x.inverse();
    T const measure = x.measure(), along = measure * sumfac::scalar_of<T>(speed);
    return {{along * inverse(0, 0), along * inverse(1, 0), along * inverse(2, 0)}, measure};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.measure * u.value + dot(f.b, u.gradient)};
  }
  double speed = 5;
};

mesh::counts const box{4, 3, 2};

// A thin mesh: the thinner, the worse conditioned. Some nodes are constrained.
template <class Operator>
struct problem {
  using scalar = typename Operator::scalar_type;
  using backend = typename Operator::backend_type;

  explicit problem(double thin, typename Operator::form_type const& form = {},
                   sumfac::constrained_rows rows = sumfac::constrained_rows::identity)
      : numbered{mesh::numbered(box, Operator::order, 4)},
        mesh(mesh::mapped(mesh::box(box), mesh::affine{{1, thin, 1}, 0.4, 0.3, 0.2, {0, 0, 0}})),
        a(backend{}, checks::nodes_view(mesh), form),
        r((numbered.marks = checks::boundary_marks(numbered.numbers, 1),
           numbered.restriction<scalar, backend>(backend{}, {.rows = rows})))
  {
  }

  // From 0, with a right side that looks random and is 0 where rows are.
  template <class Solve>
  sumfac::solve_result by(Solve const& solve, bool jacobi, sumfac::cg_options const& options)
  {
    sumfac::global_operator const l{a, r};
    auto b = support::random<scalar>(numbered.size(), 3);
    if (r.options().rows == sumfac::constrained_rows::zero)
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = numbered.marks[i] != 0 ? scalar(0) : b[i];
    std::vector<scalar> x(b.size()), d(b.size());
    if (!jacobi) return solve(l, global_view(std::as_const(b)), global_view(x), sumfac::no_preconditioner{}, options);
    l.diagonal(global_view(d));
    sumfac::jacobi<scalar, backend> const p(backend{}, global_view(std::as_const(d)));
    return solve(l, global_view(std::as_const(b)), global_view(x), p, options);
  }

  checks::restricted_mesh numbered;
  mesh::nodes mesh;
  Operator a;
  sumfac::restriction<scalar, backend> r;
};

constexpr auto by_cg = [](auto const&... arguments) { return sumfac::cg(arguments...); };
constexpr auto by_merged_cg = [](auto const&... arguments) { return sumfac::merged_cg(arguments...); };

void says_unsymmetric(sumfac::solve_result const& result, std::string const& solver)
{
  INFO(result.report());
  CHECK(result.status == solve_status::not_symmetric);
  CHECK(!static_cast<bool>(result));
  CHECK(result.report().find("sumfac::" + solver + ": A is not symmetric: not converged in ") == 0);
  CHECK(result.report().find("only symmetric matrices are solved with") != std::string::npos);
  CHECK(std::abs(result.forth - result.back) > 1e-3 * std::abs(result.forth));
}

}  // namespace

TEMPLATE_TEST_CASE("cg: a matrix that is not symmetric is said to be that, with both products", "", double, float,
                   sumfac::high_low)
{
  problem<sumfac::element_operator<wind, 2, sumfac::gauss<4>, sumfac::host, TestType>> p(1);
  for (bool const jacobi : {false, true}) {
    says_unsymmetric(p.by(by_cg, jacobi, {.iterations = 200}), "cg");
    says_unsymmetric(p.by(by_merged_cg, jacobi, {.iterations = 200}), "merged_cg");
  }
  // It always was the same two vectors.
  auto const one = p.by(by_cg, false, {.iterations = 200}), two = p.by(by_cg, false, {.iterations = 200});
  CHECK(one.forth == two.forth);
  CHECK(one.back == two.back);
  // Few iterations, and a fixed number, are not held up for it.
  CHECK(p.by(by_cg, false, {.iterations = 10}).status != solve_status::not_symmetric);
  CHECK(p.by(by_cg, false, {.iterations = 60, .tolerance = 0}).status == solve_status::iterations_done);
}

TEST_CASE("cg: on checked and with a matrix of one's own a lack of symmetry is found, too")
{
  problem<sumfac::element_operator<wind, 1, sumfac::gauss<3>, sumfac::checked>> p(1, {.speed = 40});
  says_unsymmetric(p.by(by_cg, false, {.iterations = 60}), "cg");
  index_t const n = 60;
  checks::dense_operator a{std::vector<double>(n * n), n};
  auto const fill = [&](double below, double above) {
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j)
        a.entries[static_cast<std::size_t>(i * n + j)] = i == j ? 2 : i == j + 1 ? below : i + 1 == j ? above : 0;
  };
  auto const b = support::random<double>(n, 8);
  std::vector<double> x(n);
  fill(-1.01, -0.99);
  says_unsymmetric(sumfac::cg(a, global_view(b), global_view(x), {.iterations = 300}), "cg");
  fill(-1, -1);
  x.assign(n, 0);
  CHECK(sumfac::cg(a, global_view(b), global_view(x), {.iterations = 55}).status == solve_status::iterations_done);
}

namespace {

template <class Operator>
void is_never_called_unsymmetric(double thin)
{
  for (auto const rows : {sumfac::constrained_rows::identity, sumfac::constrained_rows::zero}) {
    problem<Operator> p(thin, {}, rows);
    for (bool const jacobi : {false, true})
      for (auto const& result : {p.by(by_cg, jacobi, {.iterations = 50, .tolerance = 1e-30}),
                                 p.by(by_merged_cg, jacobi, {.iterations = 50, .tolerance = 1e-30})}) {
        INFO(result.report());
        CHECK(result.status != solve_status::not_symmetric);
      }
  }
}

}  // namespace

TEST_CASE("cg: a symmetric matrix is never called unsymmetric, however badly conditioned")
{
  for (double const thin : {1.0, 1e-3, 1e-6}) {
    is_never_called_unsymmetric<sumfac::bp3<2, sumfac::host, float>>(thin);
    is_never_called_unsymmetric<sumfac::bp5<3, sumfac::host, sumfac::high_low>>(thin);
    is_never_called_unsymmetric<sumfac::bp5<2, sumfac::host, double, sumfac::trilinear>>(thin);
    is_never_called_unsymmetric<sumfac::bp1<2, sumfac::host, float, sumfac::affine>>(thin);
  }
}

TEST_CASE("cg: an indefinite matrix that is symmetric is called indefinite")
{
  problem<sumfac::bp3<2, sumfac::host, float>> p(1, {.lambda = -1000});
  CHECK(p.by(by_cg, false, {}).status == solve_status::indefinite);
  CHECK(p.by(by_merged_cg, false, {}).status == solve_status::indefinite);
}
