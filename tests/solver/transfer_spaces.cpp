// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Transfer between two degrees on quadrilaterals and lines: polynomials, transposes, nodes of lower degrees.
// part host: BACKEND=host
// part checked: BACKEND=checked
#include "flat_case.hpp"
#include "multigrid_case.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/solver/detail/coarse_nodes.hpp>
#include <sumfac/solver/transfer.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace {

using backend = sumfac::BACKEND;
using checks::global_view, checks::patchwork, checks::refused;
using sumfac::line, sumfac::quadrilateral, sumfac::surface, sumfac::node_placement;

// The nodes of a lower degree as the library numbers them.
template <int Directions>
struct coarsened {
  mesh::numbering numbers;
  std::vector<std::uint8_t> marks;

  coarsened(mesh::numbering const& fine, std::vector<std::uint8_t> const& fine_marks, int components, int degree)
  {
    sumfac::restriction_options const options{.components = components};
    sumfac::detail::node_table made(sumfac::host{}, checks::table_view<Directions>(fine), fine.nodes, options);
    if (!fine_marks.empty())
      made.mark(sumfac::host{},
                sumfac::view<std::uint8_t const, sumfac::dextents<2>>(fine_marks.data(), fine.nodes, components));
    sumfac::detail::coarse_nodes const coarse(sumfac::host{2}, made, {made.directions(), made.nodes_1d(), degree + 1});
    numbers = {fine.elements, degree + 1, coarse.nodes, {}, {}, Directions};
    numbers.table.assign(coarse.numbers.begin(), coarse.numbers.end());
    marks.assign(coarse.marks.begin(), coarse.marks.end());
  }
};

// A polynomial of the degree in each of s, t.
double polynomial(int degree, double s, double t)
{
  return 1 + s - 2 * t + std::pow(s, degree) * (1 - 3 * std::pow(t, degree)) + s * std::pow(t, degree);
}

// Its values, or others' by c, at nodes of a placement: of rows of cells along s, and t.
template <auto Space>
std::vector<double> values(mesh::numbering const& numbers, std::array<int, 2> cells, int degree, int components)
{
  using set = sumfac::detail::nodes_of_space<Space>;
  std::vector<double> x(std::size_t(numbers.nodes * components));
  int const n = numbers.nodes_1d;
  for (int e = 0; e < numbers.elements; ++e)
    for (int p = 0; p < numbers.element_size(); ++p) {
      auto const along = [](int i) { return (1 + double(set::nodes[std::size_t(i)])) / 2; };
      double const s = (e % cells[0] + along(p % n)) / cells[0];
      double const t = numbers.directions == 2 ? (e / cells[0] + along(p / n)) / cells[1] : 0.3;
      for (int c = 0; c < components; ++c)
        x[std::size_t(numbers.element(e)[p] * components + c)] = (c + 1) * polynomial(degree, s, t);
    }
  return x;
}

double distance(std::vector<double> const& a, std::vector<double> const& b)
{
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double const off = std::abs(a[i] - b[i]);
    most = off == off ? std::max(most, off) : std::numeric_limits<double>::infinity();
  }
  return most;
}

template <auto Fine, auto Coarse>
void transfers(int components, bool constrained)
{
  constexpr int directions = Fine.directions;
  std::array<int, 2> const cells{4, 3};
  patchwork const mesh(directions, 2, 1, cells, Fine.degree, 2, [](int, double s, double t) {
    return checks::place{s, t, 0};
  });
  auto const& fine = mesh.numbers;
  INFO(directions << " directions, " << Fine.degree << " to " << Coarse.degree << ", " << components << " components");
  std::vector<std::uint8_t> marks;
  for (auto const& x : mesh.places)
    for (int c = 0; c < components && constrained; ++c)  // the last of more components is free
      marks.push_back((x[0] < 1e-9 || x[1] > 1 - 1e-9) && (c + 1 < components || c == 0));
  coarsened<directions> const coarse(fine, marks, components, Coarse.degree);
  sumfac::restriction_options const options{.components = components};
  auto const r = checks::restriction_of<directions, double, backend>(fine, marks, {}, options);
  auto const s = checks::restriction_of<directions, double, backend>(coarse.numbers, coarse.marks, {}, options);
  sumfac::transfer<Fine, Coarse, double, backend> const p(r, s);
  auto const zeroed = [](std::vector<double> x, std::vector<std::uint8_t> const& fixed) {
    for (std::size_t i = 0; i < fixed.size(); ++i)
      if (fixed[i] != 0) x[i] = 0;
    return x;
  };
  double const rounding = 100 * std::numeric_limits<double>::epsilon();
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const x = values<Coarse>(coarse.numbers, cells, Coarse.degree, components);
  auto const expected = values<Fine>(fine, cells, Coarse.degree, components);
  std::vector<double> y(expected.size(), nan);
  p.prolong(global_view(x), global_view(y));
  if (!constrained) CHECK(distance(y, expected) <= rounding * components);
  // P^T is the transpose of P.
  auto const v = support::random<double>(x.size(), 1), w = support::random<double>(y.size(), 2);
  std::vector<double> pv(y.size(), nan), ptw(x.size(), nan), u(x.size(), nan);
  p.prolong(global_view(v), global_view(pv));
  p.restrict_residual(global_view(w), global_view(ptw));
  double const forth = checks::inner_product(pv, w), back = checks::inner_product(v, ptw);
  CHECK(std::abs(forth - back) <= rounding * std::sqrt(checks::inner_product(pv, pv) * checks::inner_product(w, w)));
  CHECK(distance(pv, zeroed(pv, marks)) == 0);
  CHECK(distance(ptw, zeroed(ptw, coarse.marks)) == 0);
  // Interpolation undoes it.
  p.interpolate(global_view(std::as_const(pv)), global_view(u));
  CHECK(distance(u, zeroed(v, coarse.marks)) <= rounding);
}

}  // namespace

TEST_CASE("transfer: polynomials, transposes and interpolation on quadrilaterals and lines")
{
  transfers<quadrilateral(4), quadrilateral(2)>(1, false);
  transfers<surface(3), surface(2)>(3, true);
  transfers<line(5), line(2)>(2, false);
  transfers<line(2), line(1)>(1, true);
  transfers<quadrilateral(3, node_placement::equispaced), quadrilateral(1)>(1, false);
}

TEST_CASE("transfer: nodes of lower degrees on quadrilaterals and lines, however elements are turned")
{
  std::array<int, 2> const cells{3, 2};
  auto const flat = [](int, double s, double t) { return checks::place{s, t, 0}; };
  for (int fine = 2; fine <= 6; ++fine)
    for (int coarse = 1; coarse < fine; ++coarse) {
      INFO(fine << " to " << coarse);
      patchwork const whole(2, 2, 1, cells, fine, 2, flat), right(2, 2, 1, cells, coarse, 2, flat);
      auto const turned = [&](mesh::numbering numbers, bool back) {
        auto const table = numbers.table;
        int const n = numbers.nodes_1d;
        for (int e = 0; e < numbers.elements; ++e)
          for (int p = 0; p < n * n; ++p) {
            int const way = (3 * e + 1) % 8, i = p % n, j = p / n;
            int const a = (way & 1) != 0 ? n - 1 - i : i, b = (way & 2) != 0 ? n - 1 - j : j;
            auto const here = std::size_t(e * n * n + p);
            auto const there = std::size_t(e * n * n + ((way & 4) != 0 ? a * n + b : b * n + a));
            numbers.table[back ? there : here] = table[back ? here : there];
          }
        return numbers;
      };
      std::vector<std::uint8_t> marks;
      for (auto const& x : whole.places) marks.push_back(x[1] < 1e-9);
      coarsened<2> const got(turned(whole.numbers, false), marks, 1, coarse);
      CHECK(got.numbers.nodes == right.numbers.nodes);
      auto const table = turned(got.numbers, true).table;
      std::map<std::int64_t, std::int64_t> there, back;
      for (std::size_t i = 0; i < table.size(); ++i) {
        CHECK(there.emplace(table[i], right.numbers.table[i]).first->second == right.numbers.table[i]);
        CHECK(back.emplace(right.numbers.table[i], table[i]).first->second == table[i]);
        bool const fixed = right.places[std::size_t(right.numbers.table[i])][1] < 1e-9;
        CHECK((got.marks[std::size_t(table[i])] != 0) == fixed);
      }

      patchwork const row(1, 1, 1, {5, 1}, fine, 2, flat), of_row(1, 1, 1, {5, 1}, coarse, 2, flat);
      auto numbers = row.numbers;
      for (int e = 0; e < 5; e += 2) {
        auto const first = numbers.table.begin() + e * (fine + 1);
        std::reverse(first, first + fine + 1);
      }
      coarsened<1> const on_row(numbers, {}, 1, coarse);
      CHECK(on_row.numbers.nodes == of_row.numbers.nodes);
      std::set<std::int64_t> met(on_row.numbers.table.begin(), on_row.numbers.table.end());
      CHECK(std::int64_t(met.size()) == on_row.numbers.nodes);
    }
}

TEST_CASE("transfer: restrictions of other elements are refused")
{
  auto const flat = [](int, double s, double t) { return checks::place{s, t, 0}; };
  patchwork const squares(2, 2, 1, {2, 2}, 4, 2, flat), lines(1, 1, 1, {4, 1}, 2, 2, flat);
  coarsened<2> const coarse(squares.numbers, {}, 1, 2);
  backend const here;
  auto const r = checks::restriction_of<2, double>(squares.numbers, {}, here);
  auto const s = checks::restriction_of<2, double>(coarse.numbers, {}, here);
  auto const other = checks::restriction_of<1, double>(lines.numbers, {}, here);
  using transfer = sumfac::transfer<quadrilateral(4), quadrilateral(2), double, backend>;
  refused([&] { transfer(r, other); }, {"directions of the coarse restriction's elements", "expected 2", "got 1"});
  using of_cubes = sumfac::transfer<4, 2, double, backend>;
  refused([&] { of_cubes(r, s); }, {"directions of the fine restriction's elements", "expected 3", "got 2"});
  patchwork const row(2, 2, 1, {4, 1}, 2, 2, flat);
  auto const of_row = checks::restriction_of<2, double>(row.numbers, {}, here);
  refused([&] { transfer(r, of_row); }, {"the restrictions are of two meshes", "of the coarse one"});
}
