// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tetrahedra and prisms, faces between elements and on the boundary, inverse masses, sums, several right sides and
// meshes that hang in a device's memory, beside the oracle or the host. `device_backend` is the including file's
// backend.
#pragma once

#include <sumfac/dofs/function_space.hpp>
#include <sumfac/form/several.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/element_sum.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/kinds_level.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/sum_level.hpp>
#include <sumfac/solver/transfer.hpp>

#include <catch2/catch.hpp>
#include <form/weak_penalty.hpp>
#include <operator/cells.hpp>
#include <operator/face_terms.hpp>
#include <operator/kept_by_faces.hpp>
#include <support/apart.hpp>

namespace cells_and_faces {

using beside_faces::agrees, beside_faces::applied, beside_faces::at, beside_faces::inverts;
using sumfac::index_t, sumfac::quadrilateral, sumfac::tetrahedron;
using numbers = std::vector<double>;
using faces = std::vector<reference::face>;
using sides = std::vector<reference::side>;

constexpr double rounding = 200 * std::numeric_limits<double>::epsilon();

// (k grad u, grad v) + (u, v) with a coefficient that a device calls.
struct growing {
  template <class T>
  SUMFAC_FUNCTION T operator()(sumfac::vector<T, 3> const& x) const
  {
    return sumfac::scalar_of<T>(1) + x[0] * x[0];
  }
};
inline auto heat()
{
  using namespace sumfac::weak;
  return integrate(coefficient(growing{}) * dot(grad(u), grad(v)) + u * v);
}

inline auto bent_square()
{
  return sumfac::box_mesh(
      {3, 2},
      [](sumfac::vector<double, 2> const& x) {
        return sumfac::vector<double, 2>{x[0] + 0.1 * x[1] * x[1], x[1] + 0.1 * x[0]};
      },
      2);
}

// Calls f(x, y) with views of x and of y's entries in the backend's memory.
template <class Backend, class Function>
void on_vectors(Backend const& backend, numbers const& x, numbers& y, Function const& f)
{
  auto const size = [](numbers const& of) { return static_cast<index_t>(of.size()); };
  support::on_backend(backend, x, y, [&](double const* from, double* to) {
    f(sumfac::view(from, size(x)), sumfac::view(to, size(y)));
  });
}

// What an operator through some restrictions has: A x, y + A x, and its diagonal.
template <class Backend, class Apply, class Add, class Diagonal>
numbers all_of(Backend const& backend, index_t size, Apply const& apply, Add const& add, Diagonal const& diagonal)
{
  auto const x = support::random<double>(at(size), 3);
  numbers y(x.size(), std::nan("")), sum = support::random<double>(at(size), 4), d = y;
  on_vectors(backend, x, y, apply);
  on_vectors(backend, x, sum, add);
  on_vectors(backend, x, d, [&](auto const&, auto const& to) { diagonal(to); });
  y.insert(y.end(), sum.begin(), sum.end());
  y.insert(y.end(), d.begin(), d.end());
  return y;
}

// Down to degree 1 on tetrahedra that are turned, and up again.
template <class Backend>
numbers of_lower_degree()
{
  Backend const backend;
  auto const mesh = checks::box_of_cells(tetrahedron(1), 2).mesh<sumfac::cell_mesh<3>>();
  sumfac::function_space const V(mesh, 3, mesh.boundary()), W(mesh, 1);
  auto const R = V.restriction(backend), S = W.restriction(backend);
  sumfac::transfer<tetrahedron(3), tetrahedron(1), double, Backend> const t{R, S};
  auto const x = support::random<double>(at(V.size()), 3);
  numbers down(at(W.size())), up(x.size()), solution(down.size());
  on_vectors(backend, x, down, [&](auto const& from, auto const& to) { t.restrict_residual(from, to); });
  on_vectors(backend, down, up, [&](auto const& from, auto const& to) { t.prolong(from, to); });
  on_vectors(backend, x, solution, [&](auto const& from, auto const& to) { t.interpolate(from, to); });
  up.insert(up.end(), down.begin(), down.end());
  up.insert(up.end(), solution.begin(), solution.end());
  return up;
}

// A volume, and Robin's terms on its boundary.
template <class Backend>
numbers of_sum(sumfac::scatter policy)
{
  Backend const backend;
  auto const mesh = bent_square();
  sumfac::function_space<2> const V{mesh, 3, mesh.boundary("x0")};
  auto const on_boundary = V.on(mesh.boundary());
  sumfac::restriction_options const options{.policy = policy};
  auto const R = V.restriction(backend, options), S = on_boundary.restriction(backend, options);
  sumfac::element_operator<sumfac::laplace, quadrilateral(3), Backend> const K{backend, mesh};
  sumfac::element_operator<sumfac::mass, sumfac::curve(3, 2), Backend> const B{backend, on_boundary.mesh()};
  sumfac::sum const L{sumfac::part{K, R}, 0.5 * sumfac::part{B, S}};
  return all_of(
      backend, V.size(), [&](auto const& x, auto const& y) { L.apply(x, y); },
      [&](auto const& x, auto const& y) { L.apply_add(x, y); }, [&](auto const& d) { L.diagonal(d); });
}

// The Laplacian of a degree, and Nitsche's terms on all sides, where nothing is constrained.
template <int Degree, class Backend>
struct by_nitsche {
  static constexpr auto space = quadrilateral(Degree);
  static constexpr int n = Degree + 1;

  by_nitsche(sumfac::mesh<2> const& mesh, Backend const& backend, sumfac::scatter policy)
      : V(mesh, Degree),
        numbers(sumfac::owner_table(V.table(), mesh.boundary())),
        places(sumfac::owner_nodes(mesh, mesh.boundary())),
        faces(static_cast<index_t>(mesh.boundary().size())),
        R(V.restriction(backend, {.policy = policy})),
        S(backend, sumfac::view(numbers.data(), faces, n, n), V.nodes(), {.policy = policy}),
        K(backend, mesh),
        F(backend, behind(), {.penalty = 4.0 * n * n})
  {
  }
  auto behind() const { return sumfac::view(places.data(), faces, 3, 3, 2); }
  auto sum() const { return sumfac::sum{sumfac::part{K, R}, 1.5 * sumfac::part{F, S}}; }

  sumfac::function_space<2> V;
  std::vector<index_t> numbers;
  std::vector<double> places;
  index_t faces;
  sumfac::restriction<double, Backend> R, S;
  sumfac::element_operator<sumfac::laplace, space, Backend> K;
  sumfac::face_operator<face_terms::nitsche, space, Backend> F;
};

// What it does.
template <class Backend>
numbers of_nitsche(sumfac::scatter policy)
{
  Backend const backend;
  by_nitsche<3, Backend> const terms(bent_square(), backend, policy);
  auto const A = terms.sum();
  return all_of(
      backend, A.size(), [&](auto const& x, auto const& y) { A.apply(x, y); },
      [&](auto const& x, auto const& y) { A.apply_add(x, y); }, [&](auto const& d) { A.diagonal(d); });
}
// What conjugate gradients with multigrid find, whose lower level has the same terms.
template <class Backend>
numbers solved_by_nitsche()
{
  Backend const backend;
  auto const mesh = bent_square();
  by_nitsche<3, Backend> const terms(mesh, backend, sumfac::scatter::deterministic);
  auto const A = terms.sum();
  sumfac::multigrid const P{sumfac::p_levels<3, 1>(A, mesh, terms.behind())};
  auto const b = support::random<double>(at(A.size()), 8);
  numbers x(b.size(), 0), y(b.size());
  on_vectors(backend, b, x, [&](auto const& from, auto const& to) {
    auto const result = sumfac::cg(A, from, to, P, {.tolerance = 1e-12});
    INFO(result.report());
    CHECK(result);
    CHECK(result.iterations <= 14);
  });
  on_vectors(backend, x, y, [&](auto const& from, auto const& to) { A.apply(from, to); });
  CHECK(support::apart(y, b) < 1e-10);
  return x;
}

// Four right sides at once.
template <class Backend, class Geometry>
numbers of_several()
{
  Backend const backend;
  auto const mesh = sumfac::box_mesh({3, 2, 1}, [](auto const& x) {
    return sumfac::vector<double, 3>{x[0] + 0.1 * x[1], x[1] + 0.1 * x[0] * x[2], x[2]};
  });
  sumfac::function_space const V(mesh, 2, mesh.boundary("x0"), {.components = 4});
  auto const R = V.restriction(backend);
  sumfac::element_operator<sumfac::several<sumfac::stiffness, 4>, 2, Backend, Geometry> const A{
      backend, mesh, sumfac::stiffness{.lambda = 2}};
  return all_of(
      backend, V.size(), [&](auto const& x, auto const& y) { A.apply(R, x, y); },
      [&](auto const& x, auto const& y) { A.apply_add(R, x, y); }, [&](auto const& d) { A.diagonal(R, d); });
}

// A mesh some of whose elements are cut, those at a corner twice.
template <auto Space>
auto cut_box()
{
  constexpr int d = sumfac::space(Space).directions;
  int cells[d] = {2, 1};
  if constexpr (d == 3) cells[2] = 1;
  auto const box = sumfac::box_mesh(
      cells,
      [](sumfac::vector<double, d> const& x) {
        auto place = x;
        place[0] += 0.1 * x[1] * x[1], place[d - 1] += 0.2 * x[0] * x[1];
        return place;
      },
      2);
  return sumfac::refine(sumfac::refine(box, std::vector<index_t>{0}), std::vector<index_t>{0});
}

// The Laplacian on it, and of low degrees what conjugate gradients, plain and merged, find.
template <auto Space, class Backend>
numbers of_hanging(sumfac::restriction_options const& options = {})
{
  Backend const backend;
  auto const mesh = cut_box<Space>();
  constexpr int degree = sumfac::space(Space).degree;
  sumfac::function_space const V{mesh, degree, mesh.boundary("x1")};
  REQUIRE(V.hanging().size() > 0);
  sumfac::element_operator<sumfac::laplace, Space, Backend> const A{backend, mesh};
  auto const R = V.restriction(backend, options);
  if constexpr (!sumfac::runs_on_host<Backend>) CHECK(R.storage().by_masks().has_masks());
  auto made = all_of(
      backend, V.size(), [&](auto const& x, auto const& y) { A.apply(R, x, y); },
      [&](auto const& x, auto const& y) { A.apply_add(R, x, y); }, [&](auto const& d) { A.diagonal(R, d); });
  if constexpr (degree <= 2) {
    sumfac::global_operator const L{A, R};
    auto const d = support::uploaded(backend, numbers(made.end() - V.size(), made.end()));
    sumfac::jacobi const P{backend, sumfac::view(static_cast<double const*>(d.data()), V.size())};
    auto b = support::random<double>(at(V.size()), 8);
    for (index_t i = 0; i < V.size(); ++i)
      if (R.table().constrained(i, 0)) b[at(i)] = 0;
    for (bool const merged : {false, true}) {
      numbers x(b.size(), 0);
      on_vectors(backend, b, x, [&](auto const& from, auto const& to) {
        sumfac::cg_options const accurate{.iterations = 500, .tolerance = 1e-13};
        CHECK((merged ? sumfac::merged_cg(L, from, to, P, accurate) : sumfac::cg(L, from, to, P, accurate)));
        R.distribute(to);
      });
      made.insert(made.end(), x.begin(), x.end());
    }
  }
  return made;
}

template <auto Space>
void hangs_alike()
{
  auto const expected = of_hanging<Space, sumfac::host>();
  auto const got = of_hanging<Space, device_backend>();
  CHECK(support::apart(got, expected) < 1e-11);
  CHECK(of_hanging<Space, device_backend>() == got);
  CHECK(support::apart(of_hanging<Space, device_backend>({.policy = sumfac::scatter::atomic}), expected) < 1e-11);
}

// What conjugate gradients find for discontinuous functions, by multigrid with continuous ones behind them.
template <class Backend>
numbers of_jumping(sumfac::mesh<2> const& mesh)
{
  Backend const backend;
  sumfac::element_operator<sumfac::laplace, quadrilateral(1), Backend> const K{backend, mesh};
  sumfac::interior_operator<two_sided::interior_penalty, quadrilateral(1), Backend> const F{backend, mesh};
  sumfac::sum const A{K, F};
  auto const R = sumfac::function_space{mesh, 1, mesh.boundary()}.restriction(backend);
  sumfac::multigrid const P{sumfac::p_levels<1>(A, K, mesh, R)};
  auto const b = support::random<double>(at(A.size()), 3);
  numbers x(b.size(), 0), y(b.size());
  on_vectors(backend, b, x, [&](auto const& from, auto const& to) {
    auto const result = sumfac::cg(A, from, to, P, {.tolerance = 1e-10});
    INFO(result.report());
    CHECK(result);
    CHECK(result.iterations <= 9);
  });
  on_vectors(backend, x, y, [&](auto const& from, auto const& to) { A.apply(from, to); });
  CHECK(support::apart(y, b) < 1e-8);
  return x;
}

// Advection: terms within elements and what flows between them, by the host, by one kernel and by two. The last group
// of elements is not full.
template <int Order, class Backend>
void is_swept_once()
{
  using two_sided::advection, two_sided::upwind;
  constexpr index_t n = Order + 1;
  auto const mesh = sumfac::box_mesh({3, 3, 1}, [](auto const& x) {
    return sumfac::vector<double, 3>{x[0] + 0.1 * x[1], x[1] + 0.1 * x[0] * x[2], x[2]};
  });
  index_t const elements = mesh.elements(), size = elements * n * n * n;
  auto const u = support::random<double>(at(size), 3);
  numbers expected(u.size()), one(u.size(), 7), two(u.size(), 8);
  sumfac::element_operator<advection, Order> const K_host{sumfac::host{}, mesh};
  sumfac::interior_operator<upwind, Order> const F_host{sumfac::host{}, mesh};
  (sumfac::sum{K_host, F_host}).apply(u, expected);
  Backend const backend;
  sumfac::element_operator<advection, Order, Backend> const K{backend, mesh};
  sumfac::interior_operator<upwind, Order, Backend> const F{backend, mesh};
  sumfac::sum const A{K, F};
  static_assert(A.sweep.possible);
  auto const run = [&](numbers& y, auto const& apply) {
#if defined(SUMFAC_EMULATED_DEVICE)
    backend.synchronize();
    auto const launched = emulated::here().counts.kernels, loaded = emulated::bytes_loaded;
#else
    constexpr std::size_t launched = 0, loaded = 0;
#endif
    std::pair<std::size_t, std::size_t> counts{launched, loaded};
    on_vectors(backend, u, y, apply);
#if defined(SUMFAC_EMULATED_DEVICE)
    counts = {emulated::here().counts.kernels - launched, emulated::bytes_loaded - loaded};
#endif
    return counts;
  };
  auto const of_one = run(one, [&](auto const& x, auto const& y) { A.template apply<1>(x, y); });
  auto const of_two = run(two, [&](auto const& x, auto const& y) { A.template apply<2>(x, y); });
  CHECK(support::apart(one, expected) < rounding);
  CHECK(support::apart(one, two) < rounding);
  numbers again(u.size(), 9);
  run(again, [&](auto const& x, auto const& y) { A.template apply<1>(x, y); });
  CHECK(again == one);
#if defined(SUMFAC_EMULATED_DEVICE)
  CHECK(of_one.first == 1);
  CHECK(of_two.first == 2);
  CHECK(of_two.second - of_one.second == at(elements * 6 * n * n) * sizeof(double));  // u of its own sides
#else
  static_cast<void>(of_one), static_cast<void>(of_two);
#endif
}

// A template: nvcc 13 rewrites the names of types elsewhere, by spaces that it does not declare.
template <class Backend>
void faces_agree()
{
  using reference::gauss, reference::gauss_lobatto, reference::face_point;
  using two_sided::interior_penalty;
  auto const sip = [](reference::face_sums& sums, faces const& pairs, sides const& boundary) {
    sums.add(pairs, reference::interior_penalty(
                        [](face_point const& in, face_point const& out) { return 5 / in.height + 5 / out.height; }));
    sums.add(boundary, reference::weak_dirichlet([](face_point const& x) { return 20 / x.height; }));
  };
  agrees<sumfac::interior_operator<interior_penalty, 2, Backend>>(gauss_lobatto(3), gauss(4), sip);
  agrees<sumfac::interior_operator<interior_penalty, sumfac::hexahedron(3, sumfac::node_placement::gauss), float,
                                   Backend>>(gauss(4), gauss(5), sip);
  agrees<sumfac::interior_operator<decltype(weak_penalty::with_conductivity()), quadrilateral(2), Backend>>(
      gauss_lobatto(3), gauss(4), weak_penalty::add, weak_penalty::with_conductivity());
  beside_faces::turns_alike<3, Backend>(interior_penalty{});
  beside_faces::keeps_free_stream<3, 2, Backend>();
}

// Faces of large elements with small ones, of values and slopes, at nodes of both kinds.
template <class Backend>
void hanging_faces_agree()
{
  using reference::gauss, reference::gauss_lobatto, reference::face_point;
  using two_sided::interior_penalty, beside_faces::hanging_block;
  auto const sip = [](reference::face_sums& sums, faces const& pairs, sides const& boundary) {
    sums.add(pairs, reference::interior_penalty(
                        [](face_point const& in, face_point const& out) { return 5 / in.height + 5 / out.height; }));
    sums.add(boundary, reference::weak_dirichlet([](face_point const& x) { return 20 / x.height; }));
  };
  for (int way = 0; way < 3; ++way) {
    agrees<sumfac::interior_operator<interior_penalty, 2, Backend>>(gauss_lobatto(3), gauss(4), sip, {},
                                                                    hanging_block(3, way));
    agrees<sumfac::interior_operator<decltype(weak_penalty::with_conductivity()), quadrilateral(2), Backend>>(
        gauss_lobatto(3), gauss(4), weak_penalty::add, weak_penalty::with_conductivity(), hanging_block(2, way));
  }
  agrees<sumfac::interior_operator<interior_penalty, sumfac::hexahedron(3, sumfac::node_placement::gauss), float,
                                   Backend>>(gauss(4), gauss(5), sip, {}, hanging_block(3, 1));
  beside_faces::hangs_alike<3, Backend>();
}

}  // namespace cells_and_faces

TEST_CASE("device: tetrahedra and prisms")
{
  using namespace cells_and_faces;
  checks::agrees_on_teams<checks::drift, tetrahedron(1), double, device_backend>();
  checks::agrees_on_teams<checks::drift, tetrahedron(2), double, device_backend>();
  checks::agrees_on_teams<sumfac::stiffness, tetrahedron(3), float, device_backend>({.lambda = 0.3});
  checks::agrees_on_teams<sumfac::laplace, tetrahedron(4), double, device_backend>();
  checks::agrees_on_teams<sumfac::vector_mass<2>, sumfac::prism(1), double, device_backend>();
  checks::agrees_on_teams<sumfac::stiffness, tetrahedron(2), double, device_backend, sumfac::affine>({.lambda = 0.3});
  checks::agrees_on_teams<sumfac::laplace, tetrahedron(4), double, device_backend, sumfac::affine>();
  checks::agrees_on_teams<sumfac::laplace, tetrahedron(4), double, device_backend, sumfac::stored, tetrahedron(4),
                          checks::by_matrices<32>>();
  checks::agrees_on_teams<sumfac::vector_laplace<3>, tetrahedron(3), double, device_backend, sumfac::stored,
                          tetrahedron(3), checks::by_matrices<16>>({}, 2);
  checks::agrees_on_teams<decltype(heat()), tetrahedron(2), double, device_backend>(heat());
  checks::agrees_on_teams<sumfac::tangent<checks::hardening>, tetrahedron(2), double, device_backend>();
  CHECK(support::apart(of_lower_degree<device_backend>(), of_lower_degree<sumfac::host>()) < 1e-12);
  using sumfac::stored;
  checks::agrees_on_teams<checks::drift, tetrahedron(3), double, device_backend, stored, checks::of_any_size(3)>({}, 2);
  checks::agrees_on_teams<sumfac::tangent<checks::hardening>, tetrahedron(2), double, device_backend, stored,
                          checks::of_any_size(3)>();
}

TEST_CASE("device: faces between elements") { cells_and_faces::faces_agree<device_backend>(); }

TEST_CASE("device: faces of large elements with small ones") { cells_and_faces::hanging_faces_agree<device_backend>(); }

TEST_CASE("device: the tangent of fluxes between elements")
{
  using namespace cells_and_faces;
  device_backend const backend;
  for (auto const& mesh : {bent_square(), sumfac::refine(bent_square(), {0})}) {
    sumfac::interior_operator<two_sided::burgers, quadrilateral(2), device_backend> const F{backend, mesh};
    sumfac::interior_operator<sumfac::tangent<two_sided::burgers>, quadrilateral(2), device_backend> const J{backend,
                                                                                                             mesh};
    auto const size = at(9 * mesh.elements());
    auto u = support::random<double>(size, 1);
    auto const w = support::random<double>(size, 2);
    for (double& x : u) x = 2 + 0.3 * x;
    auto ahead = u, behind = u;
    for (std::size_t i = 0; i < size; ++i) ahead[i] += 0.25 * w[i], behind[i] -= 0.25 * w[i];
    auto const over = applied(F, ahead), under = applied(F, behind);
    auto const state = support::uploaded(backend, u);
    auto const shaped = [&](auto* x) { return sumfac::view(x, mesh.elements(), 3, 3); };
    numbers v(size, 9);
    support::on_backend(backend, w, v, [&](double const* from, double* to) {
      J.apply(shaped(static_cast<double const*>(state.data())), shaped(from), shaped(to));
    });
    for (std::size_t i = 0; i < size; ++i) CHECK(v[i] == Approx(2 * (over[i] - under[i])).margin(1e-12));
    CHECK(beside_faces::inner(v, v) > 0.1);
  }
}

TEST_CASE("device: multigrid of discontinuous functions")
{
  auto const cut = sumfac::refine(sumfac::box_mesh({4, 4}), {0, 1, 4, 5});
  for (auto const& mesh : {sumfac::box_mesh({8, 8}), cut}) {
    auto const x = cells_and_faces::of_jumping<device_backend>(mesh);
    CHECK(cells_and_faces::of_jumping<device_backend>(mesh) == x);
  }
}

TEST_CASE("device: terms within elements and on their sides in one kernel")
{
  cells_and_faces::is_swept_once<3, device_backend>();
}

TEST_CASE("device: inverse masses")
{
  using namespace cells_and_faces;
  inverts<sumfac::inverse_mass<2, device_backend>>();
  inverts<sumfac::inverse_mass<quadrilateral(3), float, sumfac::gauss_lobatto<4>, device_backend>>();
}

TEST_CASE("device: a sum of terms within elements and on the boundary")
{
  using namespace cells_and_faces;
  auto const expected = of_sum<sumfac::host>(sumfac::scatter::deterministic);
  auto const got = of_sum<device_backend>(sumfac::scatter::deterministic);
  CHECK(support::apart(got, expected) < rounding);
  CHECK(got == of_sum<device_backend>(sumfac::scatter::deterministic));
  CHECK(support::apart(of_sum<device_backend>(sumfac::scatter::atomic), expected) < rounding);
}

TEST_CASE("device: terms on sides that know the elements behind them") { face_terms::all_agree<device_backend>(); }

TEST_CASE("device: Nitsche's method by multigrid")
{
  using namespace cells_and_faces;
  using sumfac::scatter;
  auto const expected = of_nitsche<sumfac::host>(scatter::deterministic);
  auto const got = of_nitsche<device_backend>(scatter::deterministic);
  CHECK(support::apart(got, expected) < rounding);
  CHECK(got == of_nitsche<device_backend>(scatter::deterministic));
  CHECK(support::apart(of_nitsche<device_backend>(scatter::atomic), expected) < rounding);
  auto const x = solved_by_nitsche<device_backend>();
  CHECK(solved_by_nitsche<device_backend>() == x);
}

TEST_CASE("device: several right sides at once")
{
  using namespace cells_and_faces;
  auto const expected = of_several<sumfac::host, sumfac::stored>();
  CHECK(support::apart(of_several<device_backend, sumfac::stored>(), expected) < rounding);
  CHECK(support::apart(of_several<device_backend, sumfac::trilinear>(), expected) < rounding);
}

TEST_CASE("device: meshes that hang")
{
  using namespace cells_and_faces;
  hangs_alike<quadrilateral(1)>();
  hangs_alike<sumfac::hexahedron(2)>();
  hangs_alike<quadrilateral(3)>();
  hangs_alike<quadrilateral(4)>();
}
