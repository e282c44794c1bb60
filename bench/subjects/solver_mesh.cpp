// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The meshes of the solver benchmark: elements and nodes, and integrals over them by plain sums.
#include "solver_mesh.hpp"

#include "solver_regions.hpp"

#include <sumfac/mesh/refined.hpp>

#include <support/rules.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sumfac::bench {

namespace {

std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

std::unique_ptr<region const> region_of(std::string const& name)
{
  if (name == "cube") return std::make_unique<smooth_cube>();
  if (name == "ball") return std::make_unique<round_ball>();
  return std::make_unique<kershaw_cube>(std::stod(name.substr(name.find('-') + 1)));
}

// The bits of x, y and z in turns.
std::uint64_t curve(std::array<index_t, 3> const& place)
{
  std::uint64_t key = 0;
  for (int bit = 0; bit < 20; ++bit)
    for (std::size_t d = 0; d < 3; ++d)
      key |= static_cast<std::uint64_t>(place[d] >> bit & 1) << (3 * bit + static_cast<int>(d));
  return key;
}

// A block's elements along the curve.
std::vector<std::array<index_t, 3>> places_of(std::array<index_t, 3> const& sides)
{
  std::vector<std::array<index_t, 3>> places;
  for (index_t k = 0; k < sides[2]; ++k)
    for (index_t j = 0; j < sides[1]; ++j)
      for (index_t i = 0; i < sides[0]; ++i) places.push_back({i, j, k});
  std::sort(places.begin(), places.end(), [](auto const& p, auto const& q) { return curve(p) < curve(q); });
  return places;
}

// Calls f(x) for an element's mesh nodes, m a direction, by their place in the block.
template <class Function>
void for_each_node(std::array<index_t, 3> const& sides, std::array<index_t, 3> const& place, int m, Function const& f)
{
  auto const where = reference::gauss_lobatto(m).nodes;
  for (int node = 0; node < m * m * m; ++node) {
    int const in[] = {node % m, node / m % m, node / m / m};
    point x{};
    for (std::size_t d = 0; d < 3; ++d) x[d] = (double(place[d]) + double(where[at(in[d])] + 1) / 2) / double(sides[d]);
    f(x);
  }
}

// From (rows, n) to (g, rows): the last index is summed over and comes back as the first, so that after three turns all
// are where they were.
std::vector<double> turned(reference::table<double> const& a, bool transposed, std::vector<double> const& values)
{
  int const from = transposed ? a.rows : a.cols, to = transposed ? a.cols : a.rows;
  std::size_t const rows = values.size() / at(from);
  std::vector<double> result(at(to) * rows);
  for (int q = 0; q < to; ++q)
    for (std::size_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (int i = 0; i < from; ++i) sum += (transposed ? a(i, q) : a(q, i)) * values[row * at(from) + at(i)];
      result[at(q) * rows + row] = sum;
    }
  return result;
}

std::vector<double> along_all(reference::table<double> const& x, reference::table<double> const& y,
                              reference::table<double> const& z, std::vector<double> const& values,
                              bool transposed = false)
{
  return turned(z, transposed, turned(y, transposed, turned(x, transposed, values)));
}

double determinant(double const (&j)[3][3])
{
  return j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) - j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0]) +
         j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]);
}

}  // namespace

std::vector<std::string> mesh_names() { return {"cube", "kershaw-1", "kershaw-0.3", "kershaw-0.1", "ball"}; }

solver_mesh::solver_mesh(std::string const& name, int order, double nodes)
    : order_(order), region_(region_of(name)), has_layers_(name.rfind("kershaw", 0) == 0)
{
  double const wanted = std::max(1.0, nodes / std::pow(order, 3));  // elements
  if (name == "ball") {
    geometry_1d_ = order + 1;
    auto const side = std::max<index_t>(1, std::lround(std::cbrt(wanted / 4)));
    make_ball(side, (side + 1) / 2);
  } else if (name == "cube") {
    std::array<index_t, 3> sides{1, 1, 1};
    for (int s = 0; s < std::lround(std::log2(wanted)); ++s) sides[at(s % 3)] *= 2;
    make_box(sides);
  } else {
    index_t const x = 6 * std::max<index_t>(1, std::lround(std::cbrt(wanted) / 6));
    index_t const y = 2 * std::max<index_t>(1, std::lround(std::sqrt(wanted / double(x)) / 2));
    make_box({x, y, y});
  }
}

solver_mesh::~solver_mesh() = default;

void solver_mesh::make_box(std::array<index_t, 3> const& sides)
{
  std::array<index_t, 3> const last{sides[0] * order_, sides[1] * order_, sides[2] * order_};
  auto const name = [last](int, std::array<index_t, 3> const& p) {
    return at((p[2] * (last[1] + 1) + p[1]) * (last[0] + 1) + p[0]);
  };
  auto const outside = [last](int, std::array<index_t, 3> const& p) {
    return p[0] % last[0] == 0 || p[1] % last[1] == 0 || p[2] % last[2] == 0;
  };
  make_elements({{0, sides}}, at((last[0] + 1) * (last[1] + 1) * (last[2] + 1)), name, outside);
}

// Nodes on the cube inside are named by their place in it, those around it by the place below them and their height.
void solver_mesh::make_ball(index_t side, index_t layers)
{
  index_t const last = side * order_, top = layers * order_, inside = (last + 1) * (last + 1) * (last + 1);
  auto const name = [=](int block, std::array<index_t, 3> const& p) {
    auto const in_cube = [last](std::array<index_t, 3> const& c) {
      return (c[2] * (last + 1) + c[1]) * (last + 1) + c[0];
    };
    if (block == 0) return at(in_cube(p));
    auto const d = at((block - 1) / 2);
    bool const far = block % 2 == 0;
    std::array<index_t, 3> c{};
    c[d] = far ? last : 0;
    c[(d + 1) % 3] = p[far ? 0 : 1];
    c[(d + 2) % 3] = p[far ? 1 : 0];
    return at(p[2] * inside + in_cube(c));
  };
  auto const outside = [top](int block, std::array<index_t, 3> const& p) { return block > 0 && p[2] == top; };
  std::vector<piece> blocks{{0, {side, side, side}}};
  for (int b = 1; b <= 6; ++b) blocks.push_back({b, {side, side, layers}});
  make_elements(blocks, at(inside * (top + 1)), name, outside);
}

template <class Name, class Outside>
void solver_mesh::make_elements(std::vector<piece> const& blocks, std::size_t names, Name const& name,
                                Outside const& outside)
{
  blocks_ = blocks;
  std::vector<std::int32_t> number_of(names, -1);
  for (piece const& b : blocks) {
    for (auto const& place : places_of(b.sides)) {
      ++elements_;
      for_each_node(b.sides, place, geometry_1d_, [&](point const& x) {
        for (double const coordinate : region_->position(b.index, x)) coordinates_.push_back(coordinate);
      });
      for (index_t k = 0; k <= order_; ++k)
        for (index_t j = 0; j <= order_; ++j)
          for (index_t i = 0; i <= order_; ++i) {
            std::array<index_t, 3> const p{place[0] * order_ + i, place[1] * order_ + j, place[2] * order_ + k};
            auto& number = number_of[name(b.index, p)];
            if (number < 0) {
              number = static_cast<std::int32_t>(count_++);
              on_boundary_.push_back(outside(b.index, p) ? 1 : 0);
            }
            numbers_.push_back(number);
          }
    }
  }
}

// The coarsest mesh's blocks lie side by side, each the unit cube, with the vertices joined that the region's map
// joins.
mesh<3> solver_mesh::nested() const
{
  auto blocks = blocks_;
  int times = 0;
  auto const is_even = [&] {
    for (piece const& b : blocks)
      for (index_t const side : b.sides)
        if (side % 2 != 0) return false;
    return !has_layers_;
  };
  for (; is_even(); ++times)
    for (piece& b : blocks)
      for (index_t& side : b.sides) side /= 2;
  std::vector<double> straight, corners;
  index_t count = 0;
  for (piece const& b : blocks)
    for (auto const& place : places_of(b.sides)) {
      ++count;
      for_each_node(b.sides, place, geometry_1d_, [&](point const& x) {
        straight.insert(straight.end(), {x[0] + 2 * b.index, x[1], x[2]});
      });
      for_each_node(b.sides, place, 2, [&](point const& x) {
        for (double const coordinate : region_->position(b.index, x)) corners.push_back(coordinate);
      });
    }
  using nodes_view = view<double const, dextents<5>>;
  auto const joined = mesh<3>::copy_of(nodes_view(corners.data(), count, 2, 2, 2, 3));
  sumfac::detail::own_vector<std::int32_t> vertices;
  joined.number_nodes(1, vertices);
  index_t const m = geometry_1d_;
  auto const coarse = mesh<3>::copy_of(mesh_view(nodes_view(straight.data(), count, m, m, m, 3), gauss_lobatto_nodes{}),
                                       view<std::int32_t const, dextents<4>>(vertices.data(), count, 2, 2, 2));
  return refined(coarse, times).moved([this](auto x) {
    int const block = static_cast<int>((x[0] + 0.5) / 2);
    point const p = region_->position(block, {x[0] - 2 * block, x[1], x[2]});
    for (int c = 0; c < 3; ++c) x[c] = p[at(c)];
    return x;
  });
}

void solver_mesh::renumber(std::vector<index_t> const& number)
{
  for (auto& node : numbers_) node = static_cast<std::int32_t>(number[at(node)]);
  auto const old = on_boundary_;
  for (std::size_t i = 0; i < old.size(); ++i) on_boundary_[at(number[i])] = old[i];
}

// N + 3 Gauss points a direction: the solution's and the geometry's nodes there, and the latter's slopes.
struct solver_mesh::rule_tables {
  rule_tables(int order, int geometry_1d)
      : rule(reference::gauss(order + 3)),
        values(reference::lagrange_values<double>(reference::gauss_lobatto(order + 1).nodes, rule.nodes)),
        places(reference::lagrange_values<double>(reference::gauss_lobatto(geometry_1d).nodes, rule.nodes)),
        slopes(reference::lagrange_derivatives<double>(reference::gauss_lobatto(geometry_1d).nodes, rule.nodes))
  {
  }

  reference::rule rule;
  reference::table<double> values, places, slopes;
};

// Calls f(element, point of the rule, position, weight times determinant).
template <class Function>
void solver_mesh::for_each_point(rule_tables const& rule, Function const& f) const
{
  auto const cube = at(geometry_1d_ * geometry_1d_ * geometry_1d_);
  int const g = rule.rule.size();
  std::vector<double> one(cube), where[3], slopes[3][3];
  for (index_t e = 0; e < elements_; ++e) {
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t i = 0; i < cube; ++i) one[i] = coordinates_[3 * (at(e) * cube + i) + c];
      where[c] = along_all(rule.places, rule.places, rule.places, one);
      slopes[c][0] = along_all(rule.slopes, rule.places, rule.places, one);
      slopes[c][1] = along_all(rule.places, rule.slopes, rule.places, one);
      slopes[c][2] = along_all(rule.places, rule.places, rule.slopes, one);
    }
    for (int q = 0; q < g * g * g; ++q) {
      double jacobian[3][3];
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t d = 0; d < 3; ++d) jacobian[c][d] = slopes[c][d][at(q)];
      auto const weight =
          rule.rule.weights[at(q % g)] * rule.rule.weights[at(q / g % g)] * rule.rule.weights[at(q / g / g)];
      f(e, at(q), point{where[0][at(q)], where[1][at(q)], where[2][at(q)]}, double(weight) * determinant(jacobian));
    }
  }
}

std::vector<double> solver_mesh::load(equation what, int components) const
{
  rule_tables const rule(order_, geometry_1d_);
  auto const n = at(order_ + 1), cube = n * n * n, points = at(rule.rule.size() * rule.rule.size() * rule.rule.size());
  std::vector<double> b(at(count_ * components));
  std::vector<std::vector<double>> at_points(at(components), std::vector<double>(points));
  for_each_point(rule, [&](index_t e, std::size_t q, point const& x, double measure) {
    for (int c = 0; c < components; ++c)
      at_points[at(c)][q] = measure * (what == equation::mass ? region_->solution(c, x) : region_->source(c, x));
    if (q + 1 < points) return;
    for (int c = 0; c < components; ++c) {
      auto const sums = along_all(rule.values, rule.values, rule.values, at_points[at(c)], true);
      for (std::size_t i = 0; i < cube; ++i) b[at(numbers_[at(e) * cube + i] * index_t{components} + c)] += sums[i];
    }
  });
  if (what == equation::stiffness)
    for (std::size_t i = 0; i < b.size(); ++i)
      if (on_boundary_[i / at(components)] != 0) b[i] = 0;
  return b;
}

double solver_mesh::error(double const* x, int components) const
{
  rule_tables const rule(order_, geometry_1d_);
  auto const n = at(order_ + 1), cube = n * n * n;
  std::vector<std::vector<double>> at_points(at(components));
  std::vector<double> one(cube);
  double squares = 0, all = 0;
  for_each_point(rule, [&](index_t e, std::size_t q, point const& where, double measure) {
    for (int c = 0; c < components; ++c) {
      if (q == 0) {
        for (std::size_t i = 0; i < cube; ++i) one[i] = x[numbers_[at(e) * cube + i] * index_t{components} + c];
        at_points[at(c)] = along_all(rule.values, rule.values, rule.values, one);
      }
      double const is = region_->solution(c, where), off = at_points[at(c)][q] - is;
      squares += measure * off * off;
      all += measure * is * is;
    }
  });
  return std::sqrt(squares / all);
}

}  // namespace sumfac::bench
