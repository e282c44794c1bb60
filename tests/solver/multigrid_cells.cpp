// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Lower degrees on triangles, tetrahedra and prisms: their nodes, transfers between them, multigrid.
#include "../operator/cells.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/dofs/mixed_space.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/form/weak.hpp>
#include <sumfac/form/weak_faces.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/mixed_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/face_operator.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/interior_operator.hpp>
#include <sumfac/operator/sum_by_kind.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/kinds_level.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/sum_level.hpp>
#include <sumfac/solver/transfer.hpp>

#include <support/larger.hpp>
#include <support/random.hpp>

#include <optional>
#include <set>
#include <type_traits>
#include <utility>

namespace {

using checks::box_of_cells;
using sumfac::tetrahedron, sumfac::triangle, sumfac::prism, sumfac::index_t;
using triangles = sumfac::cell_mesh<2>;
using tetrahedra = sumfac::cell_mesh<3>;
using prisms = sumfac::cell_mesh<3, 3, sumfac::cell_shape::prism>;
constexpr auto on_left = [](auto const& x) { return x[0] < 1e-9; };

// As many nodes as a space of the lower degree has, one for each of its numbers, fixed where those are.
template <class Mesh>
void has_lower_nodes(sumfac::space const& of, int degree)
{
  CAPTURE(int(of.shape), of.directions, of.degree, degree);
  auto const mesh = box_of_cells(of, 2).mesh<Mesh>();
  sumfac::function_space const fine(mesh, of.degree, mesh.boundary(on_left)),
      coarse(mesh, degree, mesh.boundary(on_left));
  auto const r = fine.restriction(sumfac::host{});
  sumfac::detail::coarse_nodes const made(sumfac::host{}, r.table(), {of, degree});
  REQUIRE(made.nodes == coarse.nodes());
  std::set<std::pair<index_t, index_t>> both;
  index_t const size = coarse.table().extent(1);
  for (index_t e = 0; e < mesh.elements(); ++e)
    for (index_t p = 0; p < size; ++p) {
      index_t const node = made.numbers[std::size_t(e * size + p)], expected = coarse.table()(e, p);
      both.insert({node, expected});
      CHECK((made.marks[std::size_t(node)] != 0) == coarse.is_fixed(expected));
    }
  CHECK(index_t(both.size()) == coarse.nodes());
}

// ((t_0 + 2 t_1) u, v), t of degree 1 whatever that of u is.
struct heated {
  using inputs = sumfac::reads<sumfac::input{.components = 2, .order = 1}>;
  static constexpr auto trial = sumfac::value, test = sumfac::value;

  template <class T>
  struct factors {
    T measure;
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, 2> const& x) const
  {
    return {x.measure()};
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, 2> apply(factors<T> const& f, sumfac::point_values<T, 1, 2> const& u,
                                                      sumfac::point_values<T, 2, 2> const& t) const
  {
    return {.value = f.measure * ((t.value[0] + sumfac::scalar_of<T>(2) * t.value[1]) * u.value)};
  }
};

template <class Backend, sumfac::space Fine, int Coarse, class Mesh>
void carries_polynomials()
{
  constexpr sumfac::space lower = sumfac::detail::at_degree<Fine, Coarse>();
  CAPTURE(int(Fine.shape), Fine.directions, Fine.degree);
  auto const mesh = box_of_cells(Fine, 2).mesh<Mesh>();
  sumfac::function_space const fine(mesh, Fine.degree), coarse(mesh, Coarse);
  Backend const backend;
  auto const r = fine.restriction(backend), s = coarse.restriction(backend);
  sumfac::transfer<Fine, lower, double, Backend> const t{r, s};
  auto const f = [](auto const& x) { return 1 + x[0] - 2 * std::pow(x[1], Coarse); };
  std::vector<double> const u = coarse.values(f), v = fine.values(f);
  std::vector<double> up(v.size()), down(u.size());
  t.prolong(u, up);
  t.interpolate(v, down);
  for (std::size_t i = 0; i < v.size(); ++i) CHECK(up[i] == Approx(v[i]).margin(1e-13));
  for (std::size_t i = 0; i < u.size(); ++i) CHECK(down[i] == Approx(u[i]).margin(1e-13));
  auto const x = support::random<double>(u.size(), 1), y = support::random<double>(v.size(), 2);
  t.prolong(x, up);
  t.restrict_residual(y, down);
  double one = 0, other = 0;
  for (std::size_t i = 0; i < v.size(); ++i) one += up[i] * y[i];
  for (std::size_t i = 0; i < u.size(); ++i) other += down[i] * x[i];
  CHECK(one == Approx(other).epsilon(1e-12));
}

// Steps of conjugate gradients for a Laplacian on cubes cut into tetrahedra: with levels, and by the diagonal.
template <int N, int... Lower>
std::pair<int, int> steps(int cells)
{
  auto const mesh = box_of_cells(tetrahedron(N), cells).mesh<tetrahedra>();
  sumfac::host const backend;
  sumfac::function_space const V(mesh, N, mesh.boundary());
  auto const R = V.restriction(backend);
  sumfac::element_operator<sumfac::laplace, tetrahedron(N)> const A{backend, mesh};
  sumfac::global_operator const L{A, R};
  std::vector<double> const b = V.load([](auto const& x) { return 1 + x[0]; });
  std::vector<double> x(b.size()), y(b.size()), d(b.size());
  L.diagonal(d);
  sumfac::cg_options const accurate{.iterations = 500, .tolerance = 1e-8};
  sumfac::multigrid const P{sumfac::p_levels<float, N, Lower...>(A, mesh, R), {.smoother = sumfac::chebyshev{3}}};
  auto const by_levels = sumfac::cg(L, b, x, P, accurate);
  auto const by_diagonal = sumfac::cg(L, b, y, sumfac::jacobi{backend, d}, accurate);
  CHECK((by_levels && by_diagonal));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == Approx(y[i]).margin(1e-6));
  return {int(by_levels.iterations), int(by_diagonal.iterations)};
}

}  // namespace

TEST_CASE("transfer: nodes of lower degrees on simplices and prisms")
{
  has_lower_nodes<triangles>(triangle(7), 4);
  has_lower_nodes<tetrahedra>(tetrahedron(2), 1);
  has_lower_nodes<tetrahedra>(tetrahedron(5), 4);
  has_lower_nodes<tetrahedra>(tetrahedron(7), 4);
  has_lower_nodes<prisms>(prism(5), 3);
}

TEST_CASE("transfer: polynomials between degrees on simplices and prisms")
{
  carries_polynomials<sumfac::host, tetrahedron(4), 2, tetrahedra>();
  carries_polynomials<sumfac::checked, triangle(3), 1, triangles>();
  carries_polynomials<sumfac::checked, prism(2), 1, prisms>();
}

TEST_CASE("multigrid: tetrahedra take as few steps on more of them")
{
  auto const [few, by_diagonal] = steps<3, 1>(3);
  auto const [more, more_by_diagonal] = steps<3, 1>(5);
  CAPTURE(few, by_diagonal, more, more_by_diagonal);
  CHECK(more <= 13);
  CHECK(more <= few + 2);
  CHECK(more_by_diagonal > 4 * more);
}

TEST_CASE("multigrid: a tangent's state on levels of tetrahedra")
{
  auto const mesh = box_of_cells(tetrahedron(2), 2).mesh<tetrahedra>();
  sumfac::host const backend;
  sumfac::function_space const V(mesh, 2, mesh.boundary());
  auto const R = V.restriction(backend);
  sumfac::element_operator<sumfac::tangent<checks::hardening>, tetrahedron(2)> J{backend, mesh};
  auto const u = V.values([](auto const& x) { return 10 * x[0] * x[1] * x[2] * (1 - x[0]) * (1 - x[1]) * (1 - x[2]); });
  J.linearize(R, u);
  auto const levels = sumfac::p_levels<2, 1>(J, mesh, R, sumfac::field(R, u));
  // At the vertices the state is u, whose values elsewhere the lower degree does not know.
  sumfac::function_space const W(mesh, 1, mesh.boundary());
  auto const S = W.restriction(backend);
  sumfac::element_operator<sumfac::tangent<checks::hardening>, tetrahedron(1)> expected{backend, mesh};
  expected.linearize(S, W.values(V, u));
  auto const& made = levels.coarsest().element_operator();
  for (index_t e = 0; e < mesh.elements(); ++e) {
    auto const one = made.element_matrix(e), other = expected.element_matrix(e);
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i] == Approx(other[i]).margin(1e-13));
  }
}

TEST_CASE("multigrid: an input of a degree of its own on levels of triangles, and those that are none")
{
  auto const mesh = box_of_cells(triangle(2), 2).mesh<triangles>();
  sumfac::host const backend;
  sumfac::function_space const V(mesh, 2), W(mesh, 1);
  auto const R = V.restriction(backend), S = W.restriction(backend);
  sumfac::restriction const of_t(backend, W.table(), W.nodes(), {.components = 2});
  auto t = support::random<double>(std::size_t(2 * W.nodes()), 1);
  auto const field_t = sumfac::field(of_t, t);
  sumfac::element_operator<heated, triangle(2)> A{backend, mesh};
  A.linearize(field_t);
  auto levels = sumfac::p_levels<2, 1>(A, mesh, R, field_t);
  sumfac::element_operator<heated, triangle(1)> expected{backend, mesh};
  auto const is_as_made_there = [&] {
    expected.linearize(field_t);
    for (index_t e = 0; e < mesh.elements(); ++e) {
      auto const one = levels.coarsest().element_operator().element_matrix(e), other = expected.element_matrix(e);
      for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i] == Approx(other[i]).margin(1e-13));
    }
  };
  is_as_made_there();
  for (double& x : t) x = 1 - x;
  levels.linearize(field_t);
  is_as_made_there();

  // As many entries that lie otherwise, and of as many more nodes.
  auto const is_refused = [&](sumfac::restriction<> const& r, std::string const& what, std::string const& numbers) {
    CHECK_THROWS_WITH(levels.linearize(r, t),
                      Catch::Contains("sumfac::levels::linearize: " + what) && Catch::Contains(numbers));
  };
  is_refused({backend, W.table(), W.nodes(), {.components = 2, .components_lie = sumfac::interleaving::slowest}},
             "interleaving of the state's restriction", "expected 0, got 1");
  is_refused({backend, W.table(), 2 * W.nodes()}, "number of components of the state's restriction",
             "expected 2, got 1");
}

namespace {

// Squares beside triangles.
sumfac::mixed_mesh<2> mixed_square(int cells)
{
  box_of_cells right(triangle(1), cells);
  for (std::size_t i = 0; i < right.points.size(); i += 2) right.points[i] += 1;
  return sumfac::mesh{sumfac::box_mesh({cells, cells}), right.mesh<triangles>()};
}
// Cubes beside prisms, and tetrahedra above these.
sumfac::mixed_mesh<3> mixed_cubes(int cells)
{
  box_of_cells above(tetrahedron(1), cells);
  for (std::size_t i = 2; i < above.points.size(); i += 3) above.points[i] += 1;
  auto const left = [](auto const& x) { return sumfac::vector<double, 3>{x[0] - 1, x[1], x[2]}; };
  return sumfac::mesh{sumfac::box_mesh({cells, cells, cells}, left, 1), box_of_cells(prism(1), cells).mesh<prisms>(),
                      above.mesh<tetrahedra>()};
}

// Between the first two levels of a sum by kind a polynomial of the lower degree stays what it is, and restriction is
// the transpose, as dense matrices. The levels have moved since, and others are where they were.
template <int N, int Coarse, int... Lower, int D>
void carries_on_kinds(sumfac::mixed_mesh<D> const& mesh, sumfac::mixed_mesh<D> const& other)
{
  using namespace sumfac::weak;
  sumfac::function_space const V(mesh, N), W(mesh, Coarse), other_V(other, N);
  auto const a = integrate(dot(grad(u), grad(v)) + u * v);
  auto const A = sumfac::sum_by_kind<N>(sumfac::host{}, V, a),
             other_A = sumfac::sum_by_kind<N>(sumfac::host{}, other_V, a);
  std::optional made_levels(sumfac::p_levels<N, Coarse, Lower...>(A, mesh));
  auto const t = made_levels->template at<0>().make_transfer(made_levels->template at<1>(),
                                                             made_levels->template at<1>().restriction());
  auto const levels = std::move(*made_levels);
  made_levels.emplace(sumfac::p_levels<N, Coarse, Lower...>(other_A, other));
  auto const& coarse = levels.template at<1>();
  using finest = std::remove_cvref_t<decltype(levels.finest())>;
  static_assert(std::is_constructible_v<finest, decltype(A)&> && !std::is_constructible_v<finest, decltype(A)>,
                "a level refers to its matrix");
  REQUIRE(t.coarse_entries() == W.size());
  auto const f = [](auto const& x) { return 1 + x[0] - 2 * std::pow(x[D - 1], Coarse); };
  std::vector<double> const of_space = W.values(f), expected = V.values(f);
  std::vector<double> of_level(of_space.size(), -100), up(expected.size()), down(of_space.size());
  int kind = 0;
  W.for_each_kind([&](auto const& space) {
    auto const r = space.restriction(sumfac::host{});
    auto const &numbers = r.table(), &made = coarse.restriction().at(kind++).table();
    for (index_t e = 0; e < made.elements(); ++e)
      for (index_t p = 0; p < made.nodes_of_element(); ++p) {
        double &to = of_level[made(e, p)], here = of_space[numbers(e, p)];
        CHECK((to == -100 || to == here));  // whatever element the node is of
        to = here;
      }
  });
  t.prolong(of_level, up);
  for (std::size_t i = 0; i < up.size(); ++i) CHECK(up[i] == Approx(expected[i]).margin(1e-13));
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < up.size(); ++i) {
    std::vector<double> unit(up.size(), 0);
    unit[i] = 1;
    t.restrict_residual(unit, down);
    rows.push_back(down);
  }
  for (std::size_t j = 0; j < down.size(); ++j) {
    std::vector<double> unit(down.size(), 0);
    unit[j] = 1;
    t.prolong(unit, up);
    for (std::size_t i = 0; i < up.size(); ++i) CHECK(up[i] == Approx(rows[i][j]).margin(1e-14));
  }
}

// The sparse matrix of a sum multiplies as the sum does.
template <class Sum>
void is_assembled(Sum const& a)
{
  auto const matrix = sumfac::assemble(a);
  auto const x = support::random<double>(std::size_t(a.size()), 3);
  std::vector<double> y(x.size()), expected(x.size());
  matrix.apply(x, y);
  a.apply(x, expected);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == Approx(expected[i]).margin(1e-13));
}

// Steps of conjugate gradients by levels and by the diagonal, of diffusion, and that both find the same.
template <int N, int... Lower, int D>
std::pair<int, int> steps_on_kinds(sumfac::mixed_mesh<D> const& mesh)
{
  sumfac::host const backend;
  using namespace sumfac::weak;
  auto const a = integrate(dot(grad(u), grad(v)) + u * v);
  sumfac::function_space const V(mesh, N, mesh.boundary(on_left));
  auto const A = sumfac::sum_by_kind<N>(backend, V, a);
  std::vector<double> const b = V.load([](auto const& x) { return 1 + x[0]; });
  std::vector<double> x(b.size()), y(b.size()), d(b.size());
  A.diagonal(d);
  sumfac::cg_options const accurate{.iterations = 500, .tolerance = 1e-9};
  auto levels = sumfac::p_levels<N, Lower...>(A, mesh);
  is_assembled(levels.coarsest().matrix());
  sumfac::multigrid const P{std::move(levels)};
  auto const by_levels = sumfac::cg(A, b, x, P, accurate);
  auto const by_diagonal = sumfac::cg(A, b, y, sumfac::jacobi{backend, d}, accurate);
  CHECK((by_levels && by_diagonal));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == Approx(y[i]).margin(1e-6));
  return {int(by_levels.iterations), int(by_diagonal.iterations)};
}

// The numbers of a level's nodes in a space of its degree, by its elements.
template <class Level, class Space>
std::vector<std::size_t> numbers_in(Space const& W, Level const& level)
{
  std::vector<std::size_t> numbers(static_cast<std::size_t>(level.size()), std::size_t(W.size()));
  int kind = 0;
  auto const see = [&](auto const& space) {
    auto const r = space.restriction(sumfac::host{});
    auto const& made = level.restriction().at(kind++).table();
    for (index_t e = 0; e < made.elements(); ++e)
      for (index_t p = 0; p < made.nodes_of_element(); ++p) {
        auto const number = std::size_t(r.table()(e, p));
        CHECK((numbers[made(e, p)] == std::size_t(W.size()) || numbers[made(e, p)] == number));
        numbers[made(e, p)] = number;
      }
  };
  if constexpr (requires { W.for_each_kind(see); })
    W.for_each_kind(see);
  else
    see(W);
  return numbers;
}

// Of these meshes.
template <class Mesh>
auto leftmost(Mesh const& mesh)
{
  return mesh.boundary([](auto const& x) { return x[0] < (Mesh::directions == 3 ? -1 : 0) + 1e-9; });
}

// A lower level's matrix is P^T A P, where P is interpolation by the spaces, which rules are exact for on straight
// elements; and solves are the sum's, by few steps.
template <int N, int Coarse, class Sum, class Mesh, class... OnSides>
void is_galerkin(Sum const& L, Mesh const& mesh, int most, OnSides const&... on_sides)
{
  sumfac::function_space const V(mesh, N, leftmost(mesh)), W(mesh, Coarse, leftmost(mesh));
  auto levels = sumfac::p_levels<N, Coarse>(L, mesh, on_sides...);
  auto const& coarse = levels.coarsest();
  REQUIRE(coarse.size() == W.size());
  auto const numbers = numbers_in(W, coarse);
  std::vector<std::vector<double>> P;  // columns in the level's numbers
  for (std::size_t const number : numbers) {
    std::vector<double> unit(numbers.size(), 0);
    unit[number] = 1;
    P.push_back(V.values(W, unit));
    V.zero_fixed(P.back());
  }
  double greatest = 0;
  std::vector<std::vector<double>> expected;
  for (auto const& column : P) {
    std::vector<double> of_column(column.size());
    L.apply(column, of_column);
    expected.emplace_back();
    for (auto const& row : P) {
      expected.back().push_back(0);
      for (std::size_t i = 0; i < row.size(); ++i) expected.back().back() += row[i] * of_column[i];
      greatest = support::larger(greatest, std::abs(expected.back().back()));
    }
  }
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    std::vector<double> unit(numbers.size(), 0), y(numbers.size());
    unit[j] = 1;
    coarse.matrix().apply(unit, y);
    bool const fixed = W.is_fixed(index_t(numbers[j]));
    for (std::size_t i = 0; i < y.size(); ++i)
      CHECK(y[i] == Approx(fixed                             ? double(i == j)
                           : W.is_fixed(index_t(numbers[i])) ? 0
                                                             : expected[j][i])
                        .margin(1e-12 * greatest));
  }
  auto const b = V.load([](auto const& x) { return 1 + x[0]; });
  std::vector<double> x(b.size()), y(b.size()), d(b.size());
  L.diagonal(d);
  is_assembled(L);
  sumfac::multigrid const by{std::move(levels)};
  auto const by_levels = sumfac::cg(L, b, x, by, {.tolerance = 1e-10});
  auto const by_diagonal = sumfac::cg(L, b, y, sumfac::jacobi{sumfac::host{}, d}, {.tolerance = 1e-12});
  CHECK((by_levels && by_diagonal));
  CHECK(by_levels.iterations <= most);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == Approx(y[i]).margin(1e-8));
}

template <class Level>
double energy(Level const& level)
{
  auto const x = support::random<double>(std::size_t(level.size()), 5);
  std::vector<double> y(x.size());
  level.matrix().apply(x, y);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// Levels told of parameters are those made anew: of B where they were made of it, of K behind a sum on E-vectors.
template <int Lower, class Operator, class Mesh, class Restriction>
void has_parameters_of(Operator& A, Operator& B, Mesh const& mesh, Restriction const& R)
{
  constexpr int N = Operator::order;
  constexpr sumfac::weak::parameter<0> k{};
  A.form().set(k, 1), B.form().set(k, 30);
  auto const of_two = sumfac::p_levels<N, Lower>(A, B, mesh, R),
             kept = sumfac::p_levels<N, Lower>(A, Operator(sumfac::host{}, mesh, B.form()), mesh, R);
  auto const jumps = integrate_faces(jump(sumfac::weak::u) * jump(sumfac::weak::v));
  sumfac::interior_operator<decltype(jumps), Operator::options::space> const F(sumfac::host{}, mesh, jumps);
  sumfac::sum const jumping{A, F};
  auto const behind = sumfac::p_levels<N, Lower>(jumping, A, mesh, R);
  double const lower = energy(of_two.template at<1>()), last = energy(of_two.coarsest()),
               of_a = energy(behind.coarsest());
  REQUIRE(last > 5 * of_a);
  // A's degree on the coarser mesh is of B, too.
  auto const mesh_first = sumfac::p_levels<N, N, Lower>(A, B, mesh, R);
  double const on_coarser = energy(mesh_first.template at<1>());
  CHECK(on_coarser > 5 * energy(sumfac::p_levels<N, N, Lower>(A, mesh, R).template at<1>()));
  A.form().set(k, 1000);
  of_two.take_scales(), kept.take_scales(), behind.take_scales(), mesh_first.take_scales();
  CHECK(energy(mesh_first.template at<1>()) == on_coarser);
  CHECK(energy(of_two.template at<1>()) == lower);
  CHECK(energy(of_two.coarsest()) == last);
  CHECK(energy(kept.coarsest()) == last);
  CHECK(energy(behind.template at<2>()) > 20 * lower);
  CHECK(energy(behind.coarsest()) > 20 * last);
  B.form().set(k, 1000);
  of_two.take_scales(), kept.take_scales(), mesh_first.take_scales();
  CHECK(energy(mesh_first.template at<1>()) > 20 * on_coarser);
  CHECK(energy(mesh_first.coarsest()) == energy(sumfac::p_levels<N, N, Lower>(A, B, mesh, R).coarsest()));
  CHECK(energy(of_two.template at<1>()) == energy(behind.template at<2>()));
  CHECK(energy(of_two.coarsest()) == energy(behind.coarsest()));
  CHECK(energy(of_two.coarsest()) == energy(sumfac::p_levels<N, Lower>(A, B, mesh, R).coarsest()));
  CHECK(energy(kept.coarsest()) == last);
}

// Another number of a parameter of a part's form is, from update() on, that of levels made anew.
template <int Id, int N, class Sum, class Form, class... Meshes>
void takes(Sum const& L, Form& form, double few, double many, Meshes const&... meshes)
{
  constexpr sumfac::weak::parameter<Id> k{};
  form.set(k, few);
  sumfac::multigrid P{sumfac::p_levels<N, 2>(L, meshes...)};
  double const before = energy(P.levels().coarsest());
  form.set(k, many);
  P.update();
  CHECK(energy(P.levels().coarsest()) == energy(sumfac::p_levels<N, 2>(L, meshes...).coarsest()));
  CHECK(energy(P.levels().coarsest()) > 10 * before);
  form.set(k, few);
}

// A volume and a side of it, of one kind of elements, and what update() takes; of quadrilaterals with Nitsche's terms
// on a side besides.
template <sumfac::space Space, class Mesh>
void has_levels_with_sides(Mesh const& mesh)
{
  using namespace sumfac::weak;
  constexpr int N = Space.degree;
  sumfac::host const backend;
  auto a = integrate(parameter<0>{1} * dot(grad(u), grad(v)) + u * v);
  auto robin = integrate(parameter<1>{30} * u * v);
  sumfac::function_space const V(mesh, N, leftmost(mesh));
  auto const below = V.on(mesh.boundary([](auto const& x) { return x[1] < 1e-9; }));
  sumfac::element_operator<decltype(a), Space> A(backend, mesh, a);
  sumfac::element_operator<decltype(robin), sumfac::curve(N, 2)> B(backend, below.mesh(), robin);
  auto const R = V.restriction(backend), S = below.restriction(backend);
  if constexpr (Space.shape == sumfac::cell_shape::lines) {
    auto weakly = integrate(parameter<2>{300} * u * v - dot(n, grad(u)) * v - u * dot(n, grad(v)));
    auto const above = mesh.boundary([](auto const& x) { return x[1] > 1 - 1e-9; });
    auto const count = static_cast<index_t>(above.size());
    auto const table = sumfac::owner_table(V.table(), above);
    auto const places = sumfac::owner_nodes(mesh, above);
    sumfac::view const behind(places.data(), count, 2, 2, 2);
    REQUIRE(count > 1);
    sumfac::face_operator<decltype(weakly), Space> F(backend, behind, weakly);
    sumfac::restriction const T(backend, sumfac::view(table.data(), count, N + 1, N + 1), V.nodes(), V.marks());
    sumfac::sum const L{sumfac::part{A, R}, sumfac::part{B, S}, 1.5 * sumfac::part{F, T}};
    is_galerkin<N, 2>(L, mesh, 9, below.mesh(), behind);
    takes<0, N>(L, A.form(), 1, 10000, mesh, below.mesh(), behind);
    takes<1, N>(L, B.form(), 30, 300000, mesh, below.mesh(), behind);
    takes<2, N>(L, F.form(), 300, 30000, mesh, below.mesh(), behind);
    sumfac::element_operator<decltype(a), Space> other(backend, mesh, a);
    has_parameters_of<2>(A, other, mesh, R);
  } else {
    sumfac::sum const L{sumfac::part{A, R}, sumfac::part{B, S}};
    is_galerkin<N, 2>(L, mesh, 9, below.mesh());
    takes<0, N>(L, A.form(), 1, 1000, mesh, below.mesh());
    takes<1, N>(L, B.form(), 30, 30000, mesh, below.mesh());
  }
}

}  // namespace

TEST_CASE("transfer: polynomials between degrees on several kinds of elements")
{
  carries_on_kinds<3, 2, 1>(mixed_square(3), mixed_square(2));
  carries_on_kinds<2, 1>(mixed_cubes(1), mixed_cubes(2));
}

TEST_CASE("multigrid: quadrilaterals beside triangles")
{
  auto const [few, by_diagonal] = steps_on_kinds<3, 2, 1>(mixed_square(4));
  auto const [more, more_by_diagonal] = steps_on_kinds<3, 2, 1>(mixed_square(8));
  CAPTURE(few, by_diagonal, more, more_by_diagonal);
  CHECK(more <= 9);
  CHECK(more <= few + 2);
  CHECK(more_by_diagonal > 5 * more);
}

TEST_CASE("multigrid: terms on the boundary of one kind of elements")
{
  has_levels_with_sides<triangle(3)>(box_of_cells(triangle(1), 3).mesh<triangles>());
  has_levels_with_sides<sumfac::quadrilateral(3)>(sumfac::refined(sumfac::box_mesh({2, 1}), 1));
}

TEST_CASE("multigrid: terms on the boundary of several kinds of elements")
{
  using namespace sumfac::weak;
  sumfac::host const backend;
  auto const a = integrate(dot(grad(u), grad(v)) + u * v);
  auto const robin = integrate(coefficient(30.0) * u * v);
  {
    constexpr int N = 2;
    auto const mesh = mixed_cubes(1);
    sumfac::function_space const V(mesh, N, leftmost(mesh));
    auto const on_sides = V.on(mesh.boundary([](auto const& x) { return x[1] < 1e-9 || x[2] > 2 - 1e-9; }));
    auto const A = sumfac::sum_by_kind<N>(backend, V, a);
    auto const B = sumfac::sum_by_kind<N>(backend, on_sides, robin);
    REQUIRE(on_sides.mesh().at<0>().elements() > 0);
    REQUIRE(on_sides.mesh().at<1>().elements() > 0);
    is_galerkin<N, 1>(A + B, mesh, 9, on_sides.mesh());
  }
  {
    constexpr int N = 3;
    auto const mesh = mixed_square(3);
    sumfac::function_space const V(mesh, N, leftmost(mesh));
    auto const A = sumfac::sum_by_kind<N>(backend, V, a);
    auto const below = mesh.boundary([](auto const& x) { return x[1] < 1e-9; });
    auto const on_squares = V.at<0>().on(mesh.of_kind(0, below)), on_triangles = V.at<1>().on(mesh.of_kind(1, below));
    using on_curve = sumfac::element_operator<std::remove_const_t<decltype(robin)>, sumfac::curve(N, 2)>;
    on_curve const B(backend, on_squares.mesh(), robin), C(backend, on_triangles.mesh(), robin);
    auto const R = on_squares.restriction(backend), S = on_triangles.restriction(backend);
    auto L = A + sumfac::part{B, R} + 0.5 * sumfac::part{C, S};
    is_galerkin<N, 2>(L, mesh, 9, on_squares.mesh(), on_triangles.mesh());

    // Given values take all parts' terms from the right side, and the numbers in front of them.
    sumfac::function_space const W(mesh, N);
    auto const free_A = sumfac::sum_by_kind<N>(backend, W, a);
    auto const free_R = on_squares.unconstrained(backend), free_S = on_triangles.unconstrained(backend);
    auto const free = free_A + sumfac::part{B, free_R} + 0.5 * sumfac::part{C, free_S};
    auto const given = [](auto const& at) { return 2 + at[1]; };
    auto const exact = V.values([&](auto const& at) { return given(at) + 3 * at[0]; });
    std::vector<double> b(exact.size()), expected(exact.size());
    free.apply(exact, b);
    L.apply(exact, expected);
    auto const lifted = V.lift(L, given, b);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      bool const fixed = V.is_fixed(index_t(i));
      CHECK(b[i] == Approx(fixed ? exact[i] : expected[i]).margin(1e-13));
      CHECK(lifted[i] == (fixed ? exact[i] : 0));
    }

    // Another number in front is that of all levels from the next update() on.
    sumfac::multigrid P{sumfac::p_levels<N, 2>(L, mesh, on_squares.mesh(), on_triangles.mesh())};
    L.set_scale<3>(7);
    P.update();
    auto const anew = sumfac::p_levels<N, 2>(L, mesh, on_squares.mesh(), on_triangles.mesh());
    auto const y = support::random<double>(std::size_t(anew.coarsest().size()), 4);
    std::vector<double> of_levels(y.size()), of_new(y.size());
    P.levels().coarsest().matrix().apply(y, of_levels);
    anew.coarsest().matrix().apply(y, of_new);
    CHECK(of_levels == of_new);
  }
}
