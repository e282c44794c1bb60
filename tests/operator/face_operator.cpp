// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on faces that know the elements behind them: the oracle, symmetry, fluxes, and what is refused.
#include <sumfac/backend/checked.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/operator/face_operator.hpp>

#include <catch2/catch.hpp>
#include <operator/face_terms.hpp>
#include <support/few.hpp>
#include <support/random.hpp>
#include <support/spaces.hpp>
#include <support/tolerance.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using reference::real;
using sumfac::index_t, sumfac::quadrilateral, sumfac::node_placement;

using face_terms::agrees, face_terms::at, face_terms::bent, face_terms::nitsche, face_terms::nodes_view;
using face_terms::owners_view, face_terms::points_view, face_terms::traction, face_terms::weighted_values;

template <class T>
auto whole(std::vector<T>& v)
{
  return sumfac::view(v.data(), static_cast<index_t>(v.size()));
}

// A block of hexahedra, or of quadrilaterals, bent, with nodes that elements share.
template <int Directions, int N>
struct bent_block {
  int cells[3] = {3, 2, Directions == 3 ? 2 : 1};
  std::vector<double> xyz;
  std::vector<std::int32_t> numbers;
  index_t elements = index_t{cells[0]} * cells[1] * cells[2], nodes = 1;

  bent_block()
  {
    constexpr int order = N - 1;
    int along[3] = {1, 1, 1};
    for (int d = 0; d < Directions; ++d) along[d] = cells[d] * order + 1, nodes *= along[d];
    auto const rule = reference::gauss_lobatto(N);
    auto const coordinate = [&](int cell, int i) { return cell + (1 + double(rule.nodes[at(i)])) / 2; };
    for (int e = 0; e < elements; ++e) {
      int const cell[3] = {e % cells[0], e / cells[0] % cells[1], e / cells[0] / cells[1]};
      for (int k = 0; k < (Directions == 3 ? N : 1); ++k)
        for (int j = 0; j < N; ++j)
          for (int i = 0; i < N; ++i) {
            double const x = coordinate(cell[0], i), y = coordinate(cell[1], j);
            double const z = Directions == 3 ? coordinate(cell[2], k) : 0;
            xyz.push_back(x + 0.1 * std::sin(2 * y + z)), xyz.push_back(y * (1 + 0.1 * x) - 0.1 * z);
            if (Directions == 3) xyz.push_back(z + 0.1 * std::sin(x + y));
            int const row = (cell[2] * order + k) * along[1] + cell[1] * order + j;
            numbers.push_back(row * along[0] + cell[0] * order + i);
          }
    }
  }
  auto table() const { return owners_view<Directions, N>(numbers.data(), elements); }
  auto mesh() const { return nodes_view<Directions>(xyz.data(), elements, N); }
};

// n . grad u - n . slope at a point; and how far the normal points away from a place within the block.
struct flux_of {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  static constexpr bool linear = false;

  template <class T, int Dim>
  struct factors {
    sumfac::vector<T, Dim> across;
    T of_plane, outwards;
  };
  template <class T, int Dim>
  factors<T, Dim> setup(sumfac::face_mapping<T, Dim> const& x) const
  {
    double const slope[3] = {0.7, -1.3, 2.1}, inside[3] = {1.5, 1.1, 1};
    T plane = 0, out = 0;
    for (int c = 0; c < Dim; ++c) {
      plane += slope[c] * x.normal()[c];
      out += (x.position()[c] - inside[c]) * x.normal()[c];
    }
    return {x.normal_derivative(), plane, out};
  }
  template <class T, int Dim>
  sumfac::point_values<T, 1, Dim> apply(factors<T, Dim> const& f, sumfac::point_values<T, 1, Dim> const& u) const
  {
    return {.value = shows_outwards ? f.outwards : dot(f.across, u.gradient) - f.of_plane};
  }

  bool shows_outwards = false;
};

// On the boundary of a bent block: the operator is symmetric, and the fluxes of a plane are those that normals say.
template <int Directions, int N>
void on_boundary()
{
  bent_block<Directions, N> const block;
  auto const faces = sumfac::boundary_faces(block.table(), block.nodes);
  auto const numbers = sumfac::owner_table(block.table(), faces);
  auto const places = sumfac::owner_nodes(block.mesh(), faces);
  auto const count = static_cast<index_t>(faces.size());
  sumfac::host const backend;
  auto const owners = owners_view<Directions, N>(numbers.data(), count);
  auto const mesh = nodes_view<Directions>(places.data(), count, N);
  sumfac::restriction const R{backend, owners, block.nodes};
  constexpr auto space = sumfac::space(N - 1, Directions);
  sumfac::face_operator<nitsche, space> const B{backend, mesh, {.penalty = 30}};
  auto x = support::random<double>(at(block.nodes), 1), w = support::random<double>(at(block.nodes), 2);
  std::vector<double> Bx(x.size()), Bw(x.size()), d(x.size());
  B.apply(R, whole(x), whole(Bx)), B.apply(R, whole(w), whole(Bw));
  double wBx = 0, xBw = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) wBx += w[i] * Bx[i], xBw += x[i] * Bw[i], size += std::abs(w[i] * Bx[i]);
  CHECK(std::abs(wBx - xBw) <= 1e-13 * size);
  sumfac::face_operator<nitsche, space> const skew{backend, mesh, {.penalty = 30, .other = 0.5}};
  skew.apply(R, whole(x), whole(Bx)), skew.apply(R, whole(w), whole(Bw));
  double difference = 0;
  for (std::size_t i = 0; i < x.size(); ++i) difference += w[i] * Bx[i] - x[i] * Bw[i];
  CHECK(std::abs(difference) > 1e-3 * size);
  // The diagonal is that of the matrix, column by column, shared nodes and all.
  B.diagonal(R, whole(d));
  for (std::size_t i = 0; i < x.size(); i += 13) {
    std::vector<double> unit(x.size(), 0);
    unit[i] = 1;
    B.apply(R, whole(unit), whole(Bx));
    CHECK(std::abs(Bx[i] - d[i]) <= 1e-12 * (1 + std::abs(d[i])));
  }

  std::vector<double> plane(x.size());
  for (std::size_t i = 0; i < block.numbers.size(); ++i) {
    double const* const place = &block.xyz[i * Directions];
    plane[at(block.numbers[i])] = 0.7 * place[0] - 1.3 * place[1] + (Directions == 3 ? 2.1 * place[2] : 0);
  }
  std::vector<double> t(at(count) * (Directions == 3 ? (N + 1) * (N + 1) : N + 1), 9);
  sumfac::face_operator<flux_of, space> const flux{backend, mesh};
  flux.at_points(R, whole(plane), points_view<Directions, 1>(t.data(), count, N + 1));
  for (double const off : t) CHECK(std::abs(off) < 1e-11);
  sumfac::face_operator<flux_of, space> const normals{backend, mesh, {.shows_outwards = true}};
  normals.at_points(R, whole(plane), points_view<Directions, 1>(t.data(), count, N + 1));
  CHECK(*std::min_element(t.begin(), t.end()) > 0.1);
}

}  // namespace

TEST_CASE("face_operator: beside the oracle")
{
  using reference::gauss, reference::gauss_lobatto;
  agrees<sumfac::face_operator<nitsche, 2>>(gauss_lobatto(3), gauss(4), {.other = 0.5});
  if constexpr (!support::few) {
    agrees<sumfac::face_operator<weighted_values, 1, sumfac::gauss_lobatto<3>>>(gauss_lobatto(2), gauss_lobatto(3));
    agrees<sumfac::face_operator<nitsche, quadrilateral(3, node_placement::gauss), sumfac::gauss<4>, float>>(
        gauss(4), gauss(4), {.other = 0.5});
    agrees<sumfac::face_operator<traction<true>, quadrilateral(2)>>(gauss_lobatto(3), gauss(4));
    agrees<sumfac::face_operator<traction<false>, quadrilateral(2)>>(gauss_lobatto(3), gauss(4));
  }
}

TEST_CASE("face_operator: by a device's team, thread by thread")
{
  using reference::gauss, reference::gauss_lobatto, sumfac::checked;
  agrees<sumfac::face_operator<nitsche, 2, checked>>(gauss_lobatto(3), gauss(4), {.other = 0.5});
}

TEST_CASE("face_operator: on the boundary of a block it is symmetric, and has the fluxes of a plane")
{
  if constexpr (!support::few) on_boundary<3, 3>(), on_boundary<2, 4>();
}

TEST_CASE("face_operator: elements behind faces are turned, and their last side is the face")
{
  auto const compare = [](auto const& block, auto directions, auto nodes_1d) {
    constexpr int d = decltype(directions)::value, n = decltype(nodes_1d)::value;
    std::vector<sumfac::element_side> all;
    for (index_t e = 0; e < block.elements; ++e)
      for (int side = 0; side < 2 * d; ++side) all.push_back({e, side});
    auto const turned = sumfac::owner_table(block.table(), all), faces = sumfac::face_table(block.table(), all);
    auto const places = sumfac::owner_nodes(block.mesh(), all);
    std::size_t const of_face = faces.size() / all.size(), of_element = turned.size() / all.size();
    REQUIRE(of_element == of_face * n);
    for (std::size_t f = 0; f < all.size(); ++f) {
      auto const first = turned.begin() + static_cast<std::ptrdiff_t>(f * of_element);
      std::vector<index_t> mine(first, first + static_cast<std::ptrdiff_t>(of_element));
      std::vector<index_t> last(mine.end() - static_cast<std::ptrdiff_t>(of_face), mine.end());
      if (d == 2) std::reverse(last.begin(), last.end());
      for (std::size_t i = 0; i < of_face; ++i) CHECK(last[i] == faces[f * of_face + i]);
      auto const own = block.numbers.begin() + static_cast<std::ptrdiff_t>(at(all[f].element) * of_element);
      CHECK(std::is_permutation(mine.begin(), mine.end(), own));
      // Its mesh nodes are those of the same numbers.
      for (std::size_t i = 0; i < of_element; ++i) {
        auto const there = at(std::find(own, own + static_cast<std::ptrdiff_t>(of_element), mine[i]) - own);
        for (std::size_t c = 0; c < d; ++c)
          CHECK(places[(f * of_element + i) * d + c] == block.xyz[(at(all[f].element) * of_element + there) * d + c]);
      }
    }
  };
  compare(bent_block<3, 3>{}, std::integral_constant<int, 3>{}, std::integral_constant<int, 3>{});
  compare(bent_block<2, 4>{}, std::integral_constant<int, 2>{}, std::integral_constant<int, 4>{});
}

// y = B x where all coordinates are `power` powers of two larger, over as many of what y grows by with each.
template <class Operator>
std::vector<typename Operator::scalar_type> scaled(int power, int growth)
{
  using scalar = typename Operator::scalar_type;
  constexpr int directions = Operator::directions, n = Operator::nodes_1d, m = 3, faces = 3;
  auto mesh = bent(faces, directions, m, 0.04);
  for (double& x : mesh) x = std::ldexp(x, power);
  std::vector<std::int32_t> table(at(directions == 3 ? n * n * n : n * n) * faces);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::int32_t>(i);
  sumfac::host const backend;
  sumfac::restriction<scalar> const R{backend,
                                      owners_view<directions, n>(table.data(), faces),
                                      static_cast<index_t>(table.size()),
                                      {.components = Operator::components}};
  Operator const A{backend, nodes_view<directions>(mesh.data(), faces, m)};
  auto x = support::random<scalar>(at(R.size()), 5);
  std::vector<scalar> y(x.size());
  A.apply(R, whole(x), whole(y));
  for (scalar& entry : y) entry = std::ldexp(entry, -growth * power);
  return y;
}
template <class Operator>
void at_any_size(int growth, std::initializer_list<int> powers, std::initializer_list<int> beyond)
{
  auto const expected = scaled<Operator>(0, growth);
  bool const in_float = sizeof(typename Operator::scalar_type) == sizeof(float);
  for (int const power : powers) CHECK(scaled<Operator>(power, growth) == expected);
  for (int const power : beyond) {
    CAPTURE(power);
    CHECK_THROWS_AS(scaled<Operator>(power, growth), sumfac::geometry_error);
    CHECK_THROWS_WITH(scaled<Operator>(power, growth),
                      Catch::StartsWith("sumfac::face_operator: the element behind face 0 is beyond the numbers of " +
                                        std::string(in_float ? "type float (" : "type double (")) &&
                          Catch::Contains(" expected): scale the mesh"));
  }
}

TEST_CASE("face_operator: elements of any size, or refused with both numbers")
{
  using sumfac::gauss;
  at_any_size<sumfac::face_operator<nitsche, 2>>(1, {-500, -333, 333, 500}, {-520, 520, -1000, 1000});
  if constexpr (!support::few) {
    at_any_size<sumfac::face_operator<traction<true>, quadrilateral(2)>>(0, {-1000, -333, 333, 1000}, {});
    at_any_size<sumfac::face_operator<weighted_values, 2, gauss<3>, float>>(4, {-28, 28}, {-65, 65, -333, 333});
  }
}

TEST_CASE("face_operator: constrained entries, subsets, and what cannot be")
{
  bent_block<2, 3> const block;
  auto const faces = sumfac::boundary_faces(block.table(), block.nodes);
  auto const numbers = sumfac::owner_table(block.table(), faces);
  auto places = sumfac::owner_nodes(block.mesh(), faces);
  auto const count = static_cast<index_t>(faces.size());
  sumfac::host const backend;
  sumfac::view const owners(numbers.data(), count, 3, 3);
  sumfac::view const mesh(places.data(), count, 3, 3, 2);
  std::vector<std::uint8_t> marks(at(block.nodes), 0);
  marks[0] = marks[4] = 1;
  sumfac::restriction const R{backend, owners, block.nodes}, marked{backend, owners, block.nodes, whole(marks)};
  sumfac::face_operator<nitsche, quadrilateral(2)> const B{backend, mesh};
  auto x = support::random<double>(at(block.nodes), 1);
  std::vector<double> y(x.size()), z(x.size()), d(x.size());
  B.apply(marked, whole(x), whole(y));
  CHECK((y[0] == x[0] && y[4] == x[4]));
  auto without = x;
  without[0] = without[4] = 0;
  B.apply(R, whole(without), whole(z));
  for (std::size_t i = 0; i < y.size(); ++i)
    if (marks[i] == 0) CHECK(std::abs(y[i] - z[i]) < 1e-13);
  B.diagonal(marked, whole(d));
  CHECK((d[0] == 1 && d[4] == 1));
  // Parts of the boundary add up.
  std::vector<double> parts(x.size(), 0);
  B.apply(R, whole(x), whole(y));
  B.apply_add(R.subset(0, 4), whole(x), whole(parts)), B.apply_add(R.subset(4, count), whole(x), whole(parts));
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] - parts[i]) < 1e-12);

  auto const untouched = y;
  std::vector<double> t(at(count) * 4);
  CHECK_THROWS_WITH(B.at_points(R.subset(0, 4), whole(x), sumfac::view(t.data(), count, 4)),
                    Catch::Contains("a subset (4 of " + std::to_string(count) + " faces)"));
  CHECK_THROWS_WITH(B.at_points(R, whole(x), sumfac::view(t.data(), count, 3)), Catch::Contains("expected 4, got 3"));
  CHECK_THROWS_WITH(B.apply(R, whole(y), whole(y)), Catch::Contains("x and y overlap"));
  std::vector<double> shorter(x.size() - 1);
  CHECK_THROWS_WITH(B.apply(R, whole(shorter), whole(y)), Catch::Contains("extent 0 (entries) of x"));
  sumfac::restriction const volume{backend, block.table(), block.nodes};
  CHECK_THROWS_WITH(B.apply(volume, whole(x), whole(y)),
                    Catch::Contains("number of elements of the restriction") && Catch::Contains("got 6"));
  sumfac::restriction const two{backend, owners, block.nodes, {.components = 2}};
  CHECK_THROWS_WITH(B.apply_add(two, whole(x), whole(y)), Catch::Contains("number of components"));
  CHECK(y == untouched);
  for (auto const& side : {sumfac::element_side{6, 0}, sumfac::element_side{0, 4}}) {
    CHECK_THROWS_WITH(sumfac::owner_table(block.table(), {side}), Catch::Contains("owner_table"));
    CHECK_THROWS_WITH(sumfac::owner_nodes(block.mesh(), {side}), Catch::Contains("owner_nodes"));
  }
  auto const lopsided = [](int m, long double* nodes) {
    for (int i = 0; i < m; ++i) nodes[i] = i == 0 ? -1 : i + 1 == m ? 1 : 0.25L;
  };
  using on_plane = sumfac::face_operator<nitsche, quadrilateral(2)>;
  CHECK_THROWS_WITH(on_plane(backend, mesh, {}, lopsided),
                    Catch::Contains("symmetrically") && Catch::Contains("node 1 at 0.25, node 1 at 0.25"));
  auto const of_four = bent(2, 2, 4, 0);
  CHECK_THROWS_WITH(on_plane(backend, nodes_view<2>(of_four.data(), 2, 4).nodes()),
                    Catch::StartsWith("sumfac::face_operator: it is not said where the 4 mesh nodes"));
  auto periodic = numbers;
  periodic[9 * 2 + 3] = periodic[9 * 2 + 5];
  sumfac::restriction const twice{backend, sumfac::view(periodic.data(), count, 3, 3), block.nodes};
  CHECK_THROWS_WITH(B.diagonal(twice, whole(d)), Catch::Contains("behind face 2 has node"));
  // No faces are none.
  sumfac::view const none(places.data(), 0, 3, 3, 2);
  sumfac::restriction const empty{backend, sumfac::view(numbers.data(), 0, 3, 3), block.nodes};
  on_plane(backend, none).apply(empty, whole(x), whole(y));
  CHECK(*std::max_element(y.begin(), y.end()) == 0);

  // An element that is mirrored has no gradients; so has one that is flat on its face.
  for (std::size_t i = 0; i < 9; ++i) places[18 * 3 + 2 * i] *= -1;
  CHECK_THROWS_AS(on_plane(backend, mesh), sumfac::geometry_error);
  CHECK_THROWS_WITH(on_plane(backend, mesh), Catch::Contains("the element behind face 3 of 10"));
  CHECK_THROWS_WITH(on_plane(backend, sumfac::view(places.data(), count, 3, 3, 1)), Catch::Contains("coordinates"));
}
