// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Solvers of other libraries behind assembled matrices, where they are installed.
// part eigen: WITH_EIGEN=1
// part hypre: WITH_HYPRE=1
#if WITH_EIGEN
#include <sumfac/interop/eigen.hpp>
#else
#include <sumfac/interop/hypre.hpp>
#endif

#include <solver/solves.hpp>

namespace {

using checks::global_view, checks::index_t, checks::refused;

#if WITH_EIGEN
using coarse_solver = sumfac::eigen_ldlt;
char const* const name = "sumfac::eigen_ldlt";
struct started {
};
#else
using coarse_solver = sumfac::boomer_amg;
char const* const name = "sumfac::boomer_amg";
struct started {
  started() { MPI_Init(nullptr, nullptr); }
  ~started()
  {
    HYPRE_Finalize();
    MPI_Finalize();
  }
};
#endif
started const library;

template <class Form, int Order, class Scalar = double>
using collocated = sumfac::element_operator<Form, Order, sumfac::gauss_lobatto<Order + 1>, sumfac::host, Scalar>;

// Iterations of cg with it, the solution compared with the oracle's.
template <class Operator>
index_t iterations(double allowed)
{
  using scalar = typename Operator::scalar_type;
  auto s = checks::poisson<Operator>();
  auto const a = s.c.make(s.backend);
  auto const r = s.c.restriction({}, s.backend);
  sumfac::global_operator const l{a, r};
  coarse_solver const p(sumfac::assemble(a, r));
  auto const result =
      sumfac::cg(l, global_view(std::as_const(s.b)), global_view(s.x), p, {.tolerance = allowed / 100});
  INFO(result.report());
  CHECK(result);
  auto const exact = s.solution();
  for (std::size_t i = 0; i < exact.size(); ++i) CHECK(std::abs(double(s.x[i]) - double(exact[i])) < allowed);
  // Symmetric, as a preconditioner of cg must be.
  auto const u = support::random<scalar>(s.x.size(), 3), v = support::random<scalar>(s.x.size(), 4);
  std::vector<scalar> pu(u.size()), pv(u.size());
  p.apply(global_view(u), global_view(pu));
  p.apply(global_view(v), global_view(pv));
  double one = 0, two = 0;
  for (std::size_t i = 0; i < u.size(); ++i) one += double(v[i]) * double(pu[i]), two += double(u[i]) * double(pv[i]);
  CHECK(std::abs(one - two) <= (sizeof(scalar) == 8 ? 1e-11 : 1e-4) * (std::abs(one) + 1));
  return result.iterations;
}

TEST_CASE("They precondition conjugate gradients")
{
#if WITH_EIGEN
  CHECK(iterations<collocated<sumfac::laplace, 2>>(1e-9) <= 1);
  CHECK(iterations<collocated<sumfac::vector_laplace<3>, 1>>(1e-9) <= 1);
  CHECK(iterations<collocated<sumfac::laplace, 2, float>>(1e-3) <= 2);
#else
  CHECK(iterations<collocated<sumfac::laplace, 2>>(1e-9) <= 25);
  CHECK(iterations<collocated<sumfac::laplace, 1>>(1e-9) <= 15);
  CHECK(iterations<collocated<sumfac::laplace, 2, float>>(1e-3) <= 25);
#endif
}

TEST_CASE("Empty rows count as the identity's")
{
  coarse_solver const p(sumfac::csr_matrix<>({0, 1, 1, 2}, {0, 2}, {4, 2}));
  std::vector<double> const r{1, 3, 1};
  std::vector<double> z(3);
  p.apply(global_view(r), global_view(z));
  CHECK(std::abs(z[0] - 0.25) < 1e-14);
  CHECK(std::abs(z[1] - 3) < 1e-14);
  CHECK(std::abs(z[2] - 0.5) < 1e-14);
}

TEST_CASE("What does not fit is refused")
{
  coarse_solver const p(sumfac::csr_matrix<>({0, 1, 2}, {0, 1}, {1, 1}));
  std::vector<double> r(3), z(2);
  refused([&] { p.apply(global_view(r), global_view(z)); },
          {std::string(name) + "::apply: extent 0 (entries) of r does not match (expected 2, got 3)"});
#if WITH_EIGEN
  refused([&] { coarse_solver{sumfac::csr_matrix<>({0, 1, 2}, {0, 1}, {1, -1})}; },
          {"sumfac::eigen_ldlt: the matrix is not positive definite (2 rows)"});
#else
  refused([&] { coarse_solver(sumfac::csr_matrix<>({0, 1}, {0}, {1}), {.cycles = 0}); },
          {"sumfac::boomer_amg: the number of cycles is below 1 (got 0, at least 1 expected)"});
#endif
}

}  // namespace
