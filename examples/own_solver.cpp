// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator and a preconditioner of one's own: an implicit step of the heat equation, and Chebyshev's polynomials.
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr int order = 5, cells = 4, points = cells * order + 1;
constexpr int count = points * points * points;

// [operator]
using const_vector = sumfac::view<double const, sumfac::dextents<1>>;
using vector = sumfac::view<double, sumfac::dextents<1>>;

// M + dt A, as an implicit step in time has it.
struct step_operator {
  sumfac::bp1<order> const& M;
  sumfac::element_operator<sumfac::laplace, order> const& A;
  sumfac::restriction<> const& R;   // the identity in the rows of constrained nodes: for M
  sumfac::restriction<> const& R0;  // zeros there: for A
  sumfac::vector_ops<> const& ops;
  vector t;
  double dt;

  void apply(const_vector x, vector y) const
  {
    M.apply(R, x, y);
    A.apply(R0, x, t);
    ops.axpy(dt, t, y);
  }
  void diagonal(vector d) const
  {
    M.diagonal(R, d);
    A.diagonal(R0, t);
    ops.axpy(dt, t, d);
  }
  sumfac::index_t size() const { return R.size(); }
  sumfac::host const& backend() const { return A.backend(); }
};
// [operator]

// [preconditioner]
// z = p(D^-1 A) D^-1 r: steps of Chebyshev's iteration against the upper part of the spectrum.
template <class Matrix>
class chebyshev {
public:
  chebyshev(Matrix const& A, const_vector d, int steps)
      : A_(A), steps_(steps), inverse_(count), change_(count), work_(count)
  {
    for (int i = 0; i < count; ++i) inverse_[std::size_t(i)] = 1 / d(i);
    estimate_largest();
  }

  void apply(const_vector r, vector z) const
  {
    double const middle = largest_ * 0.525, half = largest_ * 0.475;   // from a twentieth of the largest on
    vector change(change_.data(), count), t(work_.data(), count), inverse(inverse_.data(), count);
    ops_.multiply(inverse, r, change);
    ops_.scale(1 / middle, change);
    ops_.copy(change, z);
    double rho = half / middle;
    for (int step = 1; step < steps_; ++step) {
      double const next = 1 / (2 * middle / half - rho);
      A_.apply(z, t);
      ops_.axpby(1, r, -1, t);                                         // t = r - A z
      ops_.multiply(inverse, t, t);
      ops_.axpby(2 * next / half, t, next * rho, change);
      ops_.axpy(1, change, z);
      rho = next;
    }
  }

private:
  void estimate_largest();

  Matrix const& A_;
  int steps_;
  double largest_ = 0;
  sumfac::vector_ops<> ops_{A_.backend(), count};
  mutable std::vector<double> inverse_, change_, work_;
};
// [preconditioner]

// The largest eigenvalue of D^-1 A by the power method, and a fifth more, for it is approached from below.
template <class Matrix>
void chebyshev<Matrix>::estimate_largest()
{
  vector x(change_.data(), count), t(work_.data(), count), inverse(inverse_.data(), count);
  for (int i = 0; i < count; ++i) x(i) = std::sin(7.0 * i);
  for (int i = 0; i < 20; ++i) {
    ops_.scale(1 / ops_.norm(x), x);
    A_.apply(x, t);
    ops_.multiply(inverse, t, x);
    largest_ = 1.2 * ops_.norm(x);
  }
}

}  // namespace

int main()
{
  sumfac::mesh const nodes = sumfac::box_mesh({cells, cells, cells});
  sumfac::function_space const V{nodes, order, nodes.boundary()};
  sumfac::host const backend;
  sumfac::bp1<order> const M{backend, nodes};
  sumfac::element_operator<sumfac::laplace, order> const A{backend, nodes};
  auto const R = V.restriction(backend), R0 = V.restriction(backend, {.rows = sumfac::constrained_rows::zero});
  sumfac::vector_ops const ops{backend, count};

  std::vector<double> b_data(count), u_data(count), v_data(count), d_data(count), t_data(count);
  vector b(b_data.data(), count), u(u_data.data(), count), v(v_data.data(), count), d(d_data.data(), count);
  for (int i = 0; i < count; ++i) b(i) = V.is_fixed(i) ? 0 : std::sin(0.1 * i) / count;

  // [solve]
  step_operator const S{M, A, R, R0, ops, vector(t_data.data(), count), 0.01};
  S.diagonal(d);
  sumfac::solve_result const by_jacobi = sumfac::cg(S, b, v, sumfac::jacobi{backend, d});
  chebyshev const P{S, d, 4};
  sumfac::solve_result const by_chebyshev = sumfac::cg(S, b, u, P);
  // [solve]
  std::printf("Jacobi:    %s\nChebyshev: %s\n", by_jacobi.report().c_str(), by_chebyshev.report().c_str());
  ops.axpy(-1, u, v);
  double const difference = ops.norm(v) / ops.norm(u);
  std::printf("the solutions differ by %.1e\n", difference);
  return by_jacobi && by_chebyshev && by_chebyshev.iterations < by_jacobi.iterations && difference < 1e-6 ? 0 : 1;
}
