// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of faces between elements: by hand, by the divergence theorem, and the same however elements are turned.
#include <support/dense.hpp>
#include <support/faces.hpp>
#include <support/larger.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace {

using reference::real;
using vector = std::vector<real>;

std::array<double, 3> bent(std::array<double, 3> const& x)
{
  return {x[0] + 0.1 * std::sin(x[1] + 0.4 * x[2]), x[1] + 0.1 * std::sin(x[0] - 0.3 * x[2]),
          x[2] + 0.1 * std::sin(x[0] + x[1])};
}
std::array<double, 3> sheared(std::array<double, 3> const& x)
{
  return {x[0] + 0.3 * x[1] - 0.1 * x[2], 0.8 * x[1] + 0.2 * x[2], 1.1 * x[2] + 0.1 * x[0]};
}

void near(vector const& got, vector const& expected, real tolerance = 1e-16L)
{
  REQUIRE(got.size() == expected.size());
  real greatest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) greatest = support::larger(greatest, std::abs(got[i] - expected[i]));
  CHECK(greatest <= tolerance);
}

// Every element turned in its own way.
reference::grid all_turned(reference::grid mesh)
{
  auto const ways = reference::turns(mesh.directions);
  for (int e = 0; e < mesh.elements(); ++e)
    mesh = reference::turned(mesh, e, ways[static_cast<std::size_t>(7 * e + 3) % ways.size()]);
  return mesh;
}

// f at all nodes of a space.
template <class Function>
vector at_nodes(reference::grid const& mesh, reference::rule const& nodes, Function const& f)
{
  vector u;
  for (int e = 0; e < mesh.elements(); ++e) {
    reference::flat_element const element(mesh.directions, mesh.directions, mesh.where, mesh.nodes_of(e), nodes);
    for (int p = 0; p < element.nodes_of(nodes); ++p) u.push_back(f(element.position_at(nodes, p)));
  }
  return u;
}

// Sums over elements of one integrand.
vector volume(reference::grid const& mesh, reference::rule const& nodes, reference::rule const& points,
              reference::flat_integrand const& form, vector const& u)
{
  vector v;
  reference::function_space const space{nodes, 1};
  auto const size = static_cast<std::ptrdiff_t>(u.size()) / mesh.elements();
  for (int e = 0; e < mesh.elements(); ++e) {
    reference::flat_element const element(mesh.directions, mesh.directions, mesh.where, mesh.nodes_of(e), points);
    auto const part = element.apply(space, space, form, {u.begin() + e * size, u.begin() + (e + 1) * size});
    v.insert(v.end(), part.begin(), part.end());
  }
  return v;
}

auto penalty(real eta)
{
  return [eta](reference::face_point const& in, reference::face_point const& out) {
    return eta / std::min(in.height, out.height);
  };
}

}  // namespace

TEST_CASE("faces: turns of a line, a quadrilateral and a hexahedron")
{
  CHECK(reference::turns(1).size() == 1);
  CHECK(reference::turns(2).size() == 4);
  CHECK(reference::turns(3).size() == 24);
  CHECK(reference::turns(2, true).size() == 8);
  // A turned element fills the same place with a positive determinant.
  auto const mesh = reference::box_grid({1, 1, 1}, reference::gauss_lobatto(3), bent);
  auto const points = reference::gauss(3), one = reference::gauss(1);
  auto const ones = [](vector const&, reference::flat_field const&) { return reference::flat_field{{1}, {{0, 0, 0}}}; };
  auto const sum = [&](reference::grid const& m) {
    real total = 0;
    for (real const x : volume(m, one, points, ones, {0})) total += x;
    return total;
  };
  for (auto const& t : reference::turns(3)) CHECK(std::abs(sum(reference::turned(mesh, 0, t)) - sum(mesh)) < 1e-17L);
}

TEST_CASE("faces: interior penalty and upwind fluxes of two lines, by hand")
{
  auto const mesh = reference::box_grid({2}, reference::equispaced(2));  // [0, 1], [1, 2]
  auto const faces = reference::interior_faces(mesh);
  REQUIRE(faces.size() == 1);
  CHECK(faces[0].in == reference::side{0, 1});
  CHECK(faces[0].out == reference::side{1, 0});
  CHECK(reference::boundary_sides(mesh, faces) == std::vector<reference::side>{{0, 0}, {1, 1}});
  reference::face_sums sip(mesh, {reference::gauss_lobatto(2), 1}, reference::gauss(1));
  sip.add(faces, reference::interior_penalty(penalty(5)));
  vector const jump{0, 1, -1, 0}, slope{-0.5L, 0.5L, -0.5L, 0.5L};
  vector expected;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      expected.push_back(-slope[j] * jump[i] - jump[j] * slope[i] + 5 * jump[i] * jump[j]);
  near(sip.matrix().entries, expected);
  near(sip.apply({1, 2, 3, 5}), reference::product(sip.matrix(), vector{1, 2, 3, 5}));

  // The wind blows to the right, then to the left.
  for (real const b : {3.0L, -3.0L}) {
    reference::face_sums up(mesh, {reference::gauss_lobatto(2), 1}, reference::gauss(1));
    up.add(faces, reference::upwind([b](vector const&) { return vector{b}; }));
    real const carried = b > 0 ? 2 : 7;
    near(up.apply({1, 2, 7, 5}), {0, b * carried, -b * carried, 0});
  }

  // The left end of [0, 1], u = 1 + x, wanted 4 there: slope of u outwards -1, of the basis 1 and -1.
  reference::face_sums end(mesh, {reference::gauss_lobatto(2), 1}, reference::gauss(1));
  end.add(reference::side{0, 0}, reference::weak_dirichlet([](auto const& x) { return 2 / x.height; },
                                                           [](vector const& x) { return x[0] + 4; }));
  near(end.apply({1, 2, 0, 0}), {1 - (1 - 4) * 1 + 2 * (1 - 4), -(1 - 4) * -1, 0, 0});
}

TEST_CASE("faces: pairs of a box, and around a torus")
{
  auto const flat = reference::box_grid({3, 2}, reference::equispaced(2));
  CHECK(reference::interior_faces(flat).size() == 2 * 2 + 3 * 1);
  auto const around = reference::interior_faces(flat, {{3, 0}, {0, 2}});
  CHECK(around.size() == 12);
  CHECK(reference::boundary_sides(flat, around).empty());
  auto const solid = all_turned(reference::box_grid({2, 2, 2}, reference::gauss_lobatto(3), bent));
  CHECK(reference::interior_faces(solid).size() == 12);
  CHECK(reference::boundary_sides(solid, reference::interior_faces(solid)).size() == 24);
  CHECK_THROWS(reference::turn_of(solid, {{0, 0}, {7, 0}}));
}

TEST_CASE("faces: normals, areas and heights, by the divergence theorem and by hand")
{
  for (int directions = 2; directions <= 3; ++directions) {
    std::vector<int> const one(static_cast<std::size_t>(directions), 1);
    auto const points = reference::gauss(5), constant = reference::gauss(1);
    for (int turned = 0; turned < 4; ++turned) {
      auto mesh = reference::box_grid(one, reference::gauss_lobatto(3), bent);
      mesh = reference::turned(mesh, 0, reference::turns(directions)[static_cast<std::size_t>(turned)]);
      vector const zero{0};
      vector through(static_cast<std::size_t>(directions), 0);
      real out_of_it = 0, area = 0;
      reference::face_sums sums(mesh, {constant, 1}, points);
      sums.add(reference::boundary_sides(mesh, {}), [&](reference::face_point const& x, auto const&) {
        return reference::flat_field{{reference::dot(x.position, x.normal)}, {}};
      });
      for (real const x : sums.apply(zero)) out_of_it += x;
      for (std::size_t r = 0; r < through.size(); ++r) {
        reference::face_sums normals(mesh, {constant, 1}, points);
        normals.add(reference::boundary_sides(mesh, {}), [r](reference::face_point const& x, auto const&) {
          return reference::flat_field{{x.normal[r]}, {}};
        });
        for (real const x : normals.apply(zero)) through[r] += x;
      }
      auto const ones = volume(
          mesh, constant, points,
          [&](auto const&, auto const&) {
            return reference::flat_field{{1}, {vector(std::size_t(directions), 0)}};
          },
          zero);
      for (real const x : ones) area += x;
      CHECK(std::abs(out_of_it - directions * area) < 1e-15L);
      for (real const x : through) CHECK(std::abs(x) < 1e-16L);
    }
  }
  // A parallelogram of area 0.8 whose lower side is of length 1.
  auto const slanted = reference::box_grid({1, 1}, reference::equispaced(2), sheared);
  auto const low = reference::side_of_face(slanted, 0, 2).at_point(reference::equispaced(2), {0.3L});
  CHECK(std::abs(low.area - 0.5L) < 1e-16L);
  CHECK(std::abs(low.where.height - 0.8L) < 1e-16L);
  near(low.where.normal, {0, -1});
}

TEST_CASE("faces: the same sums however the second element is turned")
{
  for (int directions = 2; directions <= 3; ++directions)
    for (bool const gauss : {false, true}) {
      std::vector<int> two(static_cast<std::size_t>(directions), 1);
      two[0] = 2;
      auto const mesh = reference::box_grid(two, reference::gauss_lobatto(3), bent);
      auto const nodes = gauss ? reference::gauss(2) : reference::gauss_lobatto(3);
      auto const matrix = [&](reference::grid const& m) {
        reference::face_sums sums(m, {nodes, 1}, reference::gauss(3));
        auto const faces = reference::interior_faces(m);
        REQUIRE(faces.size() == 1);
        sums.add(faces, reference::interior_penalty(penalty(7)));
        sums.add(faces, reference::upwind([](vector const& x) {
                   vector wind{1, x[0], -2 * x[1]};
                   wind.resize(x.size());
                   return wind;
                 }));
        return sums.matrix();
      };
      auto const before = matrix(mesh);
      int const size = before.rows / 2;
      std::vector<int> sides_seen;
      for (auto const& t : reference::turns(directions)) {
        auto const other = reference::turned(mesh, 1, t);
        auto const after = matrix(other);
        sides_seen.push_back(reference::interior_faces(other)[0].out.number);
        auto const old = [&](int i) {
          return i < size ? i : size + reference::turned_from(t, directions, nodes.size(), i - size);
        };
        real apart = 0;
        for (int i = 0; i < after.rows; ++i)
          for (int j = 0; j < after.cols; ++j)
            apart = support::larger(apart, std::abs(after(i, j) - before(old(i), old(j))));
        CHECK(apart < 1e-14L);
      }
      std::sort(sides_seen.begin(), sides_seen.end());
      CHECK(std::unique(sides_seen.begin(), sides_seen.end()) - sides_seen.begin() == 2 * directions);
    }
}

TEST_CASE("faces: interior penalty is consistent, symmetric and positive definite")
{
  for (int directions = 1; directions <= 3; ++directions) {
    std::vector<int> const two(static_cast<std::size_t>(directions), 2);
    auto const affine = all_turned(reference::box_grid(two, reference::gauss_lobatto(3), sheared));
    auto const nodes = reference::gauss_lobatto(3), points = reference::gauss(4);
    // u = 1 + x + x y + z z: minus its Laplacian is tested in every element, whatever the jumps of the test functions.
    auto const u_at = [&](vector const& x) {
      real const y = directions > 1 ? x[1] : x[0], z = directions > 2 ? x[2] : x[0];
      return 1 + x[0] + x[0] * y + z * z;
    };
    real const minus_laplacian = directions == 1 ? -4 : -2;
    auto const u = at_nodes(affine, nodes, u_at);
    auto const laplace = [](auto const&, reference::flat_field const& f) {
      return reference::flat_field{{0}, f.gradient};
    };
    reference::face_sums sums(affine, {nodes, 1}, points);
    auto const faces = reference::interior_faces(affine);
    sums.add(faces, reference::interior_penalty(penalty(20)));
    sums.add(reference::boundary_sides(affine, faces),
             reference::weak_dirichlet([](auto const& x) { return 20 / x.height; }, u_at));
    auto got = volume(affine, nodes, points, laplace, u);
    auto const part = sums.apply(u);
    for (std::size_t i = 0; i < got.size(); ++i) got[i] += part[i];
    auto const expected = volume(
        affine, nodes, points,
        [&](auto const&, auto const&) {
          return reference::flat_field{{minus_laplacian}, {vector(std::size_t(directions), 0)}};
        },
        u);
    near(got, expected, 1e-13L);

    if (directions == 3) continue;
    auto const curved = all_turned(reference::box_grid(two, reference::gauss_lobatto(3), bent));
    for (real const eta : {20.0L, 0.1L}) {
      reference::face_sums all(curved, {nodes, 1}, points);
      auto const inside = reference::interior_faces(curved);
      all.add(inside, reference::interior_penalty(penalty(eta)));
      all.add(reference::boundary_sides(curved, inside),
              reference::weak_dirichlet([eta](auto const& x) { return eta / x.height; }));
      auto a = all.matrix();
      for (int j = 0; j < a.cols; ++j) {
        vector unit(std::size_t(a.cols), 0);
        unit[std::size_t(j)] = 1;
        auto const column = volume(curved, nodes, points, laplace, unit);
        for (int i = 0; i < a.rows; ++i) a(i, j) += column[std::size_t(i)];
      }
      real apart = 0;
      for (int i = 0; i < a.rows; ++i)
        for (int j = 0; j < i; ++j) apart = support::larger(apart, std::abs(a(i, j) - a(j, i)));
      CHECK(apart < 1e-16L);
      CHECK(reference::solved(a, vector(std::size_t(a.rows), 1)).has_value() == (eta > 1));
    }
  }
}

TEST_CASE("faces: upwind fluxes keep a constant and lose half of |b . n| jump^2")
{
  auto const period = [](std::array<double, 3> const& x) {
    double const pi = 3.14159265358979323846;
    return std::array<double, 3>{x[0] + 0.1 * std::sin(pi * x[1]), x[1] + 0.1 * std::sin(pi * x[0]), x[2]};
  };
  auto const mesh = all_turned(reference::box_grid({2, 2}, reference::gauss_lobatto(4), period));
  auto const nodes = reference::gauss(3), points = reference::gauss(5);
  auto const faces = reference::interior_faces(mesh, {{2, 0}, {0, 2}});
  REQUIRE(reference::boundary_sides(mesh, faces).empty());
  vector const b{0.7L, -0.4L};
  auto const advection = [b](auto const&, reference::flat_field const& f) {
    return reference::flat_field{{0}, {{-b[0] * f.value[0], -b[1] * f.value[0]}}};
  };
  reference::face_sums up(mesh, {nodes, 1}, points), lost(mesh, {nodes, 1}, points);
  up.add(faces, reference::upwind([b](auto const&) { return b; }));
  lost.add(faces, [b](auto const& x, auto const&, auto const& u, auto const& w) {
    real const rate = std::abs(reference::dot(b, x.normal)) / 2 * (u.value[0] - w.value[0]);
    return reference::both_sides{{{rate}, {}}, {{-rate}, {}}};
  });
  auto const applied = [&](vector const& u) {
    auto v = volume(mesh, nodes, points, advection, u);
    auto const part = up.apply(u);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += part[i];
    return v;
  };
  near(applied(vector(std::size_t(up.size()), 1)), vector(std::size_t(up.size()), 0), 1e-15L);
  auto const u = support::random<real>(std::size_t(up.size()), 5);
  auto const v = applied(u);
  real sum = 0;
  for (real const x : v) sum += x;
  CHECK(std::abs(sum) < 1e-15L);
  CHECK(std::abs(reference::inner(u, v) - reference::inner(u, lost.apply(u))) < 1e-15L);
  CHECK(reference::inner(u, v) > 0.01L);
}
