// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators that are compiled when they are made, beside those that the test's own compiler made, bit for bit.
#include <sumfac/jit/element_operator.hpp>

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/form/library.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <catch2/catch.hpp>
#include <support/own_folder.hpp>
#include <support/random.hpp>
#include <support/two_inputs.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace jit = sumfac::jit;
using checks::own_folder;

// The flags that make the code of this program, so that results have the same bits.
jit::settings settings(std::string const& cache)
{
  jit::settings how;
  how.cache = cache;
  how.flags = {"-O0", "-Dalways_inline=__unused__"};
#if defined(_OPENMP)
  how.flags.push_back("-fopenmp");
#endif
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  how.flags.push_back("-march=native");
#endif
  return how;
}

struct hexahedra {
  explicit hexahedra(int n) : count(n)
  {
    support::generator next(7);
    for (int e = 0; e < n; ++e)
      for (int vertex = 0; vertex < 8; ++vertex)
        for (int d = 0; d < 3; ++d) nodes.push_back((vertex >> d & 1) + 0.2 * next());
  }
  auto view() const { return sumfac::view(nodes.data(), count, 2, 2, 2, 3); }

  int count;
  std::vector<double> nodes;
};

std::vector<double> numbers(std::size_t size)
{
  support::generator next(3);
  std::vector<double> all(size);
  for (double& x : all) x = next();
  return all;
}

jit::form bp3_form(double lambda)
{
  return jit::type("sumfac/form/stiffness.hpp", "sumfac::stiffness", {{"lambda", lambda}});
}

}  // namespace

TEST_CASE("jit: BP3 of a degree that is a value has the bits of the one that is a type")
{
  own_folder const folder;
  constexpr int N = 2, n = N + 1, E = 5;
  int const degree = N;
  hexahedra const mesh(E);
  sumfac::host const backend(1);
  auto const how = settings(folder.path);
  jit::options const options{.space = degree, .points = jit::gauss(degree + 2)};
  jit::element_operator const A{backend, mesh.view(), bp3_form(0.3), options, how};
  sumfac::bp3<N> const B{backend, mesh.view(), {.lambda = 0.3}};
  CHECK(A.code().from == jit::origin::place::compiled);

  auto const u = numbers(E * n * n * n);
  std::vector<double> v(u.size()), w(u.size());
  auto const e_vector = [](auto& x) { return sumfac::view(x.data(), E, n, n, n); };
  A.apply(e_vector(u), e_vector(v));
  B.apply(e_vector(u), e_vector(w));
  CHECK(v == w);
  A.diagonal(e_vector(v));
  B.diagonal(e_vector(w));
  CHECK(v == w);
  CHECK(A.work().flops == B.work().flops);
  CHECK(A.work().bytes() == B.work().bytes());
  CHECK(A.nodes_1d() == n);

  // Other layouts, mixed: elements fastest, and side by side.
  std::vector<double> turned(u.size()), beside(8 * u.size());
  sumfac::view<double, sumfac::dextents<4>, sumfac::layout_left> const left(turned.data(), E, n, n, n);
  sumfac::view<double, sumfac::dextents<4>, sumfac::layout_interleaved<sumfac::native_width<double>>> const lanes(
      beside.data(), E, n, n, n);
  A.apply(e_vector(u), left);
  A.apply(left, lanes);
  B.apply(e_vector(u), e_vector(v));
  B.apply(e_vector(v), e_vector(w));
  bool same = true;
  for (int e = 0; e < E; ++e)
    for (int i = 0; i < n; ++i) same = same && lanes(e, 1, 2, i) == e_vector(w)(e, 1, 2, i);
  CHECK(same);

  // On global vectors, all elements between the same nodes, of which the first is constrained.
  std::vector<int> table;
  for (int e = 0; e < E; ++e)
    for (int i = 0; i < n * n * n; ++i) table.push_back((e * (n * n * n - n * n) + i) % 90);
  std::vector<unsigned char> marks(90, 0);
  marks[0] = 1;
  sumfac::view const entries(table.data(), E, n, n, n);
  sumfac::view const marked(marks.data(), 90);
  jit::restriction const R(A, entries, 90, marked);
  sumfac::restriction<double> const S(backend, entries, 90, marked);
  auto const x = numbers(90);
  std::vector<double> y(90, 1.0), z(90, 1.0);
  A.apply(R, x, y);
  B.apply(S, x, z);
  CHECK(y == z);
  A.apply_add(R, x, y);
  B.apply_add(S, x, z);
  CHECK(y == z);
  jit::global_operator<double> const M(A, R);
  M.diagonal(y);
  B.diagonal(S, z);
  CHECK(y == z);
  CHECK(M.size() == 90);

  // The same of a restriction that is there.
  jit::restriction const T(A, S);
  A.apply(T, x, y);
  B.apply(S, x, z);
  CHECK(y == z);

  // And of one with equations.
  sumfac::constraints rows;
  rows.add(7, {{6, 0.5}, {8, 0.25}, {0, 2.0}}, 0.1);
  rows.add(50, {{7, -1.0}, {51, 0.5}});
  sumfac::restriction<double> const with_rows(backend, entries, 90, marked, rows);
  jit::restriction const V(A, with_rows);
  A.apply(V, x, y);
  B.apply(with_rows, x, z);
  CHECK(y == z);
  A.diagonal(V, y);
  B.diagonal(with_rows, z);
  CHECK(y == z);

  // Two inputs, each an E-vector, one of another degree and with its elements fastest.
  auto beside_tests = how;
  beside_tests.include = {std::filesystem::path(__FILE__).parent_path().parent_path().string()};
  jit::element_operator F{backend,
                          mesh.view(),
                          jit::type("support/two_inputs.hpp", "support::two_inputs"),
                          {.space = degree},
                          beside_tests};
  sumfac::element_operator<support::two_inputs, N> G{backend, mesh.view()};
  auto other = numbers(E * 8);
  sumfac::view<double const, sumfac::dextents<4>, sumfac::layout_left> const of_vertices(other.data(), E, 2, 2, 2);
  CHECK_THROWS_WITH(F.linearize(e_vector(u)), Catch::Contains("2 inputs (1 expected"));
  F.linearize(e_vector(u), of_vertices);
  G.linearize(sumfac::field(e_vector(u)), sumfac::field(of_vertices));
  F.apply(e_vector(u), e_vector(v));
  G.apply(e_vector(u), e_vector(w));
  CHECK(v == w);

  // A second one is in the program; its numbers are its own.
  jit::element_operator const C{backend, mesh.view(), bp3_form(0.7), options, how};
  CHECK(C.code().from == jit::origin::place::program);
  sumfac::bp3<N> const D{backend, mesh.view(), {.lambda = 0.7}};
  C.apply(R, x, y);
  D.apply(S, x, z);
  CHECK(y == z);

  // Refused: other shapes by the unit's own words, other numbers, restrictions of other operators' types.
  CHECK_THROWS_WITH(A.apply(e_vector(u), sumfac::view(v.data(), E - 1, n, n, n)),
                    Catch::Contains("extent 0 (elements) of v does not match (expected 5, got 4)"));
  std::vector<float> single(u.size());
  CHECK_THROWS_WITH(A.apply(e_vector(u), e_vector(single)), Catch::Contains("v is of float (double expected"));
  CHECK_THROWS_WITH((jit::global_operator<float>(A, R)), Catch::Contains("(expected 8, got 4)"));
  auto flat = mesh;
  for (double& place : flat.nodes) place = 0;
  CHECK_THROWS_AS((jit::element_operator{backend, flat.view(), bp3_form(0.3), options, how}), sumfac::geometry_error);
  CHECK_THROWS_WITH((jit::element_operator{backend, mesh.view(), bp3_form(0.3), {.space = 0}, how}),
                    Catch::Contains("the degree is 0 (1 to 31 expected)"));
}

TEST_CASE("jit: a weak form as text has the bits of the expression, and the compiler's words where it is refused")
{
  own_folder const folder;
  constexpr int N = 2, n = N + 1, E = 3;
  sumfac::host const backend(1);
  auto const how = settings(folder.path);
  std::vector<double> nodes;
  support::generator next(5);
  for (int e = 0; e < E; ++e)
    for (int vertex = 0; vertex < 4; ++vertex)
      for (int d = 0; d < 2; ++d) nodes.push_back((vertex >> d & 1) + 0.2 * next());
  sumfac::view const mesh(std::as_const(nodes).data(), E, 2, 2, 2);
  std::vector<double> const k{1.0, 2.5, 0.5};
  sumfac::view const conductivity(k.data(), E);
  auto const form = jit::weak("(k*grad(u), grad(v)) + c*u*v", {{"k", conductivity}, {"c", 0.75}});
  jit::options const options{.space = sumfac::quadrilateral(N)};
  jit::element_operator A{backend, mesh, form, options, how};

  using namespace sumfac::weak;
  double const c = 0.75;
  auto const written = integrate(dot(sumfac::weak::coefficient(conductivity) * grad(u), grad(v)) + c * u * v);
  sumfac::element_operator<std::remove_const_t<decltype(written)>, sumfac::quadrilateral(N)> const B{backend, mesh,
                                                                                                     written};
  auto const from = numbers(E * n * n);
  std::vector<double> to(from.size()), expected(from.size());
  A.apply(sumfac::view(from.data(), E, n, n), sumfac::view(to.data(), E, n, n));
  B.apply(sumfac::view(from.data(), E, n, n), sumfac::view(expected.data(), E, n, n));
  CHECK(to == expected);
  CHECK(A.work().bytes() == B.work().bytes());

  // A tangent of what is not linear.
  auto const cubic = jit::weak("(grad(u), grad(v)) + pow(u, 3)*v");
  jit::element_operator J{backend, mesh, jit::tangent(cubic), options, how};
  auto const by_hand = integrate(dot(grad(u), grad(v)) + (pow)(u, sumfac::weak::coefficient(3.0)) * v);
  using tangent = sumfac::tangent<std::remove_const_t<decltype(by_hand)>>;
  sumfac::element_operator<tangent, sumfac::quadrilateral(N)> K{backend, mesh, by_hand};
  CHECK_THROWS_WITH(J.apply(sumfac::view(from.data(), E, n, n), sumfac::view(to.data(), E, n, n)),
                    Catch::Contains("linearize"));
  CHECK_THROWS_WITH(A.linearize(sumfac::view(from.data(), E, n, n)), Catch::Contains("0 inputs (1 expected"));
  auto const state = numbers(from.size());
  J.linearize(sumfac::view(state.data(), E, n, n));
  K.linearize(sumfac::view(state.data(), E, n, n));
  J.apply(sumfac::view(from.data(), E, n, n), sumfac::view(to.data(), E, n, n));
  K.apply(sumfac::view(from.data(), E, n, n), sumfac::view(expected.data(), E, n, n));
  CHECK(to == expected);

  // On tetrahedra, of which one reaches above the other.
  std::vector<double> const corners{0, 0, 0, 1, 0, 0.1, 0, 1, 0, 0.1, 0, 1, 1, 0, 0.1, 1, 1, 0, 0, 1, 0, 0.1, 0, 1};
  sumfac::view const cells(corners.data(), 2, 4, 3);
  constexpr int P = 10;
  auto const on_cells = jit::weak("(grad(u), grad(v)) + c*u*v", {{"c", 0.75}});
  jit::options const of_cells{.space = sumfac::tetrahedron(N)};
  jit::element_operator const C{backend, cells, on_cells, of_cells, how};
  auto const written_on_cells = integrate(dot(grad(u), grad(v)) + sumfac::weak::coefficient(c) * u * v);
  sumfac::element_operator<std::remove_const_t<decltype(written_on_cells)>, sumfac::tetrahedron(N)> const D{
      backend, cells, written_on_cells};
  CHECK(C.nodes_1d() == P);
  auto const of_functions = numbers(2 * P);
  std::vector<double> tested(of_functions.size()), wanted(of_functions.size());
  C.apply(sumfac::view(of_functions.data(), 2, P), sumfac::view(tested.data(), 2, P));
  D.apply(sumfac::view(of_functions.data(), 2, P), sumfac::view(wanted.data(), 2, P));
  CHECK(tested == wanted);
  CHECK_THROWS_WITH((jit::element_operator{backend, sumfac::view(corners.data(), 2, 4, 2), on_cells, of_cells, how}),
                    Catch::Contains("(coordinates) of the mesh nodes"));
  CHECK_THROWS_WITH((jit::element_operator{backend, sumfac::view(corners.data(), 1, 8, 3), on_cells, of_cells, how}),
                    Catch::Contains("(nodes of an element) of the mesh nodes does not fit"));

  // What the parser cannot know: three components on a mesh of two coordinates.
  auto const wrong = jit::weak("trace(grad(u))*v[0]", {}, 3);
  try {
    jit::element_operator const refused{backend, mesh, wrong, options, how};
    FAIL("no error");
  } catch (sumfac::backend_error const& error) {
    CHECK_THAT(error.what(), Catch::Contains("the compiler refused the operator"));
    CHECK_THAT(error.what(), Catch::Contains("the matrix is not square"));
  }
  auto missing = how;
  missing.compiler = "/no/such/compiler";
  CHECK_THROWS_WITH((jit::element_operator{backend, mesh, form, options, missing}),
                    Catch::Contains("the compiler cannot be run: /no/such/compiler"));
}
