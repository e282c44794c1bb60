// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Transfer between two degrees against polynomials that are known at every node; transposes; nodes of lower degrees.
#include "multigrid_case.hpp"

#include <support/larger.hpp>

#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/transfer.hpp>

#include <cmath>
#include <map>
#include <set>

namespace {

using checks::global_view, checks::index_t, checks::refused, checks::restricted_mesh;

// The nodes of a lower degree as the library numbers them on a mesh.
restricted_mesh coarsened(restricted_mesh const& fine, int degree)
{
  auto const table = fine.numbers.table_of<std::int64_t>();
  auto const view = checks::table_view(table, fine.numbers.elements, fine.numbers.nodes_1d);
  sumfac::restriction_options const options{.components = fine.components};
  sumfac::detail::node_table made(sumfac::host{}, view, fine.numbers.nodes, options);
  if (!fine.marks.empty())
    made.mark(sumfac::host{}, sumfac::view<std::uint8_t const, sumfac::dextents<2>>(
                                  fine.marks.data(), fine.numbers.nodes, fine.components));
  sumfac::detail::coarse_nodes const coarse(sumfac::host{2}, made, {made.directions(), made.nodes_1d(), degree + 1});
  mesh::numbering numbers{fine.numbers.elements, degree + 1, coarse.nodes, {}, {}};
  numbers.table.assign(coarse.numbers.begin(), coarse.numbers.end());
  return {numbers, fine.components, {coarse.marks.begin(), coarse.marks.end()}};
}

// Whether two tables of one shape name the same nodes, each in its way.
bool same_nodes(std::vector<std::int64_t> const& a, std::vector<std::int64_t> const& b)
{
  std::map<std::int64_t, std::int64_t> there, back;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (there.emplace(a[i], b[i]).first->second != b[i] || back.emplace(b[i], a[i]).first->second != a[i]) return false;
  return a.size() == b.size();
}

// An element's nodes looked at with other axes: one of the 48 symmetries of a cube.
std::vector<std::int64_t> turned(std::vector<std::int64_t> const& table, int elements, int n, bool back)
{
  std::vector<std::int64_t> result(table.size());
  int const axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int e = 0; e < elements; ++e)
    for (int p = 0; p < n * n * n; ++p) {
      int const way = (e * 29 + 7) % 48, at[3] = {p % n, p / n % n, p / n / n};
      int to[3];
      for (int d = 0; d < 3; ++d) {
        int const from = at[axes[way % 6][d]];
        to[d] = way / 6 >> d & 1 ? n - 1 - from : from;
      }
      auto const here = static_cast<std::size_t>(e * n * n * n + p);
      auto const there = static_cast<std::size_t>(e * n * n * n + (to[2] * n + to[1]) * n + to[0]);
      result[back ? here : there] = table[back ? there : here];
    }
  return result;
}

// 1 + x - 2 y z + x^d + y^d z^(d-1) at the nodes of a box, d at most `degree`.
double polynomial(int degree, double x, double y, double z)
{
  return 1 + x - 2 * y * (degree > 1 ? z : 1) + std::pow(x, degree) + std::pow(y, degree) * std::pow(z, degree - 1);
}
template <class T>
std::vector<T> values(mesh::counts counts, restricted_mesh const& m, int degree)
{
  auto const nodes = mesh::box(counts, reference::gauss_lobatto(m.numbers.nodes_1d));
  std::vector<T> x(m.size());
  for (std::size_t i = 0; i < m.numbers.table.size(); ++i)
    for (int c = 0; c < m.components; ++c) {
      double const* at = nodes.data() + 3 * i;
      x[m.entry(sumfac::interleaving::fastest, m.numbers.table[i], c)] =
          static_cast<T>((c + 1) * polynomial(degree, at[0], at[1], at[2]));
    }
  return x;
}

template <class T>
double distance(std::vector<T> const& a, std::vector<T> const& b)
{
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = support::larger(most, std::abs(double(a[i]) - double(b[i])));
  return most;
}

template <int Fine, int Coarse, class T = double, class Backend = sumfac::host>
void transfers(int components, bool constrained, Backend const& backend = {})
{
  INFO(Fine << " to " << Coarse << ", " << components << " components, " << (constrained ? "constrained" : "free"));
  mesh::counts const counts{3, 2, 4};
  restricted_mesh fine{mesh::by_entities(counts, Fine), components, {}};
  if (constrained) {
    fine.marks.assign(fine.size(), 0);
    for (auto const node : fine.numbers.boundary)  // the last component is free
      for (int c = 0; c + 1 < components || c == 0; ++c)
        fine.marks[static_cast<std::size_t>(node * components + c)] = 1;
  }
  auto const coarse = coarsened(fine, Coarse);
  auto const r = fine.restriction<T>(backend);
  auto const s = coarse.restriction<T>(backend);
  sumfac::transfer<Fine, Coarse, T, Backend> const p(r, s);
  double const rounding = 200 * double(std::numeric_limits<T>::epsilon());
  auto const zeroed = [](std::vector<T> x, restricted_mesh const& m) {
    auto const fixed = m.constrained_entries(sumfac::interleaving::fastest);
    for (std::size_t i = 0; i < x.size(); ++i)
      if (fixed[i]) x[i] = 0;
    return x;
  };
  // Polynomials, of which constrained entries are 0.
  auto const x = values<T>(counts, coarse, Coarse), expected = zeroed(values<T>(counts, fine, Coarse), fine);
  auto y = checks::nans<T>(fine.size());
  p.prolong(global_view(x), global_view(y));
  if (!constrained) CHECK(distance(y, expected) <= rounding * components);
  // P^T is the transpose of P.
  auto const v = support::random<T>(coarse.size(), 1), w = support::random<T>(fine.size(), 2);
  auto pv = checks::nans<T>(fine.size());
  auto ptw = checks::nans<T>(coarse.size());
  p.prolong(global_view(v), global_view(pv));
  p.restrict_residual(global_view(w), global_view(ptw));
  double const forth = checks::inner_product(pv, w), back = checks::inner_product(v, ptw);
  CHECK(std::abs(forth - back) <= rounding * std::sqrt(checks::inner_product(pv, pv) * checks::inner_product(w, w)));
  CHECK(distance(pv, zeroed(pv, fine)) == 0);
  CHECK(distance(ptw, zeroed(ptw, coarse)) == 0);
  // Interpolation undoes it: of functions that are 0 where they are constrained.
  auto u = checks::nans<T>(coarse.size());
  p.interpolate(global_view(std::as_const(pv)), global_view(u));
  CHECK(distance(u, zeroed(v, coarse)) <= rounding);
}

}  // namespace

TEST_CASE("transfer: polynomials of the coarse degree are the same on the fine one; transposes; interpolation")
{
  transfers<2, 1>(1, false);
  transfers<3, 2>(1, true);
  transfers<4, 1>(1, true);
  transfers<5, 3>(3, true);
  transfers<4, 2>(2, false, sumfac::host{3});
  transfers<3, 1, float>(1, true);
  transfers<2, 1>(2, true, sumfac::checked{});
  transfers<4, 3>(1, false, sumfac::checked{});
}

TEST_CASE("transfer: nodes of lower degrees are those of the mesh, however elements are turned")
{
  mesh::counts const counts{3, 2, 2};
  for (int fine = 2; fine <= 7; ++fine)
    for (int coarse = 1; coarse < fine; ++coarse) {
      INFO(fine << " to " << coarse);
      for (mesh::periods const around : {mesh::periods{}, mesh::periods{true, false, false}}) {
        restricted_mesh m{mesh::numbered(counts, fine, 11, around), 1, {}};
        auto const right = mesh::numbered(counts, coarse, 0, around);
        m.marks.assign(m.size(), 0);
        for (auto const node : m.numbers.boundary) m.marks[static_cast<std::size_t>(node)] = 1;
        m.numbers.table = turned(m.numbers.table, counts.elements(), fine + 1, false);
        auto const got = coarsened(m, coarse);
        CHECK(got.numbers.nodes == right.nodes);
        auto const table = turned(got.numbers.table, counts.elements(), coarse + 1, true);
        CHECK(same_nodes(table, right.table));
        std::set<std::int64_t> boundary;
        for (std::size_t i = 0; i < table.size(); ++i)
          if (got.marks[static_cast<std::size_t>(table[i])] != 0) boundary.insert(right.table[i]);
        CHECK(std::vector<std::int64_t>(boundary.begin(), boundary.end()) == right.boundary);
      }
    }
}

TEST_CASE("transfer: coarse nodes keep the order of the fine ones, and one mark is enough")
{
  restricted_mesh m{mesh::numbered({2, 2, 2}, 4), 1, {}};
  auto const coarse = coarsened(m, 2);  // nodes as they lie stay so
  CHECK(coarse.numbers.table == mesh::numbered({2, 2, 2}, 2).table);
  CHECK(coarse.marks.empty());
  m.marks.assign(m.size(), 0);
  m.marks[static_cast<std::size_t>(m.numbers.element(0)[0])] = 1;
  auto const pinned = coarsened(m, 2);
  CHECK(std::count(pinned.marks.begin(), pinned.marks.end(), 1) == 1);
  CHECK(pinned.marks[static_cast<std::size_t>(pinned.numbers.element(0)[0])] == 1);
}

TEST_CASE("transfer: subsets of elements, components after each other, and atomic sums")
{
  mesh::counts const counts{4, 3, 3};
  restricted_mesh const fine{mesh::numbered(counts, 3, 5), 2, {}}, coarse = coarsened(fine, 2);
  sumfac::restriction_options const apart{.components_lie = sumfac::interleaving::slowest};
  sumfac::host const backend;
  auto const r = fine.restriction<double>(backend, apart), s = coarse.restriction<double>(backend, apart);
  std::vector<int> const some{1, 2, 3, 5, 8, 13, 21, 34};
  sumfac::view<int const, sumfac::dextents<1>> const list(some.data(), 8);
  auto const part_r = r.subset(list), part_s = s.subset(list);
  sumfac::transfer<3, 2> const whole(r, s), part(part_r, part_s);
  auto const v = support::random<double>(coarse.size(), 1), w = support::random<double>(fine.size(), 2);
  std::vector<double> a(fine.size()), b(fine.size()), c(coarse.size());
  whole.prolong(global_view(v), global_view(a));
  part.prolong(global_view(v), global_view(b));
  std::vector<bool> met(fine.size());
  for (int const e : some)
    for (int p = 0; p < fine.numbers.element_size(); ++p)
      for (int component = 0; component < 2; ++component)
        met[fine.entry(sumfac::interleaving::slowest, fine.numbers.element(e)[p], component)] = true;
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(b[i] == Approx(met[i] ? a[i] : 0).margin(1e-13));
  part.restrict_residual(global_view(w), global_view(c));
  CHECK(checks::inner_product(b, w) == Approx(checks::inner_product(v, c)).epsilon(1e-12));
  sumfac::restriction_options const added{.components_lie = sumfac::interleaving::slowest,
                                          .policy = sumfac::scatter::atomic};
  auto const atomic_r = fine.restriction<double>(backend, added), atomic_s = coarse.restriction<double>(backend, added);
  sumfac::transfer<3, 2> const atomic(atomic_r, atomic_s);
  atomic.prolong(global_view(v), global_view(b));
  CHECK(distance(a, b) <= 1e-13);
}

TEST_CASE("transfer: the same bits for any number of threads")
{
  mesh::counts const counts{9, 8, 7};
  restricted_mesh const fine{mesh::numbered(counts, 3, 5), 1, {}}, coarse = coarsened(fine, 2);
  auto const v = support::random<double>(coarse.size(), 1), w = support::random<double>(fine.size(), 2);
  std::vector<std::vector<double>> prolonged, restricted;
  for (int const threads : {1, 2, 5}) {
    sumfac::host const backend{threads};
    auto const r = fine.restriction<double>(backend, {.blocks = 7});
    auto const s = coarse.restriction<double>(backend, {.blocks = 4});
    sumfac::transfer<3, 2> const p(r, s);
    prolonged.emplace_back(fine.size());
    restricted.emplace_back(coarse.size());
    p.prolong(global_view(v), global_view(prolonged.back()));
    p.restrict_residual(global_view(w), global_view(restricted.back()));
    CHECK(prolonged.back() == prolonged.front());
    CHECK(restricted.back() == restricted.front());
  }
}

TEST_CASE("transfer: what does not fit is refused with both numbers")
{
  sumfac::host const backend;
  restricted_mesh const fine{mesh::numbered({2, 2, 2}, 4), 1, {}}, coarse = coarsened(fine, 2);
  auto const r = fine.restriction<double>(backend), s = coarse.restriction<double>(backend);
  using transfer = sumfac::transfer<4, 2>;
  transfer const p(r, s);
  refused([&] { sumfac::transfer<5, 2>(r, s); },
          {"sumfac::transfer", "of the fine restriction", "expected 6", "got 5"});
  refused([&] { sumfac::transfer<4, 1>(r, s); },
          {"sumfac::transfer", "of the coarse restriction", "expected 2", "got 3"});
  auto const fewer = restricted_mesh{mesh::numbered({2, 2, 1}, 2), 1, {}}.restriction<double>(backend);
  refused([&] { transfer(r, fewer); }, {"number of elements of the coarse restriction", "expected 8", "got 4"});
  auto const more = restricted_mesh{mesh::numbered({2, 2, 2}, 2), 3, {}}.restriction<double>(backend);
  refused([&] { transfer(r, more); }, {"number of components", "expected 1", "got 3"});
  auto const other = restricted_mesh{mesh::numbered({8, 1, 1}, 2), 1, {}}.restriction<double>(backend);
  refused([&] { transfer(r, other); }, {"the restrictions are of two meshes", "of element", "of the coarse one"});
  // Periodic at one degree alone, whichever it is.
  mesh::periods const around{true, false, false};
  auto const periodic = [&](int degree) {
    return restricted_mesh{mesh::numbered({2, 2, 2}, degree, 0, around), 1, {}}.restriction<double>(backend);
  };
  auto const fine_around = periodic(4), coarse_around = periodic(2);
  transfer const both(fine_around, coarse_around);
  refused([&] { transfer(r, coarse_around); }, {"the restrictions are of two meshes", "of element"});
  refused([&] { transfer(fine_around, s); }, {"the restrictions are of two meshes", "of element"});
  auto const part = s.subset(0, 3);
  refused([&] { transfer(r, part); }, {"works on", "expected 8", "got 3"});
  std::vector<double> x(coarse.size()), y(fine.size()), longer(fine.size() + 1);
  refused([&] { p.prolong(global_view(x), global_view(longer)); }, {"transfer::prolong", "y", "729", "730"});
  refused([&] { p.restrict_residual(global_view(longer), global_view(x)); }, {"transfer::restrict_residual", "730"});
  refused([&] { p.prolong(sumfac::view<double const, sumfac::dextents<1>>(nullptr, 125), global_view(y)); }, {"null"});
  sumfac::view<double, sumfac::dextents<1>> const inside(y.data() + 3, 125);
  refused([&] { p.interpolate(global_view(y), inside); }, {"transfer::interpolate", "x and y overlap"});
}
