// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Additive Schwarz on a mesh that MPI's processes share out, beside that on the whole mesh.
#include "parted.hpp"

#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/error.hpp>
#include <sumfac/interop/mpi_space.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/schwarz.hpp>

#include <support/layered.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using sumfac::schwarz, sumfac::schwarz_weights;

double product(std::vector<double> const& a, std::vector<double> const& b)
{
  double mine = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) mine += a[i] * b[i];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

// P r of parts is that of the whole mesh, for subdomains with and without overlap.
template <class Numbers, class Case>
void applies(Case const& c, schwarz_weights weights, double rounding)
{
  auto const r = c.p.random(7);
  auto const own_r = c.p.owned(r);
  auto const compared = [&](auto const& options) {
    sumfac::schwarz_preconditioner const P(c.L, options);
    sumfac::schwarz_preconditioner const all_P(c.whole, options);
    CHECK(P.size() == c.L.size());
    std::vector<double> z(r.size()), own_z(own_r.size(), std::numeric_limits<double>::quiet_NaN());
    all_P.apply(vector_of(r), vector_of(z));
    for (int twice = 0; twice < 2; ++twice) {
      P.apply(vector_of(own_r), vector_of(own_z));
      CHECK(difference(own_z, c.p.owned(z)) <= rounding);
    }
  };
  compared(schwarz<0, Numbers>{.weights = weights});
  compared(schwarz<1, Numbers>{.weights = weights});
}

}  // namespace

TEST_CASE("Schwarz of parts is that of the whole mesh, by every weight")
{
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    parted<sumfac::bp3<3>> const c(how);
    for (auto const weights :
         {schwarz_weights::none, schwarz_weights::before, schwarz_weights::after, schwarz_weights::symmetric})
      applies<void>(c, weights, 1e-12);
    applies<float>(c, schwarz_weights::symmetric, 1e-5);
  }
}

TEST_CASE("Schwarz of parts, for components that are fixed each for itself, in both interleavings")
{
  for (auto const lie : {interleaving::fastest, interleaving::slowest})
    for (way const how : {way::slabs, way::scattered, way::last_idle}) {
      CAPTURE(static_cast<int>(how), static_cast<int>(lie));
      parted<sumfac::bp4<2>> const c(how, {.components_lie = lie});
      applies<void>(c, schwarz_weights::symmetric, 1e-12);
    }
}

TEST_CASE("Schwarz of parts is symmetric: r . P s is s . P r")
{
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    parted<sumfac::bp3<3>> const c(how);
    auto const r = c.p.owned(c.p.random(7)), s = c.p.owned(c.p.random(8));
    std::vector<double> Pr(r.size()), Ps(s.size());
    auto const asymmetry = [&](auto const& options) {
      sumfac::schwarz_preconditioner const P(c.L, options);
      P.apply(vector_of(r), vector_of(Pr));
      P.apply(vector_of(s), vector_of(Ps));
      return std::abs(product(r, Ps) - product(s, Pr)) / std::sqrt(product(r, Pr) * product(s, Ps));
    };
    CHECK(asymmetry(schwarz<0>{.weights = schwarz_weights::symmetric}) <= 1e-13);
    CHECK(asymmetry(schwarz<0>{.weights = schwarz_weights::none}) <= 1e-13);
    CHECK(asymmetry(schwarz<0>{.weights = schwarz_weights::before}) >= 1e-4);
    CHECK(asymmetry(schwarz<1>{.weights = schwarz_weights::symmetric}) <= 1e-13);
    CHECK(asymmetry(schwarz<1>{.weights = schwarz_weights::none}) <= 1e-13);
    CHECK(asymmetry(schwarz<1>{.weights = schwarz_weights::before}) >= 1e-4);
  }
}

namespace {

template <class Case, class Options>
void iterates(Case const& c, Options const& options)
{
  solves(c, sumfac::schwarz_preconditioner(c.L, options), sumfac::schwarz_preconditioner(c.whole, options), 1e-10, 60);
  using smoothed = sumfac::multigrid_options<Options>;
  sumfac::multigrid const P{sumfac::p_levels<3, 2, 1>(c.L, c.p.nodes()), smoothed{}};
  sumfac::multigrid const all_P{sumfac::p_levels<3, 2, 1>(c.p.A_all, c.p.all_nodes(), c.p.R_all), smoothed{}};
  solves(c, P, all_P, 1e-10);
}

}  // namespace

TEST_CASE("cg makes the same iterations with schwarz<0> on parts, by itself and as multigrid's smoother")
{
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    iterates(parted<sumfac::bp3<3>>(how), schwarz<0>{});
  }
}

TEST_CASE("overlap: cg makes the same iterations with schwarz<1>, whose subdomains reach over processes")
{
  iterates(parted<sumfac::bp3<3>>(way::scattered), schwarz<1>{});
}

namespace {

using support::layered;

std::vector<double> coefficients(std::vector<int> const& elements)
{
  std::vector<double> k;
  for (int const e : elements) k.push_back(std::pow(10.0, e % 7 - 3));
  return k;
}

}  // namespace

TEST_CASE("coefficients that jump by a million across the ends of parts are heard of exactly")
{
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    problem<sumfac::bp3<2>> const p(how, world.rank, world.count, {});
    std::vector<int> all;
    for (int e = 0; e < p.all_numbers.elements; ++e) all.push_back(e);
    auto const k = coefficients(p.s.elements), k_all = coefficients(all);
    using Operator = sumfac::element_operator<layered, 2>;
    Operator const A(sumfac::host{}, p.nodes(), layered{vector_of(k)}),
        A_all(sumfac::host{}, p.all_nodes(), layered{vector_of(k_all)});
    sumfac::mpi::halo const halo(MPI_COMM_WORLD, p.owners(), p.numbers());
    distributed const L(A, p.R, halo);
    sumfac::global_operator const whole(A_all, p.R_all);
    auto const r = p.random(7);
    auto const own_r = p.owned(r);
    auto const compared = [&](auto const& options) {
      sumfac::schwarz_preconditioner const P(L, options);
      sumfac::schwarz_preconditioner const all_P(whole, options);
      std::vector<double> z(r.size()), own_z(own_r.size());
      all_P.apply(vector_of(r), vector_of(z));
      P.apply(vector_of(own_r), vector_of(own_z));
      CHECK(difference(own_z, p.owned(z)) <= 1e-12);
    };
    compared(schwarz<0>{});
    compared(schwarz<1>{});
  }
}

namespace {

// Subdomains with overlap of a space's parts are those of the whole mesh.
template <class Operator, int Directions>
void applies_on(sumfac::mesh<Directions> const& mesh)
{
  sumfac::function_space const V{mesh, Operator::order, mesh.boundary()};
  std::vector<int> process;
  for (index_t e = 0; e < mesh.elements(); ++e) process.push_back(static_cast<int>(e * 2 / 3 % world.count));
  sumfac::mpi::space_part const part(MPI_COMM_WORLD, V, process);
  sumfac::host const threads{1};
  Operator const A(threads, part.mesh_nodes()), A_all(threads, mesh);
  auto const R = part.restriction(threads), R_all = V.restriction(threads);
  sumfac::global_operator const L(A, R, part.halo());
  sumfac::global_operator const whole(A_all, R_all);
  auto const r = support::random<double>(static_cast<std::size_t>(whole.size()), 7);
  auto const own_r = part.owned(r);
  std::vector<double> z(r.size()), own_z(own_r.size());
  sumfac::schwarz_preconditioner(whole, schwarz<1>{}).apply(vector_of(r), vector_of(z));
  sumfac::schwarz_preconditioner(L, schwarz<1>{}).apply(vector_of(own_r), vector_of(own_z));
  CHECK(difference(own_z, part.owned(z)) <= 1e-12);
}

}  // namespace

TEST_CASE("Schwarz of parts of quadrilaterals and of lines is that of the whole mesh")
{
  applies_on<sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(3)>>(sumfac::box_mesh({5, 4}));
  applies_on<sumfac::element_operator<sumfac::laplace, sumfac::line(2)>>(sumfac::box_mesh({9}));
}

TEST_CASE("an element without energy is found by all processes")
{
  problem<sumfac::bp3<2>> const p(way::slabs, world.rank, world.count, {});
  std::vector<double> k(p.s.elements.size(), 1.0);
  if (world.rank == world.count - 1) k.back() = 0;
  using Operator = sumfac::element_operator<layered, 2>;
  Operator const A(sumfac::host{}, p.nodes(), layered{vector_of(k)});
  sumfac::mpi::halo const halo(MPI_COMM_WORLD, p.owners(), p.numbers());
  distributed const L(A, p.R, halo);
  std::string text;
  try {
    sumfac::schwarz_preconditioner const P(L, schwarz<0>{});
  } catch (sumfac::argument_error const& e) {
    text = e.what();
  }
  CHECK_THAT(text, Catch::Matchers::Contains("process " + std::to_string(world.count - 1)) &&
                       Catch::Matchers::Contains("along x has the energy 0"));
}

// An element for one of the processes, elements that meet on both sides, and a mesh of which nothing is free.
TEST_CASE("small meshes: multigrid and Schwarz with more processes than elements")
{
  box_of const boxes[] = {{{1, 1, 1}}, {{2, 1, 1}, {.x = true}}, {{2, 2, 1}, {}, fixed::all}};
  for (box_of const& box : boxes)
    for (way const how : {way::slabs, way::scattered, way::last_idle}) {
      CAPTURE(static_cast<int>(how), box.size.x, box.size.y, box.around.x, static_cast<int>(box.fixed));
      parted<sumfac::bp3<3>> const c(how, {}, box);
      applies<void>(c, schwarz_weights::symmetric, 1e-11);
      using smoothed = sumfac::multigrid_options<schwarz<0>>;
      sumfac::multigrid const P{sumfac::p_levels<3, 2, 1>(c.L, c.p.nodes()), smoothed{}};
      sumfac::multigrid const all_P{sumfac::p_levels<3, 2, 1>(c.p.A_all, c.p.all_nodes(), c.p.R_all), smoothed{}};
      solves(c, P, all_P, 1e-10, 50);
    }
}

TEST_CASE("equations are refused by Schwarz and by p_levels on all processes, whichever have some")
{
  parted<sumfac::bp3<3>> const c(way::last_empty, {}, {}, 120);
  CHECK_THROWS_WITH((sumfac::schwarz_preconditioner(c.L, schwarz<0>{})), Catch::Matchers::Contains("chebyshev"));
  CHECK_THROWS_WITH((sumfac::schwarz_preconditioner(c.L, schwarz<1>{})), Catch::Matchers::Contains("chebyshev"));
  CHECK_THROWS_WITH((sumfac::p_levels<3, 2, 1>(c.L, c.p.nodes())),
                    Catch::Matchers::Contains("constraints with terms") &&
                        Catch::Matchers::Contains("else make the levels one by one"));
}

TEST_CASE("an element that meets itself has no diagonal, which all processes are told")
{
  parted<sumfac::bp3<3>> const c(way::slabs, {}, {{1, 1, 1}, {.x = true}});
  std::vector<double> d(static_cast<std::size_t>(c.L.size()));
  std::string text;
  try {
    c.L.diagonal(vector_of(d));
  } catch (sumfac::argument_error const& e) {
    text = e.what();
  }
  CHECK_THAT(text, Catch::Matchers::Contains("global_operator::diagonal: process 0: ") &&
                       Catch::Matchers::Contains("has node") && Catch::Matchers::Contains("more than once"));
}
