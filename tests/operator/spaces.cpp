// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on quadrilaterals, lines, surfaces and curves: the oracle, layouts, numbers, policies, global vectors.
#include "spaces.hpp"

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/form/given_factors.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/preconditioner.hpp>

#include <cstdint>

namespace {

using backend = sumfac::host;
using sumfac::curve, sumfac::line, sumfac::quadrilateral, sumfac::surface, sumfac::node_placement;

template <class Form, auto Space, class Points, class Scalar = double, class Geometry = sumfac::stored>
using on = sumfac::element_operator<Form, Space, Points, backend, Scalar, Geometry>;

constexpr int some = 11;  // elements: no whole number of packs

}  // namespace

TEST_CASE("spaces: quadrilaterals")
{
  checks::flat_mesh const mesh(some, 2, 2, 3, 0.05);
  checks::agrees<on<sumfac::mass, quadrilateral(1), sumfac::gauss<3>>>(mesh, checks::mass());
  // Factors of one's own, the same as those that the form makes: the measure at each point.
  constexpr int g = 4;
  auto const rule = reference::gauss(g);
  checks::flat_mesh const box(some, 2, 2, 2, 0);
  std::vector<double> measures;
  for (int e = 0; e < some; ++e) {
    double const* const corner = &box.numbers[std::size_t(8 * e)];
    double const det =
        ((corner[2] - corner[0]) * (corner[5] - corner[1]) - (corner[3] - corner[1]) * (corner[4] - corner[0])) / 4;
    for (int p = 0; p < g * g; ++p)
      measures.push_back(det * double(rule.weights[std::size_t(p / g)] * rule.weights[std::size_t(p % g)]));
  }
  using numbers = sumfac::view<double const, sumfac::dextents<4>>;
  using given = sumfac::given_factors<sumfac::mass, numbers>;
  checks::agrees<on<given, quadrilateral(3), sumfac::gauss<g>>>(
      box, checks::mass(), given{sumfac::mass{}, numbers(measures.data(), some, g, g, 1)});
  checks::agrees<on<checks::transport, quadrilateral(2), sumfac::gauss<4>>>(mesh, checks::transported());
  checks::agrees<on<sumfac::stiffness, quadrilateral(4), sumfac::gauss_lobatto<5>>>(mesh, checks::stiffness(0.25L),
                                                                                    {.lambda = 0.25});
  checks::agrees<on<sumfac::vector_laplace<2>, quadrilateral(2), sumfac::gauss<4>>>(mesh, checks::stiffness(0));
}

TEST_CASE("spaces: lines and curves")
{
  checks::agrees<on<sumfac::mass, line(4), sumfac::gauss<6>>>(checks::flat_mesh(some, 1, 1, 2, 0.1), checks::mass());
  checks::agrees<on<checks::transport, line(3), sumfac::gauss_lobatto<4>>>(checks::flat_mesh(some, 1, 1, 3, 0.05),
                                                                           checks::transported());
  checks::agrees<on<checks::transport, curve(2, 2), sumfac::gauss<4>>>(checks::flat_mesh(some, 1, 2, 3, 0.05),
                                                                       checks::transported());
  checks::agrees<on<sumfac::vector_mass<3>, curve(3, 3), sumfac::gauss<5>>>(checks::flat_mesh(some, 1, 3, 4, 0.05),
                                                                            checks::mass());
}

TEST_CASE("spaces: surfaces")
{
  checks::flat_mesh const mesh(some, 2, 3, 3, 0.05);
  checks::agrees<on<sumfac::mass, surface(2), sumfac::gauss<4>>>(mesh, checks::mass());
  checks::agrees<on<sumfac::stiffness, surface(3), sumfac::gauss<5>>>(mesh, checks::stiffness(1), {.lambda = 1});
}

TEST_CASE("spaces: other nodes, and float")
{
  checks::flat_mesh const mesh(some, 2, 2, 2, 0.1);
  checks::agrees<on<sumfac::stiffness, quadrilateral(2, node_placement::gauss), sumfac::gauss<3>>>(
      mesh, checks::stiffness(1), {.lambda = 1});
  checks::agrees<on<sumfac::stiffness, quadrilateral(3, node_placement::equispaced), sumfac::gauss<5>>>(
      mesh, checks::stiffness(1), {.lambda = 1});
  checks::agrees<on<sumfac::stiffness, quadrilateral(2), sumfac::gauss<4>, float>>(mesh, checks::stiffness(1),
                                                                                   {.lambda = 1});
}

TEST_CASE("spaces: geometry made in the kernel")
{
  using sumfac::affine, sumfac::trilinear, sumfac::isoparametric;
  checks::agrees<on<sumfac::stiffness, quadrilateral(3), sumfac::gauss<5>, double, trilinear>>(
      checks::flat_mesh(some, 2, 2, 2, 0.1), checks::stiffness(1), {.lambda = 1});
  checks::agrees<on<sumfac::mass, quadrilateral(2), sumfac::gauss<4>, double, affine>>(
      checks::flat_mesh(some, 2, 2, 3, 0), checks::mass());
  checks::agrees<on<checks::transport, surface(2), sumfac::gauss<4>, double, isoparametric<4>>>(
      checks::flat_mesh(some, 2, 3, 3, 0.05), checks::transported());
  checks::agrees<on<sumfac::laplace, line(3), sumfac::gauss<5>, double, isoparametric<>>>(
      checks::flat_mesh(some, 1, 1, 3, 0.05), checks::stiffness(0));
  using bent = on<sumfac::mass, quadrilateral(2), sumfac::gauss<4>, double, trilinear>;
  checks::flat_mesh const curved(some, 2, 2, 3, 0.05);
  CHECK_THROWS_WITH((bent{backend{}, checks::nodes_view<2, 2>(curved)}),
                    Catch::Contains("sumfac::trilinear: element 0 is not trilinear"));
  using thin = on<sumfac::mass, quadrilateral(2), sumfac::gauss<4>, double, isoparametric<2>>;
  CHECK_THROWS_WITH((thin{backend{}, checks::nodes_view<2, 2>(curved)}), Catch::Contains("got 3, at most 2 expected"));
}

namespace {

// What the host reads of elements that are kept as nodes is the mesh's own map.
template <class Form, auto Space, class Points, int M, class Nodes>
void reads_the_map(Nodes const& nodes)
{
  using problem = sumfac::detail::problem<Form, sumfac::detail::space_of<Space>, Points, double,
                                          sumfac::detail::test_space_of<Space>>;
  using view = std::remove_cvref_t<decltype(nodes.nodes())>;
  using input = sumfac::detail::mesh_input<Points, view, sumfac::gauss_lobatto_nodes,
                                           sumfac::detail::cell_of(problem::trial_space)>;
  sumfac::gauss_lobatto_nodes const set;
  input const mesh{backend{}, nodes.nodes(), set, sumfac::geometry_tolerance};
  sumfac::detail::mapped_elements<sumfac::isoparametric<M>, M, problem, backend> kept;
  kept.set_up(mesh, Form{}, [](int, int, int) { return 0; });
  kept.commit(backend{});
  auto const read = kept.read(backend{});
  int points = 0;
  mesh.geometry.template visit<double>(0, mesh.elements(), [&](auto e, int z, int y, int x, auto const& at) {
    read(e, z, y, x, [&](auto const& here) {
      auto const map = here.map();
      CAPTURE(e, z, y, x);
      ++points;
      CHECK(map.weight() == Approx(at.weight()).epsilon(1e-14));
      for (int c = 0; c < problem::coordinates; ++c) {
        CHECK(map.position()[c] == Approx(at.position()[c]).margin(1e-13));
        for (int d = 0; d < problem::directions; ++d)
          CHECK(map.jacobian()(c, d) == Approx(at.jacobian()(c, d)).margin(1e-13));
      }
    });
  });
  CHECK(points == mesh.elements() * problem::points_of_element);
}

}  // namespace

TEST_CASE("spaces: the host reads the points of elements kept as nodes")
{
  reads_the_map<sumfac::laplace, line(2), sumfac::gauss<3>, 4>(
      checks::nodes_view<1, 1>(checks::flat_mesh(3, 1, 1, 3, 0.05)));
  reads_the_map<checks::transport, surface(2), sumfac::gauss<3>, 4>(
      checks::nodes_view<2, 3>(checks::flat_mesh(3, 2, 3, 3, 0.05)));
  constexpr int m = 3, some_cubes = 2;
  std::vector<double> numbers;
  for (int row = 0; row < some_cubes * m * m; ++row)
    for (int i = 0; i < m; ++i) {
      double const x = i + 2 * (row / (m * m)), y = row % m, z = row / m % m;
      numbers.insert(numbers.end(), {x + 0.1 * std::sin(z), z + 0.1 * std::sin(x + y), -y + 0.1 * std::sin(x)});
    }
  using places = sumfac::view<double const, sumfac::dextents<5>>;
  reads_the_map<checks::transport, 2, sumfac::gauss<3>, 4>(
      sumfac::mesh_view(places(numbers.data(), some_cubes, m, m, m, 3), sumfac::gauss_lobatto_nodes{}));
}

TEST_CASE("spaces: layouts")
{
  checks::flat_mesh const mesh(some, 2, 2, 2, 0.1);
  constexpr int n = 4, size = some * n * n;
  on<sumfac::stiffness, quadrilateral(3), sumfac::gauss<5>> const A{backend{}, checks::nodes_view<2, 2>(mesh)};
  auto const u = support::random<double>(size, 3);
  std::vector<double> v(size), w(size), of_u(3 * size);
  auto const right = checks::e_vector<2, n, 1>(u.data(), some);
  auto const result = checks::e_vector<2, n, 1>(v.data(), some);
  A.apply(right, result);
  auto const compare = [&](auto const& from, auto const& to) {
    for (int e = 0; e < some; ++e)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) from(e, j, i) = right(e, j, i);
    A.apply(from, to);
    for (int e = 0; e < some; ++e)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) CHECK(to(e, j, i) == result(e, j, i));
  };
  std::vector<double> of_v(3 * size);
  compare(checks::e_vector<2, n, 1, sumfac::layout_left>(of_u.data(), some),
          checks::e_vector<2, n, 1, sumfac::layout_left>(of_v.data(), some));
  constexpr int width = sumfac::native_width<double>;
  compare(checks::e_vector<2, n, 1, sumfac::layout_interleaved<width>>(of_u.data(), some),
          checks::e_vector<2, n, 1, sumfac::layout_interleaved<width>>(of_v.data(), some));
}

TEST_CASE("spaces: surfaces read little more than quadrilaterals do")
{
  using sumfac::isoparametric;
  checks::flat_mesh const plane(some, 2, 2, 3, 0.05), in_space(some, 2, 3, 3, 0.05);
  auto const bytes = []<class Operator>(Operator const& a) { return double(a.work().bytes()); };
  auto const nodes = checks::nodes_view<2, 2>(plane);
  auto const places = checks::nodes_view<2, 3>(in_space);
  on<sumfac::laplace, quadrilateral(3), sumfac::gauss<5>> const flat{backend{}, nodes};
  on<sumfac::laplace, surface(3), sumfac::gauss<5>> const bent{backend{}, places};
  CHECK(bytes(bent) == bytes(flat));  // as many factors at a point
  on<sumfac::laplace, quadrilateral(3), sumfac::gauss<5>, double, isoparametric<3>> const flat_nodes{backend{}, nodes};
  on<sumfac::laplace, surface(3), sumfac::gauss<5>, double, isoparametric<3>> const bent_nodes{backend{}, places};
  CHECK(bytes(bent_nodes) < 1.5 * bytes(flat_nodes));
  CHECK(bytes(bent_nodes) > bytes(flat_nodes));
}

TEST_CASE("spaces: work on quadrilaterals is what sweeps along x and y take")
{
  checks::flat_mesh const mesh(some, 2, 2, 2, 0.1);
  on<sumfac::mass, quadrilateral(2), sumfac::gauss<4>> const A{backend{}, checks::nodes_view<2, 2>(mesh)};
  sumfac::index_t there = 0;  // a product and a sum for each node of a line, at each of its 4 points
  for (int line = 0; line < 3; ++line) there += 4 * 2 * 3;
  for (int line = 0; line < 4; ++line) there += 4 * 2 * 3;
  CHECK(A.work().flops == A.elements() * (2 * there + 4 * 4));  // and a factor at each point
}

TEST_CASE("spaces: what cannot be")
{
  checks::flat_mesh mesh(some, 2, 2, 2, 0.1);
  using mass = on<sumfac::mass, quadrilateral(2), sumfac::gauss<4>>;
  using on_surface = on<sumfac::mass, surface(2), sumfac::gauss<4>>;
  auto const nodes = checks::nodes_view<2, 2>(mesh);
  CHECK_THROWS_WITH((on_surface{backend{}, nodes}), Catch::Contains("extent 3 (coordinates) of the mesh nodes") &&
                                                        Catch::Contains("3") && Catch::Contains("2"));
  std::swap(mesh.numbers[0], mesh.numbers[2]), std::swap(mesh.numbers[1], mesh.numbers[3]);
  std::swap(mesh.numbers[4], mesh.numbers[6]), std::swap(mesh.numbers[5], mesh.numbers[7]);
  CHECK_THROWS_WITH((mass{backend{}, nodes}),
                    Catch::Contains("element 0 cannot be integrated on") && Catch::Contains("anticlockwise"));
  checks::flat_mesh flat(some, 2, 3, 2, 0);
  for (std::size_t at = 0; at < 12; ++at) flat.numbers[at] = 1;  // an element without an area
  CHECK_THROWS_WITH((on_surface{backend{}, checks::nodes_view<2, 3>(flat)}), Catch::Contains("it has no volume"));
}

TEST_CASE("spaces: global vectors, and a solve")
{
  // Eight cells of an interval in a row, the ends constrained: -u'' = 1 has the solution x (8 - x) / 2, exactly.
  constexpr int cells = 8, order = 3, n = order + 1, nodes = cells * order + 1;
  std::vector<double> ends, b(nodes), x(nodes), d(nodes), one(nodes, 1.0);
  std::vector<std::int32_t> table;
  std::vector<std::uint8_t> marks(nodes);
  marks.front() = marks.back() = 1;
  for (int e = 0; e < cells; ++e) {
    ends.push_back(e), ends.push_back(e + 1);
    for (int i = 0; i < n; ++i) table.push_back(e * order + i);
  }
  backend const here;
  sumfac::view const mesh(ends.data(), cells, 2, 1);
  sumfac::view const numbers(table.data(), cells, n);
  sumfac::restriction<double, backend> const R{here, numbers, nodes, sumfac::view(marks.data(), nodes)};
  sumfac::restriction<double, backend> const all{here, numbers, nodes};
  on<sumfac::laplace, line(order), sumfac::gauss<n>> const K{here, mesh};
  on<sumfac::mass, line(order), sumfac::gauss<n>> const M{here, mesh};
  auto const vector = [](std::vector<double>& v) { return sumfac::view(v.data(), nodes); };
  M.apply(all, vector(one), vector(b));
  b.front() = b.back() = 0;
  sumfac::global_operator const A{K, R};
  A.diagonal(vector(d));
  auto const result = sumfac::cg(A, vector(b), vector(x), sumfac::jacobi(here, vector(d)), {.tolerance = 1e-13});
  CHECK(result.status == sumfac::solve_status::converged);
  auto const rule = reference::gauss_lobatto(n);
  for (int e = 0; e < cells; ++e)
    for (int i = 0; i < n; ++i) {
      double const at = e + (1 + double(rule.nodes[std::size_t(i)])) / 2;
      CHECK(std::abs(x[std::size_t(e * order + i)] - at * (cells - at) / 2) < 1e-11);
    }
  sumfac::restriction<double, backend> const square{here, sumfac::view(table.data(), 2, n, n), nodes};
  CHECK_THROWS_WITH(K.apply(square, vector(one), vector(x)),
                    Catch::Contains("number of directions") || Catch::Contains("number of elements"));
}
