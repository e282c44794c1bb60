// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// SUNDIALS' vectors over ours: every operation beside SUNDIALS' own serial vector, and implicit steps in time of the
// heat equation whose error falls as the method's order says.
#include "../../examples/cookbook/sundials/session.hpp"

#include <sumfac/backend/checked.hpp>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <catch2/catch.hpp>
#include <support/larger.hpp>
#include <support/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace {

using sumfac::index_t, sumfac::sundials::entries_of;

// A vector of SUNDIALS' own over the same entries.
struct serial {
  serial(SUNContext context, std::vector<double>& x)
      : vector(N_VMake_Serial(static_cast<sunindextype>(x.size()), x.data(), context))
  {
  }
  serial(serial const&) = delete;
  serial& operator=(serial const&) = delete;
  ~serial() { N_VDestroy(vector); }
  operator N_Vector() const { return vector; }
  N_Vector vector;
};

// What an operation writes to z, and what it returns, of our vectors and of SUNDIALS' own.
template <class Backend>
void operations_agree(Backend const& backend, std::size_t size)
{
  session const sun;
  auto x = support::random<double>(size, 1), y = support::random<double>(size, 2), w = support::random<double>(size, 3);
  for (std::size_t i = 0; i < size; ++i) {
    if (i % 5 == 1) x[i] = 0;
    if (i % 7 == 2) y[i] = 0;
  }
  auto const both = [&](char const* what, std::vector<double> const& a, std::vector<double> const& b,
                        std::vector<double> const& c, auto const& operation) {
    CAPTURE(what, size);
    std::vector<double> in[3] = {a, b, c}, of[3] = {a, b, c};
    sumfac::sundials::vector const a1(sun, backend, in[0]), b1(sun, backend, in[1]), c1(sun, backend, in[2]);
    serial const a2(sun, of[0]), b2(sun, of[1]), c2(sun, of[2]);
    double const one = operation(N_Vector(a1), N_Vector(b1), N_Vector(c1));
    double const two = operation(N_Vector(a2), N_Vector(b2), N_Vector(c2));
    CHECK(std::abs(one - two) <=
          4 * static_cast<double>(size) * std::numeric_limits<double>::epsilon() * (std::abs(two) + 1));
    for (int k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < size; ++i) REQUIRE(in[k][i] == Approx(of[k][i]).epsilon(1e-15).margin(1e-15));
  };
  std::vector<double> ones(size, 1), nonzero(size, 2), constraints(size);
  for (std::size_t i = 0; i < size; ++i) nonzero[i] = x[i] == 0 ? -3 : x[i], constraints[i] = double(i % 5) - 2;
  using v = N_Vector;
  both("linear sum", x, y, w, [](v a, v b, v c) {
    N_VLinearSum(2, a, -3, b, c);
    return 0.;
  });
  both("in place", x, y, w, [](v a, v b, v) {
    N_VLinearSum(2, a, 1, b, b);
    return 0.;
  });
  both("constant", x, y, w, [](v, v, v c) {
    N_VConst(7, c);
    return 0.;
  });
  both("product", x, y, w, [](v a, v b, v c) {
    N_VProd(a, b, c);
    return 0.;
  });
  both("quotient", x, nonzero, w, [](v a, v b, v c) {
    N_VDiv(a, b, c);
    return 0.;
  });
  both("scale", x, y, w, [](v a, v, v c) {
    N_VScale(-2, a, c);
    return 0.;
  });
  both("absolute", x, y, w, [](v a, v, v c) {
    N_VAbs(a, c);
    return 0.;
  });
  both("inverse", nonzero, y, w, [](v a, v, v c) {
    N_VInv(a, c);
    return 0.;
  });
  both("add a constant", x, y, w, [](v a, v, v c) {
    N_VAddConst(a, 5, c);
    return 0.;
  });
  both("dot", x, y, w, [](v a, v b, v) { return N_VDotProd(a, b); });
  both("largest", x, y, w, [](v a, v, v) { return N_VMaxNorm(a); });
  both("mean square", x, y, w, [](v a, v b, v) { return N_VWrmsNorm(a, b); });
  both("of some", x, y, w, [](v a, v b, v c) { return N_VWrmsNormMask(a, b, c); });
  both("least", x, y, w, [](v a, v, v) { return N_VMin(a); });
  both("weighted", x, y, w, [](v a, v b, v) { return N_VWL2Norm(a, b); });
  both("sum", x, y, w, [](v a, v, v) { return N_VL1Norm(a); });
  both("compare", x, y, w, [](v a, v, v c) {
    N_VCompare(0.3, a, c);
    return 0.;
  });
  both("invertible", nonzero, y, w, [](v a, v, v c) { return double(N_VInvTest(a, c)); });
  both("constraints", constraints, x, w, [](v a, v b, v c) { return double(N_VConstrMask(a, b, c)); });
  both("met", ones, ones, w, [](v a, v b, v c) { return double(N_VConstrMask(a, b, c)); });
  both("least quotient", x, y, w, [](v a, v b, v) { return N_VMinQuotient(a, b); });
  both("clones", x, y, w, [](v a, v b, v c) {
    v const d = N_VClone(a);
    N_VScale(3, b, d);
    N_VScale(1, d, c);
    double const length = static_cast<double>(N_VGetLength(d));
    N_VDestroy(d);
    return length;
  });
  std::vector<double> z(size, 4);
  sumfac::sundials::vector const a(sun, backend, x), b(sun, backend, z);
  CHECK(N_VInvTest(a, b) == (size < 2 ? 1 : 0));  // an entry is 0
  N_Vector outlives = nullptr;
  {
    sumfac::sundials::vector const gone(sun, backend, z);
    outlives = N_VClone(gone);
  }
  N_VConst(2, outlives);
  CHECK(N_VDotProd(outlives, outlives) == 4 * static_cast<double>(size));
  N_VDestroy(outlives);
}

// M y' = - K y + g'(t) M q + g(t) K q, whose solution is g q for any g: no error but that of the steps.
struct heat {
  sumfac::host backend{1};
  sumfac::mesh<3> box = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space<3> V{box, 2, box.boundary()};
  sumfac::bp3<2> K{backend, box, {.lambda = 0}};
  sumfac::bp1<2> M{backend, box};
  sumfac::restriction<> R = V.restriction(backend);
  sumfac::restriction<> inside = V.restriction(backend, {.rows = sumfac::constrained_rows::zero});
  std::vector<double> q = V.values([](auto const& x) {
    double product = 1;
    for (int d = 0; d < 3; ++d) product *= 4 * x[d] * (1 - x[d]);
    return product;
  });
  std::vector<double> m = std::vector<double>(q.size()), k = m;
  stiff_problem problem{};
  double iterations_of_a_stage = 0;

  heat()
  {
    M.apply(inside, q, m);
    K.apply(inside, q, k);
    problem.mass = [this](N_Vector v, N_Vector to) { M.apply(R, entries_of(v), entries_of(to)); };
    problem.stiffness = [this](N_Vector v, N_Vector to) { K.apply(inside, entries_of(v), entries_of(to)); };
    problem.f = [this](double t, N_Vector y, N_Vector to) {
      problem.stiffness(y, to);
      auto const f = entries_of(to);
      for (index_t i = 0; i < f.extent(0); ++i) {
        auto const j = static_cast<std::size_t>(i);
        f(i) = -f(i) + 2 * std::cos(2 * t) * m[j] + g(t) * k[j];
      }
    };
  }
  static double g(double t) { return 1 + std::sin(2 * t); }

  // The error at t = 1 after so many steps of a method whose matrix is M + share / steps K.
  double run(int steps, int order, double share)
  {
    double const shift = steps / share;
    sumfac::bp3<2> const S{backend, box, {.lambda = shift}};
    sumfac::multigrid const P{sumfac::p_levels<2, 1>(S, box, R)};
    problem.solve = [&](double gamma, N_Vector r, N_Vector z) {
      CHECK(gamma == Approx(share / steps));
      P.apply(entries_of(r), entries_of(z));
      N_VScale(shift, z, z);
    };
    session const sun;
    std::vector<double> u(q);
    sumfac::sundials::vector const y(sun, backend, u);
    implicit_steps const all(sun, y, problem, 1e-9);
    all.check(ARKStepSetOrder(all, order));
    all.check(ARKStepSetFixedStep(all, 1. / steps));
    all.check(ARKStepSetStopTime(all, 1));
    double t = 0;
    all.check(ARKStepEvolve(all, 1, y, &t, ARK_NORMAL));
    CHECK(t == 1);
    long iterations = 0, solves = 0;
    ARKStepGetNumLinIters(all, &iterations);
    ARKStepGetNumNonlinSolvIters(all, &solves);
    iterations_of_a_stage = static_cast<double>(iterations) / static_cast<double>(solves);
    double error = 0;
    for (std::size_t i = 0; i < u.size(); ++i) error = support::larger(error, std::abs(u[i] - g(1) * q[i]));
    return error;
  }
};

}  // namespace

TEST_CASE("sundials: vectors do what SUNDIALS' own do")
{
  for (std::size_t const size : {1U, 3U, 1000U}) operations_agree(sumfac::host{1}, size);
  operations_agree(sumfac::host{2}, 20000);
  operations_agree(sumfac::checked{}, 300);
  // Of no entries SUNDIALS' own divides by 0, or reads one.
  session const sun;
  std::vector<double> nothing;
  sumfac::sundials::vector const none(sun, sumfac::host{}, nothing);
  CHECK(N_VMaxNorm(none) == 0);
  CHECK(N_VWrmsNorm(none, none) == 0);
  CHECK(N_VMin(none) == SUN_BIG_REAL);
  CHECK(N_VDotProd(none, none) == 0);
  CHECK(entries_of(none).extent(0) == 0);
}

TEST_CASE("sundials: implicit steps of the heat equation by multigrid, errors fall as the order says")
{
  heat h;
  constexpr double share = 0.4358665215084592;  // of ARKODE's method of order 3
  double const coarse = h.run(16, 3, share), fine = h.run(32, 3, share);
  CAPTURE(coarse, fine, h.iterations_of_a_stage);
  CHECK(fine > 1e-7);
  CHECK(std::log2(coarse / fine) == Approx(3).margin(0.4));  // 2.6, 2.8 and 2.9 of the next halves
  CHECK(h.iterations_of_a_stage >= 1);
  CHECK(h.iterations_of_a_stage <= 8);
}

TEST_CASE("sundials: what a function throws comes out behind SUNDIALS")
{
  heat h;
  int calls = 0;
  h.problem.mass = [&, apply = h.problem.mass](N_Vector v, N_Vector to) {
    if (++calls == 5) sumfac::fail("heat", "no more");
    apply(v, to);
  };
  std::string said;
  try {
    h.run(8, 2, 1);
  } catch (sumfac::argument_error const& error) {
    said = error.what();
  }
  CHECK(said.find("no more") != std::string::npos);
  CHECK_THROWS_AS(h.problem.calls.check("a call", -3), sumfac::backend_error);
  h.problem.calls.check("a call", 0);
  CHECK_THROWS_AS(entries_of(nullptr), sumfac::argument_error);
  std::vector<double> x(3);
  CHECK_THROWS_AS(sumfac::sundials::vector(nullptr, h.backend, x), sumfac::argument_error);
  session const sun;
  serial const other(sun, x);
  CHECK(entries_of(other).data() == x.data());
}

// y' = -10 (y - cos t) - sin t, entry by entry: y = cos t + (y(0) - 1) e^(-10 t).
TEST_CASE("sundials: CVODE steps to its tolerance")
{
  session const sun;
  std::vector<double> u(100);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = 1 + static_cast<double>(i) / 100;
  auto const start = u;
  sumfac::sundials::vector const y(sun, sumfac::host{}, u);
  void* memory = CVodeCreate(CV_BDF, sun);
  auto const right = [](double t, N_Vector v, N_Vector to, void*) {
    auto const from = entries_of(v), f = entries_of(to);
    for (index_t i = 0; i < f.extent(0); ++i) f(i) = -10 * (from(i) - std::cos(t)) - std::sin(t);
    return 0;
  };
  REQUIRE(CVodeInit(memory, right, 0, y) == 0);
  REQUIRE(CVodeSStolerances(memory, 1e-7, 1e-9) == 0);
  SUNLinearSolver const by_gmres = SUNLinSol_SPGMR(y, SUN_PREC_NONE, 5, sun);
  REQUIRE(CVodeSetLinearSolver(memory, by_gmres, nullptr) == 0);
  double t = 0;
  REQUIRE(CVodeSetStopTime(memory, 1) == 0);
  REQUIRE(CVode(memory, 1, y, &t, CV_NORMAL) >= 0);
  for (std::size_t i = 0; i < u.size(); ++i)
    REQUIRE(u[i] == Approx(std::cos(1.) + (start[i] - 1) * std::exp(-10.)).margin(1e-5));
  CVodeFree(&memory);
  SUNLinSolFree(by_gmres);
}
