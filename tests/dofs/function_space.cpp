// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions on meshes: orders of their errors, integrals, components, what is fixed, loads, values lifted.
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/tools/write_vtu.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using Catch::Matchers::Contains;
using sumfac::function_space, sumfac::vector;

template <int C>
double phase(vector<double, C> const& x)
{
  double p = 0.3;
  for (int c = 0; c < C; ++c) p += (2 - 0.7 * c) * x[c];
  return p;
}
auto const wave = [](auto const& x) { return std::sin(phase(x)); };
// Its gradient; on a surface without the part along the normal, which is none of these meshes' where it is asked for.
auto const slope = []<int C>(vector<double, C> const& x) {
  vector<double, C> g{};
  for (int c = 0; c < C; ++c) g[c] = (2 - 0.7 * c) * std::cos(phase(x));
  return g;
};

// A curved mesh of D directions.
template <int D>
auto curved(int cells)
{
  if constexpr (D == 1) {
    return sumfac::box_mesh({2 * cells}, [](vector<double, 1> x) {
      x[0] += 0.2 * x[0] * x[0];
      return x;
    });
  } else if constexpr (D == 2) {
    return sumfac::box_mesh({cells, 2 * cells}, [](vector<double, 2> const& x) {
      return vector<double, 2>{(1 + x[0]) * std::cos(x[1]), (1 + x[0]) * std::sin(x[1])};
    });
  } else {
    return sumfac::box_mesh({cells, cells, cells}, [](vector<double, 3> x) {
      x[0] += 0.1 * std::sin(2 * x[1]), x[2] += 0.1 * x[0] * x[1];
      return x;
    });
  }
}

template <int D>
void check_orders(int degree)
{
  double l2[2], h1[2];
  for (int i = 0; i < 2; ++i) {
    function_space const V{curved<D>(2 << i), degree};
    auto const u = V.values(wave);
    l2[i] = V.l2_error(u, wave), h1[i] = V.h1_error(u, wave, slope);
  }
  INFO("degree " << degree << " in " << D << " directions");
  CHECK(std::log2(l2[0] / l2[1]) > degree + 1 - 0.25);
  CHECK(std::log2(h1[0] / h1[1]) > degree - 0.25);
  CHECK(std::log2(l2[0] / l2[1]) < degree + 1 + 0.6);
}

TEST_CASE("errors of interpolation are of the order of the degree")
{
  for (int degree = 1; degree <= 4; ++degree) {
    check_orders<1>(degree);
    check_orders<2>(degree);
    check_orders<3>(degree);
  }
}

TEST_CASE("integrals over meshes and over their sides")
{
  auto const ring = curved<2>(3);
  auto const one = [](auto const&) { return 1; };
  function_space const V{ring, 3};
  CHECK(V.integral(one) == Approx(1.5).epsilon(1e-7));  // half of the angle times 4 - 1
  CHECK(V.integral(V.values(wave)) == Approx(V.integral(wave)).epsilon(1e-4));
  CHECK(V.on(ring.boundary("x1")).integral(one) == Approx(2).epsilon(1e-7));
  CHECK(V.on(ring.boundary()).integral(one) == Approx(2 + 1 + 2 * 1).epsilon(1e-7));
  CHECK(V.norm(V.values(one)) == Approx(std::sqrt(1.5)).epsilon(1e-7));
  // A tilted plane in space: the gradient within it of z, which is half of y there.
  auto const plane = sumfac::box_mesh({2, 3}, [](vector<double, 2> const& x) {
    return vector<double, 3>{x[0], x[1], 0.5 * x[1]};
  });
  function_space const S{plane, 2};
  auto const z = S.values([](auto const& x) { return x[2]; });
  CHECK(S.integral(one) == Approx(std::sqrt(1.25)));
  CHECK(S.integral(z, [](auto const& p) { return p.gradient()[1]; }) == Approx(std::sqrt(1.25) * 0.5 / 1.25));
  CHECK(S.integral(z, [](auto const& p) { return p.gradient()[2]; }) == Approx(std::sqrt(1.25) * 0.25 / 1.25));
}

TEST_CASE("components lie as they are told, and are fixed one by one")
{
  auto const box = curved<3>(2);
  auto const pair = [](auto const& x) { return vector<double, 2>{x[0], wave(x)}; };
  auto const slopes = [](auto const& x) {
    auto const g = slope(x);
    return sumfac::matrix<double, 2, 3>{1, 0, 0, g[0], g[1], g[2]};
  };
  function_space const V{box, 3, {box.boundary("x0"), {box.boundary("y0"), 1}}, {.components = 2}};
  function_space const W{
      box, 3, {{box.boundary("y0"), 1}}, {.components = 2, .components_lie = sumfac::interleaving::slowest}};
  auto const u = V.values(pair), w = W.values(pair);
  REQUIRE(V.size() == 2 * 7 * 7 * 7);
  CHECK(V.l2_error(u, pair) == Approx(W.l2_error(w, pair)));
  CHECK(V.h1_error(u, pair, slopes) < 0.02);
  CHECK(u[1] == w[std::size_t(V.nodes())]);
  sumfac::host const backend;
  CHECK(V.restriction(backend).constrained() == 49 * 2 + 42);
  CHECK(W.restriction(backend).constrained() == 49);
  CHECK(W.unconstrained(backend).constrained() == 0);
  CHECK(W.restriction<float>(backend).components() == 2);
  auto fixed = std::vector<double>(u.size(), 2);
  V.zero_fixed(fixed);
  double sum = 0;
  for (double const x : fixed) sum += 2 - x;
  CHECK(sum == 2 * (49 * 2 + 42));
}

TEST_CASE("a load is the integral against all test functions")
{
  auto const box = curved<2>(3);
  auto const pair = [](auto const& x) { return vector<double, 2>{x[0] * x[1], wave(x)}; };
  function_space const V{box, 4, {.components = 2}};
  auto const b = V.load(pair), v = V.values([](auto const& x) { return vector<double, 2>{x[1], 2 - x[0]}; });
  double product = 0;
  for (std::size_t i = 0; i < b.size(); ++i) product += b[i] * v[i];
  CHECK(product == Approx(V.integral([&](auto const& x) { return pair(x)[0] * x[1] + pair(x)[1] * (2 - x[0]); })));
  // The same of numbers at the points, where these say which ones they are.
  std::vector<double> at_points(std::size_t(box.elements() * 36 * 2));
  CHECK(V.integral(v, [&](auto const& p) {
    for (int d = 0; d < 2; ++d) at_points[std::size_t(2 * p.number + d)] = pair(p.position)[d];
    return 1;
  }) == Approx(V.integral([](auto const&) { return 1; })));
  CHECK(V.load_at_points(at_points) == b);
  CHECK_THROWS_WITH(V.load_at_points(b), Contains("expected " + std::to_string(at_points.size())));
  function_space const inside{box, 2, std::vector<sumfac::fixed_sides>{box.boundary()}};
  auto const c = inside.load(wave);
  double at_boundary = 0;
  for (sumfac::index_t node = 0; node < inside.nodes(); ++node)
    if (inside.is_fixed(node)) at_boundary += std::abs(c[std::size_t(node)]);
  CHECK(at_boundary == 0);
}

TEST_CASE("given values are lifted")
{
  // A polynomial of degree 2 on a straight box: the solution is exact. No element of the mesh is like the next.
  auto const box = sumfac::box_mesh(
      {2, 3},
      [](auto x) {
        return vector<double, 2>{x[0] * (1 + 0.3 * x[0]), x[1] * (1 + 0.5 * x[1])};
      },
      1);
  auto const exact = [](auto const& x) { return x[0] * x[0] + x[0] * x[1] - 2 * x[1] * x[1] + 3; };
  function_space const V{box, 2, box.boundary()};
  sumfac::host const backend;
  sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(2)> const A{backend, box};
  auto const R = V.restriction(backend);
  auto b = V.load(2);  // - (2 - 4)
  CHECK(b == V.load([](auto const&) { return 2; }));
  auto u = V.lift(A, exact, b);
  sumfac::global_operator const L{A, R};
  sumfac::jacobi const P{L};
  std::vector<double> d(u.size());
  L.diagonal(d);
  CHECK(P.inverse()[V.size() / 2] == 1 / d[std::size_t(V.size() / 2)]);
  CHECK(sumfac::cg(L, b, u, P, {.tolerance = 1e-14}));
  CHECK(V.l2_error(u, exact) < 1e-13);
  // A number is the same everywhere.
  auto c = V.load(0), ones = V.lift(A, 1, c);
  CHECK(sumfac::cg(L, c, ones, P, {.tolerance = 1e-14}));
  CHECK(V.l2_error(ones, 1) < 1e-13);
  CHECK(V.l2_error(ones, 3) == Approx(2 * std::sqrt(V.integral([](auto const&) { return 1; }))));
}

TEST_CASE("a function of another degree is taken over")
{
  auto const box = curved<3>(2);
  function_space const V{box, 2}, W{box, 4, {}, {.nodes = sumfac::node_placement::equispaced}};
  auto const u = V.values(wave), w = W.values(V, u), back = V.values(W, w);
  for (std::size_t i = 0; i < u.size(); ++i) REQUIRE(std::abs(u[i] - back[i]) < 1e-14);
  CHECK_THROWS_WITH((function_space{curved<3>(1), 2}.values(V, u)), Contains("expected 1, got 8"));
}

// What a file says of its arrays, and the numbers of one.
template <class T>
std::vector<T> array_of(std::string const& file, std::string const& name)
{
  auto const at = file.find("Name=\"" + name + "\"");
  REQUIRE(at != std::string::npos);
  auto const offset = std::stoul(file.substr(file.find("offset=\"", at) + 8));
  char const* const data = file.data() + file.find("encoding=\"raw\">\n_") + 17 + offset;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, data, sizeof bytes);
  std::vector<T> numbers(bytes / sizeof(T));
  std::memcpy(numbers.data(), data + sizeof bytes, bytes);
  return numbers;
}

TEST_CASE("a file has points where they are, in VTK's order, with the function there")
{
  auto const box = sumfac::box_mesh(
      {1, 1, 1}, [](auto x) { return x * 2.0; }, 1);
  function_space const V{box, 2};
  std::vector<double> const material{7};
  auto const f = [](auto const& x) { return x[0] + 3 * x[1] * x[2]; };
  sumfac::write_vtu("function_space.vtu", V, {{"u", V.values(f)}, {"material", material}});
  std::ifstream in("function_space.vtu", std::ios::binary);
  std::string const file{std::istreambuf_iterator<char>(in), {}};
  in.close();
  CHECK(std::remove("function_space.vtu") == 0);
  // A triquadratic hexahedron of VTK's: vertices, edges, faces, the middle; each coordinate 0, 1 or 2.
  constexpr char const* order =
      "000200220020002202222022"
      "100210120010102212122012001201221021"
      "011211101121110112"
      "111";
  auto const points = array_of<double>(file, "points"), u = array_of<double>(file, "u");
  auto const cells = array_of<std::int64_t>(file, "connectivity");
  REQUIRE(cells.size() == 27);
  for (std::size_t i = 0; i < 27; ++i) {
    vector<double, 3> x{};
    for (int d = 0; d < 3; ++d) {
      x[d] = points[3 * std::size_t(cells[i]) + std::size_t(d)];
      CHECK(x[d] == Approx(order[3 * i + std::size_t(d)] - '0').margin(1e-14));
    }
    CHECK(u[std::size_t(cells[i])] == Approx(f(x)).margin(1e-14));
  }
  CHECK(array_of<double>(file, "material") == material);
  CHECK(array_of<std::uint8_t>(file, "types") == std::vector<std::uint8_t>{72});
  std::vector<sumfac::vtu_field> const none;
  CHECK_THROWS_WITH(sumfac::write_vtu("no/such/folder.vtu", V, none), Contains("cannot be written"));
  sumfac::write_vtu("one_field.vtu", V, V.values(f));
  std::ifstream one("one_field.vtu", std::ios::binary);
  CHECK(array_of<double>({std::istreambuf_iterator<char>(one), {}}, "u") == u);
  CHECK_THROWS_WITH(sumfac::write_vtu("no/such/folder.vtu", V), Contains("cannot be written"));
  CHECK_THROWS_WITH(sumfac::write_vtu("a.vtu", V, {{"u", std::vector<double>(3)}}), Contains("got 3 entries; 27"));
  CHECK_THROWS_WITH(sumfac::write_vtu("a.vtu", V, {{"u", material}, {"u", material}}), Contains("two fields"));
}

TEST_CASE("vtu: simplices and prisms of degree 2 as VTK numbers them")
{
  using sumfac::cell_shape;
  // Vertices, middles of edges and of quadrilaterals, each coordinate 0, 1 or 2.
  auto const check = [](auto const& mesh, std::string const& order, std::uint8_t type) {
    constexpr int D = std::remove_cvref_t<decltype(mesh)>::directions;
    function_space const V{mesh, 3};
    auto const f = [](auto const& x) { return x[0] + 3 * x[1] * x[1]; };
    sumfac::write_vtu("cells.vtu", V, {{"u", V.values(f)}});
    std::ifstream in("cells.vtu", std::ios::binary);
    std::string const file{std::istreambuf_iterator<char>(in), {}};
    in.close();
    CHECK(std::remove("cells.vtu") == 0);
    auto const points = array_of<double>(file, "points"), u = array_of<double>(file, "u");
    auto const cells = array_of<std::int64_t>(file, "connectivity");
    CHECK(array_of<std::uint8_t>(file, "types") == std::vector<std::uint8_t>{type});
    REQUIRE(cells.size() * D == order.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      vector<double, D> x{};
      for (int d = 0; d < D; ++d) {
        x[d] = points[3 * std::size_t(cells[i]) + std::size_t(d)];
        CHECK(x[d] == Approx(order[D * i + std::size_t(d)] - '0').margin(1e-14));
      }
      CHECK(u[std::size_t(cells[i])] == Approx(f(x)).margin(1e-13));
    }
  };
  double const points[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 2, 0, 2, 0, 2, 2}, plane[] = {0, 0, 2, 0, 0, 2};
  int const vertices[] = {0, 1, 2, 3, 4, 5};
  check(sumfac::cell_mesh<2>(sumfac::view(plane, 3, 2), sumfac::view(vertices, 1, 3)), "002002101101", 22);
  check(sumfac::cell_mesh<3>(sumfac::view(points, 6, 3), sumfac::view(vertices, 1, 4)),
        "000200020002100110010001101011", 24);
  check(sumfac::cell_mesh<3, 3, cell_shape::prism>(sumfac::view(points, 6, 3), sumfac::view(vertices, 1, 6)),
        "000200020002202022100110010102112012001201021101111011", 32);

  // Of several kinds the elements of one behind those of the other, with a point for each node of all.
  double const square[] = {-2, 0, 0, 0, -2, 2, 0, 2};
  sumfac::mesh const mixed{sumfac::cell_mesh<2>(sumfac::view(plane, 3, 2), sumfac::view(vertices, 1, 3)),
                           sumfac::mesh(sumfac::view(square, 1, 2, 2, 2))};
  function_space const V{mixed, 3};
  std::vector<double> const material{7, 8};
  sumfac::write_vtu("cells.vtu", V, {{"u", V.values([](auto const& x) { return x[0]; })}, {"material", material}});
  std::ifstream in("cells.vtu", std::ios::binary);
  std::string const file{std::istreambuf_iterator<char>(in), {}};
  in.close();
  CHECK(std::remove("cells.vtu") == 0);
  CHECK(array_of<std::uint8_t>(file, "types") == std::vector<std::uint8_t>{70, 22});
  CHECK(array_of<std::int64_t>(file, "offsets") == std::vector<std::int64_t>{9, 15});
  CHECK(array_of<double>(file, "material") == material);
  auto const at = array_of<double>(file, "points"), u = array_of<double>(file, "u");
  REQUIRE(u.size() == 12);
  for (std::size_t i = 0; i < 12; ++i) CHECK(u[i] == Approx(at[3 * i]).margin(1e-14));
}

TEST_CASE("functions that are not continuous are E-vectors")
{
  auto const box = curved<2>(2);
  sumfac::host const backend{1};
  function_space const V{box, 3, {}, {.components = 2}}, D{box, 3, {}, {.components = 2, .continuous = false}};
  REQUIRE(D.size() == 8 * 2 * 16);
  // Values, as a restriction gathers them; and loads, which it adds up.
  auto const two = [](auto const& x) { return vector<double, 2>{wave(x), x[0]}; };
  auto const u = V.values(two), f = V.load(two), d = D.values(two), load = D.load(two);
  std::vector<double> gathered(d.size()), sums(f.size());
  auto const R = V.restriction(backend);
  R.gather(sumfac::view(u.data(), V.size()), sumfac::view(gathered.data(), 8, 2, 4, 4));
  R.scatter(sumfac::view(load.data(), 8, 2, 4, 4), sumfac::view(sums.data(), V.size()));
  for (std::size_t i = 0; i < d.size(); ++i) REQUIRE(std::abs(d[i] - gathered[i]) < 1e-14);
  for (std::size_t i = 0; i < f.size(); ++i) REQUIRE(std::abs(f[i] - sums[i]) < 1e-14);
  CHECK(D.l2_error(d, two) == Approx(V.l2_error(u, two)));
  auto const taken = D.values(D, d);
  CHECK(taken == d);

  // One that jumps: the element's number, at Gauss points.
  auto const four = sumfac::box_mesh({4});
  function_space const J{four, 2, {}, {.nodes = sumfac::node_placement::gauss, .continuous = false}};
  std::vector<double> jumps(12);
  for (std::size_t i = 0; i < 12; ++i) jumps[i] = double(i / 3);
  CHECK(J.integral(jumps) == Approx(1.5));
  CHECK(J.l2_error(jumps, [](auto const& x) { return std::floor(4 * x[0]); }) < 1e-14);
  auto const side = J.positions();
  CHECK(side[0] == Approx((1 - std::sqrt(0.6)) / 8));

  // No Gauss point lies on a side: another space of the same functions has nodes there.
  auto const square = sumfac::box_mesh({2, 1});
  auto const cubic = [](auto const& x) { return x[0] * x[0] * x[0] + x[1]; };
  function_space const G{square, 3, {}, {.nodes = sumfac::node_placement::gauss, .continuous = false}};
  function_space const L{square, 3, {}, {.continuous = false}};
  CHECK(L.on(square.boundary()).integral(L.values(G, G.values(cubic))) == Approx(3.5).epsilon(1e-14));
  CHECK_THROWS_WITH(G.on(square.boundary()), Contains("function_space::on") && Contains("Gauss points have none on"));

  sumfac::write_vtu("jumps.vtu", D, {{"u", d}});
  std::ifstream in("jumps.vtu", std::ios::binary);
  std::string const file{std::istreambuf_iterator<char>(in), {}};
  in.close();
  std::remove("jumps.vtu");
  auto const points = array_of<double>(file, "points"), written = array_of<double>(file, "u");
  REQUIRE(written.size() == 3 * 8 * 16);
  auto const cells = array_of<std::int64_t>(file, "connectivity");
  for (std::int64_t const at : cells) {  // x is a polynomial on each element, here of the mesh's own degree
    auto const i = 3 * static_cast<std::size_t>(at);
    CHECK(written[i + 1] == Approx(points[i]).margin(1e-14));
  }

  CHECK_THROWS_WITH((function_space{box, 2, box.boundary(), {.continuous = false}}), Contains("fixed nowhere"));
  CHECK_THROWS_WITH(D.restriction(backend), Contains("E-vectors of several components (got 2"));
}

TEST_CASE("what does not fit a space is refused")
{
  auto const box = curved<2>(1);
  function_space const V{box, 2};
  CHECK_THROWS_WITH((function_space{box, 0}), Contains("got 0, 1 to 31"));
  CHECK_THROWS_WITH((function_space{box, 2, {}, {.components = 0}}), Contains("components is less than 1"));
  CHECK_THROWS_WITH((function_space{box, 2, {{box.boundary(), 1}}}), Contains("got 1, 0 to 0"));
  CHECK_THROWS_WITH((function_space{box, 2, std::vector<sumfac::element_side>{{0, 4}}}), Contains("no such side"));
  CHECK_THROWS_WITH((function_space{box, 2, {}, {.nodes = sumfac::node_placement::gauss}}), Contains("Gauss points"));
  CHECK_THROWS_WITH(V.norm(std::vector<double>(3)), Contains("function_space") && Contains("got 3"));
  CHECK_THROWS_WITH((function_space{box, 2, {}, {.components = 2}}.values(wave)), Contains("2 components expected"));
  auto const folded = sumfac::box_mesh({1, 1}, [](auto const& x) { return vector<double, 2>{x[1], x[0]}; });
  CHECK_THROWS_AS((function_space{folded, 2}.integral(wave)), sumfac::geometry_error);
}

}  // namespace
