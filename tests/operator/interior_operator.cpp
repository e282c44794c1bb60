// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms of two sides on the faces between elements: turned neighbours, symmetry, free streams, tangents, backends.
#include "../../examples/gas.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/element_sum.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/preconditioner.hpp>

#include <catch2/catch.hpp>
#include <operator/kept_by_faces.hpp>
#include <support/few.hpp>
#include <support/larger.hpp>
#include <support/random.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

using beside_faces::agrees, beside_faces::applied, beside_faces::at, beside_faces::difference;
using beside_faces::at_nodes, beside_faces::hangs_alike, beside_faces::turns_alike;
using beside_faces::elements_of, beside_faces::hanging_block, beside_faces::inner, beside_faces::inverts,
    beside_faces::keeps_free_stream;
using reference::real;
using sumfac::index_t, sumfac::quadrilateral;
using two_sided::burgers, two_sided::interior_penalty, two_sided::sound, two_sided::upwind;

auto bent_box(std::array<int, 3> const& cells)
{
  return sumfac::box_mesh(
      {cells[0], cells[1], cells[2]},
      [](sumfac::vector<double, 3> const& x) {
        return sumfac::vector<double, 3>{x[0] + 0.1 * x[1] * x[2], x[1] + 0.1 * x[0] * x[0], x[2] + 0.05 * x[0]};
      },
      2);
}

}  // namespace

TEST_CASE("interior_operator: beside the oracle, on elements that are bent and turned")
{
  using reference::gauss, reference::gauss_lobatto, reference::face_point;
  using faces = std::vector<reference::face>;
  using sides = std::vector<reference::side>;
  auto const sip = [](reference::face_sums& sums, faces const& pairs, sides const& boundary) {
    sums.add(pairs, reference::interior_penalty(
                        [](face_point const& in, face_point const& out) { return 5 / in.height + 5 / out.height; }));
    sums.add(boundary, reference::weak_dirichlet([](face_point const& x) { return 20 / x.height; }));
  };
  agrees<sumfac::interior_operator<interior_penalty, quadrilateral(3)>>(gauss_lobatto(4), gauss(5), sip);
  for (int way = 0; way < 3; ++way)
    agrees<sumfac::interior_operator<interior_penalty, quadrilateral(3)>>(gauss_lobatto(4), gauss(5), sip, {},
                                                                          hanging_block(2, way));
  auto const wind = [](reference::face_sums& sums, faces const& pairs, sides const&) {
    sums.add(pairs, reference::upwind([](std::vector<real> const&) { return std::vector<real>{0.7, -0.4, 0.5}; }));
  };
  if constexpr (!support::few) {
    agrees<sumfac::interior_operator<interior_penalty, sumfac::hexahedron(2, sumfac::node_placement::gauss), float>>(
        gauss(3), gauss(4), sip);
    agrees<sumfac::interior_operator<interior_penalty, sumfac::hexahedron(2, sumfac::node_placement::gauss), float>>(
        gauss(3), gauss(4), sip, {}, hanging_block(3, 1));
    agrees<sumfac::interior_operator<upwind, 2>>(gauss_lobatto(3), gauss(4), wind);
    agrees<sumfac::interior_operator<upwind, 2>>(gauss_lobatto(3), gauss(4), wind, {}, hanging_block(3, 2));
  }
}

TEST_CASE("interior_operator: a system of components, and coefficients that jump from element to element")
{
  std::vector<double> const impedance{1, 3, 0.5, 2, 1.5, 4, 2.5};
  auto const across = [](reference::face_point const& x, reference::flat_field const& u) {
    return x.normal[0] * u.value[1] + x.normal[1] * u.value[2];
  };
  auto const waves = [&](reference::face_sums& sums, auto const& pairs, auto const& boundary) {
    for (reference::face const& f : pairs)
      sums.add(f, [&, zi = real(impedance[at(f.in.element)]), zo = real(impedance[at(f.out.element)])](
                      reference::face_point const& in, reference::face_point const&, reference::flat_field const& u,
                      reference::flat_field const& w) {
        real const of_in = across(in, u), of_out = across(in, w), p = u.value[0], q = w.value[0];
        real const pressure = (zo * p + zi * q + zi * zo * (of_in - of_out)) / (zi + zo);
        reference::both_sides v;
        v.in.value = {(zi * of_in + zo * of_out + p - q) / (zi + zo), pressure * in.normal[0], pressure * in.normal[1]};
        for (real const x : v.in.value) v.out.value.push_back(-x);
        return v;
      });
    // A wall: nothing flows through it, and the pressure is that of the wave and its image.
    for (reference::side const& s : boundary)
      sums.add(s,
               [&, z = real(impedance[at(s.element)])](reference::face_point const& x, reference::flat_field const& u) {
                 real const pressure = u.value[0] + z * across(x, u);
                 return reference::flat_field{{0, pressure * x.normal[0], pressure * x.normal[1]}, {}};
               });
  };
  using through_walls = sumfac::interior_operator<sound<2>, quadrilateral(2)>;
  agrees<through_walls>(reference::gauss_lobatto(3), reference::gauss(4), waves, {impedance.data()});
  agrees<through_walls>(reference::gauss_lobatto(3), reference::gauss(4), waves, {impedance.data()},
                        hanging_block(2, 3));
}

TEST_CASE("interior_operator: points between lines, periodic ones, too")
{
  auto const sip = [](reference::face_sums& sums, auto const& pairs, auto const& boundary) {
    sums.add(pairs, reference::interior_penalty([](reference::face_point const& in, reference::face_point const& out) {
               return 5 / in.height + 5 / out.height;
             }));
    sums.add(boundary, reference::weak_dirichlet([](reference::face_point const& x) { return 20 / x.height; }));
  };
  agrees<sumfac::interior_operator<interior_penalty, sumfac::line(3)>>(reference::gauss_lobatto(4), reference::gauss(5),
                                                                       sip);
  keeps_free_stream<1, 2, sumfac::host>();
  // In one sweep with the terms within lines, more of them than lanes, a matrix with the diagonal that it says it has.
  auto const curve = sumfac::box_mesh(
      {19}, [](sumfac::vector<double, 1> const& x) { return sumfac::vector<double, 1>{x[0] + x[0] * x[0]}; }, 2);
  sumfac::element_operator<sumfac::laplace, sumfac::line(3)> const K{sumfac::host{}, curve};
  sumfac::interior_operator<interior_penalty, sumfac::line(3)> const F{sumfac::host{}, curve, {40}};
  sumfac::sum const A{K, F};
  auto u = support::random<double>(19 * 4, 3);
  std::vector<double> v(u.size()), z(u.size()), d(u.size());
  A.apply(u, v);
  K.apply(elements_of<1>(u, 19, 4), elements_of<1>(z, 19, 4));
  F.apply_add(elements_of<1>(u, 19, 4), elements_of<1>(z, 19, 4));
  CHECK(difference(v, z) < 1e-12 * std::sqrt(inner(z, z)));
  A.diagonal(d);
  std::fill(u.begin(), u.end(), 0.0);
  CHECK(sumfac::cg(A, v, u, sumfac::jacobi{sumfac::host{}, d}, {.iterations = 300, .tolerance = 1e-11}));
  CHECK(difference(u, support::random<double>(19 * 4, 3)) < 1e-6);
  if constexpr (!support::few) keeps_free_stream<1, 2, sumfac::checked>();
  // Ends are told apart by their vertices, of any degree.
  std::vector<int> const one{0, 1, 0}, two{0, 1, 1, 0};
  CHECK(sumfac::interior_faces(sumfac::view(one.data(), 1, 3), 2).behind(0, 1).side == 0);
  auto const pairs = sumfac::interior_faces(sumfac::view(two.data(), 2, 2), 2);
  CHECK(pairs.faces() == 2);
  CHECK(pairs.behind(1, 1).element == 0);
  CHECK(pairs.behind(1, 1).side == 0);
  std::vector<int> const twice{0, 1, 2, 0, 1, 2};
  CHECK_THROWS_WITH(sumfac::interior_faces(sumfac::view(twice.data(), 2, 3), 3),
                    Catch::Contains("elements 0 and 1 have the same nodes"));
}

TEST_CASE("interior_operator: a face is the same however its elements are turned")
{
  turns_alike<2, sumfac::host>(interior_penalty{});
  if constexpr (!support::few) turns_alike<3, sumfac::host>(interior_penalty{});
}

TEST_CASE("interior_operator: fluxes are conserved, and free streams are kept on curved meshes")
{
  keeps_free_stream<2, 3, sumfac::host>();
  if constexpr (!support::few) keeps_free_stream<3, 2, sumfac::host>();
}

TEST_CASE("interior_operator: symmetric, the same by any number of threads, and as `checked` and in float")
{
  auto const box = bent_box({3, 2, 2});
  auto const u = support::random<double>(12 * 27, 1), w = support::random<double>(12 * 27, 2);
  sumfac::interior_operator<interior_penalty, 2> const F{sumfac::host{1}, box};
  auto const v = applied(F, u), z = applied(F, w);
  double const both = inner(w, v), size = inner(v, v);
  CHECK(std::abs(both - inner(u, z)) < 1e-12 * std::sqrt(size));
  CHECK(inner(u, v) + 0 * both > -size);
  CHECK(applied(sumfac::interior_operator<interior_penalty, 2>{sumfac::host{3}, box}, u) == v);
  auto added = applied(F, u, true);
  auto const before = support::random<double>(u.size(), 77);
  for (std::size_t i = 0; i < added.size(); ++i) added[i] -= before[i];
  CHECK(difference(added, v) < 1e-12);
  if constexpr (!support::few) {
    sumfac::interior_operator<interior_penalty, 2, sumfac::checked> const watched{sumfac::checked{}, box};
    CHECK(difference(applied(watched, u), v) < 1e-12 * std::sqrt(size));
    sumfac::interior_operator<interior_penalty, 2, float> const in_float{sumfac::host{}, box};
    auto const single = applied(in_float, std::vector<float>(u.begin(), u.end()));
    CHECK(difference(std::vector<double>(single.begin(), single.end()), v) < 1e-5 * std::sqrt(size));
  }
}

namespace {

// sum{K, F} beside K and F one after the other, and by three threads; there is more than one group of elements, and the
// last is not full. Some elements are bent, and some affine, so that the host has sides' factors once. Of teams one
// kernel does what two do, bit by bit.
template <class Within, class Between, class Scalar, class Backend, class... Options>
std::vector<Scalar> is_swept_once(double tolerance, Between const& between)
{
  auto const box = sumfac::box_mesh(
      {3, 3, 1},
      [](sumfac::vector<double, 3> const& x) {
        double const beyond = std::max(0.0, x[0] - 1.0 / 3);
        return sumfac::vector<double, 3>{x[0] + 0.2 * x[1], x[1] + 0.1 * x[2] + 0.3 * beyond * beyond, x[2]};
      },
      2);
  auto const swept = [&](Backend const& backend) {
    sumfac::element_operator<Within, 2, Scalar, Backend, Options...> const K{backend, box};
    sumfac::interior_operator<Between, 2, Scalar, Backend, Options...> const F{backend, box, between};
    auto const u = support::random<Scalar>(9 * 27, 4);
    std::vector<Scalar> one(u.size(), 7), two(u.size(), 8);
    sumfac::sum const A{K, F};
    A.apply(u, one);
    K.apply(elements_of<3>(u.data(), 9, 3), elements_of<3>(two.data(), 9, 3));
    F.apply_add(elements_of<3>(u.data(), 9, 3), elements_of<3>(two.data(), 9, 3));
    CHECK(double(difference(one, two)) < tolerance * std::sqrt(double(inner(two, two))));
    CHECK(inner(two, two) > 0.1);
    if constexpr (!sumfac::runs_on_host<Backend>) {
      static_assert(A.sweep.possible);
      A.template apply<1>(u, one);
      CHECK(one == two);
      A.template apply<2>(u, one);
      CHECK(one == two);
      // On a mesh that hangs it is two.
      auto const cut = sumfac::refine(box, {4});
      sumfac::element_operator<Within, 2, Scalar, Backend, Options...> const K_cut{backend, cut};
      sumfac::interior_operator<Between, 2, Scalar, Backend, Options...> const F_cut{backend, cut, between};
      sumfac::sum const A_cut{K_cut, F_cut};
      auto const w = support::random<Scalar>(16 * 27, 5);
      std::vector<Scalar> of_one(w.size(), 7), of_two(w.size(), 8);
      A_cut.template apply<1>(w, of_one);
      A_cut.template apply<2>(w, of_two);
      CHECK(of_one == of_two);
    }
    return one;
  };
  auto const result = swept(Backend{});
  if constexpr (sumfac::runs_on_host<Backend>) {
    CHECK(swept(Backend{1}) == result);
    CHECK(swept(Backend{3}) == result);
  }
  return result;
}

}  // namespace

TEST_CASE("sum of operators on E-vectors: one sweep is what two are")
{
  using sumfac::laplace, sumfac::checked, sumfac::host;
  interior_penalty const sip{20.0};
  auto const on_host = is_swept_once<laplace, interior_penalty, double, host>(1e-14, sip);
  if constexpr (!support::few) {
    auto const watched = is_swept_once<laplace, interior_penalty, double, checked>(1e-14, sip);
    CHECK(difference(on_host, watched) < 1e-13 * std::sqrt(inner(watched, watched)));
    is_swept_once<two_sided::advection, upwind, double, checked>(1e-14, {});
    is_swept_once<laplace, interior_penalty, float, host, sumfac::gauss_lobatto<3>>(1e-6, sip);
  }
}

TEST_CASE("sum of operators on E-vectors: a matrix to solvers")
{
  auto const box = bent_box({2, 2, 1});
  sumfac::host const backend;
  sumfac::element_operator<sumfac::laplace, 2> const K{backend, box};
  sumfac::interior_operator<interior_penalty, 2> const F{backend, box, {40.0}};
  sumfac::sum const A{K, F};
  REQUIRE(A.size() == 4 * 27);
  auto const u = support::random<double>(4 * 27, 3);
  std::vector<double> v(u.size()), within(u.size()), d(u.size());
  A.apply(u, v);
  K.apply(elements_of<3>(u.data(), 4, 3), elements_of<3>(within.data(), 4, 3));
  auto const through = applied(F, u);
  for (std::size_t i = 0; i < u.size(); ++i) CHECK(v[i] == Approx(within[i] + through[i]).margin(1e-12));
  A.diagonal(d);
  std::vector<double> unit(u.size(), 0);
  for (std::size_t i = 0; i < u.size(); ++i) {
    unit[i] = 1;
    A.apply(unit, v);
    CHECK(v[i] == Approx(d[i]).epsilon(1e-12));
    unit[i] = 0;
  }
  std::vector<double> b(u.size()), x(u.size(), 0);
  A.apply(u, b);
  CHECK(sumfac::cg(A, b, x, sumfac::jacobi{backend, d}, {.iterations = 300, .tolerance = 1e-11}).status ==
        sumfac::solve_status::converged);
  CHECK(difference(x, u) < 1e-7);
  CHECK_THROWS_WITH(A.apply(u, std::vector<double>(5)), Catch::Contains("got 5") && Catch::Contains("108"));
  auto const other = bent_box({1, 2, 1});
  sumfac::interior_operator<interior_penalty, 2> const of_two{backend, other};
  CHECK_THROWS_WITH((sumfac::sum{K, of_two}), Catch::Contains("expected 4, got 2"));
}

namespace {

// Terms within elements and through faces of a mesh that hangs: a symmetric, positive definite matrix that has linear
// functions, of which only the boundary sees something, and constants of nothing through faces between elements.
template <int Directions>
void is_a_matrix(reference::grid const& mesh)
{
  constexpr auto space = sumfac::space(2, Directions);
  sumfac::mesh<Directions> const known{beside_faces::mesh_nodes_of<Directions>(mesh.nodes.data(), mesh.elements())};
  REQUIRE(known.interior_faces().divided() > 0);
  sumfac::element_operator<sumfac::laplace, space> const K{sumfac::host{}, known};
  sumfac::interior_operator<interior_penalty, space> const F{sumfac::host{}, known, {20}};
  sumfac::sum const A{K, F};
  auto const size = at(A.size());
  auto const times = [&](std::vector<double> const& u) {
    std::vector<double> v(size);
    A.apply(u, v);
    return v;
  };
  auto const u = support::random<double>(size, 3), w = support::random<double>(size, 4), v = times(u);
  CHECK(std::abs(inner(v, w) - inner(u, times(w))) < 1e-12 * std::sqrt(inner(v, v)));
  std::vector<double> d(size), unit(size, 0), x(size, 0);
  A.diagonal(d);
  for (std::size_t i = 0; i < size; i += Directions == 2 ? 1 : 7) {
    unit[i] = 1;
    CHECK(times(unit)[i] == Approx(d[i]).epsilon(1e-12));
    unit[i] = 0;
  }
  CHECK(sumfac::cg(A, v, x, sumfac::jacobi{sumfac::host{}, d}, {.iterations = 1000, .tolerance = 1e-12}));  // positive
  CHECK(difference(x, u) < 1e-7);
  auto const by_three = applied(sumfac::interior_operator<interior_penalty, space>{sumfac::host{3}, known, {20}}, u);
  CHECK(by_three == applied(F, u));
  // What the boundary says of linear functions and of constants, by the oracle, beside all that A says.
  auto pairs = reference::interior_faces(mesh);
  for (auto const& part : reference::hanging_faces(mesh)) pairs.push_back(part);
  reference::face_sums boundary(mesh, {reference::gauss_lobatto(3), 1}, reference::gauss(4));
  boundary.add(reference::boundary_sides(mesh, pairs),
               [](reference::face_point const& at, reference::flat_field const& of) {
                 reference::flat_field tested{{40 / at.height * of.value[0]}, {{}}};
                 for (real const n : at.normal) tested.gradient[0].push_back(-n * of.value[0]);
                 return tested;
               });
  auto const linear =
      at_nodes(mesh, 2, [](reference::place const& at) { return double(2 + at[0] - 3 * at[1] + at[2]); });
  auto const got = times(linear);
  auto const expected = boundary.apply({linear.begin(), linear.end()});
  double off = 0;
  for (std::size_t i = 0; i < size; ++i) off = support::larger(off, std::abs(double(got[i] - expected[i])));
  CHECK(off < 1e-11);
}

}  // namespace

TEST_CASE("interior_operator: faces of a large element with small ones")
{
  hangs_alike<2, sumfac::host>();
  is_a_matrix<2>(hanging_block(2, 1));
  if constexpr (!support::few) {
    hangs_alike<3, sumfac::host>();
    is_a_matrix<3>(hanging_block(3, 1));
  }
  // Cut towards a corner again and again: 19 elements of 4 sizes.
  auto const nine = sumfac::box_mesh(
      {3, 3},
      [](sumfac::vector<double, 2> const& x) {
        return sumfac::vector<double, 2>{x[0] + 0.2 * x[1] * x[1], x[1] + 0.1 * x[0] * x[0]};
      },
      2);
  auto const box = sumfac::refine(sumfac::refine(sumfac::refine(nine, {4}), {4}), {4});
  auto const pairs = box.interior_faces();
  REQUIRE(pairs.divided() == static_cast<index_t>(box.hanging().size()));
  // In the plane each element has 4 sides, of which each is a face, or two, of another or the boundary.
  CHECK(2 * pairs.faces() + static_cast<index_t>(box.boundary().size()) == 4 * box.elements() + pairs.divided());
  // As seen by other numbers of elements.
  auto const seen = pairs.seen_by([](index_t e) { return -e; });
  for (index_t e = 0; e < box.elements(); ++e)
    for (int side = 0; side < 4; ++side)
      if (pairs.behind(e, side).divided >= 0)
        for (int p = 0; p < 2; ++p) CHECK(seen.part(e, side, p).first != pairs.part(e, side, p).first);
  // `checked` works elements that have small or large ones behind a side by a kernel of its own.
  using watched = sumfac::interior_operator<interior_penalty, quadrilateral(1), sumfac::checked>;
  sumfac::interior_operator<interior_penalty, quadrilateral(1)> const F{sumfac::host{}, box};
  auto const u = support::random<double>(at(box.elements() * 4), 6), v = applied(F, u);
  CHECK(difference(applied(watched{sumfac::checked{}, box}, u), v) < 1e-13 * std::sqrt(inner(v, v)));
  // Where the small elements are left out, the parts of a side are boundary: together, as the whole side is.
  auto const square = sumfac::refine(sumfac::box_mesh({2, 1}), {0});
  auto const all = square.interior_faces();
  index_t large = 0;
  while (all.behind(large, 0).divided < 0) ++large;
  auto const nodes = sumfac::view(square.nodes().data() + 8 * large, 1, 2, 2, 2);
  auto const by = [&](sumfac::face_pairs const& known) {
    return applied(sumfac::interior_operator<interior_penalty, quadrilateral(1)>{sumfac::host{}, nodes, known},
                   std::vector<double>{0.3, -1, 0.7, 2});
  };
  CHECK(difference(by(all.only(std::vector<index_t>{large})), by(sumfac::face_pairs(1, 2))) < 1e-13);
}

TEST_CASE("inverse_mass: undoes the mass on bent elements")
{
  inverts<sumfac::inverse_mass<quadrilateral(3)>>();
  if constexpr (!support::few) {
    inverts<sumfac::inverse_mass<2, sumfac::checked>>();
    inverts<sumfac::inverse_mass<2, float, sumfac::gauss_lobatto<3>>>();
  }
  // Two components, one behind the other.
  auto const box = bent_box({2, 1, 1});
  sumfac::inverse_mass<1> const inverse{sumfac::host{}, box};
  auto u = support::random<double>(32, 1);
  std::vector<double> both(32);
  inverse.apply(sumfac::view(u.data(), 2, 2, 2, 2, 2), sumfac::view(both.data(), 2, 2, 2, 2, 2));
  std::vector<double> second, expected(16);
  for (int e = 0; e < 2; ++e) second.insert(second.end(), u.begin() + e * 16 + 8, u.begin() + e * 16 + 16);
  inverse.apply(elements_of<3>(second, 2, 2), elements_of<3>(expected, 2, 2));
  for (int i = 0; i < 16; ++i) CHECK(both[at(i / 8 * 16 + 8 + i % 8)] == expected[at(i)]);
}

TEST_CASE("interior_operator: views of any layout")
{
  auto const box = bent_box({3, 2, 1});
  sumfac::interior_operator<interior_penalty, 2> const F{sumfac::host{}, box};
  auto const u = support::random<double>(6 * 27, 1);
  auto const expected = applied(F, u);
  std::vector<double> from(8 * 27), to(8 * 27);
  using layout = sumfac::layout_interleaved<4>;
  using shape = sumfac::dextents<4>;
  layout::mapping<shape> const places(shape(6, 3, 3, 3));
  sumfac::view<double, shape, layout> const x(from.data(), places), y(to.data(), places);
  for (int i = 0; i < 6 * 27; ++i) x(i / 27, i / 9 % 3, i / 3 % 3, i % 3) = u[at(i)];
  F.apply(x, y);
  for (int i = 0; i < 6 * 27; ++i) CHECK(y(i / 27, i / 9 % 3, i / 3 % 3, i % 3) == expected[at(i)]);
}

TEST_CASE("interior_operator: the tangent of a flux that is not linear, and of what lies behind the boundary")
{
  constexpr auto space = quadrilateral(2);
  auto const box = sumfac::box_mesh(
      {3, 2},
      [](sumfac::vector<double, 2> const& x) {
        return sumfac::vector<double, 2>{x[0] + 0.1 * x[1] * x[1], x[1] + 0.1 * x[0]};
      },
      2);
  sumfac::interior_operator<burgers, space> const F{sumfac::host{}, box};
  sumfac::interior_operator<sumfac::tangent<burgers>, space> const J{sumfac::host{}, box};
  std::size_t const size = 6 * 9;
  // Where all flows one way the flux is a square, and differences are exact.
  auto u = support::random<double>(size, 1), w = support::random<double>(size, 2);
  for (double& x : u) x = 2 + 0.3 * x;
  auto ahead = u, behind = u;
  for (std::size_t i = 0; i < size; ++i) ahead[i] += 0.25 * w[i], behind[i] -= 0.25 * w[i];
  auto expected = applied(F, ahead), other = applied(F, behind);
  for (std::size_t i = 0; i < size; ++i) expected[i] = 2 * (expected[i] - other[i]);
  std::vector<double> v(size, 9);
  J.apply(elements_of<2>(u, 6, 3), elements_of<2>(w, 6, 3), elements_of<2>(v, 6, 3));
  CHECK(difference(v, expected) < 1e-12);
  CHECK(inner(v, v) > 0.1);
}

namespace {

// A gas that comes in through the boundary, everywhere the same but for `slope`.
struct breeze {
  double slope = 0;

  template <class T>
  sumfac::vector<T, 4> operator()(sumfac::vector<T, 2> const& x) const
  {
    return {1 + slope * x[0], 0.3, -0.2 + slope * x[1], 2 - slope * x[1]};
  }
};

// The flux of Lax and Friedrichs through a side of unit normal, in plain numbers.
std::vector<real> gas_flux(std::vector<real> const& u, std::vector<real> const& w, std::vector<real> const& n)
{
  std::vector<real> mean(4, 0);
  real fastest = 0;
  for (auto const& of : {u, w}) {
    real const vx = of[1] / of[0], vy = of[2] / of[0], vn = vx * n[0] + vy * n[1];
    real const p = 0.4L * (of[3] - of[0] * (vx * vx + vy * vy) / 2);
    real const through[] = {of[0] * vn, of[1] * vn + p * n[0], of[2] * vn + p * n[1], (of[3] + p) * vn};
    for (std::size_t c = 0; c < 4; ++c) mean[c] += through[c] / 2;
    fastest = support::larger(fastest, std::abs(vn) + std::sqrt(1.4L * p / of[0]));
  }
  for (std::size_t c = 0; c < 4; ++c) mean[c] += fastest * (u[c] - w[c]) / 2;
  return mean;
}

// A gas on a mesh that is bent, beside the oracle.
void carries_gas(reference::grid const& block)
{
  using reference::face_point, reference::flat_field;
  constexpr auto space = quadrilateral(2);
  constexpr double slope = 0.1;
  auto const elements = index_t{block.elements()};
  sumfac::mesh const known{sumfac::view(block.nodes.data(), elements, 3, 3, 2)};
  auto pairs = reference::interior_faces(block);
  for (auto const& part : reference::hanging_faces(block)) pairs.push_back(part);
  reference::face_sums sums(block, {reference::gauss_lobatto(3), 4}, reference::gauss(4));
  sums.add(pairs, [](face_point const& in, face_point const&, flat_field const& u, flat_field const& w) {
    reference::both_sides v;
    v.in.value = gas_flux(u.value, w.value, in.normal);
    for (real const x : v.in.value) v.out.value.push_back(-x);
    return v;
  });
  sums.add(reference::boundary_sides(block, pairs), [](face_point const& x, flat_field const& u) {
    auto const of = breeze{slope}(sumfac::vector<real, 2>{x.position[0], x.position[1]});
    return flat_field{gas_flux(u.value, {of[0], of[1], of[2], of[3]}, x.normal), {}};
  });

  using form = gas::between<breeze>;
  sumfac::interior_operator<form, space> const F{sumfac::host{}, known, form{slope}};
  sumfac::interior_operator<sumfac::tangent<form>, space> const J{sumfac::host{}, known, form{slope}};
  auto const shaped = [&](auto& x) { return sumfac::view(x.data(), elements, 4, 3, 3); };
  auto const size = at(sums.size());
  auto u = support::random<double>(size, 1);
  auto const w = support::random<double>(size, 2);
  auto const calm = breeze{}(sumfac::vector<double, 2>{});
  for (std::size_t i = 0; i < size; ++i) u[i] = calm[int(i / 9 % 4)] + 0.1 * u[i];
  std::vector<double> v(size), z(size);
  F.apply(shaped(u), shaped(v));
  J.apply(shaped(u), shaped(w), shaped(z));
  // Differences of order 4 between numbers of more digits.
  real const h = 1e-5L;
  auto const moved = [&](int steps) {
    std::vector<real> there(size);
    for (std::size_t i = 0; i < size; ++i) there[i] = u[i] + steps * h * w[i];
    return sums.apply(there);
  };
  auto const here = moved(0), one = moved(1), back = moved(-1), two = moved(2), far_back = moved(-2);
  double most = 0;
  for (std::size_t i = 0; i < size; ++i) {
    CHECK(std::abs(double(v[i] - here[i])) < 1e-13);
    CHECK(std::abs(double(z[i] - (8 * (one[i] - back[i]) - two[i] + far_back[i]) / (12 * h))) < 1e-11);
    most = support::larger(most, std::abs(z[i]));
  }
  CHECK(most > 0.1);

  // The same everywhere, it stays as it is, however elements are bent.
  sumfac::interior_operator<form, space> const through{sumfac::host{}, known};
  sumfac::element_operator<gas::within, space> const within{sumfac::host{}, known};
  sumfac::sum const terms{within, through};
  for (std::size_t i = 0; i < size; ++i) u[i] = calm[int(i / 9 % 4)];
  within.apply(shaped(u), shaped(v));
  CHECK(inner(v, v) > 0.1);
  terms.apply(u, v);
  for (double const x : v) CHECK(std::abs(x) < 1e-13);
  // One sweep is what two are, of a system on quadrilaterals.
  for (std::size_t i = 0; i < size; ++i) u[i] = calm[int(i / 9 % 4)] + 0.1 * w[i];
  within.apply(shaped(u), shaped(z));
  through.apply_add(shaped(u), shaped(z));
  terms.apply(u, v);
  CHECK(difference(v, z) < 1e-13);
  CHECK(inner(z, z) > 0.1);
}

}  // namespace

TEST_CASE("interior_operator: a gas, what of it comes in, and the tangent of both sides, beside the oracle")
{
  carries_gas(beside_faces::turned_block(2));
  carries_gas(hanging_block(2, 1));
}

namespace {

// The diagonal beside F of unit vectors, on cubes that lie behind themselves, each turned in a way of its own, and one
// that does not: no element is coupled with another.
template <class Operator>
void has_its_diagonal(typename Operator::form_type const& form)
{
  constexpr int directions = Operator::directions, turns = sumfac::detail::turns_of_side(directions);
  constexpr index_t elements = 11;
  std::vector<double> xyz;
  sumfac::face_pairs pairs(elements, directions);
  for (index_t e = 0; e < elements; ++e) {
    for (int p = 0; p < 1 << directions; ++p)
      for (int c = 0; c < directions; ++c) xyz.push_back(p >> c & 1);
    // The opposite side, or one with nodes in common.
    if (e + 1 < elements) pairs.join({e, 0}, {e, e % 2 == 0 ? 2 * directions - 1 : 1}, int(e) % turns);
    if (directions > 1 && e % 2 == 0) pairs.join({e, 2}, {e, 1}, int(e / 2) % turns);
  }
  auto const nodes = sumfac::detail::element_view<directions>(xyz.data(), elements, 2, index_t{directions});
  Operator const F{{}, nodes, pairs, form};
  auto const shaped = [](auto& x) { return sumfac::detail::e_vector_of<Operator>(x.data(), elements); };
  std::size_t size = Operator::components;
  for (int d = 0; d < directions; ++d) size *= Operator::nodes_1d;
  std::vector<double> u(at(elements) * size), v(u.size()), d(u.size());
  F.diagonal(shaped(d));
  double most = 0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < u.size(); ++k) u[k] = k % size == i ? 1 : 0;
    F.apply(shaped(u), shaped(v));
    for (std::size_t k = i; k < u.size(); k += size) most = support::larger(most, std::abs(v[k] - d[k]));
  }
  CHECK(most < 1e-12 * std::sqrt(inner(d, d)));
}

}  // namespace

TEST_CASE("interior_operator: the diagonal of elements that lie behind themselves")
{
  has_its_diagonal<sumfac::interior_operator<interior_penalty, sumfac::line(3)>>({});
  has_its_diagonal<sumfac::interior_operator<interior_penalty, 2>>({});
  std::vector<double> const impedance{1, 3, 0.5, 2, 1.5, 4, 2.5, 1, 1, 3, 2};
  has_its_diagonal<sumfac::interior_operator<sound<2>, quadrilateral(2)>>({impedance.data()});
  if constexpr (!support::few) has_its_diagonal<sumfac::interior_operator<interior_penalty, 2, sumfac::checked>>({});
}

TEST_CASE("interior_operator: what does not fit is refused with both numbers")
{
  auto const box = bent_box({2, 1, 1}), other = bent_box({3, 1, 1});
  using interior = sumfac::interior_operator<interior_penalty, 1>;
  CHECK_THROWS_WITH((interior{sumfac::host{}, box.nodes(), other.interior_faces()}),
                    Catch::Contains("number of elements of the faces") && Catch::Contains("2") && Catch::Contains("3"));
  interior const F{sumfac::host{}, box};
  std::vector<double> u(16), v(24);
  CHECK_THROWS_WITH(F.apply(elements_of<3>(u, 2, 2), elements_of<3>(v, 3, 2)),
                    Catch::StartsWith("sumfac::interior_operator::apply: extent 0 (elements) of v does not match"));
  CHECK_THROWS_WITH(F.apply(elements_of<3>(u, 2, 2), elements_of<3>(u, 2, 2)), Catch::Contains("overlap"));
  // An element inside out, and two sides of one number that differ in size.
  std::vector<double> turned(box.data(), box.data() + box.size());
  for (std::size_t i = 2; i < turned.size() / 2; i += 3) turned[i] = -turned[i];
  CHECK_THROWS_WITH((interior{sumfac::host{}, sumfac::view(turned.data(), 2, 3, 3, 3, 3), box.interior_faces()}),
                    Catch::StartsWith("sumfac::interior_operator: element 0 has no gradients on side 0"));
  std::vector<double> larger(box.data(), box.data() + box.size());
  for (std::size_t i = larger.size() / 2; i < larger.size(); ++i) larger[i] *= 2;
  CHECK_THROWS_WITH((interior{sumfac::host{}, sumfac::view(larger.data(), 2, 3, 3, 3, 3), box.interior_faces()}),
                    Catch::Contains("are one and differ in size"));
  sumfac::face_pairs pairs(2, 3);
  CHECK_THROWS_WITH(pairs.join({0, 1}, {2, 0}, 0),
                    "sumfac::face_pairs::join: a side does not exist (element 2, side 0; "
                    "there are 2 elements of 6 sides)");
  CHECK_THROWS_WITH(pairs.join({0, 1}, {1, 0}, 8),
                    "sumfac::face_pairs::join: the turn does not exist (got 8, 0 to 7 expected)");
  // Of degree 1 nothing tells how a cube that is its own neighbour all around is turned.
  std::vector<int> same(8, 0);
  CHECK_THROWS_AS(sumfac::interior_faces(elements_of<3>(same, 1, 2), 1), sumfac::argument_error);
}
