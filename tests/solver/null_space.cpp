// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Null spaces: constants of components in both interleavings, a user's vectors, and what is none; and how every solver
// ends on matrices that have one, told of it or not.
#include "free_chain.hpp"
#include "systems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/minres.hpp>
#include <sumfac/solver/null_space.hpp>

#include <support/larger.hpp>
#include <support/random.hpp>

#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using checks::free_chain, checks::global_view, checks::index_t, checks::mean, checks::refused;
using sumfac::interleaving, sumfac::null_space;

template <class Vector, class Other>
double product(Vector const& x, Other const& y)
{
  double sum = 0;
  for (index_t i = 0; i < x.extent(0); ++i) sum += static_cast<double>(x(i)) * static_cast<double>(y(i));
  return sum;
}

// The basis is orthonormal, and a projected vector has no part in it and is otherwise what it was.
template <class Space>
void projects(Space const& space, double allowed)
{
  using scalar = typename Space::scalar_type;
  auto const before = support::random<scalar>(static_cast<std::size_t>(space.size()), 3);
  auto x = before;
  space.project(global_view(x));
  std::vector<double> rest(before.begin(), before.end());
  for (int k = 0; k < space.count(); ++k) {
    for (int j = 0; j < space.count(); ++j) CHECK(std::abs(product(space[k], space[j]) - (j == k)) <= allowed);
    CHECK(std::abs(product(space[k], global_view(x))) <= allowed * std::sqrt(double(before.size())));
    double const part = product(space[k], global_view(before));
    for (index_t i = 0; i < space.size(); ++i) rest[static_cast<std::size_t>(i)] -= part * double(space[k](i));
  }
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(double(x[i]) - rest[i]) <= allowed);
}

template <class Scalar, class Backend>
void constants(double allowed)
{
  for (index_t const nodes : {2, 9, 5000})
    for (int const components : {1, 3})
      for (auto const lie : {interleaving::fastest, interleaving::slowest}) {
        free_chain<Scalar, Backend> const a{nodes, components, nodes == 9, lie};
        null_space const space{a};
        CHECK(space.count() == components);
        CHECK(space.size() == a.size());
        CHECK(space.has_constants());
        if (nodes == 5000) {
          auto x = support::random<Scalar>(static_cast<std::size_t>(a.size()), 5);
          space.project(global_view(x));
          for (int c = 0; c < components; ++c) CHECK(std::abs(mean(a, x, c)) < allowed);
        } else {
          projects(space, allowed);
        }
      }
}

}  // namespace

TEST_CASE("null_space: constants of each component, in both interleavings")
{
  constants<double, sumfac::host>(1e-14);
  constants<float, sumfac::host>(1e-5);
  constants<double, sumfac::checked>(1e-14);
  constants<float, sumfac::checked>(1e-5);
}

TEST_CASE("null_space: the length of many equal entries is 1 to rounding")
{
  free_chain<> const a{100003};
  null_space const space{a};
  double const entry = space[0](0);  // as all of them
  CHECK(std::abs(entry * std::sqrt(100003.0) - 1) < 1e-15);
}

TEST_CASE("null_space: rows of their own are left out, and components that are fixed")
{
  for (double const own : {1.0, 0.0, 7.5}) {
    free_chain<> a{6, 3, false, interleaving::fastest, {}, own};
    for (index_t i = 0; i < 6; ++i) a.fixed.push_back(a.entry(i, 2));  // all of component 2
    a.fixed.push_back(a.entry(4, 1));
    null_space const space{a};
    REQUIRE(space.count() == 1);
    for (index_t i = 0; i < 6; ++i)
      for (int c = 0; c < 3; ++c) CHECK(std::abs(space[0](a.entry(i, c)) - (c == 0 ? 1 / std::sqrt(6.0) : 0)) < 1e-15);
  }
}

TEST_CASE("null_space: vectors of a user's are made orthonormal, more than fit one pass, too")
{
  for (int const count : {1, 2, 7, 9}) {
    free_chain<> const a{11, 9};
    std::vector<double> v(static_cast<std::size_t>(count * a.size()));
    for (int k = 0; k < count; ++k)
      for (index_t i = 0; i < a.size(); ++i)
        v[static_cast<std::size_t>(k * a.size() + i)] = i % 9 <= k ? 1e3 + k : -2.0 * double(i % 9 == k + 1);
    null_space const space{a, sumfac::view<double const, sumfac::dextents<2>>(v.data(), count, a.size())};
    CHECK(space.count() == count);
    CHECK(!space.has_constants());
    projects(space, 1e-13);
  }
}

TEST_CASE("null_space: what a matrix does not take to 0, and vectors that say nothing new, are refused")
{
  free_chain<> const held{8, 1, false, interleaving::fastest, {3}}, open{4, 1};
  refused([&] { null_space const space{held}; }, {"sumfac::null_space: A does not take constants to 0", "constrained"});
  free_chain<float> const long_one{200000, 1, false, interleaving::fastest, {3}};  // few rows see what is fixed
  refused([&] { null_space const space{long_one}; }, {"sumfac::null_space: A does not take constants to 0"});
  auto const with = [&](std::vector<double> const& v, index_t count) {
    null_space const space{open, sumfac::view<double const, sumfac::dextents<2>>(v.data(), count, 4)};
  };
  double const none = std::numeric_limits<double>::quiet_NaN();
  refused([&] { with({1, 1, 1, 1, 1, 2, 1, 1}, 2); }, {"A does not take vector 1 to 0", "leave it out"});
  refused([&] { with({1, 1, 1, 1, 3, 3, 3, 3}, 2); }, {"vector 1 is made of those before it"});
  refused([&] { with({0, 0, 0, 0}, 1); }, {"vector 0 is 0 or not finite"});
  refused([&] { with({1, none, 1, 1}, 1); }, {"vector 0 is 0 or not finite"});
  refused([&] { null_space const space(open, sumfac::view<double const, sumfac::dextents<2>>(nullptr, 1, 4)); },
          {"vectors is null"});
  std::vector<double> short_one(3);
  refused([&] { null_space{open}.project(global_view(short_one)); },
          {"sumfac::null_space::project: length of x does not match (expected 4, got 3)"});
}

namespace {

using sumfac::solve_result, sumfac::solve_status;

template <class Scalar>
using vector_of = std::vector<Scalar>;

// |b - A x| in the 2-norm, b without its part in the space if one is given.
template <class Matrix, class Scalar>
double computed_anew(Matrix const& a, vector_of<Scalar> b, vector_of<Scalar> const& x,
                     std::type_identity_t<null_space<Scalar, std::remove_cvref_t<decltype(a.backend())>>> const* space)
{
  vector_of<Scalar> y(b.size());
  if (space != nullptr) space->project(global_view(b));
  a.apply(global_view(x), global_view(y));
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += std::pow(double(b[i]) - double(y[i]), 2);
  return std::sqrt(sum);
}

// A preconditioner of one's own, which leaves constants in z.
template <class Scalar>
struct shifted_jacobi {
  Scalar const* inverse;
  template <class R, class Z>
  void apply(R const& r, Z const& z) const
  {
    for (index_t i = 0; i < r.extent(0); ++i) z(i) = inverse[i] * r(i);
    for (index_t i = 0; i < r.extent(0); ++i) z(i) += Scalar(1e3) * r(0);
  }
};

// Calls f(name, solve) for all solvers: solve(b, x, null space or none, tolerance).
template <class Matrix, class Function>
void for_all_solvers(Matrix const& a, Function const& f)
{
  using scalar = sumfac::detail::scalar_of_matrix<Matrix>;
  using backend = std::remove_cvref_t<decltype(a.backend())>;
  using vector = std::vector<scalar>;
  vector diagonal(static_cast<std::size_t>(a.size()), 2);
  if constexpr (requires { a.diagonal(global_view(diagonal)); }) a.diagonal(global_view(diagonal));
  sumfac::jacobi<scalar, backend> const p(a.backend(), global_view(std::as_const(diagonal)));
  auto const with = [&](auto const& make, auto const& solver, auto const&... preconditioner) {
    return [&, make](vector const& b, vector& x, null_space<scalar, backend> const* space, double tolerance) {
      auto options = make();
      options.iterations = a.size() + 50, options.tolerance = tolerance;
      if (space != nullptr) options.null_space = *space;
      return solver(global_view(b), global_view(x), preconditioner..., options);
    };
  };
  auto const for_cg = [] { return sumfac::cg_options{}; };
  auto const cg = [&](auto const&... all) { return sumfac::cg(a, all...); };
  auto const minres = [&](auto const&... all) { return sumfac::minres(a, all...); };
  auto const gmres = [&](auto const&... all) { return sumfac::gmres(a, all...); };
  sumfac::no_preconditioner const none;
  f("cg", with(for_cg, cg, none));
  f("cg, Jacobi", with(for_cg, cg, p));
  f("minres", with([] { return sumfac::minres_options{}; }, minres, none));
  f("minres, Jacobi", with([] { return sumfac::minres_options{}; }, minres, p));
  f("gmres", with([] { return sumfac::gmres_options{}; }, gmres, none));
  f("gmres, Jacobi", with([] { return sumfac::gmres_options{}; }, gmres, p));
  if constexpr (!requires { a.element_operator(); }) {
    shifted_jacobi<scalar> const own{p.inverse()};
    f("cg, own", with(for_cg, cg, own));
    f("cg, own, flexible", with([] { return sumfac::cg_options{.flexible = true}; }, cg, own));
  } else {
    auto const merged = [&](auto const&... all) { return sumfac::merged_cg(a, all...); };
    f("merged_cg", with(for_cg, merged, none));
    f("merged_cg, Jacobi", with(for_cg, merged, p));
  }
}

// A x = b where A is told of and not, b in A's range but for `mean` times the vector of ones.
template <class Matrix>
void solves(Matrix const& a, double mean, double tolerance)
{
  using scalar = sumfac::detail::scalar_of_matrix<Matrix>;
  null_space const space{a};
  auto b = support::random<scalar>(static_cast<std::size_t>(a.size()), 7);
  space.project(global_view(b));
  double size = 0;
  for (scalar const entry : b) size += double(entry) * double(entry);
  size = std::sqrt(size);
  for (scalar& entry : b) entry += static_cast<scalar>(mean * size / std::sqrt(double(a.size())));
  for_all_solvers(a, [&](char const* name, auto const& solve) {
    std::vector<scalar> x(b.size(), 5);
    solve_result const told = solve(b, x, &space, tolerance);
    INFO(name << ", mean " << mean << ": " << told.report());
    CHECK(told.status == solve_status::converged);
    double const rest = computed_anew(a, b, x, &space);
    CHECK(rest <= 1.001 * tolerance * size * (std::string(name) == "minres, Jacobi" ? 3 : 1));
    auto without = x;
    space.project(global_view(without));
    double const allowed = 4 * double(std::numeric_limits<scalar>::epsilon());
    double largest = 0;
    for (scalar const entry : x) largest = support::larger(largest, std::abs(double(entry)));
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(double(x[i]) - double(without[i])) <= allowed * largest);

    // Of a b that lies in the space nothing but rounding is left.
    std::vector<scalar> const flat(b.size(), static_cast<scalar>(0.3));
    x.assign(b.size(), 5);
    solve_result const of_flat = solve(flat, x, &space, tolerance);
    INFO("flat: " << of_flat.report());
    CHECK(of_flat.status == solve_status::converged);
    CHECK(of_flat.iterations == 0);
    for (scalar const entry : x) CHECK(std::abs(double(entry)) <= 10 * allowed);

    // Not told of it, and asked for less than there is: no success. Not on checked, where it takes long.
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(a.backend())>, sumfac::checked>) return;
    x.assign(b.size(), 0);
    double const asked = mean == 0 ? tolerance : mean / 8;
    solve_result const alone = solve(b, x, nullptr, asked);
    INFO("alone: " << alone.report());
    if (alone) CHECK(computed_anew(a, b, x, nullptr) <= 1.001 * asked * size * std::sqrt(1 + mean * mean) * 3);
    if (mean > 0) {
      CHECK(!alone);
      CHECK(alone.free_constants);
      CHECK(alone.report().find("nothing is constrained: constants?") != std::string::npos);
    }
  });
}

template <class Operator>
auto free_system(bool periodic)
{
  mesh::counts const counts{2, 2, 2};
  auto const numbers = mesh::numbered(counts, Operator::order, 4, {periodic, periodic, periodic});
  return checks::system<Operator>(counts, numbers, reference::collocated(Operator::order), reference::laplace(), false);
}

}  // namespace

TEST_CASE("null_space: every solver solves Neumann and periodic problems, and says without it that constants are free")
{
  for (double const mean : {0.0, 1e-8, 1.0})
    for (bool const ring : {false, true}) {
      CAPTURE(ring);
      solves(free_chain<>{20, 1, ring}, mean, 1e-10);
      solves(free_chain<float>{20, 1, ring}, mean == 1e-8 ? 1e-2 : mean, 1e-4);
      if (mean == 1e-8) continue;
      auto const s = free_system<sumfac::bp5<2>>(ring);
      auto const a = s.c.make();
      auto const r = s.c.restriction();
      solves(sumfac::global_operator{a, r}, mean, 1e-10);
    }
  solves(free_chain<double, sumfac::checked>{5, 2, true, interleaving::slowest}, 1e-4, 1e-10);
}

TEST_CASE("null_space: vectors of a user's, as many as are left out of a solve")
{
  free_chain<> const a{30, 9};
  std::vector<double> v(static_cast<std::size_t>(9 * a.size()));
  for (index_t k = 0; k < 9; ++k)
    for (index_t i = 0; i < a.size(); ++i) v[static_cast<std::size_t>(k * a.size() + i)] = i % 9 <= k ? 1 : 0;
  null_space const space{a, sumfac::view<double const, sumfac::dextents<2>>(v.data(), 9, a.size())};
  auto const b = support::random<double>(static_cast<std::size_t>(a.size()), 3);
  std::vector<double> x(b.size());
  CHECK(sumfac::cg(a, global_view(b), global_view(x), {.tolerance = 1e-12, .null_space = space}));
  CHECK(computed_anew(a, b, x, &space) < 1e-11);
  for (int c = 0; c < 9; ++c) CHECK(std::abs(mean(a, x, c)) < 1e-13);
}

TEST_CASE("null_space: what does not fit a solve is refused")
{
  free_chain<> const a{6};
  free_chain<float> const single{6};
  free_chain<> const longer{7};
  free_chain<> windy{6};
  windy.wind = 0.5;
  null_space const of_single{single};
  null_space const of_longer{longer}, of_windy{windy};
  auto const b = support::random<double>(6, 3);
  std::vector<double> x(6);
  refused([&] { sumfac::cg(a, global_view(b), global_view(x), {.null_space = of_single}); },
          {"sumfac::cg: options.null_space is of other numbers, or on another backend, than x"});
  refused([&] { sumfac::minres(a, global_view(b), global_view(x), {}, {.null_space = of_longer}); },
          {"sumfac::minres: length of options.null_space does not match (expected 6, got 7)"});
  refused([&] { sumfac::gmres(windy, global_view(b), global_view(x), {}, {.null_space = of_windy}); },
          {"sumfac::gmres: options.null_space is not that of A's transpose"});
  free_chain<> blown{6, 1, true};
  blown.wind = 0.5;
  null_space const of_blown{blown};
  CHECK(sumfac::gmres(blown, global_view(b), global_view(x), {}, {.tolerance = 1e-12, .null_space = of_blown}));
  CHECK(computed_anew(blown, b, x, &of_blown) < 1e-11);
}

TEST_CASE("A failed solve says that constants are free only where they are")
{
  free_chain<> held{200};
  held.fixed = {0};
  auto const b = support::random<double>(200, 3);
  std::vector<double> x(200);
  auto const r = sumfac::cg(held, global_view(b), global_view(x), {.iterations = 60, .tolerance = 1e-12});
  CHECK(r.status == solve_status::iterations_done);
  CHECK(!r.free_constants);
  CHECK(r.report().find("constants") == std::string::npos);
}

TEST_CASE("A failed solve says in which component constants are free")
{
  for (auto const lie : {interleaving::fastest, interleaving::slowest}) {
    free_chain<> half_held{20, 2, false, lie};
    half_held.fixed = {half_held.entry(7, 0)};
    auto const b = support::random<double>(40, 3);
    for_all_solvers(half_held, [&](char const* name, auto const& solve) {
      std::vector<double> x(40);
      solve_result const r = solve(b, x, nullptr, 1e-10);
      INFO(name << ": " << r.report());
      CHECK(!r);
      CHECK(r.free_constants);
      CHECK(r.free_component == 1);
      CHECK(r.report().find("; nothing is constrained in component 1: constants?") != std::string::npos);
    });
  }
}
