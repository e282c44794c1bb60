// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Mesh nodes of any number, place, layout and scalar; elements that cannot be integrated on are named.
#include "problems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/tools/tune.hpp>

#include <cmath>
#include <regex>
#include <string>

namespace {

using sumfac::index_t;
constexpr int order = 4;
using operator_type = sumfac::bp3<order>;
constexpr std::size_t element_size = 125;

template <class Nodes>
void agrees(Nodes const& nodes, mesh::nodes const& mesh, reference::rule const& where)
{
  operator_type const a(sumfac::host{}, nodes, {.lambda = 0.3});
  auto const elements = static_cast<index_t>(mesh.elements);
  auto const u = support::random<double>(element_size * static_cast<std::size_t>(mesh.elements), 9);
  std::vector<double> v(u.size());
  a.apply(checks::vector_view<1>(u.data(), elements, order + 1), checks::vector_view<1>(v.data(), elements, order + 1));
  for (int e = 0; e < mesh.elements; ++e) {
    reference::element<> const exact(reference::on_gauss(order), where, mesh.element(e), reference::stiffness(0.3));
    auto const first = static_cast<std::ptrdiff_t>(element_size) * e,
               last = first + static_cast<std::ptrdiff_t>(element_size);
    std::vector<reference::real> const in(u.begin() + first, u.begin() + last),
        out(v.begin() + first, v.begin() + last);
    INFO(mesh.nodes_1d << " mesh nodes per edge, element " << e);
    CHECK(checks::distance(out, exact.apply(in)) <= reference::allowed<double>(exact, in, order));
  }
}

mesh::nodes curved(reference::rule const& where)
{
  return mesh::sampled(mesh::mapped(mesh::box({3, 2, 2}, where), mesh::smooth{}), 2);
}

// A set of a user's own: Chebyshev's points.
struct chebyshev_nodes {
  void operator()(int m, long double* nodes) const
  {
    for (int i = 0; i < m; ++i)
      nodes[i] = -std::cos(std::acos(-1.0L) * static_cast<long double>(i) / static_cast<long double>(m - 1));
  }
};

struct refusal {
  int element;
  double determinant;
  int point[3];  // along z, y, x
};

// What the geometry_error of a mesh says.
template <class Operator, class Nodes>
refusal refused(Nodes const& nodes)
{
  try {
    Operator const a(typename Operator::backend_type{}, nodes);
  } catch (sumfac::geometry_error const& error) {
    std::string const message = error.what();
    INFO(message);
    CHECK(message.find("sumfac::") == 0);
    std::smatch found;
    REQUIRE(std::regex_search(message, found,
                              std::regex("element (-?[0-9]+).*Jacobian ([-+.0-9a-z]+).*point .*\\(([0-9]+), ([0-9]+), "
                                         "([0-9]+)\\)")));
    return {std::stoi(found[1]), std::stod(found[2]), {std::stoi(found[3]), std::stoi(found[4]), std::stoi(found[5])}};
  }
  FAIL("no geometry_error");
  return {};
}

reference::point<> point_at(reference::element<> const& element, int points_1d, int const (&point)[3])
{
  return element.points()[static_cast<std::size_t>((point[0] * points_1d + point[1]) * points_1d + point[2])];
}

}  // namespace

TEST_CASE("operator: meshes of 2 to 16 nodes per edge, Gauss-Lobatto and equispaced")
{
  for (int m = 2; m <= 16; ++m) {
    auto const lobatto = reference::gauss_lobatto(m), equal = reference::equispaced(m);
    agrees(checks::nodes_view(curved(lobatto)), curved(lobatto), lobatto);
    agrees(checks::nodes_view(curved(equal), sumfac::equispaced_nodes{}), curved(equal), equal);
  }
}

TEST_CASE("operator: a node set of the user's own")
{
  reference::rule chebyshev{std::vector<long double>(6), {}};
  chebyshev_nodes{}(6, chebyshev.nodes.data());
  agrees(checks::nodes_view(curved(chebyshev), chebyshev_nodes{}), curved(chebyshev), chebyshev);
}

TEST_CASE("operator: from four nodes an edge on it is said where they lie")
{
  for (int m = 2; m <= 5; ++m) {
    auto const where = reference::equispaced(m);
    auto const mesh = curved(where);
    auto const nodes = checks::nodes_view(mesh, sumfac::equispaced_nodes{}).nodes();
    operator_type a(sumfac::host{}, nodes, {}, sumfac::equispaced_nodes{});
    if (m <= 3) {
      agrees(nodes, mesh, where);
      a.update(nodes, {});
      continue;
    }
    std::string const said = "sumfac::element_operator: it is not said where the " + std::to_string(m) + " mesh nodes";
    CHECK_THROWS_WITH(operator_type(sumfac::host{}, nodes), Catch::StartsWith(said) && Catch::Contains("up to 3"));
    CHECK_THROWS_WITH(a.update(nodes, {}), Catch::StartsWith(said));
    CHECK_THROWS_WITH(sumfac::tune<operator_type>(sumfac::host{}, nodes), Catch::StartsWith("sumfac::tune: it is not"));
    a.update(nodes, {}, sumfac::equispaced_nodes{});
  }
}

TEST_CASE("operator: mesh nodes in other layouts and in single precision")
{
  auto const where = reference::gauss_lobatto(3);
  auto mesh = curved(where);
  for (double& x : mesh.coordinates) x = static_cast<float>(x);
  using extents = sumfac::dextents<5>;
  extents const shape(mesh.elements, 3, 3, 3, 3);
  auto const good = checks::nodes_view(mesh);
  auto const copied = [&](auto memory, auto const& map) {
    using layout = typename std::decay_t<decltype(map)>::layout_type;
    sumfac::view<typename decltype(memory)::value_type, extents, layout> const view(memory.data(), map);
    for (index_t e = 0; e < mesh.elements; ++e)
      for (index_t r = 0; r < 81; ++r)
        view(e, r / 27, r / 9 % 3, r / 3 % 3, r % 3) =
            static_cast<typename decltype(memory)::value_type>(good(e, r / 27, r / 9 % 3, r / 3 % 3, r % 3));
    agrees(view, mesh, where);
  };
  copied(std::vector<double>(1000), sumfac::layout_left::mapping<extents>(shape));
  copied(std::vector<float>(1000), sumfac::layout_right::mapping<extents>(shape));
  copied(std::vector<double>(1000), sumfac::layout_interleaved<4>::mapping<extents>(shape));
  // Coordinates apart, as in three arrays.
  index_t const apart[5] = {27, 9, 3, 1, 27 * mesh.elements + 5};
  copied(std::vector<double>(1000), sumfac::layout_stride::mapping<extents>(shape, apart));
}

TEST_CASE("operator: a mesh far from the origin loses the digits of its coordinates and no more")
{
  auto const where = reference::gauss_lobatto(3);
  // Shifts by powers of two that keep every digit of coordinates rounded to 2^-30.
  auto mesh = curved(where);
  for (double& x : mesh.coordinates) x = std::round(x * 0x1p30) * 0x1p-30;
  auto const far = mesh::mapped(mesh, mesh::affine{{1, 1, 1}, 0, 0, 0, {0x1p20, -0x1p21, 0x1p19}});
  agrees(checks::nodes_view(far), mesh, where);
}

TEST_CASE("operator: an element with a negative Jacobian is named, with point and value")
{
  constexpr int w = sumfac::native_width<double>;
  auto const where = reference::equispaced(2);
  // In every lane of a register, and in one that is not filled.
  for (int bad = 0; bad < 2 * w + 1; ++bad) {
    auto mesh = mesh::sampled(mesh::jittered({3, 3, 3}, 0.2), 2 * w + 1);
    auto const size = static_cast<std::ptrdiff_t>(mesh.element_size());
    auto const x = mesh.coordinates.begin() + size * bad;
    std::swap_ranges(x, x + 12, x + 12);  // top and bottom exchanged: inside out
    auto const found = refused<operator_type>(checks::nodes_view(mesh));
    reference::element<> const exact(reference::on_gauss(order), where, mesh.element(bad), reference::mass());
    CHECK(found.element == bad);
    CHECK(found.determinant < 0);
    double const det = static_cast<double>(point_at(exact, order + 2, found.point).det);
    CHECK(std::abs(found.determinant - det) <= 1e-5 * std::abs(det));
  }
}

TEST_CASE("operator: the point of an element that is folded in one corner is named")
{
  auto const where = reference::equispaced(2);
  auto mesh = mesh::box({3, 1, 1});
  double* const corner = mesh.coordinates.data() + mesh.element_size() + 3 * 7;  // the second element's last vertex
  corner[0] -= 0.95 / 3, corner[1] -= 0.95, corner[2] -= 0.95;
  reference::element<> const exact(reference::collocated(2), where, mesh.element(1), reference::mass());
  auto const found = refused<sumfac::bp35<2>>(checks::nodes_view(mesh));
  CHECK(found.element == 1);
  double const det = static_cast<double>(point_at(exact, 3, found.point).det);
  CHECK(det < 0);
  CHECK(std::abs(found.determinant - det) <= 1e-5 * std::abs(det));
}

TEST_CASE("operator: the first of several bad elements is named, whatever the number of threads")
{
  auto mesh = mesh::box({8, 8, 4});
  for (int const bad : {250, 131, 77})
    for (std::size_t i = 0; i < 24; i += 3)
      mesh.coordinates[mesh.element_size() * static_cast<std::size_t>(bad) + i] *= -1;
  for (int repeat = 0; repeat < 5; ++repeat) CHECK(refused<operator_type>(checks::nodes_view(mesh)).element == 77);
}

TEST_CASE("operator: flat elements and coordinates that are no numbers are refused")
{
  auto flat = mesh::box({5, 1, 1});
  for (std::size_t i = 2; i < 24; i += 3) flat.coordinates[flat.element_size() * 3 + i] = 0.25;
  auto const found = refused<operator_type>(checks::nodes_view(flat));
  CHECK(found.element == 3);
  CHECK(found.determinant == 0);

  for (double const bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    auto broken = mesh::box({5, 1, 1});
    broken.coordinates[broken.element_size() * 4 + 13] = bad;
    CHECK(refused<operator_type>(checks::nodes_view(broken)).element == 4);
    CHECK(refused<sumfac::bp1<2, sumfac::checked>>(checks::nodes_view(broken)).element == 4);
  }
}
