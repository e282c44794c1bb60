// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on a box: a table of node numbers, a constrained boundary, and a solve.
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int order = 4, n = order + 1, cells = 6;  // cells per direction of the box
constexpr int points = cells * order + 1;           // nodes per direction

// What a finite-element code has: vertices of elements, numbers of their nodes, and which nodes are on the boundary.
struct mesh {
  std::vector<double> vertices;          // (E, 2, 2, 2, 3)
  std::vector<std::int32_t> numbers;     // (E, n, n, n)
  std::vector<unsigned char> boundary;   // (nodes)
};

bool outside(int i)
{
  return i == 0 || i == points - 1;
}

mesh unit_cube()
{
  mesh m;
  for (int e = 0; e < cells * cells * cells; ++e) {
    int const x = e % cells, y = e / cells % cells, z = e / (cells * cells);
    for (int vertex = 0; vertex < 8; ++vertex) {
      m.vertices.push_back((x + vertex % 2) / double(cells));
      m.vertices.push_back((y + vertex / 2 % 2) / double(cells));
      m.vertices.push_back((z + vertex / 4) / double(cells));
    }
    for (int k = z * order; k <= (z + 1) * order; ++k)
      for (int j = y * order; j <= (y + 1) * order; ++j)
        for (int i = x * order; i <= (x + 1) * order; ++i) m.numbers.push_back((k * points + j) * points + i);
  }
  for (int k = 0; k < points; ++k)
    for (int j = 0; j < points; ++j)
      for (int i = 0; i < points; ++i) m.boundary.push_back(outside(k) || outside(j) || outside(i) ? 1 : 0);
  return m;
}

// The solution, by the merged iteration on nodes with the numbers that it runs best under, in the mesh's own order.
template <class Operator>
std::vector<double> solve_renumbered(Operator const& A, mesh const& m, std::vector<double> const& load)
{
  constexpr int elements = cells * cells * cells;
  constexpr std::size_t count = points * points * points;
  sumfac::view table(m.numbers.data(), elements, n, n, n);
  sumfac::view marks(m.boundary.data(), int{count});
  // [renumbered]
  std::vector<sumfac::index_t> const number = sumfac::node_order(table, count, marks);
  std::vector<sumfac::index_t> numbers;                                  // the table's new numbers
  for (std::int32_t const node : m.numbers) numbers.push_back(number[std::size_t(node)]);
  std::vector<unsigned char> boundary(count);
  std::vector<double> b_data(count), u_data(count);
  for (std::size_t node = 0; node < count; ++node) {
    boundary[std::size_t(number[node])] = m.boundary[node];
    b_data[std::size_t(number[node])] = load[node];
  }
  // [renumbered]
  sumfac::restriction const R{A.backend(), sumfac::view(numbers.data(), elements, n, n, n), int{count},
                              sumfac::view(boundary.data(), int{count})};
  sumfac::view b(b_data.data(), int{count}), u(u_data.data(), int{count});
  if (!sumfac::merged_cg(sumfac::global_operator{A, R}, b, u)) return {};
  std::vector<double> solution;
  for (std::size_t node = 0; node < count; ++node) solution.push_back(u_data[std::size_t(number[node])]);
  return solution;
}

// The residual that conjugate gradients came to by their recursion, beside b - A u.
template <class Scalar>
void compare_residuals(mesh const& m)
{
  constexpr int elements = cells * cells * cells, count = points * points * points;
  sumfac::host const backend;
  sumfac::view table(m.numbers.data(), elements, n, n, n);
  sumfac::restriction<Scalar> R{backend, table, count, sumfac::view(m.boundary.data(), count)};
  sumfac::restriction<Scalar> everywhere{backend, table, count};
  sumfac::view nodes(m.vertices.data(), elements, 2, 2, 2, 3);
  sumfac::element_operator<sumfac::laplace, order, Scalar> const A{backend, nodes};
  std::vector<Scalar> b_data(count), u_data(count), d_data(count, 1);
  sumfac::view b(b_data.data(), count), u(u_data.data(), count), d(d_data.data(), count);
  sumfac::bp1<order, Scalar>{backend, nodes}.apply(everywhere, d, b);
  for (std::size_t i = 0; i < count; ++i)
    if (m.boundary[i] != 0) b_data[i] = 0;
  sumfac::global_operator const L{A, R};
  L.diagonal(d);
  sumfac::jacobi const P{backend, d};
  sumfac::vector_ops<Scalar> const ops{backend, count};
  for (double const tolerance : {1e-4, 1e-8, 1e-12, 1e-14}) {
    ops.fill(0, u);
    // [residuals]
    sumfac::solve_result const r = sumfac::cg(L, b, u, P, {.tolerance = tolerance});
    L.apply(u, d);
    ops.axpy(-1, b, d);                                                // d = A u - b
    double const own = r.status == sumfac::solve_status::stagnated ? r.recursion : r.residual, computed = ops.norm(d);
    // [residuals]
    std::printf("%-6s tolerance %.0e: %s, %.1e by the recursion, %.1e computed anew\n",
                sizeof(Scalar) == 4 ? "float" : "double", tolerance, r ? "converged" : "stagnated",
                own / r.initial_residual, computed / r.initial_residual);
  }
}

}  // namespace

int main()
{
  mesh const m = unit_cube();
  constexpr int elements = cells * cells * cells, count = points * points * points;
  sumfac::host const backend;

  // [restriction]
  sumfac::view table(m.numbers.data(), elements, n, n, n);             // (E, z, y, x): node numbers
  sumfac::view marks(m.boundary.data(), count);                        // not 0: constrained
  sumfac::restriction R{backend, table, count, marks};
  // [restriction]

  sumfac::view nodes(m.vertices.data(), elements, 2, 2, 2, 3);
  // [operators]
  sumfac::element_operator<sumfac::laplace, order> const A{backend, nodes};
  sumfac::bp1<order> const M{backend, nodes};
  // [operators]

  // [apply]
  std::vector<double> f(count, 1.0), b_data(count), u_data(count), d_data(count);
  sumfac::view<double const, sumfac::dextents<1>> load(f.data(), count);
  sumfac::view b(b_data.data(), count), u(u_data.data(), count), d(d_data.data(), count);
  sumfac::restriction everywhere{backend, table, count};               // no node constrained
  M.apply(everywhere, load, b);                                        // b = M f
  for (std::size_t i = 0; i < count; ++i)
    if (m.boundary[i] != 0) b_data[i] = 0;                             // the boundary's values
  // [apply]

  // [solve]
  sumfac::global_operator const L{A, R};
  L.diagonal(d);
  sumfac::jacobi const P{backend, d};
  sumfac::cg_options const options{.iterations = 500, .tolerance = 1e-10};
  sumfac::solve_result const result = sumfac::cg(L, b, u, P, options);
  std::printf("%s\n", result.report().c_str());
  // [solve]
  if (!result) return 1;
  double const center = u_data[(count - 1) / 2];

  // [merged]
  std::fill(u_data.begin(), u_data.end(), 0.0);
  sumfac::cg_workspace workspace{backend, count};                      // solves allocate nothing
  auto const history = [](sumfac::index_t iteration, double residual) {
    if (iteration % 10 == 0) std::printf("%4d %.3e\n", static_cast<int>(iteration), residual);
  };
  sumfac::merged_cg(L, b, u, P, options, history, workspace);
  // [merged]

  // [parts]
  sumfac::restriction const first = R.subset(0, elements / 2), rest = R.subset(elements / 2, elements);
  A.apply(first, u, d);                                                // d = A u of the first half
  A.apply_add(rest, u, d);                                             // d += A u of the other one
  // [parts]

  // [vectors]
  std::vector<double> e_data(elements * n * n * n);
  sumfac::view e(e_data.data(), elements, n, n, n);
  R.gather(u, e);                                                      // e = R u, 0 at constrained nodes
  R.scatter(e, d);                                                     // d = R^T e
  // [vectors]

  // [ops]
  sumfac::vector_ops const ops{backend, count};
  ops.axpy(-1.0, b, d);                                                // d = d - b
  double const length = ops.norm(u);
  // [ops]

  std::vector<double> const again = solve_renumbered(A, m, b_data);
  double difference = again.empty() ? 1 : 0;
  for (std::size_t i = 0; i < again.size(); ++i) difference = std::max(difference, std::abs(again[i] - u_data[i]));
  std::printf("renumbered: differs by %.1e\n", difference);
  compare_residuals<double>(m);
  compare_residuals<float>(m);
  std::printf("u in the middle: %.8f (0.05621 of the series), |u| = %.6f\n", center, length);
  return std::abs(center - 0.05621) < 1e-4 && difference < 1e-8 ? 0 : 1;
}
