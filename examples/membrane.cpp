// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A round membrane under a load: quadrilaterals with curved sides, the orders that refinement shows, and iterations
// with multigrid and without.
//
// usage: membrane [SOLUTION.vtu]
#include "orders.hpp"
#include "write_vtu.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

namespace {

constexpr double pi = 3.14159265358979323846;

// The unit disk: a square in the middle and four blocks around it, of cells^2 quadrilaterals each, whose nodes of every
// degree lie at the Gauss-Lobatto points.
struct disk {
  int n;
  sumfac::index_t elements = 0, nodes = 0;
  std::vector<double> xy;              // (E, n, n, 2)
  std::vector<std::int32_t> numbers;   // (E, n, n)
  std::vector<std::uint8_t> on_rim;    // (nodes)

  disk(int degree, int cells);

private:
  void add_node(double x, double y);
  std::map<std::pair<long, long>, std::int32_t> known_;
};

// Where block 0, the square, or 1 to 4 has s, t in [0, 1].
std::pair<double, double> place(int block, double s, double t)
{
  double const half = 0.45, a = 2 * s - 1, b = 2 * t - 1;
  if (block == 0) return {half * a, half * b};
  // To the right of the square: from its side to the arc of 90 degrees; the others are turned.
  double const angle = pi / 4 * b;
  double const x = (1 - s) * half + s * std::cos(angle), y = (1 - s) * half * b + s * std::sin(angle);
  switch (block) {
    case 1: return {x, y};
    case 2: return {-y, x};
    case 3: return {-x, -y};
    default: return {y, -x};
  }
}

disk::disk(int degree, int cells) : n(degree + 1)
{
  long double points[16];
  sumfac::gauss_lobatto_nodes{}(n, points);
  for (int block = 0; block < 5; ++block)
    for (int row = 0; row < cells; ++row)
      for (int column = 0; column < cells; ++column, ++elements)
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i) {
            double const s = (column + (1 + double(points[i])) / 2) / cells,
                         t = (row + (1 + double(points[j])) / 2) / cells;
            auto const [x, y] = place(block, s, t);
            add_node(x, y);
          }
  on_rim.resize(static_cast<std::size_t>(nodes));
  for (std::size_t at = 0; at < numbers.size(); ++at)
    if (std::hypot(xy[2 * at], xy[2 * at + 1]) > 1 - 1e-9) on_rim[static_cast<std::size_t>(numbers[at])] = 1;
}

// Nodes at the same place are one.
void disk::add_node(double x, double y)
{
  auto const key = std::make_pair(std::lround(x * 1e9), std::lround(y * 1e9));
  auto const [at, is_new] = known_.try_emplace(key, static_cast<std::int32_t>(nodes));
  if (is_new) ++nodes;
  numbers.push_back(at->second);
  xy.push_back(x), xy.push_back(y);
}

// The membrane's shape, and the load - div grad of it.
double shape(double x, double y)
{
  double const r = x * x + y * y;
  return std::cos(pi / 2 * r) * (1 + x * y);
}
double load(double x, double y)
{
  double const r = x * x + y * y, c = std::cos(pi / 2 * r), s = std::sin(pi / 2 * r);
  // of c: c_x = - pi x s, and so on; xy has no Laplacian, and its gradient is (y, x)
  double const laplacian_of_c = -2 * pi * s - pi * pi * r * c;
  return -(laplacian_of_c * (1 + x * y) - 4 * pi * x * y * s);
}

struct solved {
  double error;
  int unknowns, by_jacobi, by_multigrid;
};

// The membrane with its height as the third coordinate.
void write(char const* vtu, disk const& mesh, std::vector<double> const& heights)
{
  std::vector<double> places(3 * heights.size());
  for (std::size_t at = 0; at < mesh.numbers.size(); ++at) {
    auto const node = static_cast<std::size_t>(mesh.numbers[at]);
    places[3 * node] = mesh.xy[2 * at], places[3 * node + 1] = mesh.xy[2 * at + 1];
    places[3 * node + 2] = heights[node];
  }
  write_vtu(vtu, {mesh.n - 1, {mesh.numbers.begin(), mesh.numbers.end()}, places, heights, 2});
}

// With Jacobi's preconditioner, and from degree 3 on with multigrid, which has the last word.
template <int Degree>
solved solve(int cells, char const* vtu = nullptr)
{
  constexpr int n = Degree + 1;
  disk const mesh(Degree, cells);
  sumfac::host const backend;
  // [membrane]
  sumfac::mesh_view const nodes(sumfac::view(mesh.xy.data(), mesh.elements, n, n, 2), sumfac::gauss_lobatto_nodes{});
  sumfac::view const table(mesh.numbers.data(), mesh.elements, n, n);
  sumfac::restriction const free{backend, table, mesh.nodes, sumfac::view(mesh.on_rim.data(), mesh.nodes)};
  sumfac::restriction const whole{backend, table, mesh.nodes};
  sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(Degree)> const K{backend, nodes};
  sumfac::element_operator<sumfac::mass, sumfac::quadrilateral(Degree)> const M{backend, nodes};
  // [membrane]
  std::vector<double> f(static_cast<std::size_t>(mesh.nodes)), exact(f), b(f), x(f), error(f), d(f);
  for (std::size_t at = 0; at < mesh.numbers.size(); ++at) {
    auto const node = static_cast<std::size_t>(mesh.numbers[at]);
    f[node] = load(mesh.xy[2 * at], mesh.xy[2 * at + 1]);
    exact[node] = shape(mesh.xy[2 * at], mesh.xy[2 * at + 1]);
  }
  auto const as_view = [&](std::vector<double>& v) { return sumfac::view(v.data(), mesh.nodes); };
  M.apply(whole, as_view(f), as_view(b));
  for (std::size_t node = 0; node < b.size(); ++node)
    if (mesh.on_rim[node]) b[node] = 0;
  sumfac::global_operator const A{K, free};
  A.diagonal(as_view(d));
  sumfac::cg_options const options{.tolerance = 1e-12};
  auto const iterations = [](sumfac::solve_result const& result) {
    if (!result) std::printf("%s\n", result.report().c_str());
    return static_cast<int>(result.iterations);
  };
  solved made{0, static_cast<int>(mesh.nodes), 0, 0};
  made.by_jacobi = iterations(sumfac::cg(A, as_view(b), as_view(x), sumfac::jacobi(backend, as_view(d)), options));
  if constexpr (Degree > 2) {
    std::fill(x.begin(), x.end(), 0.0);
    // [multigrid]
    sumfac::multigrid const P{sumfac::p_levels<Degree, (Degree + 1) / 2, 1>(K, nodes, free)};
    made.by_multigrid = iterations(sumfac::cg(A, as_view(b), as_view(x), P, options));
    // [multigrid]
  }

  if (vtu != nullptr) write(vtu, mesh, x);
  for (std::size_t node = 0; node < x.size(); ++node) error[node] = x[node] - exact[node];
  made.error = l2_norm(M, whole, error, b);
  return made;
}

template <int Degree>
bool show()
{
  return show_order(Degree, 0.4, [](int cells) { return solve<Degree>(cells).error; });
}

// Iterations to 1e-12; true where multigrid's stay few.
template <int Degree>
bool show_iterations(int cells)
{
  solved const made = solve<Degree>(cells);
  std::printf("%6d  %10d  %10d  %9d\n", Degree, made.unknowns, made.by_jacobi, made.by_multigrid);
  return made.by_multigrid <= 20;
}

}  // namespace

int main(int argc, char** argv)
{
  std::printf("degree   error, h     error, h/2  order\n");
  bool right = show<1>();
  right = show<2>() && right;
  right = show<3>() && right;
  right = show<4>() && right;
  right = show<5>() && right;
  std::printf("degree  unknowns    iterations  with multigrid\n");
  for (int const cells : {4, 12}) {
    right = show_iterations<3>(cells) && right;
    right = show_iterations<4>(cells) && right;
    right = show_iterations<5>(cells) && right;
  }
  if (argc > 1) solve<5>(4, argv[1]);
  return right ? 0 : 1;
}
