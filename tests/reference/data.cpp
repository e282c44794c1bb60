// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle for forms with data, checked against hand values and the oracle for plain forms.
#include <support/data.hpp>

#include <catch2/catch.hpp>

#include <support/mesh.hpp>

#include <cmath>

namespace {

using reference::field, reference::point, reference::real;
using vector = std::vector<real>;

// Two unit cubes side by side, vertices (z, y, x).
std::vector<double> two_cubes()
{
  std::vector<double> x;
  for (int e = 0; e < 2; ++e)
    for (int v = 0; v < 8; ++v)
      for (double const coordinate : {double(e + v % 2), double(v / 2 % 2), double(v / 4)}) x.push_back(coordinate);
  return x;
}

real sum(vector const& v)
{
  real s = 0;
  for (real x : v) s += x;
  return s;
}

// A function's values at the nodes of both elements.
template <class Function>
vector nodal(reference::rule const& nodes, Function const& f)
{
  vector values;
  int const n = nodes.size();
  for (int e = 0; e < 2; ++e)
    for (int p = 0; p < n * n * n; ++p) {
      auto const at = [&](int i) { return (1 + nodes.nodes[static_cast<std::size_t>(i)]) / 2; };
      values.push_back(f(e + at(p % n), at(p / n % n), at(p / n / n)));
    }
  return values;
}

auto const cubes = two_cubes();
reference::rule const vertices = reference::gauss_lobatto(2);

TEST_CASE("Coefficients by element and by point weigh the volume")
{
  auto const space = reference::on_gauss(2);
  std::vector<real> const by_element{2, 5};
  reference::form_with_data<> const a(space, vertices, cubes,
                                      [&](int e, point<> const&, field<> const& u, auto const&) {
                                        return field<>{{by_element[static_cast<std::size_t>(e)] * u.value[0]}, {}};
                                      });
  REQUIRE(a.elements() == 2);
  vector const one(static_cast<std::size_t>(2 * a.size()), 1);
  CHECK(std::abs(sum(a.apply(one)) - 7) < 1e-15L);
  // By point: the coefficient is x there, as the point's own number says.
  reference::form_with_data<> const b(space, vertices, cubes,
                                      [&](int e, point<> const& x, field<> const& u, auto const&) {
                                        int const g = space.points.size();
                                        auto const q = static_cast<std::size_t>(x.number % g);
                                        real const position = e + (1 + space.points.nodes[q]) / 2;
                                        return field<>{{position * u.value[0]}, {}};
                                      });
  CHECK(std::abs(sum(b.apply(one)) - 2) < 1e-15L);  // the integral of x from 0 to 2
}

TEST_CASE("Fields of other degrees are what they are at the points")
{
  auto const space = reference::on_gauss(3);
  auto const own = reference::gauss_lobatto(3);
  auto const t = nodal(own, [](real x, real y, real z) { return x * y + z * z; });
  reference::form_with_data<> const a(
      space, vertices, cubes,
      [](int, point<> const&, field<> const& u, std::vector<field<>> const& inputs) {
        return field<>{{inputs[0].gradient[0][2] * inputs[0].value[0] * u.value[0]}, {}};
      },
      {{own, 1, t}});
  vector const one(static_cast<std::size_t>(2 * a.size()), 1);
  // 2 z (x y + z^2) over [0, 2] x [0, 1]^2: 2 (1/2)(2)(1/2) + 2 * 2 / 4 = 1 + 1
  CHECK(std::abs(sum(a.apply(one)) - 2) < 1e-15L);
}

TEST_CASE("The derivative of a nonlinear form is the one by hand")
{
  auto const space = reference::on_gauss(2);
  reference::form_with_data<> const f(space, vertices, cubes, [](int, point<> const&, field<> const& u, auto const&) {
    field<> v;
    for (std::size_t d = 0; d < 3; ++d) v.gradient[0][d] = (1 + u.value[0] * u.value[0]) * u.gradient[0][d];
    return v;
  });
  auto const u = nodal(space.nodes, [](real x, real y, real z) { return x + 2 * y * z; });
  auto const w = nodal(space.nodes, [](real x, real y, real) { return std::sin(x + y); });
  reference::form_with_data<> const j(space, vertices, cubes,
                                      [](int, point<> const&, field<> const& v, std::vector<field<>> const& inputs) {
                                        field<> r;
                                        auto const& at = inputs[0];
                                        for (std::size_t d = 0; d < 3; ++d)
                                          r.gradient[0][d] = (1 + at.value[0] * at.value[0]) * v.gradient[0][d] +
                                                             2 * at.value[0] * v.value[0] * at.gradient[0][d];
                                        return r;
                                      },
                                      {{space.nodes, 1, u}});
  auto const exact = j.apply(w), found = f.derivative(u, w);
  auto const matrix = f.matrix(1, u);
  for (std::size_t i = 0; i < exact.size(); ++i) CHECK(std::abs(exact[i] - found[i]) < 1e-13L);
  for (int i = 0; i < f.size(); ++i) {
    real row = 0;
    for (int k = 0; k < f.size(); ++k)
      row += matrix[static_cast<std::size_t>(i * f.size() + k)] * w[static_cast<std::size_t>(f.size() + k)];
    CHECK(std::abs(row - exact[static_cast<std::size_t>(f.size() + i)]) < 1e-12L);
  }
}

}  // namespace
