// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Explanations of operators of every kind: quadrilaterals, two spaces, inputs, components, geometry made in the kernel.
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/tools/explain.hpp>
#include <sumfac/tools/tune.hpp>

#include <dofs/global_vectors.hpp>
#include <support/measured.hpp>
#include <support/mesh.hpp>

#include <catch2/catch.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace {

using sumfac::advice_on, sumfac::index_t, sumfac::value;

mesh::counts const cells{3, 2, 2};
sumfac::explain_options const timed{.roofs = {.copy = 1e9, .f64 = 1e15, .f32 = 1e15, .caches = 1}, .seconds = 1e-4};

auto nodes_view(mesh::nodes const& mesh)
{
  int const m = mesh.nodes_1d;
  sumfac::view<double const, sumfac::dextents<5>> const nodes(mesh.data(), mesh.elements, m, m, m, 3);
  return sumfac::mesh_view(nodes, sumfac::gauss_lobatto_nodes{});
}

std::string advised(sumfac::explanation const& e, advice_on on)
{
  for (auto const& a : e.what_helps)
    if (a.on == on) return a.text;
  return {};
}

// (k(t) u, v), where t is another function on the mesh.
struct reaction : support::measured {
  static constexpr auto trial = value, test = value;
  using inputs = sumfac::reads<sumfac::input{.components = 1, .evaluates = value}>;

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u,
                                sumfac::point_values<T> const& t) const
  {
    return {.value = f.measure * t.value * u.value};
  }
};

// (q, div u)
struct divergence {
  static constexpr auto trial = sumfac::gradient, test = value;
  static constexpr int components = 3, test_components = 1;

  template <class T>
  struct factors {
    sumfac::matrix<T, 3> inverse;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.weight() * x.adjugate()};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T, 3> const& u) const
  {
    T sum = u.gradient(0, 0) * f.inverse(0, 0);
    for (int i = 1; i < 9; ++i) sum = sum + u.gradient(i / 3, i % 3) * f.inverse(i % 3, i / 3);
    return {.value = sum};
  }
};

// (grad u, grad v) + (u, v), without apply_at.
struct plain_form {
  static constexpr auto trial = value | sumfac::gradient, test = value | sumfac::gradient;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
    T measure;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.metric(), x.measure()};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.measure * u.value, .gradient = f.metric * u.gradient};
  }
};

// The part of a form that applies measure() alone, without apply_at.
struct plain_mass {
  static constexpr auto trial = value, test = value;

  template <class T>
  struct factors {
    T measure;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    auto const& j = x.scaled_jacobian();
    return {x.weight() * (j(0, 0) * j(1, 1) * j(2, 2))};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.measure * u.value};
  }
};

}  // namespace

TEST_CASE("explain: what other geometry gives is timed, and what an apply_at would")
{
  auto const straight = mesh::box(cells);
  sumfac::element_operator<plain_form, 1> const a{{}, nodes_view(straight)};
  auto options = timed;
  options.least_gain = 0;  // whatever it is
  auto const e = sumfac::explain(a, options);
  int found = 0;
  for (auto const& advised : e.what_helps) {
    bool const of_geometry = advised.on == advice_on::geometry, of_form = advised.on == advice_on::form;
    if (!of_geometry && !of_form) continue;
    ++found;
    INFO(advised.text);
    CHECK(advised.timed);
    CHECK(advised.gain > 0);
    CHECK(advised.text.find("sumfac::affine") != std::string::npos);
    CHECK(advised.text.find("timed in turns with it") != std::string::npos);
    if (of_form) CHECK(advised.text.find("apply_at") != std::string::npos);
  }
  CHECK(found == 2);
  // What loses is not advised: not even where the roofs promise much.
  options.least_gain = 1e3;
  CHECK(advised(sumfac::explain(a, options), advice_on::geometry).empty());

  // Of curved elements among others nothing was timed: there is no number.
  options = timed;
  options.classes.assign(12, sumfac::geometry_class::general);
  for (int i = 0; i < 8; ++i) options.classes[std::size_t(i)] = sumfac::geometry_class::affine;
  for (auto const& advised : sumfac::explain(a, options).what_helps)
    if (advised.on == advice_on::geometry) {
      CHECK(advised.gain == 0);
      CHECK(advised.text.find("whether that is faster was not timed") != std::string::npos);
    }

  // Nothing is timed: the roofs' numbers, and that they are these.
  options = timed;
  options.seconds = 0;
  auto const by_roofs = sumfac::explain(a, options);
  CHECK(advised(by_roofs, advice_on::geometry).find("by the roofs, not timed") != std::string::npos);
  CHECK(advised(by_roofs, advice_on::form).find("by the roofs, not timed") != std::string::npos);
}

TEST_CASE("explain: setup's flops on affine elements, as they are executed")
{
  auto const straight = mesh::box(cells);
  sumfac::element_operator<plain_mass, 1, sumfac::gauss<3>, sumfac::host, double, sumfac::affine> const a{
      {}, nodes_view(straight)};
  // Two products of the Jacobian's entries a line; at a point the weight, and that times the measure. The place of the
  // point is not wanted.
  index_t const of_weight = 1, lines = 9, points = 27;
  CHECK(a.work().geometry_flops == 12 * (lines * 2 + points * (of_weight + 1)));
}

TEST_CASE("explain: an input that is kept is among the bytes, and one that is not given leaves nothing to be timed")
{
  sumfac::element_operator<reaction, 1> a{{}, nodes_view(mesh::jittered(cells, 0.1))};
  auto const before = sumfac::explain(a, timed);
  CHECK(before.seconds == 0);
  REQUIRE(before.warnings.size() == 1);
  CHECK(before.warnings[0].find("has not been given them") != std::string::npos);
  CHECK(before.bytes.factors == 12 * 27 * (1 + 1) * 8);

  std::vector<double> const t(12 * 8, 2);
  a.linearize(sumfac::view(t.data(), 12, 2, 2, 2));
  auto const after = sumfac::explain(a, timed);
  CHECK(after.seconds > 0);
  CHECK(after.warnings.empty());
  CHECK(after.bytes.all() == a.work().bytes());
}

TEST_CASE("explain: between two spaces")
{
  using spaces = sumfac::spaces;
  sumfac::element_operator<divergence, spaces{.trial = 2, .test = 1}> const a{{}, nodes_view(mesh::box(cells))};
  auto const e = sumfac::explain(a, timed);
  CHECK(e.bytes.read == 12 * 3 * 27 * 8);
  CHECK(e.bytes.written == 12 * 8 * 8);
  CHECK(e.bytes.all() == a.work().bytes());
  CHECK(e.seconds > 0);
  CHECK(advised(e, advice_on::geometry).find("sumfac::affine") != std::string::npos);
}

TEST_CASE("explain: quadrilaterals")
{
  std::vector<double> corners;  // of a row of rectangles
  for (int e = 0; e < 10; ++e)
    for (int i = 0; i < 4; ++i) corners.insert(corners.end(), {e + i % 2 * 1.0, i / 2 * 3.0});
  sumfac::view const nodes(corners.data(), 10, 2, 2, 2);
  sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(3)> const a{{}, nodes};
  auto const e = sumfac::explain(a, timed);
  CHECK(e.unknowns == 10 * 9);
  CHECK(e.what.find("quadrilaterals of degree 3") == 0);
  CHECK(advised(e, advice_on::geometry).find("sumfac::affine") != std::string::npos);
  auto options = timed;
  options.classes = sumfac::classify(nodes);
  CHECK(advised(sumfac::explain(a, options), advice_on::geometry).find("10 elements are affine") == 0);
}

TEST_CASE("explain: triangles, whose geometry no kernel makes")
{
  std::vector<double> corners;  // of a row of squares, cut in two
  for (int e = 0; e < 10; ++e)
    corners.insert(corners.end(), {e + 0.0, 0, e + 1.0, 0, e + 0.0, 1, e + 1.0, 1, e + 0.0, 1, e + 1.0, 0});
  sumfac::element_operator<sumfac::laplace, sumfac::triangle(2)> const a{{}, sumfac::view(corners.data(), 20, 3, 2)};
  auto const e = sumfac::explain(a, timed);
  CHECK(e.unknowns == 10 * 4);
  CHECK(e.what.find("triangles of degree 2, 6 points, 1 component") == 0);
  CHECK(e.seconds > 0);
  CHECK(advised(e, advice_on::geometry).empty());
}

TEST_CASE("explain: tables whose sizes are known at run time alone")
{
  double const slopes[] = {-1, -1, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1}, values[] = {0.25, 0.25, 0.25, 0.25},
               weight = 1.0 / 6;
  std::vector<double> vertices(24);
  for (std::size_t i : {3U, 7U, 11U, 15U, 19U, 23U}) vertices[i] = 1;
  int const table[] = {0, 1, 2, 3, 4, 5, 6, 7};
  using operator_type =
      sumfac::element_operator<sumfac::laplace, sumfac::tabulated(sumfac::dynamic, sumfac::dynamic, 3)>;
  operator_type const a{{},
                        sumfac::view(vertices.data(), 2, 4, 3),
                        {sumfac::view(values, 1, 4), sumfac::view(slopes, 1, 4, 3), sumfac::view(&weight, 1)}};
  auto const e = sumfac::explain(a, timed);
  CHECK(e.what.find("elements of 4 functions as tables, 1 points, 1 component") == 0);
  CHECK(e.flops == a.work().flops);
  CHECK(e.bytes.read == 2 * 4 * 8);
  CHECK(e.bytes.written == 2 * 4 * 8);
  CHECK(e.bytes.factors == 2 * 6 * 8);
  CHECK(e.seconds > 0);
  sumfac::restriction const r{sumfac::host{}, sumfac::view(table, 2, 4), 8};
  CHECK(sumfac::explain(a, r, timed).unknowns == 8);
}

TEST_CASE("explain: components, side by side or apart, fill as many lines as there are")
{
  auto const nodes = mesh::jittered(cells, 0.1);
  auto const numbers = mesh::numbered(cells, 2, 5);
  sumfac::bp4<2> const a{{}, nodes_view(nodes)};
  auto const explained = [&](sumfac::interleaving way) {
    checks::restricted_mesh const mesh{numbers, 3};
    auto const r = mesh.restriction<double, sumfac::host>(sumfac::host{1}, {.components_lie = way, .blocks = 1});
    return sumfac::explain(a, r, timed);
  };
  auto const fastest = explained(sumfac::interleaving::fastest), slowest = explained(sumfac::interleaving::slowest);
  // One step has all nodes: its lines are those of the vector.
  index_t const nodes_of_mesh = 7 * 5 * 5;
  CHECK(fastest.lines_of_least == 1);
  CHECK(slowest.lines_of_least == 1);
  CHECK(fastest.bytes.read == nodes_of_mesh * 3 * 8);
  CHECK((fastest.bytes.again == 0 && slowest.bytes.again == 0));
  CHECK((fastest.seconds > 0 && slowest.seconds > 0));
}

TEST_CASE("explain: geometry that the kernel makes, and an operator that was chosen")
{
  auto const nodes = mesh::jittered(cells, 0.1);
  sumfac::bp3<2, sumfac::host, float, sumfac::trilinear> const a{{}, nodes_view(nodes)};
  auto options = timed;
  options.seconds = 0;  // by the roofs
  auto const e = sumfac::explain(a, options);
  CHECK(e.geometry_flops == a.work().geometry_flops);
  CHECK(e.what.find("factors in float, arithmetic in float; geometry trilinear") != std::string::npos);
  CHECK(advised(e, advice_on::geometry).empty());
  // Where a flop is dear, stored factors are the cheaper ones.
  options.roofs = {.copy = 1e15, .f32 = 1e6, .caches = 1};
  CHECK(advised(sumfac::explain(a, options), advice_on::geometry).find("with sumfac::stored") != std::string::npos);

  sumfac::bp3<2, sumfac::host, double, sumfac::split> const mixed{{}, nodes_view(nodes)};
  CHECK(sumfac::explain(mixed, timed).bytes.all() == mixed.work().bytes());

  auto const chosen = sumfac::tune<sumfac::bp1<1>>({}, nodes_view(nodes), {}, {.seconds = 1e-4, .log = nullptr});
  CHECK(chosen.visit([](auto const& b) { return sumfac::explain(b, timed); }).seconds > 0);
}
