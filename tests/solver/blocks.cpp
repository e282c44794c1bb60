// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Block operators against the matrix of their parts, their preconditioners in MINRES and GMRES, and what is refused.
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/operator/block_operator.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/block_preconditioner.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/minres.hpp>

#include <catch2/catch.hpp>
#include <support/apart.hpp>
#include <support/dense.hpp>
#include <support/random.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace {

using sumfac::index_t;
using numbers = std::vector<double>;
using matrix = support::columns;
using support::apart, support::message_of, support::product;

// -(q, div u)
struct divergence {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  static constexpr int components = 2, test_components = 1;

  template <class T>
  struct factors {
    sumfac::matrix<T, 2> inverse;
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, 2> const& x) const
  {
    return {x.weight() * x.adjugate()};
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, 2> apply(factors<T> const& f, sumfac::point_values<T, 2, 2> const& u) const
  {
    auto const& g = u.gradient;
    auto const& a = f.inverse;
    return {.value = -(g(0, 0) * a(0, 0) + g(0, 1) * a(1, 0) + g(1, 0) * a(0, 1) + g(1, 1) * a(1, 1))};
  }
};

// Stokes' equations on a bent square, by the Taylor-Hood pair of degrees 2 and 1.
struct flow {
  static constexpr auto fine = sumfac::quadrilateral(2), coarse = sumfac::quadrilateral(1);
  static constexpr sumfac::spaces pair{.trial = fine, .test = coarse};

  sumfac::host backend;
  sumfac::mesh<2> mesh = sumfac::box_mesh(
      {4, 3},
      [](auto const& x) {
        return sumfac::vector<double, 2>{x[0] + 0.1 * x[1] * x[1], x[1] + 0.1 * x[0]};
      },
      1);
  sumfac::function_space<2> V{mesh, 2, mesh.boundary(), {.components = 2}}, Q{mesh, 1};
  sumfac::restriction<> of_u = V.restriction(backend), of_p = Q.restriction(backend);
  sumfac::element_operator<sumfac::vector_laplace<2>, fine> K{backend, mesh};
  sumfac::element_operator<divergence, pair> B{backend, mesh};
  sumfac::element_operator<sumfac::mass, coarse> M{backend, mesh};
};

// What apply(x, y) multiplies by, of `rows` times `columns`.
template <class Apply>
matrix columns_of(index_t rows, index_t columns, Apply const& apply)
{
  matrix all;
  numbers x(static_cast<std::size_t>(columns)), y(static_cast<std::size_t>(rows));
  for (auto& entry : x) {
    entry = 1;
    apply(x, y);
    all.push_back(y);
    entry = 0;
  }
  return all;
}

// [K B^T; B c M] by the parts' matrices.
matrix exact(flow const& f, double c)
{
  auto const k = columns_of(f.V.size(), f.V.size(), [&](auto const& x, auto& y) { f.K.apply(f.of_u, x, y); });
  auto const b = columns_of(f.Q.size(), f.V.size(), [&](auto const& x, auto& y) { f.B.apply(f.of_p, f.of_u, x, y); });
  auto const m = columns_of(f.Q.size(), f.Q.size(), [&](auto const& x, auto& y) { f.M.apply(f.of_p, x, y); });
  std::size_t const n = k.size(), all = n + m.size();
  matrix a(all, numbers(all, 0));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) a[j][i] = k[j][i];
    for (std::size_t i = n; i < all; ++i) a[j][i] = a[i][j] = b[j][i - n];
  }
  for (std::size_t j = n; j < all; ++j)
    for (std::size_t i = n; i < all; ++i) a[j][i] = c * m[j - n][i - n];
  return a;
}

// A preconditioner that is a dense matrix.
struct inverse_of {
  void apply(sumfac::vector_argument<double const> r, sumfac::vector_argument<double> z) const
  {
    for (int i = 0; i < matrix.rows; ++i) {
      long double sum = 0;
      for (int j = 0; j < matrix.cols; ++j) sum += matrix(i, j) * r.entries[j];
      z.entries[i] = static_cast<double>(sum);
    }
  }
  reference::table<long double> matrix;
};

}  // namespace

TEST_CASE("Blocks are the matrix that they make")
{
  flow const f;
  sumfac::global_operator const A{f.K, f.of_u};
  sumfac::coupling const B{f.B, f.of_p, f.of_u};
  auto const x = support::random<double>(static_cast<std::size_t>(f.V.size() + f.Q.size()), 3);
  numbers y(x.size(), std::nan("")), d(x.size(), std::nan("")), of_exact(x.size());

  sumfac::block_operator const S{A, B};
  auto const s = exact(f, 0);
  S.apply(x, y);
  CHECK(apart(y, product(s, x)) < 1e-14);
  CHECK(S.first(y).extent(0) == f.V.size());
  CHECK(S.second(y).data() == y.data() + f.V.size());
  S.diagonal(d);
  for (std::size_t i = 0; i < d.size(); ++i) of_exact[i] = s[i][i];
  CHECK(apart(d, of_exact) < 1e-14);

  sumfac::sum const C{-0.5 * sumfac::part{f.M, f.of_p}};
  sumfac::block_operator const T{A, B, C};
  auto const t = exact(f, -0.5);
  T.apply(x, y);
  CHECK(apart(y, product(t, x)) < 1e-14);
  T.diagonal(d);
  for (std::size_t i = 0; i < d.size(); ++i) of_exact[i] = t[i][i];
  CHECK(apart(d, of_exact) < 1e-14);

  sumfac::block_operator const U{A, sumfac::transposed_coupling{B}, B, C};
  numbers z(x.size());
  U.apply(x, z);
  CHECK(z == y);
}

TEST_CASE("Block preconditioners are the inverses that they say, and solve")
{
  flow const f;
  sumfac::block_operator const S{sumfac::global_operator{f.K, f.of_u}, sumfac::coupling{f.B, f.of_p, f.of_u}};
  numbers d(static_cast<std::size_t>(S.size())), x(d.size());
  f.K.diagonal(f.of_u, S.first(d));
  f.M.diagonal(f.of_p, S.second(d));
  sumfac::jacobi const all{f.backend, d};
  sumfac::jacobi const P{f.backend, S.first(d)}, Q{f.backend, S.second(d)};

  // jacobi applied is a multiplication, and two of them one behind the other are that of both.
  auto const r = support::random<double>(d.size(), 7);
  numbers z(d.size()), by_hand(d.size());
  for (std::size_t i = 0; i < d.size(); ++i) by_hand[i] = r[i] / d[i];
  all.apply(r, z);
  CHECK(apart(z, by_hand) < 1e-15);
  sumfac::block_diagonal const D{S, P, Q};
  D.apply(r, z);
  CHECK(apart(z, by_hand) < 1e-15);

  // [P^-1 B^T; 0 -Q^-1] z = r
  sumfac::block_triangular const U{S, P, Q};
  U.apply(r, z);
  auto const s = exact(f, 0);
  auto const n = static_cast<std::size_t>(f.V.size());
  numbers back(d.size());
  for (std::size_t i = 0; i < n; ++i) {
    back[i] = d[i] * z[i];
    for (std::size_t j = n; j < d.size(); ++j) back[i] += s[j][i] * z[j];
  }
  for (std::size_t i = n; i < d.size(); ++i) back[i] = -d[i] * z[i];
  CHECK(apart(back, r) < 1e-13);

  // A right side that a flow has, whose pressure is known up to a constant.
  auto const b = product(s, support::random<double>(d.size(), 8));
  auto const by = [&](sumfac::solve_result const& result) {
    INFO(result.report());
    CHECK(result);
    CHECK(apart(product(s, x), b) < 1e-7);
    std::fill(x.begin(), x.end(), 0);
    return result.iterations;
  };
  auto const plain = by(sumfac::minres(S, b, x, all, {.iterations = 500, .tolerance = 1e-10}));
  CHECK(by(sumfac::minres(S, b, x, D, {.iterations = 500, .tolerance = 1e-10})) == plain);
  sumfac::global_operator const K{f.K, f.of_u};
  sumfac::chebyshev_smoother const polynomial{K, sumfac::jacobi{f.backend, S.first(d)}, {.degree = 8}};
  auto const better =
      by(sumfac::minres(S, b, x, sumfac::block_diagonal{S, polynomial, Q}, {.iterations = 500, .tolerance = 1e-10}));
  CHECK(better < plain);
  auto const least =
      by(sumfac::gmres(S, b, x, sumfac::block_triangular{S, polynomial, Q}, {.iterations = 500, .tolerance = 1e-10}));
  CHECK(least < better);
}

// (A + iB) (x - iy) = f + ig is [A B; B -A] (x, y) = (f, g), beside a complex matrix in long double.
TEST_CASE("A complex system is solved as two real vectors")
{
  using complex = std::complex<long double>;
  flow const f;
  using operator_type = sumfac::element_operator<sumfac::stiffness, flow::coarse>;
  auto const [damped, shift] = GENERATE(std::pair(false, 0.0), std::pair(true, -150.0));
  INFO("mass " << shift);
  auto const side = f.mesh.boundary("x0");
  sumfac::function_space const V{f.mesh, 1, side};
  auto const R = V.restriction(f.backend);
  operator_type const A{f.backend, f.mesh, {.lambda = shift}}, H{f.backend, f.mesh, {.lambda = std::abs(shift) + 1}};
  sumfac::global_operator const of_a{A, R}, of_h{H, R};
  sumfac::block_operator const S{of_a, sumfac::coupling{f.M, R, R}, sumfac::sum{-1.0 * sumfac::part{A, R}}};

  int const size = static_cast<int>(V.size());
  auto const n = static_cast<std::size_t>(size);
  auto const a = columns_of(size, size, [&](auto const& x, auto& y) { of_a.apply(x, y); });
  auto const b = columns_of(size, size, [&](auto const& x, auto& y) { f.M.apply(R, R, x, y); });
  auto const h = columns_of(size, size, [&](auto const& x, auto& y) { of_h.apply(x, y); });
  reference::table<complex> whole(size, size);
  reference::table<long double> positive(size, size);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      whole(static_cast<int>(i), static_cast<int>(j)) = {a[j][i], b[j][i]};
      positive(static_cast<int>(i), static_cast<int>(j)) = h[j][i];
    }
  auto right = support::random<double>(2 * n, 13);
  for (sumfac::index_t node = 0; node < size; ++node)
    if (V.is_fixed(node)) S.first(right)[node] = S.second(right)[node] = 0;
  std::vector<complex> of_right(n);
  for (std::size_t i = 0; i < n; ++i) of_right[i] = {right[i], right[n + i]};
  auto const exact = reference::product(*reference::inverse(whole), of_right);
  numbers expected(2 * n), x(2 * n), d(n);
  for (std::size_t i = 0; i < n; ++i) {
    expected[i] = static_cast<double>(exact[i].real());
    expected[n + i] = static_cast<double>(-exact[i].imag());
  }

  if (damped) {  // waves that are damped: A is indefinite
    of_h.diagonal(d);
    sumfac::jacobi const P{f.backend, d};
    auto const result = sumfac::minres(S, right, x, sumfac::block_diagonal{S, P, P}, {.tolerance = 1e-11});
    INFO(result.report());
    CHECK(result);
    CHECK(apart(x, expected) < 1e-9);
  } else {
    // With the inverse of A + B eigenvalues are between 1 / sqrt 2 and 1, and their negatives: each two iterations
    // reduce the residual by (sqrt 2 - 1) / (sqrt 2 + 1), or more.
    inverse_of const P{*reference::inverse(positive)};
    auto const result = sumfac::minres(S, right, x, sumfac::block_diagonal{S, P, P}, {.tolerance = 1e-10});
    INFO(result.report());
    CHECK(result);
    CHECK(result.iterations <= 28);
    CHECK(apart(x, expected) < 1e-9);
  }
}

TEST_CASE("Blocks that do not fit are refused")
{
  flow const f;
  sumfac::global_operator const A{f.K, f.of_u};
  sumfac::global_operator const M{f.M, f.of_p};
  sumfac::coupling const B{f.B, f.of_p, f.of_u};
  CHECK(message_of([&] {
          sumfac::block_operator{M, B};
        }) ==
        "sumfac::block_operator: the blocks do not fit next to each other (columns of the lower left block: got 126, "
        "20 expected)");
  CHECK(message_of([&] {
          sumfac::block_operator{A, B, A};
        }) ==
        "sumfac::block_operator: the blocks do not fit next to each other (size of the lower right block: got 126, 20 "
        "expected)");
  sumfac::mesh const other = sumfac::box_mesh({2, 2});
  sumfac::function_space const W{other, 1};
  auto const of_others = W.restriction(f.backend);
  CHECK(message_of([&] {
          sumfac::coupling{f.B, of_others, f.of_u};
        }) ==
        "sumfac::coupling: number of elements of the restriction of test functions does not match (expected 12, got "
        "4)");
}
