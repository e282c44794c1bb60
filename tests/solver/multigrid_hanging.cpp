// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels of meshes that hang: their equations, matrices and transfers against dense ones, Galerkin's identity,
// iterations beside those of meshes that do not, refusals.
#include "mesh_case.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace {

using checks::global_view, checks::index_t, checks::iterations, checks::largest_difference, checks::poisson;
using checks::refused;
using reference::real;

template <int Degree>
using on_squares = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(Degree)>;
template <int Degree>
using on_cubes = sumfac::element_operator<sumfac::laplace, Degree>;

// What a restriction of a mesh's nodes is, 0 where x is: C and C' A C, densely.
struct dense_level {
  template <int D>
  dense_level(sumfac::mesh<D> const& mesh, sumfac::restriction<> const& r)
      : space(checks::unknowns_of(mesh, r.nodes_1d() - 1,
                                  {r.table().element(0), r.table().element(0) + r.elements() * nodes_of(r)})),
        c(space.size(), equations()),
        matrix(c.reduced(reference::matrix_of(space,
                                              [](auto const&, reference::flat_field const& u) {
                                                return reference::flat_field{{0}, u.gradient};
                                              }),
                         reference::constrained_row::identity))
  {
  }

  static index_t nodes_of(sumfac::restriction<> const& r) { return r.table().nodes_of_element(); }

  std::vector<reference::equation> equations() const
  {
    auto all = reference::hanging_equations(space);
    std::vector<bool> has_one(space.size(), false);
    for (auto const& row : all) has_one[row.unknown] = true;
    for (std::size_t i = 0; i < space.size(); ++i)
      if (!has_one[i] && std::abs(space.position(i)[0]) < 1e-12L) all.push_back({i, {}});
    return all;
  }

  reference::unknowns space;
  reference::expansion c;
  reference::table<real> matrix;
};

std::vector<real> widened(std::vector<double> const& x) { return {x.begin(), x.end()}; }
std::vector<double> rounded(std::vector<real> const& x) { return {x.begin(), x.end()}; }

// Functions of the coarser space come back from the finer one.
template <class Transfer>
void check_interpolation(dense_level const& coarse, Transfer const& between, std::size_t fine_entries)
{
  auto x = support::random<double>(coarse.space.size(), 5);
  std::vector<double> y(fine_entries), back(x.size(), 7);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!coarse.c.is_free(i)) x[i] = 0;
  between.prolong(x, y);
  between.interpolate(y, back);
  CHECK(largest_difference(back, x) <= 1e-13);
}

// A level's matrix, and the transfer from it, beside those of dense matrices; on boxes it is P^T A P.
template <class Finer, class Coarser, class Transfer>
void check_level(dense_level const& fine, dense_level const& coarse, Finer const& finer, Coarser const& coarser,
                 Transfer const& between, reference::table<real> const& functions)
{
  auto const x = support::random<double>(coarse.space.size(), 3);
  std::vector<double> y(x.size()), galerkin(x.size()), at_fine(fine.space.size()), image(fine.space.size());
  coarser.matrix().apply(x, y);
  auto const expected = rounded(product(coarse.matrix, widened(x)));
  CHECK(largest_difference(y, expected) <= 1e-12);
  between.prolong(x, at_fine);
  auto exact = rounded(product(functions, coarse.c.distributed(widened(x), false)));
  for (std::size_t i = 0; i < exact.size(); ++i)
    if (!fine.c.is_free(i)) exact[i] = 0;
  CHECK(largest_difference(at_fine, exact) <= 1e-14);
  finer.matrix().apply(at_fine, image);
  between.restrict_residual(image, galerkin);
  for (std::size_t i = 0; i < y.size(); ++i)
    if (!coarse.c.is_free(i)) y[i] = 0;
  CHECK(largest_difference(y, galerkin) <= 1e-12);
  check_interpolation(coarse, between, at_fine.size());
}

// Towards the corner at 0.
template <int D>
sumfac::mesh<D> graded(sumfac::mesh<D> mesh, int times)
{
  for (int i = 0; i < times; ++i) mesh = sumfac::refine(mesh, {0});
  return mesh;
}

}  // namespace

TEST_CASE("multigrid: levels of lower degrees have the equations of hanging nodes")
{
  auto const mesh = graded(sumfac::box_mesh({2, 2}), 2);
  REQUIRE(!mesh.hanging().empty());
  poisson<on_squares<3>, 2, 2> const p(mesh, mesh.boundary("x0"));
  auto const levels = sumfac::p_levels<3, 1>(p.a, p.mesh, p.r);
  dense_level const fine(mesh, p.r), coarse(mesh, levels.last().restriction());
  CHECK(checks::same_nodes(levels.last().restriction(),
                           sumfac::function_space(mesh, 1, mesh.boundary("x0")).restriction(p.backend)));
  auto const between = levels.finest().make_transfer(levels.last(), levels.last().restriction());
  check_level(fine, coarse, levels.finest(), levels.last(), between,
              prolongation(coarse.space, fine.space, reference::elements_are::the_same));
}

namespace {

template <class Backend>
void interpolates_one(Backend const& backend)
{
  auto const mesh = graded(sumfac::box_mesh({2, 2}), 1);
  sumfac::function_space const V{mesh, 3}, W{mesh, 1};
  auto const r = V.restriction(backend), s = W.restriction(backend);
  sumfac::transfer<sumfac::quadrilateral(3), sumfac::quadrilateral(1), double, Backend> const between(r, s);
  std::vector<double> const ones(static_cast<std::size_t>(r.size()), 1);
  std::vector<double> expected(static_cast<std::size_t>(s.size()), 1);
  for (index_t node = 0; node < s.nodes(); ++node)
    if (s.table().constrained(node, 0)) expected[static_cast<std::size_t>(node)] = 0;
  std::vector<double> y(expected.size(), 7);
  between.interpolate(ones, y);
  CHECK(largest_difference(y, expected) <= 1e-14);
}

}  // namespace

TEST_CASE("transfer: the function 1 is interpolated as 1 at all free nodes of a mesh that hangs")
{
  interpolates_one(sumfac::host{});
  interpolates_one(sumfac::checked{});
}

namespace {

template <class Operator, int... Orders, int D>
int iterations_on(sumfac::mesh<D> const& mesh)
{
  poisson<Operator, D, D> const p(mesh, mesh.boundary("x0"));
  return iterations(p, sumfac::multigrid{sumfac::p_levels<Orders...>(p.a, p.mesh, p.r)});
}

}  // namespace

TEST_CASE("multigrid: as many iterations as on meshes that do not hang")
{
  auto const bend = [](auto x) {
    x[0] += 0.1 * x[1] * x[1];
    return x;
  };
  auto const beside = [](char const* what, int hanging, int uniform) {
    INFO(what << ": " << hanging << " on a mesh that hangs, " << uniform << " on one that does not");
    CHECK(hanging <= uniform + 2);
  };
  // Around a corner; in places of a mesh all of which has been cut before; and in the degree alone.
  auto const finer = sumfac::refined(sumfac::box_mesh({3, 3}, bend));
  int const uniform = iterations_on<on_squares<3>, 3, 1>(sumfac::refined(finer));
  beside("corner", iterations_on<on_squares<3>, 3, 1>(graded(finer, 4)), uniform);
  auto const places = sumfac::refine(sumfac::refine(finer, {0, 1, 2, 20, 31}), {0, 1, 2, 8, 20});
  beside("places", iterations_on<on_squares<3>, 3, 1>(places), uniform);
  auto const box = sumfac::refined(sumfac::box_mesh({2, 2, 1}, bend));
  beside("N = 2 in space", iterations_on<on_cubes<2>, 2, 1>(graded(box, 3)), iterations_on<on_cubes<2>, 2, 1>(box));
}

TEST_CASE("multigrid: teams of threads interpolate what hangs on all levels")
{
  auto const mesh = graded(sumfac::box_mesh({2, 2}), 2);
  using on_teams = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(3), sumfac::checked>;
  poisson<on_squares<3>, 2, 2> const p(mesh, mesh.boundary("x0"));
  poisson<on_teams, 2, 2> const q(mesh, mesh.boundary("x0"));
  sumfac::multigrid const of_host{sumfac::p_levels<3, 1>(p.a, p.mesh, p.r)};
  sumfac::multigrid const of_teams{sumfac::p_levels<3, 1>(q.a, q.mesh, q.r)};
  CHECK(q.r.storage().by_masks().has_masks());
  CHECK(of_teams.levels().last().restriction().storage().by_masks().has_masks());
  std::vector<double> y(p.b.size()), z(p.b.size());
  of_host.apply(global_view(p.b), global_view(y));
  of_teams.apply(global_view(p.b), global_view(z));
  CHECK(largest_difference(z, y) <= 1e-12);
  CHECK(std::abs(iterations(q, of_teams) - iterations(p, of_host)) <= 1);
}

TEST_CASE("multigrid: equations that are none of a mesh's hanging nodes are refused by levels of lower degrees")
{
  auto const mesh = graded(sumfac::box_mesh({2, 2}), 1);
  sumfac::function_space const V{mesh, 3};
  sumfac::host const backend;
  on_squares<3> const a{backend, mesh};
  auto const r = V.restriction(backend);
  refused([&] { sumfac::p_levels<3, 1>(a, mesh.nodes(), r); },
          {"sumfac::p_levels: ", "constraints with terms", "pass the mesh", "one by one"});
  auto more = V.hanging();
  more.add(0, {{1, 0.5}, {2, 0.5}});
  sumfac::restriction const s{backend, V.table(), V.nodes(), V.marks(), more};
  refused([&] { sumfac::p_levels<3, 1>(a, mesh, s); },
          {"sumfac::p_levels: ", "other constraints than those of the mesh's hanging nodes (of node 0", "one by one"});
  auto const other = graded(sumfac::box_mesh({3, 2}), 1);
  refused([&] { sumfac::p_levels<3, 1>(a, other, r); }, {"number of elements of the mesh", "expected 7", "got 9"});
}

namespace {

// Of levels all of which have the operator's degree.
template <class Operator, int D>
void check_meshes(sumfac::mesh<D> const& mesh, std::size_t count)
{
  poisson<Operator, D, D> const p(mesh, mesh.boundary("x0"));
  auto const levels = sumfac::p_levels<Operator::order>(p.a, p.mesh, p.r);
  REQUIRE(levels.meshes().size() == count);
  auto const* finer = &levels.last();
  auto const* fine_mesh = &p.mesh;
  for (auto const& one : levels.meshes()) {
    auto const* const coarse_mesh = fine_mesh->coarser();
    dense_level const fine(*fine_mesh, finer->restriction()), coarse(*coarse_mesh, one.restriction());
    std::vector<bool> cut;
    auto const& first = fine_mesh->first_parts();
    for (std::size_t e = 0; e + 1 < first.size(); ++e) cut.push_back(first[e + 1] > first[e] + 1);
    auto const between = finer->make_transfer_of_children(one.children(), one);
    check_level(fine, coarse, *finer, one, between, prolongation(coarse.space, fine.space, cut));
    finer = &one, fine_mesh = coarse_mesh;
  }
}

}  // namespace

TEST_CASE("multigrid: meshes that were cut in places have levels, their matrices P^T A P on boxes")
{
  check_meshes<on_squares<3>>(sumfac::refined(graded(sumfac::box_mesh({2, 1}), 1)), 2);
  // What is cut behind makes the mesh one that does not hang, cut from one that does.
  auto const whole = sumfac::refine(sumfac::refine(graded(sumfac::box_mesh({2, 1}), 2), {4, 5}), {13});
  check_meshes<on_squares<1>>(whole, 4);
  auto const halves = sumfac::refine(graded(sumfac::box_mesh({2, 1}), 1), {4});
  CHECK(halves.hanging().empty());
  check_meshes<on_squares<1>>(halves, 2);
  check_meshes<on_cubes<1>>(graded(sumfac::box_mesh({2, 2, 1}), 2), 2);
}
