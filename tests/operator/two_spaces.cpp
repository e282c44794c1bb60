// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators between two spaces, and transposes, on the host: the oracle, adjointness, subsets, and what is refused.
#include "one_space.hpp"

#include <sumfac/solver/gmres.hpp>

#include <span>
#include <string>

using namespace two_spaces;

TEST_CASE("two spaces: quadrilaterals")
{
  using reference::gauss_lobatto;
  agrees_in_the_plane<divergence<2>, spaces{.trial = quadrilateral(2), .test = quadrilateral(1)}>(gauss_lobatto(3),
                                                                                                  gauss_lobatto(2));
  agrees_in_the_plane<transport, spaces{.trial = quadrilateral(1), .test = quadrilateral(3)}, sumfac::gauss<4>>(
      gauss_lobatto(2), gauss_lobatto(4));
  agrees_in_the_plane<transport, spaces{.trial = quadrilateral(2), .test = quadrilateral(2, node_placement::gauss)}>(
      gauss_lobatto(3), reference::gauss(3));
}

TEST_CASE("two spaces: float, and one space's transpose")
{
  using reference::gauss_lobatto;
  agrees_in_the_plane<divergence<2>, spaces{.trial = quadrilateral(3), .test = quadrilateral(1)}, sumfac::gauss<4>,
                      float>(gauss_lobatto(4), gauss_lobatto(2));
  using op = sumfac::element_operator<transport, quadrilateral(2), sumfac::gauss_lobatto<3>>;
  checks::flat_mesh const mesh(some, 2, 2, 3, 0.05);
  op const A{sumfac::host{}, checks::nodes_view<2, 2>(mesh)};
  agrees(A, {gauss_lobatto(3)}, {gauss_lobatto(3)}, [&](index_t e) {
    return reference::flat_element(2, 2, gauss_lobatto(3), mesh.element(static_cast<int>(e)), gauss_lobatto(3));
  });
}

TEST_CASE("two spaces: hexahedra")
{
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mesh::mapped(mesh::jittered({2, 3, 2}, 0.15, where), mesh::smooth{});
  sumfac::view const nodes(mesh.data(), mesh.elements, 3, 3, 3, 3);
  auto const element = [&](index_t e) {
    double const* const first = mesh.element(static_cast<int>(e));
    return reference::flat_element(3, 3, where, {first, first + mesh.element_size()}, reference::gauss(4));
  };
  sumfac::element_operator<divergence<3>, spaces{.trial = 2, .test = 1}> const B{sumfac::host{}, nodes};
  agrees(B, {reference::gauss_lobatto(3), 3}, {reference::gauss_lobatto(2)}, element);
  // The divergence of a field of degree 2 in each direction, against the constant 1, is what flows out of the cube:
  // u = (x^2, x y, 0) on the box without bumps, of 2 x + x = 3 x, so 3 / 2.
  auto const box = mesh::jittered({2, 3, 2}, 0, where);
  sumfac::element_operator<divergence<3>, spaces{.trial = 2, .test = 1}> const C{
      sumfac::host{}, sumfac::view(box.data(), box.elements, 3, 3, 3, 3)};
  std::vector<double> u, v(at(box.elements * 8));
  for (int e = 0; e < box.elements; ++e)
    for (int c = 0; c < 3; ++c)
      for (int p = 0; p < 27; ++p) {
        double const x = box.element(e)[3 * p], y = box.element(e)[3 * p + 1];
        u.push_back(c == 0 ? x * x : c == 1 ? x * y : 0);
      }
  C.apply(sumfac::view(u.data(), box.elements, 3, 3, 3, 3), sumfac::view(v.data(), box.elements, 2, 2, 2));
  double sum = 0;
  for (double const x : v) sum += x;
  CHECK(std::abs(sum - 1.5) < 1e-13);
}

TEST_CASE("two spaces: global vectors")
{
  pair_case<> c;
  check_pair(c, false);
  check_pair(c, true);
  c.options.components_lie = sumfac::interleaving::slowest;
  check_pair(c, true);
  c.options.blocks = 3, c.options.policy = sumfac::scatter::atomic;
  check_pair(c, true, {.rows = sumfac::constrained_rows::zero, .blocks = 5});
}

TEST_CASE("two spaces: subsets")
{
  pair_case<> const c;
  index_t const all = c.mesh.elements(), cut = 7;
  auto const R_u = c.trial(), R_p = c.test();
  auto const u_first = R_u.subset(0, cut), u_last = R_u.subset(cut, all);
  auto const p_first = R_p.subset(0, cut), p_last = R_p.subset(cut, all);
  auto x = support::random<double>(at(R_u.size()), 3), w = support::random<double>(at(R_p.size()), 4);
  std::vector<double> y(w.size()), z(x.size()), z_all(x.size());
  c.B.apply(p_first, u_first, whole(x), whole(y));
  near(y, c.expected(x, 0, cut));
  c.B.apply(p_last, R_u, whole(x), whole(y));  // a subset on the side of the result alone
  near(y, c.expected(x, cut, all));
  c.B.apply(p_first, u_first, whole(x), whole(y));
  c.B.apply_add(p_last, u_last, whole(x), whole(y));
  near(y, c.expected(x, 0, all));
  c.B.apply_transposed(u_first, p_first, whole(w), whole(z));
  c.B.apply_transposed_add(u_last, p_last, whole(w), whole(z));
  c.B.apply_transposed(R_u, R_p, whole(w), whole(z_all));
  near(z, z_all);
  // On elements that x is not read on there is no result.
  auto const before = y;
  CHECK_THROWS_WITH(c.B.apply(R_p, u_first, whole(x), whole(y)),
                    Catch::Contains("a subset without element 7") && Catch::Contains("7 elements of x, 18 of the"));
  CHECK_THROWS_WITH(c.B.apply_transposed_add(u_first, p_last.subset(all, all), whole(w), whole(z)),
                    Catch::Contains("a subset without element 0"));
  CHECK(y == before);
  c.B.apply(p_first.subset(2, 5), u_first, whole(x), whole(y));
  near(y, c.expected(x, 2, 5));
}

TEST_CASE("two spaces: the transpose where geometry is split")
{
  auto const where = reference::gauss_lobatto(2);
  auto const mesh = mesh::jittered({3, 2, 2}, 0.1, where);
  sumfac::element_operator<sumfac::laplace, 1, sumfac::gauss<2>, sumfac::host, double, sumfac::split> const A{
      sumfac::host{}, sumfac::view(mesh.data(), mesh.elements, 2, 2, 2, 3)};
  auto const u = support::random<double>(at(mesh.elements * 8), 1);
  std::vector<double> v(u.size()), w(u.size());
  sumfac::view const in(u.data(), mesh.elements, 2, 2, 2);
  A.apply(in, sumfac::view(v.data(), mesh.elements, 2, 2, 2));
  A.apply_transposed(in, sumfac::view(w.data(), mesh.elements, 2, 2, 2));
  near(w, v);
}

TEST_CASE("two spaces: what cannot be")
{
  pair_case<> const c;
  auto const R_u = c.trial(), R_p = c.test();
  auto x = support::random<double>(at(R_u.size()), 3), y = support::random<double>(at(R_p.size()), 4);
  auto const untouched = y;
  CHECK_THROWS_WITH(c.B.apply(R_u, R_p, whole(x), whole(y)),
                    Catch::Contains("nodes per direction of the restriction of the result") &&
                        Catch::Contains("(expected 2, got 3)"));
  CHECK_THROWS_WITH(
      c.B.apply(R_p, R_p, whole(x), whole(y)),
      Catch::Contains("nodes per direction of the restriction of x") && Catch::Contains("(expected 3, got 2)"));
  CHECK_THROWS_WITH(c.B.apply_transposed(R_p, R_u, whole(y), whole(x)), Catch::Contains("(expected 3, got 2)"));
  sumfac::view const table(c.of_u.data(), c.mesh.elements(), 3, 3), fewer(c.of_u.data(), 5, 3, 3);
  sumfac::restriction const scalar{c.backend, table, c.nodes_of_u};
  sumfac::restriction const part{c.backend, fewer, c.nodes_of_u, {.components = 2}};
  CHECK_THROWS_WITH(
      c.B.apply(R_p, scalar, whole(x), whole(y)),
      Catch::Contains("number of components of the restriction of x") && Catch::Contains("(expected 2, got 1)"));
  CHECK_THROWS_WITH(c.B.apply(R_p, part, whole(x), whole(y)),
                    Catch::Contains("number of elements") && Catch::Contains("(expected 18, got 5)"));
  CHECK_THROWS_WITH(c.B.apply(R_p, R_u, whole(y), whole(y)),
                    Catch::Contains("x") && Catch::Contains(std::to_string(R_u.size())));
  std::vector<double> both(at(R_u.size()));
  sumfac::view const start(both.data(), R_p.size());
  CHECK_THROWS_WITH(c.B.apply(R_p, R_u, whole(both), start), Catch::Contains("x and y overlap"));
  sumfac::view const null(static_cast<double*>(nullptr), R_u.size());
  CHECK_THROWS_WITH(c.B.apply(R_p, R_u, null, whole(y)), Catch::Contains("null"));
  CHECK_THROWS_WITH(c.B.element_matrix(18), Catch::Contains("got 18, 0 to 17 expected"));
  // E-vectors of the other side.
  std::vector<double> more(at(c.mesh.elements() * 18));
  std::vector<double> from(more.size());
  sumfac::view const right(from.data(), c.mesh.elements(), 2, 3, 3);
  CHECK_THROWS_WITH(c.B.apply_transposed(sumfac::view(more.data(), c.mesh.elements(), 3, 3), right),
                    Catch::Contains("extent 1") && Catch::Contains("2") && Catch::Contains("3"));
  CHECK(y == untouched);
}

TEST_CASE("two spaces: one space's transpose on global vectors")
{
  check_one_space_on_cubes<sumfac::host>({});
  check_one_space_in_the_plane<sumfac::host>({.blocks = 3});
  check_one_space_in_the_plane<sumfac::host>({.policy = sumfac::scatter::atomic, .rows = 2.5});
}

TEST_CASE("two spaces: the transpose as a matrix of a solver, on arrays as they are")
{
  strip const mesh{4};
  auto const vertices = mesh.vertices();
  auto const table = mesh.table(2);
  index_t const nodes = mesh.nodes(2);
  auto const marks = strip::every(5, nodes);
  sumfac::host const backend;
  sumfac::element_operator<transport, quadrilateral(2), sumfac::gauss<3>> const A{
      backend, sumfac::view(vertices.data(), mesh.elements(), 2, 2, 2)};
  sumfac::restriction const R{backend, sumfac::view(table.data(), mesh.elements(), 3, 3), nodes,
                              sumfac::view(marks.data(), nodes)};
  sumfac::global_operator const L{A, R};
  sumfac::transposed_operator const T{L};
  static_assert(sumfac::detail::rounding_of<std::remove_const_t<decltype(T)>, double>() < 1e-15);  // as of L
  auto const b = support::random<double>(at(nodes), 3);
  std::vector<double> x(b.size()), of_x(b.size()), d(b.size()), e(b.size());
  sumfac::gmres_workspace<> space(backend, nodes, 100);
  auto const result = sumfac::gmres(T, b, x, sumfac::no_preconditioner{}, {.iterations = 200, .tolerance = 1e-12},
                                    sumfac::no_monitor{}, space);
  CHECK(result.status == sumfac::solve_status::converged);
  T.apply(x, std::span(of_x));
  near(of_x, b, 1e-9);
  T.diagonal(d), A.diagonal(R, e);
  CHECK(d == e);
  sumfac::view const entries(x.data(), nodes);
  CHECK(&entries[3] == &entries(3));
}
