// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels on the meshes that a mesh was refined from: transfers, Galerkin's identity, whose nodes and marks they have,
// cycles, iterations at two sizes, coefficients and states on all levels, refusals.
#include "mesh_case.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/nesting.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/solver/transfer.hpp>

#include <support/turned.hpp>

#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using checks::global_view, checks::index_t, checks::refused;
using checks::iterations, checks::largest_difference, checks::poisson, checks::same_nodes, checks::unknowns_of;

// The unit ball: a cube and six blocks around it, each turned its own way, of three nodes along an edge.
sumfac::mesh<3> ball()
{
  using place = sumfac::vector<double, 3>;
  std::vector<double> nodes;
  for (int block = 0; block < 7; ++block)
    for (int p = 0; p < 27; ++p) {
      double const at[3] = {p % 3 - 1.0, p / 3 % 3 - 1.0, p / 9 - 1.0};
      place x{at[0] * 0.4, at[1] * 0.4, at[2] * 0.4};
      if (block > 0) {
        // Along x of the block outwards, in direction d of space; y and z of the block in the others.
        int const d = (block - 1) % 3;
        double const side = block > 3 ? -1 : 1, outwards = (1 + at[0]) / 2;
        place face{};
        face[d] = side, face[(d + 1) % 3] = at[1] * side, face[(d + 2) % 3] = at[2];
        double const length = std::sqrt(face[0] * face[0] + face[1] * face[1] + face[2] * face[2]);
        for (int c = 0; c < 3; ++c) x[c] = face[c] * ((1 - outwards) * 0.4 + outwards / length);
      }
      for (int c = 0; c < 3; ++c) nodes.push_back(x[c]);
    }
  return sumfac::mesh<3>::copy_of(sumfac::view(nodes.data(), 7, 3, 3, 3, 3));
}

// Functions of the coarser mesh at the nodes of the finer one, by the oracle's matrix, component by component.
template <int D>
std::vector<double> by_oracle(sumfac::function_space<D> const& coarse, sumfac::function_space<D> const& fine,
                              std::vector<double> const& v)
{
  auto const matrix = prolongation(unknowns_of(coarse), unknowns_of(fine), reference::elements_are::cut);
  auto const components = static_cast<std::size_t>(fine.components());
  std::vector<double> y(static_cast<std::size_t>(fine.size()));
  for (std::size_t c = 0; c < components; ++c) {
    std::vector<reference::real> x;
    for (std::size_t i = c; i < v.size(); i += components) x.push_back(v[i]);
    auto const at_fine = product(matrix, x);
    for (std::size_t i = 0; i < at_fine.size(); ++i) y[i * components + c] = static_cast<double>(at_fine[i]);
  }
  return y;
}

// From a mesh to the one refined from it: where its nodes lie is a function of its own degree, or less.
template <auto Space, class Scalar, class Backend, int D, int C>
void transfers(sumfac::mesh<D, C> const& coarse, sumfac::mesh<D, C> const& fine, Backend const& backend = {})
{
  using space_type = sumfac::function_space<D, C>;
  constexpr int degree = sumfac::space(Space).degree;
  INFO("degree " << degree << " in " << D << " directions");
  REQUIRE(fine.coarser() != nullptr);
  CHECK(fine.coarser()->elements() == coarse.elements());
  sumfac::function_space_options const options{.components = C};
  space_type const of_fine(fine, degree, options), of_coarse(coarse, degree, options);
  auto const r = of_fine.template unconstrained<Scalar>(backend), s = of_coarse.template unconstrained<Scalar>(backend);
  auto const parts = sumfac::children(r);
  CHECK(parts.elements() == coarse.elements());
  CHECK(parts.nodes_1d() == 2 * degree + 1);
  sumfac::transfer<sumfac::children(Space), Space, Scalar, Backend> const between(parts, s);
  double const rounding = 100 * double(std::numeric_limits<Scalar>::epsilon());
  auto const rounded = [](std::vector<double> const& x) { return std::vector<Scalar>(x.begin(), x.end()); };
  auto const widened = [](std::vector<Scalar> const& x) { return std::vector<double>(x.begin(), x.end()); };
  auto const x = rounded(of_coarse.positions()), expected = rounded(of_fine.positions());
  auto y = checks::nans<Scalar>(expected.size());
  auto back = checks::nans<Scalar>(x.size());
  between.prolong(global_view(x), global_view(y));
  CHECK(largest_difference(widened(y), widened(expected)) <= rounding);
  between.interpolate(global_view(std::as_const(y)), global_view(back));
  CHECK(largest_difference(widened(back), widened(x)) <= rounding);
  // P, and P^T, which is its transpose.
  auto const v = support::random<Scalar>(x.size(), 1), w = support::random<Scalar>(y.size(), 2);
  between.prolong(global_view(v), global_view(y));
  if constexpr (D == C) CHECK(largest_difference(widened(y), by_oracle(of_coarse, of_fine, widened(v))) <= rounding);
  between.restrict_residual(global_view(w), global_view(back));
  double const forth = checks::inner_product(y, w), transposed = checks::inner_product(v, back);
  CHECK(std::abs(forth - transposed) <=
        rounding * std::sqrt(checks::inner_product(y, y) * checks::inner_product(w, w)));
  // Of no polynomial of the whole element interpolation takes each half's own.
  between.interpolate(global_view(w), global_view(back));
  auto u = checks::nans<Scalar>(back.size());
  between.prolong(global_view(std::as_const(back)), global_view(y));
  between.interpolate(global_view(std::as_const(y)), global_view(u));
  CHECK(largest_difference(widened(u), widened(back)) <= 100 * rounding);
}

constexpr auto bend = [](auto x) {
  x[0] += 0.2 * x[1] * x[1];
  x[1] -= 0.1 * x[0] * x[1];
  return x;
};

using laplace_1 = sumfac::element_operator<sumfac::laplace, 1>;
using laplace_2 = sumfac::element_operator<sumfac::laplace, 2>;

// (k l grad u, grad v) with k of elements and l of points.
struct conduction {
  static constexpr auto trial = sumfac::gradient, test = sumfac::gradient;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 2> metric;
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, 2> const& x) const
  {
    auto const again = of_elements;
    return {(of_its_own ? x.at(again) : x.at(of_elements)) * x.at(of_points) * x.metric()};
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, 2> apply(factors<T> const& f, sumfac::point_values<T, 1, 2> const& u) const
  {
    return {.gradient = f.metric * u.gradient};
  }

  sumfac::view<float const, sumfac::dextents<1>> of_elements;
  sumfac::view<double const, sumfac::dextents<3>> of_points;
  bool of_its_own = false;
};

// ((t + u^2) grad u, grad v)
struct warm {
  using inputs = sumfac::reads<sumfac::input{.order = 1}>;
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::gradient;
  [[maybe_unused]] static constexpr bool linear = false;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 2> metric;
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, 2> const& x) const
  {
    return {x.metric()};
  }
  template <class T, class U>
  SUMFAC_FUNCTION sumfac::point_values<U, 1, 2> apply(factors<T> const& f, sumfac::point_values<U, 1, 2> const& u,
                                                      sumfac::point_values<T, 1, 2> const& t) const
  {
    return {.gradient = (t.value + u.value * u.value) * (f.metric * u.gradient)};
  }
};

}  // namespace

TEST_CASE("transfer: functions of a mesh are the same on the one refined from it")
{
  auto const cut = []<auto Space, class Scalar, class Backend>(auto const& coarse) {
    transfers<Space, Scalar, Backend>(coarse, refined(coarse));
  };
  cut.operator()<2, double, sumfac::host>(ball());
  cut.operator()<3, float, sumfac::host>(sumfac::box_mesh({2, 1, 2}, bend, 2));
  cut.operator()<1, double, sumfac::checked>(sumfac::box_mesh({1, 2, 2}));
  cut.operator()<sumfac::quadrilateral(3), double, sumfac::host>(sumfac::box_mesh({3, 2}, bend, 3));
  cut.operator()<sumfac::line(4), double, sumfac::checked>(sumfac::box_mesh({3}));
  // The same where the coarser mesh is found.
  auto const found = [](auto const& coarse) {
    return with_coarser(support::turned_mesh(refined(coarse), 1).by_places());
  };
  auto const round = found(ball());
  transfers<2, double, sumfac::host>(*round.coarser(), round);
  auto const flat = found(sumfac::box_mesh({3, 1}, bend, 3));
  transfers<sumfac::quadrilateral(3), double, sumfac::host>(*flat.coarser(), flat);
}

TEST_CASE("multigrid: levels of coarser meshes have the nodes and marks of spaces there")
{
  sumfac::host const backend;
  auto const coarse = ball();
  auto const fine = refined(coarse, 2);
  // Held on a part of the ball's surface.
  auto const space_on = [](auto const& mesh) {
    std::vector<sumfac::element_side> some;
    for (auto const& side : mesh.boundary())
      if (7 * side.element < 4 * mesh.elements()) some.push_back(side);
    return sumfac::function_space<3>{mesh, 1, some};
  };
  auto const V = space_on(fine);
  laplace_1 const a{backend, fine};
  auto const r = V.restriction(backend);
  auto const levels = sumfac::p_levels<1>(a, fine, r);
  REQUIRE(levels.meshes().size() == 2);
  auto const* mesh = fine.coarser();
  for (auto const& one : levels.meshes()) {
    auto const expected = space_on(*mesh).restriction(backend);
    CHECK(same_nodes(one.restriction(), expected));
    mesh = mesh->coarser();
  }
  CHECK(mesh == nullptr);
  CHECK(&levels.coarsest() == &levels.meshes()[1]);
}

TEST_CASE("multigrid: on boxes the coarser mesh's matrix is P^T A P, to rounding")
{
  poisson<laplace_2, 3, 3> const p(refined(sumfac::box_mesh({2, 1, 1})), {});
  auto const levels = sumfac::p_levels<2>(p.a, p.mesh, p.r);
  auto const& one = levels.meshes().at(0);
  auto const between = levels.last().make_transfer_of_children(one.children(), one);
  auto const x = support::random<double>(static_cast<std::size_t>(one.size()), 3);
  std::vector<double> y(x.size()), galerkin(x.size()), fine(p.b.size()), image(p.b.size());
  one.matrix().apply(x, y);
  between.prolong(x, fine);
  p.l.apply(fine, image);
  between.restrict_residual(image, galerkin);
  CHECK(largest_difference(y, galerkin) <= 1e-13);
}

TEST_CASE("multigrid: iterations do not grow with the mesh's levels, in the degree and behind it")
{
  std::vector<int> counts;
  auto const count = [&](auto const& p, auto&& levels) {
    counts.push_back(iterations(p, sumfac::multigrid{std::move(levels)}));
    CHECK(counts.back() <= 8);
  };
  for (int times = 1; times <= 2; ++times) {
    auto const round = refined(ball(), times);
    poisson<laplace_2, 3, 3> const p(round, round.boundary());
    count(p, sumfac::p_levels<2, 1>(p.a, p.mesh, p.r));
    count(p, sumfac::p_levels<float, 2, 1>(p.l, p.mesh));
    // As many as where degree 1 on all elements is solved by conjugate gradients.
    CHECK(counts.back() <= iterations(p, sumfac::multigrid{sumfac::p_levels<2, 1>(p.a, p.mesh.nodes(), p.r)}) + 1);
    int const by_one = counts.back();
    count(p, sumfac::p_levels<float, 2>(p.l, p.mesh));  // degree 2 on all meshes corrects more
    CHECK(counts.back() <= by_one);
    auto const flat = refined(sumfac::box_mesh({2, 2}, bend), times + 1);
    using on_squares = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(3)>;
    poisson<on_squares, 2, 2> const q(flat, flat.boundary("x0"));
    count(q, sumfac::p_levels<3, 1>(q.a, q.mesh, q.r));
  }
}

TEST_CASE("multigrid: levels that are found are those of a mesh that was cut, with as many iterations")
{
  auto const compare = []<class Operator, int... Degrees>(std::type_identity<Operator>,
                                                          std::integer_sequence<int, Degrees...>, auto const& cut,
                                                          auto const& on_boundary, std::uint64_t seed) {
    sumfac::nesting const found{support::turned_mesh(cut, seed).by_places()};
    constexpr int D = Operator::directions;
    INFO(D << " directions, " << cut.elements() << " elements; " << found.report());
    poisson<Operator, D, D> const p(cut, on_boundary(cut)), q(found.mesh(), on_boundary(found.mesh()));
    sumfac::multigrid const usual{sumfac::p_levels<Degrees...>(p.a, p.mesh, p.r)};
    sumfac::multigrid const by_found{sumfac::p_levels<Degrees...>(q.a, q.mesh, q.r)};
    auto const &expected = usual.levels().meshes(), &meshes = by_found.levels().meshes();
    REQUIRE(meshes.size() == expected.size());
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      auto const &one = meshes[i].restriction().table(), &other = expected[i].restriction().table();
      CHECK(meshes[i].size() == expected[i].size());
      CHECK(one.elements() == other.elements());
      index_t fixed = 0;  // in one, and not in the other
      for (index_t node = 0; node < one.nodes(); ++node)
        fixed += int(one.constrained(node, 0)) - int(other.constrained(node, 0));
      CHECK(fixed == 0);
    }
    CHECK(iterations(q, by_found) == iterations(p, usual));
  };
  std::type_identity<laplace_2> const on_cubes;
  std::type_identity<sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(3)>> const on_squares;
  std::integer_sequence<int, 2, 1> const degrees_2_1;
  std::integer_sequence<int, 3, 1> const degrees_3_1;
  auto const all = [](auto const& mesh) { return mesh.boundary(); };
  auto const left = [](auto const& mesh) {
    return mesh.boundary([](auto const& x) { return x[0] < 0.21 * x[1] * x[1] + 1e-9; });
  };
  compare(on_cubes, degrees_2_1, refined(sumfac::box_mesh({2, 1, 1}), 2), all, 1);
  compare(on_cubes, degrees_2_1, refined(sumfac::box_mesh({1, 1, 1}, bend, 2), 2), all, 2);
  compare(on_cubes, degrees_2_1, refined(ball(), 2), all, 3);
  compare(on_squares, degrees_3_1, refined(sumfac::box_mesh({3, 2}, bend, 3), 3), left, 4);
}

TEST_CASE("multigrid: the matrix of a mesh that is found is a dense one of the mesh that was cut, curved")
{
  auto const cut = sumfac::box_mesh({2, 1}, bend, 3);
  auto const mesh = with_coarser(support::turned_mesh(refined(cut), 5).by_places());
  REQUIRE(mesh.coarser() != nullptr);
  using on_squares = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(3)>;
  poisson<on_squares, 2, 2> const p(mesh, {});
  auto const levels = sumfac::p_levels<3, 3, 1>(p.a, p.mesh, p.r);
  auto const& level = levels.at<1>();
  sumfac::function_space const V{cut, 3}, W{*mesh.coarser(), 3};
  auto const dense = reference::matrix_of(unknowns_of(V), [](auto const&, reference::flat_field const& u) {
    return reference::flat_field{{0}, u.gradient};
  });
  // Where nodes of the level lie, by those of W, and which node of V is there.
  auto const in_w = W.positions(), in_v = V.positions();
  std::vector<std::size_t> node_of(static_cast<std::size_t>(level.size()), in_v.size());
  for (index_t i = 0; i < W.table().size(); ++i) {
    auto const w = static_cast<std::size_t>(W.table().data()[i]);
    for (std::size_t v = 0; 2 * v < in_v.size(); ++v)
      if (std::hypot(in_w[2 * w] - in_v[2 * v], in_w[2 * w + 1] - in_v[2 * v + 1]) < 1e-9)
        node_of[std::size_t(level.restriction().table()(i / 16, i % 16))] = v;
  }
  auto const x = support::random<double>(node_of.size(), 6);
  std::vector<double> y(x.size());
  std::vector<reference::real> in_order(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) in_order.at(node_of[i]) = x[i];
  level.matrix().apply(x, y);
  auto const expected = product(dense, in_order);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(y[i] - double(expected[node_of[i]])) <= 1e-12);
}

namespace {

// Levels that go to a coarser mesh at any degree have the nodes and marks of spaces there, and the matrices that
// operators made there have.
template <class Operator, class Level, class Problem, class Mesh>
void check_as_made_there(Level const& level, Problem const& p, Mesh const& mesh)
{
  constexpr int degree = Operator::order;
  INFO("degree " << degree << ", " << mesh.elements() << " elements");
  REQUIRE(Level::order == degree);
  sumfac::function_space<2> const V{mesh, degree, mesh.boundary("x0")};
  auto const r = V.restriction(p.backend);
  REQUIRE(same_nodes(level.restriction(), r));
  Operator const a{p.backend, mesh};
  sumfac::global_operator const l{a, r};
  // Numbers are each one's own: vectors go from one to the other by elements.
  auto const of_level = support::random<double>(static_cast<std::size_t>(level.size()), 3);
  std::vector<double> x(of_level.size()), y(x.size()), expected(x.size()), z(x.size());
  auto const to_level = [&](std::vector<double> const& from, std::vector<double>& to, bool back) {
    for (index_t e = 0; e < mesh.elements(); ++e)
      for (index_t i = 0; i < r.table().nodes_of_element(); ++i) {
        auto const here = std::size_t(level.restriction().table()(e, i)), there = std::size_t(r.table()(e, i));
        to[back ? there : here] = from[back ? here : there];
      }
  };
  to_level(of_level, x, true);
  l.apply(x, expected);
  level.matrix().apply(of_level, y);
  to_level(y, z, true);
  CHECK(largest_difference(z, expected) <= 1e-12);
}

}  // namespace

TEST_CASE("multigrid: a degree that is named again is on the coarser mesh, in any order of degrees and meshes")
{
  auto const mesh = refined(sumfac::box_mesh({2, 1}, bend, 2), 3);
  using on_squares = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(3)>;
  using of_degree_1 = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(1), sumfac::gauss<2>>;
  poisson<on_squares, 2, 2> const p(mesh, mesh.boundary("x0"));
  auto const &half = *mesh.coarser(), &quarter = *half.coarser();
  auto const mixed = sumfac::p_levels<3, 3, 1, 1>(p.a, p.mesh, p.r);
  check_as_made_there<on_squares>(mixed.at<1>(), p, half);
  check_as_made_there<of_degree_1>(mixed.at<2>(), p, half);
  check_as_made_there<of_degree_1>(mixed.at<3>(), p, quarter);
  REQUIRE(mixed.meshes().size() == 1);
  check_as_made_there<of_degree_1>(mixed.coarsest(), p, *quarter.coarser());
  // Iterations are those of degrees first, or one more; cycles are symmetric.
  int const usual = iterations(p, sumfac::multigrid{sumfac::p_levels<3, 1>(p.a, p.mesh, p.r)});
  sumfac::multigrid const mg{sumfac::p_levels<3, 3, 1, 1>(p.a, p.mesh, p.r), {}, sumfac::coarse_cg{1e-14}};
  CHECK(iterations(p, mg) <= usual + 1);
  CHECK(checks::lack_of_symmetry(mg, p) <= 1e-12);
  sumfac::multigrid const mesh_first{sumfac::p_levels<float, 3, 3, 3, 3, 1>(p.a, p.mesh, p.r)};
  CHECK(mesh_first.levels().meshes().empty());
  CHECK(iterations(p, mesh_first) <= usual + 1);
  refused([&] { sumfac::p_levels<3, 3, 3, 3, 3>(p.a, p.mesh, p.r); },
          {"sumfac::p_levels: the mesh was cut from fewer meshes than degrees are named again", "3, at least 4"});
  // Where meshes hang, and elements that are whole stay as they are.
  auto const places = sumfac::refine(sumfac::refine(sumfac::box_mesh({2, 1}, bend), {1}), {2, 4});
  poisson<on_squares, 2, 2> const q(places, places.boundary("x0"));
  int const of_places = iterations(q, sumfac::multigrid{sumfac::p_levels<3, 1>(q.a, q.mesh, q.r)});
  CHECK(iterations(q, sumfac::multigrid{sumfac::p_levels<3, 3, 1>(q.a, q.mesh, q.r)}) <= of_places + 1);
}

TEST_CASE("multigrid: cycles over meshes are symmetric, and W visits coarser meshes more than once")
{
  auto const bent = refined(sumfac::box_mesh({1, 1, 1}, bend, 2), 2);
  poisson<laplace_2, 3, 3> const p(bent, bent.boundary("x0"));
  std::vector<index_t> solves;
  for (auto const way : {sumfac::cycle::v, sumfac::cycle::w, sumfac::cycle::f}) {
    sumfac::multigrid const mg{
        sumfac::p_levels<2, 1>(p.a, p.mesh, p.r), {.cycle = way}, sumfac::coarse_cg{.tolerance = 1e-14}};
    if (way != sumfac::cycle::f) CHECK(checks::lack_of_symmetry(mg, p) <= 1e-12);
    auto const before = mg.coarse_solves().count;
    auto const steps = iterations(p, mg, {.flexible = way == sumfac::cycle::f});
    solves.push_back((mg.coarse_solves().count - before) / (steps + 1));
  }
  CHECK(solves == std::vector<index_t>{1, 4, 3});
}

TEST_CASE("multigrid: coefficients of elements are averaged over an element's parts, those of points over its points")
{
  auto const flat = refined(sumfac::box_mesh({2, 2}, bend), 3);
  auto k = support::random<float>(static_cast<std::size_t>(flat.elements()), 7);
  auto points = support::random<double>(4 * k.size(), 9);
  for (float& x : k) x = x > 0.5F ? 100.F : 2 + x;
  for (double& x : points) x += 2;
  conduction form{sumfac::view<float const, sumfac::dextents<1>>(k.data(), flat.elements()),
                  sumfac::view<double const, sumfac::dextents<3>>(points.data(), flat.elements(), 2, 2)};
  using made = sumfac::element_operator<conduction, sumfac::quadrilateral(1), sumfac::gauss<2>>;
  poisson<made, 2, 2> const p(flat, flat.boundary(), form);
  CHECK(iterations(p, sumfac::multigrid{sumfac::p_levels<1>(p.a, p.mesh, p.r)}) <= 20);
  auto const levels = sumfac::p_levels<1>(p.a, p.mesh, p.r);
  REQUIRE(levels.meshes().size() == 3);
  auto of_elements = form.of_elements;
  auto of_points = form.of_points;
  for (auto const& one : levels.meshes()) {
    auto const own = one.element_operator().form();
    REQUIRE(own.of_points.extent(0) == of_points.extent(0) / 4);
    for (index_t e = 0; e < own.of_elements.extent(0); ++e) {
      float sum = 0;
      for (int child = 0; child < 4; ++child) sum += of_elements(4 * e + child);
      CHECK(own.of_elements(e) == Approx(sum / 4).epsilon(1e-6));
      // Two points of a child for each point of the element.
      for (int child = 0; child < 4; ++child) {
        double at_points = 0;
        for (int i = 0; i < 4; ++i) at_points += of_points(4 * e + child, i / 2, i % 2);
        CHECK(own.of_points(e, child / 2, child % 2) == Approx(at_points / 4).epsilon(1e-13));
      }
    }
    of_elements = own.of_elements, of_points = own.of_points;
  }
  // What has not been cut keeps its own.
  auto const places = sumfac::refine(sumfac::box_mesh({2, 2}, bend), {1});
  auto const whole = form;
  form.of_elements = decltype(form.of_elements)(k.data(), 7);
  form.of_points = decltype(form.of_points)(points.data(), 7, 2, 2);
  poisson<made, 2, 2> const in_places(places, places.boundary(), form);
  auto const two = sumfac::p_levels<1>(in_places.a, in_places.mesh, in_places.r);
  auto const own = two.meshes().at(0).element_operator().form();
  REQUIRE(own.of_elements.extent(0) == 4);
  CHECK(own.of_elements(1) == Approx((k[1] + k[2] + k[3] + k[4]) / 4).epsilon(1e-6));
  for (index_t e : {0, 2, 3}) {
    index_t const fine = e == 0 ? 0 : e + 3;
    CHECK(own.of_elements(e) == k[static_cast<std::size_t>(fine)]);
    for (int i = 0; i < 4; ++i) CHECK(own.of_points(e, i / 2, i % 2) == form.of_points(fine, i / 2, i % 2));
  }
  // A view that setup makes by itself is none that could be replaced.
  form = whole;
  form.of_its_own = true;
  poisson<made, 2, 2> const q(flat, flat.boundary(), form);
  refused([&] { sumfac::p_levels<1>(q.a, q.mesh, q.r); },
          {"sumfac::p_levels: ", "coefficient of shape (E)", "no view among the form's members", "level of degree 1"});
}

namespace {

// A tangent's state and what else it reads on all levels of a mesh; the state through the matrix' own restriction where
// `is_own` is false: nothing is fixed then.
void carries(sumfac::mesh<2> const& flat, bool is_own)
{
  sumfac::host const backend;
  auto const fixed_of = [&](auto const& mesh) {
    return is_own ? mesh.boundary() : std::vector<sumfac::element_side>{};
  };
  sumfac::function_space const V{flat, 2, fixed_of(flat)};
  auto const r = V.restriction(backend), all = V.unconstrained(backend);
  auto const& free = is_own ? all : r;
  using tangent = sumfac::tangent<warm>;
  sumfac::element_operator<tangent, sumfac::quadrilateral(2)> J{backend, flat};
  sumfac::global_operator const L{J, r};
  // Of degree 1 in each direction: the same function on all levels, also where it is given.
  auto const state = [](double scale) { return [scale](auto const& x) { return 1 + scale * x[0] * x[1]; }; };
  auto const u = V.values(state(1)), steeper = V.values(state(3));
  // Of degree 1 on all levels, in numbers of its own: those of its space from 1 on; node 0 is of no element.
  sumfac::function_space const of_t{flat, 1};
  std::vector<int> from_one;
  for (index_t e = 0; e < flat.elements(); ++e)
    for (index_t p = 0; p < 4; ++p) from_one.push_back(static_cast<int>(of_t.table()(e, p / 2, p % 2)) + 1);
  sumfac::restriction const free_t{backend, sumfac::view(from_one.data(), flat.elements(), 2, 2), of_t.nodes() + 1};
  auto const heat = [](double scale) { return [scale](auto const& x) { return scale * (2 - x[0] * x[1]); }; };
  auto t = of_t.values(heat(1)), hotter = of_t.values(heat(4));
  for (auto* const values : {&t, &hotter}) values->insert(values->begin(), 1e3);
  auto const field_u = sumfac::field(free, u), field_steeper = sumfac::field(free, steeper);
  auto const field_t = sumfac::field(free_t, t), field_hotter = sumfac::field(free_t, hotter);
  J.linearize(field_u, field_t);
  auto levels = sumfac::p_levels<2, 1>(J, flat, r, field_u, field_t);
  REQUIRE(levels.meshes().size() >= 2);
  auto const as_made_there = [&](auto const& made, double scale, double of_heat) {
    auto const* mesh = &flat;
    auto const compare = [&](auto const& level) {
      sumfac::function_space const W{*mesh, 1, fixed_of(*mesh)};
      auto const s = W.restriction(backend), free_s = W.unconstrained(backend);
      sumfac::element_operator<tangent, sumfac::quadrilateral(1), sumfac::gauss<2>> K{backend, *mesh};
      auto const u_there = W.values(state(scale)), t_there = W.values(heat(of_heat));
      K.linearize(sumfac::field(free_s, u_there), sumfac::field(free_s, t_there));
      auto const x = support::random<double>(static_cast<std::size_t>(W.size()), 4);
      std::vector<double> y(x.size()), z(x.size());
      level.element_operator().apply(s, x, y);
      K.apply(s, x, z);
      CHECK(largest_difference(y, z) <= 1e-13);
      mesh = mesh->coarser();
    };
    compare(made.last());
    for (auto const& one : made.meshes()) compare(one);
  };
  // The same where degree 2 goes to the coarser mesh first.
  auto const on_coarser_first = [&](auto const& made, double scale, double of_heat) {
    auto const& half = *flat.coarser();
    auto const compare = [&]<class Operator>(std::type_identity<Operator>, auto const& level) {
      constexpr int N = Operator::order;
      sumfac::function_space const W{half, N, fixed_of(half)}, W_t{half, 1};
      auto const s = W.restriction(backend), free_s = W.unconstrained(backend), free_1 = W_t.unconstrained(backend);
      Operator K{backend, half};
      auto const u_there = W.values(state(scale)), t_there = W_t.values(heat(of_heat));
      K.linearize(sumfac::field(free_s, u_there), sumfac::field(free_1, t_there));
      REQUIRE(same_nodes(level.restriction(), s));
      std::vector<double> d(static_cast<std::size_t>(W.size())), of_level(d);
      level.element_operator().diagonal(s, of_level);  // by these nodes
      K.diagonal(s, d);
      CHECK(largest_difference(d, of_level) <= 1e-13);
    };
    compare(std::type_identity<decltype(J)>(), made.template at<1>());
    using lower = sumfac::element_operator<tangent, sumfac::quadrilateral(1), sumfac::gauss<2>>;
    compare(std::type_identity<lower>(), made.template at<2>());
  };
  auto mixed = sumfac::p_levels<2, 2, 1>(J, flat, r, field_u, field_t);
  on_coarser_first(mixed, 1, 1);
  mixed.linearize(field_steeper, field_hotter);
  on_coarser_first(mixed, 3, 4);
  as_made_there(levels, 1, 1);
  J.linearize(field_steeper, field_hotter);
  if (!is_own) {
    levels.linearize(field_steeper, field_hotter);
    return as_made_there(levels, 3, 4);
  }
  sumfac::multigrid P{std::move(levels), {}};
  P.update(field_steeper, field_hotter);
  as_made_there(P.levels(), 3, 4);
  P.update();  // and bounds of eigenvalues anew
  sumfac::multigrid const anew{sumfac::p_levels<2, 1>(J, flat, r, field_steeper, field_hotter)};
  auto b = support::random<double>(u.size(), 5);
  V.zero_fixed(b);
  std::vector<double> z(b.size()), z_anew(b.size());
  P.apply(global_view(std::as_const(b)), global_view(z));
  anew.apply(global_view(std::as_const(b)), global_view(z_anew));
  CHECK(z == z_anew);
  refused([&] { P.update(sumfac::field(r, u), field_t); },
          {"sumfac::levels::linearize: the state's restriction has a mark or equation at component 0 of node 0"});
  refused([&] { sumfac::p_levels<2, 1>(J, flat, r, field_u, sumfac::field(free, t)); },
          {"sumfac::p_levels: number of nodes per direction of a field's restriction", "expected 2", "got 3"});
}

}  // namespace

TEST_CASE("multigrid: a tangent's state, and what else it reads, is carried to all levels, and another one by update")
{
  auto const flat = refined(sumfac::box_mesh({2, 1}), 2);
  carries(flat, true);
  auto const hangs = sumfac::refine(sumfac::refine(sumfac::box_mesh({2, 1}), {1}), {2, 4});
  REQUIRE(!hangs.hanging().empty());
  for (bool const is_own : {true, false}) {
    carries(hangs, is_own);
    carries(refined(hangs), is_own);
  }
  // Equations of one's own are none of the mesh's.
  sumfac::host const backend;
  sumfac::function_space const V{flat, 2};
  sumfac::constraints more;
  more.add(0, {{1, 0.5}, {2, 0.5}});
  auto const r = V.unconstrained(backend);
  sumfac::restriction const s{backend, V.table(), V.nodes(), more};
  sumfac::element_operator<sumfac::tangent<warm>, sumfac::quadrilateral(2)> J{backend, flat};
  std::vector<double> const u(static_cast<std::size_t>(V.size()), 1.0);
  sumfac::function_space const of_t{flat, 1};
  auto const free_t = of_t.unconstrained(backend);
  std::vector<double> const heat(static_cast<std::size_t>(of_t.size()), 1.0);
  J.linearize(sumfac::field(r, u), sumfac::field(free_t, heat));
  refused([&] { sumfac::p_levels<2, 1>(J, flat, r, sumfac::field(s, u), sumfac::field(free_t, heat)); },
          {"sumfac::p_levels: ", "other constraints than those of the mesh's hanging nodes (of node 0; 1 rows)"});
}

TEST_CASE("multigrid: a mesh that knows no coarser one has levels in the degree alone")
{
  auto const box = sumfac::box_mesh({2, 2, 2}, bend);
  poisson<laplace_2, 3, 3> const p(box, box.boundary());
  auto const levels = sumfac::p_levels<2, 1>(p.a, p.mesh, p.r);
  CHECK(levels.meshes().empty());
  CHECK(&levels.coarsest() == &levels.last());
  // A mesh of somebody's memory outlives it where it has been refined.
  std::vector<double> nodes(box.data(), box.data() + box.size());
  auto const fine = refined(sumfac::mesh<3>{sumfac::view(nodes.data(), 8, 5, 5, 5, 3), sumfac::gauss_lobatto_nodes{}});
  auto const expected = fine.coarser()->data()[7];
  for (double& x : nodes) x = 0;
  CHECK(fine.coarser()->data()[7] == expected);
}

TEST_CASE("mesh: moved() places the nodes of a mesh and of those that it was cut from, and keeps all else")
{
  auto const straight = refined(sumfac::box_mesh({2, 2}), 2);
  auto const moved = straight.moved(bend);
  auto const *before = &straight, *after = &moved;
  for (int meshes = 0; meshes < 3; ++meshes, before = before->coarser(), after = after->coarser()) {
    REQUIRE(after != nullptr);
    CHECK(after->first_parts() == before->first_parts());
    CHECK(after->boundary("x0").size() == before->boundary("x0").size());
    for (index_t i = 0; i < before->size(); i += 2) {
      auto const x = bend(sumfac::vector<double, 2>{before->data()[i], before->data()[i + 1]});
      CHECK((after->data()[i] == x[0] && after->data()[i + 1] == x[1]));
    }
  }
  CHECK(after == nullptr);
  poisson<sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(3)>, 2, 2> const p(moved, moved.boundary());
  CHECK(iterations(p, sumfac::multigrid{sumfac::p_levels<3, 1>(p.a, p.mesh, p.r)}) <= 8);
  refused([] { sumfac::refine(sumfac::box_mesh({2, 1}), {0}).moved(bend); }, {"sumfac::mesh::moved: the mesh hangs"});
}

TEST_CASE("children: restrictions of other elements are refused with both numbers")
{
  sumfac::host const backend;
  auto const fine = refined(sumfac::box_mesh({2, 1, 1}));
  sumfac::function_space const V{fine, 2};
  auto const r = V.restriction(backend);
  refused([&] { sumfac::children(r.subset(3, 11)); }, {"sumfac::children", "5 of the 8 children of element 0"});
  CHECK(sumfac::children(r.subset(8, 16)).active().size() == 1);
  sumfac::function_space const W{sumfac::box_mesh({4, 2, 2}), 2};
  auto const s = W.restriction(backend);
  refused([&] { sumfac::children(s); }, {"not those of a refined mesh in its order", "element"});
  auto const t = sumfac::function_space{sumfac::box_mesh({3, 1, 1}), 1}.restriction(backend);
  refused([&] { sumfac::children(t); }, {"3 elements, a multiple of 8 expected"});
  auto const u = sumfac::function_space{refined(sumfac::box_mesh({1})), 16}.restriction(backend);
  refused([&] { sumfac::children(u); }, {"the degree is too high", "got 16, at most 15"});
  auto const coarse = sumfac::function_space{sumfac::box_mesh({1, 1, 2}), 2}.restriction(backend);
  refused([&] { sumfac::transfer<sumfac::children(2), 2>(r, coarse); },
          {"nodes per direction of the fine restriction", "expected 5", "got 3"});
  std::vector<sumfac::index_t> const behind{8, 16, 24};
  refused([&] { sumfac::children(r, behind); }, {"sumfac::children", "first part of element 0", "expected 0", "got 8"});
  auto const parts = sumfac::children(r);
  refused([&] { sumfac::transfer<sumfac::children(2), 2>(parts, coarse); }, {"the restrictions are of two meshes"});
}
