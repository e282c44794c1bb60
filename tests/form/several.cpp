// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms made of others: several right sides are each that of one form; two forms in one kernel are both.
#include <sumfac/backend/checked.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/several.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/several_cg.hpp>

#include <catch2/catch.hpp>
#include <support/apart.hpp>
#include <support/measured.hpp>
#include <support/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace {

using sumfac::index_t;
using numbers = std::vector<double>;
using support::apart;
constexpr std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

// (t u_0 + u_1, v_0) + (u_0 + 2 u_1, v_1) of two components, with an input t.
struct mixing : support::measured {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  static constexpr int components = 2;
  using inputs = sumfac::reads<sumfac::input{.components = 1, .evaluates = sumfac::value}>;

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 2, 2> apply(factors<T> const& f, sumfac::point_values<T, 2, 2> const& u,
                                                      sumfac::point_values<T, 1, 2> const& t) const
  {
    sumfac::point_values<T, 2, 2> v;
    v.value[0] = f.measure * (t.value * u.value[0] + u.value[1]);
    v.value[1] = f.measure * (u.value[0] + u.value[1] + u.value[1]);
    return v;
  }
};

constexpr double rounding = 50 * std::numeric_limits<double>::epsilon();

// Every Count-th group of C components.
numbers one_of(numbers const& all, int count, int components, int s)
{
  numbers one;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (int(i) / components % count == s) one.push_back(all[i]);
  return one;
}

struct square {
  sumfac::host backend;
  sumfac::mesh<2> mesh = sumfac::box_mesh(
      {3, 2},
      [](auto const& x) {
        return sumfac::vector<double, 2>{x[0] + 0.1 * x[1] * x[1], x[1] + 0.1 * x[0]};
      },
      1);
  sumfac::function_space<2> V{mesh, 3};
};
constexpr auto space = sumfac::quadrilateral(3);

}  // namespace

TEST_CASE("Several right sides are each that of one form")
{
  square const s;
  auto const side = s.mesh.boundary("x0");
  sumfac::function_space const three(s.mesh, 3, side, {.components = 3}), one(s.mesh, 3, side);
  auto const R3 = three.restriction(s.backend), R = one.restriction(s.backend);
  auto const x = support::random<double>(at(three.size()), 3);
  numbers y(x.size()), d(x.size()), z(at(one.size()));
  sumfac::element_operator<sumfac::several<sumfac::stiffness, 3>, space> const A3{s.backend, s.mesh,
                                                                                  sumfac::stiffness{.lambda = 2}};
  sumfac::element_operator<sumfac::stiffness, space> const A{s.backend, s.mesh, {.lambda = 2}};
  A3.apply(R3, x, y);
  A3.diagonal(R3, d);
  for (int c = 0; c < 3; ++c) {
    A.apply(R, one_of(x, 3, 1, c), z);
    CHECK(apart(one_of(y, 3, 1, c), z) < rounding);
    A.diagonal(R, z);
    CHECK(apart(one_of(d, 3, 1, c), z) < rounding);
  }
  auto const many = A3.work(), single = A.work();
  index_t const factors = single.bytes_read - single.bytes_written;
  CHECK(many.bytes_written == 3 * single.bytes_written);
  CHECK(many.bytes_read == 3 * single.bytes_written + factors);

  // Recomputed geometry, on teams of a device: a point's factors are made once for all.
  sumfac::checked const checked;
  auto const on_teams = three.restriction(checked);
  sumfac::element_operator<sumfac::several<sumfac::stiffness, 3>, space, sumfac::checked, sumfac::trilinear> const C{
      checked, s.mesh, sumfac::stiffness{.lambda = 2}};
  numbers of_teams(x.size());
  C.apply(on_teams, x, of_teams);
  CHECK(apart(of_teams, y) < rounding);
}

TEST_CASE("Several right sides have threads of their own in a team of hexahedra")
{
  using sumfac::laplace, sumfac::several;
  auto const mesh = sumfac::box_mesh({2, 1, 1}, [](sumfac::vector<double, 3> const& x) {
    return sumfac::vector<double, 3>{x[0] + 0.1 * x[1] * x[2], x[1], x[2] + 0.2 * x[0]};
  });
  auto const u = support::random<double>(2 * 4 * 8, 3);
  numbers v(u.size()), w(u.size(), std::nan(""));
  auto const on = [](auto* x) { return sumfac::view(x, 2, 4, 2, 2, 2); };
  sumfac::element_operator<several<laplace, 4>, 1>{sumfac::host{}, mesh}.apply(on(u.data()), on(v.data()));
  sumfac::element_operator<several<laplace, 4>, 1, sumfac::checked>{sumfac::checked{}, mesh}.apply(on(u.data()),
                                                                                                   on(w.data()));
  CHECK(apart(w, v) < rounding);
}

TEST_CASE("Forms of components and inputs are applied to several, too")
{
  square const s;
  using options = sumfac::function_space_options;
  sumfac::function_space const four(s.mesh, 3, options{.components = 4}), two(s.mesh, 3, options{.components = 2});
  auto const R4 = four.restriction(s.backend), R2 = two.restriction(s.backend), R = s.V.restriction(s.backend);
  auto const x = support::random<double>(at(four.size()), 4), t = support::random<double>(at(s.V.size()), 5);
  numbers y(x.size()), z(at(two.size()));
  sumfac::element_operator<sumfac::several<mixing, 2>, space> A2{s.backend, s.mesh};
  sumfac::element_operator<mixing, space> A{s.backend, s.mesh};
  A2.linearize(sumfac::field(R, t));
  A.linearize(sumfac::field(R, t));
  A2.apply(R4, x, y);
  for (int c = 0; c < 2; ++c) {
    A.apply(R2, one_of(x, 2, 2, c), z);
    CHECK(apart(one_of(y, 2, 2, c), z) < rounding);
  }
}

TEST_CASE("Several right sides are solved at once, each to its own end")
{
  square const s;
  auto const side = s.mesh.boundary("x0");
  sumfac::function_space const four(s.mesh, 3, side, {.components = 4}), one(s.mesh, 3, side);
  auto const R4 = four.restriction(s.backend), R = one.restriction(s.backend);
  sumfac::element_operator<sumfac::several<sumfac::laplace, 4>, space> const A4{s.backend, s.mesh};
  sumfac::element_operator<sumfac::laplace, space> const A{s.backend, s.mesh};
  sumfac::global_operator const L4{A4, R4};
  sumfac::global_operator const L{A, R};
  // The second is solved at once, the third is no number, the last is harder than it is given iterations for.
  auto b = support::random<double>(at(four.size()), 3);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = i % 4 == 1 ? 0 : i == 4 * 9 + 2 ? std::nan("") : b[i];
  numbers x(b.size()), d(b.size()), d_one(at(one.size()));
  L4.diagonal(d);
  L.diagonal(d_one);
  sumfac::cg_options const options{.iterations = 200, .tolerance = 1e-10};
  auto const compare = [&](auto const& results, auto const& p_one, int s_of) {
    numbers y(d_one.size());
    auto const alone = sumfac::cg(L, one_of(b, 4, 1, s_of), y, p_one, options);
    auto const& together = results[at(s_of)];
    INFO(together.report());
    CHECK(together.status == alone.status);
    CHECK(std::abs(double(together.iterations - alone.iterations)) <= 1);
    CHECK(together.initial_residual == Approx(alone.initial_residual));
    CHECK(together.residual <= 1e-10 * together.initial_residual);
    CHECK(apart(one_of(x, 4, 1, s_of), y) < 1e-8);
  };
  auto const by_jacobi = sumfac::several_cg<4>(L4, b, x, sumfac::jacobi{s.backend, d}, options);
  for (int const k : {0, 3}) compare(by_jacobi, sumfac::jacobi{s.backend, d_one}, k);
  CHECK(by_jacobi[1].status == sumfac::solve_status::converged);
  CHECK(by_jacobi[1].iterations == 0);
  CHECK(by_jacobi[2].status == sumfac::solve_status::not_finite);
  for (double const of_second : one_of(x, 4, 1, 1)) CHECK(of_second == 0);

  // A preconditioner that is applied: twice jacobi is half as large a step of the same iteration.
  struct twice {
    numbers const& diagonal;
    void apply(sumfac::view<double const, sumfac::dextents<1>> const& r,
               sumfac::view<double, sumfac::dextents<1>> const& z) const
    {
      for (index_t i = 0; i < r.extent(0); ++i) z[i] = 2 * r[i] / diagonal[at(i)];
    }
  };
  std::fill(x.begin(), x.end(), 0);
  auto const applied = sumfac::several_cg<4>(L4, b, x, twice{d}, options);
  for (int const k : {0, 3}) compare(applied, sumfac::jacobi{s.backend, d_one}, k);

  std::fill(x.begin(), x.end(), 0);
  auto const few = sumfac::several_cg<4>(L4, b, x, sumfac::no_preconditioner{}, {.iterations = 3});
  CHECK(few[0].status == sumfac::solve_status::iterations_done);
  CHECK(few[0].iterations == 3);
  CHECK(!few[0]);
}

TEST_CASE("The sum of two forms is one kernel")
{
  square const s;
  auto const R = s.V.restriction(s.backend);
  auto const x = support::random<double>(at(s.V.size()), 6);
  numbers y(x.size()), of_mass(x.size()), of_laplace(x.size());
  sumfac::element_operator<sumfac::mass, space> const M{s.backend, s.mesh};
  sumfac::element_operator<sumfac::laplace, space> const K{s.backend, s.mesh};
  using both = sumfac::form_sum<sumfac::mass, sumfac::laplace>;
  sumfac::element_operator<both, space> A{s.backend, s.mesh, {.of_second = 0.25}};
  M.apply(R, x, of_mass);
  K.apply(R, x, of_laplace);
  auto const expect = [&](double m, double k) {
    numbers sum;
    for (std::size_t i = 0; i < x.size(); ++i) sum.push_back(m * of_mass[i] + k * of_laplace[i]);
    A.apply(R, x, y);
    CHECK(apart(y, sum) < rounding);
  };
  expect(1, 0.25);
  A.form().of_first = 3, A.form().of_second = 0.5;
  expect(3, 0.5);
  // The factors of both, and u and v once.
  sumfac::element_operator<sumfac::stiffness, space> const by_hand{s.backend, s.mesh};
  CHECK(A.work().bytes() == by_hand.work().bytes());
  CHECK(A.linear);

  // Both are tested against values.
  using twice = sumfac::form_sum<sumfac::stiffness, sumfac::mass>;
  sumfac::element_operator<twice, space> const B{s.backend, s.mesh, {.first = {.lambda = 2}, .of_second = 5}};
  numbers z(x.size()), expected;
  for (std::size_t i = 0; i < x.size(); ++i) expected.push_back(7 * of_mass[i] + of_laplace[i]);
  B.apply(R, x, z);
  CHECK(apart(z, expected) < rounding);
  try {
    sumfac::element_operator<twice, space> const refused{
        s.backend, s.mesh, {.first = {.lambda = std::numeric_limits<double>::infinity()}}};
    FAIL("what a form refuses is refused in a sum of it");
  } catch (sumfac::argument_error const& e) {
    CHECK(std::string(e.what()) == "sumfac::stiffness: lambda is not a finite number (got inf)");
  }
  CHECK_THROWS_WITH((sumfac::element_operator<twice, space>{
                        s.backend, s.mesh, {.of_second = std::numeric_limits<double>::quiet_NaN()}}),
                    "sumfac::form_sum: a form is multiplied by what is not a finite number (got nan)");
}
