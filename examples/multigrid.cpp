// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation by conjugate gradients with multigrid in the degree, in double, in float, with a coarse solver of
// one's own and with Schwarz's smoother; with additive Schwarz alone, and with Jacobi's preconditioner.
#include <sumfac/sumfac.hpp>

#include <cstdio>
#include <utility>
#include <vector>

namespace {

constexpr int order = 4, cells = 6, points = cells * order + 1, count = points * points * points;

// A coarse solver of one's own: conjugate gradients on the assembled matrix.
struct own_coarse_solver {
  sumfac::csr_matrix<> const& A;

  void apply(sumfac::view<double const, sumfac::dextents<1>> r, sumfac::view<double, sumfac::dextents<1>> z) const
  {
    for (sumfac::index_t i = 0; i < z.extent(0); ++i) z(i) = 0;
    sumfac::cg(A, r, z, {.tolerance = 1e-10});
  }
};

}  // namespace

int main()
{
  sumfac::mesh const nodes = sumfac::box_mesh({cells, cells, cells});
  sumfac::function_space const V{nodes, order, nodes.boundary()};
  sumfac::host const backend;
  sumfac::bp5<order> const A{backend, nodes};
  auto const R = V.restriction(backend);
  sumfac::global_operator const L{A, R};

  std::vector<double> b_data(count), u_data(count), v_data(count), w_data(count), x_data(count), y_data(count),
      s_data(count);
  sumfac::view b(b_data.data(), count), u(u_data.data(), count), v(v_data.data(), count), w(w_data.data(), count),
      x(x_data.data(), count), y(y_data.data(), count), s(s_data.data(), count);
  for (int i = 0; i < count; ++i) b(i) = V.is_fixed(i) ? 0 : 1.0 / count;

  // [multigrid]
  sumfac::multigrid const P{sumfac::p_levels<4, 2, 1>(A, nodes, R), {.smoother = sumfac::chebyshev{3}}};
  auto const by_multigrid = sumfac::cg(L, b, u, P);
  // [multigrid]
  // [float]
  sumfac::multigrid const in_float{sumfac::p_levels<float, 4, 2, 1>(A, nodes, R)};
  // [float]
  auto const by_float = sumfac::cg(L, b, v, in_float);
  // [coarse]
  auto levels = sumfac::p_levels<4, 2, 1>(A, nodes, R);
  auto const coarse = sumfac::assemble(levels.coarsest().element_operator(), levels.coarsest().restriction());
  own_coarse_solver const solver{coarse};
  sumfac::multigrid const with_own{std::move(levels), {}, &solver};
  // [coarse]
  auto const by_own = sumfac::cg(L, b, w, with_own);
  // [smoother]
  using smoothed = sumfac::multigrid_options<sumfac::schwarz<1>>;
  sumfac::multigrid const with_schwarz{sumfac::p_levels<float, 4, 2, 1>(A, nodes, R),
                                       smoothed{.smoother = {.polynomial = {2}}}};
  // [smoother]
  auto const by_smoother = sumfac::cg(L, b, y, with_schwarz);
  // [schwarz]
  sumfac::schwarz_preconditioner const S{L, sumfac::schwarz<0>{}};   // an overlap of no layers of nodes
  auto const by_schwarz = sumfac::cg(L, b, s, S);
  // [schwarz]
  auto const by_jacobi = sumfac::cg(L, b, x, sumfac::jacobi{L});
  std::printf("multigrid:  %s\nin float:   %s\nown solver: %s\n", by_multigrid.report().c_str(),
              by_float.report().c_str(), by_own.report().c_str());
  std::printf("smoother:   %s\nSchwarz:    %s\nJacobi:     %s\n", by_smoother.report().c_str(),
              by_schwarz.report().c_str(), by_jacobi.report().c_str());

  sumfac::vector_ops<> const ops{backend, count};
  ops.axpy(-1, u, x);
  double const difference = ops.norm(x) / ops.norm(u);
  std::printf("the solutions differ by %.1e\n", difference);
  bool const few = by_multigrid.iterations <= 12 && by_float.iterations <= 12 && by_own.iterations <= 12 &&
                   by_smoother.iterations <= 12 && 2 * by_schwarz.iterations <= by_jacobi.iterations;
  bool const all = by_multigrid && by_float && by_own && by_smoother && by_schwarz && by_jacobi;
  return all && few && difference < 1e-6 ? 0 : 1;
}
