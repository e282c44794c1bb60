// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Newton's method with multigrid: levels take each new state in the memory they have, and keep the iterations of a
// linear problem.
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/form/weak.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/tools/explain/levels.hpp>

#include <catch2/catch.hpp>
#include <support/allocations.hpp>
#include <support/larger.hpp>
#include <support/message_of.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

// (|grad u| grad u, grad v) - (1, v), the p-Laplacian with p = 3, with its gradient kept off 0.
auto p_laplacian()
{
  using namespace sumfac::weak;
  return integrate(sqrt(dot(grad(u), grad(u)) + 1e-4) * dot(grad(u), grad(v)) - v);
}
using flow = decltype(p_laplacian());

sumfac::mesh<2> bent()
{
  return sumfac::box_mesh({2, 2}, [](auto at) { return at[1] += at[0] * at[0] / 5, at; });
}

// Behind the first update there is nothing but the memory of a thread that gets its first elements late.
void allocates_once(std::vector<long> const& allocated, sumfac::host const& backend)
{
  CHECK(std::accumulate(allocated.begin() + 1, allocated.end(), 0L) < backend.threads());
}

struct nonlinear_problem {
  static constexpr auto space_of = sumfac::quadrilateral(3);

  explicit nonlinear_problem(sumfac::mesh<2> const& of) : mesh(of) {}

  sumfac::host backend{};
  sumfac::mesh<2> mesh;
  sumfac::function_space<2> space{mesh, 3, mesh.boundary()};
  sumfac::restriction<> r = space.restriction(backend);
  sumfac::element_operator<flow, space_of> residual{backend, mesh, p_laplacian()};
  sumfac::element_operator<sumfac::tangent<flow>, space_of> tangent{backend, mesh, p_laplacian()};
  sumfac::global_operator<decltype(tangent), sumfac::restriction<>> matrix{tangent, r};

  double norm(std::vector<double> const& x) const
  {
    double sum = 0;
    for (double const entry : x) sum += entry * entry;
    return std::sqrt(sum);
  }

  // From a state on, steps until F is 0 to rounding; preconditioner(u) is that of the tangent at u. Returns the most
  // iterations of a step.
  template <class Preconditioner>
  int newton(std::vector<double>& u, Preconditioner const& preconditioner)
  {
    std::vector<double> f(u.size()), w(u.size());
    int most = 0, step = 0;
    for (;; ++step) {
      residual.apply(r, u, f);
      if (norm(f) < 1e-13) break;
      REQUIRE(step < 20);
      tangent.linearize(r, u);
      std::fill(w.begin(), w.end(), 0.0);
      auto const result = sumfac::cg(matrix, f, w, preconditioner(u), {.tolerance = 1e-8});
      INFO(result.report());
      CHECK(result.status == sumfac::solve_status::converged);
      most = std::max(most, int(result.iterations));
      for (std::size_t i = 0; i < u.size(); ++i) u[i] -= w[i];
    }
    CHECK(step >= 3);
    return most;
  }
};

}  // namespace

TEST_CASE("multigrid: Newton's method goes on with the levels it has, which allocate nothing")
{
  nonlinear_problem p(refined(bent(), 2));
  std::vector<double> u(static_cast<std::size_t>(p.space.size())), f(u.size()), start(u.size());
  // At 0 the tangent is a hundredth of Laplace's operator.
  p.tangent.linearize(p.r, u);
  sumfac::multigrid P{sumfac::p_levels<float, 3, 1>(p.tangent, p.mesh, p.r, sumfac::field(p.r, u))};
  REQUIRE(P.levels().meshes().size() == 2);
  p.residual.apply(p.r, u, f);
  auto const linear = sumfac::cg(p.matrix, f, start, P, {.tolerance = 1e-8});
  REQUIRE(linear);
  for (double& x : start) x *= -0.03;

  INFO(sumfac::explain(P));
  auto const said = [text = sumfac::explain(P)](char const* what) { return text.find(what) != std::string::npos; };
  CHECK(said("multigrid of 4 levels, whose matrices move "));
  CHECK(said("\n  degree 3, 64 elements, 625 unknowns in float, "));
  CHECK(said("MB an application; Chebyshev's polynomial of degree 3, for eigenvalues up to "));
  CHECK(said("\n  degree 1, 64 elements, 81 unknowns in float, "));
  CHECK(said("\n  degree 1, 4 elements, 9 unknowns in float, "));
  CHECK(said("; conjugate gradients with Jacobi's preconditioner\n"));

  std::vector<long> allocated;
  allocated.reserve(40);
  auto by_multigrid = start, by_jacobi = start;
  auto const updated = [&](std::vector<double> const& state) -> auto const& {
    long const before = allocations;
    P.update(p.r, state);
    allocated.push_back(allocations - before);
    return P;
  };
  int const most = p.newton(by_multigrid, updated);
  INFO(most << " iterations, " << linear.iterations << " of the linear problem");
  CHECK(2 * most <= 3 * int(linear.iterations));
  allocates_once(allocated, p.backend);

  int const of_jacobi = p.newton(by_jacobi, [&](std::vector<double> const&) {
    std::vector<double> d(u.size());
    p.matrix.diagonal(d);
    return sumfac::jacobi{p.backend, sumfac::view(std::as_const(d).data(), p.space.size())};
  });
  CHECK(of_jacobi >= 4 * most);
  double difference = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    difference = support::larger(difference, std::abs(by_multigrid[i] - by_jacobi[i]));
  CHECK(difference <= 1e-11);

  // As good as levels that are made of the state.
  auto const iterations = [&](auto const& of) {
    std::vector<double> w(u.size());
    return int(sumfac::cg(p.matrix, start, w, of, {.tolerance = 1e-8}).iterations);
  };
  sumfac::multigrid const anew{sumfac::p_levels<float, 3, 1>(p.tangent, p.mesh, p.r, sumfac::field(p.r, by_multigrid))};
  CHECK(std::abs(iterations(P) - iterations(anew)) <= 1);
}

namespace {

// Newton's method behind levels of the tangent at 0, to u: some iterations more than the linear problem's. Returns what
// each update allocates.
template <class Preconditioner>
std::vector<long> newton_behind(nonlinear_problem& p, Preconditioner& P, std::vector<double>& u)
{
  std::vector<double> f(u.size());
  p.residual.apply(p.r, u, f);
  auto const linear = sumfac::cg(p.matrix, f, u, P, {.tolerance = 1e-8});
  REQUIRE(linear);
  for (double& x : u) x *= -0.03;
  std::vector<long> allocated;
  allocated.reserve(40);
  int const most = p.newton(u, [&](std::vector<double> const& state) -> auto const& {
    long const before = allocations;
    P.update(p.r, state);
    allocated.push_back(allocations - before);
    return P;
  });
  INFO(most << " iterations, " << linear.iterations << " of the linear problem");
  CHECK(2 * most <= 3 * int(linear.iterations));
  return allocated;
}

}  // namespace

TEST_CASE("multigrid: Newton's method on a mesh that hangs, and by coarse_chebyshev, which allocates nothing")
{
  auto const hangs = sumfac::refine(sumfac::refine(refined(bent(), 1), {0, 3, 9}), {1, 2, 15});
  REQUIRE(!hangs.hanging().empty());
  for (auto const& mesh : {hangs, refined(bent(), 2)}) {
    nonlinear_problem p(mesh);
    std::vector<double> u(static_cast<std::size_t>(p.space.size()));
    p.tangent.linearize(p.r, u);
    auto levels = sumfac::p_levels<float, 3, 1>(p.tangent, p.mesh, p.r, sumfac::field(p.r, u));
    if (!mesh.hanging().empty()) {
      REQUIRE(levels.meshes().size() == 3);
      sumfac::multigrid P{std::move(levels)};
      newton_behind(p, P, u);
      // States upon equations of the same nodes that say something else, and upon none.
      sumfac::constraints others;
      for (sumfac::index_t i = 0; i < p.space.hanging().size(); ++i)
        others.add(p.space.hanging().row(i).node, {{p.space.hanging().begin(i)->node, 1}});
      sumfac::restriction const R{p.backend, p.space.table(), p.space.nodes(), p.space.marks(), others};
      sumfac::restriction const bare{p.backend, p.space.table(), p.space.nodes(), p.space.marks()};
      CHECK_THAT(support::message_of([&] { P.update(R, u); }), Catch::Matchers::Contains("has another equation at"));
      CHECK_THAT(support::message_of([&] { P.update(bare, u); }), Catch::Matchers::Contains("has no mark or equation"));
    } else {
      sumfac::multigrid P{std::move(levels), {}, sumfac::coarse_chebyshev{}};
      auto const allocated = newton_behind(p, P, u);
      allocates_once(allocated, p.backend);
    }
  }
}

namespace {

// k (grad u, grad v) + (|grad u|^2, v) with k = 1 at first, whose tangent is symmetric where u is constant alone.
auto growth()
{
  using namespace sumfac::weak;
  return integrate(parameter<0>{1} * dot(grad(u), grad(v)) + dot(grad(u), grad(u)) * v);
}

}  // namespace

TEST_CASE("multigrid: coarse_cg and coarse_chebyshev refuse a state at which the matrix is no longer symmetric")
{
  auto const mesh = refined(bent(), 1);
  sumfac::function_space<2> const V{mesh, 1, mesh.boundary()};
  sumfac::element_operator<sumfac::tangent<decltype(growth())>, sumfac::quadrilateral(1)> J{sumfac::host{}, mesh,
                                                                                            growth()};
  auto const R = V.restriction(sumfac::host{});
  std::vector<double> const zero(static_cast<std::size_t>(V.size()));
  auto const hill = V.values([](auto const& x) { return x[0] * (1 - x[0]) * x[1]; });
  auto const says = [&](auto const& coarse, char const* what) {
    J.linearize(R, zero);
    sumfac::multigrid P{sumfac::p_levels<1>(J, mesh.nodes(), R, sumfac::field(R, zero)), {}, coarse};
    CHECK(support::message_of([&] { P.update(R, zero); }).empty());
    J.linearize(R, hill);
    CHECK_THAT(support::message_of([&] { P.update(R, hill); }), Catch::Matchers::Contains(what));
  };
  says(sumfac::coarse_cg{}, "coarse_cg cannot go on on the last level, whose matrix is no longer symmetric (for two");
  says(sumfac::coarse_chebyshev{}, "coarse_chebyshev cannot go on on the last level, whose matrix is no longer");
}

TEST_CASE("multigrid: an update refuses smoothers that no longer smooth, whatever solves on the last level")
{
  auto const mesh = refined(sumfac::box_mesh({2, 2}), 1);
  sumfac::function_space<2> const V{mesh, 2, mesh.boundary("x0")};
  sumfac::element_operator<sumfac::tangent<decltype(growth())>, sumfac::quadrilateral(2)> J{sumfac::host{}, mesh,
                                                                                            growth()};
  auto const R = V.restriction(sumfac::host{});
  std::vector<double> const zero(static_cast<std::size_t>(V.size()));
  auto const steep = V.values([](auto const& x) { return 300 * x[0]; });  // a wind of 600
  auto const nothing = [](auto const&, auto const& z) {
    for (sumfac::index_t i = 0; i < z.extent(0); ++i) z(i) = 0;
  };
  J.linearize(R, zero);
  sumfac::multigrid P{sumfac::p_levels<2, 1>(J, mesh.nodes(), R, sumfac::field(R, zero)), {}, nothing};
  sumfac::multigrid over_meshes{sumfac::p_levels<2>(J, mesh, R, sumfac::field(R, zero)), {}, nothing};
  CHECK(support::message_of([&] { P.update(R, zero), over_meshes.update(R, zero); }).empty());

  // The finest level's parameter is that of all levels when they are told.
  using constant = sumfac::tangent<decltype(growth())> const&;  // as of a form that is `auto const&`
  static_assert(std::is_same_v<sumfac::element_operator<constant, sumfac::quadrilateral(2)>, decltype(J)>);
  auto const energy = [](auto const& level) {
    std::vector<double> x(static_cast<std::size_t>(level.size())), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = double(i % 3);
    level.matrix().apply(x, y);
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  double const coarse = energy(P.levels().at<1>()), of_mesh = energy(over_meshes.levels().coarsest());
  J.form().set(sumfac::weak::parameter<0>{}, 3);
  P.update(), over_meshes.update(R, zero);
  auto const anew = sumfac::p_levels<2, 1>(J, mesh.nodes(), R, sumfac::field(R, zero));
  auto const meshes_anew = sumfac::p_levels<2>(J, mesh, R, sumfac::field(R, zero));
  CHECK(energy(P.levels().at<1>()) == Approx(energy(anew.at<1>())));
  CHECK(energy(over_meshes.levels().coarsest()) == Approx(energy(meshes_anew.coarsest())));
  CHECK(energy(anew.at<1>()) > 2 * coarse);
  CHECK(energy(meshes_anew.coarsest()) > 2 * of_mesh);
  J.form().set(sumfac::weak::parameter<0>{}, 1);

  J.linearize(R, steep);
  auto const refused = Catch::Matchers::Contains("the smoother does not smooth on the level of degree 2");
  CHECK_THAT(support::message_of([&] { P.update(R, steep); }), refused);
  CHECK_THAT(support::message_of([&] { over_meshes.update(R, steep); }), refused);
}
