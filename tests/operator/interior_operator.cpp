// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms of two sides on the faces between elements: turned neighbours, symmetry, free streams, tangents, backends.
#include <sumfac/backend/checked.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/interior_faces.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/interior_operator.hpp>
#include <sumfac/operator/inverse_mass.hpp>

#include <catch2/catch.hpp>
#include <operator/beside_faces.hpp>
#include <operator/two_sided_forms.hpp>
#include <support/few.hpp>
#include <support/random.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace {

using beside_faces::agrees, beside_faces::at, beside_faces::elements_of, beside_faces::turned_block;
using reference::real;
using sumfac::index_t, sumfac::quadrilateral;
using two_sided::burgers, two_sided::interior_penalty, two_sided::sound, two_sided::upwind;

// v = F u of a vector without a shape.
template <class Operator, class T>
std::vector<T> applied(Operator const& F, std::vector<T> u, bool adds = false)
{
  auto v = support::random<T>(u.size(), 77);
  auto const shaped = [&](std::vector<T>& x) {
    return elements_of<Operator::directions>(x, F.elements(), Operator::nodes_1d);
  };
  if (adds)
    F.apply_add(shaped(u), shaped(v));
  else
    F.apply(shaped(u), shaped(v));
  return v;
}

template <class T>
double difference(std::vector<T> const& a, std::vector<T> const& b)
{
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(double(a[i]) - double(b[i])));
  return most;
}
template <class T>
double inner(std::vector<T> const& a, std::vector<T> const& b)
{
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * double(b[i]);
  return sum;
}

// Two elements side by side, bent, either of them numbered from any of its vertices along any of its directions.
template <int Directions>
struct turned_pair {
  static constexpr int m = 3;
  std::vector<double> xyz;
  std::vector<int> table;   // of its nodes, those of the first element, turned or not, first
  std::vector<int> origin;  // for each node of each element its place where nothing is turned

  // Axis d of the turned element e is axis to[d] of the element, backwards where sign[d] < 0.
  struct turn {
    std::array<int, 3> to{0, 1, 2}, sign{1, 1, 1};
  };
  explicit turned_pair(turn const& first, turn const& second)
  {
    int const depth = Directions == 3 ? m : 1;
    for (int e = 0; e < 2; ++e) {
      turn const& t = e == 0 ? first : second;
      for (int k = 0; k < depth; ++k)
        for (int j = 0; j < m; ++j)
          for (int i = 0; i < m; ++i) {
            int const turned[3] = {i, j, k};
            int own[3] = {0, 0, 0};
            for (std::size_t d = 0; d < Directions; ++d) own[t.to[d]] = t.sign[d] < 0 ? m - 1 - turned[d] : turned[d];
            int const x = own[0] + e * (m - 1);
            table.push_back((own[2] * m + own[1]) * (2 * m - 1) + x);
            origin.push_back((own[2] * m + own[1]) * m + own[0]);
            double const at[3] = {x / 2.0, own[1] / 2.0, own[2] / 2.0};
            xyz.push_back(at[0] + 0.1 * at[1] * at[2] + 0.05 * at[1] * at[1]);
            xyz.push_back(at[1] * (1 + 0.2 * at[0]) + 0.1 * at[2]);
            if (Directions == 3) xyz.push_back(at[2] + 0.1 * at[0] * at[1]);
          }
    }
  }
  auto nodes() const
  {
    if constexpr (Directions == 3)
      return sumfac::view(xyz.data(), 2, m, m, m, 3);
    else
      return sumfac::view(xyz.data(), 2, m, m, 2);
  }
  sumfac::face_pairs pairs()
  {
    return sumfac::interior_faces(elements_of<Directions>(table, 2, m), index_t{Directions == 3 ? 45 : 15});
  }
  // All ways to number an element that keep it right-handed.
  static std::vector<turn> turns()
  {
    std::vector<turn> all;
    std::array<int, 3> to{0, 1, 2};
    do {
      int const even = (to[1] - to[0] + 3) % 3 == 1 ? 1 : -1;
      for (int signs = 0; signs < 8; ++signs) {
        turn t{to, {1 - 2 * (signs & 1), 1 - (signs & 2), 1 - (signs & 4) / 2}};
        if (Directions == 2 && (to[2] != 2 || t.sign[2] < 0)) continue;
        if (even * t.sign[0] * t.sign[1] * t.sign[2] > 0) all.push_back(t);
      }
    } while (std::next_permutation(to.begin(), to.end()));
    return all;
  }
};

// However elements are turned, nodes get the same.
template <int Directions, class Form>
void turns_alike(Form const& form)
{
  using pair = turned_pair<Directions>;
  constexpr std::size_t size = Directions == 3 ? 27 : 9;
  using interior = sumfac::interior_operator<Form, sumfac::space(2, Directions)>;
  auto const turns = pair::turns();
  REQUIRE(turns.size() == (Directions == 3 ? 24 : 4));
  auto const base = support::random<double>(2 * size, 4);
  std::vector<double> expected;
  std::array<bool, 6> sides{};
  std::array<bool, 8> seen{};
  for (std::size_t one = 0; one < turns.size(); ++one)
    for (std::size_t two = one % 13; two < turns.size(); two += one == 0 ? 1 : 13) {
      pair mesh(turns[one], turns[two]);
      auto const pairs = mesh.pairs();
      REQUIRE(pairs.faces() == 1);
      for (int s = 0; s < 2 * Directions; ++s)
        if (auto const& behind = pairs.behind(0, s); behind.element >= 0)
          sides[at(s)] = true, seen[at(behind.turn)] = true;
      interior const F{sumfac::host{}, mesh.nodes(), pairs, form};
      std::vector<double> u(2 * size), ordered(2 * size);
      for (std::size_t i = 0; i < u.size(); ++i) u[i] = base[i / size * size + at(mesh.origin[i])];
      auto const v = applied(F, u);
      for (std::size_t i = 0; i < u.size(); ++i) ordered[i / size * size + at(mesh.origin[i])] = v[i];
      if (expected.empty()) expected = ordered;
      CAPTURE(one, two);
      REQUIRE(difference(ordered, expected) < 1e-12);
    }
  CHECK(inner(expected, expected) > 0.1);
  CHECK(std::count(sides.begin(), sides.end(), true) == 2 * Directions);
  // Right-handed elements see each other in a mirror.
  CHECK(std::count(seen.begin(), seen.end(), true) == (Directions == 3 ? 4 : 1));
}

// A box of cells^3, or cells^2, that is periodic along all directions, bent all the same.
template <int Directions>
struct periodic_box {
  static constexpr int m = 3, cells = 3;
  index_t elements = Directions == 3 ? 27 : 9, nodes = elements;
  std::vector<double> xyz;
  std::vector<int> table;

  periodic_box()
  {
    double const wave = 2 * 3.14159265358979323846 / cells;
    for (int e = 0; e < elements; ++e) {
      int const cell[3] = {e % cells, e / cells % cells, e / cells / cells};
      for (int k = 0; k < (Directions == 3 ? m : 1); ++k)
        for (int j = 0; j < m; ++j)
          for (int i = 0; i < m; ++i) {
            double const x = cell[0] + i / 2.0, y = cell[1] + j / 2.0, z = cell[2] + k / 2.0;
            xyz.push_back(x + 0.1 * std::sin(wave * y) + 0.05 * std::sin(wave * z));
            xyz.push_back(y + 0.1 * std::sin(wave * x));
            if (Directions == 3) xyz.push_back(z + 0.1 * std::sin(wave * (x + y)));
          }
      for (int k = 0; k < (Directions == 3 ? 2 : 1); ++k)
        for (int j = 0; j < 2; ++j)
          for (int i = 0; i < 2; ++i)
            table.push_back((((cell[2] + k) % cells) * cells + (cell[1] + j) % cells) * cells + (cell[0] + i) % cells);
    }
  }
  auto mesh() const
  {
    if constexpr (Directions == 3)
      return sumfac::view(xyz.data(), elements, m, m, m, 3);
    else
      return sumfac::view(xyz.data(), elements, m, m, 2);
  }
  sumfac::face_pairs pairs() { return sumfac::interior_faces(elements_of<Directions>(table, elements, 2), nodes); }
};

// What flows out of an element flows into others, and what is constant stays so.
template <int Directions, int N>
void keeps_free_stream()
{
  constexpr auto space = sumfac::space(N, Directions);
  periodic_box<Directions> box;
  auto const pairs = box.pairs();
  REQUIRE(pairs.faces() == Directions * box.elements);
  sumfac::interior_operator<upwind, space> const F{sumfac::host{}, box.mesh(), pairs};
  sumfac::element_operator<two_sided::advection, space> const A{sumfac::host{}, box.mesh()};
  auto const size = at(box.elements) * at(Directions == 3 ? (N + 1) * (N + 1) * (N + 1) : (N + 1) * (N + 1));
  auto const u = support::random<double>(size, 3);
  std::vector<double> const one(size, 1);
  CHECK(std::abs(inner(one, applied(F, u))) < 1e-11);
  CHECK(inner(applied(F, u), applied(F, u)) > 0.1);

  auto constant = one;
  auto v = support::random<double>(size, 5);
  A.apply(elements_of<Directions>(constant, box.elements, N + 1), elements_of<Directions>(v, box.elements, N + 1));
  CHECK(inner(v, v) > 0.01);
  F.apply_add(elements_of<Directions>(constant, box.elements, N + 1), elements_of<Directions>(v, box.elements, N + 1));
  for (double const x : v) REQUIRE(std::abs(x) < 1e-13);
}

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
  auto const wind = [](reference::face_sums& sums, faces const& pairs, sides const&) {
    sums.add(pairs, reference::upwind([](std::vector<real> const&) { return std::vector<real>{0.7, -0.4, 0.5}; }));
  };
  if constexpr (!support::few) {
    agrees<sumfac::interior_operator<interior_penalty, sumfac::hexahedron(2, sumfac::node_placement::gauss), float>>(
        gauss(3), gauss(4), sip);
    agrees<sumfac::interior_operator<upwind, 2>>(gauss_lobatto(3), gauss(4), wind);
  }
}

TEST_CASE("interior_operator: a system of components, and coefficients that jump from element to element")
{
  std::vector<double> const impedance{1, 3, 0.5, 2, 1.5, 4};
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
  agrees<sumfac::interior_operator<sound<2>, quadrilateral(2)>>(reference::gauss_lobatto(3), reference::gauss(4), waves,
                                                                {impedance.data()});
}

TEST_CASE("interior_operator: a face is the same however its elements are turned")
{
  turns_alike<2>(interior_penalty{});
  if constexpr (!support::few) turns_alike<3>(interior_penalty{});
}

TEST_CASE("interior_operator: fluxes are conserved, and free streams are kept on curved meshes")
{
  keeps_free_stream<2, 3>();
  if constexpr (!support::few) keeps_free_stream<3, 2>();
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

// M^-1 M u = u, and M of the same points.
template <class Inverse>
void inverts()
{
  constexpr int n = Inverse::nodes_1d, directions = Inverse::directions;
  using scalar = typename Inverse::scalar_type;
  using backend = typename Inverse::backend_type;
  constexpr auto space = sumfac::space(n - 1, directions);
  auto const mesh = turned_block(directions);
  auto const elements = index_t{mesh.elements()};
  auto const nodes = [&] {
    if constexpr (directions == 3)
      return sumfac::view(mesh.nodes.data(), elements, 3, 3, 3, 3);
    else
      return sumfac::view(mesh.nodes.data(), elements, 3, 3, 2);
  }();
  sumfac::element_operator<sumfac::mass, space, typename Inverse::points_type, scalar> const M{sumfac::host{}, nodes};
  Inverse const inverse{backend{}, nodes};
  auto u = support::random<scalar>(at(elements) * at(directions == 3 ? n * n * n : n * n), 8);
  auto v = support::random<scalar>(u.size(), 9);
  M.apply(elements_of<directions>(u, elements, n), elements_of<directions>(v, elements, n));
  CHECK(difference(u, v) > 0.1);
  inverse.apply(elements_of<directions>(v, elements, n), elements_of<directions>(v, elements, n));
  CHECK(difference(u, v) < 500 * double(std::numeric_limits<scalar>::epsilon()));
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

TEST_CASE("interior_operator: what does not fit is refused with both numbers")
{
  auto const box = bent_box({2, 1, 1}), other = bent_box({3, 1, 1});
  using interior = sumfac::interior_operator<interior_penalty, 1>;
  CHECK_THROWS_WITH((interior{sumfac::host{}, box.nodes(), other.interior_faces()}),
                    Catch::Contains("number of elements of the faces") && Catch::Contains("2") && Catch::Contains("3"));
  interior const F{sumfac::host{}, box};
  std::vector<double> u(16), v(24);
  CHECK_THROWS_WITH(F.apply(elements_of<3>(u, 2, 2), elements_of<3>(v, 3, 2)), Catch::StartsWith("sumfac::interior_"
                                                                                                 "operator::apply: "
                                                                                                 "extent 0 (elements) "
                                                                                                 "of v does not "
                                                                                                 "match"));
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
